"""Arguments of `numpy.where` go into the arm that they are for.

Python computes both of them; but the one that is not taken contributes nothing, neither
to the value nor, as a zero times an infinity, to a derivative. So statements that only
one arm needs run there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ad_transform.read.machine.drafts import (
    DraftApply,
    DraftArm,
    DraftChoice,
    DraftStatement,
    uses,
)
from ad_transform.read.values.values import Draft, Number


def sunk(
    drafts: Sequence[DraftStatement], given: Iterable[Number]
) -> Sequence[DraftStatement]:
    """The statements of a body with results `given`; those that only one arm needs are
    moved into it.

    Linear in the statements for each choice.
    """
    chosen = [d for d in drafts if isinstance(d, DraftChoice) and d.eager]
    if not chosen:
        return drafts
    found = list(drafts)
    counts = Counter(uses(found))
    counts.update(n for n in given if isinstance(n, Draft))
    for choice in reversed(chosen):
        if choice in found:  # it may have moved into an arm, which is sunk later
            for arm in (choice.then, choice.orelse):
                _sink(found, choice, arm, counts)
    return found


def _sink(
    found: list[DraftStatement],
    choice: DraftChoice,
    arm: DraftArm,
    counts: Counter[Draft],
) -> None:
    """Move the statements that only this arm needs into it, from the last one up."""
    own = Counter(uses(arm.body))
    own.update(n for n in arm.results if isinstance(n, Draft))
    for statement in reversed(found[: found.index(choice)]):
        outs = _movable(statement)
        if any(own[out] for out in outs) and all(own[o] == counts[o] for o in outs):
            found.remove(statement)
            arm.body.insert(0, statement)
            own.update(uses([statement]))


def _movable(statement: DraftStatement) -> Sequence[Draft]:
    """The drafts of a statement that may stand in an arm; none if it has to stay."""
    match statement:
        case DraftApply(out=out, op=op) if op.layout is None:
            return (out,)
        case DraftChoice(outs=outs, eager=True):
            return outs
    return ()
