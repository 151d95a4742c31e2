"""How many lines of the output one-line edits of the models change.

The edits are those of `edits`: four sorts, in an early and in a late statement of each
of the models, all weighted alike. Every line of the output counts but the header, the
counts of operations and blank lines.

The least that can be asked for is what plain reverse code changes, as a person would
write it: no pass has looked for fewer operations, and names that are made do not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from edits import SORTS, edits, models, output, share

from ad_transform.derive.accumulation import race
from ad_transform.derive.factoring.factor import Draft

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


ABOVE = {0.5: 0.09, 0.9: 0.21}
"""By quantile, how far gradients may be above what plain reverse code changes."""


def test_gradients_are_not_far_above_plain_reverse_code(monkeypatch):
    shares = sorted(x for _, x in _shares("gradient"))
    monkeypatch.setattr(Draft, "factored", lambda self, made, limit=None: made)
    monkeypatch.setattr(Draft, "polished", lambda self: self.outcome)
    monkeypatch.setattr(race, "orders_of", lambda *_: ("reverse",))
    plain = sorted(x for _, x in _shares("gradient", _nameless))
    _tell("plain reverse code, names aside", plain)
    for quantile, limit in ABOVE.items():
        place = int(quantile * len(shares))
        assert shares[place] <= plain[place] + limit


def _nameless(lines: list[str], source: str) -> list[str]:
    """The lines with one name for all that the source does not have."""
    known = set(re.findall(r"[A-Za-z_]\w*", source))
    return [
        re.sub(r"[A-Za-z_]\w*", lambda m: m[0] if m[0] in known else "_", line)
        for line in lines
    ]


def _as_printed(lines: list[str], source: str) -> list[str]:
    return lines


Read = Callable[[list[str], str], list[str]]


def _shares(kind: str, read: Read = _as_printed) -> list[tuple[str, float]]:
    """For each edit its sort, and the share of lines, as read, that it changes."""
    found: list[tuple[str, float]] = []
    step = FEWER if kind == "hessian" else 1
    for number, model in enumerate(models()):
        if kind in model.kinds():
            old = read(output(model, model.source, kind), model.source)
            for edit in list(edits(model))[number % step :: step]:
                sort = edit.what.partition(":")[0]
                new = read(output(model, edit.source, kind), model.source)
                found.append((sort, share(old, new)))
    return found


def _tell(what: str, shares: list[float]) -> None:
    if shares:
        middle, high = (shares[int(q * len(shares))] for q in (0.5, 0.9))
        print(f"{what}: {middle:.3f} in the median, {high:.3f} at nine tenths")
