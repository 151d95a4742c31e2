"""The raw program of a function: its parameters, statements and results."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.ir.arms.threaded import threaded
from ad_transform.ir.nodes import (
    LEAF,
    Block,
    Container,
    Function,
    Parameter,
    Passing,
)
from ad_transform.later import later
from ad_transform.read.arrays import array_rows
from ad_transform.read.arrays.blocks import AXES
from ad_transform.read.arrays.copies import with_copies
from ad_transform.read.branches import maybe
from ad_transform.read.branches.sinking import sunk
from ad_transform.read.constants.constant_values import drafts_in
from ad_transform.read.finish import Finisher, shared_names
from ad_transform.read.flattening.flatten import Flattener
from ad_transform.read.machine.drafts import free
from ad_transform.read.objects.makers import maker_of
from ad_transform.read.parameters.parameters import Pair, as_called
from ad_transform.read.parameters.results import shape_of
from ad_transform.read.report import Report
from ad_transform.read.values.callables import Closure
from ad_transform.read.values.regrouping import kind_of, regroup
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import STRUCTURED, Object
from ad_transform.read.values.values import Draft, Maybe, Number, Special, Value

with later():
    from ad_transform.read.arrays import arrays
    from ad_transform.read.layers import layered


def raw(
    flat: Flattener, closure: Closure, signature: Sequence[Pair], span: Span
) -> Function | None:
    """The function that flattening gives, over its parameters; None after a report."""
    own = {p.name: value for p, value in signature}
    flat.given.update(v for value in own.values() for v in drafts_in(value))
    flat.inputs.update(d for value in own.values() for d in drafts_in(value))
    names = {name: _owned(flat, value) for name, value in own.items()}
    for formal in closure.code.formals:  # of those refused nothing is known
        names.setdefault(formal.name, Special.REFUSED)
    for name, value in names.items():
        if isinstance(value, Object) and value.identity is not None:
            value.identity.hint = name
    result = flat.inlined(closure, names, span)
    result = flat.heap.fields.deep(result, span)
    leaves: list[Number] = []
    place = flat.left or span

    def held(array: Array) -> Value:
        if not array.is_whole:
            made = arrays.copied(flat, array, array.cell.container, place)
            if not isinstance(made, Array):
                return made
            array = made
        return layered.returned(flat, array, place)

    def certain(value: Value) -> Value:
        value = maybe.certain(flat, value, place)
        if isinstance(value, Array) and array_rows.is_one(flat, value):
            return arrays.copied(flat, value, Container.ARRAY, place)
        return value

    report = flat.module.report
    nest = shape_of(result, leaves, place, report, (certain, held, maker_of))
    if flat.fitted is not None:
        flat.fitted.end()
    constants = _unknown(flat, leaves)
    apart = nest is not None and _are_apart(flat, constants, own, span)
    if nest is None or not apart or _has_gaps(report):
        return None
    values: list[Value] = [*own.values(), *constants]
    inputs = [tuple(drafts_in(value)) for value in values]
    given = [draft for group in inputs for draft in group]
    drafts = sunk((*flat.prelude, *flat.statements), leaves)
    finisher = Finisher(shared_names(given, drafts))
    carried = [tuple(map(finisher.bind, group)) for group in inputs]
    body = finisher.statements(drafts)
    results = tuple(map(finisher.operand, leaves))
    called = (*map(as_called, signature), *constants.values())
    parameters = tuple(
        replace(p, vars=carrying) for p, carrying in zip(called, carried, strict=True)
    )
    block = Block(tuple(var for group in carried for var in group), body, results)
    size, notes = len(results), flat.parting
    made = Function(closure.code.name, parameters, block, nest, size, notes)
    return with_copies(threaded(made))


def _has_gaps(report: Report) -> bool:
    """Whether something is refused. A refusal may leave gaps, as in a loop without some
    ends, except for arrays that may be one object: these are read like any others.
    """
    errors = (one for one in report.sorted() if one.severity == "error")
    return any(one.code != "AD124" for one in errors)


def _owned(flat: Flattener, value: Value) -> Value:
    """The value of a parameter inside; for an array one that may be changed."""
    if isinstance(value, Draft) and len(value.type.shape) == AXES:
        return layered.held(flat, value, value.span or _NOWHERE)
    if isinstance(value, Draft) and value.type.dims:
        return flat.heap.allocate(value, Container.ARRAY, value.span or _NOWHERE)
    if isinstance(value, Maybe):
        assert isinstance(value.given, Draft)
        return maybe.of_flag(flat, value.given, _owned(flat, value.value))
    if isinstance(value, STRUCTURED):
        items = tuple(_owned(flat, item) for item in value.items)
        made = regroup(kind_of(value), items, getattr(value, "site", None))
        return flat.heap.fields.owned(made)
    return value


_NOWHERE = Span(0, 0, 0, 0)


def _unknown(flat: Flattener, leaves: Sequence[Number]) -> dict[Draft, Parameter]:
    """The constants with unknown numbers that a program reads, in order of use."""
    found: dict[Draft, Parameter] = {}
    unknown = flat.module.shared.unknown
    for draft in free(flat.statements, leaves) if unknown else ():
        constant = unknown.get(draft)
        if constant is not None:
            near = None if constant.near is None else repr(+constant.near)
            found[draft] = Parameter(constant.name, (), LEAF, near, Passing.MODULE)
    return found


def _are_apart(
    flat: Flattener,
    constants: dict[Draft, Parameter],
    own: dict[str, Value],
    span: Span,
) -> bool:
    """Whether no parameter hides a constant that a function inside needs."""
    for constant in constants.values():
        name = constant.name.partition(".")[0]
        if name in own:
            message = f"the parameter {name!r} hides the constant {name!r}, which "
            message += "a function that is called needs"
            flat.module.report.add("AD025", message, span, "rename the parameter")
            return False
    return True
