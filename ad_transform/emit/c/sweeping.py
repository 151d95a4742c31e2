"""Loops whose trips make lists that die with them: their memory is given back.

Python frees such lists by itself. Here a trip ends with a sweep over the blocks that
have come since the loop began: those of lists that the next trip goes on with stay.
Where trips also record, memory grows with their number anyway, and nothing is swept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.emit.c.declarations import Declared
from ad_transform.emit.compiled.expressions import Text
from ad_transform.emit.compiled.liveness import changed_by
from ad_transform.emit.schedule.lines import (
    Append,
    Do,
    For,
    Line,
    Unpack,
    bound_by,
    pieces,
    walk,
)
from ad_transform.ir.nodes import Var

Names = Mapping[Var, str]


def swept(body: Sequence[Line], names: Names, made: Declared) -> list[str] | None:
    """The lists that a trip hands on, where it makes lists that die with it; else None.

    Linear in the size of the body.
    """
    lines = list(walk(body))
    makes = [v for ln in lines for v in changed_by(ln) if v.type.dims]
    if not makes or any(map(_keeps, lines)) or any(len(v.type.dims) > 1 for v in makes):
        return None
    if not any(_allocates(line) for line in lines):
        return None
    own = {name for line in lines for name in made.with_it.get(line, ())}
    own.update(name for line in lines for name, _ in made.before.get(line, ()))
    own.update(names[v] for ln in lines if isinstance(ln, For) for v in bound_by(ln))
    return list(dict.fromkeys(names[v] for v in makes if names[v] not in own))


def _keeps(line: Line) -> bool:
    """Whether a line may let something older hold what is new."""
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
