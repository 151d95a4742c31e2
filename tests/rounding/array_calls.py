"""Random programs of functions that take and give vectors, lists and matrices; and one
that is refused where all its functions are kept.
"""

from __future__ import annotations

import random

HEAD = "import math\n\nimport numpy as np\n\n\n"

ONE_OR_OTHER = """import numpy as np


def g(v, s):
    return np.array([a * s for a in v])


def h(v, s):
    if v[0] > 0.37:
        return 0.3 * v
    return g(v, s * 0.5)


# ad: MARK
def f(x: "Vector[n]", t: float):
    return np.sum(0.9 * h(x, t))
"""
"""Arms that give an array of numpy and, by a function that is kept, a list."""

# fmt: off
_ELEMENTS = (
    "V[i] * s + 0.1", "V[i] - s * W[i]", "V[i] * W[i] / 3.0", "s * V[i - 1] + W[i]",
    "V[i] / (2.5 + W[i] ** 2)", "math.sin(V[i]) + s",
    "0.7 * V[i] + V[len(V) - 1 - i] * s",
)
_WHOLES = (
    "V * s + 0.1 * W", "np.sin(V) - s", "V / (2.0 + W * W)", "V - np.sum(W) * s / 7.0",
    "0.3 * V + A @ W", "V * (W @ V)", "np.exp(-V * V) * s", "np.maximum(V, 0.1 * W)",
    "A.T @ V + W", "np.where(V > 0.3, V * s, W)",
)
_NUMBERS = ("V[0] * W[1] + s", "V @ W / 3.0", "np.sum(V * V) * s", "V[-1] - 0.3 * s",
            "math.cos(V[1]) * s")
_WAYS = ("zeros", "whole", "list", "number", "changed", "pair", "branch", "grown")
# fmt: on

_TEXTS = {
    "zeros": """    out = np.zeros(len(V))
    for i in range(len(V)):
        out[i] = ELEMENT
    return out
""",
    "whole": "    z = WHOLE\n    return NEXT\n",
    "list": "    return np.array([ELEMENT for i in range(len(V))])\n",
    "number": "    t = NUMBER\n    return t * 0.9 + s\n",
    "changed": """    for i in range(len(V)):
        V[i] = V[i] * 0.7 + s * W[i]
""",
    "pair": "    z = WHOLE\n    return 0.8 * NEXT, z[0] * 0.3 - s\n",
    "branch": """    if NUMBER > 0.37:
        return WHOLE
    z = WHOLE
    return NEXT
""",
    "grown": """    out = [s]
    for i in range(len(V)):
        out.append(out[i] * 0.4 + ELEMENT)
    return np.array(out[1:])
""",
}


class Cut:
    """A random program, cut into functions; every choice is the source's."""

    def __init__(self, source: random.Random, name: str) -> None:
        self.source = source
        self.name = name
        self.vectors: list[str] = []  # functions that give one vector
        self.others: list[tuple[str, str]] = []

    def text(self, mark: str) -> str:
        """The text of the functions, and of the marked one."""
        parts = [self._function(k) for k in range(self.source.randint(2, 4))]
        return "\n\n".join([*parts, f"# ad: {mark}\n{self._main()}"])

    def _filled(self, text: str) -> str:
        for word, given in (
            ("ELEMENT", _ELEMENTS), ("WHOLE", _WHOLES), ("NUMBER", _NUMBERS)
        ):  # fmt: skip
            while word in text:
                text = text.replace(word, self.source.choice(given), 1)
        while "NEXT" in text:
            call = "z"
            if self.vectors and self.source.random() < 0.7:
                call = f"{self.source.choice(self.vectors)}(z, W, s * 0.5, A)"
            text = text.replace("NEXT", call, 1)
        return text

    def _function(self, k: int) -> str:
        way = self.source.choice(_WAYS)
        name = f"{self.name}_{way}{k}"
        body = self._filled(_TEXTS[way]).replace("V", "v").replace("W", "w")
        text = f"def {name}(v, w, s, A):\n{body}"
        if way in ("number", "changed", "pair"):
            self.others.append((way, name))
        else:
            self.vectors.append(name)
        return text

    def _main(self) -> str:
        lines = [
            f'def {self.name}(x: "Vector[n]", A: "Matrix[n, n]", t: float, k: int):',
            "    v = x * 1.1",
            "    w = x.copy()",
            "    for _ in range(k):",
        ]
        calls = [*(("vector", n) for n in self.vectors), *self.others]
        self.source.shuffle(calls)
        for way, name in calls:
            one, other = self.source.sample(["v", "w"], 2)
            given = f"({one}, {other}, t, A)"
            if way == "vector":
                lines.append(f"        {one} = 0.9 * {name}{given}")
            elif way == "number":
                lines.append(f"        t = {name}{given} * 0.1")
            elif way == "pair":
                lines.append(f"        {one}, t = {name}{given}")
            else:
                lines.append(f"        u = [0.9 * a for a in {one}]")
                lines.append(f"        {name}(u, {other}, t, A)")
                lines.append(f"        {one} = np.array(u)")
        ends = ("v[0] + w[1] * t", "v @ w", "np.sum(v) - t", "v[0] * t, w[1]", "v * t")
        return "\n".join([*lines, f"    return {self.source.choice(ends)}", ""])
