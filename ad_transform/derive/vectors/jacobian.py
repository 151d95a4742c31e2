"""Jacobians of whole arrays by elimination: matrices in the place of sweeps.

The order is the cheapest one at nominal lengths, unless one is asked for. The remaining
labels are matrices, one for each result and independent, which stand beside each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.outcome import Outcome, as_it_stands
from ad_transform.derive.kinds.lines import Lines
from ad_transform.derive.kinds.whole_columns import matrix as zeros
from ad_transform.derive.kinds.whole_columns import mirrored
from ad_transform.derive.request import Request
from ad_transform.derive.vectors.drawn import VectorTrail, drawn, shape_of
from ad_transform.derive.vectors.local import Unknown
from ad_transform.derive.vectors.written import NO_SIZES, Written
from ad_transform.eliminate.linear import FullMaps
from ad_transform.eliminate.linear.planned import planned
from ad_transform.eliminate.replay import replay
from ad_transform.ir.blocks.consumed import Consumption
from ad_transform.ir.dims import Dims
from ad_transform.ir.nodes import Function, Operand

SLACK = 3
"""Matrices are taken up to so many times the multiplications of sweeps: every sweep has
calls of its own for each operation, and there is one for each column.
"""

Entries = Mapping[tuple[int, int], Operand]
"""By row and column: a number, an array or a matrix."""


def eliminated(
    r: Request, function: Function, kept: int, first: int, *, symmetric: bool
) -> Outcome | None:
    """As `columns.by_columns`, by elimination; None if a partial is no matrix, or
    sweeps are cheaper.
    """
    builder, results = r.copied(function, len(r.primal))
    columns, rows = r.independents.columns, results[first:]
    gone = Consumption().by_all(builder.body)
    values = (*function.block.params, *(out for s in builder.body for out in s.outs))
    arrays = Written(builder, (value for value in values if value not in gone))
    try:
        vectors = drawn(arrays, tuple(builder.body), columns, rows)
    except Unknown:
        return None
    plan = planned(vectors.graph, vectors.labels, r.options.order, NO_SIZES)
    if r.options.order == "auto" and plan.price > SLACK * plan.sweep:
        return None
    trail = VectorTrail(arrays.over(builder.fork()), vectors, plan)
    maps = FullMaps(arrays)
    left = replay(vectors.graph, vectors.labels, plan.sequence, maps)
    entries = {
        (i, j): maps.matrix(left[u, w]).matrix
        for i, w in enumerate(vectors.targets)
        for j, u in enumerate(vectors.sources)
        if w is not None and (u, w) in left
    }
    ends = _Ends(arrays, [*map(shape_of, rows)], [*map(shape_of, columns)])
    text = Lines(builder.body)
    matrix = ends.assembled(text, entries)
    if symmetric:
        matrix = mirrored(text, matrix)
    given = (*results[:kept], matrix)
    idle = tuple(c for j, c in enumerate(columns) if all(j != k for _, k in entries))
    made = as_it_stands(text.body, given, r.options, plan.name, idle)
    return replace(made, vectors=trail)


@dataclass(frozen=True, slots=True)
class _Ends:
    """The dims of the rows and of the columns, numbers or arrays of one axis."""

    arrays: Written
    rows: Sequence[Dims]
    columns: Sequence[Dims]

    def assembled(self, text: Lines, entries: Entries) -> Operand:
        """The matrix of all entries."""
        if len(self.rows) == len(self.columns) == 1 and entries:
            return _as_matrix(text, entries[0, 0], self.rows[0])
        down, across = (
            text.places([tuple(map(self.arrays.length, dims)) for dims in ends])
            for ends in (self.rows, self.columns)
        )
        made = zeros(text, down[-1], across[-1])
        for (i, j), entry in entries.items():
            is_line = bool(self.rows[i]), bool(self.columns[j])
            op, count, width = _STORES[is_line]
            at = (*down[i : i + count], *across[j : j + width])
            made = text.apply(op, made, entry, *at)
        return text.apply("done", made)


def _as_matrix(text: Lines, entry: Operand, row: Dims) -> Operand:
    if len(entry.type.shape) == 2:
        return entry
    return text.apply("column" if row else "row", entry)


# fmt: off
_STORES = {  # whether the row, the column is an array; and how many places of each
    (False, False): ("put_pick_both", 1, 1),
    (False, True):  ("put_in_row", 1, 2),
    (True, False):  ("put_in_column", 2, 1),
    (True, True):   ("put_in_block", 2, 2),
}
# fmt: on
