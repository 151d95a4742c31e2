"""Items of parameters have the names that the function gives them."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from support import generate, load_generated

# fmt: off
OWN = {
    "unpacked": "beta, gamma = p\nreturn beta * beta * gamma",
    "a list":   "[beta, gamma] = p\nreturn beta * beta * gamma",
    "by index": "beta = p[0]\ngamma = p[1]\nreturn beta * beta * gamma",
}
OTHERS = {
    "bound twice":  "beta, gamma = p\nbeta = beta * beta\nreturn beta * gamma",
    "a parameter":  "q, gamma = p\nreturn q * q * gamma",
    "in a loop":    "s = 0.0\nfor k in range(2):\n    beta = p[0]\n"
                    "    s += 0.5 * beta * beta * p[1]\nreturn s",
}
# fmt: on
KINDS = ('p: "Vector[2]"', "p: tuple[float, float]")


def source(body: str, parameter: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"# ad: gradient(p)\ndef f({parameter}, q: float = 1.0) -> float:\n{lines}"


@pytest.mark.parametrize("parameter", KINDS)
@pytest.mark.parametrize("name", [*OWN, *OTHERS])
def test_items_have_the_names_of_the_function(name, parameter):
    text = source((OWN | OTHERS)[name], parameter)
    made = generate(text, **ANY_ORDER)
    assert ("beta, gamma = " in made) == (name in OWN)
    found = load_generated(text)["f_grad"]((3.0, 5.0))
    assert [float(x) for x in found] == [30.0, 9.0]
