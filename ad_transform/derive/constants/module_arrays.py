"""Arrays of numbers that are known: constants of the output, made where it is imported.

A derived function reads one as a parameter that is a constant of the module. Equal
arrays are one constant, whichever functions read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.ir.nodes import LEAF, Literal, Origin, Parameter, Passing, Var
from ad_transform.ir.types import Kind, Type


@dataclass(frozen=True, slots=True)
class ModuleArray:
    """A constant of the output: its name, its lengths, its numbers in order of rows."""

    name: str
    shape: tuple[int, ...]
    numbers: tuple[Literal, ...]

    def parameter(self, hint: str = "") -> Parameter:
        """The array as a parameter; values made of it are named after the hint."""
        value = Var(Type(Kind.FLOAT, (), self.shape), hint or "array")
        return Parameter(self.name, (value,), LEAF, None, Passing.MODULE)


@dataclass(slots=True)
class ModuleArrays:
    """The constants of one output that are arrays; none has a name that is taken."""

    taken: set[str]
    known: dict[object, ModuleArray] = field(default_factory=dict)

    def of(
        self,
        shape: tuple[int, ...],
        numbers: Sequence[Literal],
        word: str,
        words: Sequence[str] = (),
    ) -> ModuleArray:
        """The array of these numbers; a new one is called after the words and one more,
        `_F_K`, as far as these are names. Linear.
        """
        own = tuple(Literal(n.value) if _is_local(n) else n for n in numbers)
        key = shape, tuple((number, number.name) for number in own)
        if key not in self.known:
            self.known[key] = ModuleArray(self._free((*words, word)), shape, own)
        return self.known[key]

    def _free(self, words: Sequence[str]) -> str:
        said = [word.strip("_").upper() for word in words if word.isidentifier()]
        name = first = "_".join(["", *said])
        k = 1
        while name in self.taken:
            k += 1
            name = f"{first}_{k}"
        self.taken.add(name)
        return name


def _is_local(number: Literal) -> bool:
    """Whether a name means nothing outside of its function."""
    return number.origin is Origin.LOCAL
