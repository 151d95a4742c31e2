"""Derived functions: a request goes in, a function with its figures comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.outcome import Outcome, Pass, Trail
from ad_transform.derive.as_written import cheapest_as_written
from ad_transform.derive.calls.calls import Calls
from ad_transform.derive.kinds.kind_rows import KINDS
from ad_transform.derive.kinds.kinks import kinks_of
from ad_transform.derive.passes import (
    as_it_runs,
    formed_to_be_called,
    straightened,
)
from ad_transform.derive.request import Request
from ad_transform.derive.signature import Independents, open_length
from ad_transform.derive.trips.trips import with_steps
from ad_transform.derive.trips.unrolled import as_arrays, is_short, unrolled
from ad_transform.diagnostics import Diagnostic, Listing, Refusal, Span
from ad_transform.eliminate.order import PAIRED, only_of_hessians
from ad_transform.ir.blocks.dissolve import has_stand_ins
from ad_transform.ir.count import Counts, count
from ad_transform.ir.held import held, held_bundle
from ad_transform.ir.loops.ends import without_ends
from ad_transform.ir.nodes import (
    Bundle,
    Container,
    Function,
)
from ad_transform.ir.types import Items
from ad_transform.later import later
from ad_transform.options import Options, weights_of

with later():
    from ad_transform.derive.calls.tightened import tightened
    from ad_transform.derive.kinds.containers import without_arrays
    from ad_transform.derive.running import running

if TYPE_CHECKING:
    from ad_transform.derive.constants.module_arrays import ModuleArray
    from ad_transform.derive.vectors.drawn import VectorTrail


@dataclass(frozen=True, slots=True)
class Derived:
    """A derived function with the facts for its documentation."""

    function: Function
    source: str
    kind: str
    value: bool
    independents: tuple[str, ...]
    order: str
    counts: Counts
    kinks: tuple[str, ...]
    warnings: tuple[Diagnostic, ...]
    model: str = ""  # the model of an error estimate
    trails: tuple[Trail, ...] = ()  # how the code came about
    passes: tuple[Pass, ...] = ()  # the code behind each, where it is one straight run
    rivals: Mapping[str, int] = field(default_factory=dict)  # prices by order
    vectors: VectorTrail | None = None  # the elimination of a graph of whole arrays
    program: Function | None = None  # its source, if that gives names
    vector: str = ""  # the parameter that holds the independents, if one does
    before: tuple[Function, ...] = ()  # its callees, printed in front of it
    said: Mapping[str, str] = field(default_factory=dict)  # on callees, by name
    forms: Mapping[str, list[str]] = field(default_factory=dict)  # see `Calls.forms`
    shape: tuple[int, int] | None = None  # of a matrix that is given sparse
    setup: str = ""  # the call that gives `setup`, if there is one
    written: Function | None = None  # its source, where that was written out first
    arrays: tuple[ModuleArray, ...] = ()  # constants of the output that it reads
    tables: Mapping[str, Items] = field(default_factory=dict)  # lists that it may read

    @property
    def bundle(self) -> Bundle:
        """The function with its callees."""
        return Bundle(self.function, self.before)


@dataclass(frozen=True, slots=True)
class Specification:
    """A function and the request of a mark on it.

    `marked` are the options of the mark as typed values, `options` those of generation
    as they apply; reports of errors quote the lines of `listing`. `helpers` are the
    functions that the function calls.
    """

    function: Function
    kind: str
    independents: tuple[str, ...]
    marked: Mapping[str, object]
    options: Options
    span: Span | None = None
    listing: Listing = Listing()
    helpers: tuple[Function, ...] = ()

    @property
    def name(self) -> str:
        """The name that the mark gives, empty if it gives none."""
        return str(self.marked.get("name", ""))

    def derived(self) -> Derived:
        """The derived function, as the row of the kind makes it; raises Refusal."""
        try:
            self._refuse_arrays()
            self._refuse_outside()
            self._refuse_order()
            made: Derived = KINDS[self.kind].make(self)
        except Refusal as refusal:
            raise refusal.at(self.span) from None
        if self.options.container == "tuple":
            return replace(made, function=without_arrays(made.function))
        return made

    def _refuse_arrays(self) -> None:
        """Raise Refusal (AD031) for options that arrays of run-time length lack."""
        function = self.function
        names = self.independents or [p.name for p in function.parameters]
        named = [p for p in function.parameters if p.name in names]
        others = [p for p in function.parameters if p.name not in names]
        dim = open_length(named, others) if self.marked.get("packed") else None
        if dim is not None:
            self._refuse(f"`packed` of several arrays without a length {dim}", _TELL)
        if self.marked.get("packed") and any(p.nest.is_optional for p in named):
            way_out = "leave it out, or name the others: `gradient(x, packed=True)`"
            self._refuse("`packed` of arrays that may be None", way_out)
        parts = [v for p in named if not p.nest.is_leaf for v in p.vars]
        if self.marked.get("packed") and not all(v.type.is_real for v in parts):
            way_out = "leave it out, or take the floats as parameters of their own"
            self._refuse("`packed` of objects that hold more than floats", way_out)

    def _refuse_outside(self) -> None:
        """Raise Refusal (AD031) for kinds and options that external functions lack."""
        names = [f.outside.name for f in self.helpers if f.outside]
        if names and KINDS[self.kind].estimates:
            way_out = "write what it computes in the file, without `external`"
            self._refuse(f"`{self.kind}` through the external {names[0]!r}", way_out)
        outside = [f for f in self.helpers if f.outside]
        nests = [p.nest for f in outside for p in f.parameters]
        nests += [f.nest for f in outside]
        values = [v for f in outside for v in (*f.block.params, *f.results)]
        has_arrays = any(nest.container is Container.ARRAY for nest in nests)
        has_arrays = has_arrays or any(value.type.shape for value in values)
        if self.options.container == "tuple" and has_arrays:
            self._refuse('`container="tuple"` of external arrays', "leave it out")

    def _refuse_order(self) -> None:
        """Raise Refusal (AD032) for an order that the kind does not have."""
        order = self.options.order
        if order not in PAIRED:
            return
        if not KINDS[self.kind].second:
            raise Refusal(only_of_hessians(order, f"this is `{self.kind}`"))
        if self.options.cost == "fma":
            text = f"the order {order!r} has no plain count: that is one on the graph "
            text += "of the function as written, which is not symmetric"
            raise Refusal(Diagnostic("AD032", text, None, "leave `--cost fma` out"))

    def _refuse(self, what: str, way_out: str) -> None:
        message = f"{what} is not supported yet"
        raise Refusal(Diagnostic("AD031", message, self.span, way_out))


_TELL = 'let another parameter have the length: `A: "Matrix[m, n]"`, or leave it out'


def differentiated(specification: Specification) -> Derived:
    """The derivative as specified, of the unrolled function if that is cheaper."""
    made = _differentiated_as_it_is(specification)
    options = specification.options
    row = KINDS[specification.kind]
    if not row.unrolls or options.cost == "fma":
        return made
    function = unrolled(specification.function, options.unroll)
    if function is None:
        return made
    other = _differentiated_as_it_is(replace(specification, function=function))
    if not is_short(other.function, options.unroll):
        return made
    weights = weights_of(options.cost)
    costs = [running(one.bundle, weights) for one in (made, other)]
    if costs[1] >= costs[0]:
        return made
    return replace(
        other, function=as_arrays(other.function, made.function), written=function
    )


def _differentiated_as_it_is(specification: Specification) -> Derived:
    return derive(
        specification.function,
        specification.kind,
        specification.independents,
        value=bool(specification.marked.get("value", False)),
        name=specification.name,
        options=specification.options,
        span=specification.span,
        helpers=specification.helpers,
        degree=int(str(specification.marked.get("degree", 0))),
        sparse=bool(specification.marked.get("sparse")),
        last=specification.options.target == "math",
    )


def generated_name(source: str, kind: str, value: bool) -> str:
    """The name of the generated function: `f_grad`, `f_value_and_grad`, ..."""
    row = KINDS[kind]
    suffix = row.value_suffix if value else row.suffix
    return f"{source}_{suffix}" if suffix else source


def derive(
    function: Function,
    kind: str,
    independents: tuple[str, ...],
    *,
    value: bool = False,
    name: str = "",
    options: Options = Options(),  # noqa: B008  frozen
    span: Span | None = None,
    helpers: Sequence[Function] = (),
    degree: int = 0,
    sparse: bool = False,
    last: bool = False,
    runs: Callable[[Function], Function] | None = None,
) -> Derived:
    """The derived function of a kind.

    `degree` is that of a Taylor polynomial. Matrices of run-time size are given by
    their entries if `sparse`. The `last` is one that nothing is derived from: the
    functions that it calls may record. `runs` makes the function that runs; without it,
    the statements that solve an equation take its place.

    Raises Refusal (AD029) where the kind needs one scalar result and there is another;
    warns (AD030) of independents that do not matter. `span` locates both. `helpers` are
    the functions that the function calls.
    """
    row = KINDS[kind]
    if row.scalar and not (function.nest.is_leaf and function.results[0].type.is_real):
        raise Refusal(_not_scalar(function, kind, span))
    chosen = Independents.named(function, independents)
    function = held(straightened(function))
    request = Request(
        function,
        chosen,
        value,
        name or generated_name(function.name, kind, value),
        options,
        Calls.of(f if f.outside else straightened(f) for f in helpers),
        degree,
        sparse,
        last and (row.second or not row.tangents),
    )
    derived, outcome = cheapest_as_written(row.form, request)
    stands = has_stand_ins(derived)  # what only they read is gone in the end
    bundle = with_steps((runs or as_it_runs)(derived))
    called = (
        Bundle(f) if f.outside else with_steps(as_it_runs(formed_to_be_called(f)))
        for f in request.calls.used(derived)
    )
    helpers = tuple(f for one in called for f in one.functions)
    if helpers or bundle.before:
        bundle = tightened(Bundle(bundle.main, (*helpers, *bundle.before)))
    bundle = held_bundle(bundle)
    # functions that are called may be differentiated by any of their parameters
    differentiated = [
        (function.block, chosen.columns),
        *((helper.block, helper.block.params) for helper in helpers),
    ]
    return Derived(
        function=bundle.main,
        source=function.name,
        kind=kind,
        value=value,
        independents=independents,
        order=outcome.order,
        counts=count(without_ends(bundle.main)) if stands else outcome.counts,
        kinks=kinks_of(differentiated),
        warnings=_idle(function, chosen, outcome, span, row.second),
        trails=outcome.trails,
        passes=outcome.passes,
        rivals={name: made.price for name, made in outcome.rivals.items()},
        vectors=outcome.vectors,
        before=bundle.before,
        said=request.calls.said(),
        forms=request.calls.forms(bundle.before),
    )


_NAMED = {
    Container.TUPLE: "a tuple",
    Container.LIST: "a list",
    Container.ARRAY: "an array",
    Container.OBJECT: "an object",
}


def _not_scalar(function: Function, kind: str, span: Span | None) -> Diagnostic:
    wanted = "the jacobian"
    if any(r.type.is_array for r in function.results):
        wanted = "`vjp` or `jvp`"
    count, container = function.nest.leaves(), function.nest.container
    found = f"a value of type {function.results[0].type}"
    if container is not None:
        found = f"{count} value{'s' * (count != 1)} in {_NAMED[container]}"
        result = function.results[0].type
        if count == 1 and result.is_array:
            found = f"{_NAMED[container]} of values"
    spoken = "an hvp" if kind == "hvp" else f"a {kind}"
    return Diagnostic(
        "AD029",
        f"{spoken} needs one float result, and {function.name!r} returns {found}",
        span,
        help=f"ask for {wanted}, or return one float",
    )


def _idle(
    function: Function,
    chosen: Independents,
    outcome: Outcome,
    span: Span | None,
    second: bool,
) -> tuple[Diagnostic, ...]:
    idle = set(outcome.idle)
    what, zero = ("the result", "its derivative is")
    if second:  # it may depend on it linearly
        what, zero = ("the gradient", "its second derivatives are")
    return tuple(
        Diagnostic(
            "AD030",
            f"{what} of {function.name!r} does not depend on {p.name!r}: {zero} zero",
            span,
            help=f"leave {p.name!r} out of the mark if that is meant",
        )
        for p in chosen.parameters
        if idle.issuperset(v for v in p.vars if v.type.is_real)
    )
