"""The first line of a docstring is a sentence of its own."""

from __future__ import annotations

import ast

import pytest
from support import FIRST, SCALAR, generate, marked

NAMES = [f"parameter_{word}" for word in ("one", "two", "three", "four", "five")]


@pytest.mark.parametrize("names", [NAMES, NAMES[:1]])
def test_a_summary_is_one_line(names):
    source = f"def f({', '.join(names)}):\n    return {' * '.join(names)} ** 3\n"
    text = generate(marked(source, "f", *FIRST, *SCALAR))
    for function in ast.parse(text).body:
        if isinstance(function, ast.FunctionDef):
            summary, rest = ast.get_docstring(function).split("\n\n")
            assert summary.endswith(".") and "\n" not in summary
            assert f"ith respect to {names[0]}" in f"{summary} {rest}"
