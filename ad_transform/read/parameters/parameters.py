"""The parameters of a function: the kind, the default and the value of each."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from math import prod

import libcst as cst

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.ir.dims import Dim
from ad_transform.ir.nodes import LEAF, OPTIONAL, Container, Literal, Nest, Parameter
from ad_transform.ir.types import BOOL, FLOAT, INT, STR, Kind, Type
from ad_transform.later import later
from ad_transform.read.constants.constants import evaluated
from ad_transform.read.machine.item_names import name_items
from ad_transform.read.marks.annotations import Annotation, read_annotation
from ad_transform.read.marks.attach import shapes_of
from ad_transform.read.marks.dims import with_names
from ad_transform.read.parameters.optional_arrays import lengths_told, name_of, or_none
from ad_transform.read.parameters.signature import Written, written
from ad_transform.read.parameters.stated_shapes import stated_shapes
from ad_transform.read.parameters.structures import (
    Structure,
    Unfit,
    items_of_list,
    leaves_of,
    nest_of,
    structure_of,
    structure_of_class,
    unpacked_tuple,
    value_of,
)
from ad_transform.read.project.module import Module
from ad_transform.read.syntax.concrete import Concrete
from ad_transform.read.syntax.scopes import parameters_of
from ad_transform.read.values.classes import Class
from ad_transform.read.values.structured import Dict, Group, is_tuple
from ad_transform.read.values.values import Draft, Member, Special, Value

with later():
    from ad_transform.read.constants.definitions import definition_text
    from ad_transform.read.objects.makers import (
        class_of_object,
        makers_of,
        text_of_object,
    )
    from ad_transform.read.values.described import describe

Pair = tuple[Parameter, Value]
"""A parameter, and its value inside the function: a draft, or a tuple of them."""


_SPELL = "spell the parameters out"


class Parameters:
    """Reads signatures; `types` are those of the parameters, by function and name.

    The type is None for a parameter that is no number.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.types: dict[ast.FunctionDef, dict[str, Type | None]] = {}
        self.whole: Mapping[Span, Type | None] = {}
        self.owner: Class | None = None
        self.shapes: Mapping[str, Annotation] = {}
        self.found: list[Pair] = []  # those of the last function that can be read

    def of(
        self,
        node: ast.FunctionDef,
        definition: cst.FunctionDef,
        form: Concrete,
        passed: Mapping[str, Annotation],
        whole: Mapping[Span, Type | None] | None = None,
        owner: Class | None = None,
    ) -> list[Pair] | None:
        """The parameters with their values; None after a report (AD104, AD122).

        The `owner` is the class of a method. `passed` are the annotations that calls
        give to parameters without one. Small arrays of known shape are known element by
        element, unless their names stand at a place in `whole`, which then gives the
        shape of a whole array.
        """
        self.whole, self.owner = whole or {}, owner
        stated = stated_shapes(node, self.module.names)
        marked = shapes_of(node, self.module.source, self.module.names)
        self.shapes = {**stated, **marked}
        self.types[node] = {}
        pairs = [
            self._pair(node, one, form, passed)
            for one in written(definition.params, node.args)
        ]
        found = [pair for pair in pairs if pair is not None]
        name_items(node, {made.name: value for made, value in found})
        told = lengths_told(node, found, self.module)
        for sign, star in (("*", node.args.vararg), ("**", node.args.kwarg)):
            if star is not None:
                message = f"`{sign}{star.arg}` of a marked function is not supported"
                span = self.module.source.span(star)
                self.module.report.add("AD104", message, span, _SPELL)
        self.found = found
        complete = len(found) == sum(1 for _ in parameters_of(node.args))
        return found if complete and told else None

    def _pair(
        self,
        node: ast.FunctionDef,
        one: Written,
        form: Concrete,
        passed: Mapping[str, Annotation],
    ) -> Pair | None:
        name = one.arg.arg
        try:
            structure = self._structure(node, one)
            if structure is not None:
                return self._of_parts(node, structure, one, form)
        except Unfit as unfit:
            self.types[node][name] = None
            message = f"the parameter {name!r} {unfit}"
            span = name_of(one.arg, self.module.source)
            self.module.report.add("AD104", message, span, unfit.help)
            return None
        default = self._evaluated(one, form)
        if isinstance(default, Literal) and default in self.module.shared.members:
            of, _ = self.module.shared.members[default]
            return self._of_parts(node, structure_of_class(of), one, form)
        said = self._said(one, default, passed)
        self.types[node][name] = said.type
        is_bare = one.arg.annotation is None and name not in self.shapes
        if isinstance(default, Group) and is_bare:
            copied = self._text(one, form, default)
            value = _parts(default, name)
            if copied and value is not None:
                made = Parameter(name, (), nest_of(value), copied, one.passing)
                return made, value
        span = name_of(one.arg, self.module.source)
        if said.type is None and name in self.shapes:
            return None  # reported by `check_shapes`
        if said.type is None:
            help_ = _as_tuple(default, name) or said.help.format(f=node.name, x=name)
            message = f"the parameter {name!r} {said.refusal}"
            self.module.report.add("AD104", message, span, help_)
            return None
        text = self._default(one, said.type, form, default)
        if one.default is not None and text is None:
            return None
        if said.type.dims:
            pair = self._array(said.type, one, span, text)
            may_be_none = said.optional or default is Special.NONE
            return or_none(*pair) if may_be_none else pair
        made = Parameter(name, (), LEAF, text, one.passing, said.text)
        optional = said.optional or default is Special.NONE
        return made, Draft(said.type, span, name, 0, optional=optional)

    def _array(self, said: Type, one: Written, span: Span, default: str | None) -> Pair:
        """A parameter that is an array; a small one is known element by element."""
        name, type_ = one.arg.arg, with_names(said, one.arg.arg)
        if span not in self.whole and _is_small(type_):
            value = _elements(type_.kind, type_.dims, name, span)
            return Parameter(name, (), nest_of(value), default, one.passing), value
        wide = self.whole.get(span)
        if wide is not None and wide.shape:
            type_ = Type(type_.kind, (), type_.dims)
        shape = Nest(Container.ARRAY, (LEAF,))
        made = Parameter(name, (), shape, default, one.passing)
        return made, Draft(type_, span, name, 0)

    def _structure(self, node: ast.FunctionDef, one: Written) -> Structure | None:
        """The structure of a parameter with parts, else None; that of the first one of
        a method is its class.
        """
        of = self.owner
        if of is not None and one.arg is next(parameters_of(node.args)):
            return structure_of_class(of)
        taken = unpacked_tuple(node, one.arg, self.module)
        if taken is not None:
            return taken
        items = items_of_list(one.arg.annotation, self.module)
        if items is None:
            return structure_of(one.arg.annotation, self.module)
        said = self.shapes.get(one.arg.arg)
        dims = said.type.dims if said is not None and said.type is not None else ()
        if len(dims) != 1 or not isinstance(dims[0], int):
            name = one.arg.arg
            help_ = f"say how many there are above it: `# ad: shapes({name}=[3])`"
            raise Unfit("is a list of objects of unknown length", help_)
        parts = ((str(k), items, self.module) for k in range(1, dims[0] + 1))
        return Structure(Container.TUPLE, tuple(parts))

    def _of_parts(
        self, node: ast.FunctionDef, structure: Structure, one: Written, form: Concrete
    ) -> Pair | None:
        """A parameter that is known part by part."""
        name = one.arg.arg
        value = value_of(structure, name, self._part, self.shapes)
        leaves = list(leaves_of(value))
        real = any(leaf.type.is_real for leaf in leaves)
        self.types[node][name] = FLOAT if real else INT
        if one.default is None:
            return Parameter(name, (), nest_of(value), None, one.passing), value
        default = self._evaluated(one, form)
        text = self._text(one, form, default) if default is not None else ""
        if default is Special.REFUSED:
            return None
        of = None if default is None else class_of_object(default)
        members = self.module.shared.members
        if isinstance(default, Literal) and isinstance(value, Member):
            is_mixed = value.cases is not None and bool(value.cases.mixed)
            of = members.get(default, (value.cases if is_mixed else None, ""))[0]
        if default is not None and of is not None and of is structure.kind:
            shown = text_of_object(default, members)
            if shown is not None:
                makers = tuple(dict.fromkeys(makers_of(default, members)))
                ends = (nest_of(value), shown, one.passing, "", makers)
                return Parameter(name, (), *ends), value
        if not text or not isinstance(default, Group) or default.of is not None:
            message = f"the default of {name!r} cannot be copied to the output"
            span = self.module.source.span(one.default[1])
            help_ = "give it to the function when it is called"
            self.module.report.add("AD122", message, span, help_)
            return None
        return Parameter(name, (), nest_of(value), text, one.passing), value

    def _part(
        self, name: str, said: Annotation, span: Span, module: Module
    ) -> Value | None:
        """A number or array in a structured parameter."""
        assert said.type is not None
        if not said.type.dims:
            return Draft(said.type, None, name, 0, optional=said.optional)
        type_ = with_names(said.type, name)
        if span not in self.whole and _is_small(type_):
            return _elements(type_.kind, type_.dims, name, span)
        wide = self.whole.get(span)
        if wide is not None and wide.shape:
            type_ = Type(type_.kind, (), type_.dims)
        return Draft(type_, span, name, 0)

    def _said(
        self, one: Written, default: Value | None, passed: Mapping[str, Annotation]
    ) -> Annotation:
        """The annotation of a parameter, from a mark, else its text, else calls, else
        the default.
        """
        if one.arg.arg in self.shapes:
            return self.shapes[one.arg.arg]
        said = read_annotation(one.arg.annotation, self.module.names)
        if one.arg.annotation is not None:
            return said
        if one.arg.arg in passed:
            return passed[one.arg.arg]
        return said if default is None else _said_by(default)

    def _evaluated(self, one: Written, form: Concrete) -> Value | None:
        """The value of a default; None without a default."""
        if one.default is None:
            return None
        return evaluated(self.module, form, one.default)

    def _text(self, one: Written, form: Concrete, value: Value) -> str:
        """The text of a default; empty if it cannot be copied."""
        assert one.default is not None
        return definition_text(self.module, form, one.default[0], value)

    def _default(
        self, one: Written, type_: Type, form: Concrete, value: Value | None
    ) -> str | None:
        """The text of a default; None without a default, or after a report."""
        if one.default is None or value is None or value is Special.REFUSED:
            return None
        tree = one.default[1]
        name, span = one.arg.arg, self.module.source.span(tree)
        if value is Special.NONE:
            return "None"
        if not isinstance(value, Literal | Draft):
            message = f"the default of {name!r} is {describe(value)}"
            help_ = "give it a number"
            if type_.is_array:
                made = f"if {name} is None: {name} = np.array([...])"
                help_ = f"give it None, and write `{made}`"
            elif isinstance(value, Dict) and isinstance(tree, ast.Name):
                made = f"{name} = {tree.id}"
                help_ = f"take the parameter away, and write `{made}` in the function"
            self.module.report.add("AD104", message, span, help_)
            return None
        if value.type in (STR, BOOL) and type_ in (FLOAT, INT) and value.type != type_:
            kind = value.type.kind.value
            message = f"{name!r} is a number, its default is {describe(value)}"
            self.module.report.add(
                "AD104", message, span, f"annotate it: `{name}: {kind}`"
            )
            return None
        text = self._text(one, form, value)
        if not text:
            message = f"the default of {name!r} cannot be copied to the output"
            self.module.report.add("AD122", message, span, "give it a name: `K = ...`")
            return None
        return text


def as_called(pair: Pair) -> Parameter:
    """A parameter as the output shows it, after all comparisons with None are known."""
    parameter, value = pair
    if not isinstance(value, Draft) or not value.optional:
        return parameter
    if not value.asked and parameter.default != "None":
        return parameter
    kind = parameter.annotation or value.type.kind.value
    return replace(parameter, annotation=OPTIONAL + kind)


def _said_by(default: Value) -> Annotation:
    """The annotation that a default gives: its type if int, bool or str, else float; a
    tuple is refused.
    """
    if isinstance(default, Group):
        return Annotation(None, "", "is a tuple or list", _TUPLES)
    if isinstance(default, Literal | Draft) and default.type in _TYPES:
        return Annotation(default.type, default.type.kind.value)
    return Annotation(FLOAT)


def typed(types: AbstractSet[Type]) -> Annotation:
    """The annotation that covers values of some types."""
    if len(types) == 1:
        (type_,) = types
        return Annotation(type_, type_.kind.value)
    return Annotation(FLOAT)


_TYPES = (INT, BOOL, STR)
_TUPLES = "give it a tuple of numbers, or annotate it: `tuple[float, float]`"


def _as_tuple(default: Value | None, name: str) -> str:
    """Advice on the annotation of a parameter with a tuple of numbers as default; or
    nothing.
    """
    if not isinstance(default, Group) or default.of is not None or not default.items:
        return ""
    if not all(isinstance(item, Draft | Literal) for item in default.items):
        return ""
    types = ", ".join(str(item.type) for item in default.items)  # type: ignore[union-attr]
    if default.container is Container.TUPLE:
        return f"say how many: `{name}: tuple[{types}]`, or leave the annotation out"
    return f"let it be a tuple: `{name}: tuple[{types}] = (...)`"


def _parts(default: Value, name: str) -> Value | None:
    """The value of a parameter with a tuple as default; None for other items."""
    if isinstance(default, Literal | Draft):
        return Draft(default.type, None, name, 0)
    if not is_tuple(default):
        return None
    items = [_parts(v, f"{name}_{k}") for k, v in enumerate(default.items, 1)]
    fit = tuple(item for item in items if item is not None)
    return Group(Container.TUPLE, fit) if fit and len(fit) == len(items) else None


_SMALL = 16
"""An array of known shape with at most so many elements is known one by one."""


def _is_small(type_: Type) -> bool:
    sizes = [dim for dim in type_.dims if isinstance(dim, int) and dim]
    if len(sizes) < len(type_.dims) or not type_.is_real:
        return False
    return prod(sizes) <= _SMALL


def _elements(kind: Kind, dims: Sequence[Dim], name: str, span: Span) -> Value:
    """The elements of an array: x_0, x_1, ... or A_0_0, A_0_1, ..."""
    if not dims:
        return Draft(Type(kind), None, name, 0)
    count, *inner = dims
    assert isinstance(count, int)
    items = (_elements(kind, inner, f"{name}_{k}", span) for k in range(count))
    return Group(Container.ARRAY, tuple(items), span)
