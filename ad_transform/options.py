"""Options of generation: frozen, with canonical text for the header of the output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True)
class Options:
    """What shapes the generated text. Every field can be set at every level.

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
        return replace(self, **values)  # type: ignore[arg-type]


# The texts each option may take; numbers are checked by range.
CHOICES: dict[str, tuple[str, ...]] = {
    "target": ("math",),
    "cost": ("emitted", "fma"),
    "container": ("array", "tuple"),
    "powers": ("keep", "multiply"),
}

WEIGHTS: Mapping[str, int] = {
    "mul": 1, "add": 1, "div": 1, "pow": 1, "call": 1, "neg": 1, "select": 0,
}  # fmt: skip
"""What an operation of a class costs (contract, rule 25), unless `cost` says else."""

DEAREST = 1_000_000
"""The largest weight."""


def weights_of(cost: str) -> Mapping[str, int]:
    """What operations cost by class: `mul=1,div=4` changes two of WEIGHTS.

    Raises ValueError, with a sentence, for any other text than that, emitted and fma.
    """
    if cost in CHOICES["cost"]:
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


RANGES: dict[str, tuple[int, int]] = {"effort": (0, 3), "line_length": (40, 1000)}
