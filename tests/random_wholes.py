"""Random functions with whole arrays: expressions, changes, loops and arms."""

from __future__ import annotations

import random

Shape = tuple[str, ...]

HEAD = (
    'def {name}(x: "Vector[n]", z: "Vector[m]", A: "Matrix[m, n]", S: "Matrix[n, n]", '
    "t: float, k: int):\n"
)
PARAMETERS: dict[str, Shape] = {
    "x": ("n",),
    "z": ("m",),
    "A": ("m", "n"),
    "S": ("n", "n"),
    "t": (),
}
ONE = ["np.sin({})", "-{}", "{}**2", "np.tanh({})", "np.exp(-0.3*{})", "abs({})"]
TWO = ["{}+{}", "{}-{}", "{}*{}", "{}/(2.0+{}**2)", "np.hypot({},{}+3.0)"]
SIMPLE = {
    (): "t",
    ("n",): "x",
    ("m",): "z",
    ("m", "n"): "A",
    ("n", "n"): "S",
    ("n", "m"): "A.T",
    ("m", "m"): "np.outer(z, z)",
    ("1",): "x[:1]",
}
# What gives an array of a shape (of rows a, of columns b; c is another length).
MADE: dict[int, list[tuple[str, tuple[str, ...]]]] = {
    0: [
        ("np.sum({})", ("a",)),
        ("{}@{}", ("a", "a")),
        ("np.max({})", ("ab",)),
        ("np.median({})", ("a",)),
        ("np.sum({0}[{0}>0.3])", ("ab",)),
    ],
    1: [
        ("np.sum({},axis=0)", ("ca",)),
        ("np.mean({},axis=1)", ("ac",)),
        ("{}@{}", ("ac", "c")),
        ("{}@{}", ("c", "ca")),
        ("np.cumsum({})", ("a",)),
        ("{}[::-1]", ("a",)),
        ("{}[-1]", ("ca",)),
        ("{}[:,k-1]", ("ac",)),
        ("np.concatenate([{}[1:],{}])", ("a", "1")),
        ("np.roll({},k)", ("a",)),
        ("np.sort({})", ("a",)),
        ("{}[np.argsort({})]", ("a", "a")),
        ("{}[:,[-1,0]][:,k-1]", ("ac",)),
    ],
    2: [
        ("{}.T", ("ba",)),
        ("{}@{}", ("ac", "cb")),
        ("np.outer({},{})", ("a", "b")),
        ("({}[:,None]-{})", ("a", "b")),
        ("({}*np.sum({},axis=1,keepdims=True))", ("ab", "ac")),
        ("np.where({}>0.4,{},0.5)", ("ab", "ab")),
    ],
}


class Program:
    """One function; `names` are the values that it has by now, with their shapes."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = dict(PARAMETERS)
        self.own: list[str] = []

    def text(self, name: str) -> str:
        body = self.statements(4, "    ", 2)
        result = self.value(self.shape(), 3)
        given = " + ".join(["t", *(f"np.sum({own})" for own in self.own)])
        return f"{HEAD.format(name=name)}{body}    return {result}, {given}\n"

    def shape(self) -> Shape:
        return self.random.choice(list(SIMPLE)[:5])

    def value(self, shape: Shape, depth: int) -> str:
        held = [name for name, own in self.names.items() if own == shape]
        if depth <= 0:
            return self.random.choice(held) if held else SIMPLE[shape]
        kind = self.random.random()
        if kind < 0.25:
            return f"({self.random.choice(ONE).format(self.value(shape, depth - 1))})"
        if kind < 0.55:
            both = [self.value(shape, depth - 1), self.value(self.smaller(shape), 1)]
            self.random.shuffle(both)
            return f"({self.random.choice(TWO).format(*both)})"
        if shape == ("1",):
            return SIMPLE[shape]
        form, needs = self.random.choice(MADE[len(shape)])
        lengths = dict(zip("ab", (*shape, "n", "m"), strict=False))
        lengths |= {"c": self.random.choice("nm"), "1": "1"}
        parts = (tuple(lengths[letter] for letter in need) for need in needs)
        return f"({form.format(*(self.value(part, depth - 1) for part in parts))})"

    def smaller(self, shape: Shape) -> Shape:
        """A shape that is broadcast to another."""
        return self.random.choice([shape, shape, (), shape[1:]])

    def statements(self, count: int, indent: str, depth: int) -> str:
        return "".join(self.statement(indent, depth) for _ in range(count))

    def statement(self, indent: str, depth: int) -> str:
        kind = self.random.random()
        if not self.own or (depth == 2 and kind < 0.4):
            return self.bound(indent)
        if depth and kind < 0.6:
            return self.nested(indent, depth)
        name = self.random.choice(self.own)
        shape = self.names[name]
        sign = self.random.choice(["+=", "-=", "*= np.cos"])
        places = ["", "[1:]", "[0]", "[::2]", "[:-1]", "[[0,-1,0]]", f"[{name}>0.2]"]
        part = self.random.choice(places)
        new = self.value(shape, 1)
        return f"{indent}{name}{part} {sign}({new}{part})\n"

    def bound(self, indent: str) -> str:
        name, shape = f"v{len(self.own)}", self.random.choice(list(SIMPLE)[1:5])
        line = f"{indent}{name} = 1.1 * {self.value(shape, 3)}\n"
        self.names[name] = shape
        self.own.append(name)
        return line

    def nested(self, indent: str, depth: int) -> str:
        head = self.random.choice(["for i in range(k)", "if t > 0.5", "if k > 1"])
        inner = self.statements(2, f"{indent}    ", depth - 1)
        return f"{indent}{head}:\n{inner}"
