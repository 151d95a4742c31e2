"""`u += v` of a list and a tuple, a range or a generator: refused as numbers before."""

import pytest
from support import generate, load

BODIES = {
    "a tuple": "u = [x, y]\nu += (3.0 * x,)\nu += x, y * y",
    "in a loop": "u = []\nfor i in range(3):\n    u += (x * i, y)",
    "another name": "u = [x, y]\nw = u\nu += (3.0 * x,)\nu = w",
    "a range": "u = [x, y]\nu += range(2)",
    "a range of the run": "u = [x, y]\nu += range(3 if x > y else 2)",
    "pairs": "u = [x, y]\nv = [(x, y)]\nv += zip([y], [x])\nu += v[0] + v[1]",
    "a generator": "u = [x, y]\nu += (v * y for v in u[:])",
    "keys": "u = [x, y]\nu += {1: x, 2: y}",
    "an entry": "d = {'k': [x]}\nd['k'] += (y, x * y)\nu = d['k']",
    "a field": "a = Held()\na.u += (y, x * y)\na.u += range(2)\nu = a.u",
}
HEAD = "class Held:\n    def __init__(self):\n        self.u = []\n\n\n"


@pytest.mark.parametrize("name", BODIES)
def test_a_list_grows_by_the_items_of_anything(name: str) -> None:
    lines = [*BODIES[name].split("\n"), "return sum(v * v * (i + 1) for i, v in en(u))"]
    body = "".join(f"    {line}\n" for line in lines).replace("en(", "enumerate(")
    source = f"{HEAD}# ad: gradient(value=True)\ndef f(x, y):\n{body}"
    plain, made = load(source)["f"], load(generate(source))["f_value_and_grad"]
    h = 2.0**-16
    for x, y in [(0.75, 1.25), (1.5, 0.5)]:
        value, slopes = made(x, y)
        assert value == plain(x, y)
        by_x = (plain(x + h, y) - plain(x - h, y)) / (2.0 * h)
        by_y = (plain(x, y + h) - plain(x, y - h)) / (2.0 * h)
        assert slopes == pytest.approx((by_x, by_y), rel=1e-7, abs=1e-8)
