"""Signs go where they cost nothing: a negation that only sums read, through products,
quotients and other sums, is none.

`x_bar = x_bar + -t * i` becomes `x_bar = x_bar - t * i`, `x_bar - -2.0` becomes
`x_bar + 2.0`, `x_bar[i] += -2.0 * t` becomes `x_bar[i] -= 2.0 * t`, and
`x_bar + 2.0 * (-t - u)` becomes `x_bar - 2.0 * (t + u)`; a loop that reads -t is given
t. Every bit stays, but for the sign of a zero: a product with the negative of a number
is the negative of the product, a sum of negatives that of the sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import chain
from typing import TypeGuard

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.inner import each_block, of_value, with_body
from ad_transform.ir.constants import literal_of, number_of
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    hint_of,
)

_PRODUCTS = frozenset({"mul", "div"})
_OTHER = {"add": "sub", "sub": "add", "add_at": "sub_at", "sub_at": "add_at"}
"""The operation of a sum whose second operand has the other sign."""


def signed(function: Function, table: Mapping[str, Elemental]) -> Function:
    """The function without such negations, but for those of its value, which stay as
    they are written. Linear. `table` has the operations.
    """
    if not any(map(_has_signs, function.block.every)):
        return function
    sacred = of_value(function)
    return each_block(function, lambda block: _signed(block, sacred, table))


def _signed(
    block: Block, sacred: Set[Operand], table: Mapping[str, Elemental]
) -> Block:
    if not _has_signs(block):
        return block
    block = _into_loops(block, sacred, table)
    env: dict[Operand, Operand] = {}
    body = _changed(block, sacred, table, env)
    return with_body(block, body, env)


def _into_loops(
    block: Block, sacred: Set[Operand], table: Mapping[str, Elemental]
) -> Block:
    """The block with a negation that one loop alone reads in that loop, where its trips
    need none then.
    """
    negations: dict[Operand, Apply] = {
        s.out: s for s in block.body if _is_negation(s) and s.out not in sacred
    }
    if not negations or not any(isinstance(s, Scan) for s in block.body):
        return block
    read = block.times_read
    body: list[Statement] = []
    gone: set[Statement] = set()
    for statement in block.body:
        made = statement
        for operand in _given(statement):
            one = negations.get(operand)
            if one is not None and read[operand] == 1 and isinstance(made, Scan):
                inner = _given_without(made, one, sacred, table)
                gone.update([one] if inner is not made else ())
                made = inner
        body.append(made)
    if not gone:
        return block
    return replace(block, body=tuple(s for s in body if s not in gone))


def _given_without(
    loop: Scan, one: Apply, sacred: Set[Operand], table: Mapping[str, Elemental]
) -> Scan:
    """A loop given a value and not its negative; itself if trips would negate it."""
    k = loop.reads.index(one.out)
    place = loop.first_read + k
    params = list(loop.body.params)
    param, (value,) = params[place], one.args
    params[place] = Var(param.type, hint_of(value))
    first = Apply(param, one.op, (params[place],))
    inner = Block(tuple(params), (first, *loop.body.body), loop.body.results)
    if param not in _taking(inner, sacred):
        return loop
    reads = (*loop.reads[:k], value, *loop.reads[k + 1 :])
    return replace(loop, reads=reads, body=_signed(inner, sacred, table))


def _given(statement: Statement) -> tuple[Operand, ...]:
    """The values that all trips of a loop read, unless it has snapshots."""
    if not isinstance(statement, Scan) or statement.snapshots is not None:
        return ()
    return statement.reads


def _is_negation(statement: Statement) -> TypeGuard[Apply]:
    if not isinstance(statement, Apply) or statement.op.name != "neg":
        return False
    return statement.out.type.is_real and not statement.out.type.is_array


def _has_signs(block: Block) -> bool:
    """Whether there is a sign in a block, inner ones apart."""
    found = block.operations
    if "neg" in found:
        return True
    each = chain(*[found[name] for name in (*_PRODUCTS, *_OTHER) if name in found])
    some = [one for one in each for arg in one.args if type(arg) is Literal]
    return any(map(_has_sign, some))


def _has_sign(statement: Apply) -> bool:
    """Whether an operation on a number has a sign."""
    return _multiplier(statement) is not None or _adds_less(statement)


def _adds_less(statement: Apply) -> bool:
    """Whether a number below 0 is added to a value or an element, or taken from it."""
    return statement.op.name in _OTHER and _is_less(statement.args[1])


def _is_less(operand: Operand) -> bool:
    """Whether an operand is a number below 0 that is written out."""
    if not isinstance(operand, Literal) or operand.name or not operand.type.is_real:
        return False
    return number_of(operand) < 0.0


def _taking(block: Block, sacred: Set[Operand]) -> Set[Operand]:
    """The values of a block of which every reader can as well have the negative."""
    may = _may_be_negative(block.body)
    refused: set[Operand] = {*block.results, *sacred}
    for statement in reversed(block.body):
        refused.update(_refused(statement, may, refused))
    return {value for value in may if value not in refused}


def _may_be_negative(body: Sequence[Statement]) -> Set[Operand]:
    """Negations, and without a name multiples by a number below 0, and products,
    quotients and sums of all these.
    """
    found: set[Operand] = set()
    for statement in body:
        if not isinstance(statement, Apply):
            continue
        if statement.op.name in _PRODUCTS and not statement.out.hint:
            if not found.isdisjoint(statement.args) or _multiplier(statement):
                found.add(statement.out)
        elif statement.op.name == "neg" and statement.out.type.is_real:
            found.add(statement.out)
        elif _is_sum(statement) and not statement.out.hint:
            x, y = statement.args
            if x in found and (statement.op.name == "sub" or y in found):
                found.add(statement.out)
    return found


def _is_sum(statement: Apply) -> bool:
    return statement.op.name in ("add", "sub")


def _multiplier(statement: Apply) -> Literal | None:
    """The number below 0 in a product or a quotient, else None."""
    if statement.op.name not in _PRODUCTS or not statement.out.type.is_real:
        return None
    for arg in statement.args:
        if isinstance(arg, Literal) and _is_less(arg):
            return arg
    return None


def _refused(
    statement: Statement, may: Set[Operand], refused: Set[Operand]
) -> Sequence[Operand]:
    """The operands of which a statement can not have the negative."""
    if not isinstance(statement, Apply):
        return statement.inputs
    args = statement.args
    is_free = statement.out in may and statement.out not in refused
    if statement.op.name in _PRODUCTS:
        return () if is_free else args
    if _is_sum(statement) and is_free:
        return ()
    if statement.op.name == "neg" and args[0] in may:  # the negation is given up
        return ()
    if statement.op.name == "add" and args[1] not in may:
        return ()
    if statement.op.name in _OTHER:
        return (args[0], *args[2:])
    return args


def _negated_once(args: tuple[Operand, ...], factor: Literal) -> tuple[Operand, ...]:
    """The operands with a number of the other sign; -2.0 * -2.0 has it twice."""
    k = args.index(factor)
    return (*args[:k], literal_of(-number_of(factor)), *args[k + 1 :])


def _changed(
    block: Block,
    sacred: Set[Operand],
    table: Mapping[str, Elemental],
    env: dict[Operand, Operand],
) -> list[Statement]:
    """The statements of the block; `env` gets substitutes for values that are gone."""
    taking = _taking(block, sacred)
    made: list[Statement] = []
    negative: dict[Operand, Operand] = {}  # of values given up
    known: dict[object, Var] = {}
    anew: set[Var] = set()  # values without their sign, perhaps made twice
    for one in block.body:
        statement = one.over(env) if env else one
        if not isinstance(statement, Apply):
            made.append(statement)
            continue
        name, out = statement.op.name, statement.out
        args = tuple(negative.get(arg, arg) for arg in statement.args)
        signs = sum(arg in negative for arg in statement.args)
        if name in _PRODUCTS:
            factor = _multiplier(statement) if out in taking else None
            if factor is not None:
                args = _negated_once(args, factor)
                signs += 1
            if signs % 2 == 0:  # the signs of both cancel
                same = known.setdefault((name, args), out)
                if same in anew:
                    env[out] = same
                else:
                    made.append(replace(statement, args=args) if signs else statement)
            elif (name, args) in known:
                negative[out] = known[name, args]
            else:
                other = negative[out] = known[name, args] = Var(out.type)
                anew.add(other)
                made.append(replace(statement, out=other, args=args))
        elif name == "neg" and signs:
            env[out] = args[0]
        elif name == "neg" and out in taking:
            negative[out] = args[0]
        elif not signs and _adds_less(statement) and out not in sacred:
            total, number, *place = args
            assert isinstance(number, Literal)
            args = (total, literal_of(-number_of(number)), *place)
            made.append(replace(statement, op=table[_OTHER[name]], args=args))
        elif not signs:
            made.append(statement)
        elif statement.args[0] not in negative:
            made.append(replace(statement, op=table[_OTHER[name]], args=args))
        elif (name == "add") == (signs == 2):  # -x - y and -x + -y
            if ("add", args) not in known:
                other = known["add", args] = Var(out.type)
                made.append(replace(statement, op=table["add"], out=other, args=args))
            negative[out] = known["add", args]
        else:  # -x + y and -x - -y
            made.append(replace(statement, op=table["sub"], args=args[::-1]))
    return made
