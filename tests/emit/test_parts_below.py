"""A comment stands above the first line of its statement, its parts included."""

from __future__ import annotations

import pytest
from support import generate

ARRHENIUS = """\
import math


# ad: gradient(value=True)
def heat(r0: float, temp: "Vector[n]") -> float:
    total = 0.0
    for t in temp:
        # Arrhenius
        r = r0 * math.exp(2000.0 / t)  # ohm
        total += r * r
    return total
"""


@pytest.mark.parametrize(("target", "sign"), [("math", "#"), ("c", "//")])
def test_a_comment_stands_above_the_parts_of_its_statement(target: str, sign: str):
    text = generate(ARRHENIUS, target=target)
    lines = [line.strip() for line in text.splitlines()]
    place = lines.index(f"{sign} Arrhenius")
    assert " r_exp = " in f" {lines[place + 1]}"
    assert "r = r0 * r_exp" in " ".join(lines[place + 2 : place + 4])
    assert f"{sign} ohm" in " ".join(lines[place + 2 : place + 4])


def test_a_comment_does_not_pass_a_value_with_a_name_of_the_source():
    source = ARRHENIUS.replace("        # Arr", "        u = t * t\n        # Arr")
    text = generate(source.replace("/ t)", "/ u)").replace("r * r", "r * r * u"))
    lines = [line.strip() for line in text.splitlines()]
    place = lines.index("# Arrhenius")
    assert lines[place - 1] == "u = t * t"
    assert lines[place + 1].startswith("r_exp = ")


def test_a_comment_above_a_branch_stands_above_its_test():
    source = """\
import math


# ad: gradient(value=True)
def f(x: float, k: float) -> float:
    # rare
    if math.exp(-k / x) * k < 0.5:
        # small
        x = x * math.sin(k * x)
    return x * math.exp(-k / x)
"""
    lines = [line.strip() for line in generate(source).splitlines()]
    place = lines.index("# rare")
    assert lines[place + 1 : place + 3] == [
        "neg_k = -k",
        "x_test = exp(neg_k / x) * k < 0.5",
    ]
    assert lines[lines.index("# small") + 1] == "x_prod = k * x"
