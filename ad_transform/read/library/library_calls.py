"""Functions of the library, by their qualified names.

Most of them are rows of the table of elementals; those whose arguments are sequences or
vary in number have a rule of their own, see `rules`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import recognise
from ad_transform.ir.nodes import Literal
from ad_transform.later import later
from ad_transform.read.array_functions import stringing
from ad_transform.read.array_functions.of_arrays import RULES as OF_ARRAYS
from ad_transform.read.array_functions.of_arrays import is_spread
from ad_transform.read.branches import maybe
from ad_transform.read.calls.unknown import KNOWN, fault, no_keyword
from ad_transform.read.containers import sequences
from ad_transform.read.iterables import (
    advancing,
    once,
    streams,
)
from ad_transform.read.library import (
    array_calls,
    bits,
    elemental_calls,
    named_operators,
    of_objects,
)
from ad_transform.read.library.keyworded import RULES as KEYWORDED
from ad_transform.read.library.numbers import power_in_ring
from ad_transform.read.library.rules import RULES, accepts, placed
from ad_transform.read.library.whole import objection
from ad_transform.read.lists.listing import is_lazy, list_of
from ad_transform.read.machine.arguments import Unfit, misfit
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import (
    instances,
)
from ad_transform.read.project import as_python_has_it
from ad_transform.read.project.helpers import VECTORIZE, vectorized
from ad_transform.read.rows import (
    optional_rows,
    rows,
)
from ad_transform.read.values.callables import Closure, Partial
from ad_transform.read.values.series import Once
from ad_transform.read.values.storage import Distinct
from ad_transform.read.values.values import Draft, Special, Value
from ad_transform.read.wholes import (
    made_of,
    ufuncs,
)

with later():
    from ad_transform.read.branches import choices
    from ad_transform.read.calls import operators
    from ad_transform.read.constants import of_numpy
    from ad_transform.read.containers import keyed
    from ad_transform.read.iterables import (
        generators,
        in_turn,
        selecting,
    )
    from ad_transform.read.known import of_known
    from ad_transform.read.known.grids import is_array
    from ad_transform.read.lists import (
        orderings,
        set_algebra,
        sets,
    )
    from ad_transform.read.objects import (
        homes,
        making,
    )
    from ad_transform.read.objects.making import Caller, Keywords
    from ad_transform.read.texts import texts
    from ad_transform.read.wholes import (
        of_whole,
        scattering,
        wholes,
    )


def called(
    flat: Context,
    name: str,
    values: Sequence[Value],
    keywords: Keywords,
    span: Span,
    call: Caller,
) -> Value:
    """The result of a function of the library, by its qualified name.

    Refuses AD106 (signature), AD110 (unknown), AD111 (keyword).
    """
    if Special.REFUSED in values or Special.REFUSED in keywords.values():
        if not may_mean(name):
            code, message, help_ = unknown(name)
            flat.refuse(code, message, span, help_)
        return Special.REFUSED
    if name == instances.ISINSTANCE and len(values) == 2 and not keywords:
        return instances.decided(flat, values, span)
    if name == _BOOL and values and not isinstance(values[0], Draft | Literal):
        return choices.truth(flat, values[0], "`bool`", span)
    values = [maybe.certain(flat, value, span) for value in values]
    values = [homes.as_dict(flat, value, span) for value in values]
    if name == _PARTIAL and values:
        function = flat.materialise(values[0])
        values = [once.kept(flat, value, span) for value in values[1:]]
        return Partial(function, tuple(values), tuple(keywords.items()))
    if name in named_operators.NAMES and not keywords:
        operated = named_operators.called(flat, name, values, span)
        if operated is not None:
            return operated
    if name in _COMPARING and "key" not in keywords:
        values = [optional_rows.certain(flat, value, span) for value in values]
    of_object = of_objects.called(flat, name, values, keywords, span, call)
    if of_object is not None:
        return of_object
    each = vectorized(values, keywords) if name == VECTORIZE else None
    if each is not None:
        return each
    if as_python_has_it.is_read(name, keywords):
        return _read(flat, name, values, keywords, span, call)
    if name == _NEXT and not keywords:
        return _next(flat, values, span)
    if name in selecting.RULES:
        iterated = _iterated(flat, name, values, keywords, span)
        if iterated is not None:
            return iterated
    if any(map(generators.is_one, values)):
        if name == _ENUMERATE and len(values) < 3:
            return _numbered(flat, values, keywords, span)
        if name in _IN_STEP and any(map(generators.asks_objects, values)):
            message = f"{name.removeprefix('builtins.')!r} of a generator of an object"
            help_ = "make a list of it before: `list(...)`"
            return flat.refuse("AD107", f"{message} is not supported", span, help_)
    is_length = name == "builtins.len"

    def made() -> Value:
        plain = [isinstance(value, Once) and is_length for value in values]
        opened = [
            value if as_it_is else _opened(flat, name, value, span)
            for value, as_it_is in zip(values, plain, strict=True)
        ]
        return _made(flat, name, opened, keywords, span, call)

    if name == once.MAP:
        read = partial(in_turn.mapped, flat, values, made, span)
        return once.mapped(flat, values, read)
    if name == _ENUMERATE and 0 < len(values) < 3 and once.waits(values[0]):
        value = in_turn.tried(flat, made)
        if value is None:
            return _numbered(flat, values, keywords, span)
        return once.given(flat, name, values, value)
    return once.given(flat, name, values, made())


def _next(flat: Context, values: Sequence[Value], span: Span) -> Value:
    """The next item of an iterator, or the first of a generator that is not read on."""
    taken = advancing.advanced(flat, values, span)
    if taken is not None:
        return taken
    if values and once.waits(values[0]):
        items = in_turn.at_once(flat, _NEXT, values[0].read, values[0], span)
        if items is Special.REFUSED:
            return items
        values = [once.again(values[0], items), *values[1:]]
    try:
        return streams.first(flat, values, span)
    except Unfit as unfit:
        return flat.refuse("AD106", f"'next' {unfit}", span, unfit.help)


def _read(
    flat: Context,
    name: str,
    values: Sequence[Value],
    keywords: Keywords,
    span: Span,
    call: Caller,
) -> Value:
    """The result of a function that is read from Python text."""
    if name.startswith("bisect.insort") and len(values) > 1:
        rows.awaited(flat, values[0], values[1], span)
    function = as_python_has_it.function(flat.module, name)
    assert isinstance(function, Closure)
    formals = {formal.name for formal in function.code.formals}
    for keyword in keywords:
        if keyword not in formals:
            return no_keyword(flat, name, keyword, span)
    return call(flat, function, list(values), dict(keywords), span)


def _iterated(
    flat: Context, name: str, values: Sequence[Value], keywords: Keywords, span: Span
) -> Value | None:
    """An iterator of the library over others, as `filter` gives it."""
    rule, known = selecting.RULES[name]
    shown = name.removeprefix("builtins.")
    for keyword in keywords:
        if keyword not in known:
            return no_keyword(flat, shown, keyword, span)
    values = [_iterable(flat, name, value, span) for value in values]
    try:
        return rule(flat, values, keywords, span)
    except Unfit as unfit:
        return misfit(flat, repr(shown), unfit, values, span)


def _numbered(
    flat: Context, values: Sequence[Value], keywords: Keywords, span: Span
) -> Value:
    start = keywords.get("start", values[1] if len(values) > 1 else Literal(0))
    return generators.numbered(flat, cast(Once, values[0]), start, span)


def _opened(flat: Context, name: str, value: Value, span: Span) -> Value:
    value = _iterable(flat, name, value, span)
    if name not in _ONE_BY_ONE or not once.waits(value):
        return once.opened(value)

    def items() -> Value:
        found = once.opened(value)
        return found if name in _OF_STREAMS else list_of(flat, found)

    return in_turn.at_once(flat, name, items, value, span)


def _iterable(flat: Context, name: str, value: Value, span: Span) -> Value:
    """The items that a function goes over: those that an object gives, the characters
    of a text; any other value as it is.
    """
    if name not in _OF_DICTS:
        value = keyed.items(flat, value, span)
    if name in texts.TAKEN_BY or name in _OF_STREAMS or name in selecting.RULES:
        value = generators.iterated(flat, value, span)
    if name in texts.TAKEN_BY:
        is_in_turn = name in texts.IN_TURN
        value = (
            texts.characters(flat, value, span) if is_in_turn else texts.spread(value)
        )
    if isinstance(value, Distinct) and name in sets.READ_BY:
        return value.inner
    return value


_COMPARING = ("builtins.max", "builtins.min", "builtins.sorted")
_DICT = "builtins.dict"
_UNION, _COMMON = "numpy.bitwise_or", "numpy.bitwise_and"
_OF_DICTS = frozenset({
    "builtins.len", _DICT, "collections.Counter", _UNION, _COMMON,
    "operator.ior", "operator.iand", "copy.copy", "copy.deepcopy",
})  # fmt: skip
"""Functions that take a dict not for its keys alone."""
_BOOL = "builtins.bool"
_NEXT = "builtins.next"
_ENUMERATE = "builtins.enumerate"
_IN_STEP = once.FUNCTIONS | {once.MAP}
"""Iterators over a generator, whose loop may change values that its items depend on."""
_ONE_BY_ONE = frozenset({
    "builtins.all", "builtins.any", "builtins.zip",
    "itertools.chain", "itertools.pairwise", "itertools.zip_longest",
})  # fmt: skip
"""Functions that let others read items of a generator, or leave some unread."""


def _made(
    flat: Context,
    name: str,
    values: Sequence[Value],
    keywords: Keywords,
    span: Span,
    call: Caller,
) -> Value:
    """The result of a function of the library for values that may be read again."""
    if Special.REFUSED in values:
        return Special.REFUSED
    if "out" in keywords and name.startswith("numpy."):
        rest = {word: value for word, value in keywords.items() if word != "out"}
        own = _made(flat, name, values, rest, span, call)
        return scattering.into(flat, keywords["out"], own, span)
    if name == _UNION and len(values) == 2:
        both = keyed.united(flat, values[0], values[1], span)
        if both is not None:
            return both
    if name == _COMMON and len(values) == 2:
        both = keyed.common(flat, values[0], values[1], span)
        if both is not None:
            return both
    if (of_sets := set_algebra.operated(flat, name, values, span)) is not None:
        return of_sets
    if (of_bits := bits.joined(flat, name, values, span)) is not None:
        return of_bits
    if name in operators.RULES:
        return operators.called(flat, name, values, keywords, span)
    found = name in making.OF_OBJECTS and making.made_by(
        flat, name, values, keywords, span, call
    )
    if found:
        return found
    if name == "numpy.invert":
        if not any(map(is_array, values)):
            message = "`~` of a single value is not supported"
            return flat.refuse("AD107", message, span, "write `not`")
        name = "numpy.logical_not"

    name, keywords = ufuncs.function_of(name, values, keywords)

    def again(items: Sequence[Value]) -> Value:
        return called(flat, name, items, {}, span, call)

    if name == _SUM and values and of_objects.are_added(values[0]):
        return of_objects.added(flat, values, keywords, span, call)
    try:
        if name == _SUM and values:
            starts = [v for word, v in keywords.items() if word == "start"]
            added = streams.of_rows(flat, (*values, *starts), span)
            if added is not None:
                return added
        if name in made_of.RULES:
            return made_of.called(flat, name, values, keywords, span, call)
        strung = stringing.joined(flat, name, values, keywords, span)
        if strung is not None:
            return strung
        values = _as_arrays(flat, name, values, keywords, span)
        made = array_calls.called(flat, name, values, keywords, span, again)
    except Unfit as unfit:
        said = of_known.SIGNS.get(name, repr(name.removeprefix("builtins.")))
        given = (*values, *keywords.values())
        return misfit(flat, said, unfit, given, span)
    if made is not None:
        return made
    if _is_keyworded(flat, name, values, keywords, span):
        return _keyworded(flat, name, values, keywords, span)
    return _tabled(flat, name, values, keywords, span)


def _tabled(
    flat: Context, name: str, values: Sequence[Value], keywords: Keywords, span: Span
) -> Value:
    """The result of a function with a rule of its own, or a row of the elementals."""
    rule, row = RULES.get(name), recognise(name)
    if rule is None and row is None:
        try:
            constant = flat.computed(name, values, keywords, span)
        except Unfit as unfit:
            return flat.refuse("AD106", f"{name!r} {unfit}", span, unfit.help)
        if constant is not None:
            return constant
        code, message, help_ = unknown(name)
        return flat.refuse(code, message, span, help_)
    shown = name.removeprefix("builtins.")
    if name == _POWER and len(values) == _WITH_MODULUS and not keywords:
        rule = power_in_ring
    for keyword in keywords:
        if rule is None or not accepts(name, keyword):
            return no_keyword(flat, shown, keyword, span)
    if name not in _OF_STREAMS:
        values = [list_of(flat, value) for value in values]
        if Special.REFUSED in values:
            return Special.REFUSED
    is_known = name.startswith("numpy.") and not is_spread(flat, name, values)
    if name in _OF_NUMBERS or is_known:
        values = [sequences.spelled_out(value, flat.wholes) for value in values]
    if name in OF_ARRAYS and name not in of_whole.RULES:
        values = [wholes.listed(flat, value, span) for value in values]
    if is_spread(flat, name, values):
        rule = OF_ARRAYS.get(name)
        if rule is None:
            message = f"{shown!r} of an array is not supported yet"
            each = f"call {shown!r} for every element, in a loop"
            help_ = _INSTEAD.get(name, each)
            return flat.refuse("AD107", message, span, help_)
    wrong = objection(name, values)
    if wrong:
        help_ = "write numbers with a point, `2.0` for `2`, or Python's own operators"
        return flat.refuse("AD107", f"{shown!r} {wrong}", span, help_)
    if rule is None:
        assert row is not None
        return elemental_calls.called(flat, shown, row, values, span)
    try:
        return rule(flat, placed(name, values, dict(keywords)), span)
    except Unfit as unfit:
        given = (*values, *keywords.values())
        return misfit(flat, repr(shown), unfit, given, span)


def _as_arrays(
    flat: Context, name: str, values: Sequence[Value], keywords: Keywords, span: Span
) -> list[Value]:
    """Lists of rows as the arrays that numpy makes of them; sums by axis list all."""
    if name in array_calls.WITH_AXIS and (keywords or len(values) > 1):
        values = [list_of(flat, value) for value in values]
    elif name in array_calls.EXTREMES:
        values = [value if is_lazy(value) else list_of(flat, value) for value in values]
    return [rows.as_array(flat, name, value, span) for value in values]


def _keyworded(
    flat: Context, name: str, values: Sequence[Value], keywords: Keywords, span: Span
) -> Value:
    rule, known = KEYWORDED[name]
    shown = name.removeprefix("builtins.")
    for keyword in keywords:
        if known is not None and keyword not in known:
            return no_keyword(flat, shown, keyword, span)
    if name != _DICT:  # which takes one pair after the other
        values = [list_of(flat, value) for value in values]
    if name in OF_ARRAYS and name not in of_whole.RULES:
        values = [wholes.listed(flat, value, span) for value in values]
    try:
        return rule(flat, values, keywords, span)
    except Unfit as unfit:
        given = (*values, *keywords.values())
        return misfit(flat, repr(shown), unfit, given, span)


_OF_STREAMS = frozenset({"builtins.sum", "builtins.any", "builtins.all", "math.prod"})
"""Functions that read a comprehension without making a list of it."""
_OF_NUMBERS = _OF_STREAMS | {
    *("builtins.list", "builtins.tuple", "builtins.max", "builtins.min", "math.fsum"),
    *("statistics.mean", "statistics.fmean", "numpy.array", "numpy.asarray"),
}
"""Functions to which a range of known numbers is a tuple of these."""


def _is_keyworded(
    flat: Context, name: str, values: Sequence[Value], keywords: Keywords, span: Span
) -> bool:
    """Whether a function takes keywords as it is called here; the least of tuples is
    that of numbers by a key.
    """
    is_least = name in _LEAST and orderings.are_tuples(flat, values, span)
    return name in KEYWORDED and (bool(keywords) or name not in RULES or is_least)


_INSTEAD = {
    "math.hypot": "write `math.hypot(*x)`",
    **{
        name: f"write `{name.replace('numpy', 'np')}([v for v in x])`"
        for name in array_calls.EXTREMES
    },
}
"""Ways out for functions of arrays, which no loop over their elements calls."""

_LEAST = frozenset({"builtins.min", "builtins.max"})


_PARTIAL = "functools.partial"
_SUM = "builtins.sum"
_POWER, _WITH_MODULUS = "builtins.pow", 3
_NAMES = (*RULES, *KNOWN)


def is_function(qualified: str) -> bool:
    """Whether a call of a qualified name means something here."""
    known = qualified in (_PARTIAL, _NEXT, VECTORIZE, *of_objects.NAMES)
    known = known or qualified in making.OF_OBJECTS or qualified in of_whole.RULES
    known = known or qualified in ufuncs.METHODS or qualified in made_of.RULES
    known = known or qualified in named_operators.NAMES
    known = known or qualified in selecting.RULES or qualified in scattering.RULES
    known = known or as_python_has_it.is_read(qualified, {})
    return known or is_known(qualified)


def may_mean(qualified: str) -> bool:
    """Whether a call of a qualified name means something here, if only of numbers that
    are known when the output is imported.
    """
    return is_function(qualified) or qualified in of_numpy.NAMES


def is_known(qualified: str) -> bool:
    """Whether a qualified name is a function of numbers, arrays or texts."""
    tables = (RULES, KEYWORDED, of_known.RULES, operators.RULES)
    known = any(qualified in table for table in tables)
    return known or recognise(qualified) is not None


def unknown(qualified: str) -> tuple[str, str, str]:
    """Code, message and way out for a function that has no meaning here."""
    return fault(qualified, _NAMES)
