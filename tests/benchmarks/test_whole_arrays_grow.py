"""Gradients of whole arrays cost as many times the value at any length.

Each ratio is measured at a hundred and at ten thousand elements. Where a person would
write the gradient in a line of numpy, it is measured against that, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from measuring import seconds
from support import generate, load

# fmt: off
BODIES: dict[str, str] = {
    "dot": "return x @ y",
    "items": "t = 0.0\nfor v in x * y:\n    t += v * v\nreturn t",
    "zip": "return sum(v * w for v, w in zip(x * 2.0, y + 1.0))",
    "enumerate": "t = 0.0\nfor i, v in enumerate(x * y):\n    t += v * i\nreturn t",
    "index": "z = x * y\nt = 0.0\nfor i in range(len(x)):\n    t += z[i]**2\nreturn t",
    "writes": "z = np.zeros(len(x))\nfor i in range(len(x)):\n    z[i] = x[i] * y[i]\n"
              "return np.sum(z * x)",
    "changes": "z = x * y\nfor i in range(1, len(x)):\n    z[i] += z[i - 1] * 0.5\n"
               "return np.sum(z * x)",
    "recurrence": "z = np.zeros_like(x)\nfor i in range(1, len(x)):\n"
                  "    z[i] = 0.5 * z[i - 1] + x[i] * y[i]\nreturn z @ z",
    "stencil": "u = x.copy()\nfor _ in range(9):\n"
               "    u[1:-1] += 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])\nreturn u @ y",
    "logistic": "return np.mean(np.logaddexp(0.0, -y * x)) + np.sum(x**2)",
    "norm": "return np.linalg.norm(x - y) * np.max(x)",
    "where": "return np.sum(np.where(x > y, x * y, x - y))",
    "mask": "z = x * y\nz[z > 0.5] = 0.1\nreturn z @ x",
    "masked": "return np.sum(x[x > 0.5] ** 2 * y[x > 0.5])",
    "taken": "return np.sum(x[np.argsort(y)] * y)",
    "sort": "return np.sum(np.sort(x) * y)",
    "median": "return np.median(x * y)",
    "cumsum": "return np.sum(np.cumsum(x) * y)",
    "diff": "return np.sum(np.diff(x) ** 2 * y[1:])",
    "interp": "return np.sum(np.interp(y, np.cumsum(x * x + 0.1), x))",
    "roll": "return np.sum(np.roll(x, 1) * y)",
    "join": "return np.sum(np.concatenate((x, y)) ** 2)",
    "reverse": "return np.sum(x[::-1] * y)",
    "spread": "return np.std(x) + np.var(y)",
    "while": "t, i = 0.0, 0\nwhile i < len(x):\n    t += x[i] * y[i]\n    i += 1\n"
             "return t",
    "rows": "z = np.stack([x, y])\nt = 0.0\nfor i in range(len(x)):\n"
            "    t += z[0, i] * z[1, i]\nreturn t",
    "list": "s = []\nfor v in x * y:\n    s.append(v * v)\nreturn sum(s)",
    "slices": "t = 0.0\nfor i in range(0, len(x) - 5, 5):\n"
              "    t += np.sum(x[i:i + 5] * y[i:i + 5])\nreturn t",
    "least": "z = x * y\nt = 0.0\nfor i in range(len(z)):\n    t += min(z[i], x[i])\n"
             "return t",
    "branch": "z = x + y\nt = 0.0\nfor i in range(len(z)):\n    if z[i] > 0.5:\n"
              "        t += z[i] * x[i]\nreturn t",
}
BY_HAND: dict[str, str] = {
    "dot": "return y.copy(), x.copy()",
    "logistic": "t = -y * x\ns = -np.exp(t - np.logaddexp(0.0, t)) / len(x)\n"
                "return s * y + 2.0 * x, s * x",
    "mask": "z = x * y\nm = z > 0.5\nb = np.where(m, 0.0, x)\nz[m] = 0.1\n"
            "return z + b * y, b * x",
    "taken": "k = np.argsort(y)\nb = np.zeros_like(x)\nb[k] = y\nreturn b, x[k]",
    "cumsum": "return np.cumsum(y[::-1])[::-1], np.cumsum(x)",
    "roll": "return np.roll(y, -1), np.roll(x, 1)",
}
# fmt: on


def written(name: str, body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f'def {name}(x: "Vector[n]", y: "Vector[n]"):\n{lines}'


def gradient(name: str) -> tuple[Any, Any]:
    """The function and its gradient."""
    source = f"import numpy as np\n\n\n# ad: gradient\n{written('f', BODIES[name])}"
    return load(source)["f"], load(generate(source, effort=0))["f_grad"]


def arguments(count: int) -> tuple[Any, Any]:
    k = np.arange(count)
    return 0.55 + 0.4 * np.sin(k), 0.55 + 0.4 * np.cos(3.0 * k)


@pytest.mark.parametrize("name", BODIES)
def test_a_gradient_grows_as_its_value_does(name: str) -> None:
    value, slope = gradient(name)
    ratios = []
    for count in (100, 10_000):
        at = arguments(count)
        one, other = seconds((slope, at), (value, at))
        ratios.append(other and one / other)
    print(f"{name}: {ratios[0]:.1f} times the value at 100, {ratios[1]:.1f} at 10,000")
    assert ratios[1] <= max(3.0 * ratios[0], 6.0) * 1.2


@pytest.mark.parametrize("name", BY_HAND)
def test_a_gradient_costs_what_one_by_hand_costs(name: str) -> None:
    _, slope = gradient(name)
    by_hand = load("import numpy as np\n\n\n" + written("g", BY_HAND[name]))["g"]
    at = arguments(10_000)
    assert np.allclose(np.stack(slope(*at)), np.stack(by_hand(*at)), rtol=1e-10)
    one, other = seconds((slope, at), (by_hand, at))
    print(f"{name}: {one / other:.2f} times the gradient by hand")
    assert one <= 2.0 * other
