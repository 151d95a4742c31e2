"""Functions of the IR made by hand, and their text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ad_transform.elementals import TABLE
from ad_transform.emit.python.function import printed
from ad_transform.emit.python.module import print_module
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Container,
    Function,
    Literal,
    Nest,
    Operand,
    Origin,
    Parameter,
    Statement,
    Var,
)
from ad_transform.ir.types import FLOAT
from ad_transform.ir.typing import result_type


def values(names: str) -> tuple[Var, ...]:
    return tuple(Var(FLOAT, name, None, True) for name in names.split())


RESULTS = (Container.TUPLE, Container.LIST, Container.ARRAY, Container.DICT)
"""What results are held in."""


def held_in(items: tuple[Nest, ...], container: Container) -> Nest:
    """A nest in a container of results; the keys of a dict are texts."""
    keys = tuple(repr(f"k{k}") for k in range(len(items)))
    return Nest(container, items, keys if container is Container.DICT else ())


def constant(name: str, value: float) -> Literal:
    return Literal(value, name, Origin.LOCAL)


class Hand:
    """Statements one after another: `h.mul(x, 2)`, `h.sin(x, name="s")`."""

    def __init__(self, params: Iterable[Var]) -> None:
        self.params = tuple(params)
        self.body: list[Statement] = []

    def apply(
        self, op: str, *args: Any, name: str = "", hint: str = "", notes: Any = ()
    ) -> Var:
        operands: tuple[Operand, ...] = tuple(
            a if isinstance(a, Var | Literal) else Literal(a) for a in args
        )
        row = TABLE[op]
        type_ = result_type(row, operands)
        out = Var(type_, name or hint, None, bool(name), tuple(notes))
        self.body.append(Apply(out, row, operands))
        return out

    def __getattr__(self, op: str) -> Any:
        return lambda *args, **rest: self.apply(op, *args, **rest)

    def function(self, *results: Any, nest: Nest = LEAF, name: str = "f") -> Function:
        operands = tuple(
            r if isinstance(r, Var | Literal) else Literal(r) for r in results
        )
        parameters = tuple(Parameter(p.hint, (p,)) for p in self.params)
        block = Block(self.params, tuple(self.body), operands)
        return Function(name, parameters, block, nest)


def text_of(
    function: Function, constants: Mapping[str, str] | None = None, limit: int = 88
) -> str:
    """The module with one function."""
    known = constants or {}
    one = printed(function, ['    """Doc."""'], {function.name, *known}, limit)
    return print_module([one], known, None, limit=limit)


def body_of(function: Function, **rest: Any) -> str:
    """The lines behind the docstring, without indentation."""
    lines = text_of(function, **rest).partition('"""Doc."""\n')[2].splitlines()
    return "\n".join(line.removeprefix("    ") for line in lines)
