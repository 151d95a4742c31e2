"""Random sources with lists that are rewritten part by part: slices that make them
longer or shorter, items that are put in, taken out and exchanged, indices that change
in the statement that uses them, and lists that may be empty.

    text = rewritten(7)  # def f(p: float, q: float, n: int) -> float
"""

from __future__ import annotations

import random

HEAD = """\
import math


def touch(u, k, x):
    u[k % len(u)] += 0.3 * x
    return x - u[0]


def tail(u, k=2, *, s=0.5):
    out = 0.0
    for e in u[-k:]:
        out = e - s * out
    return out


def f(p: float, q: float, n: int) -> float:
    a, b, k = 0.5 * p, q - p, 1
"""
FIRST = (
    "[p, q, 0.5]",
    "[math.sin(p + i) for i in range(n + 1)]",
    "[0.1 * q] * (n + 1)",
)


def rewritten(number: int) -> str:
    """The source with a number."""
    return _Source(random.Random(number)).text()


class _Source:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []

    def text(self) -> str:
        self._add("    ", f"u = {self.rng.choice(FIRST)}", "v = [q, p]")
        for _ in range(self.rng.randint(4, 9)):
            self._step("    ", 0)
        ends = (
            "a + b * u[0] + sum(v)",
            "sum(u) - v[-1] * k + a * b",
            "tail(u) * v[0] - b",
        )
        self._add("    ", f"return {self.rng.choice(ends)}")
        return HEAD + "\n".join(self.lines) + "\n"

    def _add(self, margin: str, *lines: str) -> None:
        self.lines += [margin + line for line in lines]

    def _number(self) -> str:
        u = self.rng.choice("uv")
        return self.rng.choice((
            "p", "q", "a", "b", f"0.5 * {u}[k % len({u})]", f"math.sin({u}[-1])",
            f"0.3 * sum({u}[::-1])", f"0.2 * tail({u})", f"0.2 * k * {u}[0]",
            f"max({u}, key=lambda e: e * e)", f"tail({u}[k % 2:], s=a)",
        ))  # fmt: skip

    def _step(self, margin: str, depth: int) -> None:
        kinds = [self._part, self._part, self._order, self._simple]
        if depth < 2:
            kinds += [self._branch, self._loop]
        self.rng.choice(kinds)(margin, depth)

    def _part(self, margin: str, depth: int) -> None:
        u, x, y = self.rng.choice("uv"), self._number(), self._number()
        self._add(margin, self.rng.choice((
            f"{u}[1:1] = [{x}]", f"{u}[:0] = [{x}, {y}]", f"{u}[len({u}):] = [{x}]",
            f"{u}[-1:] = [{x}, {y}]", f"{u}[:2] = [{x}]", f"{u}[1:] = {u}[:-1]",
            f"{u}[::2] = [0.5 * e for e in {u}[::2]]", f"{u}[::-1] = {u}[:]",
            f"{u} = {u}[:-1] or [{x}]", f"{u} = [*{u}[1:], {u}[0]]",
            f"{u}.insert(k % 2, {x})", f"{u}[:] = [0.5 * e + 0.1 * a for e in {u}]",
        )))  # fmt: skip

    def _order(self, margin: str, depth: int) -> None:
        u, x = self.rng.choice("uv"), self._number()
        self._add(margin, self.rng.choice((
            f"k, {u}[k % len({u})] = (k + 1) % 3, {x}",
            f"{u}[k % len({u})], k = {x}, k + 1", f"a = {u}[0] = {x}",
            f"{u}[0], {u}[-1], a = a, {u}[0], {u}[-1]",
            f"{u}[k % len({u})] += touch({u}, k, {x})",
            f"a = a + touch({u}, 1, b) * {u}[0]",
            f"a = (b := {x}) * b", f"a, b = b, {x}",
        )))  # fmt: skip

    def _simple(self, margin: str, depth: int) -> None:
        name, x = self.rng.choice("ab"), self._number()
        self._add(margin, f"{name} = 0.4 * {name} + 0.3 * math.tanh({x})")

    def _branch(self, margin: str, depth: int) -> None:
        tests = "n > 1", "a > 0.31", "b < 0.17", "k % 2 == 0", "len(u) > 3", "u and k"
        self._add(margin, f"if {self.rng.choice(tests)}:")
        self._step(margin + "    ", depth + 1)
        if self.rng.random() < 0.4:
            self._add(margin, "else:")
            self._step(margin + "    ", depth + 1)

    def _loop(self, margin: str, depth: int) -> None:
        heads = "for i in range(n):", "for i in range(2):", "for e in list(v)[:3]:"
        self._add(margin, self.rng.choice(heads))
        for _ in range(self.rng.randint(1, 2)):
            self._step(margin + "    ", depth + 1)
        self._add(margin, "    a = 0.5 * a + 0.1")
