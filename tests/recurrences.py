"""Random sources with arrays that loops fill at linear indices of theirs.

Recurrences up and down, triangles of a matrix, elements that change places, places that
arms count or that are searched for, places told from the end, copies. They begin with
what depends on the floats or not, and all of them or some elements are read at the end.

    text = recurrence(7)  # def f(p: float, q: float, n: int) -> float
"""

from __future__ import annotations

import random

RANGES = ("2, n", "2, n + 4", "n + 1, 1, -1", "n, 0, -1", "1, n + 3", "0, n", "0, n, 2")
INNER = ("{0} + 1, n", "0, {0}", "0, {0} + 1", "{0}, n", "{0} - 1, -1, -1", "1, n")
COPIES = {
    False: (
        "u, v = v, [u[s] for s in range(n + 6)]",
        "u = [v[s] for s in range(n + 6)]",
        "u = [x for x in u]",
    ),
    True: (
        "A = [[A[s][t] for t in range(n + 6)] for s in range(n + 6)]",
        "A = [[x for x in row] for row in A]",
        "A = [[A[t][s] for t in range(n + 6)] for s in range(n + 6)]",
    ),
}
HEAD = """\
import math


def f(p: float, q: float, n: int) -> float:
    m = 0
"""
STARTS = {
    "u": (
        "u = [0.1 * p * s for s in range(n + 6)]",
        "u = [0.5] * (n + 6)",
        "u = [p] + [0.25 * s for s in range(n + 5)]",
    ),
    "v": ("v = [math.cos(q + s) for s in range(n + 6)]", "v = [0.75] * (n + 6)"),
    "A": (
        "A = [[math.sin(p * s + q * t) for t in range(n + 6)] for s in range(n + 6)]",
        "A = [[0.1 * s - 0.2 * t for t in range(n + 6)] for s in range(n + 6)]",
    ),
}
ENDS = (
    """\
    for s in range(n + 6):
        out += u[s] * math.sin(s + 1.0) + v[s] * v[s]
        for t in range(n + 6):
            out += A[s][t] * math.cos(2.0 * s + t)
""",
    "    out += u[n] * v[2] + A[n - 1][n]\n",
    "    for s in range(n):\n        out += u[s] * A[2][s] - v[s + 1]\n",
)


def recurrence(number: int) -> str:
    """The source with a number."""
    return _Source(random.Random(number)).text()


class _Source:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.is_matrix = rng.random() < 0.35
        self.stored = rng.choice("uv")
        self.found = False

    def text(self) -> str:
        for _ in range(self.rng.randint(1, 2)):
            self._loop("    ", [])
            if self.rng.random() < 0.4:
                self.lines.append("    " + self.rng.choice(COPIES[self.is_matrix]))
        head = [f"    {self.rng.choice(ways)}" for ways in STARTS.values()]
        lines = "\n".join([*head, *self.lines, "    out = p * q"])
        return f"{HEAD}{lines}\n{self.rng.choice(ENDS)}    return out\n"

    def _chance(self, share: float) -> bool:
        return self.rng.random() < share

    def _loop(self, indent: str, outer: list[str]) -> None:
        index = "ijk"[len(outer)]
        inner = [text.format(outer[-1]) for text in INNER] if outer else []
        bounds = self.rng.choice(inner or RANGES)
        self.lines.append(f"{indent}for {index} in range({bounds}):")
        self._statements(indent + "    ", [*outer, index], 0)

    def _statements(self, indent: str, names: list[str], arms: int) -> None:
        for _ in range(self.rng.randint(1, 2)):
            if self._chance(0.3):
                self._place(indent, names)
            kind = self.rng.random()
            if kind < 0.55 or len(names) + arms > 2:
                self._store(indent, names)
            elif kind < 0.65:
                one, two = self._element(names), self._element(names)
                self.lines.append(f"{indent}{one}, {two} = {two}, {one}")
            elif kind < 0.8:
                self._arm(indent, names, arms)
            else:
                self._loop(indent, names)

    def _place(self, indent: str, names: list[str]) -> None:
        """A place that an arm counts, or that is searched for."""
        name, self.found = self.rng.choice(names), True
        if self._chance(0.5):
            test = self.rng.choice((f"{name} > 1", f"{name} == 2", f"{name} != n"))
            less = self.rng.choice((f"{name} - 1", f"{name} + 1", "n - 1"))
            self.lines.append(f"{indent}m = {less} if {test} else {name}")
            return
        array, start = self.rng.choice("uv"), self.rng.choice(("m + 1", "0"))
        self.lines += [
            f"{indent}m = {name}",
            f"{indent}for s in range({start}, n):",
            f"{indent}    if {array}[s] > {array}[m]:",
            f"{indent}        m = s",
        ]

    def _store(self, indent: str, names: list[str]) -> None:
        place = self.rng.choice(names) + self.rng.choice(("", "", " + 1", " - 1"))
        target = f"{self.stored}[{place}]"
        if self.is_matrix:
            target = f"A[{names[0]}][{names[-1]}]"
        if self._chance(0.25):
            target = self._element(names)
        change = self.rng.choice(("=", "=", "+=", "-="))
        value = f"0.3 * math.tanh({self._value(names, 2)}) + 0.1 * q"
        self.lines.append(f"{indent}{target} {change} {value}")

    def _arm(self, indent: str, names: list[str], arms: int) -> None:
        name, relation = (
            self.rng.choice(names),
            self.rng.choice(["==", "!=", "<", ">", "<=", ">="]),
        )
        test = f"{name} {relation} {self.rng.choice([*names, '2', 'n - 1'])}"
        self.lines.append(f"{indent}if {test}:")
        self._statements(indent + "    ", names, arms + 1)
        if self._chance(0.5):
            self.lines.append(f"{indent}else:")
            self._statements(indent + "    ", names, arms + 1)

    def _index(self, names: list[str]) -> str:
        name = self.rng.choice(names)
        if self.found and self._chance(0.2):
            return "m"
        plain = [name, f"{name} + 1", f"{name} - 1", f"{name} - 2", f"{name} + 2"]
        return self.rng.choice([*plain, name, name, "0", "3", f"n - {name}"])

    def _element(self, names: list[str]) -> str:
        if self.is_matrix and self._chance(0.5):
            return f"A[{self._index(names)}][{self._index(names)}]"
        return f"{self.rng.choice('uv')}[{self._index(names)}]"

    def _value(self, names: list[str], depth: int) -> str:
        kind = self.rng.random()
        if not depth or kind < 0.45:
            return self._element(names)
        one, two = (self._value(names, depth - 1) for _ in range(2))
        if kind < 0.6:
            return f"math.sin({one})"
        return f"0.5 * {one} * {two}" if kind < 0.75 else f"({one} + {two} * p)"
