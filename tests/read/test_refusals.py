"""Every refusal by name: `refusals.txt` holds sources, and what is said about each."""

from __future__ import annotations

from pathlib import Path

import libcst as cst
import pytest
from support import run

from ad_transform.diagnostics import CODES
from ad_transform.read import read
from ad_transform.read.calls.unknown import INSTEAD
from ad_transform.read.compiling import (
    control,
    expressions,
    statements,
)
from ad_transform.read.library.library_calls import is_function
from ad_transform.read.syntax import fence

TEXT = (Path(__file__).parent / "refusals.txt").read_text()
CASES = TEXT.split("---\n")


def _said(source: str) -> list[str]:
    """What is said of a source; every error has a way out."""
    found = read(source.encode(), "model.py").diagnostics
    for d in found:
        assert d.help or CODES[d.code].severity != "error", d
    return [
        f"#! {d.code} {d.span.line}:{d.span.column}-{d.span.end_column} {d.message}"
        for d in found
        if d.span is not None
    ]


@pytest.mark.parametrize("case", CASES)
def test_says_what_is_wrong_and_where(case: str) -> None:
    lines = case.splitlines()
    source = "\n".join(line for line in lines if not line.startswith("#!")) + "\n"
    assert _said(source) == [line for line in lines if line.startswith("#!")]


def test_every_node_of_libcst_is_compiled_or_refused() -> None:
    known = {
        *fence.EXPRESSIONS,
        *fence.STATEMENTS,
        *expressions._EXPAND,
        *statements._SMALL,
        *(form.__name__ for form in control.COMPOUND),
    }
    kinds = cst.BaseExpression | cst.BaseSmallStatement | cst.BaseCompoundStatement
    named = {
        name
        for name in dir(cst)
        if isinstance(node := getattr(cst, name), type) and issubclass(node, kinds)
    }
    apart = {"FunctionDef", "StarredElement", "StarredDictComp"}
    younger = {"LazyImport", "LazyImportFrom"}
    abstract = {name for name in named if name.startswith("Base")}
    assert named - abstract - apart - younger <= known


def test_what_has_a_meaning_is_not_called_unsupported() -> None:
    of_some_calls = {"builtins.isinstance", "builtins.type", "numpy.vectorize"}
    of_some_calls |= {"numpy.all", "numpy.any"}  # which numbers have no use for
    assert set(filter(is_function, INSTEAD)) == of_some_calls


def test_everything_is_said_in_one_run() -> None:
    source = (
        "# ad: gradient(z), hessian\ndef f(x):\n    return u(x) + v\n"
        "# ad: gradiant\ndef g(x):\n    for i in x: pass\n    return w\n"
    )
    said = [line.split()[1] for line in _said(source)]
    assert said == ["AD023", "AD103", "AD103", "AD020", "AD107", "AD103"]


@pytest.mark.parametrize(
    ("body", "way_out"),
    [
        ('print("%#x" % x)', 'f"x is {x:.3g}"'),
        ('print("{.real}".format(x))', 'f"x is {x:.3g}"'),
        ("s = sum(v for v, _ in zip((x,), (x,)))", "in place of the star"),
    ],
)
def test_a_way_out_can_be_taken(body, way_out):
    source = (
        f"from itertools import *\n# ad: expand\ndef f(x):\n    {body}\n    return x\n"
    )
    assert way_out in run(source).diagnostics[0].help
