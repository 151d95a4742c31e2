"""Records of parts of an array that the array still has behind the loop are read there.

`L[j, :j]` of a factorisation is not written again by later trips: the way back reads it
in the finished L. So it reads `A[k + 1 :, k]` that the trip has stored itself. Where
each axis begins and ends has to be the index of the trip, or a number beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.inner import each_block
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
)
from ad_transform.ir.types import INT
from ad_transform.ir.typing import BLOCKS, CUTS

_Place = tuple[int, int]
"""A multiple of the index of the trip, and a number that is added."""

_Range = tuple[_Place, _Place | None]
"""The first place along an axis, and the one behind the last; None: to the end."""

_FIRST: _Place = (0, 0)
_ALL: _Range = _FIRST, None


def parts_read_back(function: Function) -> Function:
    """The function without records of parts that finished arrays have."""
    if Scan not in function.block.kinds:
        return function
    return each_block(function, _block)


def _block(block: Block) -> Block:
    body = list(block.body)
    for forth in [s for s in body if isinstance(s, Scan) and s.stacks]:
        if not _is_plain(forth):
            continue
        there = _Loop(forth).there()
        for place, back in enumerate(body) if there else ():
            if isinstance(back, Scan) and not there.keys().isdisjoint(back.entries):
                body[place] = _reading(back, forth, there)
    return Block(block.params, tuple(body), block.results)


def _is_plain(loop: Scan) -> bool:
    """Whether it counts up one by one from a number, and holds its records."""
    start = loop.start.value if isinstance(loop.start, Literal) else -1
    counts = isinstance(start, int) and start >= 0 and loop.step == Literal(1)
    return counts and not loop.backwards and loop.snapshots is None


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of an array: the form in which it is read, where it begins and ends along
    each axis, and all of these places in the order of the bounds.
    """

    form: str
    axes: tuple[_Range, ...]
    bounds: tuple[_Place, ...]


@dataclass(slots=True)
class _Loop:
    """A loop forth; `makers` are the statements of its trip by value."""

    loop: Scan
    makers: dict[Operand, Apply] = field(default_factory=dict)

    def there(self) -> dict[Operand, tuple[Var, _Part]]:
        """By stack the finished array that has its records, and the part."""
        body, count = self.loop.body, len(self.loop.carries)
        for statement in body.body:
            if isinstance(statement, Apply):
                self.makers[statement.out] = statement
        found: dict[Operand, tuple[Var, _Part]] = {}
        for k in range(count):
            stores = self._stores(body.params[1 + k], body.results[k])
            if not stores:
                continue
            records = body.results[count:]
            for stack, value in zip(self.loop.stacks, records, strict=True):
                part = self._lasting(value, stores)
                if part is not None and stack not in found:
                    found[stack] = self.loop.outs[k], part
        return found

    def _stores(self, param: Operand, result: Operand) -> list[tuple[Apply, _Part]]:
        """The stores that make an array of the one before the trip, the first one
        first; none if anything else makes it.
        """
        stores: list[tuple[Apply, _Part]] = []
        while result is not param:
            made = self.makers.get(result)
            if made is None or not made.op.name.startswith("stored_"):
                return []
            array, _, *bounds = made.args
            part = self._part(made.op.name.removeprefix("stored_"), array, bounds)
            if part is None:
                return []
            stores.insert(0, (made, part))
            result = array
        return stores

    def _lasting(
        self, value: Operand, stores: Sequence[tuple[Apply, _Part]]
    ) -> _Part | None:
        """The part of the finished array that is a value; None if it may be none."""
        versions = [stores[0][0].args[0], *(store.out for store, _ in stores)]
        for place, part in self._parts(value, versions, stores):
            now = (_apart_now(part, own) for _, own in stores[place:])
            if all(now) and all(_apart_later(part, own) for _, own in stores):
                return part
        return None

    def _parts(
        self,
        value: Operand,
        versions: Sequence[Operand],
        stores: Sequence[tuple[Apply, _Part]],
    ) -> Iterator[tuple[int, _Part]]:
        """The parts that are a value, and the number of stores before each."""
        made = self.makers.get(value)
        if made is not None and made.args and made.args[0] in versions:
            part = self._part(made.op.name, made.args[0], made.args[1:])
            if part is not None:
                yield versions.index(made.args[0]), part
        for place, (store, part) in enumerate(stores):
            shape = store.args[1].type.shape
            rank = _rank(part, len(store.out.type.shape))
            if store.args[1] is value and len(shape) == rank and 1 not in shape:
                yield place + 1, part

    def _part(
        self, form: str, array: Operand, bounds: Sequence[Operand]
    ) -> _Part | None:
        ways = _ways(form, len(array.type.shape))
        places = [self._place(bound) for bound in bounds]
        known = [p for p in places if p is not None and self._is_natural(p)]
        if ways is None or len(known) < len(places):
            return None
        axes: list[_Range] = []
        left = known[:]
        for way in ways:
            own = [left.pop(0) for _ in range(_COUNT[way])]
            axes.append(_range(way, own))
        return _Part(form, tuple(axes), tuple(known))

    def _is_natural(self, place: _Place) -> bool:
        """Whether it is 0 or more in all trips."""
        assert isinstance(self.loop.start, Literal)
        return place[0] >= 0 and place[0] * int(self.loop.start.value) + place[1] >= 0

    def _place(self, bound: Operand) -> _Place | None:
        shift = 0
        while True:
            if isinstance(bound, Literal):
                value = bound.value
                return (0, value + shift) if type(value) is int else None
            if bound is self.loop.body.params[0]:
                return 1, shift
            made = self.makers.get(bound)
            if made is None or made.op.name not in ("add", "sub"):
                return None
            x, y = made.args
            if isinstance(x, Literal) and made.op.name == "add":
                x, y = y, x
            if not isinstance(y, Literal) or type(y.value) is not int:
                return None
            shift += y.value if made.op.name == "add" else -y.value
            bound = x


_COUNT = {"all": 0, "from": 1, "to": 1, "at": 1, "between": 2}
"""The bounds of each way to take an axis."""

_ONE_AXIS = {
    "sliced": "between",
    "sliced_from": "from",
    "sliced_to": "to",
    **{f"cut_{way}": way for way in CUTS if way != "by"},
}


def _ways(form: str, rank: int) -> tuple[str, ...] | None:
    """How a form of parts takes each axis; None for a form that is not looked at."""
    if rank > 2:
        return None
    rest = ("all",) * (rank - 1)
    if form in _ONE_AXIS:
        return (_ONE_AXIS[form], *rest)
    if form in ("pick", "pick_row"):
        return ("at", *rest)
    found = {
        "pick_column": ("all", "at"),
        "pick_both": ("at", "at"),
        **{f"columns_{way}": ("all", way) for way in CUTS if way != "by"},
        **{f"block_{down}_{across}": (down, across) for down, across in BLOCKS},
    }
    return found.get(form)


def _range(way: str, bounds: Sequence[_Place]) -> _Range:
    if way == "all":
        return _ALL
    first = _FIRST if way == "to" else bounds[0]
    if way == "at":
        return first, (first[0], first[1] + 1)
    return first, (None if way == "from" else bounds[-1])


def _rank(part: _Part, rank: int) -> int:
    """The number of axes that a part of an array of so many axes has."""
    return sum(way != "at" for way in _ways(part.form, rank) or ())


def _apart_now(part: _Part, store: _Part) -> bool:
    """Whether a store in the same trip leaves a part as it is."""
    return any(
        _before(one[1], other[0], 0) or _before(other[1], one[0], 0)
        for one, other in zip(part.axes, store.axes, strict=True)
    )


def _apart_later(part: _Part, store: _Part) -> bool:
    """Whether the stores of all later trips leave a part as it is."""
    return any(
        _before(one[1], other[0], 1)
        for one, other in zip(part.axes, store.axes, strict=True)
    )


def _before(end: _Place | None, start: _Place, later: int) -> bool:
    """Whether a range ends before another begins, which may be so many trips later."""
    return (
        end is not None and end[0] == start[0] and end[1] <= start[1] + start[0] * later
    )


def _reading(back: Scan, forth: Scan, there: dict[Operand, tuple[Var, _Part]]) -> Scan:
    """A loop back that reads finished arrays in the place of some of its entries."""
    ends = back.start, back.stop, back.step
    if ends != (forth.start, forth.stop, forth.step):
        return back
    first = 1 + len(back.carries)
    params = list(back.body.params)
    reads, entries = list(back.reads), list(back.entries)
    old = params[first + len(reads) :]
    kept = [k for k, entry in enumerate(entries) if entry not in there]
    arrays: dict[Var, Var] = {}
    made: list[Statement] = []
    for k, entry in enumerate(entries):
        if entry not in there:
            continue
        array, part = there[entry]
        if array not in arrays:
            arrays[array] = Var(array.type, array.hint)
        bounds: list[Operand] = []
        for times, number in part.bounds:
            bound: Operand = Literal(number)
            if times:
                bound = params[0]
                if number:
                    bound = Var(INT)
                    step = Apply(bound, TABLE["add"], (params[0], Literal(number)))
                    made.append(step)
            bounds.append(bound)
        value = old[k]
        made.append(Apply(value, TABLE[part.form], (arrays[array], *bounds)))
    new = (*params[: first + len(reads)], *arrays.values(), *(old[k] for k in kept))
    body = Block(new, (*made, *back.body.body), back.body.results)
    read = (*reads, *arrays)
    rest = tuple(entries[k] for k in kept)
    how = back.backwards, back.snapshots, back.notes
    return Scan(back.outs, *ends, back.carries, read, rest, body, *how)
