"""Elements of independents that are read, and elements of results that are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.entrywise.appending import Appending, Growing, Same
from ad_transform.derive.entrywise.claims import CHANGES, COPIES, MAKERS, Claims
from ad_transform.derive.entrywise.places import ONE, ZERO, Operands
from ad_transform.derive.entrywise.straight import Store, Straight
from ad_transform.derive.entrywise.unknown import Unknown
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.blocks import renewed
from ad_transform.ir.blocks.free import free
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Apply, Block, Literal, Operand, Scan, Var
from ad_transform.ir.types import INT, Type


@dataclass(frozen=True, slots=True)
class Source:
    """An independent, and the place of its first column."""

    value: Var
    begin: Operand


@dataclass(slots=True, eq=False)
class Elements(Straight):
    """A walk through the operations of a block; `env` has the operands of the new
    block, and all other tables are about these.
    """

    claims: Claims = field(kw_only=True)
    ending: Mapping[Var, int] = field(kw_only=True)
    sources: Mapping[Operand, Source] = field(kw_only=True)
    lengths: dict[int, Operands] = field(default_factory=dict)
    lists: set[Operand] = field(default_factory=set)  # that results claim
    env: dict[Operand, Operand] = field(default_factory=dict)

    def found(self, sources: Sequence[Source]) -> None:
        """Differentiate by these: lists whose elements are read, and numbers."""
        self.sources = {s.value: s for s in sources if s.value.type.dims}
        for source in sources:
            if not source.value.type.dims:
                self.slopes[source.value] = {source.begin: ONE}

    def of(self, operand: Operand) -> Operand:
        """The operand in the new block for an operand."""
        return self.env.get(operand, operand)

    def operation(self, statement: Apply) -> None:
        """Go through an operation; raises Unknown."""
        name, out = statement.op.name, statement.out
        key = self.claims.keys.get(out)
        args = tuple(self.of(arg) for arg in statement.args)
        if key is not None and out.type.dims:
            self._change(statement, key, args)
            return
        made = self.text.keep(
            statement.op, args, out.hint, out.span, out.named, out.notes, out.type
        )
        self.env[out] = made
        self.bounds.note(made, name, args)
        is_element = name == "get" and not made.type.dims
        if is_element and args[0] in self.sources:
            source = self.sources[args[0]]
            place = self.place(args[1:], self.sizes(args[0]))
            self.slopes[made] = {self.plus(source.begin, place): ONE}
        elif any(arg in self.sources for arg in args) and out.type.is_real:
            raise Unknown("an array is computed with as a whole", out.span)
        elif is_element and args[0] in self.lists:
            self.slopes[made] = {Same(args[0], args[1:], out.span): ONE}
        elif name != "size" and any(arg in self.lists for arg in args):
            raise Unknown("a result is computed with as a whole", out.span)
        elif key is not None:  # a sum of terms, each of which is known
            self.slopes[made] = {Same(made, (), out.span): ONE}
        elif isinstance(made, Var) and not self.is_active(made):
            self.note(Apply(made, statement.op, args))

    def _change(self, statement: Apply, key: int, args: Operands) -> None:
        """Make a list that a result claims, or change an element of it."""
        name, out = statement.op.name, statement.out
        if name in MAKERS:
            self._begin(statement, key, args)
        if any(map(self.is_active, args[2:])):
            raise Unknown("an index depends on what is differentiated by", out.span)
        row = self._row(name, args, key) if name in CHANGES else None
        made = Var(out.type, out.hint, out.span, out.named)
        change = Apply(made, statement.op, args)
        self.text.body.append(change)
        self.env[out] = made
        self.lists.add(made)
        if row is not None:
            self.stores.append(Store(change, key, row, is_over=out in self.ending))

    def _row(self, name: str, args: Operands, key: int) -> Operand:
        """The row of an element that is changed."""
        if name == "append":
            return self.text.keep(TABLE["size"], args[:1])
        return self.place(args[2:], self.lengths[key])

    def _begin(self, statement: Apply, key: int, args: Operands) -> None:
        """Note the first list of a result."""
        name, span = statement.op.name, statement.out.span
        if any(map(self.is_active, args)):
            raise Unknown("a result begins with other numbers than constants", span)
        if name in COPIES and args[0] in self.lists:
            raise Unknown("a result is the copy of another one", span)
        is_filled = name in ("full", "grid")
        sizes = args[1:] if is_filled else self.sizes(args[0])
        self.lengths[key] = sizes
        if key in self.ending.values():
            type_ = Type(INT.kind, (ANY,))
            size = self.count(sizes)
            since = self.text.keep(TABLE["full"], (ZERO, size), declared=type_)
            assert isinstance(since, Var)
            self.growing[key] = Growing(self.growing[key].lists, since)
        if name in COPIES and args[0] in self.sources:
            self._copy(key, self.sources[args[0]], self.count(sizes))

    def _copy(self, key: int, source: Source, count: Operand) -> None:
        """Append the entries of a copy of an independent."""
        own, index = self.growing[key], Var(INT, "i")
        first = own.over(tuple(map(growing, own.parts)))
        inner = Appending(text=self.text.inner(), growing={key: first})
        inner.entry(key, index, inner.plus(source.begin, index), ONE, 1)
        body, ends = tuple(inner.text.body), inner.grown((key,))
        reads = free(body, ends, (index, *first.parts))
        block = renewed(Block((index, *first.parts, *reads), body, ends))
        after, step = tuple(map(growing, own.parts)), Literal(1)
        self.text.body.append(
            Scan(after, ZERO, count, step, own.parts, reads, (), block)
        )
        self.hold((key,), after)


def growing(part: Var) -> Var:
    """A fresh variable for a list of entries, further on."""
    return Var(Type(part.type.kind, (ANY,)), part.hint)
