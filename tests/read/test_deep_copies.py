"""`copy.deepcopy` of lists of lists and of what holds them: the copy is written, and
what stands twice stands twice again.
"""

import pytest
from support import generate, load

HEAD = "import copy\n"

BODIES = {
    "rows": "u = [[x, y], [y, 1.0]]\nv = copy.deepcopy(u)\nv[0][0] = x * y",
    "a row": "u = [[x, y], [y, 1.0]]\nv = copy.deepcopy(u)\nv[0] = [x * y, x]",
    "a row grows": "u = [[x, y], [y, 1.0]]\nv = copy.deepcopy(u)\nv[1].append(x)",
    "an index of the run": (
        "u = [[x * i, y] for i in range(3)]\nv = copy.deepcopy(u)\n"
        "k = 1 if x > y else 2\nv[k][0] = 2.0 * y"
    ),
    "a length of the run": (
        "n = 3 if x > y else 2\nu = [[x * i, y] for i in range(n)]\n"
        "v = copy.deepcopy(u)\nv[1][0] = 2.0 * y"
    ),
    "one row twice": "r = [x, y]\nu = [r, r]\nv = copy.deepcopy(u)\nv[0][0] = x * y",
    "one written row twice": (
        "r = [x, y]\nu = [r, [x], r]\nr[0] = y * y\n"
        "v = copy.deepcopy(u)\nv[2][1] = x * y"
    ),
    "three levels": (
        "a = [[[x, y], [y]], [[x]]]\nb = copy.deepcopy(a)\nb[0][1][0] = x * y\n"
        "b[1].append([y])\nu, v = a[0], b[0]"
    ),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_copy_of_lists_of_lists_is_written(name: str) -> None:
    lines = [*BODIES[name].split("\n"), "return worth(u) + 3.0 * worth(v)"]
    body = "".join(f"    {line}\n" for line in lines)
    agrees(f"{WORTH}# ad: gradient(value=True)\ndef f(x, y):\n{body}")


WORTH = """\
def worth(u):
    total = 0.0
    for i, row in enumerate(u):
        for j, v in enumerate(row):
            total += v * v * (i + 2 * j + 1)
    return total


"""

HOLDERS = {
    "a dict": ('{"m": [[x], [y]], "k": 2.0}', 'p["m"][1][0]', 'q["m"][1][0]'),
    "dicts in a list": ('[{"a": x}, {"a": y}]', 'p[1]["a"]', 'q[1]["a"]'),
    "an object": ("Held([[x], [y]])", "p.m[1][0]", "q.m[1][0]"),
    "a tuple": ("([[x], [y]], x)", "p[0][1][0]", "q[0][1][0]"),
}


@pytest.mark.parametrize("name", HOLDERS)
def test_what_holds_lists_is_copied_with_them(name: str) -> None:
    made, one, other = HOLDERS[name]
    agrees(
        "class Held:\n    def __init__(self, m):\n        self.m = m\n\n\n"
        f"# ad: gradient(value=True)\ndef f(x, y):\n    p = {made}\n"
        f"    q = copy.deepcopy(p)\n    {other} *= x\n"
        f"    return {one} + 3.0 * {other}\n"
    )


def test_a_grid_is_copied_in_each_step() -> None:
    agrees(
        "# ad: gradient(value=True)\ndef f(x, y):\n"
        "    n = 3 if x > y else 4\n"
        "    u = [[x * i + y * j for j in range(n)] for i in range(n)]\n"
        "    for _ in range(3):\n        new = copy.deepcopy(u)\n"
        "        for i in range(1, n):\n            for j in range(n):\n"
        "                new[i][j] = 0.5 * u[i - 1][j] + 0.25 * u[i][j]\n"
        "        u = new\n    return sum(v * v for row in u for v in row)\n"
    )


def agrees(source: str) -> None:
    plain = load(HEAD + source)["f"]
    made = load(generate(HEAD + source))["f_value_and_grad"]
    h = 2.0**-16
    for x, y in [(0.75, 1.25), (1.5, 0.5)]:
        value, slopes = made(x, y)
        assert value == plain(x, y)
        by_x = (plain(x + h, y) - plain(x - h, y)) / (2.0 * h)
        by_y = (plain(x, y + h) - plain(x, y - h)) / (2.0 * h)
        assert slopes == pytest.approx((by_x, by_y), rel=1e-7, abs=1e-8)
