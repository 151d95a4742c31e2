"""Loops whose trips make lists that die with them: their memory is given back.

Python frees such lists by itself. Here a trip ends with a sweep over the blocks that
have come since the loop began: those of lists that the next trip goes on with stay.
Where trips also record, memory grows with their number anyway, and nothing is swept;
loops that hold few of their states hold these alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.emit.c.declarations import Declared
from ad_transform.emit.compiled.expressions import Text
from ad_transform.emit.compiled.lists import list_name
from ad_transform.emit.compiled.liveness import changed_by
from ad_transform.emit.compiled.states import Parts, listed
from ad_transform.emit.schedule.lines import (
    Append,
    Do,
    For,
    Hold,
    HoldMore,
    Line,
    Resume,
    StartStates,
    Stops,
    Unpack,
    bound_by,
    pieces,
    walk,
)
from ad_transform.emit.schedule.pieces import values_in
from ad_transform.ir.nodes import Var

Names = Mapping[Var, str]


def swept(body: Sequence[Line], names: Names, made: Declared) -> list[str] | None:
    """The lists that a trip hands on, if it makes lists that die with it; else None.

    Linear in the size of the body.
    """
    lines = list(walk(body))
    makes = [v for ln in lines for v in changed_by(ln) if v.type.dims]
    if not makes or any(map(_keeps, lines)) or any(len(v.type.dims) > 1 for v in makes):
        return None
    if not any(_allocates(line) for line in lines):
        return None
    own = _declared_in(lines, names, made)
    return list(dict.fromkeys(names[v] for v in makes if names[v] not in own))


def _declared_in(lines: Sequence[Line], names: Names, made: Declared) -> set[str]:
    """The names that live as long as these lines."""
    own = {name for line in lines for name in made.with_it.get(line, ())}
    own.update(name for line in lines for name, _ in made.before.get(line, ()))
    own.update(names[v] for ln in lines if isinstance(ln, For) for v in bound_by(ln))
    return own


def outliving(
    body: Sequence[Line], names: Names, made: Declared, states: Mapping[str, Parts]
) -> tuple[list[str], list[Parts]] | None:
    """The lists that outlive a trip of a loop that holds few of its states, or resumes
    from them: those that it reads or makes, and those of its states, from `states`.
    None where no trip makes lists, or where there are lists of lists.
    """
    here = [ln for ln in body if isinstance(ln, Hold | HoldMore | Resume)]
    parts = [states[names[v]] for ln in here for v in values_in((ln.states,))]
    if not parts:
        return None
    lines = list(walk(body))
    state = (Hold, HoldMore, StartStates, Stops)
    makes = [v for ln in lines if not isinstance(ln, state) for v in changed_by(ln)]
    reads = [v for ln in lines for v in values_in(pieces(ln))]
    types = [v.type for v in (*makes, *reads)]
    types += [type_ for own in parts for _, type_ in own]
    if any(len(type_.dims) > 1 for type_ in types):
        return None
    if not any(v.type.dims for v in makes):
        return None
    own = _declared_in(lines, names, made)
    lists = (names[v] for v in (*makes, *reads) if v.type.dims)
    return [name for name in dict.fromkeys(lists) if name not in own], parts


def staying(
    memory: str, mark: str, parts: Sequence[Parts]
) -> tuple[list[str], list[str]]:
    """Statements that let the states' arrays outlive a sweep, and the other lists."""
    calls: list[str] = []
    plain: list[str] = []
    for name, type_ in (one for own in parts for one in own):
        if type_.dims:
            kind = list_name(listed(type_))
            calls.append(f"ad_stay_{kind}({memory}, {mark}, {name});")
        else:
            plain.append(name)
    return calls, plain


def _keeps(line: Line) -> bool:
    """Whether a line may leave a new list in an older one."""
    if isinstance(line, Append | Unpack):
        return True
    found = [piece for piece in pieces(line) if isinstance(piece, Text)]
    if any(piece.risky for piece in found):  # a call
        return True
    grows = any(piece.fails for piece in found)
    held = [a for p in found for a in p.args[1:2] if a.var is not None]
    stores = any(a.is_atom and a.var is not None and a.var.type.dims for a in held)
    return isinstance(line, Do) and (grows or stores)


def _allocates(line: Line) -> bool:
    return any(isinstance(piece, Text) and piece.fails for piece in pieces(line))
