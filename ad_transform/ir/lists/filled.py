"""Elements of a list that is filled with one number are that number.

The way back of `sum(y)` fills `y_bar` with one number, and that of the loop that makes
y reads it element by element: `y_bar[i] * exp(x[i])` is `c * exp(x[i])`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.blocks import another
from ad_transform.ir.blocks.carried import has_own_places
from ad_transform.ir.blocks.inner import of_value, with_block, with_body
from ad_transform.ir.build import Builder, Laws
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    walk,
)
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.trampoline import Task, bounce

_NUMBER = {"full": 0, "like": 1}
"""Operations that make a list of one number, with the place of the number."""

Fills = dict[Operand, Operand]
"""The value of all elements of a list, by lists."""


def filled(
    function: Function, table: Mapping[str, Elemental], laws: Laws = LAWS
) -> Function:
    """The function with the numbers in place of such elements, but for those of its
    value. Linear, times the blocks one inside the other. `table` has the operations;
    `laws` simplify those on numbers that are written out.
    """
    fills = not function.block.all_operations.isdisjoint(_NUMBER)
    if not fills or not any(map(_is_fill, walk(function.body))):
        return function
    change = _Change(of_value(function), table, laws)
    return with_block(function, bounce(change.of(function.block, {})))


def _is_fill(statement: Statement) -> bool:
    if not isinstance(statement, Apply) or statement.op.name not in _NUMBER:
        return False
    number = statement.args[_NUMBER[statement.op.name]]
    return number.type.is_real and not number.type.dims


class _Change:
    """The change of blocks; the values that the value needs are `sacred`."""

    def __init__(
        self, sacred: Set[Operand], table: Mapping[str, Elemental], laws: Laws
    ) -> None:
        self.sacred = sacred
        self.table = table
        self.laws = laws

    def of(self, block: Block, known: Fills) -> Task[Block]:
        """The block with numbers in place of elements; lists are `known` around it."""
        fills = dict(known)
        env: dict[Operand, Operand] = {}
        body: list[Statement] = []
        for statement in block.body:
            made = statement.over(env) if env else statement
            if isinstance(made, Apply):
                if _is_fill(made):
                    fills[made.out] = made.args[_NUMBER[made.op.name]]
                is_new = any(isinstance(env.get(a), Literal) for a in statement.inputs)
                body += self._operation(made, is_new, fills, env)
            elif isinstance(made, Scan | Branch):
                body.append((yield self._holding(made, fills)))
            else:
                body.append(made)
        return with_body(block, body, env)

    def _operation(
        self, made: Apply, is_new: bool, fills: Fills, env: dict[Operand, Operand]
    ) -> Sequence[Statement]:
        """An operation, which is of a number that is written out now if it `is_new`;
        none where it reads an element.
        """
        number = fills.get(made.args[0]) if made.op.name == "get" else None
        if number is not None and made.out not in self.sacred:
            env[made.out] = number
            return ()
        if not is_new or made.out.type.dims or made.out in self.sacred:
            return (made,)
        builder = Builder(self.table, self.laws)
        env[made.out] = builder.apply(made.op.name, *made.args, hint=made.out.hint)
        return builder.body

    def _holding(self, made: Scan | Branch, fills: Fills) -> Task[Statement]:
        """A loop or a branch with numbers in place of elements that it reads."""
        lists = [k for k, a in enumerate(_given(made)) if a in fills]
        if isinstance(made, Scan):
            many = len(made.carries)
            lists = [k for k in lists if k >= many or _takes_first(made, k)]
        numbers = dict.fromkeys(fills[_given(made)[k]] for k in lists)
        wider = _reading(made, [n for n in numbers if isinstance(n, Var)])
        blocks: list[Block] = []
        for block in wider.blocks:
            params = _params(wider, block)
            first = len(wider.carries) if isinstance(wider, Scan) else 0
            same = dict(zip(_given(wider)[first:], params[first:], strict=True))
            inner: Fills = {}
            for k in lists:
                number = fills[_given(made)[k]]
                inner[params[k]] = same[number] if isinstance(number, Var) else number
            blocks.append((yield self.of(block, inner)))
        if all(a is b for a, b in zip(blocks, wider.blocks, strict=True)):
            return made
        return wider.rebuilt(wider.outs, wider.inputs, tuple(blocks))


def _given(made: Scan | Branch) -> tuple[Operand, ...]:
    """The operands that the blocks of a statement see, but for entries."""
    return (*made.carries, *made.reads) if isinstance(made, Scan) else made.args


def _params(made: Scan | Branch, block: Block) -> tuple[Var, ...]:
    """The parameters of a block that stand for these."""
    first = made.first_carry if isinstance(made, Scan) else 0
    return block.params[first : first + len(_given(made))]


def _reading(made: Scan | Branch, more: Sequence[Var]) -> Scan | Branch:
    """A loop or a branch whose blocks see more values, as they are in all trips."""
    seen = made.reads if isinstance(made, Scan) else made.args
    new = [value for value in more if value not in seen]
    if not new:
        return made
    if isinstance(made, Branch):
        blocks = [_wider(block, len(block.params), new) for block in made.blocks]
        return Branch(made.outs, made.test, (*made.args, *new), *blocks)
    body = _wider(made.body, made.first_entry, new)
    return replace(made, reads=(*made.reads, *new), body=body)


def _wider(block: Block, place: int, new: Sequence[Var]) -> Block:
    params = [*block.params[:place], *(another(v, {}) for v in new)]
    return replace(block, params=(*params, *block.params[place:]))


def _takes_first(loop: Scan, k: int) -> bool:
    """Whether the trips of a loop read elements of a carry, a list, only as they were
    in front of it: the last item, which each trip takes away, or one of its own, which
    it changes then.
    """
    block = loop.body
    index, array = block.params[0], block.params[1 + k]
    is_changed = False
    for statement in block.body:
        if array not in statement.inputs:
            continue
        if is_changed or not isinstance(statement, Apply):
            return False
        name, (first, *rest) = statement.op.name, statement.args
        if first is not array or array in rest:
            return False
        if name == "get" and len(rest) == 1:
            continue
        is_last = name == "pop"
        is_own = name == "set" and rest[1:] == [index] and has_own_places(loop)
        if not (is_last or is_own) or block.results[k] is not statement.out:
            return False
        place: Operand = Literal(-1) if is_last else index
        is_changed = all(
            s.inputs[1:] == (place,)
            for s in block.body
            if isinstance(s, Apply) and s.op.name == "get" and s.inputs[0] is array
        )
        if not is_changed:
            return False
    return is_changed and block.times_read[block.results[k]] == 1
