"""What every sweep of one program shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ad_transform.derive.sweep.dependence import Dependence
from ad_transform.derive.sweep.runs import Run, Solved, solve
from ad_transform.ir.nodes import Var
from ad_transform.options import Options


@dataclass(slots=True)
class Context:
    """The options, the signs that values may have, and what blocks depend on."""

    options: Options
    known: Mapping[Var, int] | None
    dependence: Dependence
    loops: int = 0  # numbers of dims used so far

    def trips(self) -> str:
        """A name for the trips of a loop that records from now on."""
        self.loops += 1
        return f"saved.{self.loops}"

    def solve(self, run: Run) -> Solved:
        """The cheapest code for a run."""
        return solve(run, self.options, self.known)
