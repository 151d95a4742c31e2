"""Lengths that are expressions of others: `Vector[n + 1]`, `Matrix[n, n + 1]`."""

from __future__ import annotations

from typing import Any

import in_c
import in_fortran
import numpy as np
import pytest
from support import flat, invoke, load, load_generated, run
from targets import Targets

SOURCE = """
import numpy as np


# ad: gradient, hessian, hvp, jvp, vjp, error
def upwind(x: "Vector[n]", y: "Vector[n+1]"):
    s = 0.0
    for i in range(len(x)):
        s += x[i] ** 3 * (y[i + 1] - y[i]) ** 2
    return s


# ad: jacobian, jvp, vjp
def fluxes(y: "Vector[n+1]", x: "Vector[n]"):
    q = np.diff(y) * x
    z = np.zeros(len(y))
    z[1:] += q
    z[:-1] -= q**2
    return z


# ad: jvp, vjp
def layers(A: "Matrix[n, n + 1]", B: "Array[m, 2*n - 1, 2]", z: "Vector[m]"):
    s = np.zeros(len(A))
    for k in range(len(z)):
        for i in range(len(A)):
            s[i] += B[k, 2 * i, 0] * z[k] * A[i, i + 1] ** 2 + B[k, i, 1]
    return s, np.sum(A[0] * A[-1])


# ad: gradient(x, k, packed=True), hvp(x, k, packed=True)
def packed(y: "Vector[2*n+1]", x: "Vector[n]", k: float):
    return np.sum(y[: len(x)] * y[len(x) + 1 :] * np.sin(x) * k)


# ad: jacobian
def last(A: "Matrix[m*n, m + n]", y: "Vector[n]", w: "Vector[m]"):
    return A @ np.concatenate([w, y])
"""
MADE = Targets(SOURCE)
NAMES = [one.function.name for one in MADE.derived]


@pytest.fixture(scope="module", params=["c", "fortran"])
def functions(request: Any, tmp_path_factory: Any) -> Any:
    """The functions in a language, of arguments by name."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "c":
        library = in_c.compiled([MADE.text("c")], folder)[0]
        return in_c.functions(library, MADE.flat("c"))
    own = in_fortran.compiled(MADE.text("fortran"), folder, "-fcheck=all")
    return in_fortran.functions(own, "model_grad", MADE.flat("fortran"))


def _array(*shape: int) -> Any:
    return np.cos(1.0 + np.arange(np.prod(shape))).reshape(shape)


def arguments(source: str, n: int) -> dict[str, Any]:
    """Arguments of a function of the source, and seeds for them."""
    m = 3
    shapes: dict[str, tuple[int, ...]] = {"x": (n,), "y": (n + 1,)}
    shapes |= {"A": (n, n + 1), "B": (m, 2 * n - 1, 2), "z": (m,), "w": (m,)}
    if source == "packed":
        shapes |= {"p": (n + 1,), "y": (2 * n + 1,)}
    if source == "last":
        shapes |= {"A": (m * n, m + n), "y": (n,)}
    found: dict[str, Any] = {name: _array(*shape) for name, shape in shapes.items()}
    found |= {f"{name}_dot": np.sin(v * 9.0) for name, v in found.items()}
    bars = {"layers": (_array(n), 0.5), "upwind": 0.75}
    return found | {f"{source}_bar": bars.get(source, _array(n + 1)), "k": 0.7}


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("name", NAMES)
def test_compiled_numbers_are_those_of_python(
    name: str, n: int, functions: Any
) -> None:
    (one,) = (one for one in MADE.derived if one.function.name == name)
    at = arguments(one.source, n)
    own = load(MADE.text("math"))[name]
    wanted = {p.name for p in one.function.parameters}
    at = {k: v for k, v in at.items() if k in wanted}
    found = functions[name]({k: _listed(v) for k, v in at.items()} | {"n": n, "m": 3})
    near = 1e-2 if name.endswith("err") else 1e-13
    assert found == pytest.approx(flat(own(**at)), rel=near, abs=1e-14)


def _listed(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_listed(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize("source", ["upwind", "fluxes", "layers"])
def test_adjoints_fit_tangents_and_the_value(source: str) -> None:
    own, at = load(MADE.text("math")), arguments(source, 4)
    value, tangent = invoke(own[f"{source}_jvp"], at)
    same, adjoint = invoke(own[f"{source}_vjp"], at)
    assert flat(value) == flat(same) == flat(invoke(load(SOURCE)[source], at))
    dots = [at[f"{p}_dot"] for p in ("x", "y", "A", "B", "z") if p in _of(source)]
    order = sorted(zip(_of(source), adjoint, strict=True), key=lambda p: _ORDER[p[0]])
    back = sum(np.sum(a * d) for (_, a), d in zip(order, dots, strict=True))
    forth = np.dot(flat(at[f"{source}_bar"]), flat(tangent))
    assert back == pytest.approx(forth, rel=1e-13)


def _of(source: str) -> str:
    return {"upwind": "xy", "fluxes": "yx", "layers": "ABz"}[source]


_ORDER = {name: k for k, name in enumerate("xyABz")}

# fmt: off
SHAPES = [
    ('x: "Vector[n]", y: "Vector[n+1]"', "y[0] * x[0]", {"y": 3}, "(3,), not (4,)"),
    ('y: "Vector[n+1]", x: "Vector[n]"', "y[0] * x[0]", {"y": 5}, "(5,), not (4,)"),
    ('y: "Matrix[n, 2*n-1]"', "y[0, 0]", {"y": (3, 4)}, "(3, 4), not (n, 2 * n - 1)"),
    ('y: "Matrix[2*(n+1), n]"', "y[0, 0]", {"y": (4, 2)}, "(4, 2), not (2 * n + 2, n)"),
    ('y: "Matrix[m, n+1]", x: "Vector[n]", z: "Vector[m]"', "y[0, 0] * x[0] * z[0]",
     {"y": (2, 3), "z": 2}, "(2, 3), not (m, 4)"),
    ('x: "Vector[n]", y: "Vector[n+1]" = None', "x[0] * (1.0 if y is None else y[0])",
     {"y": 3}, "(3,), not (4,)"),
]
# fmt: on


@pytest.mark.parametrize("container", ["array", "tuple"])
@pytest.mark.parametrize("shape", ["Vector[2*n - 1]", "Matrix[n + 1, n - 1]"])
def test_arrays_that_may_be_none_take_them(shape: str, container: str) -> None:
    source = f"""# ad: gradient(x)
def f(x: "Vector[n]", y: "{shape}" = None):
    return x[0] ** 2 if y is None else x[0] * y{"[-1]" * (1 + ("," in shape))}
"""
    grad = load_generated(source, container=container)["f_grad"]
    y = np.full((4, 2) if "," in shape else 5, 7.0).tolist()
    assert flat(grad([3.0, 1.0, 2.0])) == [6.0, 0.0, 0.0]
    assert flat(grad([3.0, 1.0, 2.0], y)) == [7.0, 0.0, 0.0]


@pytest.mark.parametrize("container", ["array", "tuple"])
@pytest.mark.parametrize(("parameters", "result", "shapes", "wrong"), SHAPES)
def test_lengths_are_checked(
    parameters: str, result: str, shapes: dict[str, Any], wrong: str, container: str
) -> None:
    source = f"# ad: gradient(y)\ndef f({parameters}):\n    return {result}\n"
    own = load_generated(source, container=container)
    at = {name: np.ones(shape).tolist() for name, shape in {"x": 3, **shapes}.items()}
    with pytest.raises(ValueError) as raised:
        invoke(own["f_grad"], at)
    assert str(raised.value) == f"y has shape {wrong}"


@pytest.mark.parametrize(
    ("head", "message"),
    [
        (
            'def f(x: "Vector[2*n]", n: int)',
            "'x' has the length 2*n, and no parameter that is always given has the "
            "length n",
        ),
        (
            'def f(x: "Vector[n + 1]", y: "Vector[n]" = None)',
            "'x' has the length n+1, and no parameter that is always given has the "
            "length n",
        ),
        (
            'def f(x: "Vector[n // 2]", y: "Vector[n]")',
            "the parameter 'x' has the dim `n // 2`, which is no number, name, sum or "
            "product",
        ),
        (
            'def f(x: "Vector[2 - 3]")',
            "the parameter 'x' has the dim `2 - 3`, which is no number, name, sum or "
            "product",
        ),
    ],
)
def test_what_nobody_tells_is_refused(head: str, message: str) -> None:
    result = run(f"# ad: gradient(x)\n{head}:\n    return x[0]\n")
    assert [(d.code, d.message) for d in result.diagnostics] == [("AD104", message)]


MARKED = """
import numpy as np
from typing import Annotated, TYPE_CHECKING
if TYPE_CHECKING:
    from jaxtyping import Float

{mark}
def f(x{x}, y{y}):
    return np.sum(np.diff(y) * x)
"""


@pytest.mark.parametrize(
    ("mark", "x", "y"),
    [
        ('# ad: gradient, shapes(x=[n], y=["n + 1"])', "", ""),
        ("# ad: gradient(y), shapes(y=[n], x=[n-1], z=[n])", "", ""),
        (
            "# ad: gradient",
            ": \"Float[np.ndarray, 'n']\"",
            ": 'Float[np.ndarray, \"n+1\"]'",
        ),
        ("# ad: gradient", ': "Vector[n]"', ": Annotated[np.ndarray, '[n + 1]']"),
        ("# ad: gradient", ': "Vector[n]"', ': "Array[1 + n]"'),
    ],
)
def test_all_forms_of_shapes_take_them(mark: str, x: str, y: str) -> None:
    source = MARKED.format(mark=mark.replace(", z=[n]", ""), x=x, y=y)
    own = load_generated(source)["f_grad"]
    grad = own(np.array([1.0, 2.0]), np.array([1.0, 3.0, 4.0]))
    wanted = [-1.0, -1.0, 2.0] if "gradient(y)" in mark else [2.0, 1.0, -1.0, -1.0, 2.0]
    assert flat(grad) == wanted
    with pytest.raises(ValueError, match=r"has shape \(3,\), not \([24],\)"):
        own(np.ones(3), np.ones(3))


def test_generated_functions_can_be_marked() -> None:
    text = MADE.text("math")
    again = text.replace("def fluxes_vjp(", "# ad: jvp(y, x)\ndef fluxes_vjp(")
    own, at = load_generated(again), arguments("fluxes", 3)
    value, _ = invoke(own["fluxes_vjp_jvp"], at)
    assert flat(value) == flat(invoke(load(text)["fluxes_vjp"], at))
