"""The choice among codes by their cost as they are written.

The passes behind a derivation take operations out of arms, of some more than of others.
So where code has arms, that of every order is formed before one is chosen, and the
prices of the orders are those of the text that each would print.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ad_transform.dataclass import replace
from ad_transform.derive.accumulation.auto_orders import PLAINEST
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.passes import formed
from ad_transform.derive.request import Derivation, Request
from ad_transform.ir.count import count
from ad_transform.ir.loops.ends import without_ends
from ad_transform.ir.nodes import Branch, Function, walk

SHORT = 60
"""Statements of code with arms up to which it is compared with that of PLAINEST."""

Written = tuple[Function, Outcome]
"""A function, formed for a target, and its outcome, with its counts."""


def cheapest_as_written(form: Callable[[Request], Derivation], r: Request) -> Written:
    """The cheapest function for a request, formed for its target, and its outcome.

    Rivals have the prices of their code as it is written. Ties go to the outcome of the
    derivation.
    """
    derivation = form(r)
    outcome = derivation.outcome
    best = _written(derivation, outcome, r)
    codes = (outcome, *outcome.ways, *outcome.rivals.values())
    if not any(map(_has_arms, codes)):
        return best
    best = _cheaper(best, [_written(derivation, o, r) for o in outcome.ways])
    listed = dict(_listed(derivation, r)) or _named(form, r, outcome)
    best = _cheaper(best, [*listed.values()])
    rivals = {name: written for name, (_, written) in listed.items()}
    return best[0], replace(best[1], rivals=rivals, ways=())


def _cheaper(best: Written, others: list[Written]) -> Written:
    return min((best, *others), key=lambda pair: pair[1].rank)


def _listed(derivation: Derivation, r: Request) -> Iterator[tuple[str, Written]]:
    """The code of every rival of the derivation, as it is written, by order."""
    made: dict[int, Written] = {}
    for name, rival in derivation.outcome.rivals.items():
        key = id(rival.body)
        if key not in made:
            made[key] = _written(derivation, rival, r)
        function, written = made[key]
        yield name, (function, replace(rival, counts=written.counts))


def _named(
    form: Callable[[Request], Derivation], r: Request, outcome: Outcome
) -> Mapping[str, Written]:
    """The code of PLAINEST orders as it is written, if arms are swept or are vertices
    and the code is SHORT. Functions that are called are derived once for all orders:
    with calls the codes would not be known.
    """
    options = r.options
    if options.order != "auto" or options.effort < 1 or options.cost == "fma":
        return {}
    if not outcome.ways or r.calls.functions:
        return {}
    statements = [*walk(outcome.body)]
    loops = any(s.blocks and not isinstance(s, Branch) for s in statements)
    if loops or len(statements) > SHORT:
        return {}
    found = {}
    for name in PLAINEST:
        named = replace(r, options=options.override(order=name, effort=1))
        derivation = form(named)
        codes = (derivation.outcome, *derivation.outcome.ways)
        written = [_written(derivation, o, named) for o in codes]
        found[name] = _cheaper(written[0], written[1:])
    return found


def _written(derivation: Derivation, outcome: Outcome, r: Request) -> Written:
    function = formed(derivation.function_of(outcome), r.options.target)
    return function, replace(outcome, counts=count(without_ends(function)))


def _has_arms(outcome: Outcome) -> bool:
    return any(statement.blocks for statement in outcome.body)
