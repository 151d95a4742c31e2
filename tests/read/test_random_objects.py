"""Random functions that change objects in place, share and swap them, in loops, arms,
lists and methods: values are those of Python, bit for bit, or the function is refused.
"""

from __future__ import annotations

import random

import pytest
from amounts import seeds
from support import flat, load, same_bits

from ad_transform.ir.evaluate import evaluate
from ad_transform.read import read

HEAD = """import copy
from dataclasses import dataclass, replace


@dataclass
class P:
    x: float
    v: float = 1.0
    n: int = 0

    def step(self, h):
        self.x += h * self.v
        self.n += 1

    def kicked(self, h):
        if self.x > h:
            self.v -= h
            return self
        return P(self.x + h, self.v)

    def capped(self, h):
        if self.x > h:
            self.x = h
            return
        self.v += 0.25


@dataclass
class Pair:
    one: P
    other: P


def either(p, q, h):
    return p if p.x > h else q


# ad: gradient(a, b)
def f(a: float, b: float, k: int) -> float:
    p, q = P(a, b), P(b)
    w = Pair(p, P(a * b))
    ps = [p, P(a + b), q]
    hist = []
"""
NUMBERS = ("a", "b", "0.5", "p.x", "q.v", "q.x + a", "w.one.x", "w.other.v", "ps[1].x")
OBJECTS = (
    *("p", "q", "p", "q", "w.one", "w.other", "ps[0]", "ps[1]", "replace(q)"),
    *("copy.copy(p)", "P(a, q.x)", "P(p.x * 0.5, b)", "p if a > q.x else q"),
    *("either(p, q, a)", "p.kicked(b)", "q.kicked(a)", "P(a)"),
)
PLACES = ("p", "q", "p", "q", "w.one", "w.other", "ps[0]", "ps[2]")
TESTS = (
    "p.x > a",
    "q.v < b",
    "w.one.x > w.other.x",
    "k > 1",
    "ps[1].x > p.v",
    "p.n < 3",
)


class Program:
    """The lines of a function body."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.seed = seed
        for _ in range(self.random.randint(2, 7)):
            self.statement(1)
        ends = ("p.x * p.v", "q.x + q.v * 0.5 + q.n", "w.one.x", "w.other.v", "p.n * a")
        ends += ("sum(o.x for o in ps)", "ps[0].v + ps[1].x", "sum(o.x for o in hist)")
        self.lines.append(f"    return {' + '.join(self.random.sample(ends, 4))}")

    @property
    def text(self) -> str:
        return HEAD + "\n".join(self.lines) + "\n"

    def of(self, table: tuple[str, ...]) -> str:
        return self.random.choice(table)

    def plain(self) -> str:
        place, number = self.of(PLACES), self.of(NUMBERS)
        forms = (
            *(f"{place}.x = {number}", f"{place}.x += {number} * a"),
            *(f"{place}.v *= {number}", f"{place}.n += 1", f"{place}.step({number})"),
            *(f"{self.of(('p', 'q'))} = {self.of(OBJECTS)}",) * 3,
            *(f"w.{self.of(('one', 'other'))} = {self.of(OBJECTS)}", "p, q = q, p"),
            *(f"w = Pair({self.of(OBJECTS)}, p)", f"{place}.capped({number})"),
            *(f"hist.append({self.of(OBJECTS)})", "p.x, q.x = q.x, p.x"),
            *(f"ps = [{self.of(OBJECTS)}, q, {self.of(OBJECTS)}]",),
        )
        return self.of(forms)

    def statement(self, depth: int) -> None:
        """A statement that is `depth` levels in."""
        before = "    " * depth
        kind = self.random.random()
        if kind < 0.65 or depth > 2:
            self.lines.append(before + self.plain())
            return
        heads = (f"for i{depth} in range(k):", f"for i{depth} in range(2):")
        heads += ("for o in ps:", f"if {self.of(TESTS)}:", f"if {self.of(TESTS)}:")
        head = self.of(heads)
        self.lines.append(before + head)
        if "for o" in head:
            inner = ("o.x += a * p.v", "o.step(b)", "q = o", "o.v = p.x", "p = o")
            self.lines.append(f"{before}    {self.of(inner)}")
        for _ in range(self.random.randint(1, 2)):
            self.statement(depth + 1)
        if head.startswith("if") and self.random.random() < 0.4:
            self.lines.append(f"{before}else:")
            self.statement(depth + 1)


POINTS = [(0.5, 0.25, 0), (0.3, 0.7, 1), (1.1, 0.9, 3)]


def errors_of(text: str) -> set[str]:
    """The codes for which a program is refused."""
    found = read(text.encode(), "model.py").diagnostics
    return {d.code for d in found if d.severity == "error"}


def test_most_programs_are_not_refused() -> None:
    """Else the test below would say little."""
    assert sum(not errors_of(Program(seed).text) for seed in range(15)) >= 10


@pytest.mark.parametrize("seed", seeds(15, 60))
def test_values_are_those_of_what_runs(seed: int) -> None:
    text = Program(seed).text
    if errors := errors_of(text):
        assert errors <= {"AD124", "AD107", "AD103", "AD105"}, text
        return
    (request,) = read(text.encode(), "model.py").requests
    function, model = request.function, load(text)["f"]
    for point in POINTS:
        got = evaluate(function, point)
        assert same_bits(flat(list(got)), flat(model(*point))), text
