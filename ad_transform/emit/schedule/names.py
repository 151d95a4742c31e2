"""Names of values in the output.

The user's names win: a kept local keeps its own unless it would hide a builtin that is
called; names made here give way to everything else.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.emit.schedule.anchors import RESULT
from ad_transform.emit.schedule.homes import Homes, Shared
from ad_transform.emit.schedule.lines import (
    Append,
    Bind,
    For,
    If,
    Line,
    Resume,
    StartList,
    Take,
    bodies,
    bound_by,
    walk,
)
from ad_transform.emit.schedule.seen import Seen, seen
from ad_transform.ir.nodes import (
    Apply,
    Statement,
    Var,
)
from ad_transform.ir.types import Type


def natural(text: str) -> list[tuple[int, int, str]]:
    """A key that sorts log2 before log10, as people and import sorters do."""
    parts = re.findall(r"[0-9]+|[^0-9]+", text)
    return [(0, int(p), "") if p[0] in "0123456789" else (1, 0, p) for p in parts]


# --- names of values ------------------------------------------------------------------


Lifetimes = tuple[dict[Var, int], dict[Var, int]]

TRIP = "trip"
"""The name of an index that is read, and has no name in the source."""


@dataclass(slots=True)
class Namer:
    """Gives names to the values that lines bind.

    `given` are the names of parameters, `taken` those that mean something else;
    `results` are read behind the last line. Values without a name are called by their
    `words`, numbered from the second on; `parts` lay no claim to their hints. Where
    there are more than `most` names, those of dead temporaries are used again.
    """

    lines: Sequence[Line]
    results: Sequence[Var]
    given: Mapping[Var, str]
    taken: set[str]
    words: Mapping[Var, str]
    parts: Set[Var]
    most: float
    names: dict[Var, str] = field(init=False)
    _seen: Sequence[Seen] = field(init=False)
    _again_of: Mapping[Var, Var] = field(init=False)
    _homes: Homes = field(init=False)
    _shared: dict[tuple[str, Type], Shared] = field(default_factory=dict)
    _times: Lifetimes | None = field(init=False)
    _entries: dict[Var, list[Var]] = field(init=False)
    # by wish the suffixes that are surely taken
    _tried: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.names, self._times = dict(self.given), None
        self._entries, self._tried = {}, {}
        self.taken = self.taken.union(self.given.values())
        self._seen = seen(self.lines)
        self._again_of = _read_again(self.lines, self._seen)
        self._homes = Homes(self._seen, self.results, self._again_of)
        for entry, value in self._again_of.items():
            self._entries.setdefault(value, []).append(entry)

    def run(self) -> dict[Var, str]:
        """Names of all values, those of parameters included."""
        order = list(dict.fromkeys(v for each in self._seen for v in each.bound))
        spoken = self._nobody(order)
        again = self._again_of
        order = [v for v in order if v not in self.names and v not in again]
        rest = [v for v in order if not v.hint or v in self.parts or v in spoken]
        hinted = [v for v in order if v.hint and v not in spoken]
        self._users([v for v in hinted if v.named])
        hinted = [v for v in hinted if not v.named and v not in self.parts]
        returned = set(self.results)  # results have the first right to their names
        for var in sorted(hinted, key=lambda v: v not in returned):
            self._claim(var, var.hint)
        if len(self.taken) + len(rest) > self.most:
            rest = self._again(rest, self._prefix())
        for var in rest:
            self._claim(var, self.words.get(var, TRIP if var in spoken else RESULT))
        self.names.update((entry, self.names[var]) for entry, var in again.items())
        return self.names

    def _nobody(self, order: Sequence[Var]) -> Set[Var]:
        """`for _ in range(n)`: all indices that no trip reads share this name. The
        other values with this wish are given back: they want another name.
        """
        wish = {var for var in order if var.hint == "_"}
        if not wish:
            return wish
        read = {var for each in self._seen for var in each.read}
        lines = [each.line for each in self._seen]
        indices = {line.index for line in lines if isinstance(line, For)}
        indices.update(line.trip for line in lines if isinstance(line, Resume))
        unread = (wish & indices) - read
        self.names.update((var, "_") for var in order if var in unread)
        return wish - unread

    def _claim(self, var: Var, wish: str) -> None:
        """A name for a value, perhaps that of another one if no trip of a loop has
        both.
        """
        own = self._homes.of(var)
        if own is None:
            self._take(var, wish)
            return
        shared = self._sharing(wish, var.type)
        name = shared.let_in(own)
        if name:
            self.names[var] = name
            return
        self._take(var, wish)
        shared.add(self.names[var], own)

    def _sharing(self, wish: str, type_: Type) -> Shared:
        """The names of one wish that values of one type share."""
        key = wish, type_
        if key not in self._shared:
            self._shared[key] = Shared(self._homes)
        return self._shared[key]

    def _take(self, var: Var, wish: str) -> None:
        name, k = wish, self._tried.get(wish, 1)
        while name in self.taken:
            k += 1
            name = f"{wish}_{k}"
        self._tried[wish] = k
        self.taken.add(name)
        self.names[var] = name

    def _users(self, order: list[Var]) -> None:
        """The user's names; a value bound again takes over the name of a dead one."""
        wishes = [v.hint for v in order]
        if len(set(wishes)) == len(wishes):
            for var in order:
                self._claim(var, var.hint)
            return
        place, last = self._lifetimes()
        holders: dict[tuple[str, Type], _Holders] = {}
        for k, var in enumerate(order):
            older = holders.setdefault((var.hint, var.type), _Holders())
            if var not in place:
                self._within(var, older)
                continue
            first = older.first()
            if first is not None and first[0] <= place[var]:
                name = self.names[var] = first[2]
                self._sharing(var.hint, var.type).drop(name)
            else:
                self._claim(var, var.hint)
            older.hold(self.names[var], last[var], k)

    def _within(self, var: Var, older: _Holders) -> None:
        """Name a value that lives in loops, perhaps after the value that dies first,
        where that is dead when these loops begin. The name lives as long as the value
        and those taken from lists of it.
        """
        first = older.first()
        if first is not None:
            last, _, name = first
            self._sharing(var.hint, var.type).add(name, behind=last)
        self._claim(var, var.hint)
        older.prolong(self.names[var], self._last_read(var))

    def _last_read(self, var: Var) -> int:
        """The place where a value, or one taken from a list of it, is read last."""
        _, last = self._lifetimes()
        every = (var, *self._entries.get(var, ()))
        return max(last.get(one, -1) for one in every)

    def _lifetimes(self) -> Lifetimes:
        if self._times is None:
            self._times = _lifetimes(self._seen, self.results, len(self.lines))
        return self._times

    def _prefix(self) -> str:
        """`t`, unless the user numbers values so, as in t1, t2, t3."""
        for prefix in "twvusr":
            if not any(n[:1] == prefix and n[1:].isdigit() for n in self.taken):
                return prefix
        return "t"

    def _fresh(self, prefix: str, start: int = 1) -> Iterator[str]:
        k = start
        while True:
            if f"{prefix}{k}" not in self.taken:
                yield f"{prefix}{k}"
            k += 1

    def _again(self, rest: list[Var], prefix: str) -> list[Var]:
        """Name the outer temporaries, with names used again when dead; the values left
        over.
        """
        place, last = self._lifetimes()
        fresh = self._fresh(prefix)
        names: list[str] = []
        free: dict[Type, list[int]] = {}
        living: list[tuple[int, int, Type]] = []
        for var in rest:
            if var not in place:
                continue
            while living and living[0][0] <= place[var]:
                _, k, type_ = heapq.heappop(living)
                heapq.heappush(free[type_], k)
            pool = free.setdefault(var.type, [])  # a name has one type
            if not pool:
                pool.append(len(names))
                names.append(next(fresh))
            k = heapq.heappop(pool)
            # the number decides between equals: types have no order
            heapq.heappush(living, (last[var], k, var.type))
            self.names[var] = names[k]
        self.taken.update(names)
        return [v for v in rest if v not in self.names]


class _Holders:
    """The values that hold the names of one wish: by name the line that reads the value
    last, and its place in the order of values. The one that dies first is found first.
    """

    def __init__(self) -> None:
        self._now: dict[str, tuple[int, int, str]] = {}
        self._heap: list[tuple[int, int, str]] = []  # also outdated ends

    def first(self) -> tuple[int, int, str] | None:
        """The one that dies first; None if there is none."""
        while self._heap and self._now[self._heap[0][2]] != self._heap[0]:
            heapq.heappop(self._heap)
        return self._heap[0] if self._heap else None

    def hold(self, name: str, last: int, place: int) -> None:
        """Let a value have a name, a new one or that of another value."""
        before, *_ = self._now.get(name, (last,))
        self._now[name] = max(last, before), place, name
        heapq.heappush(self._heap, self._now[name])

    def prolong(self, name: str, end: int) -> None:
        """Let the holder of a name, if there is one, live to an end."""
        last, place, _ = self._now.get(name, (end, 0, name))
        if last < end:
            self.hold(name, end, place)


def _read_again(lines: Sequence[Line], every: Sequence[Seen]) -> dict[Var, Var]:
    """Entries of lists with the recorded values, whose names they share.

    They do if the value lives in one trip and the loop that reads the list stands
    behind, so that both never live at once.
    """
    recorded: dict[Var, tuple[Var | None, ...]] = {}
    all_lines = walk(lines)
    begun = Counter(
        line.var for line in all_lines if isinstance(line, Bind | StartList)
    )
    begun.update(v for line in all_lines if isinstance(line, Take) for v in line.vars)
    for body in bodies(lines):
        growing = [line for line in body if isinstance(line, Append)]
        if not growing:
            continue
        own = {v for v, n in _begun(body).items() if n == begun[v]}
        for append in growing:
            values = (p.var if p.is_atom else None for p in append.values)
            kept = tuple(v if v in own else None for v in values)
            known = recorded.setdefault(append.var, kept)
            if known != kept:  # it grows in two places
                recorded[append.var] = (None,) * len(kept)
    found: dict[Var, Var] = {}
    loops = [each.line for each in every if isinstance(each.line, For)]
    for line in loops:  # outer ones first: lists of lists
        for entry, value in _entries(line, recorded):
            if value in recorded and entry not in recorded:
                recorded[entry] = recorded[value]
    for line in reversed(loops):  # inner ones first
        shared = _shared(line, recorded, found)
        found.update(pair for pair in shared if begun[pair[0]] <= 1)
    return found


def _begun(body: Sequence[Line]) -> Counter[Var]:
    """The number of times a body begins each value, in arms too, not in inner loops."""
    lines = _with_arms(body)
    return Counter(line.var for line in lines if isinstance(line, Bind | StartList))


def _entries(
    line: For, recorded: Mapping[Var, tuple[Var | None, ...]]
) -> Iterator[tuple[Var, Var]]:
    """The values that a loop takes from lists, in arms too, with their records."""
    taken = [(entries, stack.var) for entries, stack in line.entries]
    arms = (one for one in _with_arms(line.body) if isinstance(one, Take))
    taken += [(one.vars, one.held) for one in arms]
    for entries, held in taken:
        values = recorded.get(held, ()) if held is not None else ()
        for entry, value in zip(entries, values, strict=False):
            if value is not None:
                yield entry, value


def _with_arms(body: Sequence[Line]) -> Iterator[Line]:
    """The lines of a body and of arms in it, not those of inner loops."""
    waiting = [*body]
    while waiting:
        line = waiting.pop()
        yield line
        if isinstance(line, If):
            waiting += (*line.then, *line.orelse)


def _shared(
    line: For, recorded: Mapping[Var, tuple[Var | None, ...]], found: Mapping[Var, Var]
) -> Iterator[tuple[Var, Var]]:
    given = {
        found[v] for inner in walk(line.body) for v in bound_by(inner) if v in found
    }
    for entry, value in _entries(line, recorded):
        are_lists = bool(value.type.dims and entry.type.dims)
        if (are_lists or value.type == entry.type) and value not in given:
            given.add(value)  # two lists may hold one value
            yield entry, value


def _lifetimes(every: Iterable[Seen], results: Iterable[Var], end: int) -> Lifetimes:
    """The places where plain outer lines bind values, and where each is read last;
    results are read at the end.

    A value that an arm has bound before, as one does that returns, counts from the
    line in front of the branch: all that the branch reads is alive in the arm.
    """
    place: dict[Var, int] = {}
    last: dict[Var, int] = {}
    earlier: dict[Var, int] = {}
    outer = -1
    for line, bound, read, k, _, _ in every:
        if k != outer:
            outer = k
            if type(line) is Bind:
                place.setdefault(line.var, earlier.get(line.var, k))
                last.setdefault(line.var, k)
        for var in bound:
            if var not in earlier:
                earlier[var] = k - 1
        for var in read:
            last[var] = k
    last.update(dict.fromkeys(results, end))
    return place, last


def parts(body: Sequence[Statement]) -> Set[Var]:
    """The terms that carry the name of the sum that they belong to.

    Only the sum gets that name. In `x_bar = y_bar * dy_dx + z_bar * dz_dx` all three
    values were hinted `x_bar`; the two products are returned. Sums in loops keep their
    names.
    """
    found: set[Var] = set()
    made = {s.out for s in body if isinstance(s, Apply)}
    sums: dict[Var, str] = {}  # terms without a name that are sums themselves
    for statement in reversed(body):
        if not isinstance(statement, Apply) or statement.op.name not in _LINEAR:
            continue
        out = statement.out
        name = sums.get(out, "") if out.named or not out.hint else out.hint
        args = (a for a in statement.args if type(a) is Var)
        terms = [a for a in args if a in made and not a.named]
        found.update(a for a in terms if name and a.hint == name)
        sums.update((a, name) for a in terms if not a.hint)
    return found


_LINEAR = frozenset({"add", "sub", "neg"})
