"""Module constants that are arrays and whose numbers only numpy knows (rule 13)."""

from __future__ import annotations

import math

import black
import numpy as np
import pytest
from amounts import ANY_ORDER, pairs, part, search
from reading import codes
from support import generate, load, load_generated, run

HEAD = """import math
import numpy as np
from numpy.polynomial.legendre import leggauss
BASE = np.array([0.5, 1.5, 2.5])
TIMES = [1.0, 2.0, 4.0]
"""

LINES = """
    K = np.exp(np.arange(3))
    K = np.exp(np.linspace(0.0, 1.0, 3))
    K = np.cos(np.pi*np.arange(3) / 4)
    K = np.log(BASE)
    K = np.log(BASE)[::-1]
    K = np.log(np.concatenate([BASE, BASE]))[1 : 2 + 2]
    K = np.exp(-BASE) @ np.outer(BASE, BASE)
    K = (2.0 * np.sqrt(BASE + math.exp(1.0))).clip(0.0, 3.9)
    K = np.array([math.sin(2.0), math.cos(2.0), 1.0])
    K = np.array([math.exp(-k) for k in range(3)])
    K = np.array(TIMES) ** 0.3
    K = np.exp(np.arange(3.0))
    K = np.sin(np.arange(1.0, 2.5, 0.5))
    K = np.full(3, 0.5)
    K = np.ones((3, 3))[1] * BASE
    K = BASE * np.full(3, 0.5)[::-1][1]
    K = np.where(BASE > 1.0, np.log(BASE), 0.25)
    K = np.where(0.0 <= np.arange(3.0) - 0.5, np.exp(BASE), 0.25)
    K = np.exp(np.arange(1.0, 0.0, -0.4))
    K = np.hanning(5)[1:4]
    K = np.geomspace(1.0, 100.0, 3)
    K = leggauss(3)[0]
    NODES, K = np.polynomial.legendre.leggauss(3)
    K, W = np.sin(BASE), np.cos(BASE)
    L = np.log(BASE); K = L / L.sum()
    L = np.exp(np.arange(3)); K = L / np.sum(L)
    L = np.exp(BASE); C = np.max(L) - L[0]; K = C * BASE
    K = [math.exp(-k) for k in range(3)]
    K = [math.exp(1.0), math.exp(2.0), 3.0]
    P = np.vander(BASE); K = np.sin(P)[1]
    K = np.polyfit(TIMES, np.exp(BASE), 2)
"""
DEFINITIONS = [line.strip().replace("; ", "\n") for line in LINES.strip().splitlines()]

# ad: gradient above each: a number at an index, a loop, and a whole array
MODELS = """

# ad: gradient(x), gradient(x, value=True, name="both")
def at(x: float, i: int) -> float:
    return x * K[i]

# ad: gradient(x)
def known(x: float) -> float:
    return x * K[0] + x**2 * K[-1]

# ad: gradient(x)
def over(x: "Vector[3]") -> float:
    return np.sum(np.asarray(K) * x)

# ad: gradient(x)
def along(x: float) -> float:
    total = 0.0
    for k in K:
        total += k * x**2
    return total

# ad: gradient(x)
def loop(x: float, n: int) -> float:
    total = 0.0
    for i in range(n):
        total += K[i % 3] * x**2
    return total
"""


def _numbers(definition: str) -> list[float]:
    namespace: dict[str, object] = {}
    exec(f"{HEAD}{definition}\n", namespace)
    found: list[float] = np.asarray(namespace["K"]).tolist()
    return found


ALONE = ("leggauss", "geomspace", "hanning", "polyfit")
"""What has no definition without numpy."""


@pytest.mark.parametrize(
    ("definition", "container"), pairs(DEFINITIONS, ["array", "tuple"], 2)
)
def test_numbers_are_those_of_numpy(definition: str, container: str) -> None:
    a, b, c = _numbers(definition)
    text = f"{HEAD}{definition}\n{MODELS}"
    result = run(text, container=container, **search(text))
    if container == "tuple" and any(name in definition for name in ALONE):
        assert {d.code for d in result.diagnostics} == {"AD033"}
        return
    assert result.text is not None, result.diagnostics
    made = load(result.text)
    assert ("import numpy" in result.text) == (container == "array")
    near = pytest.approx if container == "tuple" else lambda number: number
    assert [made["at_grad"](2.0, i) for i in (0, 1, 2, -1)] == near([a, b, c, c])
    assert type(made["at_grad"](2.0, 1)) is float
    assert made["both"](2.0, 1) == near((2.0 * b, b))
    assert made["known_grad"](2.0) == pytest.approx(a + 4.0 * c)
    assert list(made["over_grad"]([1.0, 2.0, 3.0])) == near([a, b, c])
    assert made["along_grad"](2.0) == pytest.approx(4.0 * (a + b + c))
    assert made["loop_grad"](2.0, 4) == pytest.approx(4.0 * (2.0 * a + b + c))


REFUSED = {
    "K = np.log(BASE)\nK[0] = 2.0": "AD122",  # it changes
    "K = np.zeros(3)\nK[0] = 2.0": "AD122",
    "K = np.ones((3, 3))\nL = K.T\nL[0, 0] = 3.0": "AD122",
    "K = BASE * np.full(3, 0.5)[::-1][3]": "AD107",
    "K = leggauss(2000)[0]": "AD106",
    "K = np.roots([1.0, 0.0, 1.0])": "AD110",
    "K = np.hanning(2, 3)": "AD106",
    "K = np.logspace(0.0, 1.0, number=3)": "AD106",
    "K = np.hanning(0)": "AD106",
    "K = np.geomspace(BASE, 10.0, 3)": "AD106",  # its axes are two
    "K = np.polyfit(TIMES, np.outer(BASE, BASE), 2)": "AD106",
    "K = np.polyfit(TIMES, [1.0, 2.0], 1)": "AD106",
    "K = np.arange(0.0, 3.0, 0.0)": "AD106",
    "K = np.exp(np.arange(0.0, 1e308 * 10.0))": "AD106",
    "def h(x):\n    return np.exp(x)\nK = h(BASE)": "AD122",
}


@pytest.mark.parametrize("definition", REFUSED)
def test_others_are_refused(definition: str) -> None:
    assert codes(f"{HEAD}{definition}\n{MODELS}") == [REFUSED[definition]]


def test_functions_that_only_constants_call_say_so() -> None:
    source = "import numpy as np\n# ad: gradient(x)\ndef f(x, n):\n"
    source += "    w = np.hanning(8)\n    return x * w[n]\n"
    (found,) = run(source).diagnostics
    assert "at the top of the file" in found.help


def test_definitions_are_laid_out_as_black_does() -> None:
    lines = [line for line in DEFINITIONS if "K = " in line]
    for line in part(lines, 3):
        text = generate(f"{HEAD}{line}\n{MODELS}", **ANY_ORDER)
        assert black.format_str(text, mode=black.Mode()) == text, line


def test_a_long_definition_in_brackets_is_no_tuple() -> None:
    line = "K = ((np.cumsum(BASE) / (2.0 + np.exp(BASE))) / (2.0 + np.arange(3)[::-1]))"
    _, b, _ = _numbers(line)
    made = load_generated(f"{HEAD}{line}\n{MODELS}")
    assert made["at_grad"](2.0, 1) == b


def test_tuples_of_arrays_are_constants() -> None:
    source = f"{HEAD}RULE = leggauss(3)\n# ad: gradient(a)\ndef f(a):\n"
    source += (
        "    x, w = RULE\n    return sum(v * math.exp(-a * u) for u, v in zip(x, w))"
    )
    made = load_generated(f"{source}\n")["f_grad"]
    nodes, weights = np.polynomial.legendre.leggauss(3)
    want = -np.sum(weights * nodes * np.exp(-0.7 * nodes))
    assert made(0.7) == pytest.approx(want, rel=1e-14)


def test_functions_that_stay_read_them() -> None:
    source = f"{HEAD}K = np.exp(BASE)\n# ad: gradient(x)\ndef f(x: float, n: int):\n"
    source += "    if n == 0:\n        return math.sin(K[1] * x)\n"
    source += "    return f(x, n - 1) * K[n]\n"
    for container in ("array", "tuple"):
        made = load_generated(source, container=container)["f_grad"]
        _, b, c = np.exp([0.5, 1.5, 2.5])
        assert made(0.3, 2) == pytest.approx(b * c * b * math.cos(0.3 * b), rel=1e-14)


DICTS = """
D = {"a": math.exp(1.0), "b": 2.0}
C = {0: math.exp(1.0), -1: math.exp(2.0)}
E = {"air": {"cp": 1005.0, "k": math.log(3.0)}, "he": {"cp": 5193.0, "k": 0.15}}
F = {"n2": (1.0, math.exp(2.0)), "o2": [math.exp(-1.0), 4.0], **{"h": (0.5, 1.0)}}


# ad: gradient(x)
def f(x: float, kind: str, gas: str) -> float:
    m = E["air"]["k"] * D["a"] + F["n2"][1] + C[0] * C[-1]
    return math.sin(x * D[kind]) * m + E[gas]["k"] * x**2
"""


def test_dicts_hold_computed_numbers() -> None:
    source = HEAD + DICTS
    model = load(source)["f"]
    for options in ({}, {"container": "tuple"}):
        text = generate(source, **options)
        assert 'D = {"a": math.exp(1.0), "b": 2.0}' in text
        assert black.format_str(text, mode=black.Mode()) == text
        made = load(text)["f_grad"]
        for kind, gas in (("a", "he"), ("b", "air")):
            ends = [model(0.3 + h, kind, gas) for h in (1e-5, -1e-5)]
            want = (ends[0] - ends[1]) / 2e-5
            assert made(0.3, kind, gas) == pytest.approx(want, rel=1e-8)
        with pytest.raises(KeyError):
            made(0.3, "c", "he")


REFUSED_DICTS = (
    'D = {"a": math.exp(1.0)}\nD["a"] = 1.0\n',
    'D = {"a": np.exp(BASE)}\n',
    "D = {0.5: math.exp(1.0)}\n",
)


@pytest.mark.parametrize("definition", REFUSED_DICTS)
def test_other_dicts_are_refused(definition: str) -> None:
    source = f"{HEAD}{definition}# ad: gradient(x)\ndef f(x, kind: str):\n"
    source += "    return x * np.sum(D[kind])\n"
    assert set(codes(source)) == {"AD122"}


def test_numpy_has_a_name_that_is_free() -> None:
    source = "import numpy\nnp = 2.0\nK = numpy.exp(numpy.linspace(0.0, 1.0, 20))\n"
    source += "# ad: gradient(x)\ndef f(x: float, i: int) -> float:\n"
    source += "    return np * x * K[i]\n"
    made = load_generated(source)["f_grad"]
    assert made(3.0, 19) == 2.0 * math.e


def test_setups_without_numpy_compute_them() -> None:
    source = f"{HEAD}K = np.exp(np.arange(3.0))\n"
    source += '# ad: gradient(x, split=True, container="tuple")\n'
    source += "def f(x: float, p: float) -> float:\n"
    source += "    return (K[0] * p + K[1]) * x**2 + K[2] * x\n"
    made = load_generated(source)
    found = made["f_grad"](0.3, made["f_grad_setup"](0.7))
    want = (0.7 + math.e) * 0.6 + math.exp(2.0)
    assert found == pytest.approx(want, rel=1e-14)


def test_what_only_shows_them_does_not_change_them() -> None:
    shown = "np.testing.assert_allclose(K, K)\nnp.save('k.npy', K)\nprint(K)\n"
    source = f"{HEAD}K = np.log(BASE)\n{shown}# ad: gradient(x)\n"
    made = load_generated(f"{source}def f(x: float) -> float:\n    return x * K[1]\n")
    assert made["f_grad"](2.0) == math.log(1.5)


def test_names_of_types_that_no_function_needs_are_not_imported() -> None:
    source = f"{HEAD}K = np.exp(np.arange(3.0))\n# ad: gradient(x)\n"
    text = generate(
        f"{source}def f(x: float) -> float:\n    return x * K[1]\n", **ANY_ORDER
    )
    assert "NDArray" not in text


LONG = (
    "[v * 0.5 for v in T @ np.array([math.sin(2.0), 1.0, 0.5]) - np.max(BASE * 2.0)]",
    "[u * math.exp(-v) + 0.5 for u, v in zip(BASE + np.sin(BASE), np.log(BASE) + 0.5)]",
)


@pytest.mark.parametrize("items", LONG)
def test_long_comprehensions_are_broken_at_their_loop(items: str) -> None:
    line = f"T = np.outer(BASE, BASE)\nK = np.array({items})"
    text = generate(f"{HEAD}{line}\n{MODELS}", **ANY_ORDER)
    assert black.format_str(text, mode=black.Mode()) == text
    assert load(text)["at_grad"](2.0, 1) == _numbers(line)[1]
