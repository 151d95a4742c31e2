"""What one arm alone computes for the way back is recorded in that arm."""

from __future__ import annotations

import ast
import ctypes
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import hyperduals
import pytest
from amounts import NUMBERS
from hyperduals import Hyper
from in_c import compiled
from in_fortran import compiled as fortran
from sized_sources import exits
from support import generate, load, marked, same_bits
from support_counts import counts_of

from ad_transform.derive.sweep import once_more

TANK = """
import math


def f(p: float, q: float, x: "Vector[n]"):
    level = 1.0
    cost = 0.0
    for inflow in x:
        level += p * inflow
        if level > 2.0:
            spill = math.sqrt(level - 2.0) * q
            level -= spill
            cost += spill * spill
        elif level < 0.5:
            need = math.exp(-level * p)
            level += need * q
            cost += need * level
        else:
            cost += 0.1 * level * level
    return cost
"""

NESTED = """
import math


def f(p: float, q: float, x: "Vector[n]"):
    s = 0.0
    z = 1.0
    for v in x:
        i = 0
        while abs(z * z - p * v * v) > 1e-9 and i < 20:
            if z > 1.2:
                d = math.log(z)
                g = d * q
                z = z - (z * z - p * v * v) / (2.0 * z + g * g)
            else:
                z = 0.5 * (z + p * v * v / z)
            i += 1
        s += z * q
    return s
"""

WHILE = """
import math


def f(p: float, q: float, x: "Vector[n]"):
    t, h, y = 0.0, 0.1, 1.0
    while t < 1.0:
        k1 = -p * y
        k2 = -p * (y + h * k1)
        err = abs(h * (k2 - k1)) * 0.5 + 1e-12
        if err > 0.001 * q:
            shrink = math.sqrt(0.001 * q / err)
            h = 0.9 * h * shrink
        else:
            grow = math.sqrt(math.sqrt(0.001 * q / err))
            y = y + 0.5 * h * (k1 + k2)
            t = t + h
            h = h * min(grow, 2.0)
    return y
"""

INSIDE = """
import math


def f(p: float, q: float, x: "Vector[n]"):
    s = 0.5
    for v in x:
        if v > 0.0:
            a = math.sin(s * p)
            if s > 0.4:
                b = math.exp(a * v)
                c = math.tanh(b * q)
                s = a * b * c
            else:
                s = a * v + q
        else:
            s = math.cos(s * q)
    return s
"""

LOGISTIC = """
import math


def f(p: float, q: float, x: "Vector[n]"):
    s = 0.5
    for v in x:
        if v > 0.0:
            a = math.sin(s * p)
            b = math.exp(a * v)
            s = a * b / (1.0 + b)
        else:
            s = s * q
    return s
"""

RESERVOIR = """
import math


def f(p: float, q: float, x: "Vector[n]"):
    level = 1.0
    cost = 0.0
    for inflow in x:
        level += inflow - p * math.sqrt(level)
        if level > 2.0:
            spill = q * (level - 2.0) ** 1.5
            level -= spill
            cost += spill * spill
        elif level < 0.1:
            return cost + 10.0 * level
        if level > 1.5:
            level = 0.9 * level + 0.05 * q * level * level
    return cost + (level - 1.0) ** 2
"""

FIRST = "gradient(p, q, value=True)"
AT: dict[str, Any] = {"p": 0.9, "q": 0.7, "x": [0.9, 1.4, -2.1, -0.6, 0.3, 2.0, -0.2]}


def _made(source: str, mark: str) -> str:
    """The text of a derivative; in reverse order alone trips inside would run again."""
    return generate(marked(source, "f", mark), **({} if source is NESTED else NUMBERS))


def _taken(text: str) -> list[str]:
    """The statements that take a record."""
    return [line.strip() for line in text.splitlines() if line.endswith(".pop()")]


def test_an_arm_appends_what_it_alone_computes() -> None:
    text = _made(TANK, FIRST)
    body = text.partition("for inflow in x_list:\n")[2].partition("    level_bar = 0")[
        0
    ]
    assert body == (
        "        level = level + p * inflow\n"
        "        level_list.append(level)\n"
        "        if level > 2.0:\n"
        "            spill_sqrt = sqrt(level - 2.0)\n"
        "            spill = spill_sqrt * q\n"
        "            saved.append((spill_sqrt, spill))\n"
        "            level = level - spill\n"
        "            cost = cost + spill * spill\n"
        "        elif level < 0.5:\n"
        "            neg_level = -level\n"
        "            need = exp(neg_level * p)\n"
        "            level = level + need * q\n"
        "            saved_2.append((need, neg_level, level))\n"
        "            cost = cost + need * level\n"
        "        else:\n"
        "            cost = cost + 0.1 * level * level\n"
    )
    assert _taken(text) == [
        "spill_sqrt, spill = saved.pop()",
        "need, neg_level, level_2 = saved_2.pop()",
    ]
    assert "Its loop holds up to 4 values for each trip." in text


def test_a_comment_in_an_arm_does_not_keep_a_carry_from_its_name() -> None:
    source = TANK.replace("cost += spill * spill", "cost += spill * spill  # paid")
    text = _made(source, FIRST)
    assert "            cost = cost + spill * spill  # paid\n" in text
    assert "cost_2" not in text


def test_what_is_quickly_made_of_what_is_recorded_is_made_again() -> None:
    text = _made(TANK, FIRST)
    assert text.count("0.1 * level") == 2
    counts = counts_of(text, "f_value_and_grad")
    assert f" ({counts.mul} mul, {counts.add} add," in text


def test_compiled_arms_record_their_own_in_lists_of_their_own() -> None:
    source = TANK.replace("Vector[n]", "Vector[400]")
    text = generate(marked(source, "f", FIRST), target="c", **NUMBERS)
    assert "Its loop holds up to 4 values for each trip." in text
    assert "spill_sqrt = spill_sqrt_list.at[--spill_sqrt_list.size];\n" in text
    assert "spill_sqrt = 0.0" not in text
    text = generate(marked(source, "f", FIRST), target="fortran", **NUMBERS)
    assert (
        "        spill_list%size = spill_list%size - 1\n"
        "        spill = spill_list%at(spill_list%size)\n"
    ) in text


def test_what_is_taken_belongs_where_what_was_kept_does() -> None:
    text = _made(LOGISTIC, FIRST)
    assert "saved.append((s_sum, s - a, b, a_prod))\n" in text
    assert (
        "            s_sum, minus_a, b, a_prod = saved.pop()\n"
        "            over_s = s_bar / s_sum\n"
        "            times_b = b * (over_s - over_s * minus_a * v) * cos(a_prod)\n"
    ) in text


def test_lists_of_arms_inside_of_loops_are_those_of_all_trips() -> None:
    text = _made(NESTED, FIRST)
    assert _taken(text)
    function = ast.parse(text).body[-1]
    assert isinstance(function, ast.FunctionDef)
    begun = [s for s in function.body if isinstance(s, ast.AnnAssign)]
    names = {s.target.id for s in begun if isinstance(s.target, ast.Name)}
    assert {
        line.split(" = ")[1].removesuffix(".pop()") for line in _taken(text)
    } <= names


def test_ranges_that_are_computed_alike_have_the_same_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each trip outside computes the length again, on both ways."""
    for price in ("VALUE", "RECORD", "TUPLE"):
        monkeypatch.setattr(once_more, price, 0)  # so that trips inside record
    loop = "    for v in x:\n"
    head, _, body = INSIDE.partition(loop)
    inside = body.replace("\n    ", "\n        ").replace("    return", "return")
    begin = "    i = 0\n    while i < 3:\n        i += 1\n"
    source = f"{head}{begin}    {loop}    {inside}"
    assert len(_taken(_compare(source))) == 2


def test_one_value_of_one_arm_is_recorded_with_the_others() -> None:
    source = TANK.replace("math.exp(-level * p)", "2.0").replace("spill * spill", "q")
    text = _made(source, FIRST)
    assert not _taken(text)


def test_what_a_trip_that_leaves_records_is_not_looked_for() -> None:
    source = TANK.replace("level += need * q", "level += need * q\n            break")
    text = _made(source, FIRST)
    assert not _taken(text)
    _compare(source)


@pytest.mark.parametrize("source", [TANK, NESTED, WHILE, INSIDE])
def test_value_and_derivatives(source: str) -> None:
    assert _taken(_compare(source))
    model = load(source, hyperduals.modules())["f"]
    made = load(_made(source, "hessian(p, q)"))["f_hess"]
    p, q, x = AT.values()
    for row, (s, t) in zip(made(p, q, x), [(1.0, 0.0), (0.0, 1.0)], strict=True):
        for got, (u, v) in zip(row, [(1.0, 0.0), (0.0, 1.0)], strict=True):
            wanted = hyperduals.hyper(model(Hyper(p, s, u), Hyper(q, t, v), x)).st
            assert got == pytest.approx(wanted, rel=1e-9, abs=1e-12)


def _compare(source: str) -> str:
    """The text of a gradient, of which the numbers are right."""
    text = _made(source, FIRST)
    model = load(source, hyperduals.modules())["f"]
    value, slopes = load(text)["f_value_and_grad"](**AT)
    assert same_bits(value, load(source)["f"](**AT))
    p, q, x = AT.values()
    for slope, (s, t) in zip(slopes, [(1.0, 0.0), (0.0, 1.0)], strict=True):
        wanted = hyperduals.hyper(model(Hyper(p, s), Hyper(q, t), x)).s
        assert slope == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    return text


def test_a_test_that_an_arm_records_divides_it_further() -> None:
    source = INSIDE.replace("if s > 0.4:", "if math.cos(a) > 0.9:")
    assert _taken(_compare(source)) == [
        "s_test, a, a_prod = saved.pop()",
        "c, s_prod, b = saved_2.pop()",
    ]


def _exits(count: int) -> str:
    head = 'def f(p: float, q: float, x: "Vector[n]"):'
    return exits(count, head, "for v in x:", ("p", "q", "v"))


def test_each_exit_records_what_stands_before_it() -> None:
    made = {k: _made(_exits(k), "gradient(p, q)") for k in (5, 10)}
    lengths = {k: len(text.splitlines()) for k, text in made.items()}
    assert lengths[10] < 400
    assert lengths[10] < 2.2 * lengths[5]
    padded = [line for line in made[10].splitlines() if line.endswith(" = 0.0")]
    assert len(padded) < 20


def _breaks(count: int) -> str:
    lines = ["import math", "", "", 'def f(p: float, q: float, x: "Vector[n]"):']
    lines += ["    s = p", "    for v in x:"]
    for k in range(count):
        lines += [f"        s = s * q + math.sin(p + {k})"]
        lines += [f"        if s > {k + 1.5}:", "            break"]
    return "\n".join([*lines, "    return s * q", ""])


def test_second_derivatives_grow_no_faster_than_exits() -> None:
    made = (_made(_breaks(count), "hessian(p, q)") for count in (5, 10))
    short, long = (len(text.splitlines()) for text in made)
    assert long < 2.1 * short


def test_a_trip_that_may_end_a_loop_at_few_places_has_one_record() -> None:
    """Lists for the arms would take time in each trip."""
    assert not _taken(_made(_breaks(4), FIRST))
    assert _taken(_made(_breaks(9), FIRST))


@pytest.mark.parametrize("top", [0.0, 2.5, 3.5, 4.5, 6.5, 9.5, 12.5])
def test_values_and_slopes_by_each_exit(top: float) -> None:
    source = _exits(9)
    model = load(source, hyperduals.modules())["f"]
    made = _exits_made()
    x = [0.3, 1.0, top, 0.5]
    for p, q in ((0.4, 0.9), (3.2, 1.1), (8.7, 0.95)):
        value, slopes = made(p, q, x)
        assert same_bits(value, load(source)["f"](p, q, x))
        for slope, (s, t) in zip(slopes, [(1.0, 0.0), (0.0, 1.0)], strict=True):
            wanted = hyperduals.hyper(model(Hyper(p, s), Hyper(q, t), x)).s
            assert slope == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("source", [TANK, NESTED, WHILE, INSIDE, _exits(9)])
def test_compiled_arms_give_what_those_of_python_give(
    source: str, tmp_path: Path
) -> None:
    made = load(_made(source, "gradient(p, q)"))["f_grad"]
    text = generate(marked(source, "f", "gradient(p, q)"), target="c", **NUMBERS)
    (in_c,) = compiled([text], tmp_path)
    text = generate(marked(source, "f", "gradient(p, q)"), target="fortran", **NUMBERS)
    in_fortran = getattr(fortran(text, tmp_path), "__model_grad_MOD_f_grad")
    found = (ctypes.c_double * 2)()
    for p, q in ((0.9, 0.7), (3.2, 1.1), (8.7, 0.95)):
        for top in (-0.2, -1.5, 2.5, 4.5, 12.5):
            x = [0.9, 2.4, 1.1, top, 0.3]
            wanted = pytest.approx([*made(p, q, x)], rel=1e-13)
            given = (ctypes.c_double * len(x))(*x)
            size = ctypes.c_int64(len(x))
            numbers = ctypes.c_double(p), ctypes.c_double(q)
            in_c.f_grad(*numbers, given, size, found)
            assert [*found] == wanted
            refs = map(ctypes.byref, (*numbers, given, size))
            in_fortran(*refs, found)
            assert [*found] == wanted


@pytest.mark.parametrize("target", ["c", "fortran"])
def test_compiled_text_grows_with_the_exits_of_a_loop(target: str) -> None:
    lengths = [
        len(generate(marked(_exits(k), "f", FIRST), target=target).splitlines())
        for k in (6, 10, 14)
    ]
    first, second = (b - a for a, b in pairwise(lengths))
    assert second < 1.1 * first
    assert lengths[1] < 850


@cache
def _exits_made() -> Any:
    return load(_made(_exits(9), FIRST))["f_value_and_grad"]


RELAXED = RESERVOIR.replace("if level > 1.5:", "while level > 1.5:")


@pytest.mark.parametrize("end", [-0.2, -1.5])
@pytest.mark.parametrize("source", [RESERVOIR, RELAXED])
def test_arms_of_a_loop_that_returns_record_their_own(source: str, end: float) -> None:
    text = _made(source, FIRST)
    assert _taken(text) and "spill_pow = 0.0" not in text
    assert text.count("while ") == source.count("while ")
    model = load(source, hyperduals.modules())["f"]
    x = [0.9, 2.4, 1.1, end, 0.3]
    value, slopes = load(text)["f_value_and_grad"](0.9, 0.7, x)
    assert same_bits(value, load(source)["f"](0.9, 0.7, x))
    for slope, (s, t) in zip(slopes, [(1.0, 0.0), (0.0, 1.0)], strict=True):
        wanted = hyperduals.hyper(model(Hyper(0.9, s), Hyper(0.7, t), x)).s
        assert slope == pytest.approx(wanted, rel=1e-9, abs=1e-12)
