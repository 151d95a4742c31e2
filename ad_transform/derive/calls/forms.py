"""The form of the derivative of a called function: by partials or by a sweep.

Partials are computed along with the value, once, and every value is a vertex. A sweep
goes through the call by an adjoint, which computes the values that it needs again, or
by tangents. The cheaper one is taken, where both can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.sweep.callees import real_outs
from ad_transform.ir.blocks.live import live
from ad_transform.ir.count import count_statements
from ad_transform.ir.nodes import Call, Function, Operand, walk
from ad_transform.ir.price import NOMINAL
from ad_transform.options import weights_of

if TYPE_CHECKING:
    from ad_transform.derive.calls.calls import Calls
    from ad_transform.derive.calls.recorded import Recorded
    from ad_transform.derive.request import Request

FEW = 3
"""Values, or arguments, up to which the partials of a function are taken: an adjoint,
which computes the value again, costs no less. One that takes a record may.
"""

PARTIAL = 3
"""The cost of a partial besides: it is handed over, multiplied, and added up."""

ITEM = 2
"""The cost of an item of a list."""

CALL = 5
"""The cost of a call, in operations."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The choices for the calls of a program; equal calls are weighed up once."""

    calls: Calls
    request: Request
    _dearer: dict[tuple[str, tuple[int, ...]], bool] = field(default_factory=dict)

    def has_slopes(self, call: Call, places: Sequence[int]) -> bool:
        """Whether a call is linked by partials: never if an array matters to it, nor if
        Taylor coefficients go through it.
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
        if any(end.type.is_array for end in ends):
            return False
        may_record = self.request.last and self.request.directions == 1
        if min(len(rows), len(places)) <= (1 if may_record else FEW):
            return True
        if self.calls.is_recursive(known.name) and not self.request.last:
            return True  # an adjoint without a record would do all levels again
        asked = call.callee, tuple(places)
        begun = self._begun(*asked)
        if begun is not None:
            return begun
        if asked not in self._dearer:
            self._dearer[asked] = self._is_dearer(call, asked[1], known)
        return not self._dearer[asked]

    def _begun(self, name: str, places: tuple[int, ...]) -> bool | None:
        """True while partials of a function are being made, False while a record is,
        else None. A call met meanwhile is recursive, and takes the same form.
        """
        slopes = self.calls.slopes.get((name, places))
        if slopes is not None and slopes.function is None:
            return True
        pair = self.calls.recorded.get((name, places))
        is_made = pair is None or set(pair) <= self.calls.functions.keys()
        return None if is_made else False

    def _is_dearer(self, call: Call, places: tuple[int, ...], callee: Function) -> bool:
        """Whether partials and products with them cost more than value and adjoint."""
        slopes = self.calls.slopes_of(self.request, call.callee, places).function
        assert slopes is not None
        products = PARTIAL * (len(slopes.results) - len(callee.results))
        callees = self.request.callees
        pair = callees.recorded(call, places)
        names = pair or (callee.name, callees.adjoint(call, places))
        ways = [self._price(self.calls.functions[name]) for name in names]
        return self._price(slopes) + products > sum(ways) + CALL

    def is_worth_it(self, call: Call, made: Recorded) -> bool:
        """Whether the recorded values cost more to compute than to hand over. A
        recursive function would compute them anew at every level.
        """
        forth, saved = made.forth, made.saved
        if not saved:
            return False
        if self.calls.is_recursive(call.callee):
            return True
        only = (made.record,)
        block = replace(forth.block, body=live(forth.body, only), results=only)
        return self._price(replace(forth, block=block)) > sum(map(_handing, saved))

    def _price(self, function: Function, above: tuple[str, ...] = ()) -> int:
        """The cost of a function and its callees, by the weights of operations."""
        counts = count_statements(function.body, function.results)
        total = int(counts.price(weights_of(self.request.options.cost)))
        for call in walk(function.body):
            if isinstance(call, Call):
                total += CALL
                callee = self.calls.functions.get(call.callee)
                # a recursive one is not made yet, or counts once
                if callee is not None and callee.name not in (*above, function.name):
                    total += self._price(callee, (*above, function.name))
        return total


def _handing(value: Operand) -> int:
    """The cost in operations of handing a value over: an element that a loop records is
    put into a list and taken from it.
    """
    cost = 1
    for _ in value.type.dims:
        cost *= ITEM * NOMINAL
    return cost
