"""Refusals (AD124) of a write to an array, list or dict that another name reads.

`heap.aliases` notes which ones may be one object; see `read/machine/aliases.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container
from ad_transform.later import later
from ad_transform.read.machine.context import Context
from ad_transform.read.rows.written_rows import written_rows
from ad_transform.read.values.storage import Array, Cell
from ad_transform.read.values.structured import STRUCTURED
from ad_transform.read.values.values import Value

with later():
    from ad_transform.read.objects import homes
    from ad_transform.read.rows import row_writes


def refuse_aliases(flat: Context, result: Value, span: Span) -> None:
    """Report AD124 for every look, those at the result included, behind a write to an
    array that may be the same.
    """
    _look_at_all(flat, result, span)
    homes.refuse_moved(flat)
    if flat.layouts:  # else no list is written through a view
        row_writes.note_views(flat)
    aliases = flat.heap.aliases
    rows = list(written_rows(aliases))
    outs = {out.cell for out in aliases.outs}
    for look, matrix in rows:
        if look.cell in outs:
            row_writes.begin_live(flat, matrix)
    said: set[Span] = set()
    for walk in aliases.longer():
        refuse_longer(flat, walk.cell, walk.span)
        said.add(walk.span)
    for look, other in (*aliases.conflicts(), *rows):
        if look.span not in said:
            said.add(look.span)
            message, help_ = _told(flat, look.cell, other)
            flat.refuse("AD124", message, look.span, help_)


def _look_at_all(flat: Context, result: Value, span: Span) -> None:
    """Note a read of every array in a result."""
    stack, seen = [result], set[int]()
    while stack:
        value = stack.pop()
        if isinstance(value, STRUCTURED) and id(value) not in seen:  # each one once
            seen.add(id(value))
            stack += value.items
        elif isinstance(value, Array):
            flat.heap.aliases.look(value.cell, span)


def refuse_longer(flat: Context, cell: Cell, span: Span) -> None:
    """Refuse a loop over a list that may grow in the loop."""
    message = f"{cell.hint or 'a list'!r} may grow while a loop goes over it"
    help_ = "go over a copy, `list(u)`, or over indices with `while`"
    flat.refuse("AD107", message, span, help_)


def _told(flat: Context, one: Cell, other: Cell) -> tuple[str, str]:
    """The message and the help for two cells that may be one object."""
    aliases = flat.heap.aliases
    copies = [share.row for share in aliases.shares if share.is_copy]
    row = next((cell for cell in (one, other) if cell in copies), None)
    written = {write.matrix for write in aliases.row_writes}
    is_of_lists = row is None and not written.isdisjoint((one, other))
    if is_of_lists or (row in {out.cell for out in aliases.outs} and not row.hint):
        return (
            "a list in a list of lists is written, and something else has it, too",
            "copy the lists: `[list(r) for r in u]`, `{k: list(d[k]) for k in d}`",
        )
    if row is not None:
        name = row.hint or "row"
        return (
            f"{name!r} is written, and has become an item of a list before",
            f"append it once it is filled, or a copy: `hist.append({name}.copy())`",
        )
    words = [cell.hint for cell in (one, other) if cell.hint]
    if not flat.heap.of_dicts.isdisjoint((one.span, other.span)):
        words = [word.rpartition("_")[0] for word in words]
        help_ = "write to each by its own name: `if c: d[k] = v`, `else: e[k] = v`"
        return _may_be_one("dict", words), _of_view(flat, one, other) or help_
    kind = "array" if Container.ARRAY in (one.container, other.container) else "list"
    name = words[0] if words else "y"
    help_ = f"let one of them be a copy where it gets its name: `{name}.copy()`"
    return _may_be_one(kind, words), _of_view(flat, one, other) or help_


def _may_be_one(kind: str, words: Sequence[str]) -> str:
    """The message for two arrays, lists or dicts, by the names that they have."""
    names = dict.fromkeys(words)
    said = " and ".join(map(repr, names)) or f"two {kind}s"
    if len(names) == 1:
        said += f" and another {kind}"
    return f"{said} may be the same {kind} here, and one is written"


def _of_view(flat: Context, one: Cell, other: Cell) -> str | None:
    """The help for a view and its array; None for two cells of which none is a view."""
    laid = flat.heap.aliases.laid
    help_ = None
    for view, array in ((one, laid.get(one)), (other, laid.get(other))):
        if array is not None and array in (one, other):
            by = f"by {view.hint!r} alone" if view.hint else "by a name of the view"
            whole = repr(array.hint) if array.hint else "the array"
            help_ = f"write to {whole} itself, or both write and read {by}"
    return help_
