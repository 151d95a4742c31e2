"""Code in the making: statements whose blocks may read values around them.

A draft computes an element once, and a length once: facts known outside of a loop are
known inside. `captured` closes the blocks afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.emit.wholes.rows import EVERY
from ad_transform.ir import dims
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    hint_of,
)
from ad_transform.ir.types import INT, Kind, Type
from ad_transform.ir.typing import result_type

ZERO, ONE = Literal(0), Literal(1)
EMPTY = {Kind.FLOAT: Literal(0.0), Kind.INT: ZERO, Kind.BOOL: Literal(False)}
"""The numbers that fill new lists."""

LIST: dims.Dims = (dims.ANY,)
"""The dims of the lists that stand for arrays."""

_INDICES = "ijk"

Operands = Sequence[Operand]
Body = Callable[["Draft", Var, tuple[Var, ...]], Operands]


@dataclass(slots=True)
class Draft:
    """The statements of one block.

    `rows`      all operations by name
    `known`     values by operation and operands, lengths by dim
    `forms`     whole numbers as dims
    `positive`  whole numbers that are not below 0
    `around`    the names of the loops around it
    """

    rows: Mapping[str, Elemental] = field(default_factory=lambda: EVERY)
    known: dict[Any, Any] = field(default_factory=dict)
    forms: dict[Operand, dims.Dim] = field(default_factory=dict)
    positive: set[Operand] = field(default_factory=set)
    around: tuple[str, ...] = ()
    body: list[Statement] = field(default_factory=list)
    owned: set[Operand] = field(default_factory=set)  # lists that may be given away

    def inner(self, *loops: str) -> Draft:
        """The draft of a block in this one, in loops with indices of these names."""
        known, around = self.known.copy(), (*self.around, *loops)
        return Draft(self.rows, known, self.forms, self.positive, around)

    # --- statements -------------------------------------------------------------------

    def apply(self, op: str, *args: Operand, hint: str = "") -> Operand:
        """The value of an operation on numbers or lists."""
        row = self.rows[op]
        out = Var(result_type(row, args), hint)
        self.body.append(Apply(out, row, args))
        return out

    def filled(self, value: Operand, size: Operand, hint: str = "") -> Var:
        """A new list of equal numbers."""
        return self._made("full", value, size, hint)

    def unset(self, kind: Kind, size: Operand, hint: str = "") -> Var:
        """A new list, all of whose numbers are going to be stored."""
        return self._made("array", EMPTY[kind], size, hint)

    def _made(self, op: str, value: Operand, size: Operand, hint: str) -> Var:
        out = Var(Type(value.type.kind, LIST), hint)
        self.body.append(Apply(out, self.rows[op], (value, size)))
        self.owned.add(out)
        return out

    def changed(self, op: str, array: Operand, value: Operand, place: Operand) -> Var:
        """The list with a number stored or added at a place."""
        assert isinstance(array, Var)
        out = Var(array.type, array.hint, array.span, array.named)
        self.body.append(Apply(out, self.rows[op], (array, value, place)))
        return out

    def copy(self, array: Operand, hint: str = "") -> Operand:
        """A copy of a list."""
        made = self.apply("copy", array, hint=hint)
        self.owned.add(made)
        return made

    def loop(
        self, count: Operand, carries: Operands, body: Body, start: Operand = ZERO
    ) -> Operands:
        """The carries behind trips `start` to `count`."""
        if start == count and isinstance(start, Literal):
            return tuple(carries)
        free = (name for name in _INDICES if name not in self.around)
        index = Var(INT, next(free, _INDICES[-1]))
        self.positive.add(index)
        taken, outs = (
            tuple(Var(c.type, hint_of(c)) for c in carries) for _ in range(2)
        )
        inside = self.inner(index.hint)
        results = tuple(body(inside, index, taken))
        block = Block((index, *taken), tuple(inside.body), results)
        ends = (start, count, ONE)
        self.body.append(Scan(outs, *ends, tuple(carries), (), (), block))
        self.owned.difference_update(carries)
        self.owned.update(out for out in outs if out.type.dims)
        return outs

    def choice(
        self,
        test: Operand,
        then: Callable[[Draft], Operand],
        orelse: Callable[[Draft], Operand],
    ) -> Operand:
        """One value or the other, of which only one is computed."""
        test = self.truth(test)
        blocks: list[Block] = []
        for arm in (then, orelse):
            inside = self.inner()
            result = arm(inside)
            blocks.append(Block((), tuple(inside.body), (result,)))
        kinds = [block.results[0].type.kind for block in blocks]
        out = Var(Type(max(kinds, key=_WIDTHS.index)))
        self.body.append(Branch((out,), test, (), *blocks))
        return out

    def truth(self, test: Operand) -> Operand:
        """A value as a test: numbers other than 0 are true."""
        kind = test.type.kind
        return test if kind is Kind.BOOL else self.apply("ne", test, EMPTY[kind])

    # --- whole numbers ----------------------------------------------------------------

    def length(self, dim: dims.Dim) -> Operand | None:
        """A length by its name, if it has a told one."""
        known: Operand | None = self.known.get(("dim", dim))
        if known is not None:
            return known
        if not self.tells(dim):
            return None
        wanted = dims.names(dim)
        return self.of_form(dim, {name: self.known["dim", name] for name in wanted})

    def tells(self, dim: dims.Dim) -> bool:
        """Whether a length can be told by its names."""
        wanted = dims.names(dim)
        return dim != dims.ANY and all(("dim", name) in self.known for name in wanted)

    def of_form(self, dim: dims.Dim, numbers: Mapping[str, Operand]) -> Operand:
        """The number that a dim is, by the values of its names."""
        total: Operand = ZERO
        for count, factors in sorted(dims.summands(dim), reverse=True):
            part: Operand = Literal(abs(count))
            for name in factors:
                part = self.times(part, numbers[name])
            total = self.plus(total, part) if count > 0 else self.minus(total, part)
        return total

    def plus(self, x: Operand, y: Operand) -> Operand:
        """x + y"""
        return self._linear("add", x, y, 1)

    def minus(self, x: Operand, y: Operand) -> Operand:
        """x - y"""
        return self._linear("sub", x, y, -1)

    def _linear(self, op: str, x: Operand, y: Operand, sign: int) -> Operand:
        if y == ZERO:
            return x
        if x == ZERO and sign > 0:
            return y
        if isinstance(y, Literal) and int(y.value) < 0:
            op, y, sign = _OPPOSITE[op], Literal(-int(y.value)), -sign
        if isinstance(x, Literal) and isinstance(y, Literal):
            return Literal(int(x.value) + sign * int(y.value))
        a, b = self.form(x), self.form(y)
        if dims.ANY in (a, b):
            return self.once(op, x, y)
        form = dims.plus(a, dims.times(b, sign))
        if isinstance(form, int):
            return Literal(form)
        return self.named(form, lambda: self._beside(form) or self.apply(op, x, y))

    def _beside(self, form: dims.Dim) -> Operand | None:
        """A length that has a name and a number, n - 2; None for other forms."""
        names = dims.names(form)
        known = self.known.get(("dim", *names)) if len(names) == 1 else None
        rest = dims.plus(form, dims.times(names[0], -1)) if names else form
        if known is None or not isinstance(rest, int):
            return None
        return self.apply("add" if rest > 0 else "sub", known, Literal(abs(rest)))

    def named(self, form: dims.Dim, make: Callable[[], Operand]) -> Operand:
        """The whole number with this form, made where it is not known."""
        found: Operand | None = self.known.get(("dim", form))
        if found is None:
            found = self.known["dim", form] = make()
            self.forms[found] = form
        return found

    def times(self, x: Operand, y: Operand) -> Operand:
        """x * y"""
        if ZERO in (x, y):
            return ZERO
        if ONE in (x, y):
            return y if x == ONE else x
        if isinstance(x, Literal) and isinstance(y, Literal):
            return Literal(int(x.value) * int(y.value))
        product = self.once("mul", x, y)
        if self._is_positive(x) and self._is_positive(y):
            self.positive.add(product)
        form = dims.product((self.form(x), self.form(y)))
        if form != dims.ANY:
            self.forms.setdefault(product, form)
        return product

    def once(self, op: str, *args: Operand) -> Operand:
        """The value of an operation on numbers, computed once."""
        key = (op, *args)
        found: Operand | None = self.known.get(key)
        if found is None:
            found = self.known[key] = self.apply(op, *args)
        return found

    def size(self, array: Operand) -> Operand:
        """The length of a list."""
        size = self.once("size", array)
        self.positive.add(size)
        return size

    def most(self, x: Operand, y: Operand) -> Operand:
        """max(x, y)"""
        return self._bounded("max", max, x, y)

    def least(self, x: Operand, y: Operand) -> Operand:
        """min(x, y)"""
        return self._bounded("min", min, x, y)

    def _bounded(
        self, op: str, of: Callable[[int, int], int], x: Operand, y: Operand
    ) -> Operand:
        if isinstance(x, Literal) and isinstance(y, Literal):
            return Literal(of(int(x.value), int(y.value)))
        larger = self._larger(x, y)
        if larger is not None:
            return larger if op == "max" else x if larger is y else y
        bounded = self.once(op, x, y)
        if (all if op == "min" else any)(map(self._is_positive, (x, y))):
            self.positive.add(bounded)
        return bounded

    def _is_positive(self, number: Operand) -> bool:
        """Whether a number is surely not below 0."""
        return number in self.positive or self._larger(ZERO, number) is number

    def _larger(self, x: Operand, y: Operand) -> Operand | None:
        """The larger of two numbers, if their forms tell: no length is below 0."""
        a, b = self.form(x), self.form(y)
        if dims.ANY in (a, b):
            return None
        rise = dims.summands(dims.plus(b, dims.times(a, -1)))
        if all(count >= 0 for count, _ in rise):
            return y
        return x if all(count <= 0 for count, _ in rise) else None

    def exact(self, length: Operand) -> Operand:
        """A length, 0 if it is below 0: the number of a loop's trips."""
        form = self.form(length)
        if self._is_positive(length):
            return length
        bounded = self.most(length, ZERO)
        if form != dims.ANY:
            self.forms.setdefault(bounded, form)
        return bounded

    def wrapped(self, index: Operand, length: Operand) -> Operand:
        """The place of an index that may count from the end."""
        if isinstance(index, Literal):
            below = int(index.value) < 0
            return self.plus(length, index) if below else index
        if self._is_positive(index):
            return index
        return self.choice(
            self.apply("lt", index, ZERO),
            lambda draft: draft.plus(index, length),
            lambda _: index,
        )

    def note(self, out: Var, op: str, args: Operands) -> None:
        """Take note of the form of a whole number, if it is made of lengths."""
        if out.type != INT or len(args) != 2:
            return
        x, y = map(self.form, args)
        made: dims.Dim = dims.ANY
        if dims.ANY not in (x, y):
            sign = {"add": 1, "sub": -1}.get(op, 0)
            if sign:
                made = dims.plus(x, dims.times(y, sign))
            elif op == "mul":
                made = dims.product((x, y))
        if made != dims.ANY:
            self.forms[out] = made

    def form(self, number: Operand) -> dims.Dim:
        """A whole number as a form over lengths."""
        if isinstance(number, Literal):
            return int(number.value)
        return self.forms.get(number, dims.ANY)


_OPPOSITE = {"add": "sub", "sub": "add"}
_WIDTHS = [Kind.BOOL, Kind.INT, Kind.FLOAT]
