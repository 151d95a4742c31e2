"""Operations in the emitted text, counted there, of a fixed set of functions."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import fields

import pytest
from support import corpus, generate, marked, run

from ad_transform.ir.count import Counts

OPERATORS = {
    ast.Add: "add",
    ast.Sub: "add",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Mod: "div",
    ast.FloorDiv: "div",
    ast.Pow: "pow",
}


def counted(text: str, name: str) -> Counts:
    """The operations in the text of a function by the classes of rule 25."""
    module = ast.parse(text)
    (function,) = (
        node
        for node in module.body
        if isinstance(node, ast.FunctionDef) and node.name == name
    )
    tally: Counter[str] = Counter()
    for node in ast.walk(ast.Module(function.body, [])):
        match node:
            case ast.BinOp(op=op):
                tally[OPERATORS[type(op)]] += 1
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                tally["neg"] += not isinstance(operand, ast.Constant)
            case ast.Call():
                tally["call"] += 1
            case ast.IfExp() | ast.Compare():
                tally["select"] += 1
    return Counts(**tally)


def source_of(name: str) -> str:
    (case,) = (c for c in corpus() if c.name == name and c.file != "papers")
    return case.source


def emitted(name: str, item: str, suffix: str, **options: str) -> Counts:
    text = generate(marked(source_of(name), name, item), container="tuple", **options)
    return counted(text, f"{name}_{suffix}")


# The ceilings are the issue's; what is reached stands beside them.
CEILINGS = [
    ("robot_arm", "jacobian(value=True)", "value_and_jac", 250),
    ("heart_dipole", "jacobian(value=True)", "value_and_jac", 150),
    ("propane_combustion", "jacobian(value=True)", "value_and_jac", 105),
]


@pytest.mark.parametrize(("name", "item", "suffix", "ceiling"), CEILINGS)
def test_the_issues_ceilings_hold(name, item, suffix, ceiling):
    assert emitted(name, item, suffix).total <= ceiling


# fmt: off
EXACT = [
    ("robot_arm",          "jacobian(value=True)", "value_and_jac",  "keep",     249),
    ("heart_dipole",       "jacobian(value=True)", "value_and_jac",  "keep",     146),
    ("propane_combustion", "jacobian(value=True)", "value_and_jac",  "keep",     105),
    ("lighthouse",         "jacobian(value=True)", "value_and_jac",  "keep",      22),
    ("powell",             "gradient(value=True)", "value_and_grad", "multiply",  30),
    ("powell",             "hvp(value=True)",      "value_and_hvp",  "multiply",  48),
    ("rosenbrock",         "gradient(value=True)", "value_and_grad", "multiply",  12),
    ("rosenbrock",         "hvp(value=True)",      "value_and_hvp",  "multiply",  26),
]
# fmt: on


@pytest.mark.parametrize(("name", "item", "suffix", "powers", "total"), EXACT)
def test_counts_are_what_they_were(name, item, suffix, powers, total):
    """A change is welcome if it is downwards: then lower the figure."""
    assert emitted(name, item, suffix, powers=powers).total == total


@pytest.mark.parametrize("case", corpus(), ids=str)
def test_text_and_ir_count_alike(case):
    """The printer neither adds nor removes an operation."""
    items = ["jacobian(value=True)", "vjp"]
    if case.scalar:
        items += ["gradient", "hessian(value=True)", "hvp"]
    result = run(marked(case.source, case.name, *items), container="tuple")
    assert result.text is not None
    for derived in result.derived:
        found = counted(result.text, derived.function.name)
        for field in fields(Counts):
            if field.name != "select":
                want = getattr(derived.counts, field.name)
                assert getattr(found, field.name) == want, field.name


@pytest.mark.parametrize("case", corpus(), ids=str)
def test_auto_is_never_dearer(case):
    """`auto` against the orders one can ask for, on every kind."""
    items = ["jacobian", "jacobian(value=True)", "vjp"]
    if case.scalar:
        items += ["gradient", "hessian", "hvp", "hvp(value=True)"]
    source = marked(case.source, case.name, *items)
    auto = run(source, order="auto").derived
    for order in ("forward", "reverse", "markowitz"):
        for a, b in zip(auto, run(source, order=order).derived, strict=True):
            assert a.counts.total <= b.counts.total, (a.kind, order)
