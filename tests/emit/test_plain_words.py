"""What a person would write: names, tests and checks of generated text, kinks in it."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER, NUMBERS
from support import generate, load, load_generated

ARRAYS = "import numpy as np\n# ad: gradient(x)\ndef f(x: 'Vector[n]', k: int):\n"
PLAIN = "# ad: gradient(x)\ndef f(x, y, k: float | None = None, gas: str = 'a'):\n"

LOOP = "# ad: gradient(x)\ndef f(x, y):\n    e = abs(x - y)\n"
HELPER = """\
# ad: gradient
def f(a):
    root, steps = solved(a)
    return root * root + steps


def solved(a, most=9):
    x = a
    for k in range(most):
        r = x * x - a
        if abs(r) < 1e-9:
            return x, k
        x -= 0.5 * r / x
    raise RuntimeError(f"not solved after {most} steps")
"""
KEYED = """\
# ad: gradient
def f(x, kind: str, n: int):
    s = {"a": x, "b": x * x}
    for _ in range(n):
        s[kind] += s["b"]
        s["a"] *= s["b"]
    return s["a"]
"""

BEST = """\
# ad: gradient
def f(x, y, n: int):
    best = None
    for k in range(n):
        if best is None or x * k < best:
            best = x * k
    return y if best is None else best * y
"""

HALVES = """\
# ad: vjp(x)
def f(x: "Vector[n]"):
    return halves(x)


def halves(x: "Vector[n]"):
    if len(x) < 2:
        return x[0] * x[0]
    h = len(x) // 2
    return halves(x[:h]) + 0.5 * halves(x[h:])
"""

FITTED = """\
import numpy as np
# ad: hvp(w)
def f(w: "Vector[p]", X: "Matrix[n, p]"):
    return 0.5 * np.mean((X @ w) ** 2)
"""

STEPS = """\
from typing import NamedTuple
class Body(NamedTuple):
    x: float
    v: float
# ad: vjp(b)
def f(b: Body, dt: float, n: int):
    for _ in range(n):
        b = Body(b.x + dt * b.v, b.v - dt * b.x**3)
    return b.x
"""

WORST = """\
# ad: gradient(x, value=True)
def f(x: "Vector[n]"):
    worst = max(x, key=lambda v: v * v)
    return 2.0 * worst
"""

SAID = [
    (WORST, "            worst = v_2\n            largest = sq_v\n", "_loop"),
    (STEPS, "b_v_bar + b_x_bar * dt", " b_2 = "),
    (HALVES, "x_part, halves_record, x_part_2, halves_record_2 = record", " if 0 >"),
    (ARRAYS + "    return np.mean(np.log(x))", "1.0 / x.size / x", "np.log"),
    (FITTED, "1.0 / len(X) * (X @ w_dot) @ X", "size"),
    (ARRAYS + "    return np.sum(x[k:] ** 2)", "x[k:]", "slice("),
    (ARRAYS + "    return np.sum(x[: k + 1] * 2.0)", "x_bar[: k + 1] = 2.0", "[0:"),
    (ARRAYS + "    return 2.0 * sum(x[k:])", "    start = 0 if 0 > begin", "_max"),
    (ARRAYS + "    return 2.0 * sum(x[:k])", "    end = k + x_size if k <", "_case"),
    (ARRAYS + "    y = x[k:]\n    return np.sum(y * y)", "", "raise ValueError(f'len"),
    (
        ARRAYS + "    return np.sum(x[:k] * x[1:])",
        "lengths differ in x[:k] * x[1:]",
        "",
    ),
    (ARRAYS + "    return np.sum(x[:k] * x[1:])", " != ", "if not "),
    (ARRAYS + "    return np.sum(x[:k] * x[1:])", "x_part", "check"),
    (PLAIN + "    return x * (k or 1.0)", "if k is not None and k != 0.0 else 1.0", ""),
    (PLAIN + "    return x * y if max(x, y) > 1.0 else x", "arm", "tie"),
    (PLAIN + "    return max(x * x, y) * x", "tie", ""),
    (
        LOOP + "    y = x if e < 1.0 else x * e if e > 3.0 else x + e\n    return y",
        "'(0)",
        "",
    ),
    (
        LOOP + "    y = x if e < 1.0 else x * x if e > 3.0 else x + y\n    return y",
        "",
        "'(0)",
    ),
    (HELPER, "after 9 steps", "{9}"),
    (HELPER, "x_bar = 2.0 * x\n", "root"),
    (KEYED, "s_a = s_a_2 * s_b", "s_2"),
    (BEST, "not best_given or x * k < best", "TypeError"),
    (PLAIN + "    _ = x * x\n    return y * _ * _", "", "__"),
]


@pytest.mark.parametrize(("source", "there", "not_there"), SAID)
def test_is_said_as_a_person_would(source: str, there: str, not_there: str) -> None:
    text = generate(f"{source}\n", **NUMBERS)
    assert there in text and (not not_there or not_there not in text)


def test_what_has_been_checked_is_not_checked_again() -> None:
    body = "    T = {'a': 1.0, 'b': 2.0}\n    return x * T[gas] + x * x * T[gas]\n"
    assert generate(PLAIN + body, **ANY_ORDER).count("raise KeyError") == 1


def test_a_seed_is_as_long_as_the_list_that_a_run_makes() -> None:
    body = (
        "    y = []\n    for v in x:\n        if v > k:\n            y.append(v * v)\n"
    )
    text = generate(
        ARRAYS.replace("gradient", "vjp") + body + "    return y\n", **ANY_ORDER
    )
    made = load(text)["f_vjp"]
    assert made([1.0, 3.0], [2.0], 2)[1].tolist() == [0.0, 12.0]
    with pytest.raises(ValueError, match="f_bar has length 2, not 1"):
        made([1.0, 3.0], [2.0, 1.0], 2)


def test_the_largest_of_nothing_is_a_value_error_in_estimates() -> None:
    body = "    return max([v for v in x if v > k])\n"
    made = load_generated(ARRAYS.replace("gradient(x)", "error") + body)["f_err"]
    with pytest.raises(ValueError, match="without items"):
        made([1.0, 3.0], 5)


HELD = """
# ad: gradient(k)
def f(x: "Vector[2]", k: float):
    return x[0] * k * k
"""


def test_what_an_array_holds_is_said_to_be_a_number_where_it_is_returned() -> None:
    assert "k_bar: float = 2.0 * (x_0 * k)\n    return k_bar" in generate(
        HELD, **ANY_ORDER
    )


def test_the_largest_item_has_its_name_and_what_equals_it_is_counted_as_ties():
    text = generate(
        f"{ARRAYS}    m = max(x)  # top\n    return m * k - min(x)\n", **ANY_ORDER
    )
    assert "m = max(x_list)  # top\n" in text and "ties = ties + (" in text
    assert "(x_i == m)" in text and "(x_i == least)" in text
