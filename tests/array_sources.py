"""Random sources over arrays: writes, views, aliases, lists that grow, all of them end.

A source has a helper `h` that changes its argument, perhaps others that read theirs,
and a marked function `f` of two vectors, a float and an int. Values stay small and
operations smooth.
"""

from __future__ import annotations

import random
from collections.abc import Callable

FLOATS = ("a", "b", "c")
HELPER = """def h(z, t, j):
    z[j % len(z)] = math.tanh(t + z[0])
    z[0] *= 0.5
"""
HEAD = "import math\nimport numpy as np\n\n\n"
MARKED = '# ad: KIND\ndef f(x: "Vector[n]", y: "Vector[m]", a: float, k: int):\n'
RESULTS = ("a * b + c + sum(u1)", "u1", "(a + b, u1)", "u1[0] + x[-1] * c", "(u1, x)")

_TERMS = (
    ("math.tanh({x} * {y})", 5),
    ("math.sin({x} + {k})", 4),
    ("0.5 * {x} - {k} * {y}", 3),
    ("{x} / (1.5 + {y} * {y})", 2),
    ("0.1 * math.tanh(sum({u}))", 1),
    ("math.tanh(sum(v * {k} for v in {u}))", 1),
    ("math.tanh(sum(p * q for p, q in zip({u}, {w})))", 1),
    ("({x} if {y} > {k} else {k})", 2),
)
_NEW = (
    ("[0.5] * len({u})", "list"),
    ("list({u})", "list"),
    ("[v * v for v in {u}]", "list"),
    ("np.zeros(len({u}))", "array"),
    ("[{x}, {y}, 0.25]", "list"),
    ("[{u}[i] * {f} for i in range(len({u}))]", "list"),
)
_AGAIN = {
    "list": (
        "[v * 0.5 for v in {s}]",
        "{s}.copy()",
        "list({s})",
        "[p + {f} for p in {s}]",
    ),
    "array": ("{s}.copy()",),
}
_SLICES = (
    "{s}[1:] = {s}[:-1]",
    "{s}[:2] = {t}",
    "{s}[::-1] = {s}",
    "for t in {u}[1:]:\n{m}c = math.tanh(c + t)",
    "for t in {u}[::-1]:\n{m}b = math.tanh(b * 0.5 + t)",
)
_RANGES = (
    "range(len({u}))",
    "range(len({u}))",
    "range(k)",
    "range(3)",
    "range(1, len({u}))",
    "reversed(range(len({u})))",
)


class Writer:
    """Writes one function; `arrays` are its arrays, and what each of them is."""

    def __init__(self, seed: random.Random, size: int) -> None:
        self.random = seed
        self.size = size
        self.lines: list[str] = []
        self.arrays = {"x": "array", "y": "array"}
        self.indices: list[str] = []
        self.result = seed.choice(RESULTS)

    def function(self) -> str:
        """The whole function."""
        self.say(1, "b, c = 0.75 * a, a - 0.5")
        for _ in range(self.random.randint(1, 2)):
            self.new(1)
        self.suite(1)
        self.suite(1)
        self.say(1, f"return {self.result}")
        return MARKED + "\n".join(self.lines) + "\n"

    def say(self, depth: int, text: str) -> None:
        """One more statement."""
        self.lines.append("    " * depth + text)

    def array(self, *kinds: str) -> str:
        """An array, perhaps of a kind."""
        fit = [name for name, kind in self.arrays.items() if kind in (kinds or (kind,))]
        return self.random.choice(fit)

    def local(self) -> str:
        """A local array."""
        return self.random.choice([name for name in self.arrays if name[0] == "u"])

    def element(self) -> str:
        name = self.array()
        places = ["0", "-1", "1", f"k % len({name})"]
        if self.indices:
            index, by = self.random.choice(self.indices), self.random.randint(0, 2)
            places += [f"({index} + {by}) % len({name})"] * 3
        return f"{name}[{self.random.choice(places)}]"

    def atom(self) -> str:
        is_element = self.random.random() < 0.55
        return self.element() if is_element else self.random.choice(FLOATS)

    def fill(self, form: str, **more: str) -> str:
        """A form with names and numbers."""
        return form.format(
            x=self.atom(),
            y=self.atom(),
            u=self.array(),
            w=self.array(),
            f=self.random.choice(FLOATS),
            k=round(self.random.uniform(-0.9, 0.9), 2),
            **more,
        )

    def term(self) -> str:
        forms, weights = zip(*_TERMS, strict=True)
        return self.fill(self.random.choices(forms, weights)[0])

    def test(self) -> str:
        if self.indices and self.random.random() < 0.3:
            return f"{self.random.choice(self.indices)} % 2 == 0"
        return self.fill(self.random.choice(("{x} > {k}", "{x} < {y}")))

    def suite(self, depth: int) -> None:
        """A block of statements, which has one at least."""
        before = len(self.lines)
        self.some(depth)
        if len(self.lines) == before:
            self.say(depth, "pass")

    def some(self, depth: int) -> None:
        """A few statements."""
        for _ in range(self.random.randint(1, 3)):
            self.size -= 1
            self.random.choice(self._kinds(depth))(depth)
        if self.random.random() < 0.12:
            ways = ["break", "continue"] if self.indices else [f"return {self.result}"]
            self.say(depth, f"if {self.test()}:")
            self.say(depth + 1, self.random.choice(ways))

    def _kinds(self, depth: int) -> list[Callable[[int], None]]:
        kinds: list[Callable[[int], None]] = [self.assign, self.store, self.store]
        if depth < 4 and self.size > 0:
            kinds += [self.branch, self.count, self.count, self.each]
        if depth == 1 or self.random.random() < 0.3:
            kinds += [self.new, self.again, self.swap, self.grow, self.cut, self.help]
        return kinds

    # --- statements -------------------------------------------------------------------

    def assign(self, depth: int) -> None:
        self.say(depth, f"{self.random.choice(FLOATS)} = {self.term()}")

    def store(self, depth: int) -> None:
        sign = self.random.choice(("=", "=", "+=", "*=", "-="))
        self.say(depth, f"{self.element()} {sign} {self.term()}")

    def new(self, depth: int) -> None:
        """A new array, or another one for a name where only an arm would bind it."""
        if depth > 1:
            self.again(depth)
            return
        form, kind = self.random.choice(_NEW)
        name = f"u{len(self.arrays) - 1}"
        self.say(depth, f"{name} = {self.fill(form)}")
        self.arrays[name] = kind

    def again(self, depth: int) -> None:
        """Another array for a name, or an alias."""
        name = self.local()
        source = self.array(self.arrays[name])
        forms = (*_AGAIN[self.arrays[name]], "{s}")
        self.say(depth, f"{name} = {self.fill(self.random.choice(forms), s=source)}")

    def swap(self, depth: int) -> None:
        one = self.local()
        other = self.random.choice(
            [
                n
                for n in self.arrays
                if n[0] == "u" and self.arrays[n] == self.arrays[one]
            ]
        )
        self.say(depth, f"{one}, {other} = {other}, {one}")

    def grow(self, depth: int) -> None:
        if "list" in self.arrays.values():
            self.say(depth, f"{self.array('list')}.append({self.term()})")

    def cut(self, depth: int) -> None:
        margin = "    " * (depth + 1)
        own = {"s": self.array("array"), "t": self.term(), "m": margin}
        self.say(depth, self.fill(self.random.choice(_SLICES), **own))

    def help(self, depth: int) -> None:
        place = self.random.choice(("k", "1", "0"))
        self.say(depth, f"h({self.array()}, {self.term()}, {place})")

    def branch(self, depth: int) -> None:
        self.say(depth, f"if {self.test()}:")
        self.suite(depth + 1)
        if self.random.random() < 0.5:
            self.say(depth, "else:")
            self.suite(depth + 1)

    def count(self, depth: int) -> None:
        self.loop(depth, "{i}", self.fill(self.random.choice(_RANGES)))

    def each(self, depth: int) -> None:
        """A `for` over an array; one over a list that grows would not end."""
        name = self.array()
        over = name if self.arrays[name] == "array" else f"list({name})"
        value = self.random.choice(FLOATS)
        if self.random.random() < 0.5:
            self.loop(depth, f"{{i}}, {value}", f"enumerate({over})")
        else:
            self.loop(depth, f"{{i}}, ({value}, t)", f"enumerate(zip({over}, {over}))")

    def loop(self, depth: int, target: str, over: str) -> None:
        index = f"i{len(self.indices)}"
        self.say(depth, f"for {target.format(i=index)} in {over}:")
        self.indices.append(index)
        self.suite(depth + 1)
        self.indices.pop()


def source(number: int, size: int = 10) -> str:
    """The source with a number; the same on every machine."""
    return f"{HEAD}{HELPER}\n\n{Writer(random.Random(number), size).function()}"


READERS = """def g(z, t, w):
    s = t
    for v in z:
        if v > 0.9:
            return s * w[-1]
        s = math.tanh(s * w[0] + v)
    return s * z[-1]


def r(z, t):
    new = [0.0] * len(z)
    for i in range(len(z)):
        new[i] = math.tanh(z[i] * t)
    return new, g(new, t, z)


def s(z, i):
    if i >= len(z):
        return 0.5
    return math.tanh(z[i] * s(z, i + 1) + z[0])


"""
_CALLS = ("g({u}, {x}, {w})", "s({u}, {j})", "g({u}, {f}, {u})", "g({u}[:2], {y}, {w})")


class Caller(Writer):
    """Writes a function that calls those that read arrays."""

    def term(self) -> str:
        if self.random.random() > 0.4:
            return super().term()
        return self.fill(self.random.choice(_CALLS), j=self.random.choice("k01"))

    def new(self, depth: int) -> None:
        if depth > 1 or self.random.random() > 0.6:
            super().new(depth)
            return
        name = f"u{len(self.arrays) - 1}"
        self.say(depth, f"{name}, b = " + self.fill("r({u}, {x})"))
        self.arrays[name] = "list"


def calling_source(number: int, size: int = 8) -> str:
    """The source with a number whose function calls others that read arrays."""
    made = Caller(random.Random(number), size).function()
    return f"{HEAD}{HELPER}\n\n{READERS}{made}"
