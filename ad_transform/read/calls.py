"""Calls: of functions of the file, and of the library functions that the table knows.

Most library functions come from `recognise`; those whose arguments are sequences or
vary in number have a form of their own, see `forms`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE, Alias, recognise
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Container, Literal, Operand, Passing
from ad_transform.ir.template import Env, Workshop, instantiate, parse_template
from ad_transform.ir.types import STR
from ad_transform.read import (
    assigned_fields,
    assigning,
    bits,
    choices,
    deques,
    elementwise,
    entries,
    inherited,
    instances,
    layered,
    making,
    maybe,
    objects,
    of_known,
    of_layers,
    of_whole,
    once,
    operators,
    orderings,
    rows,
    scattering,
    stringing,
    tables,
    wholes,
)
from ad_transform.read.arguments import Unfit, arguments
from ad_transform.read.blocks import AXES
from ad_transform.read.classes import Class
from ad_transform.read.code import Call, Formal
from ad_transform.read.context import Context
from ad_transform.read.described import describe
from ad_transform.read.forms import FORMS, accepts, placed
from ad_transform.read.grids import is_array
from ad_transform.read.helpers import VECTORIZE, vectorized
from ad_transform.read.keyworded import FORMS as KEYWORDED
from ad_transform.read.listing import items_of
from ad_transform.read.module import is_known
from ad_transform.read.numbers import bounded
from ad_transform.read.of_arrays import FORMS as OF_ARRAYS
from ad_transform.read.of_arrays import METHODS as OF_LISTS
from ad_transform.read.of_arrays import called, is_spread
from ad_transform.read.outside_calls import called as outside
from ad_transform.read.unknown import KNOWN, fault
from ad_transform.read.values import (
    Array,
    Chosen,
    Closure,
    Deque,
    Dict,
    Dotted,
    Draft,
    External,
    Group,
    Method,
    Number,
    Object,
    Once,
    Partial,
    Rows,
    Special,
    Stream,
    Super,
    Value,
    is_whole,
)
from ad_transform.read.whole import objection

Keywords = dict[str, Value]

_ZIP = Dotted("builtins.zip")


def call(flat: Context, callee: Value, made: Call, values: Sequence[Value]) -> Value:
    """The result of a call, its arguments evaluated.

    Refuses AD106 (signature), AD107 (not callable), AD110 (unknown), AD111 (keyword),
    AD120 (recursion), AD121 (another module).
    """
    positional: list[Value] = []
    keywords: Keywords = {}
    for name, value in zip(made.arguments, values, strict=True):
        if name == "*":
            items = once.opened(value)
            if isinstance(items, Rows) and callee == _ZIP and len(values) == 1:
                columns = rows.turned(flat, items, made.span)
                return once.given(flat, _ZIP.name, values, columns)
            if not isinstance(items, Group):
                return flat.unspreadable(items, made.span)
            positional += items.items
        elif name == "**":
            more = _spread(flat, value, keywords, made.span)
            if more is None:
                return Special.REFUSED
            keywords |= more
        elif name:
            keywords[name] = value
        else:
            positional.append(value)
    return called_with(flat, callee, positional, keywords, made.span)


def _spread(
    flat: Context, value: Value, given: Keywords, span: Span
) -> Keywords | None:
    """The keywords that `**value` gives; None after a report."""
    if value is Special.REFUSED:
        return None
    own = value.keys if isinstance(value, Dict) else ()
    keys = [str(key.value) for key in own if isinstance(key, Literal)]
    texts = [k for k in own if isinstance(k, Literal) and k.type == STR]
    if not isinstance(value, Dict) or len(texts) < len(own):
        message = f"`**` of {describe(value)} is not supported"
        help_ = "give it a dict whose keys are texts"
        flat.refuse("AD102", message, span, help_)
        return None
    twice = [key for key in keys if key in given]
    if twice:
        message = f"the keyword {twice[0]!r} is given twice"
        flat.refuse("AD106", message, span, "give it once")
        return None
    return dict(zip(keys, value.items, strict=True))


def called_with(
    flat: Context,
    callee: Value,
    positional: list[Value],
    keywords: Keywords,
    span: Span,
) -> Value:
    """The result of a call with the arguments by position, and those by name."""
    if isinstance(callee, Partial):
        positional = [*callee.positional, *positional]
        keywords = {**dict(callee.keywords), **keywords}
        return called_with(flat, callee.function, positional, keywords, span)
    if isinstance(callee, Closure):
        names = _bound(flat, callee, positional, keywords, span)
        return Special.REFUSED if names is None else flat.enter(callee, names, span)
    if isinstance(callee, External):
        names = _bound(flat, callee.closure, positional, keywords, span)
        return Special.REFUSED if names is None else outside(flat, callee, names, span)
    if isinstance(callee, Class):
        if Special.REFUSED in (*positional, *keywords.values()):
            return Special.REFUSED
        return making.construct(flat, callee, positional, keywords, span, called_with)
    if isinstance(callee, Dotted):
        return _library(flat, callee.name, positional, keywords, span)
    if callee is Special.REFUSED:
        return callee
    if isinstance(callee, Chosen):
        return _one_called(flat, callee, positional, keywords, span)
    if isinstance(callee, Method):
        return _method(flat, callee, positional, keywords, span)
    of = objects.class_of(callee)
    if of is not None and of.owner("__call__") is not None:
        method = objects.attribute(flat, callee, "__call__", span)
        assert method is not None
        return called_with(flat, method, positional, keywords, span)
    message = f"{describe(callee)} cannot be called"
    return flat.refuse("AD107", message, span, "write `*` for a product")


def _one_called(
    flat: Context,
    callee: Chosen,
    positional: list[Value],
    keywords: Keywords,
    span: Span,
) -> Value:
    """What a function gives of which a run chooses one."""

    def run(function: Value) -> Value:
        one = flat.materialise(function)
        return called_with(flat, one, list(positional), dict(keywords), span)

    what = "a call of one of two functions that give"
    arms = (lambda: run(callee.one), lambda: run(callee.other))
    return choices.choose(flat, callee.test, *arms, what, span)


def _method(
    flat: Context,
    callee: Method,
    values: Sequence[Value],
    keywords: Keywords,
    span: Span,
) -> Value:
    values = [_listed(flat, once.opened(value)) for value in values]
    if Special.REFUSED in values or Special.REFUSED in keywords.values():
        return Special.REFUSED
    if isinstance(callee.of, Super) and isinstance(callee.of.value, Object):
        above = callee.of
        own = cast(Object, above.value)
        more = (values, keywords, span, called_with)
        return making.initialised(flat, own, above.of, *more)
    found = making.method(flat, callee, values, keywords, span, called_with)
    if found is not None:
        return found
    try:
        if isinstance(callee.of, Deque) and not keywords:
            return deques.method(flat, callee.of, callee.name, values, span)
        if isinstance(callee.of, Dict) and callee.name in entries.CHANGING:
            change = entries.CHANGING[callee.name]
            return change(flat, callee.of, values, keywords, span)
        if callee.name == "sort":
            return orderings.sort(flat, callee.of, values, keywords, span)
        made = of_known.method(flat, callee.of, callee.name, values, keywords, span)
        whole = is_array(callee.of) and _is_for_whole(callee, values, keywords)
        if made is None and whole:
            name = of_whole.METHODS[callee.name]
            if callee.name in ("reshape", "transpose") and len(values) > 1:
                values = (Group(Container.TUPLE, tuple(values)),)
            given = (callee.of, *values)
            return of_whole.called(flat, name, given, keywords, span)
    except Unfit as unfit:
        return flat.refuse("AD106", f"{callee.name!r} {unfit}", span, unfit.help)
    if made is not None:
        return made
    for keyword in keywords:
        return _no_keyword(flat, callee.name, keyword, span)
    try:
        return called(flat, callee, values, span)
    except Unfit as unfit:
        return flat.refuse("AD106", f"{callee.name!r} {unfit}", span, unfit.help)


def _is_for_whole(callee: Method, values: Sequence[Value], keywords: Keywords) -> bool:
    """Whether a method of an array is one of whole arrays."""
    known = callee.name in of_whole.METHODS
    of_lists = callee.name in OF_LISTS and not keywords
    name = of_whole.METHODS.get(callee.name, "")
    given = (callee.of, *values)
    is_other = any(map(is_whole, given)) or _is_for_numpy(name, given)
    return known and (is_other or not of_lists)


# --- functions of the file ----------------------------------------------------------


def _bound(
    flat: Context,
    closure: Closure,
    positional: Sequence[Value],
    keywords: Keywords,
    span: Span,
) -> dict[str, Value] | None:
    """The parameters with their values; None after a report of AD106."""
    formals = [f for f in closure.code.formals if not f.star]
    names = {**closure.defaults}
    takers = [f for f in formals if f.passing is not Passing.KEYWORD_ONLY]
    by_keyword = {f.name for f in formals if f.passing is not Passing.POSITIONAL_ONLY}
    given = {f.name: v for f, v in zip(takers, positional, strict=False)}
    more = {k: v for k, v in keywords.items() if k not in by_keyword}
    rests = {f.star: f.name for f in closure.code.formals if f.star}
    faults = [
        "" if "*" in rests else _too_many(len(takers), len(positional)),
        *(
            f"got an unexpected keyword argument {k!r}"
            for k in more
            if "**" not in rests
        ),
        *(f"got several values for {k!r}" for k in keywords if k in given),
    ]
    names |= given | {k: v for k, v in keywords.items() if k in by_keyword}
    for star, name in rests.items():
        names[name] = _rest(flat, star, positional[len(takers) :], more, span)
    missing = [f.name for f in formals if f.name not in names]
    if missing:
        faults.append(f"misses {', '.join(map(repr, missing))}")
    for wrong in filter(None, faults):
        signature = ", ".join(_in_order(closure.code.formals))
        help_ = f"it is defined as `{closure.code.name}({signature})`"
        flat.refuse("AD106", f"{closure.code.name!r} {wrong}", span, help_)
        return None
    for name, value in names.items():
        if isinstance(value, Draft) and not value.hint:
            value.hint, value.within, value.call = name, closure.code.name, names
    return names


def _rest(
    flat: Context, star: str, values: Sequence[Value], keywords: Keywords, span: Span
) -> Value:
    """What `*args` or `**kwargs` takes."""
    if star == "*":
        kept = tuple(once.kept(flat, value, span) for value in values)
        return Group(Container.TUPLE, kept)
    held = tuple(once.kept(flat, value, span) for value in keywords.values())
    return Dict(tuple(map(Literal, keywords)), held)


def _in_order(formals: Sequence[Formal]) -> list[str]:
    """Parameters as they stand in a definition, without their defaults."""
    only = Passing.KEYWORD_ONLY
    named = [f.name for f in formals if f.passing is only and not f.star]
    stars = {f.star: f"{f.star}{f.name}" for f in formals if f.star}
    before = [stars["*"]] if "*" in stars else ["*"] if named else []
    behind = [stars["**"]] if "**" in stars else []
    return [
        *(f.name for f in formals if f.passing is not only),
        *before,
        *named,
        *behind,
    ]


def _too_many(takes: int, given: int) -> str:
    return f"takes {arguments(takes)}, not {given}" if given > takes else ""


# --- library functions --------------------------------------------------------------


def _library(
    flat: Context, name: str, values: Sequence[Value], keywords: Keywords, span: Span
) -> Value:
    if Special.REFUSED in values or Special.REFUSED in keywords.values():
        return Special.REFUSED
    values = [maybe.certain(flat, value, span) for value in values]
    if name == _PARTIAL and values:
        function = flat.materialise(values[0])
        values = [once.kept(flat, value, span) for value in values[1:]]
        return Partial(function, tuple(values), tuple(keywords.items()))
    if name == instances.ISINSTANCE and len(values) == 2 and not keywords:
        return instances.decided(flat, values, span)
    special = _SPECIAL.get(name, "")
    if special and values and not keywords and _defines(values[0], special):
        method = objects.attribute(flat, values[0], special, span)
        assert method is not None
        return called_with(flat, method, [*values[1:]], {}, span)
    if name == inherited.SUPER:
        return inherited.above(flat, values, span)
    if name == _TYPE and len(values) == 1 and objects.class_of(values[0]) is not None:
        return cast(Value, objects.class_of(values[0]))
    if name == assigned_fields.SETTER and len(values) == 3:
        return _set(flat, values, span)
    each = vectorized(values, keywords) if name == VECTORIZE else None
    if each is not None:
        return each
    is_length = name == "builtins.len"

    def made() -> Value:
        plain = [isinstance(value, Once) and is_length for value in values]
        opened = [
            value if as_it_is else once.opened(value)
            for value, as_it_is in zip(values, plain, strict=True)
        ]
        return _made(flat, name, opened, keywords, span)

    if name == once.MAP:
        return once.mapped(flat, values, made)
    return once.given(flat, name, values, made())


_SPECIAL = {
    "builtins.abs": "__abs__",
    "builtins.len": "__len__",
    "builtins.float": "__float__",
    "numpy.matmul": "__matmul__",
}
"""Methods that functions and operators of the library ask an object for."""


def _defines(value: Value, name: str) -> bool:
    of = value.of if isinstance(value, Object) else None
    return of is not None and of.owner(name) is not None


def _set(flat: Context, values: Sequence[Value], span: Span) -> Value:
    """`object.__setattr__(self, "x", v)`, which frozen objects are made by."""
    value, name, new = values
    is_being_made = isinstance(value, Object) and value.identity is not None
    if not isinstance(name, Literal) or not is_being_made:
        message = "`object.__setattr__` is understood where an object is made"
        help_ = "make the object anew: `replace(p, x=...)`, of `dataclasses`"
        return flat.refuse("AD107", message, span, help_)
    assigning.store(flat, value, str(name.value), new, span, (), making=True)
    return Special.NONE


def _made(
    flat: Context, name: str, values: Sequence[Value], keywords: Keywords, span: Span
) -> Value:
    """What a function of the library makes of values that may be read again."""
    if Special.REFUSED in values:
        return Special.REFUSED
    if "out" in keywords and name.startswith("numpy."):
        rest = {word: value for word, value in keywords.items() if word != "out"}
        own = _made(flat, name, values, rest, span)
        return scattering.into(flat, keywords["out"], own, span)
    if name == _UNION and all(isinstance(value, Dict) for value in values):
        one, other = cast("Sequence[Dict]", values)
        return tables.united(one, other)
    if (of_bits := bits.joined(flat, name, values, span)) is not None:
        return of_bits
    if name in operators.FORMS:
        return operators.called(flat, name, values, keywords, span)
    found = name in making.OF_OBJECTS and making.made_by(
        flat, name, values, keywords, span, called_with
    )
    if found:
        return found
    if name == "numpy.invert":
        if not any(map(is_array, values)):
            message = "`~` of a single value is not supported"
            return flat.refuse("AD107", message, span, "write `not`")
        name = "numpy.logical_not"
    try:
        strung = stringing.joined(flat, name, values, keywords, span)
        if strung is not None:
            return strung
        values = _as_arrays(flat, name, values, keywords, span)
        made = _of_known(flat, name, values, keywords, span)
    except Unfit as unfit:
        said = of_known.SIGNS.get(name, repr(name))
        return flat.refuse("AD106", f"{said} {unfit}", span, unfit.help)
    if made is not None:
        return made
    if _is_keyworded(flat, name, values, keywords):
        return _keyworded(flat, name, values, keywords, span)
    form, row = FORMS.get(name), recognise(name)
    if form is None and row is None:
        try:
            constant = flat.computed(name, values, keywords, span)
        except Unfit as unfit:
            return flat.refuse("AD106", f"{name!r} {unfit}", span, unfit.help)
        if constant is not None:
            return constant
        code, message, help_ = unknown(name)
        return flat.refuse(code, message, span, help_)
    shown = name.removeprefix("builtins.")
    for keyword in keywords:
        if form is None or not accepts(name, keyword):
            return _no_keyword(flat, shown, keyword, span)
    if name not in _OF_STREAMS:
        values = [_listed(flat, value) for value in values]
    if name in OF_ARRAYS and name not in of_whole.FORMS:
        values = [wholes.listed(flat, value, span) for value in values]
    if is_spread(flat, name, values):
        form = OF_ARRAYS.get(name)
        if form is None:
            message = f"{shown!r} of an array is not supported yet"
            help_ = f"call {shown!r} for every element, in a loop"
            return flat.refuse("AD107", message, span, help_)
    wrong = objection(name, values)
    if wrong:
        help_ = "write numbers with a point, `2.0` for `2`, or Python's own operators"
        return flat.refuse("AD107", f"{shown!r} {wrong}", span, help_)
    if form is None:
        assert row is not None
        return _known(flat, shown, row, values, span)
    try:
        return form(flat, placed(name, values, keywords), span)
    except Unfit as unfit:
        return flat.refuse("AD106", f"{shown!r} {unfit}", span, unfit.help)


def _as_arrays(
    flat: Context, name: str, values: Sequence[Value], keywords: Keywords, span: Span
) -> list[Value]:
    """Lists of rows as the arrays that numpy makes of them; sums by axis list all."""
    if name in _WITH_AXIS and (keywords or len(values) > 1):
        values = [_listed(flat, value) for value in values]
    return [rows.as_array(flat, name, value, span) for value in values]


def _listed(flat: Context, value: Value) -> Value:
    """A stream as a list of its items; any other value as it is."""
    return items_of(flat, value) if isinstance(value, Stream) else value


def _keyworded(
    flat: Context, name: str, values: Sequence[Value], keywords: Keywords, span: Span
) -> Value:
    form, known = KEYWORDED[name]
    shown = name.removeprefix("builtins.")
    for keyword in keywords:
        if known is not None and keyword not in known:
            return _no_keyword(flat, shown, keyword, span)
    values = [_listed(flat, value) for value in values]
    try:
        return form(flat, values, keywords, span)
    except Unfit as unfit:
        return flat.refuse("AD106", f"{shown!r} {unfit}", span, unfit.help)


def _no_keyword(flat: Context, shown: str, keyword: str, span: Span) -> Value:
    message = f"{shown!r} with the keyword {keyword!r} is not supported"
    return flat.refuse("AD111", message, span, _KEYWORDS.get(keyword, _PLACED))


BY_ITEMS = frozenset(OF_ARRAYS)
"""What is done with lists as well as with whole arrays."""


def _of_known(
    flat: Context, name: str, values: Sequence[Value], keywords: Keywords, span: Span
) -> Value | None:
    """The result for arrays whose elements are known; None for anything else."""
    if name in scattering.FORMS and not keywords:
        return scattering.called(flat, name, values, span)
    is_test = name == "numpy.where" and len(values) == 1 and any(map(is_array, values))
    if is_test and not keywords:
        return of_whole.called(flat, name, values, keywords, span)
    is_alone = name not in FORMS
    made: Value | None = None
    if name in of_known.FORMS and (is_alone or of_known.are_meant(values, keywords)):
        made = of_known.called(flat, name, values, keywords, span)
        is_other = name not in BY_ITEMS or _is_for_numpy(name, values)
        whole = any(map(is_whole, values)) or keywords or is_other
        if made is None and name in of_whole.FORMS and whole:
            return of_whole.called(flat, name, values, keywords, span)
        return made
    if of_layers.are_meant(name, values) and not keywords:
        return of_layers.called(flat, name, values, keywords, span)
    is_whole_only = is_alone and recognise(name) is None
    is_other = name not in BY_ITEMS and not is_alone and wholes.are_meant(values)
    any_whole = any(map(is_whole, values))
    if name in of_whole.FORMS and (is_whole_only or is_other or any_whole):
        return of_whole.called(flat, name, values, keywords, span)
    if not keywords and elementwise.is_each(name) and any(map(is_array, values)):

        def each(items: Sequence[Value]) -> Value:
            return _library(flat, name, items, {}, span)

        made = elementwise.mapped(flat, each, values, span)
        if made is None:
            return _of_whole(flat, name, values, span)
    return made


def _of_whole(flat: Context, name: str, values: Sequence[Value], span: Span) -> Value:
    """A function of whole arrays, element by element."""
    row = recognise(name)
    if name in of_whole.FORMS:
        return of_whole.called(flat, name, values, {}, span)
    if isinstance(row, Elemental):
        if len(values) != len(row.parameters) and not row.variadic:
            raise Unfit(f"takes {arguments(len(row.parameters))}, not {len(values)}")
        return layered.operated(flat, *bounded(row, values), span)
    if row is None and elementwise.is_each(name) and name in FORMS:
        return FORMS[name](flat, placed(name, values, {}), span)
    if row is None:
        raise Unfit("of arrays is not supported yet", "write a loop over its elements")
    template, parameters = parse_template(row.template), row.parameters

    def each(numbers: Sequence[Number]) -> Value:
        env = cast(Env, dict(zip(parameters, numbers, strict=True)))
        bench = cast(Workshop, _Bench(flat, span))
        return cast(Value, instantiate(template, env, bench))

    if any(layered.rank_of(value) >= AXES for value in values):
        return layered.mapped(flat, each, values, span)
    given = [wholes.whole_of(flat, value, span) for value in values]
    wholes.require_broadcast(flat, given, span)
    return each(given)


def _is_for_numpy(name: str, values: Sequence[Value]) -> bool:
    """Whether a function is one of whole arrays, though it is one of lists as well."""
    if of_whole.is_of_layers(name, values):
        return True
    if name in _WITH_AXIS and len(values) > 1:
        return True
    if name not in _OF_MATRICES:
        return False
    if name in _PRODUCTS and any(
        isinstance(v, Group | Draft | Literal) for v in values
    ):
        return True
    is_matrix = any(isinstance(v, Array) and len(v.axes) > 1 for v in values)
    return is_matrix or (name == "numpy.linalg.norm" and len(values) > 1)


_WITH_AXIS = frozenset(f"numpy.{n}" for n in ("sum", "mean", "prod", "any", "all"))
"""What is done with lists where an array is all that it is given, without an axis."""

_PRODUCTS = frozenset({"numpy.dot", "numpy.inner", "numpy.vdot"})
_OF_MATRICES = _PRODUCTS | {"numpy.prod", "numpy.linalg.norm"}
"""What is done with lists, but with matrices as numpy does it."""


_OF_STREAMS = frozenset(
    [
        "builtins.sum",
        "builtins.any",
        "builtins.all",
        "math.prod",
    ]
)
"""What reads a comprehension without making a list of it."""

_PLACED = "give the arguments by position"
_KEYWORDS = {
    "where": "write `np.where(test, made, other)`",
    "axis": "arrays are not supported yet: write the sum of each row",
}


def _is_keyworded(
    flat: Context, name: str, values: Sequence[Value], keywords: Keywords
) -> bool:
    """Whether a function takes keywords as it is called here; the least of tuples is
    that of numbers by a key.
    """
    is_least = name in _LEAST and orderings.are_tuples(flat, values)
    return name in KEYWORDED and (bool(keywords) or name not in FORMS or is_least)


_LEAST = frozenset({"builtins.min", "builtins.max"})
_PARTIAL = "functools.partial"
_TYPE = "builtins.type"
_UNION = "numpy.bitwise_or"
_OF_CLASSES = (
    inherited.SUPER,
    instances.ISINSTANCE,
    assigned_fields.SETTER,
    _TYPE,
)
_NAMES = (*FORMS, *KNOWN)


def _known(
    flat: Context, name: str, op: Elemental | Alias, values: Sequence[Value], span: Span
) -> Value:
    wanted = len(op.parameters)
    variadic = isinstance(op, Elemental) and op.variadic
    if not variadic and len(values) != wanted:
        message = f"{name!r} takes {arguments(wanted)}, not {len(values)}"
        help_ = f"write `{name}({', '.join(op.parameters)})`"
        return flat.refuse("AD106", message, span, help_)
    if any(isinstance(v, Group) for v in values):
        help_ = f"arrays are not supported yet: call {name!r} for every element"
        message = f"{name!r} of a tuple or list is not supported yet"
        return flat.refuse("AD107", message, span, help_)
    if isinstance(op, Elemental):
        return flat.operate(*bounded(op, values), span)
    numbers = [flat.number(value, span) for value in values]
    if None in numbers:
        return Special.REFUSED
    env = cast(Env, dict(zip(op.parameters, numbers, strict=True)))
    bench = cast(Workshop, _Bench(flat, span))
    return cast(Value, instantiate(parse_template(op.template), env, bench))


class _Bench:
    """The workshop in which the template of a composite spelling is instantiated."""

    def __init__(self, flat: Context, span: Span) -> None:
        self.flat = flat
        self.span = span

    def apply(self, op: str, *args: Operand) -> Operand:
        row, values = bounded(TABLE[op], cast(Any, args))
        if any(arg.type.shape for arg in args):
            wholes.require_known(row)
        return cast(Operand, self.flat.apply(row, cast(Any, values), self.span))


def is_function(qualified: str) -> bool:
    """Whether a call of a qualified name means something here."""
    known = (
        qualified in (_PARTIAL, VECTORIZE, *_OF_CLASSES)
        or qualified in making.OF_OBJECTS
    )
    known = known or qualified in of_whole.FORMS
    return known or is_known(qualified)


def unknown(qualified: str) -> tuple[str, str, str]:
    """Code, message and way out for a function that has no meaning here."""
    return fault(qualified, _NAMES)
