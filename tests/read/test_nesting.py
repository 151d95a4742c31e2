"""Too many blocks inside one another are refused with a place: no internal error."""

from __future__ import annotations

import sys

import pytest
from support import run

import ad_transform.read
from ad_transform.run import deriving

ARMS = 400


def chain(arms: int, test: str = "k == {}") -> str:
    """A function with a chain of `elif`, with a check in each arm."""
    text = "# ad: gradient(x)\ndef f(x: float, k: int):\n    y = x\n"
    for arm in range(arms):
        word = "elif" if arm else "if"
        text += f"    {word} {test.format(arm)}:\n        assert x > -{arm + 1}.0\n"
        text += f"        y = x * {arm}.5\n"
    return text + "    return y * y\n"


def test_a_function_that_cannot_be_read_is_named(monkeypatch):
    monkeypatch.setattr(ad_transform.read, "_FRAMES", 0)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000)
    try:
        result = run(chain(ARMS), effort=0)
    finally:
        sys.setrecursionlimit(limit)
    (found,) = [d for d in result.diagnostics if d.severity == "error"]
    assert (found.code, found.span[:2]) == ("AD004", (2, 5))
    assert "arms of `elif`" in found.message and found.help


def test_a_function_that_cannot_be_derived_is_named(monkeypatch):
    def deep(*args):
        raise RecursionError

    monkeypatch.setattr(deriving, "_derive", deep)
    (found,) = run(chain(120), effort=0).diagnostics
    assert (found.code, found.span[:2]) == ("AD004", (2, 5))
    with pytest.raises(RecursionError):  # of a flat function it is another error
        run(chain(2), effort=0)


def test_the_way_out_works():
    low = chain(60).replace("# ad: gradient(x)\n", "").replace("def f(", "def low(")
    high = low.replace("def low(", "def high(").replace("k == ", "k == 60 + ")
    text = f"{low}\n\n{high}\n\n# ad: gradient(x)\ndef f(x: float, k: int):\n"
    text += "    return low(x, k) if k < 60 else high(x, k)\n"
    assert run(text, effort=0, order="reverse").text is not None
