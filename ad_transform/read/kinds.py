"""Which kinds a mark may ask for, and which options belong to which kind."""

from __future__ import annotations

from dataclasses import dataclass

from ad_transform.options import NAMES

_SHAPING = ("name", *NAMES)
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


RETURNS_VALUE = ("jvp", "vjp", "error", "expand")
"""Kinds whose result has the value in it, so that `value=True` says nothing."""
