"""Plain statements are read like all others, without LibCST."""

import ast

import libcst as cst
import pytest
from amounts import ANY_ORDER

from ad_transform.options import Options
from ad_transform.read import plain
from ad_transform.run.job import transform
from ad_transform.run.printing import Origin
from tests.sources import source

COMMENTS = """\
import math


# ad: gradient
def f(x: float, y: float, n: int):
    # above the first
    a = x * 2.0
    b = -a + 1e-3
    c = math.sin(a - (b - y)) / 3  # behind
    d = c - b - 7
    # above, below what is plain
    e = d * c
    f = e \\
        + d

    g = f; h = g
    if g > 0.5:
        # above in an arm
        i = g
        j = i * h
        # at the end of an arm
    elif h > 0.5:
        j = h
    else:  # behind the colon

        j = h - g
    # of what follows
    for k in range(n):
        j = j * 0.5
        l = j + k
        while l > 4.0:
            l = 0.25 * l
        j = l
    def inner(t):
        u = t * t
        return u
    try:
        m = math.sqrt(j)
    except ValueError:
        m = x
    with open(0):
        m = m + 1.0
    p = inner(m)  ; q = p
    r = 1_000.5 * q
    r = r.real if n else r
    z = r * 0.3e1 - 12_0
    return z + a
"""

PLACES = """\
# ad: gradient
def g(x: float, y: float, table: "Vector[n]"):
    a, b = pair(x, y)
    a += b * table[1]
    (b, c) = pair(a, y)
    c -= a / table[-1]
    row = [a, b, c]
    row[0] = b * row[2]
    b *= row[0] - table[len(table) - 2]
    i = 1
    i += 1
    b /= table[i - 1]
    return a * b + row[i]


def pair(u, v):
    return u * v, u + v
"""

LONG = "# ad: expand\ndef f(x: float):\n" + 150 * "    x = x + 0.5 * x * x\n"
DERIVED = COMMENTS.replace("    with open(0):\n        m = m + 1.0\n", "")
DERIVED = DERIVED.replace(".real", "")
SOURCES = [
    COMMENTS,
    DERIVED,
    PLACES,
    f"{LONG}    return x\n",
    LONG.replace("x * x\n", "x * x\n    # said\n", 3) + "    return x\n",
    *(source(k).replace("gradient(a, b, c, value=True)", "expand") for k in range(12)),
]
"""Some are differentiated, others written out as they are read."""


def made(text):
    found = transform(text.encode(), "m.py", Origin("m.py", ""), Options(**ANY_ORDER))
    return found.text, found.diagnostics


@pytest.mark.parametrize("text", SOURCES)
def test_what_is_plain_is_read_like_all_others(text, monkeypatch):
    found = made(text)
    monkeypatch.setattr(plain, "runs", lambda *_: ())
    assert found == made(text)


@pytest.fixture
def given(monkeypatch):
    """What LibCST is given to read."""
    texts, parse = [], cst.native.parse_module
    monkeypatch.setattr(
        cst.native, "parse_module", lambda t: texts.append(t) or parse(t)
    )
    return texts


def test_names_that_are_unpacked_and_elements_are_not_given_to_libcst(given):
    assert made(PLACES)[0]
    for own in ("a, b =", "(b, c)", "table[", "row[0]", "+=", "-=", "*=", "/="):
        assert not any(own in text for text in given)
    assert any("row = [" in text for text in given)


def test_plain_statements_are_not_given_to_libcst(given):
    assert made(DERIVED)[0]
    for own in ("b = -a", "d = c", "j = i", "j = l", "u = t"):
        assert not any(own in text for text in given)
    others = ("a = x", "# behind", "e = d", "i = g", "f = e", "m = math", "q = p")
    for other in others:
        assert any(other in text for text in given)


@pytest.mark.parametrize(
    "line",
    [
        "a, b = x, x",
        "a = b = x",
        "() = f(x)",
        "a, *b = f(x)",
        "a[0], b = f(x)",
        "a[0][1] = x",
        "a.b = x",
        "a[1:] = x",
        "a[0, 1] = x",
        "a = b[1:]",
        "a[0] += x",
        "a **= x",
        "a = x  # said",
        "a = 'é'",
        "a = x ** 2",
        "a = f(x, y=x)",
        "a = f(*x)",
        "a = 1e999",
        "a = 2j",
        "a = True",
        "a = x if x else x",
        f"a = {' + '.join(['x'] * 30)}",
        f"a = {10**15}",
    ],
)
def test_what_is_not_plain(line):
    (function,) = ast.parse(f"def f(x):\n    {line}\n").body
    assert not [*plain.runs(function, f"def f(x):\n    {line}\n".split("\n"), set())]


class Counted(list):
    """Lines that count how many of them are asked for."""

    asked = 0

    def __getitem__(self, key):
        found = super().__getitem__(key)
        self.asked += len(found) if isinstance(key, slice) else 1
        return found


def test_few_lines_are_looked_at_for_comments_above():
    text = "def f(x):\n" + "    y = x * x\n    y **= x\n" * 200
    lines = Counted(text.splitlines())
    (root,) = ast.parse(text).body
    assert len([*plain.runs(root, lines, set())]) == 200
    assert lines.asked < 4 * len(lines)
