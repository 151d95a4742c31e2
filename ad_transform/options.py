"""Options of generation, frozen, and the values that each of them takes.

Marks, the command line and pyproject.toml share the table OPTIONS and its sentences, so
that an option means the same at every level (CONTRACT.md, rule 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from keyword import iskeyword

from ad_transform.dataclass import dataclass, replace
from ad_transform.later import later

with later():
    import difflib

HIGHEST = 3
"""The highest effort that can be asked for."""

LEAST = -1
"""The effort for each straight run of a program of thousands of statements with blocks:
one order, polished.
"""


@dataclass(frozen=True, slots=True)
class Options:
    """The options that shape the generated text. Each can be set at every level.

    Precedence: mark, command line, `[[tool.ad-transform.file]]`, `[tool.ad-transform]`,
    default. Names with a dash on the command line have an underscore here.
    """

    target: str = "math"
    order: str = "auto"
    effort: int = 1
    cost: str = "emitted"
    container: str = "array"
    powers: str = "keep"
    line_length: int = 88
    inline: str = "auto"
    unroll: int = 300

    def canonical(self) -> str:
        """The options that differ from the defaults, `key=value` joined by commas."""
        changed = (
            f"{field.name}={getattr(self, field.name)}".replace(" ", "")
            for field in fields(self)
            if getattr(self, field.name) != field.default
        )
        return ",".join(changed) or "default"

    def override(self, **values: object) -> Options:
        """These options with some replaced; unknown names raise TypeError."""
        return replace(self, **values)


NAMES = tuple(field.name for field in fields(Options))
"""The options of generation."""

COSTS = ("emitted", "fma")

WEIGHTS: Mapping[str, int] = {
    "mul": 1, "add": 1, "div": 1, "pow": 1, "call": 1, "neg": 1, "select": 0,
}  # fmt: skip
"""The cost of an operation by class (contract, rule 25), unless `cost` says else."""

DEAREST = 1_000_000
"""The largest weight."""


def weights_of(cost: str) -> Mapping[str, int]:
    """The cost of operations by class: `mul=1,div=4` changes two of WEIGHTS.

    Raises ValueError, with a sentence, for any other text than that, emitted and fma.
    """
    if cost in COSTS:
        return WEIGHTS
    weights = dict(WEIGHTS)
    for part in cost.split(","):
        name, equals, number = map(str.strip, part.partition("="))
        if not equals or name not in WEIGHTS:
            known = ", ".join(WEIGHTS)
            raise ValueError(
                f"cost is emitted, fma or weights of {known} like 'mul=1,div=4', "
                f"not {cost!r}"
            )
        if not (number.isascii() and number.isdigit() and int(number) <= DEAREST):
            raise ValueError(
                f"the weight of {name} is a whole number from 0 to {DEAREST}, "
                f"not {number!r}"
            )
        weights[name] = int(number)
    return weights


# --- values of options ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wanted:
    """The values that an option takes: a test, a text that says it, and its choices.

    `later` are texts that are known and not supported yet.
    """

    fits: Callable[[object], bool]
    text: str
    choices: tuple[str, ...] = ()
    later: tuple[str, ...] = ()


def _one_of(*choices: str, later: tuple[str, ...] = ()) -> Wanted:
    return Wanted(lambda value: value in choices, listed(choices), choices, later)


@dataclass(frozen=True, slots=True)
class Between:
    """Whole numbers from `low` to `high`, a test."""

    low: int
    high: int

    def __call__(self, value: object) -> bool:
        return type(value) is int and self.low <= value <= self.high


def _between(low: int, high: int) -> Wanted:
    return Wanted(Between(low, high), f"a whole number from {low} to {high}")


def _is_identifier(value: object) -> bool:
    return isinstance(value, str) and value.isidentifier() and not iskeyword(value)


def _is_flag_or_name(value: object) -> bool:
    return type(value) is bool or _is_identifier(value)


def _are_names(value: object) -> bool:
    names = value if isinstance(value, tuple) else (value,)
    return bool(names) and all(map(_is_identifier, names))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def derivative_in(text: str) -> tuple[str, tuple[str, ...]]:
    """The kind and the names in `gradient(x, y)`; raises ValueError."""
    kind, bracket, rest = text.partition("(")
    names = tuple(part.strip() for part in rest.removesuffix(")").split(","))
    if kind not in ("gradient", "jacobian") or bool(bracket) != text.endswith(")"):
        raise ValueError(text)
    if bracket and not _are_names(names):
        raise ValueError(text)
    return kind, names if bracket else ()


def _is_derivative(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(derivative_in(value))
    except ValueError:
        return False


def _is_positive(value: object) -> bool:
    return isinstance(value, int | float) and type(value) is not bool and value > 0


def _is_cost(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(weights_of(value))
    except ValueError:
        return False


def listed(words: tuple[str, ...]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


ORDERS = (
    "auto", "forward", "reverse", "markowitz", "markowitz-latest",
    "relative-markowitz", "relative-markowitz-latest", "min-edge-growth",
    "fewest-edges-first", "single-use-reverse", "single-use-forward",
    "closed-umbrellas-first", "copying-umbrellas-first", "level-chains",
    "forward-factorisation", "backward-factorisation", "greedy-edge", "exact",
    "metagraph", "faces", "d-star", "path-lengths", "linear-first", "quotient",
    "copied-umbrellas", "umbrellas-first",
    "edge-pushing", "symmetric-markowitz",
)  # fmt: skip
"""Names of orders; all but `auto` are planners of `eliminate`."""

_FLAG = Wanted(lambda value: type(value) is bool, "true or false")

# fmt: off
OPTIONS: dict[str, Wanted] = {
    # of generation
    "target":    _one_of("math", "c", "fortran", later=("numpy", "numba")),
    "order":     Wanted(lambda value: value in ORDERS, "the name of an order", ORDERS),
    "effort":    _between(0, HIGHEST),
    "cost":      Wanted(_is_cost, "emitted, fma or weights like 'mul=1,div=4'", COSTS),
    "container": _one_of("array", "tuple"),
    "powers":    _one_of("keep", "multiply"),
    "line_length": _between(40, 1000),
    "inline":    _one_of("auto", "always", "never"),
    "unroll":    _between(0, 50_000),
    # of marks
    "value":     _FLAG,
    "name":      Wanted(_is_identifier, "a name that Python accepts for a function"),
    "split":     _FLAG,
    "degree":    _between(1, 100),
    "sparse":    _one_of("coo", later=("csr", "csc")),
    "outputs":   Wanted(_are_names, "names of values, such as [f, g]"),
    "packed":    Wanted(_is_flag_or_name, "true or a name for the vector"),
    "model":     _one_of("linear", "iri", "actual", "enclosure"),
    "eps":       Wanted(_is_positive, "a positive number"),
    "inputs":    _one_of("exact", "rounded"),
    "literals":  _one_of("exact", "decimal"),
    "library":   _one_of("glibc", "portable", "correct"),
    "ulps":      Wanted(_is_text, 'text like "exp=0.51, sin=0.55"'),
    "uncertainties": Wanted(_is_text, 'text like "x=1e-6, y=0.5%"'),
    "report":    _FLAG,
    "tests":     _one_of("sums", "all"),
    "of":        Wanted(_is_derivative, 'gradient, jacobian or "gradient(x, y)"'),
}
# fmt: on


def fault(name: str, value: object, spelled: str = "") -> str:
    """The fault of a value of an option, as a sentence; empty if it has none.

    `spelled` is the name of the option where it stands.
    """
    wanted, spelled = OPTIONS[name], spelled or name
    if wanted.fits(value):
        return ""
    if value in wanted.later:
        return f"{spelled} {shown(value)} is not supported yet"
    if name == "cost" and isinstance(value, str) and "=" in value:
        try:
            weights_of(value)
        except ValueError as error:  # it says which weight
            return str(error)
    return f"{spelled} is {wanted.text}, not {shown(value)}"


def remedy(name: str, value: object) -> str:
    """The choice that was perhaps meant, or all where the sentence tells none."""
    wanted = OPTIONS[name]
    meant = nearest(str(value), wanted.choices)
    if meant or all(choice in wanted.text for choice in wanted.choices):
        return meant
    return f"known: {', '.join(wanted.choices)}"


def nearest(word: str, known: Iterable[str]) -> str:
    """`did you mean 'gradient'?` for the nearest of the known words, or nothing."""
    words = list(known)
    close = difflib.get_close_matches(word, words, n=1)
    if not close and len(word) >= 3:  # a word cut short: `jac`
        close = [w for w in words if w.startswith(word) and w[len(word)].isalpha()]
    return f"did you mean {close[0]!r}?" if close else ""


def shown(value: object) -> str:
    """A value of an option, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
