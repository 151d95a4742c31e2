"""The measures of a report: operations and rounding errors by line of the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ad_transform.derive.kinds.kinds import Derived
from ad_transform.derive.origins import operations_by_line
from ad_transform.derive.rounding.attribution import Attribution, Share
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Function
from ad_transform.picture.shading import Measure


def operation_measures(function: Function, derived: Derived) -> Iterator[Measure]:
    """The operations of the value, and of the derived function, by line."""
    value = operations_by_line(function)
    yield _operations("value", f"operations of {function.name}", value)
    name = derived.function.name
    yield _operations(
        "derivative", f"operations of {name}", operations_by_line(derived.function)
    )


def _operations(key: str, title: str, tally: Counter[int]) -> Measure:
    total = tally.total() or 1
    shares = {line: n / total for line, n in tally.items() if line and n}
    return Measure(
        key,
        title,
        shares,
        {line: f"{tally[line] / 1000:.3g}" for line in shares},
        {
            line: (f"{title}: {tally[line] / 1000:.3g} of {total / 1000:.3g}",)
            for line in shares
        },
    )


def error_measures(name: str, found: Sequence[Attribution]) -> Iterator[Measure]:
    """Shares of the bound, and digits cancelled, by line; two for each result."""
    for k, attribution in enumerate(found):
        result = name if len(found) == 1 else f"{name}[{k}]"
        own = [share for share in attribution.shares if _is_here(share.row.span)]
        yield _bounds(k, result, own)
        yield _digits(k, result, own)


def _is_here(span: Span | None) -> bool:
    return span is not None and not span.path


def _bounds(k: int, result: str, shares: Sequence[Share]) -> Measure:
    tally: dict[int, float] = {}
    tips: dict[int, list[str]] = {}
    for share in shares:
        assert share.row.span is not None
        line = share.row.span.line
        if share.bound == share.bound:  # not NaN
            tally[line] = tally.get(line, 0.0) + share.bound
        tips.setdefault(line, []).append(
            f"{share.row.operation} in {share.row.text}: {share.bound:.1%} of the bound"
        )
    return Measure(
        f"error-{k}",
        f"rounding error of {result}",
        tally,
        {line: f"{share:.0%}" for line, share in tally.items()},
        {line: tuple(texts) for line, texts in tips.items()},
    )


_ALL = 16.0
"""Decimal digits of a double, about: where they are gone the shade is full."""


def _digits(k: int, result: str, shares: Sequence[Share]) -> Measure:
    lost: dict[int, float] = {}
    tips: dict[int, list[str]] = {}
    for share in shares:
        assert share.row.span is not None
        if share.row.passive or not share.digits > 0.0:
            continue
        line = share.row.span.line
        lost[line] = max(lost.get(line, 0.0), share.digits)
        tips.setdefault(line, []).append(
            f"{share.row.text} cancels {share.digits:.1f} digits"
        )
    return Measure(
        f"digits-{k}",
        f"digits cancelled in {result}",
        {line: min(1.0, digits / _ALL) for line, digits in lost.items()},
        {line: f"{digits:.1f}" for line, digits in lost.items()},
        {line: tuple(texts) for line, texts in tips.items()},
    )
