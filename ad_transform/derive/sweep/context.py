"""State that every sweep of one program shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Protocol

from ad_transform.dataclass import dataclass
from ad_transform.derive.sweep.alike import Pattern
from ad_transform.derive.sweep.covering import Covering
from ad_transform.derive.sweep.runs import Run, Solved, solve
from ad_transform.derive.sweep.stacks import TRIPS
from ad_transform.derive.sweep.still import grouped
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder, Laws
from ad_transform.ir.laws.signs import ANY, of_arm
from ad_transform.ir.nodes import Apply, Block, Branch, Call, Operand, Statement, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.later import later
from ad_transform.options import Options

with later():
    from ad_transform.derive.sweep.body import merged
    from ad_transform.derive.sweep.dependence import Dependence


class Adjoints(Protocol):
    """The functions that a program calls, and those for the way back through them."""

    def adjoint(self, call: Call, places: tuple[int, ...]) -> str:
        """The name of the function for the adjoints of arguments at some places.

        It takes the arguments, then the adjoints of the real values and those of the
        arrays at the places that the function only reads, to which it adds. Under a
        hook it gives its totals, too.
        """

    def is_recursive(self, call: Call) -> bool:
        """Whether the callee calls itself: then it has a record of its own."""

    def closed(self, call: Call, places: tuple[int, ...]) -> tuple[int, ...]:
        """The places; and with them those that matter in the callee's calls of itself,
        if all of the former matter there, too: then it is derived once.
        """

    def parameter(self, call: Call, place: int) -> Var:
        """The value in the callee of the argument at a place."""

    def recorded(self, call: Call, places: tuple[int, ...]) -> tuple[str, str] | None:
        """The names of a function for the values, then a record, and of one for the
        adjoints; None if it is cheaper to compute the values once more.

        The latter takes the arguments, the record, and then the same as `adjoint`.
        """


class Callees(Adjoints, Protocol):
    """The functions that a program calls, and the functions derived from them."""

    def tangent(self, call: Call, places: tuple[int, ...]) -> str:
        """The name of the function for the values, then tangents of the real ones.

        It takes the arguments, then the tangents of those at some places.
        """

    def series(self, call: Call, places: tuple[int, ...]) -> str:
        """The name of the function for the values, then the coefficients of the real
        ones, of degree 1, 2, ... for each.

        It takes the arguments, then the coefficients of those at some places.
        """


Remembered = dict[object, tuple[tuple[Var, ...], Solved]]
"""The code for runs, by all that it depends on; with each the values of its pattern."""

REMEMBERED: Remembered = {}
"""Short runs of all programs: a gradient and a Hessian of one function share many."""

SHORT = 300
"""Statements of a run up to which it is remembered when its program is done."""

MOST = 5_000
"""Runs that are remembered; then all of them are forgotten."""


Operands = Sequence[Operand]

NOTHING_TOLD: Mapping[Operand, int] = {}


@dataclass(slots=True)
class Context:
    """Options, signs that values may have, dependences of blocks, and callees."""

    options: Options
    known: dict[Var, int] | None
    dependence: Dependence
    wording: str = "{}_bar"  # the name of a derivative of {}
    ends: tuple[str, ...] = ("",)  # by direction: {end} in the wording
    loops: int = 0  # numbers of dims used so far
    laws: Laws = field(default_factory=lambda: LAWS)
    still: set[Operand] = field(default_factory=set)  # in loops: the same in all trips
    free: set[Operand] = field(default_factory=set)  # in loops: known on both ways
    tests: dict[Var, Apply | Branch] = field(default_factory=dict)  # by their values
    callees: Callees | None = None
    apart: bool = False  # forth and back are functions of their own
    covering: Covering | None = None  # None where no copies are recorded
    settled: dict[Statement, set[tuple[int, int]]] = field(default_factory=dict)
    _merged: dict[Block, Block] = field(default_factory=dict)
    _solved: Remembered = field(default_factory=dict)

    def called(self, value: Operand, direction: int, *others: Operand) -> str:
        """The name of a derivative: by the value, or by others that it stands for."""
        names = (v.hint for v in (value, *others) if isinstance(v, Var))
        name, end = next(filter(None, names), ""), self.ends[direction]
        if not name or ("{end}" in self.wording and not end):
            return ""
        return self.wording.format(name, end=end)

    def trips(self) -> str:
        """A name for the trips of a loop that records from now on."""
        self.loops += 1
        return f"{TRIPS}{self.loops}"

    def merged(self, block: Block) -> Block:
        """A block with equal operations done once. It is the same block however often
        it is swept, so that facts about its loops (`settled`) hold again.
        """
        if block not in self._merged:
            self._merged[block] = merged(block)
        return self._merged[block]

    def solve(self, run: Run) -> Solved:
        """The cheapest code for a run."""
        return grouped(self._solve(run), self.still)

    def _solve(self, run: Run) -> Solved:
        """The code for a run, found once for all runs that are alike."""
        pattern = Pattern(run, self.known)
        key = pattern.key, self.options, id(self.laws), self.known is None
        memory = REMEMBERED if len(run.body) <= SHORT else self._solved
        found = memory.get(key)
        if found is None:
            known = None if self.known is None else pattern.known
            solved, _ = solve(pattern.run(), self.options, known, self.laws)
            if len(memory) >= MOST:
                memory.clear()
            found = memory[key] = tuple(pattern.marked.values()), solved
        return pattern.filled(*found)

    def hold_still(
        self, branch: Branch, place: int, params: Operands, args: Operands
    ) -> None:
        """Note the parameters of an arm whose arguments stand still or are known on
        both ways, and the signs that their arguments have in the arm.
        """
        pairs = list(zip(params, args, strict=True))
        self.still.update(param for param, arg in pairs if arg in self.still)
        self.free.update(param for param, arg in pairs if arg in self.free)
        if self.known is not None:
            builder = Builder(TABLE, {})
            builder.known, builder.definition = self.known, self.tests
            self.tell_signs(params, args, of_arm(builder, branch, place))

    def tell_signs(
        self,
        params: Operands,
        args: Operands,
        here: Mapping[Operand, int] = NOTHING_TOLD,
    ) -> None:
        """Note the signs that parameters of a block may have, by those of their
        arguments and those told `here`. Another block may have the same parameters.
        """
        if self.known is None:
            return
        for param, arg in zip(params, args, strict=True):
            if isinstance(param, Var):
                left = here.get(arg, ANY)
                left &= self.known.get(arg, ANY) if isinstance(arg, Var) else ANY
                self.known.pop(param, None)
                if left not in (0, ANY):  # 0 where nothing runs
                    self.known[param] = left
