"""Jacobians of loops over elements as rows, columns and values, made when they run.

An entry may stand several times, and is the sum of these, as `scipy.sparse` has it.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.derive.accumulation.outcome import Outcome, as_it_stands
from ad_transform.derive.entrywise.appending import Growing, empty
from ad_transform.derive.entrywise.claims import claimed
from ad_transform.derive.entrywise.elements import Source
from ad_transform.derive.entrywise.places import ZERO, sizes_of
from ad_transform.derive.entrywise.regions import ending
from ad_transform.derive.entrywise.unknown import Unknown
from ad_transform.derive.entrywise.walk import Walk
from ad_transform.derive.request import Request
from ad_transform.derive.sweep.dependence import Dependence
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Block, Function, Literal, Operand, Var
from ad_transform.ir.types import INT, Type

Triple = tuple[Operand, Operand, Operand]


def by_elements(
    r: Request, function: Function, kept: int, first: int, *, symmetric: bool
) -> Outcome:
    """As `columns.run_time_matrix`, by entries. Raises Refusal (AD031) where rows are
    not made element by element, or columns are not known to be few.
    """
    builder, results = r.copied(function, len(r.primal))
    columns, rows = r.independents.columns, results[first:]
    block = Block(function.block.params, tuple(builder.body), results)
    try:
        claims = claimed(block, rows)
        over = ending(block, claims)
        walk = Walk(request=r, claims=claims, ending=over, sources={})
        walk.found(sources_of(walk.text, columns))
        walk.growing = {key: empty(walk.text) for key in range(len(rows))}
        made = walk.block(block)
    except Unknown as unknown:
        raise unknown.refusal() from None
    text = walk.text
    rows_, columns_, values_ = walk.growing[0].lists
    triple: Triple = rows_, columns_, values_
    if symmetric or len(rows) > 1 or walk.ending:
        triple = _assembled(
            text, [walk.growing[k] for k in range(len(rows))], made[first:]
        )
    if symmetric:
        triple = _mirrored(text, triple)
    given = (*made[:kept], *triple)
    idle = _idle(block, columns, rows)
    return as_it_stands(text.body, given, r.options, "forward", idle)


def _idle(
    block: Block, columns: Sequence[Var], rows: Sequence[Operand]
) -> tuple[Var, ...]:
    seeds: dict[Operand, int] = {x: 1 << k for k, x in enumerate(columns)}
    masks = Dependence().within(block.body, seeds)
    met = 0
    for row in rows:
        met |= masks.get(row, 0)
    return tuple(x for x in columns if not met & seeds[x])


def sources_of(text: Builder, columns: Sequence[Var]) -> list[Source]:
    """The independents, and the first column of each."""
    begins = begins_of(text, columns)
    return [Source(x, begin) for x, begin in zip(columns, begins, strict=True)]


def begins_of(text: Builder, values: Sequence[Operand]) -> list[Operand]:
    """The place of the first element of each value among the elements of all."""
    found: list[Operand] = [ZERO]
    for value in values[:-1]:
        count: Operand = Literal(1)
        for k, size in enumerate(sizes_of(text, value)):
            count = size if not k else text.keep(TABLE["mul"], (count, size))
        last = found[-1]
        if isinstance(last, Literal) and isinstance(count, Literal):
            found.append(Literal(int(last.value) + int(count.value)))
        else:
            is_first = last == ZERO
            found.append(count if is_first else text.keep(TABLE["add"], (last, count)))
    return found


def _assembled(
    text: Builder, growing: Sequence[Growing], rows: Sequence[Operand]
) -> Triple:
    """The entries of all results, one behind another."""
    parts = [_whole(text, own) for own in growing]
    for key, begin in enumerate(begins_of(text, rows)):
        if begin != ZERO:
            moved = text.apply("add", parts[key][0], begin)
            parts[key] = (moved, *parts[key][1:])
    return _joined(text, parts)


def _whole(text: Builder, own: Growing) -> Triple:
    """The entries as arrays, without entries that later stores have replaced."""
    kinds = ("of_places", "of_places", "of_list")
    rows, columns, values = (
        text.apply(kind, part) for kind, part in zip(kinds, own.lists, strict=True)
    )
    if own.since is None:
        return rows, columns, values
    since = text.apply("taken", text.apply("of_places", own.since), rows)
    size = text.apply("length", rows)
    declared = Type(INT.kind, (), (ANY,))
    place = text.keep(TABLE["counted_up"], (ZERO, size), declared=declared)
    return _those(text, (rows, columns, values), text.apply("ge", place, since))


def _those(text: Builder, whole: Triple, mask: Operand) -> Triple:
    rows, columns, values = (text.apply("masked", x, mask) for x in whole)
    return rows, columns, values


def _joined(text: Builder, parts: Sequence[Triple]) -> Triple:
    if len(parts) == 1:
        return parts[0]
    rows, columns, values = (
        text.apply("all_joined", *each) for each in zip(*parts, strict=True)
    )
    return rows, columns, values


def _mirrored(text: Builder, whole: Triple) -> Triple:
    """The entries of the lower triangle, and their mirror images above the diagonal."""
    rows, columns, _ = whole
    lower = _those(text, whole, text.apply("ge", rows, columns))
    below = _those(text, lower, text.apply("gt", lower[0], lower[1]))
    return _joined(text, [lower, (below[1], below[0], below[2])])
