"""What has no tangent adds none to an element."""

from __future__ import annotations

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import generate, load

HEAD = '# ad: jvp(w), hvp(w)\ndef f(w: "Vector[n]", k: int):\n'
BEGIN = "    y = [v * v for v in w]\n"
SOURCES = {
    "in a line": BEGIN + "    y[k] += 2.0\n",
    "in trips": BEGIN + "    for i in range(3):\n        y[i] -= 2.0\n",
    "in an arm": BEGIN + "    if k > 0:\n        y[k] += 2.0\n",
    "to a part": "    y = w * w\n    y[1:] += 2.0\n",
}
END = "    s = 0.0\n    for v in y:\n        s += v * v\n    return s - y[k]\n"


@pytest.mark.parametrize("body", SOURCES.values(), ids=SOURCES)
def test_nothing_is_added_to_a_tangent(body: str) -> None:
    source = HEAD + body + END
    text = generate(source, **ANY_ORDER)
    assert "+= 0.0\n" not in text and "-= 0.0\n" not in text
    model, made = load(source)["f"], load(text)
    w, w_dot = np.array([0.5, -1.25, 0.75]), np.array([0.25, 0.5, -1.0])
    for k in (0, 2):
        ends = [model(w + h * w_dot, k) for h in (-1e-6, 1e-6)]
        value, tangent = made["f_jvp"](w, w_dot, k)
        assert value == model(w, k)
        assert tangent == pytest.approx((ends[1] - ends[0]) / 2e-6, rel=1e-7)
