"""Derivatives of IR programs against differences of sixty digits, kind by kind."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from amounts import search
from exact import MPMATH
from mpmath import mp, mpf

from ad_transform.derive.kinds.kinds import Derived, derive
from ad_transform.emit.python.function import printed
from ad_transform.ir.count import count_statements
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Branch, Function, Statement
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify
from ad_transform.options import Options

Row = list[mpf]
STEP = mpf(10) ** -20


def value(function: Function, point: Row) -> Row:
    """The results with sixty digits."""
    return [mpf(v) for v in evaluate(function, point, MPMATH)]


def jacobian(function: Function, point: Row) -> list[Row]:
    """Central differences by all floats, one row for each result."""

    def moved(k: int, by: mpf) -> Row:
        other = list(point)
        other[k] += by
        return value(function, other)

    columns = [
        [
            (p - q) / (2 * STEP)
            for p, q in zip(moved(k, STEP), moved(k, -STEP), strict=True)
        ]
        for k, param in enumerate(function.block.params)
        if param.type.is_real
    ]
    return [list(row) for row in zip(*columns, strict=True)]


@cache
def derived(function: Function, kind: str, **more: object) -> Derived:
    """The derived function by all floats; it is under the law and can be printed."""
    names = tuple(
        p.name for p in function.parameters if all(v.type.is_real for v in p.vars)
    )
    made = derive(function, kind, names, **more)  # type: ignore[arg-type]
    verify(made.function)
    assert printed(made.function, ['    """d"""'], (), 88).text
    return made


def _found(function: Function, kind: str, **more: object) -> Function:
    """What has the numbers: the derived function, most often without a search."""
    options = Options(**search(format_function(function)))
    return derived(function, kind, options=options, **more).function


def check(function: Function, kind: str, point: Row, seed: int = 0) -> None:
    """A kind agrees with differences at a point, in value and derivative."""
    verify(function)
    count = sum(p.type.is_real for p in function.block.params)
    _KINDS[kind](function, point, count, random.Random(seed))


def _first(kind: str) -> Callable[[Function, Row, int, random.Random], None]:
    def checked(f: Function, point: Row, n: int, _: random.Random) -> None:
        found = value(_found(f, kind, value=True), point)
        plain = value(_found(f, kind), point)
        flat = [entry for row in jacobian(f, point) for entry in row]
        assert found[: len(f.results)] == value(f, point)
        agree(found[len(f.results) :], flat)
        agree(plain, flat)

    return checked


def _products(kind: str) -> Callable[[Function, Row, int, random.Random], None]:
    def checked(f: Function, point: Row, n: int, rng: random.Random) -> None:
        rows = jacobian(f, point)
        m = len(rows)
        seeds = [mpf(rng.uniform(-1, 1)) for _ in range(m if kind == "vjp" else n)]
        made = _found(f, kind)
        found = value(made, _seeded(made, f, point, seeds))
        if kind == "vjp":
            want = [sum(seeds[i] * rows[i][k] for i in range(m)) for k in range(n)]
        else:
            want = [sum(a * b for a, b in zip(row, seeds, strict=True)) for row in rows]
        assert found[:m] == value(f, point)
        agree(found[m:], want)

    return checked


def _second(kind: str) -> Callable[[Function, Row, int, random.Random], None]:
    def checked(f: Function, point: Row, n: int, rng: random.Random) -> None:
        rows = jacobian(_found(f, "gradient"), point)
        made = _found(f, kind)
        if kind == "hessian":
            agree(value(made, point), [entry for row in rows for entry in row])
            return
        seeds = [mpf(rng.uniform(-1, 1)) for _ in range(n)]
        found = value(made, _seeded(made, f, point, seeds))
        agree(
            found, [sum(a * b for a, b in zip(row, seeds, strict=True)) for row in rows]
        )

    return checked


def _seeded(made: Function, source: Function, point: Row, seeds: Row) -> Row:
    """The arguments in the order of the derived function's parameters."""
    own = dict(zip(source.block.params, point, strict=True))
    rest = iter(seeds)
    return [own[v] if v in own else next(rest) for v in made.block.params]


_KINDS = {
    "gradient": _first("gradient"),
    "jacobian": _first("jacobian"),
    "jvp": _products("jvp"),
    "vjp": _products("vjp"),
    "hessian": _second("hessian"),
    "hvp": _second("hvp"),
}


def agree(found: Row, wanted: Row) -> None:
    """Equal up to what differences can tell."""
    assert len(found) == len(wanted)
    for a, b in zip(found, wanted, strict=True):
        assert abs(a - b) <= mpf(10) ** -14 * (1 + abs(b)), mp.nstr(a - b, 5)


def taken(body: tuple[Statement, ...], arm: int) -> int:
    """The operations of a body where all branches take the same arm."""
    total = 0
    for statement in body:
        if isinstance(statement, Branch):
            total += taken(statement.blocks[arm].body, arm)
        else:
            total += count_statements((statement,)).total
    return total
