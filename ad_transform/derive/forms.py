"""How a function that is called is differentiated: by partials or by a sweep.

Partials are computed along with the value, once, and every value is a vertex. A sweep
goes through the call by an adjoint, which computes what it needs of the value again, or
by tangents. The cheaper one is taken, where both can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.derive.sweep.callees import real_outs
from ad_transform.ir.count import count_statements
from ad_transform.ir.nodes import Call, Function, walk
from ad_transform.options import weights_of

if TYPE_CHECKING:
    from ad_transform.derive.calls import Calls
    from ad_transform.derive.request import Request

FEW = 3
"""Values, or arguments, up to which the partials of a function are taken: an adjoint,
which computes the value again, costs no less.
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """What is chosen for the calls of a program."""

    calls: Calls
    request: Request

    def has_slopes(self, call: Call, places: Sequence[int]) -> bool:
        """Whether partials say how a call matters: never where an array does, nor where
        coefficients go through.
        """
        if self.request.degree:
            return False
        known = self.calls.functions.get(call.callee)
        rows = real_outs(call)
        ends = (*rows, *(call.args[k] for k in places))
        if known is None:
            return True
        if known.outside is not None:
            return not any(end.type.shape for end in (*rows, *call.args))
        if any(end.type.dims or end.type.shape for end in ends):
            return False
        if min(len(rows), len(places)) <= FEW or self._is_recursive(known):
            return True
        return not self._is_dearer(call, tuple(places), known)

    def _is_recursive(self, function: Function) -> bool:
        """Whether a function calls itself: an adjoint would do all levels again."""
        named = {s.callee for f in self.calls.used(function) for s in _calls(f)}
        return function.name in named.union(s.callee for s in _calls(function))

    def _is_dearer(self, call: Call, places: tuple[int, ...], callee: Function) -> bool:
        """Whether the partials, and the products with them, cost more than the value
        and the adjoint.
        """
        slopes = self.calls.slopes_of(self.request, call.callee, places).function
        adjoint = self.calls.functions[self.request.callees.adjoint(call, places)]
        assert slopes is not None
        products = 2 * (len(slopes.results) - len(callee.results))
        return self._price(slopes) + products > self._price(callee, adjoint)

    def _price(self, *functions: Function) -> int:
        """What functions cost, with those that they call, by their weights."""
        weights = weights_of(self.request.options.cost)
        total = 0
        for one in functions:
            for function in (one, *self.calls.used(one)):
                counts = count_statements(function.body, function.results)
                total += int(counts.price(weights))
        return total


def _calls(function: Function) -> list[Call]:
    return [s for s in walk(function.body) if isinstance(s, Call)]
