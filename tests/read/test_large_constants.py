"""Constants that grow: refused by name, in little work."""

from __future__ import annotations

import pytest
from reading import codes, marked, reading

CHAIN = "\n".join(f"T{k} = (T{k - 1},)" for k in range(1, 400))
DOUBLED = "\n".join(f"T{k} = (T{k - 1}, T{k - 1})" for k in range(1, 60))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (f"T0 = (1.0,)\n{CHAIN}\n" + marked("return x * T399[0]"), ["AD004"]),
        (f"T0 = (1.0,)\n{DOUBLED}\n" + marked("return x * T59[0]"), ["AD004"]),
        (marked("t = (x, y)\n" + "t = (t, t)\n" * 40 + "return t"), ["AD004"]),
        ("K = 2 ** (10**9)\n" + marked("return x * K"), ["AD122"]),
        ("import math\nK = 7 ** math.floor(1e9)\n" + marked("return K * x"), ["AD122"]),
        ("K = 10**400\n" + marked("return x * K"), ["AD122"]),
        (marked(f"return x * {10**400}"), ["AD102"]),
        (
            "import math\nK = " + " + ".join(["math.exp(0.1)"] * 500) + "\n"
            "" + marked("return x * K"),
            ["AD122"],
        ),
        (marked("return x * k", f"x, k=2.0**0.5 {'- ' * 1500}1.0"), ["AD122"]),
    ],
)
def test_what_grows_is_refused(source: str, said: list[str]) -> None:
    assert codes(source) == said


def test_rounding_to_a_billion_digits_is_left_to_the_output() -> None:
    found = reading("K = round(5, -(10**9))\n" + marked("return x * K"))
    assert found.constants["K"].text == "round(5, -(10**9))"


def test_a_long_chain_of_constants_and_functions() -> None:
    chain = "".join(
        f"def g{k}(t):\n    return t + T{k - 1}\nT{k} = g{k}(math.exp(0.0))\n"
        for k in range(1, 120)
    )
    source = f"import math\nT0 = 1.0\n{chain}" + marked("return x * T119")
    assert len(reading(source).constants) == 239
