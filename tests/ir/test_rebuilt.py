"""Every pass rebuilds statements through one method, so that a new one is one class."""

from __future__ import annotations

from functools import partial

import pytest
from programs import (
    ARRAYS,
    BRANCHING,
    KEEPING,
    LOOPING,
    PRINTING,
    RECORDING,
    SCANNING,
    STRAIGHT,
    deep,
    program,
)

from ad_transform.derive.constants.hoist import hoisted
from ad_transform.derive.primal import copy_primal
from ad_transform.derive.rounding.literals import restored
from ad_transform.elementals import TABLE
from ad_transform.ir import evaluate as meaning
from ad_transform.ir import text, verify
from ad_transform.ir.blocks.blocks import fitted, renewed, shape
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Check,
    Function,
    Literal,
    Operand,
    Parameter,
    Print,
    Rebuildable,
    Scan,
    Var,
    node,
    walk,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import FLOAT, INT, Type

TEXTS = (STRAIGHT, BRANCHING, SCANNING, LOOPING, RECORDING, ARRAYS, KEEPING, PRINTING)


@node
class Twice(Rebuildable):
    """`outs = block(*block(*args))`: a statement that no pass knows."""

    outs: tuple[Var, ...]
    args: tuple[Operand, ...]
    block: Block

    @property
    def inputs(self) -> tuple[Operand, ...]:
        return self.args

    @property
    def blocks(self) -> tuple[Block, ...]:
        return (self.block,)

    @property
    def label(self) -> str:
        return "twice"

    def rebuilt(self, outs, inputs, blocks):
        return Twice(outs, inputs, *blocks)


def _run(twice, read, run):
    once = yield run(twice.block, tuple(map(read, twice.args)))
    return (yield run(twice.block, once))


def _write(twice, names):
    yield twice, f"{names.binds(twice.outs)} = twice {names.reads(twice.args)}"
    yield from text._inner("body", twice.block, names)


@pytest.fixture
def twice(monkeypatch):
    """f(x) = g(g(x)) + 1 with g(x) = 2 sin(x), by a statement of this test's own."""
    monkeypatch.setitem(meaning._MEANING, Twice, _run)
    monkeypatch.setitem(text._WRITE, Twice, _write)
    monkeypatch.setitem(verify.CHECKS, Twice, lambda _: None)
    x, p, s, d, out, total = (Var(FLOAT, name) for name in "xpsdot")
    inner = Apply(s, TABLE["sin"], (p,)), Apply(d, TABLE["mul"], (Literal(2.0), s))
    statement = Twice((out,), (x,), Block((p,), inner, (d,)))
    last = Apply(total, TABLE["add"], (out, Literal(1.0)))
    block = Block((x,), (statement, last), (total,))
    return Function("f", (Parameter("x", (x,)),), block, LEAF)


def _same(function, block):
    """Whether a block computes what a function does."""
    assert meaning.evaluate(function, (0.3,)) == meaning.evaluate(
        Function("f", (Parameter("x", block.params),), block, LEAF), (0.3,)
    )


def test_a_new_statement_is_rebuilt_by_every_pass(twice):
    verify.verify(twice)
    block = twice.block
    params, results = block.params, block.results
    again = renewed(block)
    _same(twice, again)
    assert shape(again) == shape(block)
    assert not {o for s in walk(again.body) for o in s.outs} & {
        o for s in walk(block.body) for o in s.outs
    }
    _same(twice, Block(params, live(block.body, results), results))
    assert live(block.body, params) == ()
    builder = Builder(TABLE, LAWS)
    env = copy_primal(twice, builder)
    _same(twice, Block(params, tuple(builder.body), (env[results[0]],)))
    (inlined,) = Builder(TABLE, LAWS).inline(block, (params[0],))
    assert isinstance(inlined, Var)
    _same(twice, hoisted(twice).block)
    lifted = {params[0]: Literal(0.3)}
    whole = restored(Block((), block.body, results), lifted)
    made = Function("f", (), whole, LEAF)
    assert meaning.evaluate(made, ()) == meaning.evaluate(twice, (0.3,))


@pytest.mark.parametrize("source", TEXTS, ids=lambda t: t.split()[1])
def test_rebuilt_of_its_own_parts_is_the_same(source):
    for statement in walk(program(source).body):
        same = statement.rebuilt(statement.outs, statement.inputs, statement.blocks)
        assert type(same) is type(statement)
        for part in ("outs", "inputs", "blocks", "label"):
            assert getattr(same, part) == getattr(statement, part)


@pytest.mark.parametrize("source", TEXTS, ids=lambda t: t.split()[1])
def test_a_renewed_block_is_under_the_law_and_shares_no_value(source):
    function = program(source)
    again = renewed(function.block)
    assert shape(again) == shape(function.block)
    old = {o for s in walk(function.body) for o in s.outs}
    assert old.isdisjoint(o for s in walk(again.body) for o in s.outs)


def test_depth_is_no_limit():
    function = deep(3_000)
    assert shape(renewed(function.block)) == shape(function.block)
    params, results = function.block.params, function.results
    body = live(function.body, results)
    assert sum(1 for _ in walk(body)) == sum(1 for _ in walk(function.body))
    builder = Builder(TABLE, LAWS)
    env = copy_primal(function, builder)
    made = Function(
        "f",
        function.parameters,
        Block(params, tuple(builder.body), (env[results[0]],)),
        LEAF,
    )
    verify.verify(made)
    assert meaning.evaluate(made, (True, 2.0)) == (2.0,)


def test_a_block_over_an_array_of_another_length_has_its_types():
    x, i, entry = Var(Type(FLOAT.kind, ("n",)), "x"), Var(INT), Var(FLOAT)
    copy = Var(x.type)
    inside = Block((i, entry), (), (entry,))
    stack = Var(x.type)
    loop = Scan((stack,), Literal(0), Literal(3), Literal(1), (), (), (x,), inside)
    block = Block((x,), (Apply(copy, TABLE["copy"], (x,)), loop), (copy, stack))
    three = Var(Type(FLOAT.kind, (3,)))
    made = fitted(block, (three,))
    values = [*made.params, *(o for s in made.body for o in s.outs)]
    assert [v.type for v in values] == [three.type] * 3


def test_a_loop_built_twice_records_on_stacks_of_two_dims():
    function = program(RECORDING)
    builder = Builder(TABLE, LAWS)
    first = builder.inline(function.block, function.block.params)
    second = builder.inline(function.block, function.block.params)
    results = (*first, *second)
    nest = type(function.nest)(function.nest.container, function.nest.items * 2)
    block = Block(function.block.params, tuple(builder.body), results)
    made = Function("f", function.parameters, block, nest)
    verify.verify(made)
    assert meaning.evaluate(made, (2.0,)) == meaning.evaluate(function, (2.0,)) * 2


@pytest.mark.parametrize("kind", [partial(Check, Literal(True)), Print])
def test_messages_with_values_elsewhere_are_others(kind):
    x = Var(FLOAT)
    said = [shape(Block((x,), (kind(m),), ())) for m in (("at ", x), (x, "at "))]
    assert said[0] != said[1]
