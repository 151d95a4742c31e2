"""Derivatives inside expressions: `ad.derivative(f, x)`, after ADDS (Yoshida 1989).

An operator is a statement with a block of its own: what lies between the values that it
differentiates by and those that it differentiates, made a second time. So a name that
is differentiated by cuts the graph there, whatever it was computed from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import OPERATORS, Literal
from ad_transform.ir.types import BOOL, FLOAT
from ad_transform.read.arguments import Unfit
from ad_transform.read.choices import typed
from ad_transform.read.context import Context
from ad_transform.read.drafts import DraftDerivative, DraftStatement, free, made, uses
from ad_transform.read.grids import Grid, Shape, grid_of, group_of, shape_text
from ad_transform.read.of_known import bound
from ad_transform.read.values import Draft, Number, Value, describe


@dataclass(frozen=True, slots=True)
class Operator:
    """What an operator takes, and the shape of what it gives by those of f and x."""

    parameters: str
    shape: Callable[[Shape, Shape], Shape]
    seed: Callable[[Shape, Shape], Shape] = lambda f, x: ()


# fmt: off
FORMS: Mapping[str, Operator] = {
    "ad_transform.derivative": Operator("f x",   lambda f, x: f + x),
    "ad_transform.tangent":    Operator("f x v", lambda f, x: f, lambda f, x: x),
    "ad_transform.adjoint":    Operator("f x w", lambda f, x: x, lambda f, x: f),
    "ad_transform.rounding_error": Operator("f", lambda f, x: f),
}
# fmt: on


def called(
    flat: Context,
    name: str,
    values: Sequence[Value],
    keywords: Mapping[str, Value],
    span: Span,
) -> Value:
    """What an operator gives; AD114 where it cannot be taken."""
    try:
        return _made(flat, name, values, keywords, span)
    except Unfit as unfit:
        shown = name.replace("ad_transform", "ad")
        return flat.refuse("AD114", f"`{shown}` {unfit}", span, unfit.help)


def _made(
    flat: Context,
    name: str,
    values: Sequence[Value],
    keywords: Mapping[str, Value],
    span: Span,
) -> Value:
    row, operator = FORMS[name], name.rpartition(".")[2]
    words = bound(row.parameters, values, keywords)
    f, *rest = (_grid(flat, word, value, span) for word, value in words)
    by = rest[0] if rest else Grid((), ())
    own = independents(by)
    seeds: tuple[Number, ...] = ()
    if len(rest) > 1:
        seeds = _seeds(flat, rest[1], row.seed(f.shape, by.shape), span)
    ends = tuple(typed(flat.statements, _real(e), FLOAT, span) for e in f.items)
    body = between(flat, own, ends) if own else everything(flat, ends)
    count, _ = OPERATORS[operator](len(ends), len(own))
    outs = tuple(Draft(FLOAT, span) for _ in range(count))
    taken = tuple(dict.fromkeys(d for d in free(body, ends) if d not in own))
    flat.add(DraftDerivative(outs, operator, own, seeds, body, ends, taken))
    return group_of(flat, Grid(row.shape(f.shape, by.shape), outs), span)


def _grid(flat: Context, word: str, value: Value, span: Span) -> Grid:
    found = grid_of(flat, value, span)
    if found is None:
        raise Unfit(f"takes numbers for {word!r}, not {describe(value)}", _KNOWN)
    return found


_KNOWN = "give it numbers, or arrays of known shape with few elements"


def _real(value: Value) -> Number:
    if not isinstance(value, Draft | Literal) or value.type is BOOL:
        raise Unfit(f"takes numbers, not {describe(value)}", _KNOWN)
    return value


def _seeds(flat: Context, given: Grid, wanted: Shape, span: Span) -> tuple[Number, ...]:
    if given.shape != wanted:
        shown = f"{shape_text(given.shape)}, not {shape_text(wanted)}"
        raise Unfit(f"gets a vector of shape {shown}", _SHAPED)
    return tuple(typed(flat.statements, _real(v), FLOAT, span) for v in given.items)


_SHAPED = "`v` has the shape of what is differentiated by, `w` that of the expression"


def independents(by: Grid) -> tuple[Draft, ...]:
    """The values that are differentiated by; raises Unfit for what are none."""
    own: list[Draft] = []
    for item in by.items:
        if not isinstance(item, Draft) or not item.type.is_real:
            shown = describe(item)
            raise Unfit(f"cannot differentiate by {shown}", _BY)
        if item in own:
            raise Unfit("gets a value twice to differentiate by", "give each once")
        own.append(item)
    return tuple(own)


_BY = "differentiate by a parameter, or by a name that is computed from one"


# --- what lies between ----------------------------------------------------------------


def between(
    flat: Context, own: Sequence[Draft], ends: Sequence[Number]
) -> list[DraftStatement]:
    """The statements by which the ends depend on some drafts; raises Unfit where they
    may do so through what is not seen from here.
    """
    needed = _needed(flat, own, ends)
    varied = set(own)
    body: list[DraftStatement] = []
    for statement in needed:
        outs = list(made([statement]))
        depends = not varied.isdisjoint(uses([statement]))
        if depends or any(out.type.dims for out in outs):
            body.append(statement)
        if depends:
            varied.update(outs)
    if not _are_here(flat, own):
        _refuse_carried(flat, own, needed, ends)
    return body


def everything(flat: Context, ends: Sequence[Number]) -> list[DraftStatement]:
    """All that the ends are computed by; raises Unfit for what earlier trips did."""
    needed = _needed(flat, (), ends)
    _refuse_carried(flat, (), needed, ends)
    return needed


def _needed(
    flat: Context, own: Iterable[Draft], ends: Sequence[Number]
) -> list[DraftStatement]:
    """What the ends are computed by from some drafts and what is given, in order."""
    cut = set(own)
    wanted = {end for end in ends if isinstance(end, Draft)}
    found: list[DraftStatement] = []
    for body in (flat.statements, *reversed(flat.outer), flat.prelude):
        for statement in reversed(body):
            if wanted.isdisjoint(_outs(statement, cut)):
                continue
            found.append(statement)
            wanted.update(uses([statement]))
    return found[::-1]


def _outs(statement: DraftStatement, cut: set[Draft]) -> set[Draft]:
    """What a statement makes; of those that are differentiated by it makes none."""
    return set(made([statement])) - cut


def _are_here(flat: Context, own: Sequence[Draft]) -> bool:
    """Whether drafts are all made by the innermost block: nothing that comes from
    outside of it, or from an earlier trip, can depend on them.
    """
    return set(made(flat.statements)).issuperset(own)


def _refuse_carried(
    flat: Context,
    own: Sequence[Draft],
    needed: Sequence[DraftStatement],
    ends: Sequence[Number],
) -> None:
    known = {*own, *flat.inputs, *flat.module.shared.unknown}
    for draft in free(needed, ends):
        if draft not in known and draft.type.is_real:
            shown = f"{draft.hint!r}, " if draft.hint else "a value "
            raise Unfit(f"needs {shown}which an earlier trip has computed", _CARRIED)


_CARRIED = "differentiate behind the loop, or by a name that is bound in the same trip"
