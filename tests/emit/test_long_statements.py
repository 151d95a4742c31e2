"""Statements that are too long for a line are laid out as black does."""

import ast

import black
import pytest

from ad_transform.emit.python.layout import statement

CHOICE = "case_returned if c_case > 0.0 else -case_returned_2 if c_case < 0.0 else 0.0"


@pytest.mark.parametrize(
    "text", [f"-({CHOICE})", f"-tanh({CHOICE})", f"tanh({CHOICE})"]
)
def test_brackets_are_broken_and_mean_the_same(text):
    lines = statement("c_bar = ", text, "", 4, 88)
    assert len(lines) == 3
    source = "if True:\n" + "\n".join(lines) + "\n"
    assert black.format_str(source, mode=black.Mode()) == source
    (branch,) = ast.parse(source).body
    expected = ast.dump(ast.parse(text, mode="eval").body)
    assert ast.dump(branch.body[0].value) == expected  # and no tuple of one
