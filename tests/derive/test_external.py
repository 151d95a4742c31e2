"""Functions that are not looked into, rules for others, and passive values."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from amounts import ANY_ORDER, NUMBERS, pairs
from support import (
    exactly,
    flat,
    generate,
    hessian,
    invoke,
    jacobian,
    load,
    load_exact,
    load_generated,
    run,
)

from ad_transform.around import Around
from ad_transform.options import Options
from ad_transform.run.job import transform
from ad_transform.run.printing import Origin

TABLE = """
from math import cos, exp, sin

# ad: external
def wave(x: float, k: int = 3) -> float:
    return sin(k * x)

def wave_jac(x: float, k: int) -> float:
    return k * cos(k * x)

def wave_jac_jac(x: float, k: int) -> float:
    return -k * k * sin(k * x)

# ad: external
def growth(x: float, y: float) -> float:
    while True:
        return x * exp(y)

def growth_vjp(x: float, y: float, value: float, bar: float) -> tuple[float, float]:
    return bar * exp(y), bar * value

def spread(x: float, y: float) -> float:
    return exp(x * y)

# ad: rule(spread, jvp)
def slope_of_spread(
    x: float, y: float, x_dot: float, y_dot: float
) -> float:
    return exp(x * y) * (x * y_dot + x_dot * y)

# ad: rule(spread, vjp)
def bar_of_spread(x: float, y: float, v: float, v_bar: float) -> tuple[float, float]:
    return v_bar * v * y, v_bar * v * x
"""
VECTORS = """
# ad: external(shape=[2])
def pair(x: "Vector[2]", s: float):
    return [x[0] * x[1] * s, x[1] ** 3]
"""
PAIR_JAC = """
def pair_jac(x, s):
    by_x = [[x[1] * s, x[0] * s], [0.0, 3 * x[1] ** 2]]
    return by_x, [x[0] * x[1], 0.0]
"""
PAIR_JVP = """
def pair_jvp(x, s, x_dot, s_dot):
    first = (x_dot[0] * x[1] + x[0] * x_dot[1]) * s + x[0] * x[1] * s_dot
    return [first, 3 * x[1] ** 2 * x_dot[1]]
"""
PAIR_VJP = """
def pair_vjp(x, s, value, bar):
    by_x = [bar[0] * x[1] * s, bar[0] * x[0] * s + bar[1] * 3 * x[1] ** 2]
    return by_x, bar[0] * x[0] * x[1]
"""
AT = {"x": 0.7, "y": 0.4}


def written(source: str, text: str) -> Any:
    """The namespace of an output that imports from its source."""
    return load(text, {"model": SimpleNamespace(**load(source))})


def close(found: Sequence[Any], wanted: Sequence[Any]) -> None:
    """The numbers are those with sixty digits, but for some roundings."""
    assert found == pytest.approx([float(w) for w in wanted], rel=1e-13, abs=1e-15)


def slopes(source: str, name: str = "f", **at: float) -> list[Any]:
    """The partials of a function with sixty digits."""
    return flat(jacobian(load_exact(source)[name], exactly(at), tuple(at)))


CALLERS = {
    "jac": "def f(x: float, y: float):\n    return y * wave(x * y) ** 2\n",
    "vjp": "def f(x: float, y: float):\n    return y * growth(x * y, x)\n",
    "rules": "def f(x: float, y: float):\n    return y * spread(x * y, x)\n",
    "loop": """
def f(x: float, y: float):
    s = x
    for i in range(40):
        s = wave(0.2 * s * y, 1 + i // 20) + growth(y, -s) / (i + 1.0)
    return s
""",
    "branch": """
def f(x: float, y: float):
    if x > y:
        return wave(x, 2) * y
    return growth(x, y)
""",
    "kept": """
def inner(t):
    return wave(t) + t
def f(x: float, y: float):
    return inner(inner(x * y) + y)
""",
}


@pytest.mark.parametrize(("caller", "inline"), pairs(CALLERS, ["always", "never"], 2))
def test_slopes_are_those_of_the_function_called(caller: str, inline: str) -> None:
    source = TABLE + CALLERS[caller].replace("def f", "# ad: gradient, jvp\ndef f")
    made = written(source, generate(source, inline=inline, **ANY_ORDER))
    wanted = slopes(source, **AT)
    close(flat(made["f_grad"](**AT)), wanted)
    tangent = made["f_jvp"](**AT, x_dot=1.0, y_dot=0.0)[1]
    close([tangent], wanted[:1])


def test_second_derivatives_come_from_those_of_derivatives() -> None:
    source = TABLE + "# ad: hessian, hvp\n" + CALLERS["jac"]
    made = written(source, generate(source, **NUMBERS))
    wanted = flat(hessian(load_exact(source)["f"], exactly(AT), ("x", "y")))
    close(flat(made["f_hess"](**AT)), wanted)
    product = made["f_hvp"](**AT, x_dot=0.0, y_dot=1.0)
    close(flat(product), wanted[2:])


PAIRS = """
def f(x: "Vector[2]", s: float):
    a, b = pair([x[0] * s, x[1] * s], s)
    return a * b + s
"""


@pytest.mark.parametrize("giver", [PAIR_JAC, PAIR_JVP, PAIR_VJP])
def test_arrays_go_in_and_come_out(giver: str) -> None:
    source = VECTORS + giver + PAIRS.replace("def f", "# ad: gradient\ndef f")
    made = written(source, generate(source, **ANY_ORDER))
    whole = load_exact(source)["f"]
    apart = lambda x, y, s: whole([x, y], s)  # noqa: E731
    at = {"x": 0.7, "y": 0.4, "s": 1.5}
    wanted = flat(jacobian(apart, exactly(at), tuple(at)))
    close(flat(made["f_grad"]([0.7, 0.4], 1.5)), wanted)


WHOLE = """
import numpy as np

# ad: external
def ramp(x: "Vector[n]", a: float) -> "Vector[n]":
    return np.cumsum(x) * a

def ramp_vjp(x, a, value, bar):
    return a * np.cumsum(bar[::-1])[::-1], float(bar @ np.cumsum(x))

# ad: rule(ramp, jvp)
def rise(x, a, x_dot, a_dot):
    return np.cumsum(x_dot) * a + np.cumsum(x) * a_dot

# ad: gradient, jvp
def f(x: "Vector[n]", a: float, k: int):
    for _ in range(k):
        x = ramp(x * x, a) - x
    return sum(v * ramp(x, 2.0)[0] for v in x)
"""


def test_arrays_of_any_length_go_in_and_come_out() -> None:
    made = written(WHOLE, generate(WHOLE, **NUMBERS))
    plain, x, way = load(WHOLE)["f"], np.array([0.3, -0.2, 0.5]), 2.0**-12
    dx = np.cos(x)
    ends = [plain(x + h * dx, 0.7 + h, 2) for h in (way, -way, 2 * way, -2 * way)]
    slope = (8.0 * (ends[0] - ends[1]) - (ends[2] - ends[3])) / (12.0 * way)
    x_bar, a_bar = made["f_grad"](x, 0.7, 2)
    assert x_bar @ dx + a_bar == pytest.approx(slope, rel=1e-9)
    tangent = made["f_jvp"](x, 0.7, dx, 1.0, 2)[1]
    assert tangent == pytest.approx(x_bar @ dx + a_bar, rel=1e-13)


@pytest.mark.parametrize("mark", ["gradient", "jvp"])
def test_arrays_are_those_of_numpy_and_no_lists(mark: str) -> None:
    source = WHOLE.replace("# ad: gradient, jvp", f"# ad: {mark}")
    (found,) = run(source, container="tuple").diagnostics
    assert found.code == "AD031"
    assert 'container="tuple"` of external arrays' in found.message


def test_nothing_is_imported_that_nothing_reads() -> None:
    source = (
        "# ad: external\ndef g(x, y):\n    return x * y\n\n\n"
        "def g_jac(x, y):\n    return y, x\n\n\n"
        "def g_jac_jac(x, y):\n    return (0.0, 1.0), (1.0, 0.0)\n\n\n"
        "# ad: hessian\ndef f(x, y):\n    return g(x, y)\n"
    )
    assert "numpy" not in generate(source, container="tuple", **ANY_ORDER)


def test_products_of_arrays_are_asked_for_by_name() -> None:
    text = WHOLE.replace("# ad: rule(ramp, jvp)\n", "").replace("jvp\n", "hvp\n")
    (said,) = run(text).diagnostics
    assert said.code == "AD125" and "ramp_jvp(x, a, x_dot, a_dot)" in str(said.help)


def test_one_way_to_a_product_with_the_hessian_is_enough() -> None:
    text = (
        "# ad: external\ndef f(x: 'Vector[n]') -> 'Vector[n]':\n    return x * x\n"
        "def f_vjp(x, value, bar):\n    return 2.0 * x * bar\n"
        "def f_vjp_jvp(x, value, bar, x_dot, value_dot, bar_dot):\n"
        "    return 2.0 * (x_dot * bar + x * bar_dot)\n"
        "def f_jvp(x, x_dot):\n    return 2.0 * x * x_dot\n"
        "# ad: hvp\ndef g(x: 'Vector[n]'):\n    y = f(x)\n    return y @ y\n"
    )
    made, x = written(text, generate(text, **NUMBERS)), np.array([0.5, -2.0])
    assert made["g_hvp"](x, np.array([1.0, 0.25])).tolist() == [3.0, 12.0]


def test_the_shape_of_what_comes_out_is_checked() -> None:
    source = VECTORS + PAIR_JAC.replace("0.0]", "0.0, 1.0]")
    source += PAIRS.replace("def f", "# ad: gradient\ndef f")
    made = written(source, generate(source, **ANY_ORDER))
    with pytest.raises(ValueError, match=r"shape \(3,\), not \(2,\)"):
        made["f_grad"]([0.7, 0.4], 1.5)


# --- what is printed ----------------------------------------------------------------


def test_the_function_is_imported_and_called_once() -> None:
    text = generate(TABLE + "# ad: gradient\n" + CALLERS["jac"], **ANY_ORDER)
    assert "from model import wave, wave_jac\n" in text
    assert text.count(" wave(") == 1
    assert "def wave" not in text


def test_the_value_is_the_one_of_the_source() -> None:
    source = TABLE + "# ad: gradient(value=True)" + CALLERS["loop"]
    made = written(source, generate(source, **ANY_ORDER))
    assert made["f_value_and_grad"](**AT)[0] == invoke(load(source)["f"], AT)


# --- passive ------------------------------------------------------------------------

PASSIVE = """
def f(x: float, y: float):
    # ad: passive
    c = x * y
    return c * x + c * y
"""


def test_no_derivative_goes_through_a_passive_statement() -> None:
    made = load_generated("# ad: gradient, hessian\n" + PASSIVE.strip())
    assert made["f_grad"](2.0, 3.0) == (6.0, 6.0)
    assert flat(made["f_hess"](2.0, 3.0)) == [0.0] * 4


def test_a_passive_statement_keeps_its_name_and_leaves_no_trace() -> None:
    text = generate("# ad: vjp\n" + PASSIVE.strip(), **ANY_ORDER)
    assert "    c = x * y\n" in text
    assert "passive" not in text


STATEMENTS = {
    "f = x * x + y": "    # ad: passive\n    f = x * x + y\n    return f * y",
    "augmented": "    f = x * x\n    # ad: passive\n    f += y\n    return f * y",
    "annotated": "    # ad: passive\n    f: float = x * x + y\n    return f * y",
    "arms": "    if x > 0:\n        # ad: passive\n        f = x * x + y\n"
    "    else:\n        f = x\n    return f * y",
    "elements": "    f = [0.0, 0.0]\n    # ad: passive\n    f[1] = x * x + y\n"
    "    return f[1] * y",
    "function": "    return inner(x, y) * y",
}


@pytest.mark.parametrize("body", STATEMENTS.values(), ids=STATEMENTS)
def test_whatever_binds_a_value_may_be_passive(body: str) -> None:
    inner = "# ad: passive\ndef inner(x, y):\n    return x * x + y\n"
    source = f"{inner}# ad: gradient\ndef f(x: float, y: float):\n{body}\n"
    assert load_generated(source)["f_grad"](2.0, 3.0) == (0.0, 7.0)


def test_estimates_see_the_errors_of_passive_values() -> None:
    source = "# ad: error(x, y)\n" + PASSIVE.strip()
    plain = source.replace("    # ad: passive\n", "")
    bounds = [load_generated(text)["f_err"](0.1, 0.3) for text in (source, plain)]
    assert bounds[0] == bounds[1]


# --- refusals -----------------------------------------------------------------------


REFUSED = {
    "AD125": ("f_jac", "# ad: external\ndef f(x: float):\n    return x\n{}f(x)"),
    "AD125 second": (
        "f_jac_jac",
        "# ad: external\ndef f(x):\n    return x\ndef f_jac(x):\n    return 1\n{}f(x)",
    ),
    "AD104 options": ("plain", "# ad: external\ndef f(*x):\n    return x\n{}f(x)"),
    "AD104 shape": (
        "Vector",
        '# ad: external\ndef f(x: "Array[k, m, n]"): ...\n{}f(x)',
    ),
    "AD107 shape": ("shape", '# ad: external\ndef f(x: "Vector[n]"): ...\n{}f(x)'),
    "AD105": ("shape=", '# ad: external\ndef f(x) -> "Vector[n]": ...\n{}f(x)'),
    "AD106 rule": (
        "def g(x)",
        "def f(x):\n    return x\n# ad: rule(f, jac)\ndef g(x, y): ...\n{}f(x)",
    ),
    "AD106": ("f(x)", "# ad: external\ndef f(x): ...\n{}f(x, x)"),
    "AD107": ("number", "# ad: external\ndef f(x): ...\n{}f([x, x])"),
    "AD025": (
        "rename",
        "# ad: external\ndef f(x): ...\ndef f_jac(x): ...\ndef h(y):\n"
        "    return f(y)\n# ad: gradient\ndef m(f: float):\n    return h(f)\n{}h(x)",
    ),
    "AD028": ("calls it", "# ad: external, gradient\ndef f(x): ...\n{}x"),
    "AD020 rule": ("jac", "def f(x): ...\n# ad: rule(f, jak)\ndef g(x): ...\n{}x"),
    "AD020 file": ("f", "def f(x): ...\n# ad: rule(ff, jac)\ndef g(x): ...\n{}x"),
    "AD020 names": ("external", "# ad: external(x)\ndef f(x): ...\n{}x"),
    "AD020 shape": ("2, 5", "# ad: external(shape=[n])\ndef f(x): ...\n{}x"),
    "AD020 passive": ("# ad:", "# ad: passive(x)\ndef f(x): ...\n{}x"),
    "AD021 loop": (
        "assignments",
        "def f(x):\n    # ad: passive\n    for i in range(2):\n        x = x\n"
        "    return x\n{}f(x)",
    ),
    "AD021 print": (
        "assignment",
        "def f(x):\n    # ad: passive\n    print(x)\n    return x\n{}f(x)",
    ),
}


@pytest.mark.parametrize("case", REFUSED, ids=REFUSED)
def test_what_cannot_be_is_refused_with_a_way_out(case: str) -> None:
    wanted, text = REFUSED[case]
    caller = "# ad: hessian\ndef main(x: float):\n    return x * "
    result = run(text.replace("{}", caller) + "\n")
    found = [d for d in result.diagnostics if d.code == case.partition(" ")[0]]
    assert found, result.diagnostics
    assert wanted in found[0].help
    assert found[0].span is not None


@pytest.mark.parametrize("kind", ["error", 'error(model="enclosure")'])
def test_estimates_through_external_functions_are_refused(kind: str) -> None:
    result = run(f"{TABLE}# ad: {kind}\n{CALLERS['jac']}")
    assert [d.code for d in result.diagnostics] == ["AD031"]


def test_equations_with_external_functions_are_refused() -> None:
    source = """
# ad: external
def g(y): ...
def residual(y, x):
    return y * y + g(y) - x
# ad: implicit(residual=residual)
def solve(x):
    y = x
    for i in range(20):
        y = y - 0.1 * residual(y, x)
    return y
# ad: gradient
def f(x):
    return solve(x) * x
"""
    (found,) = run(source).diagnostics
    assert (found.code, bool(found.help)) == ("AD113", True)


# --- files --------------------------------------------------------------------------

FILES = {
    "lib/__init__.py": b"",
    "lib/tables.py": b"# ad: external\ndef g(x): ...\ndef g_jac(x): ...\n",
}
IMPORTS = {
    "main.py": "from lib.tables import g_jac\n",
    "lib/main.py": "from .tables import g_jac\n",
}


@pytest.mark.parametrize("own", IMPORTS)
def test_files_are_imported_relative_inside_a_package(own: str) -> None:
    source = b"from lib.tables import g\n# ad: gradient\ndef f(x):\n    return g(x)\n"
    origin, around = Origin("main.py", "ad-transform main.py"), Around(own, FILES.get)
    result = transform(source, own, origin, Options(), around)
    assert result.text is not None
    assert IMPORTS[own] in result.text
