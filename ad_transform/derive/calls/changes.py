"""Arrays that the functions of a bundle change for their callers, if they may."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.consumed import changed_by
from ad_transform.ir.blocks.inner import changed_inside
from ad_transform.ir.called import steps_of
from ad_transform.ir.nodes import (
    Block,
    Bundle,
    Call,
    Function,
    Statement,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.verify import LawBroken, Lawful, verify_bundle

Changes = Mapping[str, tuple[int, ...]]
"""The places of the arrays that functions change, by their names."""


def own_functions(bundle: Bundle) -> list[Function]:
    """The functions that are looked into and are reached by calls alone."""
    steps = steps_of(bundle.functions)
    return [f for f in bundle.before if f.outside is None and f.name not in steps]


def with_changes(bundle: Bundle, known: Lawful) -> Bundle | None:
    """The bundle whose calls name the arguments that the functions change. None where
    such an argument is read behind the call, or the main function changes more than
    before.
    """
    names = {function.name for function in own_functions(bundle)}
    changes: Changes = dict.fromkeys(names, ())
    before = changed_by(bundle.main)
    while True:
        made = _saying(bundle, changes)
        found = {f.name: changed_by(f) for f in made.before if f.name in names}
        if found == changes:
            break
        changes = found
    if changed_by(made.main) != before:
        return None
    try:
        verify_bundle(made, known)
    except LawBroken:
        return None
    return made


def _saying(bundle: Bundle, changes: Changes) -> Bundle:
    main, *before = (
        f
        if f.outside is not None
        else replace(f, block=bounce(_block(f.block, changes)))
        for f in (bundle.main, *bundle.before)
    )
    return Bundle(main, tuple(before))


def _block(block: Block, changes: Changes) -> Task[Block]:
    inside = yield from changed_inside(block, lambda inner: _block(inner, changes))
    return replace(block, body=tuple(_told(s, changes) for s in inside))


def _told(statement: Statement, changes: Changes) -> Statement:
    if not isinstance(statement, Call) or statement.callee not in changes:
        return statement
    return replace(statement, changes=changes[statement.callee])
