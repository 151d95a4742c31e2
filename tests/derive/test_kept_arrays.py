"""Functions that stay functions and are given arrays, or give them."""

from __future__ import annotations

import math
import re
import types
from functools import cache

import black
import numpy as np
import pytest
from amounts import ANY_ORDER, NUMBERS, pairs
from mpmath import mpf
from support import (
    flat,
    generate,
    hessian,
    jacobian,
    load,
    load_exact,
    load_generated,
    marked,
    run,
)

SOURCE = """\
import math


def tree(a, i: int):
    if i >= len(a):
        return 1.0
    return a[i] * (tree(a, 2 * i + 1) + math.sin(tree(a, 2 * i + 2)))


def poly(a, x):
    s = 0.0
    for c in a:
        s = s * x + c
    return s


def scaled(a, k):
    out = [0.0] * len(a)
    for i in range(len(a)):
        out[i] = a[i] * k
    return out, poly(out, k)


def size(a):
    return math.sqrt(sum(v * v for v in a))


def halves(a):
    return 0.0 if len(a) == 0 else a[0] * a[0] + 0.5 * halves(a[1:])


def recursive(a: "Vector[n]", x):
    return tree(a, 0) * x


def looped(a: "Vector[n]", x):
    t = x
    for k in range(3):
        t = math.sin(poly(a, t)) if t < 2.0 else 0.5 * t
    return t


def chained(a: "Vector[n]", x):
    b, s = scaled(a, x)
    for k in range(3):
        b, s = scaled(b, s)
        b[1] = 0.1 * s
        s = size(b)
    t = poly(b, x) * poly(a, s)
    b[0] = 3.0 * x
    return b[0] * s + size(b) * t + poly(b, t)


def smooth(a, k: int, t):
    if k == 0:
        return a.copy()
    b = smooth(a, k - 1, t)
    c = b.copy()
    for i in range(1, len(a)):
        c[i] = 0.5 * (b[i] + t * b[i - 1]) * b[i]
    return c


def waves(a):
    n = len(a)
    if n == 1:
        return [v for v in a], [1.0] * n
    u, v = waves(a[1:])
    left, right = [0.0] * n, [0.0] * n
    left[0] = a[0]
    for i in range(n - 1):
        left[i + 1] = u[i] * v[i] + a[0]
        right[i] = v[i] - 0.5 * u[i]
    return left, right


def given_back(a: "Vector[n]", x):
    b = smooth(a, 3, x)
    u, v = waves(b)
    return poly(u, x) + v[0] * size(v) * b[1]


def sliced(a: "Vector[n]", x):
    return halves(a) * x + poly(a[1:], x) + poly(a[::-1], x)
"""
NAMES = ("recursive", "looped", "chained", "sliced", "given_back")
POINT = [0.7, 1.2, -0.3, 0.8, 0.5], 0.9
TURNS = ("gradient", "hessian", "jvp"), ("jvp", "vjp", "hvp")
"""The kinds that the functions have in turn."""


def exact(name):
    """The function of numbers one by one, with sixty digits, and where to try it."""
    function, (a, x) = load_exact(SOURCE)[name], POINT
    at = {f"a{k}": mpf(v) for k, v in enumerate(a)} | {"x": mpf(x)}
    return lambda a0, a1, a2, a3, a4, x: function([a0, a1, a2, a3, a4], x), at


@pytest.mark.parametrize(("name", "kinds"), pairs(NAMES, TURNS, 2))
def test_functions_of_arrays_are_differentiated(name, kinds):
    made = load(generate(marked(SOURCE, name, *kinds), inline="never", **NUMBERS))
    function, at = exact(name)
    names = list(at)
    (slopes,), curves = jacobian(function, at, names), hessian(function, at, names)
    dots = [0.25 * k - 0.5 for k in range(len(at))]
    value = function(**at)
    tangent = sum(a * b for a, b in zip(slopes, dots, strict=True))
    along = [sum(a * b for a, b in zip(row, dots, strict=True)) for row in curves]
    asked = {
        "grad": ((), slopes),
        "hess": ((), flat(curves)),
        "jvp": ((dots[:-1], dots[-1]), [value, tangent]),
        "vjp": ((0.5,), [value, *(0.5 * s for s in slopes)]),
        "hvp": ((dots[:-1], dots[-1]), along),
    }
    for suffix, (seeds, wanted) in asked.items():
        if f"{name}_{suffix}" not in made:
            continue
        found = leaves(made[f"{name}_{suffix}"](*POINT, *seeds))
        assert found == pytest.approx([float(w) for w in wanted], rel=1e-12), suffix


def leaves(value):
    """The numbers of arrays in tuples."""
    if isinstance(value, tuple):
        return [leaf for item in value for leaf in leaves(item)]
    return flat(value)


def test_a_function_that_calls_itself_adds_to_one_adjoint():
    text = generate(marked(SOURCE, "recursive", "gradient(a)"), **ANY_ORDER)
    assert "a_bar = _tree_back(a, " in text and "_tree_adj" not in text
    assert text.count("[0.0] * ") == 1


HALVES = """\
def prod(v):
    if len(v) == 1:
        return v[0]
    if v[0] > 9.0:
        return v[0] * v[0] * prod(v[1:])
    h = len(v) // 2
    return prod(v[:h]) * prod(v[h:])


# ad: gradient
def f(x: "Vector[n]"):
    return prod(x)
"""


def test_each_arm_hands_over_a_record_of_its_own():
    text = generate(HALVES, **ANY_ORDER)
    assert "        return v[0], ()\n" in text and ": list[float] = []" not in text
    assert black.format_str(text, mode=black.Mode()) == text
    assert flat(load(text)["f_grad"]([2.0, 3.0, 10.0, 5.0])) == [1500, 1000, 600, 600]


def test_half_a_length_is_no_place_counted_from_the_end():
    assert "h < 0" not in generate(HALVES, **ANY_ORDER)
    assert "h < 0" in generate(HALVES.replace("// 2", "// 2 - 0 * len(v)"), **ANY_ORDER)


RECURSIONS = """\
import math
import numpy as np


def chain(a, i: int):
    if i >= len(a):
        return 1.0
    r = chain(a, i + 1)
    return math.sin(a[i] * r) + 0.5 * r


def ping(a, i: int, t):
    if i >= len(a):
        return math.sin(t)
    return math.sin(pong(a, i + 1, t)) * a[i]


def pong(a, i: int, t):
    return ping(a, i, math.sin(t * t)) + t


def heat(u, k: int):
    if k == 0:
        return u
    v = heat(u, k - 1)
    w = np.sin(v) * u
    return w + np.sum(v) * w[::-1]


def turns(a, b, k: int):
    if k <= 0:
        return a
    c = turns(b, a, k - 1)
    if c[0] > 0.5:
        return [math.sin(v) for v in c]
    return c


def alone(a: "Vector[n]"):
    return chain(a, 0)


def together(a: "Vector[n]"):
    return ping(a, 0, a[0])


def given(a: "Vector[n]", k: int = 3):
    p, q = [v * v for v in a], [v + a[0] for v in a]
    return sum(v * v for v in turns(p, q, k))


def whole(a: "Vector[n]"):
    return np.sum(heat(a, 3) * a)
"""
MARKED = marked(RECURSIONS, "alone", "gradient(value=True)", "gradient", "jvp", "hvp")
for _name in ("together", "given", "whole"):
    MARKED = marked(MARKED, _name, "gradient", "jvp", "hvp")


@cache
def marked_text() -> str:
    return generate(MARKED, **ANY_ORDER)


class Counted(types.ModuleType):
    """`math`, with the calls of `sin` counted."""

    calls = 0

    def sin(self, x):
        self.calls += 1
        return math.sin(x)

    def __getattr__(self, name):
        return getattr(math, name)


@pytest.mark.parametrize("size", [4, 9])
def test_no_level_of_a_recursion_is_computed_twice(size):
    at, counted = [0.5 + 0.1 * k for k in range(size)], Counted("math")
    made = load(marked_text(), {"math": counted})
    made["alone_value_and_grad"](at)
    assert counted.calls == size
    made["together_grad"](at)
    assert counted.calls == size + (2 * size + 1)
    made["alone_hvp"](at, at)
    assert counted.calls == size + (2 * size + 1) + size


@pytest.mark.parametrize("name", ["alone", "together", "given", "whole"])
def test_records_of_recursion_give_adjoints(name):
    made, at = load(marked_text()), [0.7, 1.2, -0.3, 0.8]
    found = made[f"{name}_grad"](at)
    wanted = [made[f"{name}_jvp"](at, row)[1] for row in np.eye(4)]
    assert flat(found) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("name", ["alone", "together", "given", "whole"])
def test_second_derivatives_through_recursion(name):
    made, at = load(marked_text()), np.array([0.7, 1.2, -0.3, 0.8])
    way, step = np.array([0.5, -1.0, 0.25, 2.0]), 1e-6
    one, other = (made[f"{name}_grad"](at + s * way) for s in (step, -step))
    wanted = (np.array(flat(one)) - np.array(flat(other))) / (2 * step)
    assert flat(made[f"{name}_hvp"](at, way)) == pytest.approx(wanted, rel=1e-7)


@pytest.mark.parametrize("way", ["auto", "never"])
def test_what_is_kept_computes_what_is_written_out(way):
    source = marked(SOURCE, "chained", "gradient(value=True)")
    kept, out = (load_generated(source, inline=w) for w in (way, "always"))
    ours, theirs = (
        leaves(made["chained_value_and_grad"](*POINT)) for made in (kept, out)
    )
    assert ours[0] == theirs[0] and ours == pytest.approx(theirs, rel=1e-12)


def test_functions_that_differ_in_lengths_are_one():
    source = (
        "def dot(p, q):\n    s = 0.0\n    for i in range(len(p)):\n"
        "        s += p[i] * q[i]\n    return s\n\n\n# ad: gradient\n"
        'def f(a: "Vector[n]", b: "Vector[m]"):\n'
        "    return dot(a, a) + dot(a, b) * dot(b, a)\n"
    )
    text = generate(source, inline="never", **ANY_ORDER)
    assert text.count("def _dot") == 2  # itself and its adjoint
    assert leaves(load(text)["f_grad"]([1.0, 2.0], [3.0, 0.5])) == [
        *(2.0 * a + 8.0 * b for a, b in ((1.0, 3.0), (2.0, 0.5))),
        *(8.0, 16.0),
    ]


@pytest.mark.parametrize("change", ["c[0] = 1.0", "p[0] = 1.0", "h += 1.0"])
def test_what_may_be_given_back_is_not_changed(change):
    source = RECURSIONS + (
        '\n\n# ad: gradient\ndef f(a: "Vector[n]", k: int):\n'
        "    p, q = [v * v for v in a], [v + a[0] for v in a]\n"
        "    u = a * a\n    c, h = turns(p, q, k), heat(u, k)\n"
        f"    {change}\n    return c[1] + p[1] + np.sum(h * u)\n"
    )
    (found,) = run(source).diagnostics
    assert found.code == "AD124" and re.search(
        "may be (the same|one) (array|list)", found.message
    )


CHANGED = """\
def fill(a, i: int):
    if i < len(a):
        a[i] = a[i] * a[i]
        fill(a, i + 1)
    return a[0]


# ad: gradient
def f(a: "Vector[n]"):
    return fill(a, 0) + a[1]
"""


CHOSEN = """import math


def again(g, t, k: int):
    return t if k == 0 else g(again(g, t, k - 1))


# ad: gradient
def f(t, c: bool, k: int):
    return again(math.sin if c else math.cos, t, k)
"""


def test_a_function_that_calls_itself_and_cannot_be_kept_is_refused():
    (found,) = run(CHOSEN).diagnostics
    why = "calls itself and is given a function that a run chooses"
    assert found.code == "AD120" and found.message.endswith(why)


def test_a_function_that_changes_an_array_is_written_out():
    source = CHANGED.replace("        fill(a, i + 1)\n", "")
    text = generate(source, inline="never", **ANY_ORDER)
    assert "fill(" not in text
    assert flat(load(text)["f_grad"]([3.0, 2.0])) == [6.0, 1.0]


@pytest.mark.parametrize(
    "body",
    [
        "b = a if x > 0.0 else z\n    b[0] = x\n    return z[0] * a[0]",  # which one?
        "return a",  # the same object
    ],
)
def test_arrays_that_may_be_those_that_are_given_are_not_kept(body):
    source = (
        f"def g(a, z, x):\n    {body}\n\n\n# ad: gradient\n"
        'def f(a: "Vector[n]", x):\n    b = [x, 2.0, x]\n    c = g(a, b, x)\n'
        "    return b[0] + a[1]\n"
    )
    assert "_g(" not in (run(source, inline="never").text or "")


def test_explain_says_what_is_derived():
    result = run(marked(SOURCE, "looped", "gradient"), inline="never")
    assert result.derived[0].forms == {"_poly": ["adjoint"]}


# --- whole arrays -------------------------------------------------------------------

WHOLE = """\
import numpy as np


def soft(a, k):
    return np.tanh(a * k) + a / (1.0 + a * a)


def energy(a, b):
    d = a - b
    return np.sum(d * d) + np.sqrt(1.0 + np.sum(a * a))


def f(a: "Vector[n]", b: "Vector[n]", k):
    x, s = a, 0.0
    for i in range(3):
        x = soft(x, k)
        s = s + energy(x, b)
    return s * energy(a, x)
"""


def test_functions_of_whole_arrays_are_kept():
    source = marked(WHOLE, "f", "gradient(value=True)", "jvp", "vjp", "hvp")
    texts = [generate(source, inline=way, **ANY_ORDER) for way in ("never", "always")]
    kept, out = map(load, texts)
    at = [0.3, 0.4, -0.2], [0.5, -0.1, 0.2], 0.8
    dots = [0.1, 0.2, 0.3], [1.0, -1.0, 0.5], 0.7
    calls = {"value_and_grad": (), "jvp": dots, "vjp": (2.0,), "hvp": dots}
    for suffix, seeds in calls.items():
        ours, theirs = (
            leaves(made[f"f_{suffix}"](*at, *seeds)) for made in (kept, out)
        )
        assert ours == pytest.approx(theirs, rel=1e-12), suffix
    assert "def _soft_adj" in texts[0]


CALLER = """\
import numpy as np


def g(z):
    {}


# ad: gradient
def f(x: "Vector[n]"):
    w = x * 3.0
    v = g(w)
    return np.sum(v * v) + np.sum(w)
"""


@pytest.mark.parametrize(
    ("body", "is_kept"),
    [
        ("return z + 1.0", True),
        ("return z[1:]", False),  # shares memory with what it is given
        ("y = z * 1.0\n    y += 1.0\n    return y", True),
    ],
)
def test_whole_arrays_are_nobodys_views(body, is_kept):
    source = CALLER.format(body)
    texts = [generate(source, inline=way, **ANY_ORDER) for way in ("never", "always")]
    assert ("_g(" in texts[0]) is is_kept
    ours, theirs = (leaves(load(t)["f_grad"]([1.0, 2.0, 0.5])) for t in texts)
    assert ours == pytest.approx(theirs, rel=1e-13)


def test_a_function_that_changes_a_whole_array_of_its_caller_is_written_out():
    text = generate(
        CALLER.format("z += 1.0\n    return z * 2.0"), inline="never", **ANY_ORDER
    )
    assert "_g(" not in text
    assert leaves(load(text)["f_grad"]([1.0, 0.5])) == [99.0, 63.0]


# --- the text -----------------------------------------------------------------------

UNREAD = """\
def linear(a, b, k, m: int):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * k + b[i] * m
    return s


def first(x, y):
    return x * x


def noise(x):
    return x * x * x


# ad: gradient, hvp
def f(a: "Vector[n]", b: "Vector[n]", k, m: int = 2):
    product = linear(a, b, k, m) * linear(b, a, 2.0, m)
    return product + first(k, noise(k))
"""


def test_what_is_not_read_is_not_passed():
    gradient, product = generate(UNREAD, inline="never", **ANY_ORDER).split(
        "def f_hvp("
    )
    assert "def _linear_adj(\n    a: list[float],\n    k: float,\n" in gradient
    assert "def _first_jac(x: float)" in gradient
    assert "noise" not in gradient + product


def test_calls_of_many_values_are_laid_out_as_black_does():
    text = generate(UNREAD, inline="never", **ANY_ORDER)
    assert "_linear_adj_2_dot(\n" in text
    assert black.format_str(text, mode=black.Mode()) == text


def test_a_list_that_does_not_matter_has_zeros() -> None:
    made = load_generated(
        """
def square(v, rest, said):
    return v * v

# ad: hessian
def f(a: float, x: "Vector[m]"):
    return square(a * x[0], list(x[1:]), "two")
""",
        inline="never",
    )
    wanted = [[8.0, 24.0, 0.0], [24.0, 18.0, 0.0], [0.0, 0.0, 0.0]]
    assert made["f_hess"](3.0, [2.0, 5.0]).tolist() == wanted
