"""Sets at the top of a file: constants where nothing changes them."""

from __future__ import annotations

import pytest
from support import load, load_generated, run

SOURCE = """\
ENDS = {0, 4}
NAMES = frozenset({"north", "south", "north"})


# ad: gradient(value=True)
def f(x: float, kind: str, n: int):
    s = 0.0
    for k in range(n):
        s += x**2 if k in ENDS else x
    if kind in NAMES and len(NAMES) == 2:
        s = s * x * sorted(ENDS)[1]
    return s
"""


def test_values_and_derivatives() -> None:
    f, derived = load(SOURCE)["f"], load_generated(SOURCE)["f_value_and_grad"]
    for kind in ("north", "west"):
        value, slope = derived(1.3, kind, 6)
        assert value == f(1.3, kind, 6)
        found = (f(1.3 + 1e-5, kind, 6) - f(1.3 - 1e-5, kind, 6)) / 2e-5
        assert slope == pytest.approx(found, rel=1e-7)


@pytest.mark.parametrize(
    "changed",
    [
        SOURCE.replace("    s = 0.0\n", "    s = 0.0\n    ENDS.add(3)\n"),
        SOURCE + "\n\nENDS.add(3)\n",
    ],
)
def test_what_may_change_is_refused(changed: str) -> None:
    found = run(changed).diagnostics
    assert found[0].code == "AD122" and "'ENDS' may change" in found[0].message
    assert found[0].help


def test_numbers_that_are_equal_are_one_item() -> None:
    source = """S = {1, True, 1.0, 0, -0.0, 2}


# ad: gradient(x, value=True)
def f(x: float, y: float):
    own = {0.0, False, 3}
    own.add(y)
    return x * len(S) + len(own)
"""
    f, derived = load(source)["f"], load_generated(source)["f_value_and_grad"]
    assert derived(0.5, 3.0) == (f(0.5, 3.0), 3.0)
