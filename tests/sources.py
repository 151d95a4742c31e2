"""Random structured sources: branches, loops, exits and helpers, all of which end.

Every source has functions `h0`, `h1` ... and a marked function `f` of three floats and
an int. Values stay small and operations are smooth, so that derivatives exist but where
a condition is met to the bit.
"""

from __future__ import annotations

import random
from collections.abc import Callable

FLOATS = ("a", "b", "c", "d")
WHOLES = ("i", "j")

_TERMS = (
    "{x} * {y}",
    "{x} + {y}",
    "{x} - {k} * {y}",
    "math.sin({x} + {y})",
    "math.tanh({x}) * {y}",
    "{x} / (1.5 + {y} * {y})",
    "({x} if {t} else {y})",
    "abs({x}) - {y}",
    "max({x}, {k} * {y})",
    "{k} * {w} + {x}",
)
_TESTS = (
    "{x} > {k}",
    "{x} < {y}",
    "{k} < {x} <= {y} + 1.0",
    "{w} % 2 == 1",
    "{w} > 1 and {x} > {y}",
    "not {x} > {k} or {y} > 0.1",
    "{w}",
)


class Writer:
    """Writes one function; `helpers` may be called."""

    def __init__(self, seed: random.Random, helpers: tuple[str, ...]) -> None:
        self.random = seed
        self.helpers = helpers
        self.lines: list[str] = []
        self.counters = 0
        self.size = 0

    def function(self, name: str, parameters: str, size: int) -> list[str]:
        """The lines of a function with about `size` statements."""
        self.size = size
        self.lines = [f"def {name}({parameters}):"]
        self.say(1, "c, d, i, j = 0.75 * a, b - 0.5 * a, n, 1")
        self.suite(1, 0, False)
        self.say(1, f"return {self.term()} + d * {self.pick(FLOATS)}")
        return self.lines

    def say(self, depth: int, text: str) -> None:
        """One more line."""
        self.lines.append("    " * depth + text)

    def pick(self, names: tuple[str, ...]) -> str:
        """One of some names."""
        return self.random.choice(names)

    def fill(self, form: str) -> str:
        """A form with names and numbers."""
        test = ""
        if "{t}" in form:
            test = self.fill(self.pick(_TESTS[:4]))
        return form.format(
            x=self.pick(FLOATS),
            y=self.pick(FLOATS),
            w=self.pick(WHOLES),
            k=round(self.random.uniform(-0.9, 0.9), 2),
            t=test,
        )

    def term(self) -> str:
        """A float."""
        if self.helpers and self.random.random() < 0.15:
            given = f"{self.pick(FLOATS)}, {self.pick(FLOATS)}, {self.pick(WHOLES)} % 3"
            return f"{self.pick(self.helpers)}({given})"
        return f"math.tanh({self.fill(self.pick(_TERMS))})"

    def test(self) -> str:
        """A condition."""
        return self.fill(self.pick(_TESTS))

    def suite(self, depth: int, loops: int, last: bool) -> None:
        """A block of statements; `loops` are those around it."""
        for _ in range(self.random.randint(1, 3)):
            self.size -= 1
            kinds = self._kinds(depth, loops)
            self.random.choice(kinds)(depth, loops)
        if last and self.random.random() < 0.3:
            self.exit(depth, loops)

    def _kinds(self, depth: int, loops: int) -> list[Callable[[int, int], None]]:
        kinds: list[Callable[[int, int], None]] = [self.assign, self.assign, self.whole]
        if self.size > 0 and depth < 5:
            kinds += [self.branch, self.branch, self.leave]
            if loops < 2:
                kinds += [self.count, self.repeat, self.each]
        return kinds

    # --- statements -------------------------------------------------------------------

    def assign(self, depth: int, loops: int) -> None:
        """A float, or two at once."""
        if self.random.random() < 0.2:
            x, y = self.random.sample(FLOATS, 2)
            self.say(depth, f"{x}, {y} = {y}, {self.term()}")
        else:
            sign = self.pick(("=", "=", "+=", "*="))
            self.say(depth, f"{self.pick(FLOATS)} {sign} {self.term()}")

    def whole(self, depth: int, loops: int) -> None:
        """A whole number, small."""
        x, y = self.pick(WHOLES), self.pick(WHOLES)
        self.say(depth, f"{x} = ({y} * 3 + {self.random.randint(0, 3)}) % 5")

    def branch(self, depth: int, loops: int) -> None:
        """An `if` with arms."""
        self.say(depth, f"if {self.test()}:")
        self.suite(depth + 1, loops, True)
        for _ in range(self.random.choice((0, 0, 1))):
            self.say(depth, f"elif {self.test()}:")
            self.suite(depth + 1, loops, True)
        if self.random.random() < 0.5:
            self.say(depth, "else:")
            self.suite(depth + 1, loops, True)

    def leave(self, depth: int, loops: int) -> None:
        """A guard."""
        self.say(depth, f"if ({self.test()}) and {self.pick(FLOATS)} > 0.2:")
        self.exit(depth + 1, loops)

    def exit(self, depth: int, loops: int) -> None:
        """A way out."""
        kinds = ["return {}"] if not loops else ["return {}", "break", "continue"]
        self.say(depth, self.random.choice(kinds).format(self.term()))

    def count(self, depth: int, loops: int) -> None:
        """A `for` over a range."""
        ends = ("3", "i", "n + 2", "12", "1, j + 3", "4, i, -1", "0, 9, j + 1")
        name = self.random.choice(("i", "j", "k"))
        self.say(depth, f"for {name} in range({self.pick(ends)}):")
        self.suite(depth + 1, loops + 1, True)
        self._else(depth, loops)

    def each(self, depth: int, loops: int) -> None:
        """A `for` over a tuple."""
        self.say(depth, f"for {self.pick(FLOATS)} in (a, {self.term()}, 0.5):")
        self.suite(depth + 1, loops + 1, True)
        self._else(depth, loops)

    def repeat(self, depth: int, loops: int) -> None:
        """A `while`, which ends after a few trips."""
        self.counters += 1
        counter = f"w{self.counters}"
        self.say(depth, f"{counter} = 0")
        self.say(depth, f"while {counter} < 4 and ({self.test()}):")
        self.say(depth + 1, f"{counter} += 1")
        self.suite(depth + 1, loops + 1, True)
        self._else(depth, loops)

    def _else(self, depth: int, loops: int) -> None:
        if self.random.random() < 0.25:
            self.say(depth, "else:")
            self.suite(depth + 1, loops, False)


MARK = "gradient(a, b, c, value=True)"


def source(number: int, size: int = 12) -> str:
    """The source with a number; the same on every machine."""
    seed = random.Random(number)
    helpers: tuple[str, ...] = ()
    lines = ["import math", ""]
    for k in range(seed.randint(0, 2)):
        lines += Writer(seed, helpers).function(f"h{k}", "a, b, n", size // 3)
        helpers = (*helpers, f"h{k}")
    main = Writer(seed, helpers).function(
        "f", "a: float, b: float, c: float, n: int", size
    )
    main[1] = main[1].replace("c, d, i, j = 0.75 * a, ", "d, i, j = ")
    return "\n".join([*lines, f"# ad: {MARK}", *main]) + "\n"
