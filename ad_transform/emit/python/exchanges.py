"""Elements and rows of lists that are exchanged at once, as a person exchanges them.

`m[k], m[p] = m[p], m[k]` is read as a loop over the columns, and its way back is such a
loop. Python exchanges the rows themselves: each list of a function is its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.carried import counts_up
from ad_transform.ir.blocks.consumed import handed
from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.dims import ANY, Dim
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)

_EXCHANGE = TABLE["exchange"]
_MATRIX = 2
"""The axes of an array whose rows are lists."""


def with_exchanges(function: Function) -> Function:
    """The function with such exchanges. Linear."""
    lengths = _lengths(function.block)

    def changed(block: Block) -> Block:
        if "set" in block.operations:
            block = _of_elements(block)
        return _of_rows(block, lengths) if Scan in block.kinds else block

    return each_block(function, changed)


def _lengths(block: Block) -> Mapping[Operand, Dim]:
    """The axes with whole numbers for lengths, in a block and inside of it."""
    found: dict[Operand, Dim] = {}
    waiting = [block]
    while waiting:
        block = waiting.pop()
        for one in block.operations.get("size", ()):
            array, *row = one.args
            found[one.out] = array.type.dims[len(row)]
        for statement in [block.body[k] for k in block.holders]:
            carries = statement.carries if isinstance(statement, Scan | While) else ()
            for inner in statement.blocks:
                pairs = handed(statement, inner)
                own = {p: o for p, o in pairs if o in found and o not in carries}
                found.update((param, found[outer]) for param, outer in own.items())
                waiting.append(inner)
    return found


def _of_rows(block: Block, lengths: Mapping[Operand, Dim]) -> Block:
    """The block with rows of lists exchanged."""
    body: list[Statement] = []
    env: dict[Operand, Operand] = {}
    for statement in block.body:
        loop = statement.over(env) if env else statement
        made = _of_row(loop, lengths)
        if made is not None and made.out is not loop.outs[0]:
            env[loop.outs[0]] = made.out
        body.append(made or loop)
    return with_body(block, body, env)


def _of_row(loop: Statement, lengths: Mapping[Operand, Dim]) -> Apply | None:
    """The exchange of two rows that a loop over their elements makes, with the comments
    of its stores; None if it makes none.
    """
    if not isinstance(loop, Scan) or loop.snapshots is not None:
        return None
    if not len(loop.outs) == len(loop.carries) == 1 or loop.entries:
        return None
    if not counts_up(loop):
        return None
    index, matrix, *reads = loop.body.params
    dims = loop.carries[0].type.dims
    stop = loop.stop.value if isinstance(loop.stop, Literal) else lengths.get(loop.stop)
    if index.named or len(dims) != _MATRIX or dims[1] == ANY or dims[1] != stop:
        return None
    found = _exchange(_makers(loop.body), loop.body.results[0])
    if found is None or len(loop.body.body) != len(found.statements):
        return None
    outer = dict(zip(reads, loop.reads, strict=True))
    rows: list[Operand] = []
    for row, *column in (found.first, found.second):
        if column != [index] or row is index or found.array is not matrix:
            return None
        rows.append(outer.get(row, row) if isinstance(row, Var) else row)
    (out,) = loop.outs
    if found.notes:
        out = Var(out.type, out.hint, out.span, out.named, found.notes)
    return Apply(out, _EXCHANGE, (loop.carries[0], *rows))


def _of_elements(block: Block) -> Block:
    """The block with elements of lists exchanged."""
    makers = _makers(block)
    body: list[Statement | None] = [*block.body]
    places = {s: k for k, s in enumerate(block.body)}
    env: dict[Operand, Operand] = {}
    for place, statement in enumerate(block.body):
        body[place] = statement.over(env) if env else statement
        if not isinstance(statement, Apply) or statement.op.name != "set":
            continue
        found = _exchange(makers, statement.out)
        if found is None or len(found.first) != 1:
            continue
        if all(block.times_read[s.out] == 1 for s in found.statements[:-1]):
            for gone in found.statements:
                body[places[gone]] = None
            out = statement.out
            if found.notes and not out.notes:
                out = found.statements[-2].out  # which the comments are of
                env[statement.out] = out
            array = env.get(found.array, found.array)
            args = array, *found.first, *found.second
            body[place] = Apply(out, _EXCHANGE, args)
    return with_body(block, [s for s in body if s is not None], env)


@dataclass(frozen=True, slots=True)
class _Exchange:
    """Elements of an array that are exchanged, by their indices, and the operations
    that exchange them, the last one at the end.
    """

    array: Operand
    first: Sequence[Operand]
    second: Sequence[Operand]
    statements: Sequence[Apply]

    @property
    def notes(self) -> tuple[str, ...]:
        """The comments of the operations that store the elements."""
        found = (s.out.notes for s in self.statements)
        return next(filter(None, found), ())


def _makers(block: Block) -> Mapping[Operand, Apply]:
    """The operations of a block by their results."""
    return {s.out: s for s in block.body if isinstance(s, Apply)}


def _exchange(makers: Mapping[Operand, Apply], end: Operand) -> _Exchange | None:
    """The exchange that an array is made by: `a[k] = x`, then `a[p] = y`, of elements
    without names, x = a[p] and y = a[k].
    """
    last = makers.get(end)
    one = makers.get(last.args[0]) if last and last.op.name == "set" else None
    if last is None or one is None or one.op.name != "set":
        return None
    taken, other = makers.get(one.args[1]), makers.get(last.args[1])
    if taken is None or other is None or taken.out.named or other.out.named:
        return None
    array, _, *first = one.args
    second = [*last.args[2:]]
    if (taken.op.name, *taken.args) != ("get", array, *second):
        return None
    if (other.op.name, *other.args) != ("get", array, *first):
        return None
    return _Exchange(array, first, second, (taken, other, one, last))
