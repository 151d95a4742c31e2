"""Functions behind a setup: what parameters alone decide is computed once."""

import math
import re
from typing import Any

import numpy as np
import pytest
from amounts import ANY_ORDER
from support import (
    Namespace,
    exactly,
    flat,
    generate,
    hessian,
    jacobian,
    load,
    load_exact,
    load_generated,
    run,
)

SPRING = """
from math import exp, log, sin

A = 2.0

# ad: {kind}
def f(x: float, y: float, k: float, t: float, n: int = 3):
    assert t > 0
    r = exp(-k / t) * A
    s = log(k) * x
    for i in range(n):
        s = s + r * x * sin(k * t) + i * y
    if k > 1.0:
        return s * s * y + k
    return s * x
"""
AT = {"x": 0.7, "y": 0.4, "k": 1.3, "t": 0.9, "n": 4}
PARAMETERS = {name: AT[name] for name in ("k", "t", "n")}
SEEDS = {"x_dot": 1.0, "y_dot": 0.0}


def made(kind: str) -> Namespace:
    """The output for a kind, split."""
    options = "value=True, split=True" if "value" in kind else "split=True"
    return load(
        generate(
            SPRING.format(kind=f"{kind.partition(' ')[0]}(x, y, {options})"),
            **ANY_ORDER,
        )
    )


def called(kind: str, name: str, *seeds: Any) -> list[Any]:
    """What the function behind the setup gives."""
    namespace = made(kind)
    setup = namespace[f"{name}_setup"](**PARAMETERS)
    return flat(namespace[name](0.7, 0.4, *seeds, setup))


def close(found: Any, wanted: Any) -> None:
    assert found == pytest.approx([float(w) for w in wanted], rel=1e-13)


@pytest.fixture(scope="module")
def exact() -> tuple[list[Any], list[Any], Any]:
    """Slopes, second derivatives and the value with sixty digits."""
    function = load_exact(SPRING.format(kind="gradient"))["f"]
    at = exactly(AT)
    slopes = flat(jacobian(function, at, ("x", "y")))
    return slopes, flat(hessian(function, at, ("x", "y"))), function(**at)


def test_first_derivatives_behind_a_setup(exact: Any) -> None:
    slopes, _, value = exact
    close(called("gradient", "f_grad"), slopes)
    close(called("gradient value", "f_value_and_grad"), [value, *slopes])
    close(called("jacobian value", "f_value_and_jac"), [value, *slopes])
    close(called("jvp", "f_jvp", 1.0, 0.0), [value, slopes[0]])
    close(called("vjp", "f_vjp", 1.0), [value, *slopes])


def test_second_derivatives_behind_a_setup(exact: Any) -> None:
    slopes, second, value = exact
    close(called("hessian value", "f_value_and_hess"), [value, *slopes, *second])
    close(called("hvp", "f_hvp", 1.0, 0.0), second[:2])


def test_nothing_that_parameters_decide_is_left() -> None:
    text = generate(
        "from math import exp\n# ad: gradient(x, split=True)\n"
        "def f(x, k, t):\n    return exp(-k / t) * x * x + k * t\n",
        **ANY_ORDER,
    )
    setup, rest = text.split("def f_grad(")
    assert "    return 2.0 * exp(-(k / t))\n" in setup
    assert "    return setup * x\n" in rest
    assert "Operations: 1 (1 mul)." in rest
    assert "Operations: 4 (1 mul, 1 div, 1 call, 1 neg)." in setup


def test_checks_of_parameters_stand_in_the_setup() -> None:
    setup = made("gradient")["f_grad_setup"]
    with pytest.raises(AssertionError):
        setup(1.0, -1.0)
    assert setup(1.0, 1.0) == setup(1.0, 1.0, 3)


ARRAYS = """
# ad: gradient(x, split=True)
def f(x: "Vector[n]", w: "Vector[n]", c: float):
    z = [c * c] * len(w)
    for i in range(len(w)):
        z[i] += w[i] * w[i]
    v = w
    for i in range(len(x)):
        z[i] = z[i] * x[i]
    s = 0.0
    for i in range(len(x)):
        s += z[i] * z[i] * w[i]
    return s
"""


def test_arrays_of_a_setup_are_not_changed() -> None:
    namespace = load_generated(ARRAYS)
    x, w, c = [0.5, 1.5, 2.0], [1.0, 2.0, 3.0], 0.5
    setup = namespace["f_grad_setup"](w, c)
    wanted = [2.0 * a * (c * c + b * b) ** 2 * b for a, b in zip(x, w, strict=True)]
    for _ in range(2):
        close(flat(namespace["f_grad"](x, setup)), wanted)


def test_loops_over_parameters_run_in_the_setup() -> None:
    setup, rest = generate(ARRAYS, **ANY_ORDER).split("def f_grad(")
    assert setup.count("for i in range") == 1
    assert "w[i] * w[i]" not in rest


def test_one_vector_and_a_setup() -> None:
    source = "# ad: gradient(x, y, split=True, packed=True)\ndef f(x, k, y):\n"
    namespace = load_generated(source + "    return x * k * k * y\n")
    setup = namespace["f_grad_setup"](3.0)
    assert namespace["f_grad"]([2.0, 5.0], setup).tolist() == [45.0, 18.0]


REFUSED = {
    "AD022": "# ad: gradient(split=True)\ndef f(x, k):\n    return x * k\n",
    "AD022 error": "# ad: error(split=True)\ndef f(x, k):\n    return x * k\n",
    "AD025": "# ad: gradient(setup, split=True)\ndef f(setup, k):\n"
    "    return setup * k\n",
    "AD025 file": "def f_grad_setup():\n    return 1\n# ad: gradient(x, split=True)\n"
    "def f(x, k):\n    return x * k\n",
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_split_is_refused(case: str) -> None:
    (found,) = run(REFUSED[case]).diagnostics
    assert found.code == case.partition(" ")[0]
    assert found.help
    assert found.span is not None


WHOLE = (
    "import numpy as np\n# ad: {0}\n"
    'def f(x: "Vector[n]", A: "Matrix[n, n]", y: "Vector[n]"):\n'
    "    B, s = A.T @ A + np.eye(len(y)), y[0]\n    for i in range(len(y)):\n"
    "        s += y[i] ** 2 * x[i]\n    return x @ B @ x + s * np.sum(y[1:]), y\n"
)


def test_whole_arrays_are_split() -> None:
    kinds = "vjp(x{0}), jacobian(x{0}), jvp(x{0})"
    split = load_generated(WHOLE.format(kinds.format(", split=True")))
    plain = load_generated(WHOLE.format(kinds.format("")))
    A, x, y = np.array([[1.0, 2.0], [0.5, -1.0]]), np.array([3.0, 1.0]), np.ones(2)
    for kind, given in (("vjp", [(2.0, y)]), ("jac", []), ("jvp", [y])):
        setup = split[f"f_{kind}_setup"](A, y)
        found = flat(split[f"f_{kind}"](x, *given, setup))
        assert found == pytest.approx(flat(plain[f"f_{kind}"](x, *given, A, y)))
    with pytest.raises(ValueError, match="x has length 1, not 2"):
        split["f_jac"](x[:1], split["f_jac_setup"](A, y))
    setup = split["f_vjp_setup"](A, y)
    assert not any(np.shares_memory(part, y) for part in setup if np.ndim(part))


def test_a_setup_without_values_is_empty() -> None:
    source = "# ad: gradient(x, split=True)\ndef f(x, k):\n    return x * x + k\n"
    namespace = load_generated(source)
    assert namespace["f_grad"](3.0, namespace["f_grad_setup"](1.0)) == 6.0
    assert not re.search(
        r"\bk\b.*=", generate(source, **ANY_ORDER).split("def f_grad(")[1]
    )


def test_setups_that_hold_masks() -> None:
    source = (
        "import numpy as np\n\n\n# ad: gradient(s, split=True)\n"
        'def f(s, x: "Vector[n]"):\n    return s * np.sum(np.where(x > 1.0, s, x))\n'
    )
    made = load(generate(source, **ANY_ORDER))
    setup = made["f_grad_setup"](np.array([0.5, 2.0]))
    assert made["f_grad"](3.0, setup) == 6.5


def test_terms_of_sums_that_parameters_decide_are_in_the_setup() -> None:
    # Yoshida 1989, example 1
    source = (
        "import math\n\n\n# ad: gradient(x, split=True)\ndef f(x, a):\n    return "
        "(a + 1.0) * math.exp(x) + (a - 1.0) / (math.exp(x) + 1.0)\n"
    )
    made = load_generated(source)
    e, setup = math.exp(0.3), made["f_grad_setup"](2.5)
    assert sorted(setup) == [1.5, 3.5]
    expected = 3.5 * e - 1.5 * e / (e + 1.0) ** 2
    assert made["f_grad"](0.3, setup) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("terms", "early"),
    [("a + x + b", "a + b"), ("x - a - b", "a + b"), ("a - (x - b)", "a + b")],
)
def test_sums_are_regrouped_by_sign(terms: str, early: str) -> None:
    source = (
        "# ad: gradient(x, split=True), gradient(x, name='plain')\n"
        f"def f(x, a, b):\n    return ({terms}) ** 3\n"
    )
    assert f"return {early}\n" in generate(source, **ANY_ORDER)
    made = load_generated(source)
    found = made["f_grad"](0.5, made["f_grad_setup"](2.0, 3.0))
    assert found == pytest.approx(made["plain"](0.5, 2.0, 3.0), rel=1e-15)
