"""Dataclasses with slots whose methods are written when they are first called.

`dataclasses` compiles up to six methods for each class, a third of a millisecond. That
was a third of what importing this program took, and most classes are never compared or
printed, or have no object at all in a run. Here a class gets its slots at once, and
each of its methods with the first call.

A frozen object is filled through its slots, in two thirds of the time that
`object.__setattr__` takes.

`replace` makes a copy with other values in half of the time of the standard library's,
for what is replaced often.

What is asked of objects again and again is `kept`: a property that is found out when an
object is made. What is asked of few of them is `found_once`: when it is first asked.

While `hurried` lasts, libraries that are imported have such classes, too. LibCST has
190 of them, which is half of what its import takes.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, Field, FrozenInstanceError, field, fields, is_dataclass
from functools import cache
from types import CodeType, FunctionType, MemberDescriptorType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, dataclass_transform

T = TypeVar("T")

if TYPE_CHECKING:
    kept = property
    found_once = property
else:

    class kept(property):
        """A property of objects that may change, but do not: it is a slot, filled when
        an object is made. No field: neither compared nor shown.
        """

    class found_once(property):
        """As `kept`, but the slot is filled when it is first asked for."""


@dataclass_transform(field_specifiers=(field,))
def dataclass(
    *, slots: Literal[True], frozen: bool = False, eq: bool = True
) -> Callable[[type[T]], type[T]]:
    """The decorator of the standard library, for classes with slots.

    There is no `InitVar`, no `ClassVar` and no `__init__` in the class; one with an
    `__eq__` has its `__hash__`, and fields that are no parameters have no default.
    """
    assert slots

    def decorated(plain: type[T]) -> type[T]:
        fill = _fill_frozen if frozen else _fill
        methods = {"__init__": _later("__init__", fill), "__repr__": _repr}
        if frozen:
            methods["__setattr__"] = methods["__delattr__"] = _refuse
        if eq and "__eq__" not in vars(plain):
            methods["__eq__"] = _later("__eq__", _compare)
            methods["__hash__"] = _later("__hash__", _hash) if frozen else None
        return cast("type[T]", _with_slots(plain, methods))

    return decorated


@contextmanager
def hurried() -> Iterator[None]:
    """Frozen dataclasses of modules that are imported meanwhile write their methods
    when these are first called. Others are as ever.
    """
    plainly, made = dataclasses.dataclass, list[Any]()

    def later(plain: Any) -> Any:
        plain.__doc__ = plain.__doc__ or plain.__name__  # else its signature is made
        plainly(init=False, repr=False, eq=False)(plain)
        made.append(plain)
        return _with_methods(plain)

    def decorated(cls: type | None = None, /, **words: Any) -> Any:
        frozen = cls is None and words == {"frozen": True}
        return later if frozen else plainly(cls, **words)

    dataclasses.dataclass = decorated
    try:
        yield
    finally:
        dataclasses.dataclass = plainly
        for each in made:
            each.__dataclass_params__.frozen = True


def _with_methods(plain: Any) -> Any:
    """A frozen class with the methods that it does not say itself."""
    own = vars(plain).copy()
    plain.__setattr__ = plain.__delattr__ = _refuse
    if "__init__" not in own:
        plain.__init__ = _later("__init__", _fill_frozen)
    if "__repr__" not in own:
        plain.__repr__ = _repr
    if "__eq__" not in own:
        plain.__eq__ = _later("__eq__", _compare)
    if "__hash__" not in own or ("__eq__" in own and own["__hash__"] is None):
        plain.__hash__ = _later("__hash__", _hash)
    return plain


def _with_slots(plain: Any, methods: dict[str, Any]) -> Any:
    """The class with slots for its fields, in the place of their defaults, and with
    methods.
    """
    own = dict(vars(plain))
    finders = {name: x.fget for name, x in own.items() if type(x) is kept}
    seekers = {name: x.fget for name, x in own.items() if type(x) is found_once}
    sought = [f"_sought_{name}" for name in seekers]
    names = (*plain.__annotations__, *finders, *sought)
    for name in (*names, "__dict__", "__weakref__"):
        own.pop(name, None)
    held = {name for base in plain.__mro__ for name in getattr(base, "__slots__", ())}
    own["__slots__"] = tuple(name for name in names if name not in held)
    own["__finders__"] = getattr(plain, "__finders__", {}) | finders
    own["__qualname__"] = plain.__qualname__
    own["__getstate__"], own["__setstate__"] = _state, _set_state
    for name in _DESCRIBED:
        own[name] = _Described(plain, name)
    for name, seek in seekers.items():
        own[name] = _sought(name, seek)
    return type(plain)(plain.__name__, plain.__bases__, own | methods)


def _sought(name: str, seek: Any) -> property:
    """The property for a slot that is filled when it is first asked for.

    A `__getattr__` would make all other attributes of the class slow.
    """
    code = _compiled(f"{_SOUGHT}(self)", _SEEKING)
    constants = tuple(f"_sought_{name}" if x == _SOUGHT else x for x in code.co_consts)
    code = _renamed(code, {_SOUGHT: f"_sought_{name}"}).replace(co_consts=constants)
    return property(FunctionType(code, {"SEEK": seek, "SET": _set}, name))


_SOUGHT = "NAME_0"
_SEEKING = (
    "try:",
    f"    return self.{_SOUGHT}",
    "except AttributeError:",
    "    found = SEEK(self)",
    f"    SET(self, '{_SOUGHT}', found)",
    "    return found",
)


class _Described:
    """The description of a class by the standard library, made when it is asked for."""

    __slots__ = ("fields", "name", "plain")

    def __init__(self, plain: type, name: str) -> None:
        self.plain, self.name = plain, name
        self.fields: tuple[Field[Any], ...] | None = None

    def __get__(self, _: object, made: type) -> Any:
        if "__dataclass_fields__" not in vars(self.plain):
            dataclasses.dataclass(init=False, repr=False, eq=False)(self.plain)
        found = vars(self.plain)[self.name]
        setattr(made, self.name, found)  # every match asks for it
        return found


_DESCRIBED = ("__dataclass_fields__", "__dataclass_params__", "__match_args__")


def _later(name: str, write: Callable[[type], Any]) -> Any:
    """A method that writes itself when it is called, into the class that has it then:
    one with slots may have been made of the first one.
    """

    def first(self: Any, *args: Any, **keywords: Any) -> Any:
        owner = next(c for c in type(self).__mro__ if vars(c).get(name) is first)
        method = write(owner)
        setattr(owner, name, method)
        return method(self, *args, **keywords)

    return first


def _fill(made: type) -> Any:
    """The `__init__` of objects that may change."""
    return _filled(made, "self.NAME_{0} = {1}", {})


def _fill_frozen(made: type) -> Any:
    """The `__init__` of frozen objects."""
    slots = [getattr(made, x.name, None) for x in _fields(made)]
    setters = {
        f"SLOT_{k}": slot.__set__
        for k, slot in enumerate(slots)
        if isinstance(slot, MemberDescriptorType)
    }
    if len(setters) < len(slots):  # a class with a `__dict__`
        names = {f"WORD_{k}": each.name for k, each in enumerate(_fields(made))}
        return _filled(made, "SET(self, WORD_{0}, {1})", {"SET": _set, **names})
    return _filled(made, "SLOT_{0}(self, {1})", setters)


_set = object.__setattr__


def _filled(made: type, line: str, outer: dict[str, Any]) -> Any:
    """An `__init__` with a line for each parameter; outside names are in capitals.

    It is compiled once for all classes that have as many parameters of such kinds.
    """
    heads, named, lines = ["self"], ["*"], []
    defaults, words, names = [], {}, {}
    for k, each in enumerate(_fields(made)):
        default, value = each.default, f"FIELD_{k}"
        if each.default_factory is not MISSING:
            outer[f"MAKE_{k}"] = each.default_factory
            value = f"MAKE_{k}() if FIELD_{k} is MISSING else FIELD_{k}"
        if not each.init:
            continue
        names[f"FIELD_{k}"] = names[f"NAME_{k}"] = each.name
        (named if each.kw_only else heads).append(f"FIELD_{k}")
        if default is not MISSING or each.default_factory is not MISSING:
            if each.kw_only:
                words[each.name] = default
            else:
                defaults.append(default)
        lines.append(line.format(k, value))
    for k, (name, find) in enumerate(getattr(made, "__finders__", {}).items()):
        outer[f"FIND_{k}"], names[f"KEPT_{k}"] = find, name
        lines.append(f"self.KEPT_{k} = FIND_{k}(self)")
    if hasattr(made, "__post_init__"):
        lines.append("self.__post_init__()")
    heads += named if len(named) > 1 else ()
    code = _compiled(f"__init__({', '.join(heads)})", (*lines, "pass"))
    code = _renamed(code, names)
    globals_ = {"MISSING": MISSING, **outer}
    written = FunctionType(code, globals_, "__init__", tuple(defaults))
    written.__kwdefaults__ = words
    return written


@cache
def _compiled(head: str, lines: tuple[str, ...]) -> CodeType:
    code: CodeType = _written(head, lines, {}).__code__
    return code


def _renamed(code: CodeType, names: dict[str, str]) -> CodeType:
    """The code with other names of variables, globals and attributes."""
    return code.replace(
        co_varnames=tuple(names.get(name, name) for name in code.co_varnames),
        co_names=tuple(names.get(name, name) for name in code.co_names),
    )


def _compare(made: type) -> Any:
    """The `__eq__` of objects that are equal when their classes and fields are."""
    names = _compared(made)
    lines = (
        "if other.__class__ is not self.__class__:",
        "    return NotImplemented",
        f"return {_tuple('self', names)} == {_tuple('other', names)}",
    )
    code = _renamed(_compiled("__eq__(self, other)", lines), names)
    return FunctionType(code, {}, "__eq__")


def _hash(made: type) -> Any:
    names = _compared(made)
    lines = (f"return hash({_tuple('self', names)})",)
    code = _renamed(_compiled("__hash__(self)", lines), names)
    return FunctionType(code, {}, "__hash__")


def _compared(made: type) -> dict[str, str]:
    """The fields that are compared, by their names in the compiled code."""
    fields = (each.name for each in _fields(made) if each.compare)
    return {f"NAME_{k}": name for k, name in enumerate(fields)}


def _tuple(of: str, names: Iterable[str]) -> str:
    return f"({''.join(f'{of}.{name}, ' for name in names)})"


def _written(head: str, lines: Iterable[str], outer: dict[str, Any]) -> Any:
    """A function of such lines, which reads the names of `outer`."""
    names = {"MISSING": MISSING, **outer}
    exec(f"def {head}:\n" + "".join(f"    {line}\n" for line in lines), names)
    return names[head.partition("(")[0]]


_OFTEN = 8
"""The number of replacements until a function is written for them."""

_seen: dict[tuple[Any, ...], int] = {}
_copiers: dict[tuple[Any, ...], Callable[..., Any]] = {}


def replace(made: T, /, **changes: Any) -> T:
    """The object with other values in some of its fields, which are parameters.

    Fields that are replaced often get a function of their own, with all fields by
    place.
    """
    key = type(made), *changes
    copier = _copiers.get(key)
    if copier is not None:
        copied: T = copier(made, *changes.values())
        return copied
    _seen[key] = seen = _seen.get(key, 0) + 1
    names = [each.name for each in _fields(type(made)) if each.init]
    if seen >= _OFTEN and changes.keys() <= set(names):
        _copiers[key] = _copier(type(made), tuple(changes))
    return type(made)(**{n: getattr(made, n) for n in names} | changes)


def _copier(made: type, changed: tuple[str, ...]) -> Callable[..., Any]:
    """The function that replaces some fields of objects of a class."""
    given = {name: f"GIVEN_{k}" for k, name in enumerate(changed)}
    parts = []
    for each in sorted(_fields(made), key=lambda one: one.kw_only is True):
        if each.init:
            value = given.get(each.name, f"SELF.{each.name}")
            parts.append(f"{each.name}={value}" if each.kw_only else value)
    head = f"replaced({', '.join(('SELF', *given.values()))})"
    return cast(
        "Callable[..., Any]",
        _written(head, [f"return MADE({', '.join(parts)})"], {"MADE": made}),
    )


def _repr(self: Any) -> str:
    parts = (f"{x.name}={getattr(self, x.name)!r}" for x in fields(self) if x.repr)
    return f"{type(self).__qualname__}({', '.join(parts)})"


def _refuse(self: Any, name: str, *_: object) -> None:
    raise FrozenInstanceError(f"cannot change field {name!r}")


def _state(self: Any) -> list[object]:
    """The values that make a copy; a frozen object is not set field by field."""
    return [getattr(self, each.name) for each in fields(self)]


def _set_state(self: Any, state: list[object]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
    for name, find in self.__finders__.items():
        setattr(self, name, find(self))


def _fields(made: Any) -> tuple[Field[Any], ...]:
    """The fields of a class, in the order of the parameters.

    The standard library, which is asked where it knows them, takes ten times as long.
    """
    said = vars(made).get("__dataclass_fields__")
    if type(said) is not _Described:
        return fields(made) if is_dataclass(made) else ()
    if said.fields is None:
        found = {x.name: x for b in made.__mro__[-1:0:-1] for x in _fields(b)}
        for name in inspect.get_annotations(said.plain):
            default: Any = getattr(said.plain, name, MISSING)
            if isinstance(default, MemberDescriptorType):  # of a class before it
                default = MISSING
            own = default if isinstance(default, Field) else field(default=default)
            own.name, own.kw_only = name, own.kw_only is True
            found[name] = own
        said.fields = tuple(found.values())
    return said.fields
