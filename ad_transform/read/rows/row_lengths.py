"""The length of a list that a block of code has made: a sum of numbers.

A list begins with so many elements, and grows by one with each `append`, also in each
trip of a loop. Where the arms of a branch let it grow apart nothing is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import dataclass
from ad_transform.ir.nodes import Literal
from ad_transform.read.machine.drafts import (
    Carry,
    DraftApply,
    DraftChoice,
    DraftLoop,
    DraftStatement,
)
from ad_transform.read.values.values import Draft, Number


@dataclass(frozen=True, slots=True)
class Growth:
    """A list that has grown from a `root` that the block does not make, or None from
    nothing, by as many elements as the `terms` are together.
    """

    root: Draft | None
    terms: tuple[Number, ...]


_SAME = frozenset({"copy", "set"})
"""Operations on a list that leave its length."""


def growth(content: Draft, body: Sequence[DraftStatement]) -> Growth | None:
    """The growth of a list in a block; None where that is not known. Linear."""
    made = _made(body)
    root: Draft = content
    terms: tuple[Number, ...] = ()
    while root in made:
        match made[root]:
            case DraftApply(op=op, args=(_, *sizes)) if op.name == "full":
                return Growth(None, (*sizes, *terms)) if len(sizes) == 1 else None
            case DraftApply(op=op, args=args) if op.name == "pack":
                return Growth(None, (Literal(len(args)), *terms))
            case DraftApply(op=op, args=(Draft() as before, *_)) if op.name in _SAME:
                root = before
            case DraftApply(op=op, args=(Draft() as before, _)) if op.name == "append":
                root, terms = before, (Literal(1), *terms)
            case (DraftLoop() as loop, Carry(start=Draft() as before) as carry):
                more = _in_trips(loop, carry)
                if more is None:
                    return None
                root, terms = before, (*more, *terms)
            case (DraftChoice() as choice, int() as k):
                both = _in_arms(choice, k)
                if both is None or both.root is None:
                    return both and Growth(None, (*both.terms, *terms))
                root, terms = both.root, (*both.terms, *terms)
            case _:
                return None
    return Growth(root, terms)


def terms_of(content: Draft, body: Sequence[DraftStatement]) -> list[Number] | None:
    """The terms of the length of a list that a block makes, none of them the length of
    a list that it makes as well; a list that was there before stands for its length.
    None where they are not known.
    """
    grown = growth(content, body)
    if grown is None:
        return None
    made = _made(body)
    found: list[Number] = [] if grown.root is None else [grown.root]
    for term in grown.terms:
        match made.get(term) if isinstance(term, Draft) else None:
            case DraftApply(op=op, args=(Draft() as other,)) if op.name == "size":
                inner = terms_of(other, body)
                if inner is None:
                    return None
                found += inner
            case _:
                found.append(term)
    return found


def as_long(loop: DraftLoop, carry: Carry) -> bool:
    """Whether a list is as long after every trip as before it."""
    end = carry.end
    return isinstance(end, Draft) and terms_of(end, loop.body) == [carry.param]


def _in_trips(loop: DraftLoop, carry: Carry) -> tuple[Number, ...] | None:
    """The terms by which a list grows in all trips of a loop; None if they are not
    known.
    """
    if not isinstance(carry.end, Draft):
        return None
    trip = growth(carry.end, loop.body)
    if trip is None or trip.root is not carry.param:
        return None
    if not trip.terms:
        return ()
    match loop.bounds:
        case (Literal(value=0), trips, Literal(value=1)) if all(
            term == Literal(1) for term in trip.terms
        ):
            return (trips,) * len(trip.terms)
    return None


def _in_arms(choice: DraftChoice, k: int) -> Growth | None:
    """The growth of a list in both arms of a branch, of which it is the result k; None
    where they differ.
    """
    found: list[Growth | None] = []
    for arm in (choice.then, choice.orelse):
        result = arm.results[k]
        found.append(growth(result, arm.body) if isinstance(result, Draft) else None)
    then, orelse = found
    return then if then == orelse else None


_Maker = DraftApply | tuple[DraftLoop, Carry] | tuple[DraftChoice, int]


def _made(body: Sequence[DraftStatement]) -> dict[Draft, _Maker]:
    """The operation, loop or branch that makes each value of a block."""
    found: dict[Draft, _Maker] = {}
    for statement in body:
        match statement:
            case DraftApply(out=out):
                found[out] = statement
            case DraftLoop(carries=carries):
                found.update((one.out, (statement, one)) for one in carries)
            case DraftChoice(outs=outs):
                found.update((out, (statement, k)) for k, out in enumerate(outs))
    return found
