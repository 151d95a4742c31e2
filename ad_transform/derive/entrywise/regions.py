"""Where elements are stored, and which stores may meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.entrywise.claims import CHANGES, COPIES, Claims
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

Affine = tuple[Operand | None, int]
"""A value, or none, and a number that is added to it."""


@dataclass(frozen=True, slots=True)
class Span:
    """The places from the first to the one before the last, each once."""

    first: Affine
    end: Affine


Region = tuple[Affine | Span, ...] | None
"""One place or several along each axis; None is any."""


@dataclass(frozen=True, slots=True)
class _Site:
    """A store: the loops around it, its place, and if it is over what was there."""

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
    outer: dict[Operand, Operand] = field(default_factory=dict)
    lengths: dict[int, Operand] = field(default_factory=dict)

    def block(self, block: Block, loops: tuple[Loop, ...]) -> None:
        for statement in block.body:
            self.made.update((out, statement) for out in statement.outs)
            if isinstance(statement, Apply):
                self._apply(statement, loops)
            elif isinstance(statement, Scan | While):
                begin = isinstance(statement, Scan) + len(statement.carries)
                self._bind(statement.body.params[begin:], statement.reads)
                self.block(statement.body, (*loops, statement))
            elif isinstance(statement, Branch):
                for arm in statement.blocks:
                    self._bind(arm.params, statement.args)
                    self.block(arm, loops)

    def _bind(self, params: Sequence[Var], given: Sequence[Operand]) -> None:
        """What stands for a value outside."""
        pairs = zip(params, given, strict=False)
        self.outer.update((p, self.outer.get(x, x)) for p, x in pairs)

    def _apply(self, statement: Apply, loops: tuple[Loop, ...]) -> None:
        key = self.claims.keys.get(statement.out)
        name, args = statement.op.name, statement.args
        if key is None or not statement.out.type.dims:
            return
        if name == "full":
            self.lengths[key] = self.outer.get(args[1], args[1])
        if name in COPIES:  # every row may have an entry
            site = _Site(statement.out, loops, None, is_over=False)
            self.sites.setdefault(key, []).append(site)
        if name not in CHANGES:
            return
        region = self._region(key, args[2:], loops) if name != "append" else None
        is_over = name == "set" and not self._has_same(args)
        site = _Site(statement.out, loops, region, is_over)
        self.sites.setdefault(key, []).append(site)

    def _has_same(self, args: tuple[Operand, ...]) -> bool:
        """Whether what is stored is what was there and something more."""
        array, value, *index = args
        stack = [value]
        while stack:
            made = self.made.get(stack.pop())
            if isinstance(made, Apply) and made.op.name in ("add", "sub"):
                stack += made.args
            elif isinstance(made, Apply) and made.args == (array, *index):
                return made.op.name == "get"
        return False

    def _affine(self, value: Operand) -> Affine:
        value, shift = self.outer.get(value, value), 0
        while True:
            if isinstance(value, Literal):
                return None, shift + int(value.value)
            made = self.made.get(value)
            if not isinstance(made, Apply) or made.op.name not in ("add", "sub"):
                return value, shift
            a, b = made.args
            if made.op.name == "add" and isinstance(a, Literal):
                a, b = b, a
            if not isinstance(b, Literal):
                return value, shift
            shift += int(b.value) if made.op.name == "add" else -int(b.value)
            value = self.outer.get(a, a)

    def _region(
        self, key: int, index: tuple[Operand, ...], loops: tuple[Loop, ...]
    ) -> Region:
        """Where a store of a list stores, along each axis; None where it may store
        twice, or nothing is known.
        """
        found: list[Affine | Span] = []
        left: Sequence[Loop] = loops
        for operand in index:
            base, shift = self._affine(operand)
            own = [
                loop
                for loop in left
                if isinstance(loop, Scan) and loop.body.params[0] is base
            ]
            if own:
                left = [loop for loop in left if loop is not own[0]]
                span = self._span(own[0], shift)
                if span is None:
                    return None
                found.append(span)
            elif (base is None and shift >= 0) or (
                shift == -1 and len(index) == 1 and base is self.lengths.get(key, self)
            ):
                found.append((base, shift))
            else:
                return None
        return None if left else tuple(found)

    def _span(self, loop: Scan, shift: int) -> Span | None:
        low, high = self._affine(loop.start), self._affine(loop.stop)
        is_plain = loop.step == Literal(1) and low[0] is None
        if not is_plain or low[1] + shift < 0:
            return None
        return Span((None, low[1] + shift), (high[0], high[1] + shift))


def ending(block: Block, claims: Claims) -> dict[Var, int]:
    """The stores that may be over entries of their rows, with the results whose rows
    these are; quadratic in the stores of a result.
    """
    search = _Search(claims)
    search.block(block, ())
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
    """Whether two stores meet in no element."""
    if one is None or other is None:
        return False
    return any(_differ(a, b) for a, b in zip(one, other, strict=True))


def _differ(one: Affine | Span, other: Affine | Span) -> bool:
    """Whether two stores share no place along an axis."""
    if isinstance(one, Span) and isinstance(other, Span):
        return _is_before(one, other) or _is_before(other, one)
    if isinstance(one, Span):
        one, other = other, one
    assert not isinstance(one, Span)
    if not isinstance(other, Span):
        return one[0] is other[0] and one[1] != other[1]
    below = one[0] is other.first[0] and one[1] < other.first[1]
    return below or (one[0] is other.end[0] and one[1] >= other.end[1])


def _is_before(one: Span, other: Span) -> bool:
    return one.end[0] is other.first[0] and one.end[1] <= other.first[1]
