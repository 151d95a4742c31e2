"""Which kinds a mark may ask for, and which options belong to which kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from keyword import iskeyword

from ad_transform.options import CHOICES, RANGES, weights_of

_SHAPING = (
    "name",
    "order",
    "container",
    "powers",
    "target",
    "cost",
    "effort",
    "line_length",
)
"""What every kind takes: the name of the function and the options of generation."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of derivative: its own options, and whether its mark takes names."""

    own: tuple[str, ...] = ()
    takes_names: bool = True

    @property
    def options(self) -> tuple[str, ...]:
        """All options that may stand in its mark."""
        return self.own + _SHAPING


# fmt: off
KINDS: dict[str, Kind] = {
    "gradient": Kind(("value", "packed")),
    "jacobian": Kind(("value", "packed")),
    "hessian":  Kind(("value", "packed")),
    "hvp":      Kind(("value", "packed")),
    "jvp":      Kind(("packed",)),
    "vjp":      Kind(("packed",)),
    "error":    Kind(("model", "eps", "inputs", "uncertainties", "literals", "library",
                      "ulps", "tests", "report", "packed")),
    "expand":   Kind(takes_names=False),
}

NOT_YET: dict[str, str] = {
    "expand": "mark the function `gradient`, `hvp`, ... and call what is generated",
}
"""Kinds that are read and refused, with the way out."""
# fmt: on


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the value of an option has to be: a test, and how to say it."""

    fits: Callable[[object], bool]
    text: str
    choices: tuple[str, ...] = ()


def _one_of(*choices: str) -> Wanted:
    text = f"one of {', '.join(choices)}" if len(choices) > 1 else choices[0]
    return Wanted(lambda value: value in choices, text, choices)


def _between(low: int, high: int) -> Wanted:
    def fits(value: object) -> bool:
        return type(value) is int and low <= value <= high

    return Wanted(fits, f"a whole number from {low} to {high}")


def _is_identifier(value: object) -> bool:
    return isinstance(value, str) and value.isidentifier() and not iskeyword(value)


def _is_flag_or_name(value: object) -> bool:
    return type(value) is bool or _is_identifier(value)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_positive(value: object) -> bool:
    return isinstance(value, int | float) and type(value) is not bool and value > 0


def _is_cost(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(weights_of(value))
    except ValueError:
        return False


_FLAG = Wanted(lambda value: type(value) is bool, "true or false")

# fmt: off
OPTIONS: dict[str, Wanted] = {
    "value":    _FLAG,
    "name":     Wanted(_is_identifier, "a name that Python accepts for a function"),
    "packed":   Wanted(_is_flag_or_name, "true or a name for the vector"),
    "model":    _one_of("linear", "iri", "actual", "enclosure"),
    "eps":      Wanted(_is_positive, "a positive number"),
    "inputs":   _one_of("exact", "rounded"),
    "literals": _one_of("exact", "decimal"),
    "library":  _one_of("glibc", "portable", "correct"),
    "ulps":     Wanted(_is_text, 'text like "exp=0.51, sin=0.55"'),
    "uncertainties": Wanted(_is_text, 'text like "x=1e-6, y=0.5%"'),
    "report":   _FLAG,
    "tests":    _one_of("sums", "all"),
    **{name: _one_of(*choices) for name, choices in CHOICES.items()},
    "cost":     Wanted(_is_cost, 'emitted, fma or text like "mul=1, div=4"',
                       CHOICES["cost"]),
    **{name: _between(low, high) for name, (low, high) in RANGES.items()},
}
# fmt: on
"""What the value of each option has to be, those of `order` apart."""


def wanted(option: str) -> Wanted | None:
    """What the value of an option has to be; None for an unknown option."""
    if option != "order":
        return OPTIONS.get(option)
    from ad_transform.eliminate import ORDERS  # noqa: PLC0415  few name an order

    choices = ("auto", *ORDERS)
    return Wanted(lambda value: value in choices, "the name of an order", choices)


RETURNS_VALUE = ("jvp", "vjp", "error", "expand")
"""Kinds whose result has the value in it, so that `value=True` says nothing."""
