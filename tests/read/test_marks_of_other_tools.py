"""Marks as other tools would have them are refused with the mark that is meant."""

from __future__ import annotations

import pytest
from support import generate

from ad_transform.diagnostics import Refusal
from ad_transform.read.marks.marks import Text, check_item, parse_marks

IN_PARENTHESES = "name the independents in parentheses: `# ad: {}`"


def help_for(mark: str) -> str:
    """The help of the first refusal of a mark."""
    try:
        items = parse_marks([Text(mark, 1, 1)])
    except Refusal as refusal:
        return refusal.diagnostics[0].help or ""
    return next(one.help or "" for item in items for one in check_item(item))


@pytest.mark.parametrize(
    ("mark", "meant"),
    [
        ("gradient wrt=q, r", "gradient(q, r)"),
        ("gradient wrt q", "gradient(q)"),
        ("gradient q r value=True", "gradient(q, r)"),
        ("jacobian x, hessian x", "jacobian(x)"),
        ("gradient(wrt=q)", "gradient(q)"),
        ("gradient(wrt=[q, r])", "gradient(q, r)"),
        ("hvp(argnums=[0, 1])", "hvp(x, y)"),
    ],
)
def test_the_help_names_the_independents(mark: str, meant: str) -> None:
    assert help_for(mark) == IN_PARENTHESES.format(meant)
    assert "def f_" in generate(
        f"# ad: {meant}\ndef f(q, r, x, y): return q * r * x * y"
    )


def test_the_help_names_the_missing_comma() -> None:
    assert help_for("gradient(q) hessian(q)") == "put a comma in front of `hessian`"


@pytest.mark.parametrize("mark", ["gradient wrt", "gradient(q) r", "gradient = 1"])
def test_where_no_independent_is_named_the_help_is_the_grammar(mark: str) -> None:
    assert help_for(mark).startswith("write `# ad: gradient` or")
