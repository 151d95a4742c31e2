"""Values outside the doubles, where no estimate follows: all of them are infinite.

A negative base with a fractional exponent gives a complex number; Python goes on with
it, and `abs`, `==` or `not` leads back to real ones. Whole numbers made of floats may
be too large for a float, and yet be compared with one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.rounding.operations import number
from ad_transform.derive.rounding.pieces import is_never_negative
from ad_transform.ir.blocks.blocks import renewed
from ad_transform.ir.blocks.free import free
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Block, Literal, Operand, Statement, Var
from ad_transform.ir.types import INT

Operands = tuple[Operand, ...]

WIDENING = frozenset({Form.SUM, Form.DIFFERENCE, Form.PRODUCT, Form.POWER, Form.TOTAL})
"""Operations on whole numbers that may give larger ones."""


def unless_outside(
    builder: Builder, results: Operands, values: Operands, otherwise: Sequence[Literal]
) -> tuple[Builder, Operands]:
    """The values, but `otherwise` if some value that the results need is no double.

    Nothing changes unless a value that is no double may lead back to doubles.
    """
    body = tuple(builder.body)
    own = live(body, results)
    strays = _strays(builder, own)
    if not strays:
        return builder, values
    known = {out for s in own for out in s.outs}
    every = live(body, (*results, *values))
    primal = _made_of(every, known)
    inside = set(primal)
    rest = [s for s in every if s not in inside]
    read = free(rest, values)
    made = builder.inner()
    made.body = primal
    test = made.apply("are_doubles", *strays)
    then = renewed(Block(read, tuple(rest), values))
    orelse = Block(tuple(Var(v.type, v.hint) for v in read), (), tuple(otherwise))
    return made, made.branch(test, read, then, orelse)


def _made_of(body: Sequence[Statement], values: Collection[Operand]) -> list[Statement]:
    """The statements that make some values and their records, and the statements for
    the inputs of these: a branch with an error beside a value gets the error's adjoint.
    """
    needed = set(values)
    found: list[Statement] = []
    for statement in reversed(body):
        if not needed.isdisjoint(statement.outs):
            needed.update(statement.inputs)
            found.append(statement)
    return found[::-1]


def _strays(builder: Builder, body: Sequence[Statement]) -> tuple[Var, ...]:
    """The values that may be no doubles and yet lead back to doubles."""
    powers, wholes = _Powers(builder), _Wholes()
    for statement in body:
        if isinstance(statement, Apply):
            powers.look_at(statement)
            wholes.look_at(statement)
    return (*(powers.found if powers.back else ()), *dict.fromkeys(wholes.found))


@dataclass(slots=True)
class _Powers:
    """The powers that may be complex, and whether one leads back to real numbers."""

    builder: Builder
    found: list[Var] = field(default_factory=list)
    back: bool = False
    _complex: set[Operand] = field(default_factory=set)

    def look_at(self, statement: Apply) -> None:
        touched = not self._complex.isdisjoint(statement.args)
        carried = touched and statement.op.takes_complex
        real = statement.op.result == "bool" or statement.op.form is Form.MAGNITUDE
        self.back = self.back or (carried and real)
        if _may_be_complex(self.builder, statement):
            self.found.append(statement.out)
            self._complex.add(statement.out)
        elif carried and not real:
            self._complex.add(statement.out)


def _may_be_complex(builder: Builder, statement: Apply) -> bool:
    if statement.op.form is not Form.POWER or not statement.op.takes_complex:
        return False  # math.pow raises instead
    if not statement.out.type.is_real:
        return False
    base, exponent = statement.args
    power = number(exponent)
    whole = not exponent.type.is_real or (power is not None and power.is_integer())
    return not whole and not is_never_negative(builder, base)


@dataclass(slots=True)
class _Wholes:
    """Whole numbers made of floats that may be too large and then meet floats again."""

    found: list[Var] = field(default_factory=list)
    _made: set[Operand] = field(default_factory=set)
    _wide: set[Operand] = field(default_factory=set)

    def look_at(self, statement: Apply) -> None:
        values = (statement.out, *statement.args)
        real = any(a.type.is_real_number for a in values)
        if real:
            wide = (a for a in statement.args if a in self._wide)
            self.found.extend(a for a in wide if isinstance(a, Var))
        if statement.out.type == INT:
            if real or not self._made.isdisjoint(statement.args):
                self._made.add(statement.out)
            made = not self._made.isdisjoint(statement.args)
            if made and statement.op.form in WIDENING:
                self._wide.add(statement.out)
