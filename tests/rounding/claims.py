"""What estimates claim of a program at a point, held against the exact result."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from mpmath import mp, mpf
from rounding.scalar_programs import KNOWN, Failure, Point, Program, Unclear, Use, truth
from support import load_generated

from ad_transform.ir.elemental import PYTHON
from ad_transform.ir.evaluate import FLOATS

MARK = 'error, error(model="actual"), error(model="enclosure"), error(model="iri")'
IMPORTS = "import math\n\nimport numpy\nimport scipy.special\nimport scipy.stats\n"
SUFFIXES = ("err", "err_actual", "err_enclosure", "err_iri")
Estimators = Mapping[str, Callable[..., tuple[float, ...]]]
DIGITS = 1700


def estimators(programs: Sequence[Program]) -> list[Estimators]:
    """The four functions of each program, through the whole pipeline."""
    sources = [p.source(f"f{k}") for k, p in enumerate(programs)]
    parts = [f"# ad: {MARK}\n{source}\n" for source in sources]
    text = "\n\n".join((IMPORTS, *parts))
    space = load_generated(text)
    return [{s: space[f"f{k}_{s}"] for s in SUFFIXES} for k in range(len(programs))]


def value_of(program: Program, point: Point) -> float | None:
    """The value that the program returns, None where it raises or gives no float."""
    try:
        values = program.run(point, FLOATS)
    except Failure:
        return None
    for step in program.steps:  # a row may compute what `math` refuses
        args = (values[a.index] for a in step.args if isinstance(a, Use))
        if "math." in step.op.spelling(PYTHON) and any(
            isinstance(a, complex) for a in args
        ):
            return None
    return values[-1] if isinstance(values[-1], float) else None


def broken(own: Estimators, program: Program, point: Point) -> Iterator[str]:
    """The claims that do not hold where the program has a value."""
    value = value_of(program, point)
    if value is None:
        return
    found: dict[str, tuple[float, ...]] = {}
    for suffix, function in own.items():
        try:
            got, *found[suffix] = function(*point)
        except Exception as error:
            yield f"{suffix} raises {error!r}"
            return
        if not same(got, value):
            yield f"{suffix} returns {got}, not {value}"
        if any(e != e for e in found[suffix]):
            yield f"{suffix} has no number: {found[suffix]}"
    if all(map(math.isfinite, point)):
        yield from _wrong(found, program, point, value)


def _wrong(
    found: Mapping[str, tuple[float, ...]], program: Program, point: Point, value: float
) -> Iterator[str]:
    """The estimates that are wrong of a finite point."""
    (bound, _), (err, unc) = found["err"], found["err_actual"]
    low, high = found["err_enclosure"]
    try:
        exact = truth(program, point)
    except Unclear:
        return
    if exact is None or not math.isfinite(value):
        if not bound == unc == high == -low == math.inf:
            yield f"there is no exact result: {found}"
        return
    with mp.workdps(DIGITS):
        error = mpf(value) - exact[-1]
        known = abs(exact[-1]) * mpf(10) ** -KNOWN
        if not low - known <= -error <= high + known:
            yield f"[{low}, {high}] does not enclose {mp.nstr(-error, 9)}"
        off = farthest(program, point, exact)
        if off > 0.5:  # docs/limits.md: first order says nothing of such values
            return
        if abs(error) > bound * (1 + mpf(2) ** -30) + known:
            yield f"{bound} is no bound of {mp.nstr(error, 9)}"
        second_order = 2.0**-30 + 4.0 * off
        slack = (abs(error) + bound) * second_order + mpf(10) ** -300
        if abs(error - err) > unc + slack:
            yield f"{err} within {unc} is not {mp.nstr(error, 9)}"


def farthest(program: Program, point: Point, exact: Sequence[Any]) -> float:
    """The largest relative error of a float on the way; infinite if it is all error."""
    values = program.run(point, FLOATS)[:-1]
    pairs = zip(values, exact, strict=False)
    return max((relative(v, e) for v, e in pairs if isinstance(v, float)), default=0.0)


def relative(value: float, exact: Any) -> float:
    """The error of a value in units of the value."""
    if value == exact:
        return 0.0
    if value == 0.0 or not math.isfinite(value):
        return math.inf
    return float(abs((mpf(value) - exact) / mpf(value)))


def same(one: float, other: float) -> bool:
    """Bit for bit, but that all NaN are alike."""
    if one != one or other != other:
        return one != one and other != other
    return one == other and math.copysign(1.0, one) == math.copysign(1.0, other)
