"""Checks of the law of the IR: in small programs always, in others on demand.

Every pass ends with a call of `held` or `held_body`. Under `every_pass` (the command's
`--debug`, and every test) they verify what they are given; else only whole functions of
at most `SMALL` statements are verified, which takes no time to speak of. What they
raise, `ir.verify.LawBroken`, is an internal error.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ad_transform.ir.nodes import (
    LEAF,
    Block,
    Bundle,
    Container,
    Function,
    Nest,
    Operand,
    Parameter,
    Statement,
)
from ad_transform.later import later

with later():
    from ad_transform.ir.blocks.free import free
    from ad_transform.ir.statement_law import is_plain_run
    from ad_transform.ir.verify import Lawful, is_lawful, verify, verify_bundle

SMALL = 100
"""Statements of a program that is always verified, inner ones included."""

_asked: list[None] = []

_verified: dict[tuple[int, int], tuple[object, object]] = {}
"""Bodies and results that were verified of late, by their identity alone. They are held
here, so that nothing else has that identity.
"""

_MOST = 1_000
"""Bodies that are held so."""

_latest: list[Function] = []
"""The function that was verified last: most passes give it back as it is."""

_lawful: list[Lawful] = []
"""The parts verified of late, where every pass is: most of a pass's program was there
before it.
"""

_MOST_STATEMENTS = 50_000
"""Statements that are held so, and with them their blocks."""


@contextmanager
def every_pass() -> Iterator[None]:
    """A context in which every function made is verified, drafts included."""
    _asked.append(None)
    try:
        yield
    finally:
        _asked.pop()
        _verified.clear()
        del _lawful[:]


def held(function: Function) -> Function:
    """The function, which is under the law."""
    is_new = not any(function is known for known in _latest)
    if is_new and (_asked or _is_small(function)):
        verify(function, _known())
        _latest[:] = [function]
    return function


def held_bundle(bundle: Bundle) -> Bundle:
    """The bundle, whose functions are under the law, and so are their calls."""
    if _asked or all(map(_is_small, bundle.functions)):
        verify_bundle(bundle, _known())
    return bundle


def held_body(body: tuple[Statement, ...], results: tuple[Operand, ...]) -> None:
    """Nothing, if statements and results over any values from outside are lawful."""
    known = id(body), id(results)
    if _asked and known not in _verified:
        if not is_plain_run(body) or any(r.type.dims for r in results):
            block = Block(free(body, results), body, results)
            if not is_lawful(block, _known()):
                verify(_function(block))
        if len(_verified) >= _MOST:
            _verified.clear()
        _verified[known] = body, results


def _known() -> Lawful | None:
    """The memory of verified parts, where every pass is verified; else None."""
    if not _asked:
        return None
    if not _lawful:
        _lawful.append(Lawful())
    if len(_lawful[0].statements) >= _MOST_STATEMENTS:
        _lawful[0].clear()
    return _lawful[0]


def _function(block: Block) -> Function:
    """A function around a block, for the message of a broken law."""
    parameters = tuple(
        Parameter(p.hint or f"p{k}", (p,)) for k, p in enumerate(block.params)
    )
    nest = Nest(Container.TUPLE, (LEAF,) * len(block.results))
    return Function("pass", parameters, block, nest)


def _is_small(function: Function) -> bool:
    left = SMALL
    waiting = [function.block]
    while waiting:
        block = waiting.pop()
        left -= len(block.body)
        if left < 0:
            return False
        for k in block.holders:
            waiting += block.body[k].blocks
    return True
