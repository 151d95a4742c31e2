"""Raw computational graphs of the published functions, run on traced numbers.

Every binary operation, unary minus and function call is a vertex; literals make no
edges; nothing is merged unless `merged` asks for it; an output that another vertex uses
gets a copy.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from corpus import minpack, published

from ad_transform.graph import Edge, EdgeClass, Graph

UNIT, CONSTANT, VARIABLE = EdgeClass


class Tape:
    """The vertices made so far, with the classes of their in-edges."""

    def __init__(self, merged: bool = False) -> None:
        self.size = 0
        self.edges: dict[Edge, EdgeClass] = {}
        self.known: dict[tuple[object, ...], Number] | None = {} if merged else None

    def vertex(self, key: tuple[object, ...], *ins: tuple[object, EdgeClass]) -> Number:
        if self.known is not None and key in self.known:
            return self.known[key]
        number = Number(self, self.size)
        self.size += 1
        for source, cls in ins:
            if isinstance(source, Number):
                edge = (source.vertex, number.vertex)
                # x + x has one edge of label 2, x * x one of label 2 x
                self.edges[edge] = max(cls, self.edges.get(edge, UNIT), key=int)
                if ins[0][0] is ins[-1][0] and len(ins) > 1 and cls is UNIT:
                    self.edges[edge] = CONSTANT
        if self.known is not None:
            self.known[key] = number
        return number


class Number:
    """A traced number: a vertex of a tape."""

    def __init__(self, tape: Tape, vertex: int) -> None:
        self.tape = tape
        self.vertex = vertex

    def apply(self, name: str, a: object, b: object, *classes: EdgeClass) -> Number:
        ends = [x.vertex if isinstance(x, Number) else f"{x}" for x in (a, b)]
        if name in "+*":
            ends.sort(key=str)
        return self.tape.vertex((name, *ends), (a, classes[0]), (b, classes[1]))

    def __add__(self, other: object) -> Number:
        return self.apply("+", self, other, UNIT, UNIT)

    def __radd__(self, other: object) -> Number:
        return self.apply("+", other, self, UNIT, UNIT)

    def __sub__(self, other: object) -> Number:
        return self.apply("-", self, other, UNIT, UNIT)

    def __rsub__(self, other: object) -> Number:
        return self.apply("-", other, self, UNIT, UNIT)

    def __mul__(self, other: object) -> Number:
        cls = VARIABLE if isinstance(other, Number) else CONSTANT
        return self.apply("*", self, other, cls, cls)

    def __rmul__(self, other: object) -> Number:
        return self.apply("*", other, self, CONSTANT, CONSTANT)

    def __truediv__(self, other: object) -> Number:
        cls = VARIABLE if isinstance(other, Number) else CONSTANT
        return self.apply("/", self, other, cls, cls)

    def __rtruediv__(self, other: object) -> Number:
        return self.apply("/", other, self, VARIABLE, VARIABLE)

    def __pow__(self, other: object) -> Number:
        return self.apply("**", self, other, VARIABLE, VARIABLE)

    def __abs__(self) -> Number:
        return self.tape.vertex(("abs", self.vertex), (self, VARIABLE))

    def __neg__(self) -> Number:
        return self.tape.vertex(("neg", self.vertex), (self, UNIT))


def _call(name: str) -> Callable[..., Number]:
    def call(*arguments: Number) -> Number:
        key = (name, *(argument.vertex for argument in arguments))
        ins = [(argument, VARIABLE) for argument in arguments]
        return arguments[0].tape.vertex(key, *ins)

    return call


MATH = SimpleNamespace(
    **{name: _call(name) for name in ("sin", "cos", "tan", "atan2", "exp", "log")},
    sqrt=lambda x: _call("sqrt")(x) if isinstance(x, Number) else x**0.5,
)


def trace(name: str, merged: bool = False) -> Graph:
    """The graph of the published function; `merged` numbers equal values once."""
    scope: dict[str, Any] = {"math": MATH}
    module = published if hasattr(published, name) else minpack
    exec(inspect.getsource(module).replace("import math", ""), scope)
    function = scope[name]
    tape = Tape(merged)
    arity = function.__code__.co_argcount
    arguments = [tape.vertex(("argument", i)) for i in range(arity)]
    result = function(*arguments)
    outputs = list(result) if isinstance(result, tuple) else [result]
    used = {u for u, _ in tape.edges}
    for i, output in enumerate(outputs):
        if output.vertex in used:
            outputs[i] = tape.vertex(("output", i), (output, UNIT))
    dependents = [output.vertex for output in outputs]
    independents = [argument.vertex for argument in arguments]
    return Graph.build(tape.size, independents, dependents, tape.edges)
