"""Sentences on a derivative: its kind, its independents, its cost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.derive.kinds.kind_rows import KINDS
from ad_transform.elementals.pieces import TIE, TIES
from ad_transform.emit.memory import sentences as memory
from ad_transform.ir.count import Counts, count
from ad_transform.ir.nodes import Function

if TYPE_CHECKING:
    from ad_transform.derive.kinds.kinds import Derived


@dataclass(frozen=True, slots=True)
class Said:
    """The sentences of a generated function: a summary, and further ones.

    `more` explains results and parameters; `details` are kinks, records of loops, and
    operation counts.
    """

    summary: str
    more: tuple[str, ...]
    details: tuple[str, ...]


def said_of(derived: Derived, has_tuples: bool) -> Said:
    """The sentences of a derived function, as the row of its kind has them; whether
    arms of its loops record tuples (`Habits`).
    """
    first, more = _sentences(derived)
    if derived.vector:
        more = [*more, f"{derived.vector} holds {enumeration(derived.independents)}."]
    if derived.shape:
        shape = " x ".join(map(str, derived.shape))
        more = [*more, f"The matrix is {shape}, given as (rows, cols, values)."]
    if derived.setup:
        more = [*more, f"setup is {derived.setup}."]
    operations = f"Operations: {counted(derived.counts)}."
    kinks = map(_sentence, _joined(derived.kinks))
    details = (*kinks, *memory(derived.function, has_tuples), operations)
    return Said(first, tuple(more), details)


def _joined(kinks: Sequence[str]) -> list[str]:
    """The conventions, with those of ties in one: `min() and max() share ...`."""
    before, behind = TIE.split("{}")
    tied = [k for k in kinks if k.startswith(before) and k.endswith(behind)]
    if len(tied) < 2:
        return list(kinks)
    names = [k.removeprefix(before).removesuffix(behind) for k in tied]
    words = enumeration([f"{name}()" for name in names])
    place = kinks.index(tied[0])
    others = [k for k in kinks if k not in tied]
    return [*others[:place], TIES.format(words), *others[place:]]


def said_of_setup(derived: Derived, setup: Function) -> Said:
    """The sentences of the setup of a derived function."""
    operations = f"Operations: {counted(count(setup))}."
    return Said(f"Setup of {derived.function.name}.", (), (operations,))


def counted(counts: Counts) -> str:
    """`12 (5 mul, 4 add, 2 div, 1 call)`; classes that do not occur are left out."""
    classes = [f"{n} {name}" for name, n in counts.classes().items() if n]
    return f"{counts.total} ({', '.join(classes)})" if classes else "0"


def _sentence(kink: str) -> str:
    words = " " in kink.split("(", maxsplit=1)[0]  # not a formula like abs'(0) = 0
    text = kink[:1].upper() + kink[1:] if words else kink
    return text if text.endswith(".") else f"{text}."


def _sentences(derived: Derived) -> tuple[str, list[str]]:
    """The first line and the sentences behind, as the row of the kind has them."""
    variant = derived.model or ("value" if derived.value else "")
    says = KINDS[derived.kind].says
    said = says.get(variant) or says[""]  # jvp and vjp have the value anyway
    own = enumeration(derived.independents)
    env = {"source": derived.source, "names": own, "seeds": _seeds(derived)}
    counted = said.counted and derived.independents and not derived.vector
    texts = [*said.more, said.counted] if counted else list(said.more)
    return said.first.format(**env), [text.format(**env) for text in texts]


def _seeds(derived: Derived) -> str:
    if derived.vector:
        return f"{derived.vector}_dot"
    return enumeration([f"{name}_dot" for name in derived.independents])


def enumeration(names: Sequence[str]) -> str:
    """`x`, `x and y`, `x, y and z`; `x1, ..., x9` where the names are numbered."""
    if len(names) > 3 and _numbered(names):
        return f"{names[0]}, ..., {names[-1]}"
    if len(names) < 2:
        return "".join(names) or "nothing"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _numbered(names: Sequence[str]) -> bool:
    found = [re.fullmatch(r"(\D+)(\d+)(\D*)", name, re.ASCII) for name in names]
    stems = {(m[1], m[3]) if m else None for m in found}
    if None in stems or len(stems) != 1:
        return False
    numbers = [int(m[2]) for m in found if m]
    return numbers == list(range(numbers[0], numbers[0] + len(names)))
