"""Arrays whose expressions are too long for a line are returned as they are."""

from __future__ import annotations

import black
import numpy as np
import pytest
from amounts import NUMBERS
from support import generate, load

BODIES = [
    "return np.roll(x, 1) - 2.0 * x + np.roll(x, -1) + x ** 3",
    "return np.roll(x, 1) * np.roll(x, 2) + np.roll(x, -1) ** 2 + x ** 3 - np.cos(x)",
    "return 3.0 * np.roll(x, 1) + np.roll(x, -1) - 2.0 * np.roll(x, 2) + np.sin(x)",
]


@pytest.mark.parametrize("body", BODIES)
def test_matrices_have_two_axes(body: str) -> None:
    text = "import numpy as np\n\n\n# ad: jacobian(x), jvp(x), vjp(x)\n"
    text += f'def f(x: "Vector[n]"):\n    {body}\n'
    output = generate(text, **NUMBERS)
    assert black.format_str(output, mode=black.Mode()) == output
    made, plain, x = load(output), load(text)["f"], np.linspace(0.1, 0.9, 5)
    J, h = made["f_jac"](x), 1e-6 * np.eye(5)
    slopes = [(plain(x + d) - plain(x - d)) / 2e-6 for d in h]
    assert J.shape == (5, 5) and np.allclose(J, np.array(slopes).T, atol=1e-8)
    value, tangent = made["f_jvp"](x, h[1] * 1e6)
    assert value.shape == tangent.shape == (5,) and np.allclose(tangent, J[:, 1])
    assert np.allclose(made["f_vjp"](x, np.cos(x))[1], np.cos(x) @ J)


def test_gradients_beside_values_have_one_axis() -> None:
    body = "s = float(np.sum(a * x ** 3)) + b @ np.sin(x) + c @ np.cos(x)"
    text = "import numpy as np\n\n\n# ad: gradient(x, value=True), gradient(x)\n"
    names = "long_name_of_weights", "long_name_of_offsets", "long_name_of_scales"
    given = "".join(f', {name}: "Vector[n]"' for name in names)
    for short, name in zip("abc", names, strict=True):
        body = body.replace(f"{short} @", f"{name} @").replace(
            f"{short} *", f"{name} *"
        )
    text += f'def f(x: "Vector[n]"{given}):\n    {body}\n    return s\n'
    output = generate(text, **NUMBERS)
    assert black.format_str(output, mode=black.Mode()) == output
    made, x = load(output), np.linspace(0.1, 0.9, 5)
    wanted = 3.0 * x**2 + np.cos(x) - np.sin(x)
    ones = (np.ones(5),) * 3
    assert made["f_grad"](x, *ones).shape == (5,)
    found = made["f_value_and_grad"](x, *ones)[1]
    assert found.shape == (5,) and np.allclose(found, wanted, rtol=1e-14)
