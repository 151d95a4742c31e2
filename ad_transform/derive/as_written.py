"""The choice among codes by what they cost as they are written.

The passes behind a derivation take operations out of arms, of some more than of others.
So where code has arms, that of every order is formed before one is chosen, and the
prices of the orders are those of the text that each would print.
"""

from __future__ import annotations

from dataclasses import replace

from ad_transform.derive.outcome import Outcome
from ad_transform.derive.passes import formed
from ad_transform.derive.request import Derivation
from ad_transform.ir.count import count
from ad_transform.ir.ends import without_ends
from ad_transform.ir.nodes import Function


def cheapest_as_written(
    derivation: Derivation, target: str
) -> tuple[Function, Outcome]:
    """The cheapest function, formed for a target, and its outcome; rivals cost what
    they cost as they are written. Ties go to the outcome of the derivation.
    """
    outcome = derivation.outcome
    rivals = outcome.rivals
    made: dict[int, tuple[Function, Outcome]] = {}

    def as_written(one: Outcome) -> tuple[Function, Outcome]:
        key = id(one.body)
        if key not in made:
            made[key] = _written(derivation, one, target)
        function, written = made[key]
        return function, replace(one, counts=written.counts)

    best = as_written(outcome)
    if not any(map(_has_arms, (outcome, *rivals.values()))):
        return best
    others = {name: as_written(rival) for name, rival in rivals.items()}
    best = min((best, *others.values()), key=lambda pair: pair[1].rank)
    listed = {name: written for name, (_, written) in others.items()}
    return best[0], replace(best[1], rivals=listed)


def _written(
    derivation: Derivation, outcome: Outcome, target: str
) -> tuple[Function, Outcome]:
    function = formed(derivation.function_of(outcome), target)
    return function, replace(outcome, counts=count(without_ends(function)))


def _has_arms(outcome: Outcome) -> bool:
    return any(statement.blocks for statement in outcome.body)
