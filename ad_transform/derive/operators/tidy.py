"""Programs that hold derivatives already: simplified and factored as a whole.

Results that no derivative operator has a share in are sacred (law 3); all else is
derivative code.
"""

from __future__ import annotations

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.accumulate import Task
from ad_transform.derive.accumulation.outcome import Outcome, as_it_stands
from ad_transform.derive.calls.calls import Calls
from ad_transform.derive.primal import copy_primal
from ad_transform.derive.request import Request
from ad_transform.derive.signature import Independents
from ad_transform.derive.sweep.solve import compete, is_straight
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Derivative,
    Function,
    Operand,
    Parameter,
    Statement,
    Var,
    group,
    walk,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.options import Options


def tidy(r: Request) -> Outcome:
    """The code of a function as it is to be printed; its first results are sacred."""
    count = r.function.primal
    function = replace(r.function, block=alike(r.function.block, r.options.powers))
    builder, results = r.copied(function, count)
    task = Task((), results, (lambda _: results,), count, printed=True)
    if is_straight(builder.body, task):
        return compete(builder, task, r.options, ("reverse",))
    return as_it_stands(builder.body, results, r.options, "")


def alike(block: Block, powers: str) -> Block:
    """The block with equal operations done once, before laws make equal ones differ;
    powers as they are to be printed.
    """
    everything = function_of(block, len(block.results))
    builder = Builder(TABLE, LAWS)
    env = copy_primal(everything, builder, powers)
    results = tuple(env.get(r, r) for r in block.results)
    return Block(block.params, tuple(builder.body), results)


def tidied(block: Block, order: Order, options: Options, calls: Calls) -> Block:
    """A block inside of a program, simplified as a program."""
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
        """The order of a block; results that no operator has a share in are sacred."""
        derived = _derived(block)
        flags = [result in derived for result in block.results]
        places = sorted(range(len(flags)), key=flags.__getitem__)
        return cls(tuple(places), flags.count(False))

    @property
    def leading(self) -> int:
        """The number of sacred results before the first that is not sacred."""
        return next((k for k, p in enumerate(self.places) if p != k), self.sacred)

    def applied(self, block: Block) -> Block:
        """The block with its results in this order."""
        return replace(block, results=tuple(block.results[k] for k in self.places))

    def undone(self, block: Block) -> Block:
        """The block with its results as they were before."""
        at = sorted(range(len(self.places)), key=self.places.__getitem__)
        return replace(block, results=tuple(block.results[k] for k in at))


def as_written(block: Block) -> tuple[Var, ...]:
    """The numbers of a block that no operator has a share in. The program around it has
    them, too, and equal values are computed once.
    """
    if any(v.type.dims for s in block.body for v in (*s.inputs, *s.outs)):
        return ()
    derived = _derived(block)
    own = (s.out for s in block.body if isinstance(s, Apply))
    return tuple(out for out in own if out.type.is_real and out not in derived)


def _derived(block: Block) -> set[Operand]:
    """The values that an operator has a share in."""
    found: set[Operand] = set()
    for statement in block.body:
        if holds_operator(statement) or not found.isdisjoint(statement.inputs):
            found.update(statement.outs)
    return found


def holds_operator(statement: Statement) -> bool:
    """Whether a statement is an operator or has one in its blocks."""
    return any(isinstance(s, Derivative) for s in walk((statement,)))
