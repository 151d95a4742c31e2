"""Random sources with lists that grow, shrink and change their elements, and loops over
several of them side by side.

Lists begin empty or with numbers and grow by `append` in loops, in arms, before a
`break` and in loops inside others; some lose items, some begin anew in each trip. Loops
go over `zip` of them, over `range(len(u))` and up to the last but one.

    text = growing(7)  # def f(p: float, q: float, n: int) -> float
"""

from __future__ import annotations

import random

HEAD = """\
import math


def f(p: float, q: float, n: int) -> float:
    out = p * q
    u = []
    v = [p, q]
    w = [0.3 * q] * n
    for i in range(n):
        u.append(math.sin(p + i))
"""
LISTS = ("u", "v", "w")
BEGUN = ("[]", "[p]", "[q, p]", "[0.1 * p] * n", "list(u)", "[x * q for x in w]")


def growing(number: int) -> str:
    """The source with a number."""
    return _Source(random.Random(number)).text()


class _Source:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []

    def text(self) -> str:
        for _ in range(self.rng.randint(2, 4)):
            self._step("    ", 0)
        return HEAD + "\n".join(self.lines) + "\n    return out + sum(u) + sum(v)\n"

    def _one(self) -> str:
        return self.rng.choice(LISTS)

    def _add(self, *lines: str) -> None:
        self.lines += lines

    def _step(self, margin: str, depth: int) -> None:
        steps = [self._grow, self._read, self._read, self._read, self._change]
        if depth < 2:
            steps += [self._loop, self._loop, self._begin]
        self.rng.choice(steps)(margin, depth)

    def _number(self) -> str:
        return self.rng.choice(("0.5 * out", "p", "q * p", "math.cos(out)"))

    def _grow(self, margin: str, depth: int) -> None:
        one, value = self._one(), self._number()
        kind = self.rng.randrange(6)
        if kind < 2:
            self._add(
                f"{margin}for k in range({self.rng.choice(('n', '3', 'n - 1'))}):"
            )
            self._add(f"{margin}    {one}.append({value} + 0.1 * k)")
            if kind and self.rng.random() < 0.5:
                self._add(f"{margin}    {self._one()}.append(0.2 * q)")
        elif kind == 2:
            self._add(f"{margin}if out > 0.2:", f"{margin}    {one}.append({value})")
        elif kind == 3:
            self._add(f"{margin}for k in range(n):")
            self._add(f"{margin}    {one}.append({value})")
            self._add(f"{margin}    if {one}[-1] > 0.4:", f"{margin}        break")
        elif kind == 4:
            self._add(f"{margin}if len({one}) > 1:", f"{margin}    out += {one}.pop()")
        else:
            self._add(f"{margin}{one}.append({value})")

    def _begin(self, margin: str, depth: int) -> None:
        self._add(f"{margin}{self._one()} = {self.rng.choice(BEGUN)}")

    def _read(self, margin: str, depth: int) -> None:
        one, other = self.rng.sample(LISTS, 2)
        kind = self.rng.randrange(5)
        if kind < 2:
            self._add(f"{margin}for x, y in zip({one}, {other}):")
            self._add(f"{margin}    out += 0.1 * x * y - 0.05 * x")
        elif kind == 2:
            self._add(f"{margin}for k in range(len({one}) - 1):")
            self._add(f"{margin}    out += 0.2 * {one}[k] * {one}[k + 1]")
        elif kind == 3:
            self._add(f"{margin}out += sum(x * y for x, y in zip({one}, {other}))")
        else:
            self._add(f"{margin}out += 0.01 * len({one}) * p")

    def _change(self, margin: str, depth: int) -> None:
        one = self._one()
        where = self.rng.choice((f"len({one})", f"len({one}) - 1"))
        self._add(f"{margin}for k in range({where}):")
        body = f"{one}[k] = 0.5 * {one}[k] + 0.1 * out"
        if self.rng.random() < 0.3:
            self._add(f"{margin}    if {one}[k] > 0.0:", f"{margin}        {body}")
        else:
            self._add(f"{margin}    {body}")

    def _loop(self, margin: str, depth: int) -> None:
        self._add(f"{margin}for r{depth} in range({self.rng.choice(('2', '3', 'n'))}):")
        for _ in range(self.rng.randint(1, 3)):
            self._step(margin + "    ", depth + 1)
        self._add(f"{margin}    out = 0.5 * out + 0.1")
