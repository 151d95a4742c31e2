"""Numbers of uses, which decide about nesting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from ad_transform.emit.schedule.arm_lists import Begin, Keep, TakeBack
from ad_transform.emit.schedule.items import Items, unread_end
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.loops.ends import needs_index
from ad_transform.ir.nodes import (
    Apply,
    Branch,
    Call,
    Check,
    Function,
    Open,
    Operand,
    Print,
    Record,
    Scan,
    Statement,
    Var,
    While,
    walk,
)
from ad_transform.ir.types import INT
from ad_transform.later import later

with later():
    from ad_transform.emit.schedule.going_on import left_out

OfOperands = Callable[[Elemental, int], tuple[int, ...]]
"""The evaluations of each of so many operands by a target's spelling of an elemental.
"""


def count_uses(
    function: Function,
    evaluated: OfOperands,
    items: Mapping[Statement, Items],
) -> Counter[Var]:
    """The number of uses of each value; a value with two uses gets a name.

    `items` are loops that go over items. A use counts twice where only a name or a
    literal may stand: an operand that a spelling repeats (`x * x`) or may not evaluate,
    and whatever enters a branch or a loop.
    """
    uses: Counter[Var] = Counter()
    nests: list[Statement] = []
    for statement in walk(function.body):
        for operand, weight in _uses(statement, evaluated):
            if type(operand) is Var:
                uses[operand] = uses.get(operand, 0) + weight
        if statement.blocks:
            for block in statement.blocks:
                uses.update(r for r in block.results if isinstance(r, Var))
            uses.subtract(left_out(statement))
            if statement in items:
                uses.subtract(unread_end(statement, items[statement]))
            if items and isinstance(statement, Branch | Scan | While):
                nests.append(statement)
    uses.update(r for r in function.results if isinstance(r, Var))
    for nest in reversed(nests):  # inner ones first
        uses.subtract(_unread(nest, uses))
    for statement in reversed(walk(function.body)) if items else ():
        if type(statement) is Apply and is_idle(statement, uses):
            uses.subtract(a for a in statement.args if isinstance(a, Var))
    return uses


def is_idle(statement: Apply, uses: Mapping[Var, int]) -> bool:
    """Whether it is a length, or made of one, that nothing reads, since loops go over
    items; or a list that was made for its length.
    """
    name = statement.op.name
    return not uses[statement.out] and (
        name == "full" or (name in _COUNTING and statement.out.type == INT)
    )


_COUNTING = frozenset({"size", "add", "sub"})


def _unread(nest: Statement, uses: Mapping[Var, int]) -> Counter[Var]:
    """The lengths that a loop or a branch is given and that no block in it reads, since
    loops go over items.
    """
    given, first = _given(nest)
    found: Counter[Var] = Counter()
    for k, operand in enumerate(given):
        if operand.type != INT or not isinstance(operand, Var):
            continue
        params = {block.params[first + k] for block in nest.blocks}
        own = 2 if operand in params else 0  # the use here, where it keeps its name
        if not any(uses.get(param, 0) - own * (param is operand) for param in params):
            found[operand] += 2
    return found


def _given(nest: Statement) -> tuple[Sequence[Operand], int]:
    """The operands that blocks of a branch or loop only read, and the place of the
    first of these among their parameters.
    """
    if isinstance(nest, Branch):
        return nest.args, 0
    assert isinstance(nest, Scan | While)
    return nest.reads, nest.first_read


def _uses(statement: Statement, evaluated: OfOperands) -> Iterable[tuple[Operand, int]]:
    if type(statement) is Apply:  # nearly always
        args = statement.args
        return zip(args, evaluated(statement.op, len(args)), strict=True)
    match statement:
        case Branch(test=test, args=args):
            return _weighted((test,), args)
        case Call(args=args) | Record(args=args):
            return _weighted(args, ())
        case Open(record=record):
            return _weighted((record,), ())
        case Check(test=test, message=message):
            return _weighted((test,), [m for m in message if not isinstance(m, str)])
        case Print(message=message):
            values = [m for m in message if not isinstance(m, str)]
            return _weighted(*((values, ()) if len(message) == 1 else ((), values)))
        case Scan(carries=carries, reads=reads, entries=entries):
            bounds = (statement.start, statement.stop, statement.step)
            ends = bounds if needs_index(statement) else ()
            if statement.snapshots is not None:  # it may say them several times
                return _weighted(carries, (*bounds, *reads, *entries))
            return _weighted((*ends, *carries), (*reads, *entries))
        case While(carries=carries, reads=reads):
            return _weighted(carries, reads)
        case Begin() | TakeBack():
            return ()
        case Keep(args=args):
            return _weighted(args, ())
    raise AssertionError(statement)


def _weighted(
    once: Sequence[Operand], several: Sequence[Operand]
) -> list[tuple[Operand, int]]:
    return [*((operand, 1) for operand in once), *((operand, 2) for operand in several)]
