"""`print` in functions marked `expand`, beside what Python prints."""

from __future__ import annotations

import contextlib
import io
import textwrap
from pathlib import Path

import pytest
from amounts import ANY_ORDER, NUMBERS
from support import generate, load, load_generated, marked, run

HEAD = """\
import math
import numpy as np

def inner(t):
    print("inner", t)
    if t < 0.0:
        print("below")
        return 0.0
    for k in range(2):
        if t > k + 0.5:
            print("k", k)
            t -= 0.25
    return t * t
"""
BODIES = Path(__file__).with_name("printed.txt").read_text().split("---\n")
SOURCE = HEAD + "".join(
    f"\n\ndef f{k}(x, n: int, s: str):\n{textwrap.indent(body, '    ')}"
    for k, body in enumerate(BODIES)
)
NAMES = [f"f{k}" for k in range(len(BODIES))]


def _said(function, *args):
    """What is printed, and what is returned or raised."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            value = function(*args)
        except (AssertionError, ValueError) as error:
            value = repr(error)
    return said.getvalue(), value


@pytest.fixture(scope="module")
def both():
    source = SOURCE
    for name in NAMES:
        source = marked(source, name, "expand")
    return load(SOURCE), load(generate(source, **NUMBERS))


@pytest.mark.parametrize("name", NAMES)
def test_all_is_printed_in_order(name, both):
    python, generated = both
    for x in (-0.7, 0.4, 3.0, 30.0, 60.0):
        args = x, 4, "text"
        assert _said(generated[name], *args) == _said(python[name], *args)


DERIVING = """\
import ad_transform as ad

# ad: expand
def f(x):
    y = x * x
    print("y is", y)
    for k in range(2):
        y = y * x
        print(k, y)
    d = ad.derivative(y, x)
    print(f"{d:.2f}")
    return d
"""


def test_what_is_differentiated_prints_once():
    f = load_generated(DERIVING)["f"]
    assert _said(f, 2.0) == ("y is 4.0\n0 8.0\n1 16.0\n32.00\n", 32.0)


def test_a_derivative_prints_nothing():
    made = generate(DERIVING.replace("ad: expand", "ad: gradient(x), jvp"), **ANY_ORDER)
    assert "print" not in made


def test_comments_stay_with_what_is_printed():
    made = generate(marked(SOURCE, "f0", "expand"), **ANY_ORDER)
    assert '    # here we go\n    print(f"start {x} {n} {s}")\n' in made


@pytest.mark.parametrize(
    ("said", "code", "message"),
    [
        ("print(v)", "AD101", "`print` of an array is not supported"),
        ("print(x, file=out)", "AD101", "this `file=` of `print` is not supported"),
        ("print(*v)", "AD101", "a star in `print` is not supported"),
        (
            "print(f'{x:{x}}')",
            "AD101",
            "a format that is computed, or has quotes, is not supported",
        ),
        ("x = again(x)", "AD120", "'again' calls itself and prints"),
    ],
)
def test_what_cannot_be_printed_is_refused(said, code, message):
    again = "def again(t):\n    print(t)\n    return t if t > 1 else again(t + 1)\n\n"
    body = f"def f(x, v: 'Vector[n]'):\n    {said}\n    return x * v[0]\n"
    (found,) = run(f"{again}# ad: expand\n{body}").diagnostics
    assert (found.code, found.message) == (code, message)
    assert run(f"{again}# ad: gradient\n{body}").text


def test_other_targets_refuse_it():
    (found,) = run(DERIVING, target="c").diagnostics
    assert (found.code, found.span.line) == ("AD033", 6)
