"""Operations on whole arrays as numpy has them: it broadcasts by itself.

Where a spread value meets the elements of others, numpy spreads it; elsewhere it is
written out. A gathered value becomes a sum along an axis. Sums of parts among zeros are
one array that is filled in place (see `filling`). Values that are 0 in places keep such
products apart as would be NaN there (see `masked`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import field
from functools import partial

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.wholes.filling import Filling, Parts
from ad_transform.derive.wholes.masked import Masks, with_choices
from ad_transform.elementals import TABLE
from ad_transform.elementals.whole import BY_ELEMENT, LENGTHS
from ad_transform.ir.blocks.blocks import needed
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.dims import ANY, Dims, alike
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.laws.wholes import picked
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    checks,
    hint_of,
    walk,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.template import instantiate, parse_template
from ad_transform.ir.types import Type
from ad_transform.ir.typing import broadcast
from ad_transform.later import later

with later():
    from ad_transform.derive.wholes.handed_shapes import with_shapes_at_hand
    from ad_transform.derive.wholes.only_shapes import only_shapes
    from ad_transform.derive.wholes.owned import in_place
    from ad_transform.derive.wholes.returned import owned
    from ad_transform.derive.wholes.shaped_blocks import from_arrays, in_shape

_INVERSE = {"turned": "turned", "no_column": "column", "no_row": "row"}
"""Operations, and those that they undo."""

_MEASURES = frozenset({"count", *LENGTHS})
"""Lengths, which arrays made element by element share."""

_WRITTEN_OUT = {"expit": "1.0 / (1.0 + exp(-x))"}
"""Operations that numpy does not have."""


def lowered(function: Function) -> Function:
    """The function with whole arrays as numpy computes with them.

    Raises Refusal AD031 for a carry of a shape that is only known inside its loop.
    """
    if not any(v.type.shape for v in _values(function)):
        return function
    function = with_shapes_at_hand(function)
    sacred = needed(function.body, function.results[: function.primal])
    body, results = _Lowering(function.block, sacred).made()
    params = function.block.params
    block = only_shapes(Block(params, live(tuple(body), results), results))
    lean = list(in_place(block).body)
    results = owned(lean, results)
    block = Block(params, live(tuple(lean), results), results)
    return replace(function, block=block)


def _values(function: Function) -> list[Operand]:
    body = walk(function.body)
    return [*function.block.params, *(out for s in body for out in s.outs)]


Operands = tuple[Operand, ...]
_Made = tuple[Elemental, tuple[Operand, ...], tuple[Type, ...]]
"""An operation on values of these types: 1 is no 1.0."""


@dataclass(slots=True)
class _Lowering:
    """One block; `env` has its new values so far, `like` arrays of the same shape."""

    block: Block
    sacred: Set[Operand] | None = None  # values that stay as they are; None: all
    env: dict[Operand, Operand] = field(default_factory=dict)
    like: dict[Operand, Operand] = field(default_factory=dict)
    waiting: dict[Operand, Parts] = field(default_factory=dict)
    uses: Counter[Operand] = field(default_factory=Counter)
    added: set[Operand] = field(default_factory=set)
    made_before: dict[_Made, Operand] = field(default_factory=dict)
    builder: Builder = field(default_factory=lambda: Builder(TABLE, LAWS))
    masks: Masks = field(init=False)
    filling: Filling = field(init=False)

    def __post_init__(self) -> None:
        self.masks = Masks(self.builder)
        self.filling = Filling(self.builder)

    def made(self) -> tuple[list[Statement], tuple[Operand, ...]]:
        """The statements and the results."""
        self.uses.update(self.block.results)
        for statement in self.block.body:
            self.uses.update(statement.inputs)
            if isinstance(statement, Apply) and statement.op.name == "add":
                shape = statement.out.type.shape
                if all(alike(a.type.shape, shape) for a in statement.args):
                    self.added.update(statement.args)
        for statement in self.block.body:
            self._statement(statement)
        results = tuple(self.full(r) for r in self.block.results)
        return self.builder.body, results

    def _statement(self, statement: Statement) -> None:
        if not isinstance(statement, Apply):
            inputs = {value: self.full(value) for value in statement.inputs}
            outs, sacred = statement.outs, self.sacred
            is_kept = sacred is None or checks(statement) or not sacred.isdisjoint(outs)
            inner = _inner if is_kept else _derived
            made = statement.over(inputs)
            if isinstance(made, Scan):
                made = with_choices(made, self.masks)
            made = made.map_blocks(inner)
            if isinstance(made, Branch):
                made = in_shape(made, self._alike)
            elif isinstance(made, Scan | While):
                spread = partial(self.builder.apply, "spread")
                made = from_arrays(made, self._alike, spread)
            self.builder.body.append(made)
            return
        name = statement.op.name
        if name == "spread":
            self._spread(statement)
        elif name == "gathered":
            self.env[statement.out] = self._gathered(statement)
        elif name.startswith("placed_"):
            self._placed(statement)
        elif name.startswith("stored_"):
            is_last = self.uses[statement.args[1]] == 1
            args = tuple(map(self.full, statement.args))
            self.env[statement.out] = self.filling.stored(statement, args, is_last)
        elif name in _INVERSE and self._undone(statement):
            pass
        elif name in _MEASURES and not self._is_sacred(statement):
            self._measure(statement)
        elif name == "dot" and not self._is_sacred(statement):
            self._total(statement)
        elif statement.op.layout is not None or not statement.out.type.shape:
            self._once(statement, tuple(map(self.full, statement.args)))
        elif name == "add" and not self.waiting.keys().isdisjoint(statement.args):
            self._gain(statement)
        else:
            self._by_elements(statement)

    def _total(self, statement: Apply) -> None:
        args = tuple(map(self.full, statement.args))
        total = None if self.sacred is None else self.masks.total(statement.out, args)
        if total is None:
            self._once(statement, args)
        else:
            self.env[statement.out] = total

    def _measure(self, statement: Apply) -> None:
        """Enter the length of an array; A @ x is as long as A has rows."""
        array = self._as_long(self.full(statement.args[0]))
        made = self._made(array)
        if isinstance(made, Apply) and made.op.name == "mat_vec":
            rows = replace(statement, op=TABLE["length"])
            self._once(rows, (self._as_long(made.args[0]),))
        else:
            self._once(statement, (array,))

    def _as_long(self, array: Operand) -> Operand:
        """An array of the same shape, found through operations element by element."""
        made = self._made(array)
        while isinstance(made, Apply) and made.op.name in BY_ELEMENT:
            shape = made.out.type.shape
            like = [a for a in made.args if a.type.shape == shape and ANY not in shape]
            if not like:
                break
            array = like[0]
            made = self._made(array)
        return array

    def _made(self, array: Operand) -> Apply | Branch | None:
        """The statement that makes an array."""
        return self.builder.definition.get(array) if isinstance(array, Var) else None

    def _undone(self, statement: Apply) -> bool:
        """Enter the value of an operation that undoes another, as a transpose does."""
        (arg,) = map(self.full, statement.args)
        made = self.builder.definition.get(arg) if isinstance(arg, Var) else None
        if not isinstance(made, Apply):
            return False
        if made.op.name == _INVERSE[statement.op.name]:
            self.env[statement.out] = made.args[0]
            return True
        is_turned = statement.op.name == "turned" and made.op.name == "mat_mat"
        is_turned = is_turned and not self._is_sacred(statement)
        if is_turned and self.uses[statement.args[0]] == 1:
            a, b = (self._transposed(one) for one in made.args[::-1])
            self.env[statement.out] = self._apply("mat_mat", statement.out, a, b)
            return True
        return False

    def _transposed(self, value: Operand) -> Operand:
        made = self.builder.definition.get(value) if isinstance(value, Var) else None
        if isinstance(made, Apply) and made.op.name == "turned":
            return made.args[0]
        return self.builder.apply("turned", value)

    # --- values -----------------------------------------------------------------------

    def bare(self, value: Operand) -> Operand:
        """The new value for an operation element by element; it may be a number."""
        if value in self.waiting:
            self.env[value] = self.filling.filled(value, self.waiting.pop(value))
        return self.env.get(value, value)

    def full(self, value: Operand) -> Operand:
        """A value in its own shape."""
        made = self.bare(value)
        if alike(made.type.shape, value.type.shape) or value not in self.like:
            return made
        out = self._apply("spread", value, made, self.like[value])
        self.env[value] = out
        return out

    def _once(self, statement: Apply, args: tuple[Operand, ...]) -> None:
        """Keep an operation, or take the value of another one like it."""
        key = statement.op, args, tuple(arg.type for arg in args)
        found = self.made_before.get(key)
        is_free = self.sacred is None or statement.out not in self.sacred
        if is_free and found is not None and found.type == statement.out.type:
            self.env[statement.out] = found
            return
        number = picked(self.builder, args) if statement.op.name == "pick" else None
        if is_free and number is not None:
            self.env[statement.out] = number
            return
        self._keep(statement, args)
        if not any(v.type.dims for v in (statement.out, *args)):
            self.made_before[key] = statement.out

    def _keep(self, statement: Apply, args: tuple[Operand, ...]) -> None:
        kept = Apply(statement.out, statement.op, args)
        self.builder.body.append(kept)
        self.builder.definition[kept.out] = kept

    def _apply(self, op: str, value: Operand, *args: Operand) -> Operand:
        """A new operation, under the name of a value."""
        hint = hint_of(value)
        return self.builder.apply(op, *args, hint=hint)

    # --- shapes -----------------------------------------------------------------------

    def _spread(self, statement: Apply) -> None:
        value, like = statement.args
        self.env[statement.out] = self.bare(value)
        self.like[statement.out] = self.full(like)

    def _gathered(self, statement: Apply) -> Operand:
        value, like = statement.args
        given, wanted = value.type.shape, like.type.shape
        made = self.bare(value)
        if alike(given, wanted) or (len(given) == len(wanted) and 1 not in wanted):
            return self.full(value)
        if alike(made.type.shape, wanted) and value in self.like and not wanted:
            size = self.builder.apply("count", self.like[value])
            return self._apply("mul", statement.out, made, size)
        made = self.full(value)
        if not wanted:
            return self._apply("sum_all", statement.out, made)
        return self._summed(statement.out, made, wanted)

    def _summed(self, out: Operand, made: Operand, wanted: Dims) -> Operand:
        if set(wanted) == {1}:
            total = self.builder.apply("sum_all", made)
            if len(wanted) == 1:
                return self._apply("vector", out, total)
            return self._apply("row", out, self.builder.apply("vector", total))
        if len(wanted) == 1:
            return self._apply("sum_rows", out, made)
        if wanted[0] == 1:
            return self._apply("row", out, self.builder.apply("sum_rows", made))
        return self._apply("column", out, self.builder.apply("sum_columns", made))

    def _by_elements(self, statement: Apply) -> None:
        args = tuple(map(self.bare, statement.args))
        out = statement.out
        if statement.op.name in _WRITTEN_OUT and out.type.shape:
            template = parse_template(_WRITTEN_OUT[statement.op.name])
            env = statement.op.bind(args)
            self.env[out] = instantiate(template, env, self.builder)
            self._inherit(out, statement.args)
            return
        is_primal = self.sacred is not None and out in self.sacred
        masked = None if is_primal else self._masked(statement, args)
        if masked is not None:
            self._inherit(out, statement.args)
            if alike(masked.type.shape, out.type.shape) or out in self.like:
                self.env[out] = masked
                return
        if not self._is_sacred(statement):
            name, operands = self._as_quotient(statement, args)
            made = self._apply(name, out, *operands)
            if not alike(made.type.shape, out.type.shape):
                self._inherit(out, statement.args)
                if out not in self.like:  # no argument has its shape by itself
                    self._keep(statement, tuple(map(self.full, statement.args)))
                    return
            self.env[out] = made
            return
        if args == statement.args:
            self._keep(statement, args)
            return
        shape = _common(args)
        if not alike(shape, out.type.shape):
            self._inherit(out, statement.args)
        new = Var(
            Type(out.type.kind, (), shape), out.hint, out.span, out.named, out.notes
        )
        self._keep(Apply(new, statement.op, args), args)
        self.env[out] = new

    def _as_quotient(self, statement: Apply, args: Operands) -> tuple[str, Operands]:
        """The operation and its operands: `y / x` in place of `1.0 / x * y`, where
        nothing else reads the quotient.
        """
        if statement.op.name == "mul":
            for k, arg in enumerate(args):
                made = self._made(arg)
                if not isinstance(made, Apply) or made.op.name != "div":
                    continue
                if not made.out.type.shape:
                    continue  # one division is cheaper than one for each element
                if made.args[0] == Literal(1.0) and self.uses[statement.args[k]] == 1:
                    return "div", (args[1 - k], made.args[1])
        return statement.op.name, args

    def _is_sacred(self, statement: Apply) -> bool:
        """Whether an operation stays as it is: in blocks any without spread values."""
        if self.sacred is None:
            return not any(arg in self.like for arg in statement.args)
        return statement.out in self.sacred

    def _alike(self, value: Operand) -> Operand | None:
        """An array of the same shape among the values so far; None if there is none.

        Two arrays of lengths that no type tells may differ in them.
        """
        there = [*self.block.params, *(o for s in self.builder.body for o in s.outs)]
        shape = value.type.shape
        if ANY in shape:
            return None
        fits = [v for v in there if not v.type.dims and alike(v.type.shape, shape)]
        return min(fits, key=lambda v: v.type.shape != shape, default=None)

    def _inherit(self, out: Operand, args: Sequence[Operand]) -> None:
        likes = [self.like.get(a, self.env.get(a, a)) for a in args]
        full = [a for a in likes if alike(a.type.shape, out.type.shape)]
        if full:
            self.like[out] = full[0]

    def _masked(self, statement: Apply, args: Sequence[Operand]) -> Operand | None:
        """An operation of a derivative on values that are 0 in places, as such a value;
        None if it is none. What a block has beside them may be values of the source.
        """
        if not statement.out.type.shape:
            return None
        name = statement.op.name
        if self.sacred is None:
            is_product = name in ("mul", "div")
            return self.masks.product(name, statement.out, args) if is_product else None
        return self.masks.moved(name, statement.out, args)

    # --- parts ------------------------------------------------------------------------

    def _placed(self, statement: Apply) -> None:
        value, like, *bounds = statement.args
        form = statement.op.name.removeprefix("placed_")
        bare = self.bare(value)  # a number goes everywhere
        given = self.full(value) if bare.type.shape else bare
        part = (form, given, tuple(map(self.full, bounds)))
        self._wait(statement.out, Parts(self.full(like), (part,)))

    def _gain(self, statement: Apply) -> None:
        parts: list[tuple[str, Operand, tuple[Operand, ...]]] = []
        base: Operand | None = None
        for arg in statement.args:
            held = self.waiting.pop(arg, None)
            other = self.full(arg) if held is None else held.base
            if held is not None:
                parts += held.parts
                like = held.like
            if other is not None:
                base = other if base is None else self._apply("add", arg, base, other)
        self._wait(statement.out, Parts(like, tuple(parts), base))

    def _wait(self, out: Operand, parts: Parts) -> None:
        if self.uses[out] == 1 and out in self.added:
            self.waiting[out] = parts
        else:
            self.env[out] = self.filling.filled(out, parts)


def _common(args: Sequence[Operand]) -> Dims:
    """The shape of an operation element by element."""
    shapes = [a.type.shape for a in args if a.type.shape]
    return broadcast(shapes) if shapes else ()


def _inner(block: Block, sacred: Set[Operand] | None = None) -> Block:
    body, results = _Lowering(block, sacred).made()
    return Block(block.params, live(tuple(body), results), results)


def _derived(block: Block) -> Block:
    """A block that makes no value of the source and no check."""
    return _inner(block, frozenset())
