"""Regions of arrays in which elements are stored, and stores that may meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.entrywise.claims import CHANGES, COPIES, Claims
from ad_transform.ir.loops.affine import (
    AffineForm,
    AffineForms,
    is_less,
    minus,
    number,
    plus,
)
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)

Loop = Scan | While


@dataclass(frozen=True, slots=True)
class Span:
    """The places from `first` to the one before `end`, each once."""

    first: AffineForm
    end: AffineForm


Region = tuple[AffineForm | Span, ...] | None
"""One place or several along each axis; None is any."""


@dataclass(frozen=True, slots=True)
class _Site:
    """A store: the loops around it, its region, and whether it may replace a value."""

    out: Var
    loops: tuple[Loop, ...]
    region: Region
    is_over: bool


@dataclass(slots=True, eq=False)
class _Search:
    """All stores of a program, by the results that claim them, in order."""

    claims: Claims
    sites: dict[int, list[_Site]] = field(default_factory=dict)
    made: dict[Operand, Statement] = field(default_factory=dict)
    lengths: dict[int, AffineForm] = field(default_factory=dict)
    ranges: dict[Loop, Span | None] = field(default_factory=dict)

    def block(self, block: Block, loops: tuple[Loop, ...], forms: AffineForms) -> None:
        for statement in block.body:
            self.made.update((out, statement) for out in statement.outs)
            if isinstance(statement, Apply):
                self._apply(statement, loops, forms)
            elif isinstance(statement, Scan | While):
                body = statement.body
                reads = zip(statement.read_params, statement.reads, strict=True)
                inner = forms.within(body, reads)
                self.ranges[statement] = _range(statement, forms)
                self.block(body, (*loops, statement), inner)
            elif isinstance(statement, Branch):
                for arm in statement.blocks:
                    pairs = zip(arm.params, statement.args, strict=True)
                    inner = forms.within(arm, pairs)
                    self.block(arm, loops, inner)

    def _apply(
        self, statement: Apply, loops: tuple[Loop, ...], forms: AffineForms
    ) -> None:
        key = self.claims.keys.get(statement.out)
        name, args = statement.op.name, statement.args
        if key is None or not statement.out.type.dims:
            return
        if name == "full":
            self.lengths[key] = forms.of(args[1])
        if name in COPIES:  # every row may have an entry
            site = _Site(statement.out, loops, None, is_over=False)
            self.sites.setdefault(key, []).append(site)
        if name not in CHANGES:
            return
        index = map(forms.of, args[2:])
        region = self._region(key, [*index], loops) if name != "append" else None
        is_over = name == "set" and not self._has_same(args)
        site = _Site(statement.out, loops, region, is_over)
        self.sites.setdefault(key, []).append(site)

    def _has_same(self, args: tuple[Operand, ...]) -> bool:
        """Whether the stored value is the old one and something added."""
        array, value, *index = args
        stack = [value]
        while stack:
            made = self.made.get(stack.pop())
            if isinstance(made, Apply) and made.op.name in ("add", "sub"):
                stack += made.args
            elif isinstance(made, Apply) and made.args == (array, *index):
                return made.op.name == "get"
        return False

    def _region(
        self, key: int, index: Sequence[AffineForm], loops: tuple[Loop, ...]
    ) -> Region:
        """The places that a store reaches along each axis; None if it may reach one
        twice, or nothing is known.
        """
        found: list[AffineForm | Span] = []
        left: Sequence[Loop] = loops
        for form in index:
            own = [
                loop
                for loop in left
                if isinstance(loop, Scan) and loop.body.params[0] in form
            ]
            if own:
                left = [loop for loop in left if loop is not own[0]]
                span = self._span(own[0], form)
                if span is None:
                    return None
                found.append(span)
            elif is_less(number(-1), form) or (
                len(index) == 1 and plus(form, number(1)) == self.lengths.get(key)
            ):
                found.append(form)
            else:
                return None
        return None if left else tuple(found)

    def _span(self, loop: Scan, form: AffineForm) -> Span | None:
        """The places at a fixed distance from the indices of a loop."""
        places = self.ranges[loop]
        shift = minus(form, {loop.body.params[0]: 1})
        if places is None or shift.keys() - {None}:
            return None
        first = plus(places.first, shift)
        is_told = is_less(number(-1), first)
        return Span(first, plus(places.end, shift)) if is_told else None


def _range(loop: Loop, forms: AffineForms) -> Span | None:
    """The indices of a loop that counts up from a number."""
    if not isinstance(loop, Scan) or loop.step != Literal(1):
        return None
    first, end = forms.of(loop.start), forms.of(loop.stop)
    return None if first.keys() - {None} else Span(first, end)


def ending(block: Block, claims: Claims) -> dict[Var, int]:
    """The stores that may replace entries of their rows, with the results of these
    rows; quadratic in the stores of a result.
    """
    search = _Search(claims)
    search.block(block, (), AffineForms(block.body, {}))
    found: dict[Var, int] = {}
    for key, sites in search.sites.items():
        for place, site in enumerate(sites):
            others = (
                other
                for k, other in enumerate(sites)
                if other is not site and (k < place or {*other.loops} & {*site.loops})
            )
            once = site.region is not None or not site.loops
            is_first = once and all(_are_apart(site.region, o.region) for o in others)
            if site.is_over and not is_first:
                found[site.out] = key
    return found


def _are_apart(one: Region, other: Region) -> bool:
    """Whether no element belongs to both stores."""
    if one is None or other is None:
        return False
    return any(_differ(a, b) for a, b in zip(one, other, strict=True))


def _differ(one: AffineForm | Span, other: AffineForm | Span) -> bool:
    """Whether two stores share no place along an axis."""
    one, other = _places(one), _places(other)
    below = is_less(minus(one.end, number(1)), other.first)
    return below or is_less(minus(other.end, number(1)), one.first)


def _places(region: AffineForm | Span) -> Span:
    if isinstance(region, Span):
        return region
    return Span(region, plus(region, number(1)))
