"""Dicts and sets that begin with keys that are written out."""

from __future__ import annotations

import pytest
from amounts import NUMBERS
from support import generate, load

BODIES = {
    """
    seen = {0}
    for i in range(n):
        seen.add(i * i % 7)
    return x * len(seen) if 4 in seen else x * x
""": "seen = {0: 0}",
    """
    seen = {1, 2}
    for i in range(n):
        if i * i % 7 not in seen:
            seen.add(i * i % 7)
            x = x * 1.5
    return x * x
""": "seen = {1, 2}",
    """
    seen = {n}
    for i in range(n):
        if i * i % 7 not in seen:
            seen.add(i * i % 7)
            x = x * 1.5
    return x * x
""": "seen: set[int] = set()\n    seen.add(n)\n",
    """
    memo = {0: 1.0, 1: x}
    for k in range(2, n):
        memo[k * k % 50] = memo[0] * x + memo[1]
    return sum(memo.values())
""": "memo_key = {0: 0, 1: 1}\n    memo_value = [1.0, x]\n",
    """
    memo = {"a": x, "b": 2.0}
    for k in range(n):
        name = "abc"[k % 3]
        memo[name] = memo.get(name, 0.5) * x
    return sum(memo.values())
""": 'memo_key = {"a": 0, "b": 1}\n    memo_value = [x, 2.0]\n',
}


@pytest.mark.parametrize("body", BODIES)
def test_they_are_written_out(body: str) -> None:
    source = f"# ad: gradient(value=True)\ndef f(x: float, n: int):{body}"
    text = generate(source, **NUMBERS)
    assert BODIES[body] in text
    assert "-1 < 0" not in text
    made, f = load(text)["f_value_and_grad"], load(source)["f"]
    for n in range(6):
        value, slope = made(1.25, n)
        assert value == f(1.25, n)
        h = 1e-6
        wanted = (f(1.25 + h, n) - f(1.25 - h, n)) / (2 * h)
        assert slope == pytest.approx(wanted, rel=1e-6)
