"""Options of generation: frozen, with canonical text for the header of the output."""

from __future__ import annotations

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
            f"{field.name}={getattr(self, field.name)}"
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

RANGES: dict[str, tuple[int, int]] = {"effort": (0, 3), "line_length": (40, 1000)}
