"""Jacobians of whole arrays as rows, columns and values, made when they run.

An entry may stand several times, and is the sum of these, as `scipy.sparse` has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.outcome import Outcome, as_it_stands
from ad_transform.derive.request import Request
from ad_transform.derive.vectors.drawn import drawn, shape_of
from ad_transform.derive.vectors.ends import told
from ad_transform.derive.vectors.entries import Entries, EntryMaps, Where, Whole
from ad_transform.derive.vectors.local import Unknown
from ad_transform.derive.vectors.stores import put_too
from ad_transform.derive.vectors.written import Written
from ad_transform.diagnostics import Diagnostic, Refusal
from ad_transform.eliminate.order import ORDERS, asked_for
from ad_transform.eliminate.replay import replay
from ad_transform.eliminate.steps import Sequence as Steps
from ad_transform.graph.computational import Graph
from ad_transform.ir.build import Builder
from ad_transform.ir.dims import Dim, Dims
from ad_transform.ir.nodes import Function, Literal, Operand, Var
from ad_transform.ir.types import INT, Kind, Type

_PLAIN = "markowitz"
"""The order that `auto` takes: it goes by the cost of each elimination."""

_KINDS = (Kind.INT, Kind.INT, Kind.FLOAT)

Triple = tuple[Operand, Operand, Operand]


def coo(
    r: Request, function: Function, kept: int, first: int, *, symmetric: bool
) -> Outcome:
    """As `columns.run_time_matrix`, by entries; raises Refusal (AD031) for a partial
    without entries.
    """
    try:
        return _coo(r, function, kept, first, symmetric)
    except Unknown:
        raise _refused(r, function, kept, first, symmetric) from None


def _coo(
    r: Request, function: Function, kept: int, first: int, symmetric: bool
) -> Outcome:
    builder, results = r.copied(told(function), len(r.primal))
    columns, rows = r.independents.columns, results[first:]
    values = [out for s in builder.body for out in s.outs]
    arrays = Written(builder, (*function.block.params, *values))
    maps = EntryMaps(arrays)
    vectors = drawn(arrays, tuple(builder.body), columns, rows, put_too)
    labels = {edge: maps.of(label) for edge, label in vectors.labels.items()}
    name, steps = _order(r.options.order, vectors.graph)
    left = replay(vectors.graph, labels, steps, maps)
    text = _Text(arrays)
    down = text.offsets([shape_of(row) for row in rows])
    across = text.offsets([shape_of(column) for column in columns])
    parts = [
        text.part(
            entries, (down[i], shape_of(rows[i])), (across[j], shape_of(columns[j]))
        )
        for i, w in enumerate(vectors.targets)
        for j, u in enumerate(vectors.sources)
        if w is not None
        for entries in left.get((u, w), ())
    ]
    triple = text.joined(parts)
    if symmetric:
        triple = text.mirrored(triple)
    given = (*results[:kept], *triple)
    met = {u for u, _ in left}
    idle = tuple(
        c for c, u in zip(columns, vectors.sources, strict=True) if u not in met
    )
    return as_it_stands(builder.body, given, r.options, name, idle)


def _order(asked: str, graph: Graph) -> tuple[str, Steps]:
    if asked == "auto":
        return _PLAIN, ORDERS[_PLAIN](graph)
    return asked, asked_for(asked, graph)


def _refused(
    r: Request, function: Function, kept: int, first: int, symmetric: bool
) -> Refusal:
    """The refusal; it names the order if only that one meets maps without entries."""
    message, order = "this matrix is not known to be sparse", r.options.order
    if order != "auto":
        plain = replace(r, options=r.options.override(order="auto"))
        with suppress(Unknown):
            _coo(plain, function, kept, first, symmetric)
            message = f"{message} in the order {order!r}"
            return Refusal(Diagnostic("AD031", message, None, "leave out the order"))
    help_ = (
        "read and store parts of arrays by slices and index arrays, without matrices "
        "and without sums that every element gets; or leave out `sparse`"
    )
    if any(statement.blocks for statement in function.body):
        message = f"{message}: loops stand beside operations on whole arrays"
        help_ = (
            "store or add to each element of one result in loops, `r[i] -= c[i]`; or "
            "write no loops; or leave out `sparse`"
        )
    return Refusal(Diagnostic("AD031", message, None, help_))


@dataclass(frozen=True, slots=True)
class _Text:
    """A builder of rows, columns and values as arrays of the program."""

    arrays: Written

    @property
    def builder(self) -> Builder:
        return self.arrays.builder

    def offsets(self, ends: Sequence[Dims]) -> list[Operand]:
        """The places at which the ends begin."""
        found: list[Operand] = [Literal(0)]
        for dims in ends[:-1]:
            count = self.arrays.length(dims[0]) if dims else Literal(1)
            found.append(self._plus(found[-1], count))
        return found

    def _plus(self, a: Operand, b: Operand) -> Operand:
        if isinstance(a, Literal) and isinstance(b, Literal):
            return Literal(int(a.value) + int(b.value))
        return b if a == Literal(0) else self.builder.apply("add", a, b)

    def part(
        self, entries: Entries, down: tuple[Operand, Dims], across: tuple[Operand, Dims]
    ) -> Triple:
        """The entries of one block that begins at a row and at a column."""
        values = entries.values or Literal(1.0)
        if isinstance(values, Literal) and not values.type.is_real:
            values = Literal(float(values.value))
        return (
            self._spread(self._places(entries.rows, *down), entries.dims, Kind.INT),
            self._spread(
                self._places(entries.columns, *across), entries.dims, Kind.INT
            ),
            self._spread(values, entries.dims, Kind.FLOAT),
        )

    def _places(self, where: Where, begin: Operand, end: Dims) -> Operand:
        """The places of an end of a label, counted from where the end begins."""
        if where is Whole.ONE:
            return begin
        (n,) = end
        declared = Type(INT.kind, (), (n,))
        size = self.arrays.length(n)
        found: Operand = self.builder.apply(
            "counted_up", Literal(0), size, declared=declared
        )
        if isinstance(where, Var):
            for place in self.arrays.places.steps(where):
                form = "whole_at" if place.form == "pick" else place.form
                found = self.builder.apply(form, found, *place.bounds)
        return found if begin == Literal(0) else self.builder.apply("add", found, begin)

    def _spread(self, value: Operand, dims: Dims, kind: Kind) -> Operand:
        """An array with the value in every place, if the value is a number."""
        if value.type.shape:
            return value
        (n,) = dims or (1,)
        return self._filled(value, n, kind)

    def joined(self, parts: Sequence[Triple]) -> Triple:
        """All entries, one part behind another."""
        if not parts:
            rows, columns, values = (self._none(kind) for kind in _KINDS)
        elif len(parts) == 1:
            return parts[0]
        else:
            rows, columns, values = (
                self.builder.apply("all_joined", *each)
                for each in zip(*parts, strict=True)
            )
        return rows, columns, values

    def _none(self, kind: Kind) -> Operand:
        return self._filled(Literal(0 if kind is Kind.INT else 0.0), 0, kind)

    def _filled(self, value: Operand, size: Dim, kind: Kind) -> Operand:
        declared = Type(kind, (), (size,))
        return self.builder.apply(
            "filled", value, self.arrays.length(size), declared=declared
        )

    def mirrored(self, whole: Triple) -> Triple:
        """The entries of the lower triangle, and above it their mirror images."""
        rows, columns, _ = whole
        lower = self._those(whole, self.builder.apply("ge", rows, columns))
        below = self._those(lower, self.builder.apply("gt", lower[0], lower[1]))
        return self.joined([lower, (below[1], below[0], below[2])])

    def _those(self, whole: Triple, mask: Operand) -> Triple:
        rows, columns, values = (self.builder.apply("masked", x, mask) for x in whole)
        return rows, columns, values
