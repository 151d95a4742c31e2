"""How many lines of the output one-line edits of the models change."""

from __future__ import annotations

from edits import edits, models, output, share

LIMITS = {0.5: 0.22, 0.9: 0.56}  # share of lines by quantile


def test_one_line_edits_change_few_lines():
    shares = sorted(_shares())
    for quantile, limit in LIMITS.items():
        found = shares[int(quantile * len(shares))]
        print(f"quantile {quantile}: {found:.3f} of the lines, limit {limit}")
        assert found <= limit


def _shares() -> list[float]:
    """One share for each edit of a first derivative; Hessians by one edit in four."""
    found: list[float] = []
    for model in models():
        for kind in model.kinds():
            old = output(model, model.source, kind)
            step = 4 if kind == "hessian" else 1
            for edit in list(edits(model))[::step]:
                if "math.sin" not in edit.what or "import math" in edit.source:
                    found.append(share(old, output(model, edit.source, kind)))
    return found
