"""What every sweep of one program shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ad_transform.derive.accumulate import Outcome
from ad_transform.derive.sweep.dependence import Dependence
from ad_transform.derive.sweep.runs import Run, Solved, solve
from ad_transform.ir.nodes import Var
from ad_transform.options import Options


@dataclass(slots=True)
class Context:
    """The options, the signs that values may have, and the outcomes of all runs."""

    options: Options
    known: Mapping[Var, int] | None
    dependence: Dependence
    outcomes: list[Outcome]
    loops: int = 0  # numbers of dims used so far

    def trips(self) -> str:
        """A name for the trips of a loop that records from now on."""
        self.loops += 1
        return f"saved.{self.loops}"

    def solve(self, run: Run) -> Solved:
        """The cheapest code for a run; its outcome is noted."""
        solved = solve(run, self.options, self.known)
        self.outcomes.append(solved.outcome)
        return solved
