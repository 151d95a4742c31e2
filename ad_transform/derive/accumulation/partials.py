"""Local partials of operations: templates of rows, formed when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Apply, Literal, Operand, Var, node
from ad_transform.ir.template import (
    Call,
    Env,
    Name,
    Number,
    Select,
    Template,
    Workshop,
    instantiate,
    parse_template,
)
from ad_transform.ir.types import INT


@node
class Partial:
    """A local partial: the template of a row, with its names bound. It is the label of
    an edge until elimination forms it.
    """

    template: Template
    env: Env


def partials_of(op: Elemental, args: Sequence[Operand]) -> tuple[str, ...]:
    """The partials of a row, for numbers or for whole arrays."""
    if op.on_arrays and any(arg.type.shape for arg in args):
        return op.on_arrays
    last = args[-1]
    if op.on_wholes and isinstance(last, Var) and last.type == INT:
        return op.on_wholes
    return op.partials


def template_of(
    op: Elemental, args: tuple[Operand, ...], templates: tuple[str, ...], k: int
) -> Template | None:
    """The template of argument k, None where the derivative is 0 whatever the values
    are: by the row, or by the numbers among the arguments, as of `1.0 ** x`.
    """
    template = _by_place(templates, op.parameters, len(args))[k]
    if template is None or Literal not in map(type, args) or op.variadic:
        return template
    return None if constant_of(template, op.bind(args)) == 0 else template


@cache
def _by_place(
    texts: tuple[str, ...], parameters: tuple[str, ...], count: int
) -> tuple[Template | None, ...]:
    """The templates of so many arguments, None where the derivative vanishes."""
    starred = sum(p.startswith("*") for p in parameters)
    plain = len(parameters) - starred
    places = list(range(plain))
    if starred:
        each = (count - plain) // starred
        places += (plain + (k - plain) // each for k in range(plain, count))
    found = [parse_template(texts[place]) for place in places[:count]]
    return tuple(None if _vanishes(template) else template for template in found)


def own_env(
    op: Elemental, args: tuple[Operand, ...], env: dict[str, Any], k: int
) -> dict[str, Any]:
    """The names of a variadic row at argument k: a starred parameter is the element at
    its place, and with its star all elements.
    """
    starred = [p[1:] for p in op.parameters if p.startswith("*")]
    plain = len(op.parameters) - len(starred)
    each = (len(args) - plain) // len(starred)
    place = (k - plain) % each if k >= plain else 0
    own = {name: args[plain + i * each + place] for i, name in enumerate(starred)}
    whole = {f"*{name}": env[name] for name in starred}
    return {**env, **whole, **own}


def _vanishes(template: Template) -> bool:
    return isinstance(template, Number) and template.literal.value == 0


def places_of(statement: Apply, name: str) -> tuple[int, ...]:
    """The places of the arguments of a parameter."""
    places: Any = statement.op.bind(tuple(range(len(statement.args))))[name]
    return places if isinstance(places, tuple) else (places,)


def transmits(statement: Apply, k: int) -> bool:
    """Whether the value depends smoothly on argument k: `floor(x)` does not on x."""
    op, args = statement.op, statement.args
    if op.layout is not None:
        return any(k in places_of(statement, name) for name in op.layout.linear_in)
    return template_of(op, args, op.partials, k) is not None


def partial_of(workshop: Workshop, statement: Apply, k: int) -> Operand:
    """The partial by argument k."""
    op, args = statement.op, statement.args
    template = _by_place(partials_of(op, args), op.parameters, len(args))[k]
    assert template is not None
    env: dict[str, Any] = {**op.bind(args), "v": statement.out}
    own = own_env(op, args, env, k) if op.variadic else env
    return instantiate(template, own, workshop)


def constant_of(template: Template, env: Mapping[str, Any]) -> float | None:
    """The value of a template whose names are literals, as far as it is plain or known
    by an exact identity: log(1) is 0, and so is 0 times anything.
    """
    match template:
        case Number(literal):
            return float(literal.value)
        case Name(name):
            value = env.get(name)
            return float(value.value) if isinstance(value, Literal) else None
        case Call(op, args) if op in _PLAIN:
            return _PLAIN[op](*(constant_of(arg, env) for arg in args))
        case Select(_, then, orelse):
            either = {constant_of(then, env), constant_of(orelse, env)}
            return either.pop() if len(either) == 1 else None
    return None


def _product(x: float | None, y: float | None) -> float | None:
    if x == 0 or y == 0:
        return 0.0
    return None if x is None or y is None else x * y


# fmt: off
_PLAIN: dict[str, Callable[..., float | None]] = {
    "neg": lambda x: None if x is None else -x,
    "mul": _product,
    "div": lambda x, y: None if x is None or not y else x / y,
    "log": lambda x: 0.0 if x == 1 else None,
}
# fmt: on
