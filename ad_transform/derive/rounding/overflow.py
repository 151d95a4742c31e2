"""Overflow that no error tells of: products with 2**k overflow, and exact operations
hand it on, out of branches and through loops.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.rounding.operations import is_exact, scales_down, scales_up
from ad_transform.ir.nodes import (
    Apply,
    Branch,
    Call,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    walk,
)


@dataclass(slots=True)
class Overflow:
    """The sources of values that come from them without error; products with 2**k."""

    sources: dict[Operand, list[Operand]] = field(default_factory=dict)
    grown: set[Operand] = field(default_factory=set)

    @classmethod
    def of(cls, body: Iterable[Statement]) -> Overflow:
        """The sources of the values of a program; linear."""
        found = cls()
        for statement in walk(tuple(body)):
            found.enter(statement)
        return found

    def enter(self, statement: Statement) -> None:
        """Enter a statement, but not those in its blocks."""
        match statement:
            case Apply():
                self._operation(statement)
            case Branch():
                for block in statement.blocks:
                    self._hand_on(block.params, statement.args)
                    self._hand_on(statement.outs, block.results)
            case Scan() | While():
                self._loop(statement)
            case Call():  # nobody knows
                self.grown.update(statement.outs)

    def _operation(self, statement: Apply) -> None:
        if scales_up(statement):
            self.grown.add(statement.out)
        elif is_exact(statement) or scales_down(statement):
            self._hand_on([statement.out] * len(statement.args), statement.args)

    def _loop(self, loop: Scan | While) -> None:
        for values in (loop.carries, loop.handed_on):
            self._hand_on(loop.carry_params, values)
            self._hand_on(loop.finals, values)
        self._hand_on(loop.read_params, loop.reads)

    def _hand_on(self, to: Sequence[Operand], values: Sequence[Operand]) -> None:
        for value, source in zip(to, values, strict=False):
            self.sources.setdefault(value, []).append(source)

    def silent(self, value: Operand) -> bool:
        """Whether a value may be infinite without an error of any operation."""
        stack, met = [value], {value}
        while stack:
            one = stack.pop()
            if one in self.grown:
                return True
            own = [s for s in self.sources.get(one, ()) if s not in met]
            met.update(own)
            stack += own
        return False

    def all_silent(self) -> Set[Operand]:
        """All `silent` values, once all statements are entered; linear."""
        takers: dict[Operand, list[Operand]] = {}
        for value, sources in self.sources.items():
            for source in sources:
                takers.setdefault(source, []).append(value)
        stack, found = list(self.grown), set(self.grown)
        while stack:
            new = [v for v in takers.get(stack.pop(), ()) if v not in found]
            found.update(new)
            stack += new
        return found


def grown(body: Sequence[Statement]) -> list[Var]:
    """The values of a body that may have overflowed without an error of their own:
    products with 2**k, and values that blocks hand on from such.
    """
    handed = any(s.blocks or any(o.type.is_array for o in s.outs) for s in body)
    silent = Overflow.of(body).all_silent() if handed else None
    found: list[Var] = []
    for statement in body:
        if isinstance(statement, Apply) and statement.op.layout is None:
            found += [statement.out] if scales_up(statement) else []
        elif silent is not None:
            real = (o for o in statement.outs if o.type.is_real_number)
            found += [out for out in real if out in silent]
    return found
