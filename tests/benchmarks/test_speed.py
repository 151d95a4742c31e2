"""How fast generated code is, in ratios to what it replaces."""

from __future__ import annotations

import importlib.util
import inspect
import time
from pathlib import Path
from typing import Any

import pytest
from measuring import addition, seconds
from support import Case, corpus, flat, generate, load, marked, run

FIXTURES = Path(__file__).parents[2] / "fixtures" / "reference"


def case_of(name: str) -> Case:
    return next(c for c in corpus() if c.name == name)


def source_of(name: str) -> str:
    return case_of(name).source


def point_of(name: str) -> list[Any]:
    return list(case_of(name).points[0].values())


def original(name: str) -> Any:
    return load(source_of(name))[name]


def generated(name: str, item: str, **options: Any) -> tuple[Any, int]:
    """The generated function and the number of its operations."""
    options = {"container": "tuple", "powers": "multiply", **options}
    result = run(marked(source_of(name), name, item), **options)
    assert result.text is not None
    (derived,) = result.derived
    return load(result.text)[derived.function.name], derived.counts.total


def report(what: str, ratio: float, limit: float) -> None:
    print(f"{what:60s} {ratio:8.2f}   limit {limit}")


ARITHMETIC = [
    ("powell", "gradient(value=True)"),
    ("rosenbrock", "gradient(value=True)"),
    ("rosenbrock4", "gradient(value=True)"),
    ("wood", "gradient(value=True)"),
    ("beale", "hessian(value=True)"),
    ("heart_dipole", "jacobian(value=True)"),
    ("lorenz_step", "jacobian"),
]


@pytest.mark.parametrize(("name", "item"), ARITHMETIC)
def test_an_operation_costs_little_more_than_an_addition(name, item):
    made, operations = generated(name, item)
    additions, count = addition()
    point = point_of(name)
    ours, call, theirs = seconds(
        (made, point), (lambda *x: x, point), (additions, (1.5, 2.5))
    )
    ratio = (ours - call) / operations / (theirs / count)
    report(f"{name} {item}: per operation, by an addition", ratio, 1.5)
    assert ratio < 1.5


@pytest.mark.parametrize("name", ["powell", "rosenbrock"])
def test_value_and_gradient_by_the_original(name):
    made, _ = generated(name, "gradient(value=True)")
    point = point_of(name)
    ours, users = seconds((made, point), (original(name), point))
    report(f"{name}: value and gradient by the original", ours / users, 1.9)
    assert ours / users < 1.9


@pytest.mark.parametrize("name", ["powell", "rosenbrock"])
def test_product_by_value_and_gradient(name):
    gradient, _ = generated(name, "gradient(value=True)")
    product, _ = generated(name, "hvp(value=True)")
    point = point_of(name)
    ours, base = seconds((product, [*point, *point]), (gradient, point))
    report(f"{name}: value, gradient, product by value and gradient", ours / base, 2.2)
    assert ours / base < 2.2


HAND = [
    (path.stem, name)
    for path in sorted(FIXTURES.glob("*.py"))
    for name, value in load(path.read_text(encoding="utf-8")).items()
    if getattr(value, "__module__", None) == "model"
]
NOISE = 1.1  # between two measurements of one function on a shared machine


@pytest.mark.parametrize(("file", "name"), HAND)
def test_never_slower_than_by_hand(file, name):
    item = {"gradients": "gradient", "jacobians": "jacobian"}[file]
    made, _ = generated(name, f"{item}(value=True)")
    hand = load((FIXTURES / f"{file}.py").read_text(encoding="utf-8"))[name]
    point = point_of(name)
    ours, theirs = seconds((made, point), (hand, point))
    report(f"{name} {item}: by hand-written code", ours / theirs, NOISE)
    assert ours / theirs < NOISE


JAX = ["powell", "rosenbrock", "rosenbrock4", "lighthouse", "robot_arm", "helmholtz3"]
JAX += ["heart_dipole", "propane_combustion", "black_scholes", "himmelblau"]
FACTORS = ((50, 20.0), (150, 5.0), (400, 2.0))  # operations below which, times faster


@pytest.mark.parametrize("name", JAX)
def test_faster_than_jax(name):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    case = case_of(name)
    item = "gradient(value=True)" if case.scalar else "jacobian(value=True)"
    made, operations = generated(name, item)
    theirs = compiled(jax, case)
    point = point_of(name)
    want, got = theirs(*point), made(*point)
    assert flat(got) == pytest.approx([float(v) for v in flat(want)], rel=1e-9)
    ours, xla = seconds(
        (made, point), (lambda *x: jax.block_until_ready(theirs(*x)), point)
    )
    factor = next(factor for most, factor in FACTORS if operations < most)
    report(f"{name}: jax.jit by ours ({operations} operations)", xla / ours, factor)
    assert xla / ours > factor


def compiled(jax: Any, case: Case) -> Any:
    """Value and derivative by JAX; its functions stand in for those of `math`."""
    numpy = jax.numpy
    module = type(inspect)("math")
    for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "log1p"):
        setattr(module, name, getattr(numpy, name))
    module.atan2 = numpy.arctan2
    module.erf = jax.scipy.special.erf
    module.pi, module.e = numpy.pi, numpy.e
    every = type(inspect)("math")
    every.__dict__.update(vars(__import__("math")) | vars(module))
    function = load(case.source, {"math": every})[case.name]
    arguments = tuple(range(len(case.actives)))
    if case.scalar:
        return jax.jit(jax.value_and_grad(function, argnums=arguments))
    slopes = jax.jacfwd(function, argnums=arguments)
    return jax.jit(lambda *x: (function(*x), slopes(*x)))


def test_first_result_of_a_file_without_numpy(tmp_path):
    """Import and first call, within a running interpreter."""
    path = tmp_path / "arm.py"
    source = marked(source_of("robot_arm"), "robot_arm", "jacobian(value=True)")
    path.write_text(generate(source, container="tuple"), encoding="utf-8")
    times = []
    for trip in range(5):
        start = time.perf_counter()
        spec = importlib.util.spec_from_file_location(f"arm{trip}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.robot_arm_value_and_jac(*point_of("robot_arm"))
        times.append(time.perf_counter() - start)
    print(f"first result: {1e3 * times[0]:.1f} ms, best {1e3 * min(times):.1f} ms")
    assert min(times) < 0.005
