"""A loop that is refused makes no program of the function it stands in."""

from __future__ import annotations

from reading import codes

OTHER_DICT = """\
# ad: gradient(x)
def f(x: float, n: int):
    t = x
    d = {"p": x * x}
    for k in range(n):
        d[0] = x
        for j in range(3):
            if t > 1.0:
                break
            t = 0.4 * x
    return t
"""


def test_a_dict_gets_a_key_in_a_loop_beside_one_that_is_left() -> None:
    assert codes(OTHER_DICT) == ["AD107"]
    assert codes(OTHER_DICT.replace('"p"', "2")) == []
