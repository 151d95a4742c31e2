"""The interface of a function in a compiled language: parameters and results.

Numbers come one by one, groups of numbers as arrays, one row behind the other. The
lengths of an array of run-time length come behind it, each once. If the value of a
function is one number, the call returns it; everything else is stored where the caller
says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass, replace
from ad_transform.emit.wholes.flattening import LENGTH
from ad_transform.ir.dims import ANY, Dim, Dims, names
from ad_transform.ir.nodes import (
    LEAF,
    Container,
    Function,
    Nest,
    Operand,
    Parameter,
    Passing,
    Var,
    group,
)
from ad_transform.ir.types import Kind
from ad_transform.ir.unlike import claimed

if TYPE_CHECKING:
    from ad_transform.derive.kinds.kinds import Derived


@dataclass(frozen=True, slots=True)
class Input:
    """A parameter: one value, or an array of values, or one whole array of `dims`.

    `vars` are its values in order, `shape` is that of an array of known shape;
    `is_length` says that it is a length of an array.
    """

    name: str
    kind: Kind
    vars: tuple[Var, ...] = ()
    shape: tuple[int, ...] = ()
    dims: tuple[Dim, ...] = ()
    is_length: bool = False

    @property
    def is_array(self) -> bool:
        """Whether it is an array of known shape."""
        return bool(self.shape)


@dataclass(frozen=True, slots=True)
class Output:
    """A place for results: `places` are their numbers among the function's results.

    A whole array has `dims`, as those of its value, one of known shape a `shape`; a
    number has neither. Where only the run knows a length, its dim is `ANY`: `lengths`
    are the names of such lengths, `told` the results that give them, if the list does
    not.
    """

    name: str
    kind: Kind
    places: range
    shape: tuple[int, ...] = ()
    dims: tuple[Dim, ...] = ()
    lengths: tuple[str, ...] = ()
    told: tuple[int, ...] = ()

    @property
    def is_array(self) -> bool:
        """Whether it is an array of known shape."""
        return bool(self.shape)

    @property
    def is_open(self) -> bool:
        """Whether only the run knows its size."""
        return ANY in self.dims


@dataclass(frozen=True, slots=True)
class Interface:
    """The interface of a function: `value` is the call's result, None for nothing.

    `lengths` are the names of lengths by the names that dims have for them.
    """

    inputs: tuple[Input, ...]
    value: Output | None
    outputs: tuple[Output, ...]
    lengths: Mapping[str, str]


# The names of the parts of a result, by kind or model: the value and the rest.
# fmt: off
_WORDS: Mapping[str, tuple[str, ...]] = {
    "gradient":  ("grad",),
    "jacobian":  ("jac",),
    "hessian":   ("grad", "hess"),
    "hvp":       ("grad", "product"),
    "jvp":       ("tangent",),
    "vjp":       ("adjoint",),
    "linear":    ("bound", "rms"),
    "actual":    ("err", "unc"),
    "enclosure": ("low", "high"),
    "iri":       ("estimate",),
    "taylor":    ("coefficients",),
    "sparse":    ("rows", "cols", "values"),
}
# fmt: on


_BY_INDEPENDENTS = frozenset({"grad", "jac", "hess", "product", "adjoint"})
"""Parts that have parts by the independents of the derivative; others have parts by the
results of the function.
"""


def words_of(derived: Derived) -> tuple[str, ...]:
    """The names of the parts of a derived function's result."""
    if derived.shape is not None:
        return _WORDS["sparse"]
    words = _WORDS.get(derived.model or derived.kind, ())
    if derived.kind in ("hessian", "hvp") and not derived.value:
        return words[1:]
    has_value = derived.value or derived.kind in ("jvp", "vjp", "error")
    return ("value", *words) if has_value else words


def interface_of(
    function: Function, words: Sequence[str], names_of: Sequence[str], taken: set[str]
) -> Interface:
    """The interface of a function.

    `words` are the names of the parts of its result, `names_of` the parameters that the
    parts of a derivative belong to; no name is among those `taken`.
    """
    made = _Making(function, taken, len(words) > 1 and words[0] == "value")
    inputs = tuple(made.inputs())
    parts = [made.opened(part) for part in made.parts(words, names_of)]
    value = None
    first = parts[0] if parts else None
    if first is not None and not first.is_array and not first.dims:
        single = function.nest.is_leaf
        if single or function.primal == 1:
            value = first
            del parts[0]
    outputs = tuple(made.named(part) for part in parts)
    return Interface(inputs, value, outputs, made.lengths)


class _Making:
    def __init__(self, function: Function, taken: set[str], has_value: bool) -> None:
        self.function = function
        nest = function.nest
        self.value = nest.items[0] if has_value and nest.items else None
        self.nests = {p.name: p.nest for p in function.parameters}
        self.taken = taken | {p.name for p in function.parameters if is_given(p)}
        self.lengths: dict[str, str] = {}
        self.more = count(function.nest.leaves())
        self.told = {
            p.annotation.removeprefix(LENGTH): p.vars
            for p in function.parameters
            if p.annotation.startswith(LENGTH)
        }

    def claim(self, wish: str) -> str:
        """A free name."""
        return claimed(wish, self.taken)

    # --- what is given ----------------------------------------------------------------

    def inputs(self) -> Iterator[Input]:
        """The parameters in order, lengths behind the first arrays that tell them."""
        for parameter in self.function.parameters:
            if is_given(parameter):
                yield from self._given(parameter)

    def _given(self, parameter: Parameter) -> Iterator[Input]:
        whole = parameter.nest.is_leaf or _is_even(parameter.nest, parameter.vars)
        if whole or holds_list(parameter.nest, parameter.vars):
            name = parameter.name
            yield from self._part(name, parameter.nest, parameter.vars)
            return
        like = self._like(parameter.name)
        yield from self._taken_apart(
            parameter.name, parameter.nest, parameter.vars, like
        )

    def _like(self, name: str) -> Nest | None:
        """The nest that names the parts of a parameter; a seed takes that of its primal
        value.
        """
        stem, _, suffix = name.rpartition("_")
        return {"dot": self.nests.get(stem), "bar": self.value}.get(suffix)

    def _taken_apart(
        self, name: str, nest: Nest, values: Sequence[Var], like: Nest | None
    ) -> Iterator[Input]:
        place = 0
        for item, key, inner in _keyed(nest, like):
            own = values[place : place + item.leaves()]
            place += item.leaves()
            called = f"{name}_{_word(key)}"
            plain = item.is_leaf or _is_even(item, own) or holds_list(item, own)
            if plain:
                yield from self._part(self.claim(called), item, own, called)
            else:
                yield from self._taken_apart(called, item, own, inner)

    def _part(
        self, name: str, nest: Nest, values: Sequence[Var], wish: str = ""
    ) -> Iterator[Input]:
        """A parameter under a name: the name that it wishes if that is free."""
        if not values:
            return
        kind = values[0].type.kind
        if nest.is_leaf:
            yield Input(name, kind, tuple(values))
        elif holds_list(nest, values):
            dims = dims_of(values[0])
            yield Input(name, kind, tuple(values), dims=dims)
            yield from self._lengths(name, dims, wish or name)
        else:
            yield Input(name, kind, tuple(values), _shape(nest))

    def _lengths(self, array: str, dims: Sequence[Dim], called: str) -> Iterator[Input]:
        for k, dim in enumerate(dims):
            for name in names(dim) if dim != ANY else (f"{array}.{k}",):
                if name not in self.lengths:
                    wish = name if name.isidentifier() else f"{array}_n{k}"
                    self.lengths[name] = self.claim(wish)
                    told = f"{called}.{k}" if dim == ANY else name
                    own = self.told.get(told, ())
                    yield Input(self.lengths[name], Kind.INT, own, is_length=True)

    # --- what is given back -----------------------------------------------------------

    def parts(self, words: Sequence[str], names_of: Sequence[str]) -> Iterator[Output]:
        """The parts of the result that have a place of their own."""
        nest, results = self.function.nest, self.function.results
        whole = nest.is_leaf or len(words) == 1
        items = (nest,) if whole else nest.items
        if not whole and not words and _is_even(nest, results):
            items = (nest,)
        place = 0
        for k, item in enumerate(items):
            own = results[place : place + item.leaves()]
            word = words[k] if k < len(words) else self._word(own, k, len(items))
            taken_by = word in _BY_INDEPENDENTS
            like = self._independents(names_of) if taken_by else self.value
            yield from _outputs(word, item, own, place, like)
            place += len(own)

    def _independents(self, names_of: Sequence[str]) -> Nest:
        """The independents of a derivative as a nest with names; one alone is its own
        nest.
        """
        items = tuple(self.nests.get(name, LEAF) for name in names_of)
        if len(items) == 1:
            return items[0]
        return Nest(Container.OBJECT, items, tuple(names_of))

    def _word(self, own: Sequence[Operand], k: int, parts: int) -> str:
        """The name of a part without a word: that of its value, if it is one."""
        if len(own) == 1 and isinstance(own[0], Var) and own[0].hint:
            return own[0].hint
        return f"result_{k + 1}" if parts > 1 else "result"

    def opened(self, output: Output) -> Output:
        """The output with its lengths. The lengths of a matrix that is one list are
        more results, behind those that have a place.
        """
        dims = tuple(n if self._tells(n) else ANY for n in output.dims)
        told: tuple[int, ...] = ()
        first = self.function.results[output.places.start] if dims else None
        if first is not None and len(first.type.dims) < len(dims):
            told = tuple(next(self.more) for _ in range(dims.count(ANY)))
        return replace(output, dims=dims, told=told)

    def _tells(self, dim: Dim) -> bool:
        return dim != ANY and self.lengths.keys() >= {*names(dim)}

    def named(self, output: Output) -> Output:
        """The output under a free name, and its lengths."""
        name = self.claim(output.name)
        places = (k for k, dim in enumerate(output.dims) if dim == ANY)
        lengths = tuple(self.claim(f"{name}_n{k}") for k in places)
        return replace(output, name=name, lengths=lengths)


def _outputs(
    word: str, nest: Nest, results: Sequence[Operand], place: int, like: Nest | None
) -> Iterator[Output]:
    """The outputs of a result, part by part where arrays of run-time length or objects
    are among the parts; the names are those of `like`.
    """
    if not results:
        return
    kinds = {r.type.kind for r in results}
    kind = results[0].type.kind if len(kinds) == 1 else Kind.FLOAT
    places = range(place, place + len(results))
    if nest.is_leaf or holds_list(nest, results):
        yield Output(word, kind, places, (), dims_of(results[0]))
        return
    if _has_no_object(nest) and not any(map(dims_of, results)):
        yield Output(word, kind, places, _shape(nest))
        return
    for item, key, inner in _keyed(nest, like):
        own = results[place - places.start :][: item.leaves()]
        yield from _outputs(f"{word}_{_word(key)}", item, own, place, inner)
        place += len(own)


def _keyed(nest: Nest, like: Nest | None) -> Iterator[tuple[Nest, str, Nest | None]]:
    """The items of a nest, each with its name and the nest that names its own items.
    Names are those of `like`, if it has as many items; else items are counted.
    """
    items = like.items if like is not None else ()
    is_like = len(items) == len(nest.items)
    names = (like.names if like is not None and is_like else ()) or nest.names
    for k, item in enumerate(nest.items):
        yield item, names[k] if names else str(k + 1), items[k] if is_like else None


def _shape(nest: Nest) -> tuple[int, ...]:
    """The shape of a nest; one without rows of one length is a vector."""
    if nest.is_leaf:
        return ()
    inner = {_shape(item) for item in nest.items}
    return (len(nest.items), *inner.pop()) if len(inner) == 1 else (nest.leaves(),)


ARRAY = group((LEAF,), Container.ARRAY)
"""The nest of an array of run-time length."""


def holds_list(nest: Nest, values: Sequence[Operand]) -> bool:
    """Whether it is one array of run-time length."""
    return nest.items == (LEAF,) and bool(values and dims_of(values[0]))


def dims_of(value: Operand) -> Dims:
    """The dims of an array on the caller's side. Here a whole array of any rank is one
    list.
    """
    return value.type.shape or value.type.dims


def product(sizes: Sequence[str]) -> str:
    """The number of elements of an array, by its lengths as texts."""
    if len(sizes) == 1:
        return sizes[0]
    return " * ".join(
        s if s.isidentifier() or s.isdecimal() else f"({s})" for s in sizes
    )


def is_given(parameter: Parameter) -> bool:
    """Whether it is a parameter of the text, and no length of another."""
    is_length = parameter.annotation.startswith(LENGTH)
    return parameter.passing is not Passing.MODULE and not is_length


def _is_even(nest: Nest, values: Sequence[Operand]) -> bool:
    """Whether its leaves are numbers of one kind, and no object."""
    if nest.container in (Container.OBJECT, Container.DICT) or nest.is_leaf:
        return nest.is_leaf
    kinds = {v.type.kind for v in values}
    plain = not any(v.type.is_array for v in values)
    return len(kinds) == 1 and plain and _has_no_object(nest)


def _has_no_object(nest: Nest) -> bool:
    return nest.container not in (Container.OBJECT, Container.DICT) and all(
        map(_has_no_object, nest.items)
    )


def _word(key: str) -> str:
    """A key as part of a name."""
    return re.sub(r"\W", "_", key.strip("'\""))
