"""Parts of arrays: the element of the array for each element of the part."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.emit.wholes.arrays import (
    Indices,
    Whole,
    of_list,
    size,
    stored,
)
from ad_transform.emit.wholes.draft import ONE, ZERO, Draft
from ad_transform.emit.wholes.elementwise import Value
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Block, Branch, Literal, Operand, Var
from ad_transform.ir.types import Type
from ad_transform.ir.typing import BLOCKS, CUTS


@dataclass(frozen=True, slots=True)
class Selection:
    """A part: its lengths, and the place in the array of each of its elements."""

    lengths: tuple[Operand, ...]
    places: Callable[[Draft, Indices], Indices]


Bounds = Sequence[Value]
_Numbers = Sequence[Operand]
Find = Callable[[Draft, Operand, Operand], Operand]
"""A place by the value that stands for it, and a length."""
_Span = tuple[Operand, Operand, Operand]
"""The first place, the step and the length of a slice."""


def numbers_of(values: Bounds) -> list[Operand]:
    """Bounds that are numbers."""
    return [v for v in values if not isinstance(v, Whole)]


def _clamped(draft: Draft, bound: Operand, n: Operand) -> Operand:
    """A bound of a slice as a place between 0 and n."""
    if isinstance(bound, Literal):
        below = int(bound.value) < 0
        return (
            draft.most(draft.plus(n, bound), ZERO) if below else draft.least(bound, n)
        )
    return draft.most(draft.least(draft.wrapped(bound, n), n), ZERO)


def _is_first(bound: Operand) -> bool:
    return isinstance(bound, Literal) and int(bound.value) >= 0


def _between(draft: Draft, n: Operand, start: Operand, stop: Operand | None) -> _Span:
    # a first place behind the end does no harm: there are no elements then
    first = start if _is_first(start) else _clamped(draft, start, n)
    last = n if stop is None else _clamped(draft, stop, n)
    if isinstance(stop, Literal) and int(stop.value) < 0:
        last = draft.plus(n, stop)
    return first, ONE, draft.minus(last, first)


def _by(draft: Draft, n: Operand, step: Operand) -> _Span:
    if isinstance(step, Literal):
        wide: Operand = Literal(abs(int(step.value)))
        first: Operand = ZERO
        if int(step.value) < 0:
            first = draft.minus(n, ONE)
    else:
        wide = draft.apply("abs", step)
        below = draft.apply("lt", step, ZERO)
        first = draft.choice(below, lambda d: d.minus(n, ONE), lambda _: ZERO)
    more = draft.minus(draft.plus(n, wide), ONE)
    count = more if wide == ONE else draft.apply("floordiv", more, wide)
    return first, step, count


# fmt: off
_SPANS: dict[str, Callable[[Draft, Operand, _Numbers], _Span]] = {
    "from":    lambda d, n, b: _between(d, n, b[0], None),
    "to":      lambda d, n, b: _between(d, n, ZERO, b[0]),
    "between": lambda d, n, b: _between(d, n, b[0], b[1]),
    "by":      lambda d, n, b: _by(d, n, b[0]),
}
# fmt: on


def _slice(form: str, axis: int) -> Callable[[Draft, Whole, Bounds], Selection]:
    def made(draft: Draft, x: Whole, bounds: Bounds) -> Selection:
        numbers = numbers_of(bounds)
        first, step, length = _SPANS[form](draft, x.lengths[axis], numbers)
        lengths = list(x.lengths)
        lengths[axis] = length

        def places(inside: Draft, indices: Indices) -> Indices:
            own = list(indices)
            own[axis] = inside.plus(inside.times(own[axis], step), first)
            return tuple(own)

        return Selection(tuple(lengths), places)

    return made


def _block(*forms: str) -> Callable[[Draft, Whole, Bounds], Selection]:
    """A part of a matrix along both axes: slices, or one row or column."""

    def made(draft: Draft, x: Whole, bounds: Bounds) -> Selection:
        numbers = numbers_of(bounds)
        spans: list[tuple[Operand, Operand | None]] = []
        for axis, form in enumerate(forms):
            count = len(CUTS.get(form, (1,)))
            own, numbers = numbers[:count], numbers[count:]
            n = x.lengths[axis]
            if form == "at":
                spans.append((draft.wrapped(own[0], n), None))
            else:
                first, _, length = _SPANS[form](draft, n, own)
                spans.append((first, length))

        def places(inside: Draft, indices: Indices) -> Indices:
            free = iter(indices)
            return tuple(
                first if length is None else inside.plus(next(free), first)
                for first, length in spans
            )

        return Selection(tuple(n for _, n in spans if n is not None), places)

    return made


def _fixed(*axes: int) -> Callable[[Draft, Whole, Bounds], Selection]:
    """The places at some axes are given, all others are the part's."""

    def made(draft: Draft, x: Whole, bounds: Bounds) -> Selection:
        given = {
            axis: draft.wrapped(bound, x.lengths[axis])
            for axis, bound in zip(axes, numbers_of(bounds), strict=True)
        }
        free = [axis for axis in range(len(x.lengths)) if axis not in given]

        def places(_: Draft, indices: Indices) -> Indices:
            every = given | dict(zip(free, indices, strict=True))
            return tuple(every[axis] for axis in sorted(every))

        return Selection(tuple(x.lengths[axis] for axis in free), places)

    return made


def _at(x: Whole, lists: Sequence[Whole], axes: Sequence[int], find: Find) -> Selection:
    """The part with places at some axes from the elements of arrays side by side."""
    first = min(axes)
    count = len(lists[0].lengths)
    lengths = list(x.lengths)
    lengths[first : first + len(axes)] = lists[0].lengths

    def places(inside: Draft, indices: Indices) -> Indices:
        among = indices[first : first + count]
        found = (
            find(inside, one.element(inside, among), x.lengths[axis])
            for one, axis in zip(lists, axes, strict=True)
        )
        return (*indices[:first], *found, *indices[first + count :])

    return Selection(tuple(lengths), places)


def _taken(*axes: int) -> Callable[[Draft, Whole, Bounds], Selection]:
    def made(draft: Draft, x: Whole, bounds: Bounds) -> Selection:
        lists = [b for b in bounds if isinstance(b, Whole)]
        return _at(x, lists, axes, Draft.wrapped)

    return made


def _mesh(draft: Draft, x: Whole, bounds: Bounds) -> Selection:
    """All elements in some rows and some columns."""
    rows, columns = (b for b in bounds if isinstance(b, Whole))

    def places(inside: Draft, indices: Indices) -> Indices:
        i, j = indices
        return (
            inside.wrapped(rows.element(inside, (i,)), x.lengths[0]),
            inside.wrapped(columns.element(inside, (j,)), x.lengths[1]),
        )

    return Selection((rows.lengths[0], columns.lengths[0]), places)


def _masked(axis: int) -> Callable[[Draft, Whole, Bounds], Selection]:
    def made(draft: Draft, x: Whole, bounds: Bounds) -> Selection:
        (mask,) = bounds
        assert isinstance(mask, Whole)
        true = places_of(draft, mask)
        if len(mask.shape) == 1:
            return _at(x, [true], [axis], lambda _, index, __: index)
        width = x.lengths[1]

        def places(inside: Draft, indices: Indices) -> Indices:
            number = true.element(inside, indices)
            return (
                inside.once("floordiv", number, width),
                inside.once("mod", number, width),
            )

        return Selection(true.lengths, places)

    return made


def places_of(draft: Draft, mask: Whole) -> Whole:
    """The numbers of the elements that are true, as an array."""
    key = ("places", mask)
    found: Whole | None = draft.known.get(key)
    if found is None:
        array = _numbers(draft, mask)
        found = of_list(array, (ANY,), (draft.size(array),))
        draft.known[key] = found
    return found


def _numbers(draft: Draft, mask: Whole) -> Operand:
    """A list of the numbers of the elements that are true."""
    if mask.along is None and len(mask.shape) > 1:
        mask = stored(draft, mask)

    def body(inside: Draft, k: Var, taken: tuple[Var, ...]) -> Sequence[Operand]:
        test = mask.numbered(inside, k) if mask.along else mask.element(inside, (k,))
        return (_appended(inside, test, taken[0], k),)

    empty = draft.filled(ZERO, ZERO)
    return draft.loop(size(draft, mask.lengths), (empty,), body)[0]


def _appended(draft: Draft, test: Operand, array: Operand, value: Operand) -> Operand:
    """The list with a value appended where a test holds."""
    inside = draft.inner()
    longer = inside.apply("append", array, value)
    out = Var(Type(array.type.kind, array.type.dims))
    then = Block((), tuple(inside.body), (longer,))
    arms = then, Block((), (), (array,))
    draft.body.append(Branch((out,), draft.truth(test), (), *arms))
    return out


# fmt: off
FORMS: dict[str, Callable[[Draft, Whole, Bounds], Selection]] = {
    **{f"cut_{form}": _slice(form, 0) for form in CUTS},
    **{f"columns_{form}": _slice(form, 1) for form in CUTS},
    **{f"block_{down}_{across}": _block(down, across) for down, across in BLOCKS},
    "sliced":         _slice("between", 0),
    "sliced_from":    _slice("from", 0),
    "sliced_to":      _slice("to", 0),
    "pick":           _fixed(0),
    "pick_both":      _fixed(0, 1),
    "pick_row":       _fixed(0),
    "pick_column":    _fixed(1),
    "pick_second":    _fixed(1),
    "pick_third":     _fixed(2),
    "pick_first_second": _fixed(0, 1),
    "pick_first_third":  _fixed(0, 2),
    "pick_second_third": _fixed(1, 2),
    "taken":          _taken(0),
    "taken_rows":     _taken(0),
    "taken_columns":  _taken(1),
    "taken_both":     _taken(0, 1),
    "taken_mesh":     _mesh,
    "masked":         _masked(0),
    "masked_columns": _masked(1),
}
# fmt: on
"""The parts of an array, by the names of the operations that read them."""
