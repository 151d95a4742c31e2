"""Ways out: a branch that ends a function returns in its arms, as people write it.

    if t < 0.0:                      if t < 0.0:
        value_case = p                   return p, p_dot
        case_p_dot = p_dot           base = 1.0 + t
    else:                            return base * p, ...
        base = 1.0 + t
        ...
    return value_case, case_p_dot

And where a loop is left for such an arm, the arm stands in the loop, without a flag.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ad_transform.dataclass import replace
from ad_transform.emit.schedule.homes import touched
from ad_transform.emit.schedule.lines import (
    Bind,
    Break,
    Do,
    For,
    Hold,
    HoldMore,
    If,
    Line,
    Loop,
    Resume,
    Return,
    Update,
    bound_by,
    read_by,
    walk,
)
from ad_transform.emit.schedule.pieces import Piece, values_in
from ad_transform.ir.nodes import Branch, Function, Statement, Var
from ad_transform.ir.types import RECORD

Pieces = Sequence[Piece]
Fits = Callable[[Pieces, int], bool]
"""Whether values fit a line of `return` at a depth."""


MOST = 100
"""The most ways out with returns in them."""

DEEPEST = 40
"""The most arms in arms with returns in them."""


def endings(function: Function) -> frozenset[Statement]:
    """The branches that end a function, one in the last arm of the other, which give
    all that it returns: their last arms are not indented.
    """
    found: list[Statement] = []
    block = function.block
    while len(found) < MOST and block.body:
        last = block.body[-1]
        values = [r for r in block.results if isinstance(r, Var)]
        if not isinstance(last, Branch) or not values:
            break
        if any(value not in last.outs for value in values):
            break
        found.append(last)
        block = last.orelse
    return frozenset(found)


def returning(
    lines: Sequence[Line], results: Pieces, fits: Fits, deepest: int = DEEPEST
) -> tuple[list[Line], Pieces]:
    """The lines of a function with returns in the arms of the branch that they end
    with, and the results that are returned behind them. Linear in the lines.
    """
    found: list[Line] = []
    body = list(lines)
    for _ in range(MOST):
        last = _last(body, results) if deepest else None
        if last is None:
            break
        found += body[:-1]
        then, ends = _ended(last.then, results, fits, 2)
        arm, own = returning(then, ends, lambda p, d: fits(p, d + 1), deepest - 1)
        found.append(replace(last, then=[*arm, Return(tuple(own))], orelse=[]))
        body, results = _ended(last.orelse, results, fits, 1)
    return _in_place([*found, *body], results), results


def _last(body: Sequence[Line], results: Pieces) -> If | None:
    """The branch at the end of a body, if its values are all that is returned."""
    last = body[-1] if body else None
    return last if isinstance(last, If) and _hands_on(last, results) else None


def _hands_on(branch: If, results: Pieces) -> bool:
    """Whether values of a branch, at least one, are returned as they are, and no result
    computes with them, as both arms would have to. Results may read lists that an arm
    changes.
    """
    arms = (branch.then, branch.orelse)
    given = [{v for line in walk(arm) for v in bound_by(line)} for arm in arms]
    ends = {p.var for p in results if p.is_atom and p.var in given[0] & given[1]}
    inside = given[0] | given[1]
    others = [p for p in results if not (p.is_atom and p.var in ends)]
    numbers = (v for v in values_in(others) if not v.type.dims)
    is_whole = all(p.is_atom for p in others) and inside.isdisjoint(numbers)
    return bool(ends) and is_whole


def _ended(
    arm: Sequence[Line], results: Pieces, fits: Fits, depth: int
) -> tuple[list[Line], Pieces]:
    """An arm and its results: the values bound last stand there without a name if that
    fits; numbers never have one.
    """
    read = Counter(v for line in walk(arm) for v in read_by(line))
    given = Counter(values_in(results))
    read.update(given)
    last: list[Bind] = []
    for line in reversed(arm):
        if not isinstance(line, Bind) or line.notes or not given[line.var]:
            break
        if line.annotated and line.var.type != RECORD:  # nothing else tells its type
            break
        if read[line.var] != (given[line.var] if _is_number(line.value) else 1):
            break
        last.insert(0, line)
    body = list(arm[: len(arm) - len(last)])
    ends = _over(results, last)
    if fits(ends, depth):
        return body, ends
    named = [line for line in last if not line.value.is_atom]
    return [*body, *named], _over(results, [n for n in last if n not in named])


def _is_number(piece: Piece) -> bool:
    """Whether a piece is a number that is written out, or has the name of one."""
    return piece.is_atom and piece.var is None


def _over(results: Pieces, lines: Sequence[Bind]) -> Pieces:
    """The results, with the values that lines bind in place of their names."""
    values = {line.var: line.value for line in lines}
    return [values.get(p.var, p) if p.is_atom and p.var else p for p in results]


# --- out of loops ---------------------------------------------------------------------


def _in_place(lines: list[Line], results: Pieces) -> list[Line]:
    """The lines with a return inside the loop that is left for it; the results are
    returned behind them. Values made between the loop and the return, which need
    nothing of the loop, are made in front of it.
    """
    returned = set(values_in(results))
    for place, line in enumerate(lines[1:], 1):
        way = _way(line)
        if way is None:
            continue
        first = _first_between(lines, place)
        loop, between = lines[first - 1], lines[first:place]
        if not isinstance(loop, For | Loop) or not _is_apart(between, loop):
            continue
        flag, end = way
        raised = [each for each in walk(loop.body) if flag in _updated(each)]
        if len(raised) != 1 or _count(lines, flag) != 1:
            continue
        body = _left_for(loop.body, raised[0], end, 2)
        if body is not None:
            made = replace(loop, body=body)
            before = [*lines[: first - 1], *between]
            found = [*before, made, *lines[place + 1 :]]
            return [
                each
                for each in found
                if returned.intersection(bound_by(each))
                or not _is_idle(each, found, made)
            ]
    return lines


def _first_between(lines: Sequence[Line], place: int) -> int:
    """The place of the first of the values that are made right in front of a line."""
    while place > 1 and isinstance(line := lines[place - 1], Bind):
        if not line.var.type.dims or line.notes:
            break
        place -= 1
    return place


def _is_apart(made: Sequence[Line], loop: For | Loop) -> bool:
    """Whether lines neither read a value that a loop changes, nor bind one that occurs
    there.
    """
    inside = walk([loop])
    changed = {v for one in inside for v in _changed(one)}
    said = changed.union(v for one in inside for v in read_by(one))
    return changed.isdisjoint(v for one in made for v in read_by(one)) and (
        said.isdisjoint(v for one in made for v in bound_by(one))
    )


def _changed(line: Line) -> Sequence[Var]:
    """The values that a line binds or may change."""
    found = (*bound_by(line), *touched(line))
    return (*found, *read_by(line)) if isinstance(line, _DOING) else found


_DOING = (Do, Hold, HoldMore, Resume)
"""Lines that may change lists that they read."""


def _way(line: Line) -> tuple[Var, Sequence[Line]] | None:
    """The flag that alone decides whether a function returns here, and the return with
    the values made for it.
    """
    match line:
        case If(test=Piece(is_atom=True, var=Var() as flag), then=[*made, Return()]):
            is_plain = not line.orelse and all(isinstance(one, Bind) for one in made)
            return (flag, line.then) if is_plain else None
    return None


def _count(lines: Sequence[Line], value: Var) -> int:
    return sum(v is value for line in walk(lines) for v in read_by(line))


def _updated(line: Line) -> tuple[Var, ...]:
    return line.vars if isinstance(line, Update) else ()


def _is_idle(line: Line, lines: Sequence[Line], loop: For | Loop) -> bool:
    """Whether a line binds a value that nothing reads but a loop that binds it anew."""
    if not isinstance(line, Bind) or any(line.var in _updated(x) for x in walk(lines)):
        return False
    own = isinstance(loop, For) and line.var is loop.index
    return _count(lines, line.var) == (_count(loop.body, line.var) if own else 0)


def _left_for(
    body: Sequence[Line],
    raised: Line,
    end: Sequence[Line],
    depth: int,
) -> list[Line] | None:
    """The body of a loop that returns and sets no flag in front of `break`."""
    if depth > DEEPEST:
        return None
    for k, line in enumerate(body):
        if line is raised:
            leaves = isinstance([*body, None][k + 1], Break)
            return [*body[:k], *end, *body[k + 2 :]] if leaves else None
        if not isinstance(line, If):
            continue
        then = _left_for(line.then, raised, end, depth + 1)
        orelse = _left_for(line.orelse, raised, end, depth + 1)
        if then is not None or orelse is not None:
            made = replace(line, then=then or line.then, orelse=orelse or line.orelse)
            return [*body[:k], made, *body[k + 1 :]]
    return None
