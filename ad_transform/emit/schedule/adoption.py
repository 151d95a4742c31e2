"""A value that a branch gives a carry is bound to the carry's name in its arms.

Instead of `if c: x_2 = y` `else: x_2 = x` and `x = x_2` behind it, a loop says
`if c: x = y`, as people write it. For that, nothing may read the old value behind the
new definition, which moves to the end of its arm if need be. An arm that has nothing to
do at the end of a trip is `continue`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.emit.schedule.carried_on import over, updates
from ad_transform.emit.schedule.idle import has_own_notes
from ad_transform.emit.schedule.lines import (
    Bind,
    Continue,
    If,
    Line,
    Update,
    bound_by,
    read_by,
    walk,
)
from ad_transform.emit.schedule.pieces import Piece, values_in
from ad_transform.emit.schedule.reuse import fits, reads, writes
from ad_transform.emit.schedule.trip_values import Values
from ad_transform.ir.nodes import Var
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import Type


def adopted(lines: list[Line], columns: Callable[[Var], int]) -> list[Line]:
    """The lines of a trip with values of branches bound to the names of carries.

    Quadratic only in the number of carries that branches give.
    """
    pairs = ((at, _handed_on(line)) for at, line in enumerate(lines))
    handed = [
        (at, *pair) for at, pair in pairs if pair is not None and fits(*pair, columns)
    ]
    if not handed or not any(isinstance(line, If) for line in lines):
        return lines
    found = list(lines)
    values = Values(lines)
    gone: set[int] = set()
    for at, name, value in handed:
        place = _branch_of(found, value, values)
        if place is None or values.next_read(name, place) < at:
            continue
        if _adopt(found, place, name, value, values):
            gone.add(at)
            values.drop(name, at)
    return [line for at, line in enumerate(found) if at not in gone]


def _adopt(
    lines: list[Line], place: int, name: Var, value: Var, values: Values
) -> bool:
    """Let the branch at a place bind a name instead of a value, if it can."""
    branch = lines[place]
    assert isinstance(branch, If)
    inside, binding = bounce(_search(branch, value, values))
    if inside != values.times[value] or binding is None:
        return False  # something else binds it
    renamed = bounce(_renamed(branch, name, value, binding))
    if renamed is None:
        return False
    lines[place] = renamed
    values.rename(value, name)
    values.look(name, place, renamed)
    return True


def alike(lines: list[Line], columns: Callable[[Var], int]) -> list[Line]:
    """The lines of a trip whose branches bind a carry in place of a value with its
    name: an arm says `s = s + x`, not `s_2 = s + x`, where `s = s_2 + y` follows. A
    value without a name counts where an arm keeps the carry: `s_2 = s`.

    Quadratic only in the number of carries of one name.
    """
    if not any(isinstance(line, If) for line in lines):
        return lines
    carries: dict[tuple[str, Type], list[Var]] = {}
    hints: set[str] = set()
    for line in walk(lines):
        if isinstance(line, Update) and len(line.vars) == 1:
            (name,) = line.vars
            same = carries.setdefault((name.hint, name.type), [])
            if name not in same:
                same.append(name)
        else:
            hints.update([var.hint for var in bound_by(line)])
    going_on = _going_on(lines)
    if not going_on and not any(hint in hints for hint, _ in carries):
        return lines
    found = list(lines)
    values = Values(lines)
    for place in reversed(range(len(found))):
        for value in _values(found[place], carries, going_on, values):
            names = carries[value.hint, value.type] if value.hint else going_on[value]
            for name in names:
                change = _changed(found, place, name, value, values)
                if change is None or not fits(name, value, columns):
                    continue
                at, line = change
                if _adopt(found, place, name, value, values):
                    found[at] = bounce(_without_idle(line))
                    values.look(name, at, found[at])
                    break
    return found


def _going_on(lines: Sequence[Line]) -> dict[Var, list[Var]]:
    """The values without a name that an arm binds to a carry as it is, with those of
    these carries that change behind the branch in terms of the value.
    """
    kept: dict[Var, list[Var]] = {}
    for line in lines:
        for one in walk((line,)) if isinstance(line, If) else ():
            if isinstance(one, Bind) and not one.var.hint and one.value.is_atom:
                name = one.value.var
                if name is not None and name.type == one.var.type:
                    kept.setdefault(one.var, []).append(name)
    found: dict[Var, list[Var]] = {}
    for line in lines if kept else ():
        if isinstance(line, Update) and len(line.vars) == 1:
            for value in dict.fromkeys(read_by(line)):
                if line.vars[0] in kept.get(value, ()):
                    found.setdefault(value, []).append(line.vars[0])
    return found


def _values(
    line: Line,
    carries: Container[tuple[str, Type]],
    going_on: Container[Var],
    values: Values,
) -> list[Var]:
    """The values that a branch binds once in each of its arms, and that have the name
    of a carry or may go on with it.
    """
    if not isinstance(line, If):
        return []
    both = frozenset[Var]().union(*map(values.bound, line.orelse))
    bound = dict.fromkeys(
        v
        for one in walk(line.then)
        for v in bound_by(one)
        if v in both and ((v.hint, v.type) in carries if v.hint else v in going_on)
    )
    return [v for v in bound if bounce(_search(line, v, values))[1]]


def _changed(
    lines: Sequence[Line], place: int, name: Var, value: Var, values: Values
) -> tuple[int, Line] | None:
    """The line that binds a name again behind a branch that could bind it to a value,
    with its place. Nothing reads the old value of the name before that line, nor the
    value behind it.
    """
    at = values.next_bound(name, place)
    if at is None or values.next_read(name, place) < at:
        return None
    grows = value.named or values.next_read(value, at - 1) == at
    if not grows or values.next_read(value, at) < len(lines):
        return None
    change = bounce(_last(lines[at], name, value))
    return None if change is None else (at, change)


def _last(line: Line, name: Var, value: Var) -> Task[Line | None]:
    """A line that binds a name for certain, behind all that reads a value, and without
    reading the old one; None where it does not.
    """
    if name in read_by(line):
        return None
    if isinstance(line, Update):
        return line if line.vars == (name,) else None
    if not isinstance(line, If):
        return None
    arms: list[list[Line]] = []
    for arm in (line.then, line.orelse):
        places = [k for k, one in enumerate(arm) if writes((one,), name)]
        if len(places) != 1:
            return None
        (place,) = places
        before, behind = arm[:place], arm[place + 1 :]
        change = yield _last(arm[place], name, value)
        if change is None or name in reads(before):
            return None
        if value not in reads(behind):
            arms.append([*before, change, *behind])
        elif _may_follow(change, behind):
            arms.append([*before, *behind, change])
        else:
            return None
    then, orelse = arms
    return replace(line, then=then, orelse=orelse)


def _without_idle(line: Line) -> Task[Line]:
    """A line without those in it that bind a name to itself."""
    if not isinstance(line, If):
        return line
    arms: list[list[Line]] = []
    for arm in (line.then, line.orelse):
        kept: list[Line] = []
        for one in arm:
            if not _is_idle(one):
                kept.append((yield _without_idle(one)))
        arms.append(kept)
    then, orelse = arms
    return replace(line, then=then, orelse=orelse)


def _is_idle(line: Line) -> bool:
    pair = _handed_on(line)
    return pair is not None and pair[0] is pair[1]


def _handed_on(line: Line) -> tuple[Var, Var] | None:
    """The carry that a line binds to a named value, and the value."""
    match line:
        case Update(vars=(name,), values=(piece,)) if piece.is_atom and piece.var:
            return name, piece.var
    return None


def _branch_of(lines: Sequence[Line], value: Var, values: Values) -> int | None:
    """The place of the branch that binds a value once in each of its arms."""
    for place in values.places(value):
        line = lines[place]
        if isinstance(line, If) and bounce(_search(line, value, values))[1]:
            return place
    return None


@dataclass(frozen=True, slots=True)
class _Binding:
    """The places of the lines in `then` and `orelse` that bind a value for certain;
    `inside` has the places in those lines that are branches.
    """

    places: tuple[int, int]
    inside: tuple[_Binding | None, _Binding | None]

    def arms(self, branch: If) -> Iterator[tuple[Sequence[Line], int, _Binding | None]]:
        """Each arm with the place of its line and the binding inside of that line."""
        return zip((branch.then, branch.orelse), self.places, self.inside, strict=True)


def _search(
    branch: If, value: Var, values: Values
) -> Task[tuple[int, _Binding | None]]:
    """The number of times that a branch binds a value, and the places if each arm does
    so once, and behind that only in loops that carry the value. Linear in the lines
    beside those that bind.
    """
    if value not in values.bound(branch):
        return 0, None
    then = yield _search_arm(branch.then, value, values)
    orelse = yield _search_arm(branch.orelse, value, values)
    times = then[0] + orelse[0]
    if then[1] is None or orelse[1] is None:
        return times, None
    return times, _Binding((then[1], orelse[1]), (then[2], orelse[2]))


def _search_arm(
    arm: Sequence[Line], value: Var, values: Values
) -> Task[tuple[int, int | None, _Binding | None]]:
    """The number of times that an arm binds a value, the place of the only line that
    binds it for certain, and the binding inside of that line if it is a branch.
    """
    times = 0
    place: int | None = None
    inside: _Binding | None = None
    lines = 0
    for k, line in enumerate(arm):
        binding = None
        if isinstance(line, Bind):
            found = int(line.var is value)
            # a comment would be alone where the name has the value already
            goes = (
                line.value.is_atom
                and line.value.var is not None
                and has_own_notes(line)
            )
            certain = not (goes or line.annotated)
        elif isinstance(line, If):
            found, binding = yield _search(line, value, values)
            certain = binding is not None
        elif value in values.bound(line):
            found, certain = writes((line,), value), False
            if place is not None and updates(line, value):
                times += found
                continue
        else:
            continue
        if found:
            times += found
            lines += 1
            place, inside = (k, binding) if certain else (None, None)
    return (times, place, inside) if lines == 1 else (times, None, None)


def _renamed(branch: If, name: Var, value: Var, binding: _Binding) -> Task[If | None]:
    """The branch that binds a name in place of a value, and binds nothing where the
    name has that value already. None where an arm reads the name's old value behind.
    """
    arms: list[list[Line]] = []
    for arm, place, inside in binding.arms(branch):
        line, before, behind = arm[place], arm[:place], arm[place + 1 :]
        last = name in reads(behind)
        if last and not _may_follow(line, behind):
            return None
        new: list[Line] = []
        if isinstance(line, If):
            assert inside is not None
            renamed = yield _renamed(line, name, value, inside)
            if renamed is None:
                return None
            new = [renamed]
        elif isinstance(line, Bind) and not _is(line.value, name):
            new = [Update((name,), (line.value,), line.notes)]
        after = [over(one, value, name) for one in behind]
        arms.append([*before, *after, *new] if last else [*before, *new, *after])
    then, orelse = arms
    return replace(branch, then=then, orelse=orelse)


def _is(piece: Piece, name: Var) -> bool:
    return piece.is_atom and piece.var is name


def _may_follow(line: Line, others: Sequence[Line]) -> bool:
    """Whether a line may stand behind others that bind numbers at the end of an arm."""
    bound: set[Var] = set()
    for other in others:
        pair = _binding_of(other)
        if pair is None or pair[1].reads:
            return False
        bound.add(pair[0])
    own = _binding_of(line)
    if own is None or own[1].reads or own[0] in bound.union(reads(others)):
        return False
    return bound.isdisjoint(values_in((own[1],)))


def _binding_of(line: Line) -> tuple[Var, Piece] | None:
    """The name that a line binds, with its value."""
    match line:
        case Bind(var=var, value=value):
            return var, value
        case Update(vars=(var,), values=(value,)):
            return var, value
    return None


def continued(lines: list[Line]) -> list[Line]:
    """The lines of a trip with `continue` in an empty first arm of its last branch."""
    last = lines[-1] if lines else None
    if not isinstance(last, If) or last.then or not last.orelse:
        return lines
    return [*lines[:-1], replace(last, then=[Continue()], orelse=[]), *last.orelse]
