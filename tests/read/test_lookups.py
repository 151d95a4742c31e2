"""Where an item is in a list: one operation for numbers, texts and pairs of them."""

from __future__ import annotations

import io
import tokenize
from importlib.resources import files

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load

HEAD = '# ad: gradient(x)\ndef f(x: "Vector[n]", who: "Vector[n, int]"):\n'
# fmt: off
BODIES = {
    "sums by number": "d = {}\nfor i in range(len(x)):\n"
                      "    d[who[i]] = d.get(who[i], 0.0) + x[i] * x[i]\n"
                      "return sum((k + 2) * v * v for k, v in d.items())",
    "by text":        "d = {}\nfor i in range(len(x)):\n    key = f'k{who[i]}'\n"
                      "    if key not in d:\n        d[key] = 0.5\n"
                      "    d[key] += x[i] ** 3\n"
                      "return sum(v * v for v in d.values())",
    "by an element":  "d = {}\nt = 0.0\nfor i in range(len(x)):\n"
                      "    if who[i] in d:\n        d[who[i]] -= x[i]\n"
                      "    else:\n        d[who[i]] = 1.0 - x[i]\n"
                      "    if d[who[i]] < 0.0:\n        t += d[who[i]] ** 2\n"
                      "        d[who[i]] = 0.0\nreturn t + sum(d.values()) ** 2",
    "by pair":        "d = {}\nfor i in range(len(x)):\n    key = who[i], i % 2\n"
                      "    d[key] = d.get(key, 1.0) * x[i]\nreturn sum(d.values())",
    "by three":       "d = {}\nfor i in range(len(x)):\n    key = who[i], 0, i % 3\n"
                      "    d[key] = d.get(key, 1.0) * x[i]\nreturn sum(d.values())",
    "in a list":      "u = [3, 5]\nfor i in range(len(x)):\n    u.append(2 * who[i])\n"
                      "s = 0.0\nfor i in range(len(x)):\n    if i in u:\n"
                      "        s += x[i] * u.index(i)\n    if i + 1 not in u:\n"
                      "        s -= x[i] * x[i]\nreturn s",
    "in a set":       "seen = set()\ns = 0.0\nfor i in range(len(x)):\n"
                      "    if who[i] in seen:\n        s += x[i] ** 2\n"
                      "        seen.discard(who[i])\n    else:\n        s += x[i]\n"
                      "        seen.add(who[i])\nreturn s * s",
    "taken out":      "d = {}\nfor i in range(len(x)):\n    if who[i] in d:\n"
                      "        u = d.pop(who[i])\n        d[i + 100] = u * x[i]\n"
                      "    else:\n        d[who[i]] = x[i]\n"
                      "return sum(k * v for k, v in d.items())",
}
ONE_BY_ONE = {
    "by a float":     "d = {}\nfor i in range(len(x)):\n    key = 0.5 * who[i]\n"
                      "    d[key] = d.get(key, 0.0) + x[i]\nreturn sum(d.values())",
    "by four":        "d = {}\nfor i in range(len(x)):\n    key = who[i], 0, i % 3, 1\n"
                      "    d[key] = d.get(key, 1.0) * x[i]\nreturn sum(d.values())",
    "a float":        "u = [0.5 * k for k in who]\ns = 0.0\nfor i in range(len(x)):\n"
                      "    if 1.5 in u:\n        s += x[i] * u.index(1.5)\nreturn s",
}
# fmt: on
X = np.array([0.3, 1.2, -0.7, 0.9, 1.6, 0.4])
WHO = np.array([3, 1, 3, 2, 1, 3])


def source(name: str) -> str:
    body = {**BODIES, **ONE_BY_ONE}[name]
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize("name", [*BODIES, *ONE_BY_ONE])
def test_gradients_are_those_of_differences(name: str) -> None:
    plain = load(source(name))["f"]
    made = load(generate(source(name), **ANY_ORDER))["f_grad"](X, WHO)
    for k in range(len(X)):
        high, low = ([*X] for _ in range(2))
        high[k] += 1e-6
        low[k] -= 1e-6
        rise = plain(high, [*WHO]) - plain(low, [*WHO])
        assert made[k] == pytest.approx(rise / 2e-6, rel=1e-6, abs=1e-8)


LISTS = ("in a list", "in a set", "taken out")
"""What gets the same item twice, or loses one: the others are dicts."""


@pytest.mark.parametrize("name", BODIES)
def test_no_loop_looks_for_it(name: str) -> None:
    text = generate(source(name), **ANY_ORDER)
    assert (".index(" in text) == (name in LISTS) and "break" not in text
    assert (".get(" in text) == (name not in LISTS)


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_other_items_are_compared_one_by_one(name: str) -> None:
    text = generate(source(name), **ANY_ORDER)
    assert ".index(" not in text and "break" in text


@pytest.mark.parametrize("name", ["sums by number", "by pair", "by text"])
def test_it_is_looked_for_once(name: str) -> None:
    text = generate(source(name), **ANY_ORDER)
    assert text.count(".get(") == 1 and "_absent = " not in text


def test_an_element_that_is_looked_for_is_read_once() -> None:
    text = generate(source("by an element"), **ANY_ORDER)
    trip = text[text.index("    for i in ") : text.index("_bar = ")]
    assert trip.count("who_list[i]") == 1 and "raise KeyError" not in trip
    assert trip.count(".get(") == 1


def test_what_is_in_it_is_not_missing() -> None:
    text = generate(source("in a list"), **ANY_ORDER)
    assert "is not in list" not in text  # `i in u` has been asked


def test_what_is_missing_is_said() -> None:
    body = "d = {}\nfor i in range(len(x)):\n    d[who[i]] = x[i]\nreturn d[7] * x[0]"
    text = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    made = load(generate(text, **ANY_ORDER))["f_grad"]
    with pytest.raises(KeyError, match="7"):
        made(X, WHO)
    assert made(X, np.array([7, 1, 2, 3, 4, 5])).tolist() == [0.6, 0, 0, 0, 0, 0]


def test_what_only_a_test_asks_for_is_asked_by_it() -> None:
    text = generate(source("in a list"), **ANY_ORDER)
    assert "if i + 1 not in u:" in text and "if u_place >= 0:" in text


POPPED = """\
# ad: gradient(w)
def f(w: float, n: int):
    d, ids = {}, [k % 4 for k in range(n)]
    for k in range(n):
        d[k % 3] = d.get(k % 3, 0.0) + w * k
        t = not (k % 5 in ids)
        if t:
            d[0] *= w
    if 2 in d:
        w = w + d.pop(2)
    return w * w
"""


def test_a_key_that_is_there_is_looked_for_once() -> None:
    text = generate(POPPED)
    assert "IndexError" not in text
    assert text.count(">= 0") == 1
    assert "k % 5 not in ids" in text
    f = load(text)["f_grad"]
    assert [f(0.5, n) for n in (0, 3, 6)] == [1.0, 9.0, 64.0]


def test_what_is_read_of_the_library_says_nothing_in_the_output() -> None:
    # a comment in it would stand in the derivative
    for file in files("ad_transform.read.in_python").iterdir():
        if file.name.endswith(".py"):
            tokens = tokenize.generate_tokens(io.StringIO(file.read_text()).readline)
            comments = [t.string for t in tokens if t.type == tokenize.COMMENT]
            assert all(one.startswith("# noqa") for one in comments), file.name
