"""Derivatives inside expressions: `ad.derivative(f, x)`, after ADDS (Yoshida 1989).

An operator is a statement with a block of its own: the statements between the values
that it differentiates by and those that it differentiates, made a second time. So a
name that is differentiated by cuts the graph there, however it was computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.dims import Dim
from ad_transform.ir.nodes import OPERATORS, Literal
from ad_transform.ir.types import BOOL, FLOAT
from ad_transform.read.branches.widening import typed
from ad_transform.read.calls import ragged
from ad_transform.read.calls.ragged import Layout
from ad_transform.read.known.grids import Grid, grid_of, group_of
from ad_transform.read.known.of_known import bound
from ad_transform.read.machine.arguments import Unfit
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import (
    DraftDerivative,
    DraftStatement,
    free,
    made,
    uses,
)
from ad_transform.read.values.callables import Closure, FileFunction
from ad_transform.read.values.described import describe
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Value
from ad_transform.read.wholes.wholes import listed, shape_text, whole_of


@dataclass(frozen=True, slots=True)
class Subject:
    """An argument of an operator: numbers in C order, or one array in one piece.

    `outs` are wrapped as `like` is: elements known one by one in a grid of that shape,
    or in tuples and lists nested like a group whose rows differ.
    """

    items: tuple[Value, ...]
    like: Grid | Group | Array | Draft

    @property
    def is_piece(self) -> bool:
        """Whether it is an array whose elements are not known one by one."""
        return not isinstance(self.like, Grid | Group)

    @property
    def layout(self) -> Layout:
        """The layout that a vector for it needs: lengths of axes, or of all rows."""
        return ragged.layout(self.like) if isinstance(self.like, Group) else self.shape

    @property
    def shape(self) -> tuple[Dim, ...]:
        """The lengths of its axes: numbers or names."""
        if isinstance(self.like, Grid):
            return self.like.shape
        if isinstance(self.like, Group):
            return (len(self.items),)
        (content,) = self.items
        assert isinstance(content, Draft)
        return content.type.lengths


NUMBER = Subject((), Grid((), ()))


@dataclass(frozen=True, slots=True)
class Operator:
    """The parameters of an operator; the places of those whose shapes its result has,
    one after the other; and the place of the one whose shape its vector has.
    """

    parameters: str
    result: tuple[int, ...]
    vector: int | None = None


# fmt: off
RULES: Mapping[str, Operator] = {
    "ad_transform.derivative":     Operator("f x",   (0, 1)),
    "ad_transform.tangent":        Operator("f x v", (0,), 1),
    "ad_transform.adjoint":        Operator("f x w", (1,), 0),
    "ad_transform.rounding_error": Operator("f",     (0,)),
}
# fmt: on


def called(
    flat: Context,
    name: str,
    values: Sequence[Value],
    keywords: Mapping[str, Value],
    span: Span,
) -> Value:
    """The result of an operator; AD114 where it cannot be taken."""
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
    row, operator = RULES[name], name.rpartition(".")[2]
    words = bound(row.parameters, values, keywords)
    given = [_subject(flat, word, value, span) for word, value in words]
    f, x = given[0], given[1] if len(given) > 1 else NUMBER
    own = independents(x)
    seeds: tuple[Number, ...] = ()
    if row.vector is not None:
        seeds = _seeds(flat, given[2], given[row.vector], span)
    ends = tuple(_float(flat, end, span) for end in f.items)
    if row.result == (0, 1) and f.is_piece and x.shape == ():
        operator, seeds = "tangent", (Literal(1.0),)
    if row.parameters == "f" and f.is_piece:
        raise Unfit("cannot take an array for 'f'", "give it one element, or a sum")
    like = _like([given[k] for k in row.result])
    body = between(flat, own, ends) if own else everything(flat, ends)
    types, _ = OPERATORS[operator]([e.type for e in ends], [d.type for d in own])
    outs = tuple(Draft(type_, span) for type_ in types)
    taken = tuple(dict.fromkeys(d for d in free(body, ends) if d not in own))
    flat.add(DraftDerivative(outs, operator, own, seeds, body, ends, taken))
    return _wrapped(flat, like, outs, span)


def _like(parts: Sequence[Subject]) -> Grid | Group | Array | Draft:
    """A value with the shapes of some subjects, one after the other; raises Unfit where
    that is a matrix of unknown elements, or one of rows that differ.
    """
    groups = [part.like for part in parts if isinstance(part.like, Group)]
    if groups:
        if sum(part.layout != () for part in parts) > 1:
            raise Unfit("would have rows that differ along two axes", _MATRIX)
        return groups[0]
    arrays = [part.like for part in parts if not isinstance(part.like, Grid)]
    shapes = [part.like.shape for part in parts if isinstance(part.like, Grid)]
    if not arrays:
        return Grid(tuple(n for shape in shapes for n in shape), ())
    if len(arrays) > 1 or any(shapes):
        raise Unfit("would be a matrix whose elements are not known", _MATRIX)
    return arrays[0]


_MATRIX = "take its product with a vector: `ad.tangent` or `ad.adjoint`"


def _wrapped(
    flat: Context,
    like: Grid | Group | Array | Draft,
    outs: tuple[Draft, ...],
    span: Span,
) -> Value:
    if isinstance(like, Group):
        return ragged.filled(like, iter(outs))
    if isinstance(like, Grid):
        return group_of(flat, Grid(like.shape, outs), span)
    (out,) = outs
    if isinstance(like, Draft):
        return out
    return flat.heap.allocate(out, like.cell.container, span, like.cell.lengths)


def _subject(flat: Context, word: str, value: Value, span: Span) -> Subject:
    if isinstance(value, Group) and ragged.is_ragged(value):
        return Subject(ragged.leaves(value), value)
    grid = grid_of(flat, value, span)
    if grid is not None:
        return Subject(grid.items, grid)
    if isinstance(value, Draft) and value.type.is_real:
        return Subject((value,), value)
    if isinstance(value, Array) and value.is_whole and value.cell.type.is_real:
        content = flat.heap.read(value.cell, span)
        if isinstance(content, Draft):
            return Subject((content,), value)
    help_ = _CALLED if isinstance(value, FileFunction | Closure) else _KNOWN
    raise Unfit(f"cannot take {describe(value)} for {word!r}", help_)


_CALLED = "give it what the function gives: `ad.derivative(f(x), x)`"
_KNOWN = "give it floats, or an array of floats as a whole: name a part of one first"


def _float(flat: Context, value: Value, span: Span) -> Number:
    """A number as a float; an array as it is."""
    if not isinstance(value, Draft | Literal) or value.type == BOOL:
        raise Unfit(f"takes numbers, not {describe(value)}", _KNOWN)
    if value.type.is_array:
        return value
    return typed(flat.statements, value, FLOAT, span)


def _seeds(
    flat: Context, given: Subject, wanted: Subject, span: Span
) -> tuple[Number, ...]:
    if given.layout != wanted.layout or given.is_piece is not wanted.is_piece:
        shown = f"{shape_text(given.shape)}, not {shape_text(wanted.shape)}"
        raise Unfit(f"gets a vector of shape {shown}", _SHAPED)
    if isinstance(wanted.like, Draft) and isinstance(given.like, Array):
        return (whole_of(flat, given.like, span),)
    if isinstance(wanted.like, Array) and isinstance(given.like, Draft):
        given = _subject(flat, "v", listed(flat, given.like, span), span)
    return tuple(_float(flat, item, span) for item in given.items)


_SHAPED = "`v` has the shape of what is differentiated by, `w` that of the expression"


def independents(by: Subject) -> tuple[Draft, ...]:
    """The drafts that are differentiated by; raises Unfit for other values."""
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


# --- statements between ---------------------------------------------------------------


def between(
    flat: Context, own: Sequence[Draft], ends: Sequence[Number]
) -> list[DraftStatement]:
    """The statements by which the ends depend on some drafts; raises Unfit where they
    may do so through statements that are not seen from here.
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
    """All statements that compute the ends; raises Unfit for those of earlier trips."""
    needed = _needed(flat, (), ends)
    _refuse_carried(flat, (), needed, ends)
    return needed


def _needed(
    flat: Context, own: Iterable[Draft], ends: Sequence[Number]
) -> list[DraftStatement]:
    """The statements that compute the ends from some drafts and inputs, in order."""
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
    """The values that a statement makes, without those that are differentiated by."""
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
