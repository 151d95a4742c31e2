"""What is computed before a branch is not computed again in its arms."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from support import flat, generate, jacobian, load, load_exact

HEAD = "import math\n\n\n# ad: gradient(x, y)\ndef f(x: float, y: float, n: int):\n"
# fmt: off
BODIES = {
    "an arm":     "u = math.exp(x) - y\n"
                  "if u > 0.5:\n    return math.exp(x) * u\nreturn u",
    "both arms":  "u = math.exp(x) - y\n"
                  "if u > 0.5:\n    v = math.exp(x) * y\n"
                  "else:\n    v = y / math.exp(x)\nreturn u * v",
    "turned":     "u = math.exp(x * y)\n"
                  "if u > 1.5:\n    u = u * math.exp(y * x)\nreturn u",
    "inside":     "u = math.exp(x)\n"
                  "if y > 0.2:\n    if u > 1.0:\n        u = u * math.exp(x)\n"
                  "    else:\n        u = u + y\nreturn u * y",
    "in a trip":  "s = y\nfor k in range(n):\n"
                  "    u = math.exp(-s)\n"
                  "    if u < 0.9:\n        s = s + math.exp(-s) * x\n"
                  "    else:\n        s = s * 2.0\nreturn s",
    "changed":    "u = math.exp(x)\nx = x * y\n"
                  "if u > 0.5:\n    u = u + math.exp(x) * math.exp(x)\nreturn u",
}
# fmt: on
CALLS = dict.fromkeys(BODIES, 1) | {"changed": 2}


def source(name: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in BODIES[name].splitlines())


@pytest.mark.parametrize("name", BODIES)
def test_it_is_computed_once_and_right(name):
    text = generate(source(name), **ANY_ORDER)
    forth = text[text.index("def f_grad") :].split("_bar = ")[0]
    assert forth.count("exp(") == CALLS[name]
    made, exact = load(text)["f_grad"], load_exact(source(name))["f"]
    for x, y in ((0.3, 0.7), (-0.4, 0.9), (1.2, 0.1)):
        point = {"x": x, "y": y, "n": 3}
        (row,) = jacobian(exact, point, ("x", "y"))
        assert flat(made(**point)) == pytest.approx([float(e) for e in row], rel=1e-13)
