"""`np.bincount`, `np.digitize`, `np.unique` and `np.histogram`, bit for bit."""

from __future__ import annotations

from typing import Any

import in_c
import in_fortran
import numpy as np
import pytest
from support import flat, invoke, load, load_generated, run, same_bits
from targets import Targets

HEAD = "import numpy as np\n# ad: gradient(x, value=True), hvp(x)\n"
PARAMETERS = 'x: "Vector[n]", g: "Vector[n, int]", e: "Vector[m]"'
# fmt: off
BODIES = {
    "sums": "s = np.bincount(g, weights=x * x)\nreturn np.sum(s**2)",
    "means": "s = np.bincount(g, weights=x, minlength=7)\n"
             "c = np.bincount(g, minlength=7)\nreturn np.sum(s**3 / np.maximum(c, 1))",
    "of a list": "return np.bincount([0, 1, 1, 3])[1] * x[0] ** 2",
    "sums of a list": "return np.bincount([0, 1, 1], weights=[x[0], x[0] ** 2, 1])[1]",
    "bins": "return np.sum(x * x * np.digitize(x, e))",
    "bins turned": "return np.sum(x * x * np.digitize(x, e[::-1], right=True))",
    "one bin": "return e[np.digitize(x[0] ** 2, e) - 1] * x[0] ** 2",
    "known bins": "return np.digitize(x[0], [0.0, 0.5, 1.0]) * x[0] ** 2",
    "groups": "s = 0.0\nfor k in np.unique(g):\n    s += np.sum(x[g == k]) ** 3\n"
              "return s",
    "inverse": "u, i, c = np.unique(g, return_inverse=True, return_counts=True)\n"
               "m = np.bincount(i, weights=x) / c\nreturn np.sum((x - m[i]) ** 2)",
    "as indices": "u, c = np.unique(g, return_counts=True)\n"
                  "return np.sum(u * c) * x[u[0]] ** 2",
    "values": "return np.sum(np.unique(x) ** 3)",
    "histogram": "h, b = np.histogram(x, e)\nreturn np.sum(h * b[1:]) * x[0] ** 2",
    "even bins": "h, b = np.histogram(x, bins=5)\nreturn np.sum(h * b[1:] ** 2)",
    "density": "h = np.histogram(x, 4, range=(0.0, 1.0), density=True)[0]\n"
               "return np.sum(h) * x[0] ** 2",
}
# fmt: on


def source(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f"{HEAD}def f({PARAMETERS}):\n{lines}"


def _points(count: int) -> Any:
    draw = np.random.default_rng(5)
    for k in range(count):
        n = 2 + k % 6
        x = np.round(draw.normal(size=n), 1) * 0.5 + 0.4
        e = np.sort(np.round(draw.normal(size=4), 1))
        yield {"x": x, "g": draw.integers(0, min(n, 4), size=n), "e": e}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("container", ["array", "tuple"])
@pytest.mark.parametrize("name", BODIES)
def test_values_are_those_of_numpy(name: str, container: str) -> None:
    text = source(BODIES[name])
    own = load(text)["f"]
    made = load_generated(text, container=container)["f_value_and_grad"]
    for at in _points(40):
        try:
            wanted = own(**at)
        except (ValueError, IndexError) as error:
            with pytest.raises(type(error)):
                made(**at)
            continue
        value = made(**at)[0]
        exact = container == "array" or np.isnan(wanted)
        near = 0.0 if exact else 1e-14
        assert value == pytest.approx(float(wanted), rel=near, abs=0.0, nan_ok=True)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", BODIES)
def test_derivatives_are_those_of_differences(name: str) -> None:
    text = source(BODIES[name])
    own, made = load(text)["f"], load_generated(text)
    at = {
        "x": np.array([0.31, 0.72, 1.13, 0.24, 0.76, 0.713]),
        "g": np.array([0, 2, 1, 2, 2, 0]),
        "e": np.array([0.05, 0.45, 0.9, 1.2]),
    }
    dot, h = np.cos(np.arange(6.0)), 1e-6
    ends = [{**at, "x": at["x"] + t * dot} for t in (h, -h)]
    value, grad = made["f_value_and_grad"](**at)
    assert same_bits(float(value), float(own(**at)))
    slope = (own(**ends[0]) - own(**ends[1])) / (2.0 * h)
    assert grad @ dot == pytest.approx(slope, rel=1e-6, abs=1e-7)
    curve = np.subtract(*(made["f_value_and_grad"](**end)[1] for end in ends)) / (2 * h)
    assert flat(made["f_hvp"](**at, x_dot=dot)) == pytest.approx(
        flat(curve), rel=1e-5, abs=1e-6
    )


def test_a_nan_stands_once() -> None:
    text = source("return len(np.unique(x)) * x[0]")
    x = np.array([1.0, np.nan, 1.0, np.nan])
    at = {"x": x, "g": np.zeros(4, int), "e": x}
    value, _ = load_generated(text)["f_value_and_grad"](**at)
    assert value == load(text)["f"](**at) == 2.0


ERRORS = {
    "return np.sum(np.bincount(g - 3, weights=x))": "'list' argument must have no",
    "return np.sum(np.bincount(g, weights=x[1:]))": "The weights and list don't have",
    "return np.sum(x * np.digitize(x, x - x * x))": "bins must be monotonically",
    "h, b = np.histogram(x, -e)\nreturn np.sum(h * b[1:]) * x[0]": "`bins` must inc",
}


@pytest.mark.parametrize("body", ERRORS)
def test_errors_are_those_of_numpy(body: str) -> None:
    text = source(body)
    at = {
        "x": np.array([0.1, 0.9, 0.4]),
        "g": np.array([0, 1, 1]),
        "e": np.array([0.1, 0.2]),
    }
    for function in (load(text)["f"], load_generated(text)["f_value_and_grad"]):
        with pytest.raises(ValueError, match=ERRORS[body]):
            function(**at)


@pytest.mark.parametrize("container", ["array", "tuple"])
def test_a_histogram_of_nothing_goes_from_0_to_1(container: str) -> None:
    text = f'{HEAD}def f(x: "Vector[n]", k: float):\n'
    text += "    h, b = np.histogram(x, 4)\n    return np.sum(h) + np.sum(b * b) * k\n"
    value, grad = load_generated(text, container=container)["f_value_and_grad"]([], 2.0)
    assert same_bits(float(value), float(load(text)["f"](np.zeros(0), 2.0)))
    assert len(grad) == 0


@pytest.mark.parametrize("call", ["unique(g, return_index=True)", "unique(x, axis=0)"])
def test_other_keywords_are_refused(call: str) -> None:
    (found,) = run(source(f"return np.sum(np.{call}[0]) * x[0]")).diagnostics
    assert found.code == "AD111"


def test_the_inverse_of_a_matrix_is_refused() -> None:
    text = f'{HEAD}def f(x: "Matrix[n, n]"):\n'
    body = "    return np.sum(np.unique(x, return_inverse=True)[0])\n"
    assert run(text + body).text is None


NAMES = [n for n in BODIES if n not in ("density", "of a list", "sums of a list")]
MADE = Targets(
    "import numpy as np\n"
    + "".join(
        source(BODIES[name])
        .replace("import numpy as np\n", "")
        .replace(", hvp(x)", "")
        .replace("def f(", f"def {name.replace(' ', '_')}(")
        for name in NAMES
    )
)


@pytest.mark.parametrize("target", ["c", "fortran"])
def test_they_are_compiled(target: str, tmp_path: Any) -> None:
    if target == "c":
        library = in_c.compiled([MADE.text("c")], tmp_path)[0]
        functions = in_c.functions(library, MADE.flat("c"))
    else:
        library = in_fortran.compiled(MADE.text("fortran"), tmp_path, "-fcheck=all")
        functions = in_fortran.functions(library, "model_grad", MADE.flat("fortran"))
    own = load(MADE.text("math"))
    for at in _points(6):
        for name in (f"{n.replace(' ', '_')}_value_and_grad" for n in NAMES):
            if "one_bin" in name and not at["e"][0] < at["x"][0] ** 2 < at["e"][-1]:
                continue
            wanted = flat(invoke(own[name], at))
            lists = {k: v.tolist() for k, v in at.items()}
            sizes = {"n": len(at["x"]), "m": len(at["e"])}
            found = functions[name](lists | sizes)
            assert found == pytest.approx(wanted, rel=1e-13), name
