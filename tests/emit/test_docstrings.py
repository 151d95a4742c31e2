"""The first line of a docstring is a sentence of its own."""

from __future__ import annotations

import ast
import inspect

import black
import pytest
from amounts import ANY_ORDER, amount
from hypothesis import example, given, settings
from support import FIRST, SCALAR, generate, marked
from texts import texts

from ad_transform.derive.kinds.kinds import derive
from ad_transform.emit.python.docstring import docstring
from ad_transform.ir.nodes import LEAF, Block, Function, Parameter, Var
from ad_transform.ir.types import FLOAT

NAMES = [f"parameter_{word}" for word in ("one", "two", "three", "four", "five")]


@pytest.mark.parametrize("names", [NAMES, NAMES[:1]])
def test_a_summary_is_one_line(names):
    source = f"def f({', '.join(names)}):\n    return {' * '.join(names)} ** 3\n"
    text = generate(marked(source, "f", *FIRST, *SCALAR), **ANY_ORDER)
    for function in ast.parse(text).body:
        if isinstance(function, ast.FunctionDef):
            summary, rest = ast.get_docstring(function).split("\n\n")
            assert summary.endswith(".") and "\n" not in summary
            assert f"ith respect to {names[0]}" in f"{summary} {rest}"


UNITS = '''def f(x, y):
    """Energy of a spring.

    Args:
        x: stretch, in m
        y: stiffness, in N/m
    """
    return 0.5 * y * x**2
'''


GRADIENT = "# ad: gradient\n"


def carried(said: str) -> str:
    """What a docstring becomes in a generated function."""
    head = "def f_grad(x):\n"
    derived = derive(marked_function(), "gradient", ("x",))
    return docstring_of(head + "\n".join(docstring(derived, 88, said)) + "\n    pass\n")


def marked_function() -> Function:
    x = Var(FLOAT, "x")
    return Function("f", (Parameter("x", (x,)),), Block((x,), (), (x,)), LEAF, 1)


def docstring_of(text: str) -> str:
    assert black.format_str(text, mode=black.Mode()) == text
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == "f_grad":
            return ast.get_docstring(node) or ""
    raise AssertionError(text)


def test_the_docstring_of_the_source_is_carried_over():
    assert docstring_of(generate(GRADIENT + UNITS, **ANY_ORDER)) == (
        "Gradient of f with respect to x and y.\n\n"
        "Energy of a spring.\n\n"
        "Args:\n    x: stretch, in m\n    y: stiffness, in N/m\n\n"
        "Operations: 3 (3 mul)."
    )


@pytest.mark.parametrize(
    "text, prefix",
    [
        (r'r"""Flow \alpha_1."""', 'r"""'),
        (r'"Flow \\alpha_1."', 'r"""'),
        (r"'''Say \"\"\"x\"\"\" and \\beta.'''", '"""'),
        (r"'Say \x07.'", '"""'),
        (r'"""Ends in \\"""', 'r"""'),
        ('"Two " "halves."', '"""'),
        ('"""    \n    Late.\n\n\n    More.   \n    """', '"""'),
    ],
)
def test_any_style_of_docstring_is_carried_over(text, prefix):
    source = f"def f(x, y):\n    {text}\n    return 0.5 * y * x**2\n"
    made = generate(GRADIENT + source, **ANY_ORDER)
    assert f"    {prefix}Gradient of f" in made
    lines = inspect.cleandoc(ast.literal_eval(text)).split("\n")
    assert "\n".join(map(str.rstrip, lines)) in docstring_of(made)


@settings(max_examples=amount(10, 100), deadline=None)
@given(texts(60))
@example('"\\')
@example("a\n \u3000b\n\tc\x0c\x85d\u2028e")
def test_any_text_is_carried_over(text):
    lines = map(str.rstrip, inspect.cleandoc(text).split("\n"))
    kept = "\n".join(lines).strip("\n")
    assert kept in carried(inspect.cleandoc(text))


def test_all_inputs_whose_errors_count_are_named():
    source = "# ad: error(uncertainties='x=0.1, y=1%')\n" + UNITS
    assert "Errors of x and y are counted too." in generate(source, **ANY_ORDER)


def test_conventions_of_ties_are_said_in_one_sentence() -> None:
    text = generate(
        "# ad: gradient\ndef f(x):\n    return min(x, 1.0) * max(x, -x, 0.5)"
    )
    said = " ".join(text.split())
    assert "At a tie min() and max() share their derivative equally among the" in said
    assert "shares" not in text
    text = generate("# ad: gradient\ndef f(x):\n    return min(x, 1.0)")
    assert "At a tie min() shares its derivative equally" in text
