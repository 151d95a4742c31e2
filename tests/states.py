"""Random sources with states of a few numbers that change in loops over lists whose
length only a run knows.

States are lists of two or three numbers, and lists of two such; loops go over lists,
over `range(n)` and over the places of a state; states change in place, in arms, by
exchange, are made anew and copied, go to functions, and are recorded. Some change at an
index that only a run knows.

    text = states(7)  # def f(p: float, q: float, n: int) -> float
"""

from __future__ import annotations

import random

HEAD = """\
import math


def mixed(s, v):
    return [s[1] + 0.3 * v, 0.5 * s[0] - v * s[1]]


def shifted(s, by):
    s[0] += 0.1 * by
    return s[0] * s[1]


def f(p: float, q: float, n: int) -> float:
    z = [math.sin(q + i) for i in range(n)]
    s = [p, q]
    t = [0.5, p * q, 0.25]
    m = [[p, 0.5], [q, 1.0]]
    path = []
    out = 0.1 * p
    k = 0
"""


def states(number: int) -> str:
    """The source with a number."""
    return _Source(random.Random(number)).text()


class _Source:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []

    def text(self) -> str:
        for _ in range(self.rng.randint(0, 1)):
            self._change("    ", 0)
        for _ in range(self.rng.randint(1, 2)):
            self._loop("    ", 0)
        end = self.rng.choice(("sum(s)", "t[2] * s[0]", "m[0][1] + m[1][0]", "t[-1]"))
        more = self.rng.choice(("", " + sum(path)", " + s[1] * m[1][1]"))
        body = "\n".join(self.lines)
        return f"{HEAD}{body}\n    return out + {end}{more}\n"

    def _add(self, margin: str, *lines: str) -> None:
        self.lines += [margin + line for line in lines]

    def _value(self) -> str:
        return self.rng.choice((
            "s[0] * s[1]", "0.5 * t[0]", "m[0][1]", "out", "math.cos(t[1])", "p",
            "m[1][0] * s[-1]", "0.2 * t[2] - s[0]",
        ))  # fmt: skip

    def _place(self) -> str:
        return self.rng.choice((
            "s[0]", "s[1]", "t[0]", "t[1]", "t[-1]", "m[0][0]", "m[1][0]", "m[1][1]",
        ))  # fmt: skip

    def _loop(self, margin: str, depth: int) -> None:
        heads = ["for v in z:", "for i, v in enumerate(z):", "for v in reversed(z):"]
        head = self.rng.choice(heads)
        if depth and self.rng.random() < 0.5:
            head = f"for r{depth} in range({self.rng.choice(('2', '20', 'n'))}):"
        self._add(margin, head)
        inner = margin + "    "
        for _ in range(self.rng.randint(2, 4)):
            self._change(inner, depth + 1)
        if self.rng.random() < 0.25:
            self._add(inner, f"if {self._value()} > 0.9:", "    break")
        self._add(inner, "out = 0.4 * out + 0.1 * s[0] - 0.1 * t[1]")

    def _change(self, margin: str, depth: int) -> None:
        kind = self.rng.randrange(14)
        at, value = self._place(), self._value()
        if kind < 3:
            self._add(margin, f"{at} = 0.5 * {at} + 0.3 * {value}")
        elif kind == 3:
            self._add(margin, f"{at} += 0.1 * {value}")
        elif kind == 4:
            self._add(
                margin, f"if {value} > 0.1:", f"    {at} -= 0.2 * {self._value()}"
            )
            if self.rng.random() < 0.5:
                self._add(margin, "else:", f"    {self._place()} = 0.3 * out")
        elif kind == 5:
            self._add(margin, "s[0], s[1] = s[1], 0.5 * s[0]")
        elif kind == 6:
            self._add(
                margin, "for j in range(2):", f"    s[j] = 0.5 * s[j] + {value} * 0.1"
            )
        elif kind == 7:
            self._add(margin, "for j in range(3):", "    t[j] += 0.1 * out * j")
        elif kind == 8:
            self._add(margin, "s = mixed(s, 0.5 * out)")
        elif kind == 9:
            self._add(margin, f"s = [0.5 * x + 0.1 * {value} for x in s]")
        elif kind == 10:
            self._add(margin, f"path.append({value})")
        elif kind == 11 and depth < 2:
            self._loop(margin, depth)
        elif kind == 12:
            self._add(margin, "out += 0.1 * shifted(s, t[2])")
        elif self.rng.random() < 0.3:
            self._add(margin, "k = (k + 1) % 3", f"t[k] = 0.5 * t[k] + 0.1 * {value}")
        else:
            self._add(margin, "u = list(t)", f"u[1] = {value}", "out += 0.05 * sum(u)")
