"""The table of elementals as a page: docs/elementals.md and --list-elementals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ad_transform.elementals import ALIASES, CONSTANTS, ROWS
from ad_transform.elementals.libraries import LIBRARIES
from ad_transform.ir.elemental import CORRECT, EXACT, PYTHON, Elemental

_HEAD = """\
# Elementals

The functions and operators with a derivative. This page is what
`ad-transform --list-elementals` prints. In the partials `v` is the result; a starred
parameter takes any number of arguments, and its partial is that of one of them.

"""

_COLUMNS = ("written", "printed", "partial derivatives", "domain", "convention")

# The forms of rows that stand for no single name.
# fmt: off
_FORMS: dict[str, tuple[str, ...]] = {
    "add":      ("x + y",),
    "sub":      ("x - y",),
    "mul":      ("x * y",),
    "div":      ("x / y",),
    "neg":      ("-x",),
    "pos":      ("+x",),
    "pow":      ("x ** y",),
    "mod":      ("x % y",),
    "floordiv": ("x // y",),
    "lt":       ("x < y",),
    "le":       ("x <= y",),
    "gt":       ("x > y",),
    "ge":       ("x >= y",),
    "eq":       ("x == y",),
    "ne":       ("x != y",),
    "not":      ("not x",),
    "max":      ("max(x, y)",),
    "min":      ("min(x, y)",),
    "sum":      ("sum([...])",),
    "fsum":     ("math.fsum([...])",),
    "hypot":    ("math.hypot(x, ...)",),
    "dist":     ("math.dist((...), (...))",),
    "sumprod":  ("math.sumprod((...), (...))",),
    "log_base": ("math.log(x, y)",),
    "round_to": ("round(x, n)",),
    "polygamma": ("scipy.special.polygamma(n, x)",),
}
# fmt: on


_FORMS_MEAN = [
    (f"`{written}`", f"`{means}`")
    for written, means in (
        ("numpy.sum((a, b))", "a + b"),
        ("numpy.mean((a, b))", "(a + b) / 2.0"),
        ("numpy.prod((a, b)), math.prod((a, b))", "a * b"),
        ("numpy.max((a, b)), numpy.amax((a, b))", "maximum(a, b)"),
        ("numpy.min((a, b)), numpy.amin((a, b))", "minimum(a, b)"),
        ("numpy.dot((a, b), (c, d)), numpy.inner", "a * c + b * d"),
        ("numpy.linalg.norm((a, b))", "hypot(a, b)"),
        ("numpy.polyval((a, b), x)", "a * x + b"),
        ("numpy.where(flag, a, b)", "a if flag else b"),
        ("scipy.special.logsumexp((a, b))", "logaddexp(a, b)"),
        ("scipy.stats.norm.cdf(x, loc, scale)", "ndtr((x - loc) / scale)"),
        ("scipy.stats.norm.sf(x, loc, scale)", "ndtr(-(x - loc) / scale)"),
        ("scipy.stats.norm.logcdf(x, loc, scale)", "log_ndtr((x - loc) / scale)"),
        ("scipy.stats.norm.logsf(x, loc, scale)", "log_ndtr(-(x - loc) / scale)"),
        ("scipy.stats.norm.pdf(x, loc, scale)", "norm_pdf((x - loc) / scale) / scale"),
        ("scipy.stats.norm.logpdf(x)", "-0.5 * (x * x) - 0.9189385332046728"),
        ("scipy.stats.norm.ppf(x, loc, scale)", "ndtri(x) * scale + loc"),
        ("scipy.stats.norm.isf(x, loc, scale)", "-ndtri(x) * scale + loc"),
        ("math.comb(5, 2), math.perm, math.factorial, math.gcd", "the number"),
        ("math.comb(n, k), math.lcm, math.isqrt", "a whole number, as in Python"),
    )
]


def page() -> str:
    """The page, in Markdown: every row a user can write, then aliases and constants."""
    shown = [row for row in ROWS if row.name in _FORMS or row.known_as]
    aliases = [(_code(name), _code(a.template)) for name, a in ALIASES.items()]
    constants = [(_code(name), repr(value)) for name, (_, value) in CONSTANTS.items()]
    return "\n".join(
        (
            _HEAD + _table(_COLUMNS, [_cells(row) for row in shown]),
            "## Errors of library functions\n",
            _ULPS,
            _table(("function", *LIBRARIES, "source"), list(_ulps())),
            "## Written with others\n",
            _table(("written", "means"), [*aliases, *_FORMS_MEAN]),
            "## Constants\n",
            _table(("written", "value"), constants),
        )
    )


_ULPS = """\
In ulps of the result, by library: what `error` takes for granted (`library=`, `ulps=`).
Functions that are not listed are rounded correctly or exact; `inf`: no relative bound.
"""


def _ulps() -> Iterator[tuple[str, ...]]:
    for row in ROWS:
        columns = [table.get(row.name, row.ulps) for table in LIBRARIES.values()]
        if row.known_as and set(columns) - {EXACT, CORRECT}:
            yield (_code(row.name), *map(str, columns), row.source)


def _cells(row: Elemental) -> tuple[str, ...]:
    names = (name.removeprefix("builtins.") for name in row.known_as)
    written = (*_FORMS.get(row.name, ()), *names)
    newer = "" if row.since == (3, 11) else f" (Python {row.since[0]}.{row.since[1]})"
    return (
        ", ".join(map(_code, written)) + newer,
        _code(row.spelling(PYTHON)),
        ", ".join(map(_code, row.partials)),
        _code(row.domain) if row.domain else "all",
        row.kink,
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(_cell, cells))} |\n" for cells in lines)


def _cell(text: str) -> str:
    """A text inside of a table, where a bare | would end the cell."""
    return text.replace("|", "\\|")


def _code(text: str) -> str:
    return f"`{text}`"
