"""Statements that are too long for a line are laid out as black does."""

import ast

import black
import pytest
from support import generate

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


LONG_WRITE = """# ad: jvp
def f(x: "Vector[n]", y: "Vector[m]", c: float):
    u1 = [0.0] * len(x)
    u2 = [c * v for v in x]
    for i in range(len(x)):
        u1[0] += 0.5 * y[(i + 2) % len(y)] - 0.83 * u2[(i + 1) % len(u2)]
    return u1
"""


def test_writes_to_elements_are_broken_behind_their_sign():
    text = generate(LONG_WRITE, effort=0)
    assert "] = (\n" in text and black.format_str(text, mode=black.Mode()) == text
