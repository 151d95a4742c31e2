"""Records of loops as lists: one for each record, or one of tuples.

A target may prefer a list of tuples if every loop that goes over the records reads them
all. A loop around records these lists in its turn, one list of tuples in place of
several lists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.emit.schedule.lines import Item, Tuples
from ad_transform.ir.blocks.inner import changed_inside, is_same
from ad_transform.ir.blocks.places import Place
from ad_transform.ir.dims import ANY
from ad_transform.ir.loops.ends import is_held
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Function,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    node,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import Kind, Type

IsTuple = Callable[[Sequence[Item]], bool]
"""Whether records of these types are better one list of tuples than several lists."""


@node
class Saved:
    """One list, `var`, for several stacks, and the types in its tuples."""

    var: Var
    stacks: tuple[Var, ...]
    types: tuple[Item, ...]


@dataclass(slots=True)
class Records:
    """The lists of records: `saved` has the list of tuples of a stack, and stacks that
    are not in it have lists of their own. `items` are the items of stacks of lists of
    tuples.
    """

    saved: dict[Var, Saved] = field(default_factory=dict)
    items: dict[Var, Tuples] = field(default_factory=dict)

    def item(self, stack: Var) -> Item:
        """The item type of a stack's list."""
        return self.items.get(stack, stack.type.entry)


def recorded(function: Function, is_tuple: IsTuple) -> tuple[Function, Records]:
    """The function, and the records of its loops as lists; linear.

    Of stacks that one list of tuples holds, loops around record the first alone, and
    go back over its entry alone.
    """
    places = [Place(function.block)]
    for place in places:
        places += place.inside()  # the list grows meanwhile
    readers = _readers(function)
    found = _Lists(is_tuple)
    for place in reversed(places):  # inner ones first
        for statement in [place.block.body[k] for k in place.block.holders]:
            if isinstance(statement, Scan | While) and not is_held(statement):
                found.divide(place, statement, readers)
    if not found.gone:
        return function, found.records
    block = bounce(found.without(function.block))
    return replace(function, block=block), found.records


@node
class _Way:
    """The loops that a list goes through, and its names in them: first behind the loops
    around that record it, `recorded` in number, then in those that go over these
    records or that only hold others; `loops` has last the loops that go over its items,
    and `ends` are the places of its names there. `arms` are its names in the arms, and
    the loops, around each of these, the outermost first.
    """

    loops: tuple[Statement, ...]
    names: tuple[Var, ...] = ()
    recorded: int = 0
    arms: tuple[tuple[Var, ...], ...] = ()
    ends: frozenset[int] = frozenset()


_Rows = Sequence[tuple[Var, _Way]]


@dataclass(slots=True)
class _Lists:
    """Lists of tuples as they are found. `gone` has, by loop, the stacks and parameters
    that are part of another one's list; `instead` has the new name of that one.
    """

    is_tuple: IsTuple
    records: Records = field(default_factory=Records)
    gone: dict[Statement, set[Var]] = field(default_factory=dict)
    instead: dict[Operand, Var] = field(default_factory=dict)

    def divide(
        self,
        place: Place,
        loop: Scan | While,
        readers: Mapping[Operand, Sequence[_Reader]],
    ) -> None:
        """Put a loop's records on lists of tuples, by the loops that go over them."""
        groups: dict[tuple[Statement, ...], list[tuple[Var, _Way]]] = {}
        for stack in loop.stacks:
            if stack in self.gone.get(loop, ()):
                continue
            if readers.get(stack):
                found = readers[stack]
                arms = tuple(reader.names for reader in found)
                way: _Way | None = _Way(tuple(r.loop for r in found), arms=arms)
            else:
                way = _way(place, stack)
            if way is not None:
                row = self.instead.get(stack, stack), way
                groups.setdefault(way.loops, []).append(row)
        for rows in groups.values():
            if self.is_tuple([self.records.item(stack) for stack, _ in rows]):
                self._enter(rows)

    def _enter(self, rows: _Rows) -> None:
        stacks = tuple(stack for stack, _ in rows)
        types = tuple(map(self.records.item, stacks))
        var = Var(Type(Kind.FLOAT, (ANY,)), _HINT)
        one = Saved(var, stacks, types)
        self.records.saved.update(dict.fromkeys(stacks, one))
        way = rows[0][1]
        for arms in zip(*(other.arms for _, other in rows), strict=False):
            for names in zip(*arms, strict=True):  # their names in an arm or a loop
                own = tuple(map(self._named, names))
                inside = Saved(own[0], own, types)
                self.records.saved.update(dict.fromkeys(own, inside))
        columns = list(zip(*(other.names for _, other in rows), strict=True))
        for k, (names, loop) in enumerate(zip(columns, way.loops, strict=False)):
            forth = k < way.recorded
            first = Var(names[0].type, f"{_HINT}_list" if forth else _HINT)
            self.gone.setdefault(loop, set()).update(names[1:])
            self.instead[names[0]] = first
            if forth:
                self.records.items[first] = Tuples(types, k + 1)
            elif k in way.ends:
                last = (first, *map(self._named, names[1:]))
                again = Saved(first, last, types)
                self.records.saved.update(dict.fromkeys(last, again))

    def without(self, block: Block) -> Task[Block]:
        """The block, its loops without the stacks that are part of other lists."""
        inside = yield from changed_inside(block, self.without)
        body = [
            self._less(statement, self.gone[old]) if old in self.gone else statement
            for old, statement in zip(block.body, inside, strict=True)
        ]
        body = [statement.over(self.instead) for statement in body]
        results = tuple(self.instead.get(result, result) for result in block.results)
        if is_same(body, block.body) and is_same(results, block.results):
            return block
        return replace(block, body=tuple(body), results=results)

    def _named(self, operand: Var) -> Var:
        return self.instead.get(operand, operand)

    def _less(self, loop: Statement, gone: set[Var]) -> Statement:
        assert isinstance(loop, Scan | While)
        rows = zip(loop.stacks, loop.records, strict=True)
        kept = [(out, end) for out, end in rows if out not in gone]
        results = (*loop.handed_on, *(end for _, end in kept))
        stacks = (self.instead.get(out, out) for out, _ in kept)
        outs = (*loop.finals, *stacks)
        own = loop.body.params
        params = tuple(self.instead.get(p, p) for p in own if p not in gone)
        body = replace(loop.body, params=params, results=results)
        handed = zip(loop.read_params, loop.reads, strict=True)
        places = [k for k, (param, _) in enumerate(handed) if param not in gone]
        reads = tuple(loop.reads[k] for k in places)
        if isinstance(loop, While):
            own = loop.test.params
            first = loop.first_read
            tested = (*own[:first], *(own[first + k] for k in places))
            test = replace(loop.test, params=tested)
            outs = (*outs, loop.trips)
            return replace(loop, outs=outs, reads=reads, test=test, body=body)
        pairs = zip(loop.entry_params, loop.entries, strict=True)
        entries = tuple(entry for param, entry in pairs if param not in gone)
        return replace(loop, outs=outs, reads=reads, entries=entries, body=body)


_HINT = "saved"


def _way(place: Place, stack: Var) -> _Way | None:
    """The way of a list from the loops around that record it to the loops that go over
    it; None if it goes elsewhere, too.
    """
    loops: list[Statement] = []
    names: list[Var] = []
    here, name = place, stack
    while stacks := here.stacks(name):
        if here.readers(name) or len(stacks) > 1:
            return None
        if here.outer is None or here.holder is None:
            return None
        loops.append(here.holder)
        (name,), here = stacks, here.outer
        names.append(name)
    up = len(names)
    last: list[Statement] = []
    ends: set[int] = set()
    waiting = [(here, name, 0, up - 1)]
    for here, name, down, at in waiting:  # which grows
        readers = here.readers(name)
        if here.stacks(name) != [] or not readers:
            return None
        for loop in readers:
            if loop.inputs.count(name) != 1 or not isinstance(loop, Scan | While):
                return None
            inner = _inside(loop, name)
            if inner is None or inner in (stack, *names):
                return None
            if name in loop.entries and down == up:
                last.append(loop)
                ends.add(at)
                continue
            loops.append(loop)
            names.append(inner)
            within = here.within(loop)[-1]
            below = down + (name in loop.entries)
            waiting.append((within, inner, below, len(names) - 1))
    return _Way((*loops, *last), tuple(names), up, ends=frozenset(ends))


def _inside(loop: Scan | While, name: Operand) -> Var | None:
    """The name in the body of a list that a loop goes over, or hands in unchanged; None
    if the loop does something else with it.
    """
    if is_held(loop):
        return None
    if name in loop.entries:
        return loop.entry_params[loop.entries.index(name)]
    if name not in loop.reads:
        return None
    param = loop.read_params[loop.reads.index(name)]
    if isinstance(loop, While) and _reads(loop.test, param, loop):
        return None
    return param


def _reads(test: Block, param: Var, loop: While) -> bool:
    """Whether a test reads what the body of its loop has under a name."""
    own = test.params[loop.body.params.index(param)]
    return own in test.results or any(own in s.inputs for s in test.body)


@node
class _Reader:
    """A loop that goes over a stack, and the names of the stack in the arms and loops
    around it, the outermost first.
    """

    loop: Statement
    names: tuple[Var, ...]


def _readers(function: Function) -> dict[Operand, list[_Reader]]:
    """The loops that go over each stack, none if anything else reads it."""
    handed: dict[Operand, Operand] = {}  # the operands behind parameters of blocks
    loops: dict[Operand, list[_Reader]] = {}
    others: set[Operand] = set(function.results)

    def outside(operand: Operand) -> tuple[Operand, tuple[Var, ...]]:
        names: list[Var] = []
        while operand in handed:
            assert isinstance(operand, Var)
            names.append(operand)
            operand = handed[operand]
        return operand, tuple(reversed(names))

    for statement in walk(function.body):
        read = statement.inputs
        if type(statement) is Apply and handed.keys().isdisjoint(read):
            others.update(read)  # nearly always
            continue
        if isinstance(statement, Scan):
            entries = statement.entries
            for entry in entries:
                stack, names = outside(entry)
                loops.setdefault(stack, []).append(_Reader(statement, names))
            for param, given in _handed_in(statement):
                origin, names = outside(given)
                if param in (origin, *names):  # blocks may have one name for two values
                    others.add(origin)
                elif handed.setdefault(param, given) is not given:
                    others.update((origin, outside(param)[0]))
            own = {*entries, *(o for o in statement.reads if o.type.dims)}
            read = tuple(o for o in read if o not in own)
        elif isinstance(statement, Branch):
            lists = [k for k, arg in enumerate(statement.args) if arg.type.dims]
            for k in lists:
                arg = statement.args[k]
                for block in statement.blocks:
                    if block.params[k] is arg:
                        continue
                    if handed.setdefault(block.params[k], arg) is not arg:
                        others.add(outside(arg)[0])
            read = (statement.test,)
        for operands in (read, *[block.results for block in statement.blocks]):
            if handed.keys().isdisjoint(operands):  # nearly always
                others.update(operands)
            else:
                others.update(outside(operand)[0] for operand in operands)
    return {s: found for s, found in loops.items() if _is_sole(s, found, others)}


def _handed_in(loop: Scan) -> list[tuple[Var, Operand]]:
    """The lists that a loop hands in, each behind its name in the body."""
    pairs = zip(loop.read_params, loop.reads, strict=True)
    return [(param, given) for param, given in pairs if given.type.dims]


def _is_sole(stack: Operand, readers: list[_Reader], others: set[Operand]) -> bool:
    names = ((reader.loop, (stack, *reader.names)[-1]) for reader in readers)
    twice = any(loop.inputs.count(name) > 1 for loop, name in names)
    return stack not in others and not twice


def held(function: Function) -> Mapping[Operand, tuple[Scan | While, Call]]:
    """By stack the loop that holds few of its states, and the call that is a trip."""
    found: dict[Operand, tuple[Scan | While, Call]] = {}
    for loop in function.nested:
        if isinstance(loop, Scan | While) and is_held(loop):
            calls = [s for s in loop.body.body if isinstance(s, Call)]
            found.update((stack, (loop, calls[0])) for stack in loop.stacks)
    return found
