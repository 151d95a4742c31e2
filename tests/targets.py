"""One source, derived once and written in all targets."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from amounts import NUMBERS
from support import ORIGIN

from ad_transform.diagnostics import Listing
from ad_transform.emit.compiled.flattening import flattened
from ad_transform.options import Options
from ad_transform.run.deriving import derive_all
from ad_transform.run.printing import print_all


class Targets:
    """What a source becomes in one order, or under `--long` in the cheaper of two."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._texts: dict[str, str] = {}
        self._flat: dict[str, list[Any]] = {}

    @cached_property
    def _made(self) -> tuple[Any, ...]:
        options = Options().override(**NUMBERS)
        return derive_all(self.source.encode(), "model.py", options, Listing())

    @property
    def derived(self) -> Any:
        """The derived functions, as Python has them."""
        return self._made[1]

    def text(self, target: str) -> str:
        """The generated file."""
        if target not in self._texts:
            reading, made, _ = self._made
            options = Options(effort=0, target=target)
            self._texts[target] = print_all(reading, made, ORIGIN, options)
        return self._texts[target]

    def flat(self, target: str) -> list[Any]:
        """The derived functions, as a compiled target has them."""
        if target not in self._flat:
            self._flat[target] = [flattened(one, target)[0] for one in self.derived]
        return self._flat[target]
