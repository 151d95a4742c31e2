"""Objects and tables of objects as constants of a file: what nothing changes."""

from __future__ import annotations

import pytest
from support import jacobian, load_exact, load_generated, run

SOURCE = """\
import math
from dataclasses import dataclass, replace
from typing import NamedTuple


@dataclass
class Link:
    a: float
    d: float = 0.5
    name: str = "?"

    def reach(self, q):
        return self.a * math.cos(q) + self.d


@dataclass(frozen=True)
class Robot:
    base: Link
    links: tuple = ()
    limits: list = ()

    def low(self):
        return self.limits[0]


class Point(NamedTuple):
    x: float
    y: float


LINKS = [Link(1.0, math.pi / 2, "one"), Link(0.4)]
ROBOT = Robot(LINKS[0], (Link(2.0, 3.0), Link(3.0, 4.0)), [0.25, 1.5])
BY = {"a": Link(1.0, 2.0), "b": Link(0.25)}
POINTS = (Point(1.0, 2.0), Point(3.0, 5.0))
ONE = Link(5.0)


def reaches(links, q):
    return sum(one.reach(q) for one in links)


# ad: gradient
def f(x, y, kind: str):
"""
BODIES = [
    "return ONE.a * x**2 + ONE.d * y",
    "return ONE.reach(x) * LINKS[1].reach(y)",
    "s = y\nfor link, v in zip(LINKS, (x, y)):\n    s += link.reach(v)\nreturn s",
    "return reaches(LINKS, x) + reaches(ROBOT.links, y)",
    "return x * BY[kind].d + y * BY['b'].a",
    "return sum(p.x * x**k + p.y * y for k, p in enumerate(POINTS))",
    "other = replace(LINKS[0], a=x)\nreturn other.reach(y) * len(LINKS)",
    "u = ROBOT.limits\nreturn x * u[1] + ROBOT.low() * y * sum(ROBOT.limits)",
    "return x * ROBOT.base.reach(y) * ROBOT.links[1].d",
]


def _source(body: str) -> str:
    return SOURCE + "".join(f"    {line}\n" for line in body.split("\n"))


@pytest.mark.parametrize("body", BODIES)
def test_they_are_read(body):
    source = _source(body)
    made = load_generated(source)["f_grad"]
    values = {"x": 0.7, "y": 1.3, "kind": "a"}
    wanted = jacobian(load_exact(source)["f"], values, ["x", "y"])
    assert made(**values) == pytest.approx([float(v) for v in wanted[0]], rel=1e-12)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("def g(one):\n    one.a = 2.0\n", "it holds an object of 'Link'"),
        ("def g(one):\n    one.d += 2.0\n", "it holds an object of 'Link'"),
        ("setattr(ONE, 'a', 2.0)\n", "it holds an object of 'Link'"),
        ("vars(LINKS[0])['a'] = 2.0\n", "it holds an object of 'Link'"),
        ("LINKS.append(ONE)\n", "it is no tuple of numbers"),
        ("def g():\n    return LINKS\n", "it is no tuple of numbers"),
    ],
)
def test_what_may_change_is_refused(more, said):
    (found,) = run(_source("return x * LINKS[0].a + y") + more).diagnostics
    assert (found.code, found.message) == ("AD122", f"'LINKS' may change: {said}")


@pytest.mark.parametrize(
    "more",
    [
        "ROBOT.limits[0] = 3.0\n",
        "def g(z):\n    ROBOT.limits.append(z)\n",
        "def g(z):\n    u = ROBOT.limits\n    u[0] = z\n",
        "class Other:\n    def low(self):\n        self.limits[0] = 3.0\n",
    ],
)
def test_lists_in_objects_that_may_change_are_refused(more):
    (found,) = run(_source("return x * ROBOT.low() + y") + more).diagnostics
    assert found.message == "'ROBOT' may change: it is no tuple of numbers"
