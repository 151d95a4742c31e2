"""What the tests of the reader need."""

from __future__ import annotations

import math
import struct
from textwrap import indent
from typing import Any

from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Function
from ad_transform.ir.verify import verify
from ad_transform.read import Reading, read

IMPORTS = "import math\nimport numpy as np\n"


def reading(source: str) -> Reading:
    """A source read, which must not be refused."""
    found = read(source.encode(), "model.py")
    errors = [d for d in found.diagnostics if d.severity == "error"]
    assert not errors, errors
    return found


def function(source: str) -> Function:
    """The raw program of the first request of a source; lawful."""
    program = reading(source).requests[0].function
    verify(program)
    return program


def marked(body: str, signature: str = "x, y") -> str:
    """A marked function with the statements of `body`."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"# ad: gradient\ndef f({signature}):\n{lines}"


def codes(source: str) -> list[str]:
    """The codes of what is said about a source."""
    return [d.code for d in read(source.encode(), "model.py").diagnostics]


def ops(program: Function) -> list[str]:
    """The names of the operations of a program, in order."""
    return [s.op.name for s in program.body if hasattr(s, "op")]


def bits(value: Any) -> Any:
    """A value as bits, so that NaN and signed zeros compare."""
    if isinstance(value, tuple | list):
        return tuple(bits(v) for v in value)
    if isinstance(value, float):
        return "nan" if math.isnan(value) else struct.pack("d", value)
    return value


def outcome(call: Any) -> Any:
    """What a call returns, flat and as bits, or the type of what it raises."""
    try:
        return bits(tuple(_leaves(call())))
    except (ArithmeticError, ValueError, AssertionError) as error:
        return type(error)


def _leaves(value: Any) -> Any:
    if isinstance(value, tuple | list):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def agree(source: str, *points: tuple[Any, ...]) -> None:
    """The raw program computes what Python computes, bit for bit, at all points."""
    program = function(source)
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    for point in points:
        ours = outcome(lambda point=point: evaluate(program, point))
        theirs = outcome(lambda point=point: namespace[program.name](*point))
        assert ours == theirs, (point, source)


def indented(lines: str) -> str:
    """The lines of a body as they stand in a function."""
    return indent(lines, "    ") + "\n"


def slopes(f: Any, a: float, b: float, n: int) -> list[float]:
    """The slopes of f(a, b, n) by a and b, by differences."""
    h = 1e-4
    return [
        (f(a + h, b, n) - f(a - h, b, n)) / (2 * h),
        (f(a, b + h, n) - f(a, b - h, n)) / (2 * h),
    ]


def curves(f: Any, a: float, b: float, n: int) -> list[list[float]]:
    """The second derivatives, by differences of these."""
    return [slopes(lambda *at, k=k: slopes(f, *at)[k], a, b, n) for k in (0, 1)]
