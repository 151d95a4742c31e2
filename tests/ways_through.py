"""Random sources of loops inside one another that are left in many ways: `return`,
`break` and `continue` in arms, `else` behind loops, at any depth. What is computed
between is little.

    text = ways_through(7)  # def f(p: float, q: float, n: int) -> float
"""

from __future__ import annotations

import random

HEAD = """\
import math


def f(p: float, q: float, n: int) -> float:
    a, b = p, q
"""
LISTS = ("[p, q, 0.5]", "[p * i for i in range(n + 3)]")


def ways_through(number: int) -> str:
    """The source with a number."""
    return _Source(random.Random(number)).text()


class _Source:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.loops: list[str] = []
        self.left = rng.randint(3, 8)  # statements with blocks that are still to come
        self.grows = rng.random() < 0.4

    def text(self) -> str:
        self._add(1, f"u = {self.rng.choice(LISTS)}")
        while self.left > 0:
            self._suite(1)
        ends = "a * b + u[0]", "a + b", "a * b * sum(u)", "u[-1] * a - b"
        self._add(1, f"return {self.rng.choice(ends)}")
        return HEAD + "\n".join(self.lines) + "\n"

    def _add(self, depth: int, *lines: str) -> None:
        self.lines += ["    " * depth + line for line in lines]

    def _count(self) -> str:
        return self.rng.choice(["n", *self.loops])

    def _value(self) -> str:
        i = self._count()
        return self.rng.choice((
            "a * p", "q * b", "a + b", "p * q", "math.sin(a)", f"a * {i}",
            "b - 0.5 * a", "u[0] * q", f"u[{i} % 3]", "b * b", "a", "p",
        ))  # fmt: skip

    def _test(self) -> str:
        i, j = self._count(), self._count()
        limit = round(self.rng.uniform(-0.5, 0.8), 2)
        return self.rng.choice((
            f"{i} {self.rng.choice('<>')} {self.rng.randint(0, 3)}", "a > 0.61",
            "b < 0.43", f"a * b > {limit}", f"{i} % 2 == 0", f"{i} > {j}", "u[1] > a",
        ))  # fmt: skip

    def _simple(self, depth: int) -> None:
        i, value = self._count(), self._value()
        self._add(depth, self.rng.choice((
            f"a = 0.5 * a + 0.3 * {value}", f"b = {value}", f"a += 0.2 * {value}",
            "a, b = b, a", f"u[{i} % 3] = {value}", "b = math.sin(b + a)",
            f"u.append({value})" if self.grows else "a -= 0.1 * b", "b *= q",
            "b = 0.3 * sum(u)",
        )))  # fmt: skip

    def _suite(self, depth: int) -> None:
        for _ in range(self.rng.randint(1, 3)):
            kind = self.rng.randrange(15)
            if self.left <= 0 or kind < 6 or depth > 5:
                self._simple(depth)
            elif kind < 10 and len(self.loops) < 3:
                self._loop(depth)
            else:
                self._branch(depth)
        if depth > 1 and self.rng.random() < 0.3:
            ways = ["break", "break", "continue"] if self.loops else []
            out = f"return {self._value()}"
            self._add(depth, self.rng.choice([out, out, *ways]))

    def _branch(self, depth: int) -> None:
        self.left -= 1
        heads = [f"if {self._test()}:"]
        heads += [f"elif {self._test()}:"] * (self.rng.random() < 0.25)
        heads += ["else:"] * (self.rng.random() < 0.4)
        for head in heads:
            self._add(depth, head)
            self._suite(depth + 1)

    def _loop(self, depth: int) -> None:
        self.left -= 1
        name = "ijl"[len(self.loops)]
        i, trips = self._count(), self.rng.choice(("n", "3", "n - 1"))
        forms = (
            f"for {name} in range({trips}):", f"for {name} in range(n, 0, -1):",
            f"for {name} in range({i}):", f"for {name} in range(len(u)):",
            f"for {name}, e in enumerate(list(u)):", f"while {name} < {trips}:",
            f"while {name} < {trips} and {self._test()}:",
        )  # fmt: skip
        head = self.rng.choice(forms)
        if head.startswith("while"):
            self._add(depth, f"{name} = 0", head, f"    {name} += 1")
        else:
            self._add(depth, head)
        self.loops.append(name)
        self._suite(depth + 1)
        self.loops.pop()
        if self.rng.random() < 0.25:
            self._add(depth, "else:")
            self._suite(depth + 1)
