"""Kept functions that are alike: of those that differ only in facts about the lengths
of arrays, the one that assumes least stands for all.
"""

from __future__ import annotations

import re

from ad_transform.ir.blocks.blocks import under
from ad_transform.ir.nodes import Bundle, Function
from ad_transform.later import later

with later():
    from ad_transform.ir.text import format_function

_LENGTH = re.compile(r"\bgiven\.\d+\b")


def merged(bundle: Bundle) -> Bundle:
    """The bundle with one function for all that are alike. Linear."""
    names: dict[str, str] = {}
    found: dict[str, Function] = {}
    for function in bundle.before:
        if function.outside is not None:
            found[function.name] = function
            continue
        made = under(function, names)
        text = _LENGTH.sub("given", _text(made))
        known = found.get(text)
        if known is None:
            found[text] = made
            continue
        names[made.name] = known.name
        if _lengths(made) > _lengths(known):
            found[text] = under(made, names)
    helpers = tuple(one if one.outside else under(one, names) for one in found.values())
    return Bundle(under(bundle.main, names), helpers)


def _text(function: Function) -> str:
    """The function as text, without its name."""
    own = {function.name: "itself"}
    return format_function(under(function, own))


def _lengths(function: Function) -> int:
    """The number of different lengths of a function's arrays."""
    types = (param.type for param in function.block.params)
    return len({dim for type_ in types for dim in (*type_.dims, *type_.shape)})
