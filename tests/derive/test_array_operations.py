"""Tangents and transposes of operations on arrays: <v_bar, J x> = <J^T v_bar, x>."""

from __future__ import annotations

import random

import pytest
from support import flat

from ad_transform.derive.arrays import tangent, transposed
from ad_transform.derive.linearise import linearise
from ad_transform.elementals import ROWS as ELEMENTALS
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Container,
    Function,
    Literal,
    Nest,
    Parameter,
    Var,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import FLOAT, Kind, Type
from ad_transform.ir.typing import DECLARED, result_type
from ad_transform.ir.verify import verify

LIST, ROWS = Type(Kind.FLOAT, ("n",)), Type(Kind.FLOAT, ("n", 2))

# operation, types of its arguments (numbers are indices or sizes)
CASES = [
    ("get", (LIST, 1)),
    ("get", (ROWS, 1, 0)),
    ("set", (LIST, FLOAT, -1)),
    ("set", (ROWS, FLOAT, 2, 1)),
    ("add_at", (LIST, FLOAT, 0)),
    ("append", (LIST, FLOAT)),
    ("pop", (LIST,)),
    ("pack", (FLOAT, FLOAT, FLOAT)),
    ("full", (FLOAT, 3)),
    ("like", (LIST, FLOAT)),
    ("copy", (LIST,)),
    ("copy_rows", (ROWS,)),
    ("sum_of", (LIST,)),
    ("sum_of_rows", (ROWS,)),
    ("added", (LIST, LIST)),
    ("added_rows", (ROWS, ROWS)),
    ("grid", (FLOAT, 3, 2)),
    ("rows_like", (ROWS, FLOAT)),
]
N = 3


def values(type_, rng):
    """A value of a type at N elements."""
    if not type_.dims:
        return rng.uniform(-1.0, 1.0)
    inner = Type(type_.kind, type_.dims[1:])
    size = type_.dims[0] if isinstance(type_.dims[0], int) else N
    return [values(inner, rng) for _ in range(size)]


def run(builder, inputs, results, args):
    block = Block(inputs, tuple(builder.body), results)
    parameters = tuple(Parameter(f"p{k}", (v,)) for k, v in enumerate(inputs))
    nest = Nest(Container.TUPLE, (LEAF,) * len(results))
    function = Function("f", parameters, block, nest)
    verify(function)
    return evaluate(function, args)


def dot(a, b):
    return sum(x * y for x, y in zip(flat(a), flat(b), strict=True))


@pytest.mark.parametrize(
    ("op", "types"), CASES, ids=lambda x: x if isinstance(x, str) else ""
)
def test_the_transpose_is_that_of_the_tangent(op, types):
    rng = random.Random(op)
    row = TABLE[op]
    args = tuple(Literal(t) if isinstance(t, int) else Var(t) for t in types)
    given = tuple(a for a in args if isinstance(a, Var))
    declared = Type(Kind.FLOAT, tuple(t for t in types if isinstance(t, int)))
    out = Var(declared if row.result == DECLARED else result_type(row, args))
    statement = Apply(out, row, args)
    point = [values(a.type, rng) for a in given]
    dots = [values(a.type, rng) for a in given]
    v = evaluate_one(statement, given, point)
    v_bar_value = filled(v, rng)

    builder = Builder(TABLE, LAWS)
    moving = {a: Var(a.type) for a in given}
    made = tangent(builder, statement, moving)
    (v_dot,) = run(builder, (*given, *moving.values()), (made,), [*point, *dots])

    builder = Builder(TABLE, LAWS)
    v_bar, bars = Var(out.type), [Var(a.type) for a in given]
    read = {} if row.consumes else dict(zip(given, bars, strict=True))
    found = transposed(builder, statement, v_bar, read)
    places = [k for k, a in enumerate(args) if a in given and k in found]
    ends = tuple(found[k] for k in places)
    zeros = [filled(p, None) for p in point]
    results = run(builder, (*given, v_bar, *bars), ends, [*point, v_bar_value, *zeros])
    back = sum(
        dot(bar, dots[given.index(args[k])])
        for k, bar in zip(places, results, strict=True)
    )
    assert dot(v_bar_value, v_dot) == pytest.approx(back, rel=1e-14)


def evaluate_one(statement, given, point):
    block = Block(given, (statement,), (statement.out,))
    parameters = tuple(Parameter(f"p{k}", (v,)) for k, v in enumerate(given))
    function = Function("f", parameters, block, LEAF)
    verify(function)
    return evaluate(function, point)[0]


def filled(value, rng):
    if isinstance(value, list):
        return [filled(v, rng) for v in value]
    return rng.uniform(-1.0, 1.0) if rng else 0.0


def test_names_of_elementals_are_different():
    assert len(TABLE) == len(ELEMENTALS)


def test_every_operation_on_arrays_is_tried():
    assert {op for op, _ in CASES} == {
        row.name for row in ELEMENTALS if row.layout and row.layout.linear_in
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
