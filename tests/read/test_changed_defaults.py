"""Defaults are one object for all calls: what one call leaves there the next finds."""

import pytest
from support import generate, load, run

CALLS = "def f(x, y):\n    return g(x) + g(y)\n"
STATE = "from dataclasses import dataclass\n@dataclass\nclass S:\n    a: float\n"

CHANGED = {
    "a list grows": "def g(v, u=[]):\n    u.append(v)\n    return sum(u)\n",
    "an element": "def g(v, u=[0.0]):\n    u[0] += v\n    return u[0]\n",
    "a row": "def g(v, u=[[0.0]]):\n    r = u[0]\n    r[0] += v\n    return r[0]\n",
    "a dict": "def g(v, u={}):\n    u[1] = u.get(1, 0.0) + v\n    return u[1]\n",
    "a set": "def g(v, u=set()):\n    w = 1 in u\n    u.add(1)\n    return v * w\n",
    "a visit": (
        "def g(v, u={}):\n    if 1 in u:\n        return 0.0\n"
        "    u[1] = 1.0\n    return v\n"
    ),
    "an object": STATE + "def g(v, u=S(0.0)):\n    u.a += v\n    return u.a\n",
    "by keyword only": "def g(v, *, u=[]):\n    u.append(v)\n    return sum(u)\n",
    "in a helper": (
        "def add(u, v):\n    u.append(v)\n"
        "def g(v, u=[]):\n    add(u, v)\n    return sum(u)\n"
    ),
    "of a lambda": "g = lambda v, u=[]: u.append(v) or sum(u)\n",
    "kept by an object": (
        "class A:\n    def __init__(self, v, u=[]):\n        self.v, self.u = v, u\n"
        "def g(v):\n    a = A(v)\n    a.u.append(v)\n    return sum(a.u)\n"
    ),
    "no memo: another parameter counts": (
        "def g(v, n=1, u={}):\n    if n in u:\n        return u[n]\n"
        "    u[n] = v\n    return v\n"
    ),
    "no memo: its key is another one by then": (
        "def h(n, u={}):\n    if n in u:\n        return u[n]\n"
        "    w = 2.0 * n\n    n = n + 1\n    u[n] = w\n    return w\n"
        "def g(v):\n    return v * h(1) + h(2)\n"
    ),
    "a list in a memo": (
        "def h(n, u={}):\n    if n not in u:\n        u[n] = [1.0, 2.0]\n"
        "    return u[n]\n"
        "def g(v):\n    h(1)[0] = v\n    return v * h(1)[0]\n"
    ),
    "a new list in a memo": (
        "def h(n, u={}):\n    if n in u:\n        return u[n]\n"
        "    w = [1.0, 2.0]\n    u[n] = w\n    return w\n"
        "def g(v):\n    h(1)[0] = v\n    return v * h(1)[0]\n"
    ),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_default_that_calls_change_is_refused(name: str) -> None:
    found, *_ = run(CHANGED[name] + "# ad: gradient\n" + CALLS).diagnostics
    assert found.code == "AD122" and "'u' is one object for all calls" in found.message


READ = {
    "numbers": "def g(v, u=[1.0, 2.0]):\n    return v * u[0] + sum(u) + len(u)\n",
    "rows": "def g(v, u=[[1.0, 2.0]]):\n    return sum(v * p * q for p, q in u)\n",
    "a dict": "def g(v, *, u={'k': 2.0}):\n    return v * u['k'] + u.get('m', 1.0)\n",
    "an object": STATE + "def g(v, u=S(2.0)):\n    return u.a * v * v\n",
    "in each call": (
        "def g(v, u=None):\n    if u is None:\n        u = []\n"
        "    u.append(v)\n    return sum(u)\n"
    ),
    "a constant": "T = [0.5, 1.5]\ndef g(v, u=T):\n    return v * u[1] + len(u)\n",
    "of a lambda": "T = [0.5, 1.5]\ng = lambda v, *, u=T: v * u[1] + len(u)\n",
    "an array": (
        "import numpy as np\nT = np.ones(2)\ndef g(v, u=T):\n    return v * u[1]\n"
    ),
    "a memo": (
        "def fib(n, u={0: 0, 1: 1}):\n    if n not in u:\n"
        "        u[n] = fib(n - 1) + fib(n - 2)\n    return u[n]\n"
        "def g(v):\n    return fib(9) * v\n"
    ),
    "a memo that is handed on": (
        "def paths(i, j, u={}):\n    if (i, j) in u:\n        return u[i, j]\n"
        "    if i == 0 or j == 0:\n        return 1\n"
        "    n = paths(i - 1, j, u) + paths(i, j - 1, u)\n"
        "    u[i, j] = n\n    return n\n"
        "def g(v):\n    return paths(3, 3) * v\n"
    ),
    "a memo of pairs": (
        "def h(n, u={}):\n    if n not in u:\n        u[n] = (n, 2.0 * n)\n"
        "    return u[n]\n"
        "def g(v):\n    return v * h(3)[0] + h(3)[1]\n"
    ),
    "a memo of frozen objects": (
        STATE.replace("@dataclass", "@dataclass(frozen=True)")
        + "def h(n, u={}):\n    if n not in u:\n        u[n] = S(2.0 * n)\n"
        "    return u[n]\n"
        "def g(v):\n    return v * h(3).a + h(2).a\n"
    ),
    "another is given": (
        "def h(v, u=[]):\n    u.append(v)\n    return sum(u)\n"
        "def g(v):\n    return h(v, [v])\n"
    ),
}


@pytest.mark.parametrize("name", READ)
def test_a_default_that_is_only_read_is_a_constant(name: str) -> None:
    source = READ[name] + "# ad: gradient(value=True)\n" + CALLS
    value, slopes = load(generate(source))["f_value_and_grad"](0.5, 0.75)
    plain = load(source)["f"]
    assert value == plain(0.5, 0.75)
    h = 2.0**-20
    rises = [plain(0.5 + h, 0.75), plain(0.5, 0.75 + h)]
    assert slopes == pytest.approx([(r - value) / h for r in rises], rel=1e-5)


@pytest.mark.parametrize("made", ["np.zeros(2)", "np.ones((2, 2))"])
def test_an_array_of_numpy_has_a_name(made: str) -> None:
    """It was an internal error."""
    source = f"import numpy as np\ndef g(v, u={made}):\n    return v + np.sum(u)\n"
    (found,) = run(source + "# ad: gradient\n" + CALLS).diagnostics
    assert (found.code, found.help) == ("AD122", "give it a name: `K = ...`")
