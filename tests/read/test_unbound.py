"""Names that are bound in one arm, or in trips of a loop that may make none."""

from __future__ import annotations

import pytest
from reading import agree
from support import load, load_generated, run

from ad_transform.read import read

MARK = "# ad: gradient(x, value=True)\ndef f(x: float, n: int):\n"

BODIES = {
    "arm": ("if n > 3:\n    y = x * x\nelif n < 0:\n    y = x\nreturn y"),
    "match": (
        "match n:\n"
        "    case 1:\n"
        "        y = x\n"
        "    case 4:\n"
        "        y = x * x\n"
        "return 2 * y"
    ),
    "loop": ("for k in range(n):\n    y = x * k\nreturn y + k"),
    "while": ("while n > 2:\n    n -= 1\n    y = x**n\nz = 3 * y\nreturn z"),
    "break": (
        "for k in range(n):\n"
        "    if x > k:\n"
        "        continue\n"
        "    y = x * k\n"
        "    break\n"
        "return y"
    ),
    "pair": ("for k in range(n):\n    y = x, k\nreturn y[0] * y[1]"),
    "inner": (
        "for i in range(n):\n    for j in range(i):\n        y = x * j\nreturn x * y"
    ),
    "previous": (
        "s = 0.0\n"
        "for k in range(n):\n"
        "    if k > 0:\n"
        "        s += x * y\n"
        "    y = x + k\n"
        "return s + y"
    ),
    "first": (
        "a = True\n"
        "for k in range(n):\n"
        "    if a:\n"
        "        y = x\n"
        "        a = False\n"
        "    else:\n"
        "        y = y * k + x\n"
        "return y"
    ),
    "left": (
        "for k in range(n):\n"
        "    if x > 1.6:\n"
        "        return x * k\n"
        "    if k == 2:\n"
        "        y = x * n\n"
        "    x = x + 0.025 * k\n"
        "return y * x"
    ),
    "unread": (
        "if n > 1:\n"
        "    for k in range(n):\n"
        "        w = x * z\n"
        "        z = x\n"
        "return x * x"
    ),
    "later": (
        "s = x\n"
        "for i in range(n):\n"
        "    for k in range(3):\n"
        "        if k + i > 2:\n"
        "            y = x * i\n"
        "    s = s * y\n"
        "return s * y"
    ),
}


def _source(body: str) -> str:
    return MARK + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", BODIES)
def test_they_are_what_they_are_in_python(name: str) -> None:
    """The same value and slope, and the same exception."""
    source = _source(BODIES[name])
    model, made = load(source)["f"], load_generated(source)["f_value_and_grad"]
    for n in (-1, 0, 1, 2, 4, 5):
        try:
            value = model(1.5, n)
        except UnboundLocalError:
            with pytest.raises(UnboundLocalError, match="is not bound"):
                made(1.5, n)
            continue
        got, slope = made(1.5, n)
        step = 1e-6
        difference = model(1.5 + step, n) - model(1.5 - step, n)
        assert got == value
        assert slope == pytest.approx(difference / (2.0 * step), rel=1e-8, abs=1e-8)


def test_the_program_that_is_read_agrees() -> None:
    source = _source(BODIES["previous"]).replace("value=True", "")
    agree(source.replace("(x, )", "(x)"), (1.5, 4), (0.5, 1))


@pytest.mark.parametrize("first", ["", "y = None\n"])
def test_what_an_arm_binds_that_may_have_returned(first: str) -> None:
    """What may be None in a loop behind a `return` was an internal error."""
    body = f"{first}if x > 1.0:\n    if n > 4:\n        return x * n\n"
    body += "    for k in range(1, n):\n        y = 2 * x + k\n"
    body += "else:\n    y = x\nreturn y * x"
    made = load_generated(_source(body))["f_value_and_grad"]
    assert made(1.5, 3) == (7.5, 8.0) and made(1.5, 5) == (7.5, 5.0)
    assert made(0.5, 3) == (0.25, 1.0)
    with pytest.raises(TypeError if first else UnboundLocalError):
        made(1.5, 1)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            "for k in range(n):\n    x = x + z\n    z = x\nreturn x",
            "may be read before",
        ),
        (
            "if n > 3:\n    z = x\nelse:\n    z = None\nif n > 2:\n    w = z\nreturn w",
            "",
        ),
        ("for k in range(n):\n    c = None if k else x\nreturn c", "'c' is not bound"),
        (
            "if n > 3:\n    return x\nelse:\n    pass\nreturn z\nz = 1",
            "before it is bound",
        ),
    ],
)
def test_none_and_nothing_are_two(body: str, said: str) -> None:
    found = read(_source(body).encode(), "m.py").diagnostics
    assert {d.code for d in found} <= {"AD103", "AD107"} and found[0].help
    assert said in found[0].message


def test_a_name_that_nobody_reads_costs_nothing() -> None:
    body = "s = 0.0\nfor k in range(n):\n    if k > 1:\n"
    body += "        t = x * k\n        s += t\nreturn s"
    text = run(_source(body)).text
    assert text is not None and "given" not in text
