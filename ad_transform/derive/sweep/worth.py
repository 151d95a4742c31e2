"""The values that a first pass records for passes that follow, and those that each of
these computes again: the cheapest choice, as a minimum cut.

A record costs as much as a few operations on numbers. A value that is not handed over
is computed again from values that are, or that both passes have for nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.derive.sweep.cut import Network
from ad_transform.derive.sweep.recomputed import is_cheap
from ad_transform.ir.nodes import Apply, Operand, Statement, Var

RECORD = 2
"""The operations on numbers that cost as much as a record of one."""


@dataclass(frozen=True, slots=True)
class Handed:
    """Values that are handed over, and statements that are run again, in order."""

    saved: tuple[Var, ...]
    again: tuple[Apply, ...]


def handed_on(
    first: Sequence[Statement],
    needed: Iterable[Operand],
    free: Collection[Operand],
) -> Handed:
    """The cheapest way to have the `needed` values of a first pass later.

    Values in `free` cost nothing there. Arrays are changed or made at a price: none but
    free ones are read again, and none is made again.
    """
    makers = {
        s.out: s
        for s in first
        if type(s) is Apply and _may_run_again(s, free) and s.out not in free
    }
    wanted = [v for v in dict.fromkeys(needed) if isinstance(v, Var) and v not in free]
    network = Network(RECORD)
    for value in wanted:
        network.sink(value)
    waiting, seen, sources = [*wanted], set(wanted), []
    while waiting:
        value = waiting.pop()
        maker = makers.get(value)
        if maker is None:
            sources.append(value)
            continue
        network.source(value, 1)
        for arg in maker.args:
            if isinstance(arg, Var) and arg not in free:
                network.connect(arg, value)
                if arg not in seen:
                    seen.add(arg)
                    waiting.append(arg)
    recorded = network.cut(sources)
    if recorded is None:
        return Handed(tuple(wanted), ())
    return _handed(first, wanted, recorded, makers, free)


def _handed(
    first: Sequence[Statement],
    wanted: Sequence[Var],
    recorded: Sequence[Var],
    makers: dict[Var, Apply],
    free: Collection[Operand],
) -> Handed:
    """The choice for values on the cut: what is needed of it, in the order made."""
    known, kept = set(recorded), dict[Var, None]()
    again: set[Statement] = set()
    waiting, seen = [*wanted], set(wanted)
    while waiting:
        value = waiting.pop()
        if value in known:
            kept[value] = None
            continue
        again.add(makers[value])
        more = [a for a in makers[value].args if isinstance(a, Var) and a not in free]
        waiting += [a for a in more if a not in seen]
        seen.update(more)
    order = dict.fromkeys(o for s in first for o in s.outs)
    params = [v for v in kept if v not in order]
    made = [v for v in order if v in kept]
    return Handed((*params, *made), tuple(s for s in makers.values() if s in again))


def _may_run_again(statement: Apply, free: Collection[Operand]) -> bool:
    """Whether an operation gives a number, is cheap, and reads no array that may have
    changed.
    """
    if statement.out.type.is_array or not is_cheap(statement):
        return False
    return all(a in free for a in statement.args if a.type.is_array)
