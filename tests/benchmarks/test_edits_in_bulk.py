"""How many lines of the output one-line edits of the models change.

The edits are those of `edits`: four sorts, in an early and in a late statement of each
of the models, all weighted alike. Every line of the output counts but the header, the
counts of operations and blank lines.
"""

from __future__ import annotations

import pytest
from edits import SORTS, edits, models, output, share

FEWER = 4
"""Of Hessians one edit in so many is made: they take long."""

# kind of function: limits of the shares of lines by quantile
LIMITS = {
    "gradient": {0.5: 0.19, 0.9: 0.52},
    "jacobian": {0.5: 0.20, 0.9: 0.62},
    "hessian": {0.5: 0.41, 0.9: 0.76},
}


@pytest.mark.parametrize("kind", LIMITS)
def test_one_line_edits_change_few_lines(kind):
    found = _shares(kind)
    for sort in SORTS:
        _tell(f"{kind}, {sort}", sorted(x for what, x in found if what == sort))
    shares = sorted(x for _, x in found)
    _tell(kind, shares)
    for quantile, limit in LIMITS[kind].items():
        assert shares[int(quantile * len(shares))] <= limit


def _shares(kind: str) -> list[tuple[str, float]]:
    """For each edit its sort, and the share of lines that it changes."""
    found: list[tuple[str, float]] = []
    step = FEWER if kind == "hessian" else 1
    for number, model in enumerate(models()):
        if kind in model.kinds():
            old = output(model, model.source, kind)
            for edit in list(edits(model))[number % step :: step]:
                sort = edit.what.partition(":")[0]
                found.append((sort, share(old, output(model, edit.source, kind))))
    return found


def _tell(what: str, shares: list[float]) -> None:
    if shares:
        middle, high = (shares[int(q * len(shares))] for q in (0.5, 0.9))
        print(f"{what}: {middle:.3f} in the median, {high:.3f} at nine tenths")
