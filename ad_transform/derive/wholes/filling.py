"""Arrays that are filled in place: sums of parts among zeros, and stored parts.

`u[1:] = x` is a store into an array, and so is a sum of parts: they are put into zeros,
or added to an array of its own, in turn.
"""

from __future__ import annotations

from ad_transform.dataclass import dataclass
from ad_transform.elementals.indexed import OVERLAPPING
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Apply, Operand, Var, hint_of

Operands = tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """A sum of parts of an array; `base` is a term of all of it."""

    like: Operand
    parts: tuple[tuple[str, Operand, Operands], ...]
    base: Operand | None = None


@dataclass(frozen=True, slots=True)
class Filling:
    """The statements that fill arrays, in a builder."""

    builder: Builder

    def filled(self, out: Operand, held: Parts) -> Operand:
        """An array that is filled with parts."""
        op, start = ("own", held.base) if held.base else ("zeros_beside", held.like)
        assert start is not None
        array = self._apply(op, out, start)
        first = held.base is None
        for form, part, bounds in held.parts:
            way = "put" if first and form not in OVERLAPPING else "gained"
            value = part
            if way == "gained":
                way, value = self._gained(form, part)
            array = self._apply(f"{way}_{form}", out, array, value, *bounds)
            first = False
        return self._apply("done", out, array)

    def _gained(self, form: str, value: Operand) -> tuple[str, Operand]:
        """How a value is added to a part: one with the other sign is subtracted."""
        made = self._made(value)
        if made is None or made.op.name != "neg" or form in OVERLAPPING:
            return "gained", value
        return "lost", made.args[0]

    def stored(self, statement: Apply, args: Operands, is_last: bool) -> Operand:
        """An array with a value stored in a part; `is_last` is whether nothing else
        reads the value.
        """
        array, value, *bounds = args
        form = statement.op.name.removeprefix("stored_")
        made = self._made(array)
        if made is not None and made.op.name == "zeros_like":
            own = self._apply("zeros_beside", statement.out, *made.args)
        else:
            own = self._apply("own", statement.out, array)
        way = "put"
        if is_last:
            way, value = self._way(form, value, (array, *bounds))
        changed = self._apply(f"{way}_{form}", statement.out, own, value, *bounds)
        return self._apply("done", statement.out, changed)

    def _way(self, form: str, value: Operand, part: Operands) -> tuple[str, Operand]:
        """How a value gets to a part of an array, and what goes there: where it is made
        of the part for this alone, something is added or subtracted.
        """
        made = self._made(value)
        if made is None or made.op.name not in ("add", "sub"):
            return "put", value
        x, y = made.args
        if made.out.named or not made.out.type.shape:
            return "put", value
        more, less = (
            ("raised", "lowered") if form in OVERLAPPING else ("gained", "lost")
        )
        if self._is_part(x, form, part):
            return (more if made.op.name == "add" else less), y
        if made.op.name == "add" and self._is_part(y, form, part):
            return more, x
        return "put", value

    def _is_part(self, value: Operand, form: str, part: Operands) -> bool:
        """Whether a value is read from a place in an array."""
        read = self._made(value)
        return read is not None and read.op.name == form and read.args == part

    def _apply(self, op: str, value: Operand, *args: Operand) -> Operand:
        """A new operation, under the name of a value."""
        return self.builder.apply(op, *args, hint=hint_of(value))

    def _made(self, value: Operand) -> Apply | None:
        """The operation that makes a value."""
        made = self.builder.definition.get(value) if isinstance(value, Var) else None
        return made if isinstance(made, Apply) else None
