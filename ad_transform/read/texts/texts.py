"""Texts: their methods, characters and parts.

Texts that are written out are computed at once, as far as no release of Python computes
them otherwise. Of one that only a run knows the methods stay as they are written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import BOOL, INT
from ad_transform.later import later
from ad_transform.read.arrays import indexing
from ad_transform.read.branches import choices
from ad_transform.read.containers import sequences
from ad_transform.read.machine.arguments import Unfit, Values
from ad_transform.read.machine.context import Context
from ad_transform.read.values.described import describe
from ad_transform.read.values.series import Series
from ad_transform.read.values.storage import Slice
from ad_transform.read.values.structured import Group
from ad_transform.read.values.values import Draft, Number, Special, Value, is_text

with later():
    from ad_transform.read.texts import shown_texts

_CUTS = ("split", "rsplit", "splitlines")
_PARTED = ("partition", "rpartition")
_PLACES = ("find", "rfind", "index", "rindex", "count")
_TESTS = ("startswith", "endswith")
_EXACT = (
    *_PARTED,
    *_PLACES,
    *_TESTS,
    "replace",
    "removeprefix",
    "removesuffix",
    "join",
)
_CUTTING = ("split", "rsplit", "strip", "lstrip", "rstrip")
_OF_KNOWN = (*_CUTS, *_PLACES)
_ARGUMENTS: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(("lower", "upper", "casefold", "capitalize", "title"), (0, 0)),
    **dict.fromkeys(("strip", "lstrip", "rstrip"), (0, 0)),
    **dict.fromkeys(("removeprefix", "removesuffix", *_TESTS), (1, 1)),
    "replace": (2, 2),
    "isdigit": (0, 0),
}
"""The least and greatest numbers of arguments of methods that stay as written."""

METHODS = frozenset((*_ARGUMENTS, *_CUTS, *_PARTED, *_PLACES, "join", "isalpha"))

_KNOWN = "give it a text that is written out, here or as a constant of the module"
_GIVEN = "write down what it gives"
_APART = "compare the text as a whole, `kind in (...)`, or take a constant apart"

TAKEN_BY = frozenset(
    f"builtins.{name}"
    for name in ("len", "list", "tuple", "sorted", "enumerate", "zip", "reversed")
) | {"builtins.set", "builtins.frozenset"}
"""The functions that take a text for its characters."""

IN_TURN = frozenset(f"builtins.{name}" for name in ("enumerate", "zip", "reversed"))
"""Those of them that give one character after the other."""


def known(value: Value) -> str | None:
    """A text that is written out."""
    if isinstance(value, Literal) and isinstance(value.value, str):
        return value.value
    return None


def spread(value: Value) -> Value:
    """The characters of a text that is written out; any other value as it is."""
    text = known(value)
    return value if text is None else _group(text, Container.LIST)


def characters(flat: Context, value: Value, span: Span) -> Value:
    """The characters of a text; any other value as it is."""
    if not is_text(value) or known(value) is not None:
        return spread(value)
    text, size = value, length(flat, value, span)
    assert isinstance(size, Draft)
    flat.heap.naturals.add(size)
    return Series(size, lambda k: item(flat, text, k, span))


def _group(items: Sequence[str], container: Container) -> Group:
    return Group(container, tuple(map(Literal, items)))


def method(
    flat: Context,
    of: Number,
    name: str,
    values: Values,
    keywords: Mapping[str, Value],
    span: Span,
) -> Value:
    """The result of `text.name(...)`; raises Unfit."""
    made = _computed(flat, of, name, values, keywords, span)
    if made is not None:
        return made
    if name in _PARTED and not keywords and len(values) == 1 and is_text(values[0]):
        op, by = TABLE[f"text_{name}"], values[0]
        parts = (flat.apply(op, (of, by, Literal(k)), span) for k in range(3))
        return Group(Container.TUPLE, tuple(parts))
    if name == "join" and len(values) == 1 and not keywords:
        items = _texts_of(values[0])
        if items is not None:
            each = [one for item in items for one in (of, item)]
            return shown_texts.joined_all(flat, each[1:], span)
    if name not in _ARGUMENTS and not (known(of) or "").isascii():
        raise Unfit("of letters beyond ASCII is for the Python that runs", _GIVEN)
    if name not in _ARGUMENTS or keywords:
        raise Unfit(
            "needs a text that is known", _APART if name in _OF_KNOWN else _KNOWN
        )
    low, high = _ARGUMENTS[name]
    if name in _TESTS and len(values) == 1 and isinstance(values[0], Group):
        return _any(flat, of, name, values[0], span)
    if not low <= len(values) <= high:
        raise Unfit(f"takes {low} arguments here, not {len(values)}", _KNOWN)
    for value in values:
        if not is_text(value):
            raise Unfit(f"takes texts, not {describe(value)}", 'write `"..."`')
    args = (of, *(value for value in values if is_text(value)))
    return flat.apply(TABLE[f"text_{name}"], args, span)


def _texts_of(value: Value) -> list[Value] | None:
    """The items of a tuple or list of texts whose number is known; else None."""
    if not isinstance(value, Group) or not all(map(is_text, value.items)):
        return None
    return list(value.items)


def _computed(
    flat: Context,
    of: Number,
    name: str,
    values: Values,
    keywords: Mapping[str, Value],
    span: Span,
) -> Value | None:
    """The result of a method of texts that are written out; None of others, and where
    Pythons may differ.
    """
    text = known(of)
    given = [_plain(value) for value in values]
    named = {word: _plain(value) for word, value in keywords.items()}
    if text is None or _UNKNOWN in given or _UNKNOWN in named.values():
        return None
    is_cut = name in _CUTTING and isinstance(given[0] if given else None, str)
    if not (text.isascii() or is_cut or name in _EXACT):
        return None
    compute: Callable[..., object] = getattr(str, name)
    try:
        found = compute(text, *given, **named)
    except (TypeError, ValueError) as error:
        raise Unfit(f"fails: {error}", "see the documentation of `str`") from None
    if isinstance(found, str | bool | int):
        return Literal(found)
    assert isinstance(found, list | tuple)
    container = Container.LIST if isinstance(found, list) else Container.TUPLE
    return indexing.made(flat, _group(found, container), span)


_UNKNOWN = object()


def _plain(value: Value) -> object:
    """A value as Python has it; `_UNKNOWN` where only a run knows it."""
    if value is Special.NONE:
        return None
    if isinstance(value, Group):
        items = [_plain(item) for item in value.items]
        return _UNKNOWN if _UNKNOWN in items else tuple(items)
    return value.value if isinstance(value, Literal) else _UNKNOWN


def _any(flat: Context, of: Number, name: str, texts: Group, span: Span) -> Value:
    """`x.startswith(("a", "b"))`: one after the other."""
    found: Value = Literal(False)
    for text in texts.items:
        one = text

        def test() -> Value:
            return method(flat, of, name, (one,), {}, span)  # noqa: B023

        found = choices.lazily(flat, found, False, test, span)
    return found


def length(flat: Context, text: Number, span: Span) -> Value:
    """`len(text)`."""
    written = known(text)
    if written is not None:
        return Literal(len(written))
    return flat.apply(TABLE["text_length"], (text,), span)


def contains(
    flat: Context, part: Value, text: Number, negated: bool, span: Span
) -> Value:
    """`part in text`."""
    if part is Special.REFUSED:
        return part
    if not is_text(part):
        message = f"`in` asks whether a str holds {describe(part)}"
        return flat.refuse("AD107", message, span, "ask for a text")
    inner, outer = known(part), known(text)
    if inner is not None and outer is not None:
        return Literal((inner in outer) is not negated)
    found = flat.apply(TABLE["text_in"], (part, text), span)
    return flat.operate(TABLE["not"], (found,), span) if negated else found


def item(flat: Context, text: Number, index: Value, span: Span) -> Value:
    """`text[index]`; of a part, `text[i:j]`, all has to be written out."""
    written = known(text)
    bounds = [index]
    if isinstance(index, Slice):
        bounds = [index.start, index.stop, index.step]
    places = [sequences.whole(one, flat.wholes) for one in bounds]
    unsaid = [one is Special.NONE for one in bounds]
    is_place = isinstance(index, Draft | Literal) and index.type in (INT, BOOL)
    if is_place and (written is None or places[0] is None):
        args = (text, cast(Number, index))
        return flat.apply(TABLE["text_item"], args, span)
    if written is None or any(
        place is None and not absent
        for place, absent in zip(places, unsaid, strict=True)
    ):
        message = "a part of a text that only a run knows is not supported"
        help_ = "ask for its start, `kind.startswith(...)`, or compare the whole text"
        return flat.refuse("AD107", message, span, help_)
    if isinstance(index, Slice):
        if places[2] == 0:
            return flat.refuse("AD107", "a step of 0", span, "leave it out")
        return Literal(written[slice(*places)])
    (place,) = places
    assert place is not None
    if not -len(written) <= place < len(written):
        message = f"the text has {len(written)} characters, and none at index {place}"
        return flat.refuse("AD107", message, span, "let it be longer")
    return Literal(written[place])
