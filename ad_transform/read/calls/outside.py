"""Functions that are not looked into: `# ad: external` above them, or a rule for them.

The output imports such a function from its file and calls it. Its derivatives are
functions of that file, too: those that rules name, else `f_jac`, `f_jvp` and `f_vjp`;
theirs are found in the same way, so that second derivatives exist where `f_jac_jac`
does (CONTRACT.md, rule 17).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.dims import names
from ad_transform.ir.nodes import (
    LEAF,
    Block,
    Container,
    Function,
    Literal,
    Nest,
    Outside,
    Parameter,
    Passing,
    Var,
    group,
)
from ad_transform.ir.types import BOOL, FLOAT, INT, Type
from ad_transform.read.arrays.blocks import MOST
from ad_transform.read.code import Code, Formal
from ad_transform.read.marks.annotations import NUMBERS_ONLY, read_annotation
from ad_transform.read.marks.attach import name_span, shapes_of
from ad_transform.read.marks.function_marks import About
from ad_transform.read.project.module import Module
from ad_transform.read.project.whereabouts import packages_around
from ad_transform.read.syntax.names import Bound
from ad_transform.read.values.callables import Closure, External
from ad_transform.read.values.values import Special, Value


@dataclass(frozen=True, slots=True)
class Taken:
    """A parameter of a function: a number, an array, or a tuple of them."""

    name: str
    type: Type = FLOAT
    nest: Nest = LEAF


@dataclass(frozen=True, slots=True)
class _Signature:
    """The parameters and the result of a function; `arrays` are the types of results
    where one of these is an array of run-time shape.
    """

    takes: tuple[Taken, ...]
    gives: Nest
    arrays: tuple[Type, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether arrays of run-time shape go in or come out."""
        return any(t.shape for t in (*self.arrays, *(one.type for one in self.takes)))

    @property
    def real(self) -> tuple[Taken, ...]:
        """The parameters that carry a derivative."""
        return tuple(one for one in self.takes if one.type.is_real)

    def shown(self, name: str) -> str:
        return f"{name}({', '.join(one.name for one in self.takes)})"


# --- derivatives --------------------------------------------------------------------


def _per_parameter(signature: _Signature, nests: Sequence[Nest]) -> Nest:
    return nests[0] if len(nests) == 1 else group(tuple(nests))


def _jac(name: str, of: _Signature) -> _Signature:
    """The Jacobian by each parameter: of an array its shape, then the parameter's."""
    each = [_for_every_leaf(of.gives, one.nest) for one in of.real]
    return _Signature(of.takes, _per_parameter(of, each))


def _jvp(name: str, of: _Signature) -> _Signature:
    """The tangent, from the parameters and then their tangents."""
    seeds = (replace(one, name=f"{one.name}_dot") for one in of.real)
    return _Signature((*of.takes, *seeds), of.gives, of.arrays)


def _vjp(name: str, of: _Signature) -> _Signature:
    """The adjoints, from the parameters, the value, and its adjoint."""
    type_ = of.arrays[0] if len(of.arrays) == 1 else FLOAT
    more = (Taken(each, type_, of.gives) for each in ("value", f"{name}_bar"))
    adjoints = _per_parameter(of, [one.nest for one in of.real])
    types = (one.type for one in of.real for _ in range(one.nest.leaves()))
    arrays = tuple(types) if of.is_whole else ()
    return _Signature((*of.takes, *more), adjoints, arrays)


WAYS: Mapping[str, Callable[[str, _Signature], _Signature]] = {
    "jac": _jac,
    "jvp": _jvp,
    "vjp": _vjp,
}
"""The signature of a function that gives a derivative, by the kind of it."""


def _for_every_leaf(nest: Nest, inner: Nest) -> Nest:
    if nest.is_leaf:
        return inner
    items = tuple(_for_every_leaf(item, inner) for item in nest.items)
    return Nest(nest.container, items)


# --- a function and its derivatives -------------------------------------------------


class _Family:
    """The functions of a module that belong to one that is not looked into."""

    def __init__(self, module: Module, about: About) -> None:
        self.module = module
        self.about = about
        self.made: dict[tuple[str, _Signature], Function] = {}

    def function(self, name: str, signature: _Signature) -> Function:
        """A function, once its derivatives are made; some are their own derivatives."""
        key = name, signature
        called = self._called(name, signature)
        found = {
            way: (self.about.rules.get((name, way), f"{name}_{way}"), make)
            for way, make in WAYS.items()
        }
        wanted = tuple(
            make(name, signature).shown(n)
            for way, (n, make) in found.items()
            if not (way == "jac" and signature.is_whole)
        )
        self.made[key] = _stub(called, self._outside(name, wanted), signature)
        ways: list[tuple[str, str]] = []
        if signature.is_whole:
            del found["jac"]  # derivatives of arrays are products with vectors
        for way, (other, make) in found.items() if signature.real else ():
            own = make(name, signature)
            if self._is_there(other, own):
                if (other, own) not in self.made:
                    self.function(other, own)
                ways.append((way, self.made[other, own].name))
        made = self.made[key]
        assert made.outside is not None
        self.made[key] = replace(made, outside=replace(made.outside, ways=tuple(ways)))
        return self.made[key]

    def _called(self, name: str, signature: _Signature) -> str:
        called = self.module.called(name)
        if is_plain([one.nest for one in signature.takes], signature.gives):
            return called
        wish = f"_{called.lstrip('_')}"
        return self.module.shared.private(wish, (self.module.path, name, signature))

    def _outside(self, name: str, wanted: tuple[str, ...]) -> Outside:
        packages = packages_around(self.module.elsewhere.whereabouts, self.module.path)
        called, path = self.module.called(name), self.module.source.path
        return Outside(name, called, path, packages, wanted=wanted)

    def _is_there(self, name: str, signature: _Signature) -> bool:
        """Whether the module has such a function; AD106 where its parameters are
        others.
        """
        found = self.module.names.at_runtime(name)
        if len(found) != 1 or found[0].conditional:
            return False
        node = found[0].node
        if found[0].bound is Bound.FUNCTION and isinstance(node, ast.FunctionDef):
            self._check(name, node, signature)
        return found[0].bound in (Bound.FUNCTION, Bound.IMPORT)

    def _check(self, name: str, node: ast.FunctionDef, signature: _Signature) -> None:
        given, args = len(signature.takes), node.args
        places = len(args.posonlyargs) + len(args.args)
        least = places - len(args.defaults)
        fits = args.vararg is not None or least <= given <= places
        if not fits or any(default is None for default in args.kw_defaults):
            message = f"{name!r} cannot be called as {signature.shown(name)!r}"
            help_ = f"define it as `def {signature.shown(name)}`"
            span = name_span(node, self.module.source)
            self.module.report.add("AD106", message, span, help_)


def is_plain(takes: Sequence[Nest], gives: Nest) -> bool:
    """Whether numbers go in, and one number or a tuple of them comes out."""
    is_flat = gives.container is not Container.ARRAY and all(
        item.is_leaf for item in gives.items
    )
    return is_flat and all(nest.is_leaf for nest in takes)


def _stub(name: str, outside: Outside, signature: _Signature) -> Function:
    """The function as the IR has it: no more than its signature."""
    parameters = tuple(
        Parameter(
            one.name,
            tuple(Var(one.type, one.name) for _ in range(one.nest.leaves())),
            one.nest,
            annotation=_kind_of(one),
        )
        for one in signature.takes
    )
    values = tuple(v for p in parameters for v in p.vars)
    types = signature.arrays or (FLOAT,) * signature.gives.leaves()
    results = tuple(Var(type_, outside.name) for type_ in types)
    block, size = Block(values, (), results), len(results)
    return Function(name, parameters, block, signature.gives, size, outside=outside)


def _kind_of(one: Taken) -> str:
    return one.type.kind.value if one.nest.is_leaf and not one.type.shape else ""


def external(module: Module, node: ast.FunctionDef, about: About) -> Value:
    """A function that is not looked into; refused with AD104, AD105 or AD106."""
    takes, defaults, formals = [], dict[str, Value](), []
    for one in _written(node):
        made = _taken(module, node, one.arg)
        if made is None or not one.may_be_given:
            if made is not None:
                message = f"the parameter {one.arg.arg!r} is not given by position"
                help_ = "give a function that is not looked into plain parameters"
                module.report.add("AD104", message, module.source.span(one.arg), help_)
            return Special.REFUSED
        takes.append(made)
        formals.append(Formal(made.name, one.passing, module.source.span(one.arg)))
        if one.default is not None:
            defaults[made.name] = one.default
    gives = _given(module, node, about)
    if gives is None:
        return Special.REFUSED
    span = name_span(node, module.source)
    code = Code(node.name, tuple(formals), (), span)
    family = _Family(module, about)
    nest, type_ = gives
    named = {name for one in takes for dim in one.type.shape for name in names(dim)}
    if not named.issuperset(name for dim in type_.shape for name in names(dim)):
        _refuse_shape(module, node)
        return Special.REFUSED
    whole = any(t.shape for t in (type_, *(one.type for one in takes)))
    signature = _Signature(
        tuple(takes), nest, (type_,) * nest.leaves() if whole else ()
    )
    stub = family.function(node.name, signature)
    module.shared.outside |= {f.name: f for f in family.made.values()}
    return External(Closure(code, None, defaults), stub)


@dataclass(frozen=True, slots=True)
class _Written:
    arg: ast.arg
    passing: Passing
    default: Literal | None
    may_be_given: bool = True


def _written(node: ast.FunctionDef) -> Iterator[_Written]:
    args = node.args
    places = [(a, Passing.POSITIONAL_ONLY) for a in args.posonlyargs]
    places += [(a, Passing.ANY) for a in args.args]
    defaults = [None] * (len(places) - len(args.defaults)) + [*args.defaults]
    for (arg, passing), default in zip(places, defaults, strict=True):
        yield _Written(arg, passing, _number(default))
    for other in (args.vararg, *args.kwonlyargs, args.kwarg):
        if other is not None:
            yield _Written(other, Passing.KEYWORD_ONLY, None, may_be_given=False)


def _number(node: ast.expr | None) -> Literal | None:
    """A default that a call can give: a number that is written out."""
    try:
        value = None if node is None else ast.literal_eval(node)
    except ValueError:
        return None
    return Literal(value) if isinstance(value, int | float) else None


def _taken(module: Module, node: ast.FunctionDef, arg: ast.arg) -> Taken | None:
    shapes = shapes_of(node, module.source, module.names)
    said = shapes.get(arg.arg) or read_annotation(arg.annotation, module.names)
    wrong, help_ = said.refusal, said.help.format(f=node.name, x=arg.arg)
    if said.help == NUMBERS_ONLY:
        help_ = "annotate it `float`, and give it the fields of objects one by one"
    if said.type is not None:
        sizes = [n for n in said.type.dims if isinstance(n, int)]
        if len(sizes) < len(said.type.dims):
            if len(said.type.dims) <= MOST and said.type.is_real:
                return Taken(arg.arg, Type(said.type.kind, (), said.type.dims))
            wrong, help_ = "is no vector or matrix of floats", 'write `x: "Vector[n]"`'
        elif sizes or said.type in (FLOAT, INT, BOOL):
            return Taken(arg.arg, Type(said.type.kind), nest_of(sizes))
        else:
            wrong, help_ = (
                "is a text",
                "give a function that is not looked into numbers",
            )
    message = f"the parameter {arg.arg!r} {wrong}"
    module.report.add("AD104", message, module.source.span(arg), help_)
    return None


def _given(
    module: Module, node: ast.FunctionDef, about: About
) -> tuple[Nest, Type] | None:
    """The result of a function by its mark, else by its annotation; else one number.
    The type is that of an array of run-time shape.
    """
    shape = about.shapes.get(node.name)
    if shape is not None:
        return nest_of(shape), FLOAT
    said = read_annotation(node.returns, module.names)
    sizes = [n for n in said.type.dims if isinstance(n, int)] if said.type else []
    if said.type is not None and len(sizes) < len(said.type.dims) <= MOST:
        return LEAF, Type(FLOAT.kind, (), said.type.dims)
    if said.type is None or len(sizes) < len(said.type.dims):
        _refuse_shape(module, node)
        return None
    return nest_of(sizes), FLOAT


def _refuse_shape(module: Module, node: ast.FunctionDef) -> None:
    message = f"nobody knows the shape of what {node.name!r} returns"
    help_ = "write it into the mark: `# ad: external(shape=[2, 5])`"
    module.report.add("AD105", message, name_span(node, module.source), help_)


def nest_of(sizes: Sequence[int]) -> Nest:
    """An array of some shape; a number for none."""
    if not sizes:
        return LEAF
    return group((nest_of(sizes[1:]),) * sizes[0], Container.ARRAY)
