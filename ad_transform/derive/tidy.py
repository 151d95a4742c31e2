"""Programs that hold derivatives already: simplified and factored as a whole.

Results that no derivative operator has a share in are sacred (law 3); all else is
derivative code.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ad_transform.derive.accumulate import Task
from ad_transform.derive.calls import Calls
from ad_transform.derive.outcome import Outcome
from ad_transform.derive.request import Request
from ad_transform.derive.signature import Independents
from ad_transform.derive.sweep.solve import compete, is_straight
from ad_transform.ir.blocks import live
from ad_transform.ir.count import count_statements
from ad_transform.ir.nodes import (
    LEAF,
    Block,
    Derivative,
    Function,
    Operand,
    Parameter,
    Statement,
    group,
    walk,
)
from ad_transform.options import Options, weights_of


def tidy(r: Request) -> Outcome:
    """The code of a function as it is to be printed; its first results are sacred."""
    count = r.function.primal
    builder, results = r.copied(r.function, count)
    task = Task((), results, (lambda _: results,), count, printed=True)
    if is_straight(builder.body, task):
        return compete(builder, task, r.options, ("reverse",))
    body = live(tuple(builder.body), results)
    counts, weights = count_statements(body, results), weights_of(r.options.cost)
    return Outcome(body, results, counts, "", (), weights=weights)


def tidied(block: Block, order: Order, options: Options, calls: Calls) -> Block:
    """A block inside of a program, simplified in the same way."""
    function = function_of(order.applied(block), order.sacred)
    r = Request(function, Independents(()), True, "", options, calls)
    outcome = tidy(r)
    return order.undone(Block(block.params, outcome.body, outcome.results))


def function_of(block: Block, primal: int = 0) -> Function:
    """A block as a function; its parameters have one value each."""
    parameters = tuple(Parameter(f"p{k}", (v,)) for k, v in enumerate(block.params))
    nest = group((LEAF,) * len(block.results))
    return Function("", parameters, block, nest, primal)


@dataclass(frozen=True, slots=True)
class Order:
    """The places of the results of a block, the `sacred` ones first."""

    places: tuple[int, ...]
    sacred: int

    @classmethod
    def of(cls, block: Block) -> Order:
        """Sacred is what no operator in the block has a share in."""
        derived = _derived(block)
        flags = [result in derived for result in block.results]
        places = sorted(range(len(flags)), key=flags.__getitem__)
        return cls(tuple(places), flags.count(False))

    @property
    def leading(self) -> int:
        """How many results are sacred before the first that is not."""
        return next((k for k, p in enumerate(self.places) if p != k), self.sacred)

    def applied(self, block: Block) -> Block:
        """The block with its results in this order."""
        return replace(block, results=tuple(block.results[k] for k in self.places))

    def undone(self, block: Block) -> Block:
        """The block with its results as they were before."""
        at = sorted(range(len(self.places)), key=self.places.__getitem__)
        return replace(block, results=tuple(block.results[k] for k in at))


def _derived(block: Block) -> set[Operand]:
    """The values that an operator has a share in."""
    found: set[Operand] = set()
    for statement in block.body:
        if holds_operator(statement) or not found.isdisjoint(statement.inputs):
            found.update(statement.outs)
    return found


def holds_operator(statement: Statement) -> bool:
    """Whether it is an operator, or one stands in its blocks."""
    return any(isinstance(s, Derivative) for s in walk((statement,)))
