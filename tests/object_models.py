"""Models whose parameters are objects, tuples and dicts, from `object_models.txt`.

`call` is the call with numbers for the parts, `flat` a function of these numbers alone,
so that what is derived part by part can be held against derivatives of numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support import flat

HEAD = """import math
from dataclasses import InitVar, dataclass, field, replace
from typing import ClassVar, NamedTuple, TypedDict


"""


@dataclass(frozen=True, eq=False)
class Model:
    """A model, the call of it, and numbers for the names of the call."""

    name: str
    source: str
    call: str
    values: dict[str, float]

    def __str__(self) -> str:
        return self.name

    @property
    def text(self) -> str:
        """The source, with a function of the numbers alone."""
        names = ", ".join(self.values)
        return f"{HEAD}{self.source}\ndef flat({names}):\n    return {self.call}\n"

    @property
    def arguments(self) -> str:
        """The arguments of the call, a tuple."""
        return f"({self.call[len('f(') : -1]},)"


def _models() -> tuple[Model, ...]:
    text = (Path(__file__).parent / "object_models.txt").read_text("utf-8")
    found = re.findall(r"=== (\w+): (.*?) \| (.*?)\n(.*?)(?=\n===|\Z)", text, re.S)
    return tuple(
        Model(name, f"{source.strip()}\n", call, _values(values))
        for name, call, values, source in found
    )


def _values(text: str) -> dict[str, float]:
    pairs = (item.split("=") for item in text.split(", "))
    return {name: float(value) for name, value in pairs}


def numbers(value: Any) -> list[float]:
    """The numbers of a derivative, depth first; None is none."""
    return [number for number in flat(value) if number is not None]


def seeded(like: Any, seeds: list[float]) -> Any:
    """Seeds in the structure of a derivative, taken from the front of a list."""
    if like is None:
        return None
    if isinstance(like, dict):
        return {key: seeded(item, seeds) for key, item in like.items()}
    if isinstance(like, tuple):
        return tuple(seeded(item, seeds) for item in like)
    if hasattr(like, "tolist"):
        return [seeded(item, seeds) for item in like.tolist()]
    return seeds.pop(0)


MODELS = _models()
