"""A new value of a carry has its name as soon as the old one is read no more."""

from __future__ import annotations

import pytest
from support import generate, load

LOOP = """\
# ad: jvp(x)
def f(x: float, q: float, n: int):
    for _ in range(n):
{body}
    return x
"""
# fmt: off
BODIES = {
    "twice":  ("x = x + q\nx = x * q\n", False),
    "old":    ("y = x\nx = x + q * q\nx = x * y\n", True),
    "test":   ("x = x + q * x\nif x > 2.0:\n    break\n", False),
}
# fmt: on


@pytest.mark.parametrize("name", BODIES)
def test_values_are_copied_only_where_the_old_one_is_read(name):
    body, copied = BODIES[name]
    source = LOOP.format(body="".join(f"        {s}\n" for s in body.splitlines()))
    text = generate(source)
    assert ("x_2" in text) is copied
    assert load(text)["f_jvp"](0.3, 1.0, 0.2, 5)[0] == load(source)["f"](0.3, 0.2, 5)
