"""An arm that is taken for certain may know more of how long its list is."""

from __future__ import annotations

from support import generate, load

GROWN_OR_NOT = """\
# ad: gradient(x)
def f(x: "Vector[m]", k: int, c: bool):
    a = [v * x[0] for v in x]
    t = x[1]
    if not c:
        if not c:
            a[0] -= a[k]
        else:
            a.append(t)
        a[k] *= t
    return t + sum(a)
"""


def test_what_follows_takes_lists_of_any_length() -> None:
    text = generate(GROWN_OR_NOT)
    assert "if True" not in text
    f = load(text)["f_grad"]
    assert f([2.0, 3.0, 5.0], 1, False).tolist() == [15.0, 11.0, 2.0]
    assert f([2.0, 3.0, 5.0], 1, True).tolist() == [12.0, 3.0, 2.0]
