"""Functions that are called and are alike are one.

The way forth of a function that calls itself may be asked for twice: once for the needs
of the program, and once for those of the function itself. Both compute the same and
record the same, and differ in which of them they call. Those are alike whose texts are
the same but for these names, if their callees are alike in their turn.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.derive.calls.changes import own_functions
from ad_transform.ir.blocks.blocks import under
from ad_transform.ir.called import callees_of
from ad_transform.ir.nodes import Bundle, Function
from ad_transform.later import later

with later():
    from ad_transform.ir.text import format_function

Kinds = Mapping[str, int]
"""Functions by name: those with one number are alike, as far as it is known."""


def merged(bundle: Bundle) -> Bundle:
    """The bundle with one function for all that are alike, by the shortest name."""
    own = {function.name: function for function in own_functions(bundle)}
    if len(own) < 2:
        return bundle
    kinds, known = _kinds(own), dict[int, str]()
    for name in sorted(own, key=len):
        known.setdefault(kinds[name], name)
    names = {name: known[kind] for name, kind in kinds.items()}
    if all(name == one for name, one in names.items()):
        return bundle
    before: dict[str, Function] = {}
    for function in bundle.before:
        made = under(function, names)
        before.setdefault(made.name, made)
    return Bundle(under(bundle.main, names), tuple(before.values()))


def _kinds(own: Mapping[str, Function]) -> Kinds:
    """Numbers of functions, equal for functions that are equal but for names."""
    nameless = dict.fromkeys(own, "_")
    texts = {name: format_function(under(f, nameless)) for name, f in own.items()}
    callees = {name: callees_of(f) for name, f in own.items()}
    kinds, count = _numbered(texts), 0
    while count < len({*kinds.values()}):
        count = len({*kinds.values()})
        kinds = _numbered(
            {
                name: (kinds[name], *(kinds.get(one, one) for one in callees[name]))
                for name in own
            }
        )
    return kinds


def _numbered(keys: Mapping[str, object]) -> Kinds:
    """Numbers for keys, equal for equal keys."""
    numbers: dict[object, int] = {}
    return {name: numbers.setdefault(key, len(numbers)) for name, key in keys.items()}
