"""Functions that a program calls: each has a derivative of its own, a function too.

In place of a function that matters one is called that gives the partials along with the
values. Every real value of the call is one vertex with these as its local partials:
they are computed once, whatever order goes through the vertex. In a derivative of a
derivative the function with partials is differentiated in its turn. Where arrays
matter, or the partials are many, a sweep goes through the call instead, see
`derive.forms`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.accumulate import Matrix, Task
from ad_transform.derive.accumulation.linearise import is_zero
from ad_transform.derive.entries import names_of, partials
from ad_transform.derive.signature import Independents
from ad_transform.elementals.calls import GIVEN
from ad_transform.ir.blocks.dissolve import without
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Call,
    Function,
    Literal,
    Operand,
    Statement,
    Var,
    one_or_tuple,
    walk,
)
from ad_transform.ir.types import FLOAT
from ad_transform.later import later

with later():
    from ad_transform.derive.calls.forms import Choice
    from ad_transform.derive.calls.outside import with_slopes
    from ad_transform.derive.sweep.active import active_calls
    from ad_transform.ir.arms.guarded import guarded
    from ad_transform.ir.unlike import unlike

if TYPE_CHECKING:
    from ad_transform.derive.calls.twin import Twin
    from ad_transform.derive.request import Request

Entry = int | Literal
"""A partial: the place among the results of the function, or a number."""


@dataclass(slots=True, eq=False)
class Slopes:
    """A function that gives the values of another, and their partials.

    `places` are those of the arguments with partials; `entries` has a row of partials
    for each value that is real, None for any other.
    """

    callee: Function
    name: str
    places: tuple[int, ...]
    entries: list[list[Entry] | None]
    types: tuple[Var, ...] = ()
    function: Function | None = None
    recursive: bool = False


@dataclass(frozen=True, slots=True)
class Calls:
    """The functions that a program may call, by name, and those derived from them."""

    functions: dict[str, Function] = field(default_factory=dict)
    slopes: dict[tuple[str, tuple[int, ...]], Slopes] = field(default_factory=dict)
    derived: dict[str, Slopes] = field(default_factory=dict)
    twins: dict[tuple[str, tuple[int, ...], str], Twin] = field(default_factory=dict)
    recorded: dict[tuple[str, tuple[int, ...]], tuple[str, str] | None] = field(
        default_factory=dict
    )
    closures: dict[tuple[str, tuple[int, ...]], tuple[int, ...]] = field(
        default_factory=dict
    )

    @classmethod
    def of(cls, functions: Iterable[Function]) -> Calls:
        """The calls of a program with these functions."""
        return cls({function.name: function for function in functions})

    def linked(self, request: Request, function: Function) -> Function:
        """The function with partials for the calls that matter to a request."""
        function = unlinked(function)
        if Call not in function.block.all_kinds:
            return function
        columns = request.independents.columns
        calls = active_calls(function.body, columns)
        choice = Choice(self, request)
        active = {call: own for call, own in calls if choice.has_slopes(call, own)}
        if not active:
            return function
        places: dict[str, set[int]] = {}
        for call, own in active.items():
            places.setdefault(call.callee, set()).update(own)
        made = {
            name: self._link(request, name, self.closed(name, tuple(sorted(own))))
            for name, own in places.items()
        }
        return replace(function, block=_linked(function.block, active, made))

    def _link(self, request: Request, name: str, places: tuple[int, ...]) -> _Link:
        """The function that puts partials at the calls of a callee."""
        known = self.functions.get(name)
        if known is not None and known.outside is not None:
            return partial(with_slopes, known, self.functions)
        return partial(_link, self.slopes_of(request, name, places))

    def used(self, function: Function) -> tuple[Function, ...]:
        """The functions that a function calls, each behind those that it calls."""
        found: dict[str, None] = {}
        begun: set[str] = set()

        def follow(caller: Function) -> None:
            calls = Call in caller.block.all_kinds
            for statement in walk(caller.body) if calls else ():
                if isinstance(statement, Call) and statement.callee not in begun:
                    begun.add(statement.callee)
                    follow(self.functions[statement.callee])
                    found[statement.callee] = None

        follow(function)
        return tuple(self.functions[name] for name in found)

    def is_recursive(self, name: str) -> bool:
        """Whether a function calls itself, directly or through others."""
        function = self.functions[name]
        every = (function, *self.used(function))
        return any(
            isinstance(s, Call) and s.callee == name
            for f in every
            for s in walk(f.body)
        )

    def closed(self, name: str, places: tuple[int, ...]) -> tuple[int, ...]:
        """The places of some arguments; and with them those that matter in the calls of
        the function by itself, if all of the former matter there, too.
        """
        known = self.functions.get(name)
        if known is None or known.outside is not None:
            return places
        if (name, places) not in self.closures:
            is_recursive = self.is_recursive(name)
            found = self._closed(name, places) if is_recursive else places
            self.closures[name, places] = found
        return self.closures[name, places]

    def _closed(self, name: str, places: tuple[int, ...]) -> tuple[int, ...]:
        asked = [(name, places)]
        for callee, own in asked:  # grows while it is read
            block = self.functions[callee].block
            columns = [block.params[k] for k in own]
            for call, inner in active_calls(block.body, columns):
                if (call.callee, inner) not in asked:
                    asked.append((call.callee, inner))
        again = (own for callee, own in asked if callee == name)
        return max((own for own in again if {*own} >= {*places}), key=len)

    def repeats_levels(self, function: Function) -> bool:
        """Whether a recursive function calls another recursive one at every level: that
        takes a time quadratic in the levels.
        """
        every = {f.name: {g.name for g in self.used(f)} for f in self.used(function)}
        return any(
            name in own and any(g in every[g] and name not in every[g] for g in own)
            for name, own in every.items()
        )

    def said(self) -> dict[str, str]:
        """A comment of one line for each function, by name."""
        texts = {
            name: f"{name.lstrip('_')}, for the functions that call it."
            for name in self.functions
        }
        for made in self.derived.values():
            own = ", ".join(made.callee.parameters[k].name for k in made.places)
            inner = self.derived.get(made.callee.name)
            base = (made if inner is None else inner).callee.name.lstrip("_")
            order = "first" if inner is None else "first and second"
            texts[made.name] = f"{base} with {order} partial derivatives by {own}."
        texts.update((twin.name, twin.said) for twin in self.twins.values())
        return texts

    def forms(self, functions: Iterable[Function]) -> dict[str, list[str]]:
        """The forms in which callees are differentiated, by name; only those whose
        function is among the given ones.
        """
        names = {function.name for function in functions}
        found: dict[str, set[str]] = {}
        for (name, _), made in self.slopes.items():
            if made.name in names:
                found.setdefault(name, set()).add("partials")
        for (name, _, suffix), twin in self.twins.items():
            if twin.name in names:
                found.setdefault(name, set()).add(_FORMS[suffix])
        return {name: sorted(forms) for name, forms in found.items()}

    def unlike(self, wish: str) -> str:
        """A name that no function has: the wish, or one like it."""
        taken = {s.name for s in self.slopes.values()}
        taken.update(twin.name for twin in self.twins.values())
        return unlike(wish, taken)

    # --- derivatives of functions ---------------------------------------------------

    def slopes_of(self, request: Request, name: str, places: tuple[int, ...]) -> Slopes:
        """The function that gives the values and their partials by some arguments."""
        key = name, places
        if key not in self.slopes:
            if name not in self.functions:
                raise ValueError(f"cannot differentiate the call of {name}")
            callee = self.functions[name]
            own = self._begun(callee, places)
            self.slopes[key] = self.derived[own.name] = own
            self._derive(request, own)
        elif self.slopes[key].function is None:
            self.slopes[key].recursive = True
        return self.slopes[key]

    def _begun(self, callee: Function, places: tuple[int, ...]) -> Slopes:
        """Slopes without a function so far: it may call itself.

        The function with partials of these partials gives the values' partials already.
        """
        entries = self._known(callee, places)
        place = len(callee.results)
        for result in callee.results[len(entries) :]:
            real = result.type.is_real
            row: list[Entry] = list(range(place, place + len(places)))
            entries.append(row if real else None)
            place += len(places) if real else 0
        return Slopes(callee, self._name(callee), places, entries)

    def _known(
        self, callee: Function, places: tuple[int, ...]
    ) -> list[list[Entry] | None]:
        inner = self.derived.get(callee.name)
        if inner is None or not set(places) <= set(inner.places):
            return []
        picked = [inner.places.index(k) for k in places]
        return [row and [row[k] for k in picked] for row in inner.entries]

    def _name(self, callee: Function) -> str:
        known = self.derived.get(callee.name)
        wish = f"{callee.name}_jac"
        if known is not None:
            wish = f"{known.callee.name}_hess"
        return self.unlike(wish)

    def _derive(self, request: Request, own: Slopes) -> None:
        """The function with partials, by the cheapest order."""
        callee, count = own.callee, len(own.callee.results)
        chosen = Independents(tuple(callee.parameters[k] for k in own.places))
        inner = replace(
            request,
            function=callee,
            independents=chosen,
            value=True,
            name=own.name,
            seeded=False,
        )
        builder, values = inner.copied(callee, count)
        rows = tuple(
            value
            for value, row in zip(values, own.entries, strict=True)
            if any(isinstance(e, int) and e >= count for e in row or ())
        )

        def assembled(matrix: Matrix) -> tuple[Operand, ...]:
            return (*values, *(entry for row in matrix for entry in row))

        outcome = inner.run(builder, Task(chosen.columns, rows, (assembled,), count))
        hints = partials(names_of(rows), names_of(chosen.columns))
        nest = one_or_tuple(len(outcome.results))
        made = guarded(inner.finish(outcome, nest, (), count, hints))
        own.function = made if own.recursive else _trimmed(made, own)
        self.functions[own.name] = own.function


_FORMS = {
    "adj": "adjoint",
    "forth": "record",
    "back": "record",
    "dot": "tangent",
    "series": "coefficients",
}


def _trimmed(function: Function, own: Slopes) -> Function:
    """The function without partials that are numbers or repeat another result."""
    count = len(own.callee.results)
    results: list[Operand] = list(function.results[:count])
    places: dict[Operand, int] = {}
    for row in own.entries:
        for k, entry in enumerate(row or ()):
            if row is None or isinstance(entry, Literal) or entry < count:
                continue
            partial = function.results[entry]
            if isinstance(partial, Literal) and not partial.name:
                row[k] = partial
                continue
            if partial not in places:
                places[partial] = len(results)
                results.append(partial)
            row[k] = places[partial]
    nest = one_or_tuple(len(results))
    block = Block(function.block.params, function.body, tuple(results))
    return replace(function, block=block, nest=nest)


# --- links --------------------------------------------------------------------------

_Active = Mapping[Call, Sequence[int]]
_Link = Callable[[Call, Sequence[int], dict[Operand, Operand]], Iterator[Statement]]
"""The statements for a call with the places of its arguments that matter; values with
partials are entered.
"""


def _linked(block: Block, active: _Active, made: Mapping[str, _Link]) -> Block:
    env: dict[Operand, Operand] = {}
    body: list[Statement] = []
    for statement in block.body:
        here = statement.over(env)
        if isinstance(statement, Call) and statement in active:
            assert isinstance(here, Call)
            body += made[statement.callee](here, active[statement], env)
        else:
            body.append(here.map_blocks(lambda inner: _linked(inner, active, made)))
    results = tuple(env.get(r, r) for r in block.results)
    return Block(block.params, tuple(body), results)


def _link(
    slopes: Slopes, call: Call, _: Sequence[int], env: dict[Operand, Operand]
) -> Iterator[Statement]:
    """The call of the function with partials, and its values with these."""
    count = len(call.outs)
    width = 1 + max(
        (e for row in slopes.entries for e in row or () if isinstance(e, int)),
        default=count - 1,
    )
    names = _names(call, slopes)
    more = tuple(Var(FLOAT, names.get(k, "")) for k in range(count, width))
    outs = (*call.outs, *more)
    yield Call(outs, slopes.name, call.args, inert=True, raises=call.raises)
    for out, row in zip(call.outs, slopes.entries, strict=True):
        if row is not None:
            given = [outs[e] if isinstance(e, int) else e for e in row]
            pairs = zip(slopes.places, given, strict=True)
            live = [(call.args[k], slope) for k, slope in pairs if not is_zero(slope)]
            if not live:
                continue
            made = Var(out.type, out.hint, out.span)
            env[out] = made
            operands = (*(a for a, _ in live), *(slope for _, slope in live))
            yield Apply(made, GIVEN, (out, *operands))


def _names(call: Call, slopes: Slopes) -> dict[int, str]:
    """The names of the partials of a call, `dy_dx`, by their places; partials by a
    number are named after the parameter.
    """
    names: dict[int, str] = {}
    for out, row in zip(call.outs, slopes.entries, strict=True):
        for k, entry in zip(slopes.places, row or (), strict=False):
            arg = call.args[k]
            own = slopes.callee.parameters[k].name
            known = arg.hint if isinstance(arg, Var) else own
            if isinstance(entry, int) and out.hint and known:
                names.setdefault(entry, f"d{out.hint}_d{known}")
    return names


def unlinked(function: Function) -> Function:
    """The function with plain calls, whose results are taken as they come."""
    if Call not in function.block.all_kinds:
        return function
    if not any(isinstance(s, Call) and s.inert for s in walk(function.body)):
        return function
    return replace(function, block=without(function.block, lambda op: op is GIVEN))
