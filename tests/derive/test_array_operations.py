"""Tangents and transposes of operations on arrays, one by one."""

from __future__ import annotations

import random

import pytest
from array_kinds import check

from ad_transform.derive.accumulation.linearise import linearise
from ad_transform.elementals import INNER, TABLE, texts, whole
from ad_transform.elementals import ROWS as ELEMENTALS
from ad_transform.ir.nodes import LEAF, Apply, Block, Function, Literal, Parameter, Var
from ad_transform.ir.types import FLOAT, Kind, Type
from ad_transform.ir.typing import DECLARED, result_type

LIST, ROWS = Type(Kind.FLOAT, ("n",)), Type(Kind.FLOAT, ("n", 2))
LAYERS = Type(Kind.FLOAT, ("n", 2, 2))

# operation, types of its arguments (numbers are indices or sizes)
CASES = [
    ("get", (LIST, 1)),
    ("get", (ROWS, 1, 0)),
    ("set", (LIST, FLOAT, -1)),
    ("set", (ROWS, FLOAT, 2, 1)),
    ("add_at", (LIST, FLOAT, 0)),
    ("sub_at", (LIST, FLOAT, 0)),
    ("exchange", (LIST, 0, 2)),
    ("exchange", (ROWS, 1, -1)),
    ("append", (LIST, FLOAT)),
    ("pop", (LIST,)),
    ("pack", (FLOAT, FLOAT, FLOAT)),
    ("full", (FLOAT, 3)),
    ("like", (LIST, FLOAT)),
    ("copy", (LIST,)),
    ("copy_rows", (ROWS,)),
    ("sum_of", (LIST,)),
    ("sum_of_rows", (ROWS,)),
    ("fsum_of", (LIST,)),
    ("total_of", (LIST,)),
    ("added", (LIST, LIST)),
    ("added_rows", (ROWS, ROWS)),
    ("grid", (FLOAT, 3, 2)),
    ("rows_like", (ROWS, FLOAT)),
    ("pack", (ROWS, ROWS)),
    ("get", (LAYERS, 1, 0, 1)),
    ("set", (LAYERS, FLOAT, 2, 1, 0)),
    ("copy_layers", (LAYERS,)),
    ("sum_of_layers", (LAYERS,)),
    ("added_layers", (LAYERS, LAYERS)),
    ("block", (FLOAT, 3, 2, 2)),
    ("layers_like", (LAYERS, FLOAT)),
]
N = 3


def values(type_, rng):
    """A value of a type at N elements."""
    if not type_.dims:
        return rng.uniform(-1.0, 1.0)
    inner = Type(type_.kind, type_.dims[1:])
    size = type_.dims[0] if isinstance(type_.dims[0], int) else N
    return [values(inner, rng) for _ in range(size)]


@pytest.mark.parametrize("kind", ["jvp", "vjp"])
@pytest.mark.parametrize(
    ("op", "types"), CASES, ids=lambda x: x if isinstance(x, str) else ""
)
def test_the_transpose_is_that_of_the_tangent(op, types, kind):
    rng = random.Random(op)
    row = TABLE[op]
    args = tuple(
        Literal(t) if isinstance(t, int) else Var(t, f"a{k}")
        for k, t in enumerate(types)
    )
    given = tuple(a for a in args if isinstance(a, Var))
    declared = Type(Kind.FLOAT, tuple(t for t in types if isinstance(t, int)))
    out = Var(declared if row.result == DECLARED else result_type(row, args))
    block = Block(given, (Apply(out, row, args),), (out,))
    parameters = tuple(Parameter(v.hint, (v,)) for v in given)
    function = Function("f", parameters, block, LEAF, 1)
    check(function, kind, [values(a.type, rng) for a in given])


def test_names_of_elementals_are_different():
    rows = (*ELEMENTALS, *INNER, *texts.ROWS)
    assert sorted(TABLE) == sorted(row.name for row in rows)


def test_every_operation_on_arrays_is_tried():
    assert {op for op, _ in CASES} == {
        row.name
        for row in ELEMENTALS
        if row.layout and row.layout.linear_in and row not in whole.ROWS
    }


def test_an_active_array_is_never_taken_for_a_constant():
    """Its derivative would be wrong, not missing."""
    array, value = Var(LIST), Var(FLOAT)
    out, read = Var(LIST), Var(FLOAT)
    body = (
        Apply(out, TABLE["set"], (array, value, Literal(0))),
        Apply(read, TABLE["get"], (out, Literal(0))),
    )
    with pytest.raises(ValueError, match="cannot linearise set"):
        linearise(body, (value,), (read,))
