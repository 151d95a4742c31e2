"""Plain statements are read like all others, without LibCST."""

import ast

import libcst as cst
import pytest
from amounts import ANY_ORDER

from ad_transform.options import Options
from ad_transform.read.syntax import plain
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

BLOCKS = """\
import math


# ad: gradient
def f(x: float, y: float, n: int):
    a = x * 2.0
    if a > y and not y < 0.5 or n == 3:
        a = a * y
        b = a if a < 2.0 else y
    else:
        b = y
        b -= 0.5 * x
    for i in range(n):
        b += i * a
        if b > 9.0:
            break
        if b < -9.0: b = 0.0
        if (b < 0.5):
            continue
        while a < b:
            a = a + 1.0
            if a > 4.0:
                return a * b
                # at the end
        a *= 0.5

        if a > 3.0:
            a = 3.0
        elif a > 2.0:
            a = 2.0
        else:
            pass
    else:
        a = a + x
    if a > 1.0:

        a = a - 0.1
    if a > 1.0:
        a = a - 0.2
    # of what follows
    if a > 1.0:
        # above in an arm
        a = a - 0.3
    if a > 1.0:
        a = a - 0.4
    else :
        a = a - 0.5
    if a > 1.0:  # behind the colon
        a = a - 0.6
    for j, k in zip((1.0, 2.0), (3.0, 4.0)):
        a = a + j * k
    if math.sin(a) > 0.25:
        for k in range(2):
            for l in range(3):
                a = math.cos(a * k) - l
    if a >\\
            b:
        a = b
    if a > b:\\
        a = b
    else:\\
        b = a
    a = a + b; \\
    b = a
    if a.real > 2.0:
        a = 2.0
    if a <1.0or b> 3:
        a = b
    return a / (1.0 + b * b)
"""

REFUSED = """\
# ad: gradient
def f(x, n):
    for i in range(n):
        if i > 2:
            y = f"{x}"
            lambda: 1
        else:
            x.real = 3
            while unknown(x):
                x += nowhere
                break
    if not x:\\
        return
    return x
"""

LONG = "# ad: expand\ndef f(x: float):\n" + 150 * "    x = x + 0.5 * x * x\n"
DERIVED = COMMENTS.replace("    with open(0):\n        m = m + 1.0\n", "")
DERIVED = DERIVED.replace(".real", "")
LINES = BLOCKS.replace("    if a.real > 2.0:\n        a = 2.0\n", "")
SOURCES = [
    COMMENTS,
    BLOCKS,
    LINES,
    REFUSED,
    DERIVED,
    PLACES,
    f"{LONG}    return x\n",
    LONG.replace("x * x\n", "x * x\n    # said\n", 3) + "    return x\n",
    *(source(k, 20).replace("gradient(a, b, c, value=True)", "vjp") for k in range(9)),
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


def test_branches_and_loops_are_plain_where_all_in_them_is(given):
    assert made(LINES)[0]
    for own in ("n == 3", "else:\n        b = y", "for k in", "sin", "a - 0.2", "b +="):
        assert not any(own in text for text in given)
    others = ("b = 0.0", "if (b", "while a", "elif", "else :", "0.3", "j, k")
    for other in (*others, "zip", "a <1.0or", ">\\"):
        assert any(other in text for text in given)


def test_a_long_chain_is_read_in_linear_time():
    def looked_at(arms):
        tests = [f"if x > {k}:\n        y = {k}\n" for k in range(arms)]
        text = "def f(x):\n    " + "    el".join(tests) + "    return y\n"
        lines = Counted(text.splitlines())
        (root,) = ast.parse(text).body
        assert [*plain.runs(root, lines, set())]
        return lines.asked

    assert looked_at(200) < 2.1 * looked_at(100)


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
        "a = x < 1 < 2",
        "a = x is x",
        "a += f(*x)",
        "a **= x",
        "a[0] += x",
        "return.5",
        "return x, x",
        "a = x if.5 else x",
        "x",
        "if x: a = x",
        "if x:\n        f(*x)",
        "if f(*x):\n        pass",
        "for a[0] in x:\n        pass",
        "while(x):\n        pass",
        "while x:\n        pass\n    else:\n        f(*x)",
        f"a = {' + '.join(['x'] * 30)}",
        f"a = {10**15}",
    ],
)
def test_what_is_not_plain(line):
    (function,) = ast.parse(f"def f(x):\n    {line}\n").body
    runs = plain.runs(function, f"def f(x):\n    {line}\n".split("\n"), set())
    assert all(first > 2 for first, _, _ in runs)


@pytest.mark.parametrize("before", ["if x:", "if x: a = x;", "f(*x);", ""])
def test_what_the_line_above_goes_on_in_is_not_plain(before):
    text = f"def f(x):\n    {before}\\\n        a = x\n"
    (function,) = ast.parse(text).body
    assert not [*plain.runs(function, text.split("\n"), set())]


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
