"""Defaults are copied as text, and bring what they name."""

from __future__ import annotations

import math
from typing import Any

from ad_transform.options import Options
from ad_transform.run.job import transform
from ad_transform.run.printing import Origin

SOURCE = b"""\
import math as m

K = 2.0


# ad: gradient(x)
def f(x, y=K * 2, z=m.pi / 4):
    return x * y * z
"""


def test_defaults_bring_what_they_name() -> None:
    text = transform(SOURCE, "f.py", Origin("f.py", ""), Options()).text
    assert text is not None
    assert "(x: float, y: float = K * 2, z: float = math.pi / 4)" in text
    scope: dict[str, Any] = {}
    exec(text, scope)
    assert scope["f_grad"](0.5) == math.pi
