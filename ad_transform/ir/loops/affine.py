"""Whole numbers as linear forms of others, and conditions that exclude each other.

The index `i - 1` is {i: 1, None: -1}. Trip i reads y[i - 1], and a later trip j stores
y[j]: they meet where `j - i - 1 >= 0` and `j = i - 1`, which no whole numbers fulfil.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import gcd
from types import MappingProxyType
from typing import TypeAlias

from ad_transform.ir.dims import ANY, Dim
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Apply, Block, Literal, Operand, Statement, Var
from ad_transform.ir.types import BOOL, INT

AffineForm: TypeAlias = Mapping[Var | None, int]
"""Whole coefficients by values; that of the number stands under None."""

Conditions: TypeAlias = tuple[AffineForm, ...]
"""AffineForms that are all at least 0."""

_MOST = 150
"""Conditions at a time; where there are more, nothing is said."""

_RELATIONS = {"eq", "ne", "lt", "le", "gt", "ge"}
_TURNED = {"gt": "le", "ge": "lt", "lt": "ge", "le": "gt"}


def number(value: int) -> AffineForm:
    """The form of a number."""
    return {None: value} if value else {}


def plus(a: AffineForm, b: AffineForm, times: int = 1) -> AffineForm:
    """The sum of a form and a multiple of another."""
    total = dict(a)
    for value, count in b.items():
        total[value] = total.get(value, 0) + times * count
    return {value: count for value, count in total.items() if count}


def minus(a: AffineForm, b: AffineForm) -> AffineForm:
    """The difference of two forms."""
    return plus(a, b, -1)


def equal(a: AffineForm, b: AffineForm) -> Conditions:
    """The conditions that two forms are equal."""
    return minus(a, b), minus(b, a)


def is_less(a: AffineForm, b: AffineForm) -> bool:
    """Whether a form is less than another one, whatever the values in them are."""
    return impossible((minus(a, b),))


def renamed(form: AffineForm, names: Mapping[Var, Var]) -> AffineForm:
    """The form over other values."""
    return {
        (names.get(value, value) if value is not None else None): count
        for value, count in form.items()
    }


_KINDS = (INT, BOOL)


class AffineForms:
    """The forms of the whole numbers in a block, and of its tests.

    `known` are those of its parameters. Any other value stands for itself, or for one
    that `new` makes: blocks that are alike may bind the same values. `naturals`, if
    given, are values that are surely at least 0; those of the block are added.
    """

    __slots__ = ("_body", "_known", "_lengths", "_makers", "_new", "naturals")

    def __init__(
        self,
        body: Iterable[Statement],
        known: Mapping[Operand, AffineForm],
        new: Callable[[], Var] | None = None,
        naturals: set[Var] | None = None,
    ) -> None:
        self._known = dict(known)
        self._new = new
        self.naturals = naturals
        self._body = body
        self._lengths: dict[Dim, Operand] | None = None
        self._makers = {
            s.out: s
            for s in body
            if type(s) is Apply and not s.out.type.is_real and s.out.type in _KINDS
        }

    def of(self, operand: Operand) -> AffineForm:
        """The form of a whole number."""
        if isinstance(operand, Literal):
            return number(int(operand.value))
        if operand not in self._known:
            made = self._makers.get(operand)
            form = None if made is None else self._made(made)
            if form is None:
                value = operand if self._new is None else self._new()
                form = {value: 1}
                if made is not None and self._is_natural(made):
                    self.enter_natural(value)
            self._known[operand] = form
        return self._known[operand]

    def enter_natural(self, value: Var) -> None:
        """Enter that a whole number is at least 0."""
        if self.naturals is not None:
            self.naturals.add(value)

    def _is_natural(self, made: Apply) -> bool:
        """Whether an operation gives a length, or a product of numbers not below 0."""
        if self.naturals is None:
            return False
        return made.op.name == "size" or (
            made.op.name == "mul" and all(map(self.is_natural, made.args))
        )

    def is_natural(self, operand: Operand) -> bool:
        """Whether a whole number is surely at least 0: nothing is taken from it."""
        known = self.naturals or ()
        form = self.of(operand)
        return all(n > 0 and (v is None or v in known) for v, n in form.items())

    def place(self, index: Operand, length: Dim) -> AffineForm:
        """The form of an index of an array whose length along the axis is a dim: a
        number below 0 counts from the end.
        """
        form = self.of(index)
        if not isinstance(index, Literal) or int(index.value) >= 0:
            return form
        if isinstance(length, int):
            return plus(form, number(length))
        if self._lengths is None:
            self._lengths = dict(_lengths(self._body))
        known = self._lengths.get(length)
        return form if known is None else plus(form, self.of(known))

    def _made(self, made: Apply) -> AffineForm | None:
        """The form of the value of an operation, by its operands; None without one."""
        if any(a.type != INT for a in made.args):
            return None
        args = [self.of(arg) for arg in made.args]
        match made.op.name, args:
            case "add", (a, b):
                return plus(a, b)
            case "sub", (a, b):
                return minus(a, b)
            case "neg", (a,):
                return minus({}, a)
            case "mul", (a, b) if not a.keys() - {None}:
                return plus({}, b, a.get(None, 0))
            case "mul", (a, b) if not b.keys() - {None}:
                return plus({}, a, b.get(None, 0))
        return None

    def apart(self, test: Operand, holds: bool) -> AffineForm | None:
        """The difference of two numbers that a test, or its opposite, says is not 0."""
        relation = self.relation(test)
        if relation is None or (relation[0], holds) not in (
            ("ne", True),
            ("eq", False),
        ):
            return None
        return minus(*relation[1])

    def within(
        self,
        block: Block,
        pairs: Iterable[tuple[Var, Operand]],
        own: Mapping[Operand, AffineForm] = MappingProxyType({}),
        new: Callable[[], Var] | None = None,
    ) -> AffineForms:
        """The forms of an inner block: `pairs` are parameters with their operands, and
        `own` are forms of others.
        """
        known = dict(own)
        known.update((p, self.of(o)) for p, o in pairs if p.type == INT)
        return AffineForms(block.body, known, new, self.naturals)

    def relation(
        self, test: Operand
    ) -> tuple[str, tuple[AffineForm, AffineForm]] | None:
        """The relation of two whole numbers that a test is, as "eq" or "lt"."""
        made = self._makers.get(test) if isinstance(test, Var) else None
        if made is None or made.op.name not in _RELATIONS:
            return None
        if any(arg.type != INT for arg in made.args):
            return None
        a, b = map(self.of, made.args)
        return made.op.name, (a, b)

    def where(self, test: Operand, holds: bool, around: Conditions = ()) -> Conditions:
        """The conditions that a test of whole numbers says, where it holds or not.

        That two numbers differ is said by which one is greater, if the conditions
        `around` it tell.
        """
        made = self._makers.get(test) if isinstance(test, Var) else None
        if made is None:
            return ()
        name, args = made.op.name, made.args
        if name == "not":
            return self.where(args[0], not holds, around)
        if (name, holds) in (("both", True), ("either", False)):
            return tuple(c for arg in args for c in self.where(arg, holds, around))
        relation = self.relation(test)
        if relation is None:
            return ()
        _, (a, b) = relation
        if (name, holds) in (("eq", True), ("ne", False)):
            return equal(a, b)
        if name not in _TURNED:
            ways = plus(minus(a, b), number(-1)), plus(minus(b, a), number(-1))
            left = [way for way in ways if not impossible((*around, way))]
            return tuple(left) if len(left) == 1 else ()
        name = name if holds else _TURNED[name]
        more = minus(a, b) if name in ("gt", "ge") else minus(b, a)
        return (plus(more, number(-1)) if name in ("gt", "lt") else more,)


def _lengths(body: Iterable[Statement]) -> Iterator[tuple[Dim, Operand]]:
    """The dims of which statements make, or take, an array that is as long as a whole
    number says.
    """
    for s in body:
        if type(s) is not Apply:
            continue
        if s.op.name == "size" and len(s.args) == 1:
            known: tuple[Dim, Operand] = s.args[0].type.lengths[0], s.out
        elif s.op.name == "full":
            known = s.out.type.lengths[0], s.args[1]
        else:
            continue
        if known[0] != ANY:
            yield known


def written(
    form: AffineForm, names: Mapping[Var, Var], table: Mapping[str, Elemental]
) -> tuple[list[Apply], Operand]:
    """The operations that compute a form, sums before differences, and its value."""
    made: list[Apply] = []
    total: Operand | None = None
    last = form.get(None, 0)
    terms = [(names[v], count) for v, count in form.items() if v is not None]

    def apply(name: str, *args: Operand) -> Operand:
        made.append(Apply(Var(INT), table[name], args))
        return made[-1].out

    for value, count in sorted(terms, key=lambda term: term[1] < 0):
        size = abs(count)
        term = value if size == 1 else apply("mul", Literal(size), value)
        if total is None:
            total = term if count > 0 else apply("sub", Literal(last), term)
            last = last if count > 0 else 0
        else:
            total = apply("add" if count > 0 else "sub", total, term)
    if total is None:
        return made, Literal(last)
    if last:
        name = "add" if last > 0 else "sub"
        total = apply(name, total, Literal(abs(last)))
    return made, total


def impossible(conditions: Iterable[AffineForm]) -> bool:
    """Whether no whole numbers fulfil all conditions, by Fourier-Motzkin elimination.

    It may miss that there is no solution; it never denies one.
    """
    rows: dict[tuple[tuple[int, int], ...], int] = {}
    places: dict[Var, int] = {}
    for form in conditions:
        terms = {
            places.setdefault(value, len(places)): count
            for value, count in form.items()
            if value is not None and count
        }
        if not _entered(rows, terms, form.get(None, 0)):
            return True
    for place in range(len(places)):
        above = [(dict(t), n) for t, n in rows.items() if dict(t).get(place, 0) > 0]
        below = [(dict(t), n) for t, n in rows.items() if dict(t).get(place, 0) < 0]
        rows = {t: n for t, n in rows.items() if place not in dict(t)}
        if len(rows) + len(above) * len(below) > _MOST:
            return False
        for a, n in above:
            for b, m in below:
                times, other = -b[place], a[place]
                terms = {k: times * a.get(k, 0) + other * b.get(k, 0) for k in (a | b)}
                if not _entered(rows, terms, times * n + other * m):
                    return True
    return False


def _entered(
    rows: dict[tuple[tuple[int, int], ...], int], terms: Mapping[int, int], last: int
) -> bool:
    """Enter a condition: its terms, and its number, rounded down to a value that whole
    numbers reach. False if nothing fulfils it.
    """
    kept = sorted((place, count) for place, count in terms.items() if count)
    if not kept:
        return last >= 0
    whole = gcd(*(count for _, count in kept))
    key = tuple((place, count // whole) for place, count in kept)
    rows[key] = min(rows.get(key, last // whole), last // whole)
    return True
