"""Random sources with lists that loops fill and read item by item.

Lists made by comprehensions, by `append` and in place, loops that read the items of
earlier ones, their own item or that of a neighbour, sums of items, arms; some of it in
a loop around, which adds up.

    text = elementwise(7)  # def f(p: float, q: float, n: int) -> float
"""

from __future__ import annotations

import random

HEAD = """\
import math


def f(p: float, q: float, n: int) -> float:
    out = p * q
    u = [0.2 * p + 0.1 * s for s in range(n)]
    v = [math.cos(q + s) for s in range(n)]
    s0 = 0.5
"""
RANGES = ("n", "n", "n", "len({one})", "n - 1, -1, -1", "1, n", "n - 1")


def elementwise(number: int) -> str:
    """The source with a number."""
    return _Source(random.Random(number)).text()


class _Source:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.lists = ["u", "v"]
        self.sums = ["s0"]

    def text(self) -> str:
        for _ in range(self.rng.randint(0, 2)):
            self._step("    ")
        if self._chance(0.5):
            lists, sums = list(self.lists), list(self.sums)
            self.lines.append("    for r in range(1, 4):")
            for _ in range(self.rng.randint(2, 4)):
                self._step("        ")
            self.lines.append(f"        out += {self._scalar()} * {self._scalar()}")
            self.lists, self.sums = lists, sums
        for _ in range(self.rng.randint(1, 3)):
            self._step("    ")
        one = self.rng.choice(self.lists)
        self.lines.append(f"    for x in {one}:")
        self.lines.append("        out += 0.5 * x * x - x")
        if self._chance(0.4):
            self.lines.append(f"    out += {self.rng.choice(self.lists)}[n - 1]")
        return (
            f"{HEAD}" + "\n".join(self.lines) + f"\n    return out + {self._scalar()}\n"
        )

    def _chance(self, share: float) -> bool:
        return self.rng.random() < share

    def _scalar(self) -> str:
        return self.rng.choice([*self.sums, *self.sums, "p", "q"])

    def _step(self, indent: str) -> None:
        steps = (self._made, self._grown, self._filled, self._changed, self._summed)
        self.rng.choice((*steps, self._filled, self._summed))(indent)

    def _name(self) -> str:
        return "abcdeghijk"[len(self.lists) - 2] + "_"

    def _made(self, indent: str) -> None:
        one, name = self.rng.choice(self.lists), self._name()
        if self._chance(0.5):
            self.lines.append(f"{indent}{name} = [{self._of(['x'])} for x in {one}]")
        else:
            two = self.rng.choice(self.lists)
            value = self._of(["x", "y"])
            self.lines.append(
                f"{indent}{name} = [{value} for x, y in zip({one}, {two})]"
            )
        self.lists.append(name)

    def _grown(self, indent: str) -> None:
        name = self._name()
        self.lines += [f"{indent}{name} = []", f"{indent}for i in range(n):"]
        self.lines.append(f"{indent}    {name}.append({self._of(self._items())})")
        self.lists.append(name)

    def _filled(self, indent: str) -> None:
        name = self._name()
        start = self.rng.choice(("[0.0] * n", "[0.25] * n", "[p] * n"))
        self.lines.append(f"{indent}{name} = {start}")
        self._loop(indent, name, "=")
        self.lists.append(name)

    def _changed(self, indent: str) -> None:
        self._loop(indent, self.rng.choice(self.lists), self.rng.choice(("+=", "=")))

    def _loop(self, indent: str, name: str, change: str) -> None:
        bounds = self.rng.choice(RANGES).format(one=self.rng.choice(self.lists))
        self.lines.append(f"{indent}for i in range({bounds}):")
        value = self._of(self._items())
        if self._chance(0.25):
            self.lines.append(f"{indent}    if {self._test()}:")
            self.lines.append(f"{indent}        {name}[i] {change} {value}")
            if self._chance(0.5):
                self.lines.append(f"{indent}    else:")
                other = self._of(self._items())
                self.lines.append(f"{indent}        {name}[i] {change} {other}")
            return
        self.lines.append(f"{indent}    {name}[i] {change} {value}")
        if self._chance(0.3):
            other = self.rng.choice(self.lists)
            self.lines.append(f"{indent}    {other}[i] += 0.1 * {name}[i]")

    def _summed(self, indent: str) -> None:
        name = f"s{len(self.sums)}"
        value = self._of(self._items())
        if self._chance(0.3):
            one, two = (self.rng.choice(self.lists) for _ in range(2))
            self.lines.append(
                f"{indent}{name} = sum(x * y for x, y in zip({one}, {two}))"
            )
        else:
            bounds = self.rng.choice(RANGES).format(one=self.rng.choice(self.lists))
            self.lines += [
                f"{indent}{name} = 0.0",
                f"{indent}for i in range({bounds}):",
            ]
            self.lines.append(f"{indent}    {name} += {value}")
        self.sums.append(name)

    def _test(self) -> str:
        one = self.rng.choice(self.lists)
        return self.rng.choice((f"{one}[i] > 0.3", "i > 1", "i != 2", f"{one}[i] < q"))

    def _items(self) -> list[str]:
        """Items at the index, and now and then at another one."""
        made = [f"{self.rng.choice(self.lists)}[i]" for _ in range(3)]
        if self._chance(0.2):
            other = self.rng.choice(("i - 1", "n - 1 - i", "0", "-1"))
            made.append(f"{self.rng.choice(self.lists)}[{other}]")
        return made

    def _of(self, items: list[str]) -> str:
        one, two = self.rng.choice(items), self.rng.choice([*items, self._scalar()])
        return self.rng.choice(
            (
                f"math.tanh({one} * {two})",
                f"0.5 * {one} - {two}",
                f"{one} / (1.5 + {two} * {two})",
                f"math.sin({one}) * {self._scalar()}",
                f"{one} * {one} + 0.1 * {two}",
            )
        )
