"""Comments on loops, on statements that are not printed and in arms stay, once each."""

from __future__ import annotations

import re

import pytest
from support import generate

SOURCE = """\
# ad: gradient(value=True)
def f(x: float, y: float, n: int) -> float:
    # start value
    s = x
    # none yet
    best = None
    # main loop
    for k in range(n):
        # cap it
        if s > 3.0:
            # capped
            s = 3.0
            break
        # or else
        else:
            s = s * y  # damp
        # triangle
        for j in range(k):
            s = s + y * j
    # iterate until small
    while s > 0.1:  # tenths
        s = s * y
    # three terms
    for c in (1.0, 2.0, 3.0):
        s = s + c * x
    # after the loop
    return s * s
"""

ALL = (
    "start value", "none yet", "main loop", "cap it", "capped", "or else", "damp",
    "triangle", "iterate until small", "tenths", "three terms", "after the loop",
)  # fmt: skip


@pytest.mark.parametrize(
    ("target", "sign"), [("math", "#"), ("c", "//"), ("fortran", "!")]
)
def test_every_comment_stands_once(target: str, sign: str):
    text = generate(SOURCE, target=target)
    for said in ALL:
        assert text.count(f"{sign} {said}\n") == 1, said
    places = [text.index(f"{sign} {said}\n") for said in ALL if said != "none yet"]
    assert places == sorted(places)


def test_comments_stand_above_their_statements():
    text = generate(SOURCE)
    for said, line in (
        ("start value", "s = x"),
        ("none yet", "# main loop"),
        ("main loop", "for k in range(n):"),
        ("capped", "s = 3.0"),
        ("triangle", "for j in range(k):"),
        ("iterate until small", "# tenths"),
        ("tenths", "while s > 0.1:"),
        ("three terms", "s = s + 1.0 * x"),
    ):
        *_, below = text.partition(f"# {said}\n")
        assert below.lstrip().startswith(line), said


def test_a_list_that_a_loop_fills_has_the_comment_of_the_loop():
    text = generate("""\
# ad: gradient(value=True)
def f(x: "Vector[n]") -> float:
    y = []
    # squares
    for t in x:
        y.append(t * t)
    s = 0.0
    for t in y:
        s += t * y[0]
    return s
""")
    assert text.count("# squares\n") == 1


def test_a_function_that_is_inlined_twice_says_its_comments_once():
    text = generate("""\
def power(a, n):
    # from one factor
    s = a
    # the others
    for k in range(n):
        # while small
        if s < 1e9:
            s = s * a
    return s


# ad: jvp
def g(x: float, n: int) -> float:
    # first
    u = power(x, n)
    # second
    v = power(u, n)
    return u + v
""")
    for said in ("the others", "while small", "first", "second"):
        assert text.count(f"# {said}\n") == 1, said


def test_a_branch_keeps_its_comment_where_its_flag_is_needless():
    text = generate("""\
# ad: gradient
def f(x: float, y: float, n: int):
    total = 0.0
    for i in range(n):
        # even steps
        if i % 2 == 0:
            continue
        # early way out
        if x * i > 100.0:
            return total
        total += y * x * i
    return total * y
""")
    assert text.count("# even steps\n") == text.count("# early way out\n") == 1


BISECTION = """\
# ad: jvp, gradient(value=True)
def f(x: float, y: float, c: float) -> float:
    a, b = x, y
    while b - a > 1e-9:
        m = 0.5 * (a + b)
        if m * m > c:
            # go left
            b = m
        else:
            # go right
            a = m
    return a * b
"""


@pytest.mark.parametrize("target", ["math", "c", "fortran"])
def test_comments_on_names_at_the_ends_of_arms_stay_there(target: str):
    text = generate(BISECTION, target=target)
    for said, name in (("go left", "b"), ("go right", "a")):
        below = re.findall(rf"(?:#|//|!) {said}\n +(\w+) = m;?\n", text)
        assert below == [name, name]


def test_a_comment_on_a_name_from_before_is_not_that_of_an_arm():
    text = generate("""\
# ad: gradient(value=True)
def f(x: float, y: float) -> float:
    t = x * y
    # at first
    s = t
    if x > 1.0:
        # more
        s = s * s * y
    return s * t
""")
    assert text.count("# at first\n") == text.count("# more\n") == 1
    assert text.index("# at first") < text.index("if x > 1.0")
