"""Functions that several derived ones call: printed once, under names of their own."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import replace
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.ir.blocks.blocks import under
from ad_transform.ir.nodes import Function
from ad_transform.later import later

with later():
    from ad_transform.ir.text import format_function


def told_apart(derived: Sequence[Derived]) -> tuple[Derived, ...]:
    """The derived functions, those that they call renamed so that no two differ under
    one name. Linear.
    """
    texts: dict[str, str] = {made.function.name: "" for made in derived}
    return tuple(_renamed(made, texts) for made in derived)


def _renamed(made: Derived, texts: dict[str, str]) -> Derived:
    names: dict[str, str] = {}
    before: list[Function] = []
    for helper in made.before:
        name, k = helper.name, 1
        while True:
            named = under(helper, {**names, helper.name: name})
            text = format_function(named)
            if texts.setdefault(name, text) == text:
                break
            k += 1
            name = f"{helper.name}_{k}"
        names[helper.name] = name
        before.append(named)
    if all(old == new for old, new in names.items()):
        return made
    said = {names.get(name, name): text for name, text in made.said.items()}
    function = under(made.function, names)
    return replace(made, function=function, before=tuple(before), said=said)
