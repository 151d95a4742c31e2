"""Functions of `math` that take numbers are read without forms of arrays and lists."""

import inspect
import math

import pytest
from reading import codes, function

from ad_transform.ir.text import format_function
from ad_transform.read.library import (
    elemental_calls,
    library_calls,
)

CALLS = [
    f"math.{name}({', '.join(('x', 'y', 'z')[:count])})"
    for name in sorted(n.removeprefix("math.") for n in elemental_calls.OF_NUMBERS)
    for count in [len(inspect.signature(getattr(math, name)).parameters)]
]
WRONG = [
    "math.sin()",
    "math.pow(x)",
    "math.exp('x')",
    "math.tan((x, y))",
    "math.sqrt(None)",
]


def program(call: str) -> str:
    return f"import math\n\n\n# ad: gradient\ndef f(x, y):\n    return {call}\n"


def asked_at_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elemental_calls, "OF_NUMBERS", frozenset())


@pytest.mark.parametrize("call", CALLS)
def test_they_mean_what_they_mean_among_all_functions(call, monkeypatch):
    at_once = format_function(function(program(call)))
    asked_at_length(monkeypatch)
    assert format_function(function(program(call))) == at_once


@pytest.mark.parametrize("call", WRONG)
def test_wrong_calls_are_refused_alike(call, monkeypatch):
    at_once = codes(program(call))
    asked_at_length(monkeypatch)
    assert codes(program(call)) == at_once != []


def test_others_are_not_asked_for(monkeypatch):
    def never(*_: object) -> None:
        raise AssertionError("a function of numbers alone")

    monkeypatch.setattr(library_calls, "called", never)
    assert format_function(function(program("math.sin(x) * math.atan2(y, 2)")))
