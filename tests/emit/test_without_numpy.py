"""`container="tuple"`: whole arrays as lists and loops, in files without numpy."""

from __future__ import annotations

import math
from functools import cache
from inspect import signature
from typing import Any

import natural_arrays
import numpy as np
import pytest
import test_compiled_checkpoints as checkpoints
import test_whole_bodies as bodies
from amounts import LONG, NUMBERS, part
from support import flat, generate, load, load_generated

SIZES = natural_arrays.SIZES
MARKS = {"gradient(value=True)": "value_and_grad", "hvp": "hvp", "error": "err"}


def without_numpy(text: str) -> dict[str, Any]:
    assert "import numpy" not in text and "from numpy" not in text
    return load(text)


def numbers(value: Any) -> Any:
    """All numbers of a result."""
    return np.array(flat(value), dtype=float)


def is_plain(value: Any) -> bool:
    """Whether there is nothing but numbers of Python in it, and its containers."""
    if isinstance(value, tuple | list):
        return all(map(is_plain, value))
    return type(value) in (float, int)


# --- functions as people write them ---------------------------------------------------


@cache
def natural() -> tuple[dict[str, Any], dict[str, Any]]:
    """The derivatives of all natural functions, with arrays and without numpy."""
    source = natural_arrays.SOURCE
    for name in functions():
        source = source.replace(
            f"def {name}(", f"# ad: {', '.join(MARKS)}\ndef {name}("
        )
    made = without_numpy(generate(source, container="tuple", **NUMBERS))
    return load(generate(source, **NUMBERS)), made


@cache
def functions() -> tuple[str, ...]:
    """Those that test_whole_arrays.py derives for arrays of known shape as well."""
    plain = load(natural_arrays.SOURCE)
    names = [n for n, f in plain.items() if hasattr(f, "__code__")]
    return tuple(part(names, 3))


@pytest.mark.parametrize("suffix", MARKS.values())
@pytest.mark.parametrize("name", functions())
def test_natural_functions_have_the_derivatives_of_arrays(
    name: str, suffix: str
) -> None:
    wanted, made = (each[f"{name}_{suffix}"] for each in natural())
    given = arguments(name)
    names = wanted.__code__.co_varnames[: wanted.__code__.co_argcount]
    for key in names:
        if key.endswith("_dot"):
            given[key] = np.cos(2.0 * np.asarray(given[key.removesuffix("_dot")]))
    listed = {key: _listed(value) for key, value in given.items()}
    got, want = made(**listed), wanted(**given)
    assert is_plain(got)
    limit = 1.0 if suffix == "err" else 1e-12  # two estimates of sums in two orders
    np.testing.assert_allclose(numbers(got), numbers(want), rtol=limit, atol=1e-13)
    if suffix == "err":
        assert numbers(got)[0] == pytest.approx(numbers(want)[0], rel=1e-14)


def arguments(name: str) -> dict[str, Any]:
    """Arguments of a natural function, as its annotations say."""
    function = load(natural_arrays.SOURCE)[name]
    found: dict[str, Any] = {}
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    for k, key in enumerate(names):
        said = str(function.__annotations__.get(key, ""))
        dims = said.partition("[")[2].strip("]").split(", ") if "[" in said else []
        shape = [SIZES.get(d) or int(d) for d in dims]
        values = 0.55 + 0.35 * np.sin(np.arange(math.prod(shape)) + 3.0 * k)
        found[key] = values.reshape(shape) if shape else float(values[0])
    return found


def _listed(value: Any) -> Any:
    return np.asarray(value).tolist()


# --- all that numpy has ---------------------------------------------------------------


CASES = [k for k in bodies.TRIED if LONG or k % 2 == 0]
SWEPT = [k for k in CASES if LONG or k % 4 == 0]
PUSHED = [k for k in CASES if LONG or k % 4 or k % 32 == 12]
"""Those whose adjoints test_whole_bodies.py does not have, and those that are not swept
here, and a few more.
"""


@cache
def every() -> tuple[dict[str, Any], dict[str, Any]]:
    """All bodies as they are written, and their products without numpy."""
    marks = {bodies.PUSHED: PUSHED, bodies.PULLED: SWEPT}
    source = bodies.source(marks, bodies.RIGHT)
    plain = load(bodies.source({}, bodies.RIGHT))
    return plain, without_numpy(generate(source, container="tuple", **NUMBERS))


@pytest.mark.parametrize("case", CASES)
def test_bodies_are_what_numpy_computes(case: int) -> None:
    plain, made = every()
    x, y, S = bodies.drawn(3), bodies.drawn(3) + 0.1, bodies.drawn(3, 3)
    dx, dy = np.cos(x + 1.0), np.sin(3.0 * y)
    more = (S.tolist(), 2, bodies.AT.tolist())

    def at(t: float) -> Any:
        return plain[f"f{case}"](x + t * dx, y + t * dy, S.copy(), 2, bodies.AT)

    if case in PUSHED:
        found = made[f"f{case}_jvp"](x, y, dx, dy, *more)
        step = bodies.STEP
        rise = (numbers(at(step)) - numbers(at(-step))) / (2.0 * step)
        np.testing.assert_allclose(numbers(found[1]), rise, rtol=1e-6, atol=1e-6)
        _agrees(found, at(0.0))
    if case not in SWEPT:
        return
    seed = _like(at(0.0), np.random.default_rng(case))
    found = made[f"f{case}_vjp"](x, y, seed, *more)
    _agrees(found, at(0.0))
    tangent = bodies.modules()[1][f"f{case}_jvp"](x, y, dx, dy, S, 2, bodies.AT)[1]
    back, along = found[1], numbers(seed) @ numbers(tangent)
    assert numbers(back) @ [*dx, *dy] == pytest.approx(along, rel=1e-11, abs=1e-12)


def _agrees(found: Any, value: Any) -> None:
    """A value and what is beside it are without numpy, and the value is numpy's."""
    assert all(map(is_plain, found))
    np.testing.assert_allclose(
        numbers(found[0]), numbers(value), rtol=1e-12, atol=1e-14
    )


def _like(value: Any, rng: Any) -> Any:
    if isinstance(value, tuple | list):
        return tuple(_like(each, rng) for each in value)
    shape = np.shape(value)
    return (
        rng.uniform(-1.0, 1.0, shape).tolist()
        if shape
        else float(rng.uniform(-1.0, 1.0))
    )


# --- functions that stay functions ----------------------------------------------------

KEPT = """
import numpy as np


def soft(a, k):
    return np.tanh(a * k) + a / (1.0 + a * a)


def grow(A, v):
    return np.outer(v, A @ v) * 0.1 + A


def tree(v):
    if len(v) == 1:
        return v[0] * v[0]
    m = len(v) // 2
    return tree(v[:m]) * tree(v[m:]) + np.sum(v)


# ad: MARKS
def numbers(x: "Vector[n]", h: float):
    y, s = x, 0.0
    for i in range(3):
        y = soft(y, h)
        s += np.sum(y * y)
    return s + tree(x * h)


# ad: MARKS
def matrices(x: "Vector[n]", h: float):
    A = np.outer(x, x) * h
    for i in range(3):
        A = grow(A, x)
    return np.sum(A * A) + np.trace(A)
"""


@cache
def kept() -> tuple[dict[str, Any], dict[str, Any]]:
    """Functions that call others, with arrays and without numpy."""
    source = KEPT.replace("MARKS", "gradient, jvp, vjp, hvp")
    options = {**NUMBERS, "inline": "never"}
    made = without_numpy(generate(source, container="tuple", **options))
    return load_generated(source, **options), made


@pytest.mark.parametrize("kind", ["grad", "jvp", "vjp", "hvp"])
@pytest.mark.parametrize("name", ["numbers", "matrices"])
def test_functions_that_are_called_are_given_lists(name: str, kind: str) -> None:
    seeds = [np.cos(np.arange(5.0)).tolist(), 0.3] if kind in ("jvp", "hvp") else []
    at = [np.sin(1.0 + np.arange(5.0)).tolist(), 0.4, *seeds]
    at += [0.7] if kind == "vjp" else []
    wanted, made = (each[f"{name}_{kind}"](*at) for each in kept())
    assert is_plain(made)
    np.testing.assert_allclose(numbers(made), numbers(wanted), rtol=1e-12)


@pytest.mark.parametrize("name", checkpoints.BODIES)
def test_loops_that_hold_few_states_hold_lists(name: str) -> None:
    kinds = checkpoints.kinds([*checkpoints.BODIES].index(name))
    mark = checkpoints.HEAD.format(kinds, name)
    source = f"import numpy as np\n\n\n{mark}{checkpoints.BODIES[name]}"
    text = generate(source, container="tuple", **NUMBERS)
    wanted, made = load(generate(source, **NUMBERS)), without_numpy(text)
    dots: list[Any] = [*checkpoints.SEEDS.values()]
    for kind, seeds in ("grad", []), ("jvp", dots), ("vjp", [0.7]), ("hvp", dots):
        for steps in (0, 1, 2, 7, 19) if f"{name}_{kind}" in made else ():
            at = [checkpoints.U, 0.05, *seeds, steps]
            found, own = made[f"{name}_{kind}"](*at), wanted[f"{name}_{kind}"](*at)
            assert is_plain(found)
            np.testing.assert_allclose(numbers(found), numbers(own), rtol=1e-12)


# --- arrays of three axes -------------------------------------------------------------

LAYERS = """
import numpy as np


# ad: gradient(A, value=True)
def known(A: "Array[2, 3, 2]", s: float):
    return np.sum(A[0] * A[1, ::-1]) * s


# ad: gradient(A, b, packed=True), hvp(A, b, packed=True)
def rows(A: "Array[m, 3, 2]", b: "Vector[4]", s: float):
    return np.sum(A[0] * A[1] ** 2) * s + b[0] * b[1]


# ad: gradient(A, b, packed=True), hvp(A, b, packed=True)
def behind(A: "Vector[2]", b: "Array[2, m, 2]", s: float):
    return np.sum(b[0] * b[1] ** 2) * s * A[0]
"""


@cache
def layers() -> tuple[dict[str, Any], dict[str, Any]]:
    """Functions of arrays of three axes, with arrays and without numpy."""
    made = without_numpy(generate(LAYERS, container="tuple", **NUMBERS))
    return load(generate(LAYERS, **NUMBERS)), made


def test_three_known_axes_are_sequences_of_sequences() -> None:
    own, made = (each["known_value_and_grad"] for each in layers())
    at = np.sin(np.arange(12.0)).reshape(2, 3, 2)
    found = made(at.tolist(), 2.0)
    assert is_plain(found)
    assert numbers(found) == pytest.approx(numbers(own(at, 2.0)))
    with pytest.raises(ValueError, match=r"rows of \[\[2\]\], not \(2, 3, 2\)"):
        made([[[1.0, 2.0]]], 2.0)


@pytest.mark.parametrize(("name", "count"), [("rows", 16), ("behind", 14)])
@pytest.mark.parametrize("kind", ["grad", "hvp"])
def test_three_axes_are_parts_of_vectors(name: str, count: int, kind: str) -> None:
    own, made = (each[f"{name}_{kind}"] for each in layers())
    places = np.arange(float(count))
    more = [np.cos(places).tolist()] if kind == "hvp" else []
    at = np.sin(places).tolist(), *more, 2.0
    found = made(*at)
    assert all(type(x) is float for x in found)
    assert found == pytest.approx(own(*at))


# --- how it reads ---------------------------------------------------------------------

READ = """
import numpy as np


# ad: gradient(container="tuple")
def f(x: "Vector[n]", A: "Matrix[n, n]"):
    z = A @ x
    return np.sum(np.exp(-(z**2)) * x[::-1])
"""


def test_arrays_are_lists_and_loops() -> None:
    text = generate(READ)
    assert "    z = [0.0] * x_size\n    for i, A_i in enumerate(A_list):\n" in text
    assert "    exp_z = [exp(-(z_i * z_i)) for z_i in z]\n" in text
    made = without_numpy(text)["f_grad"]
    with pytest.raises(ValueError, match=r"A has shape \(1, 2\), not \(2, 2\)"):
        made([1.0, 2.0], [[1.0, 2.0]])
    given = [0.5, 0.25], ((1, 2), (3, 4))
    assert [len(row) for row in made(*given)[1]] == [2, 2]
    assert given == ([0.5, 0.25], ((1, 2), (3, 4)))


ROWS = """
# ad: jvp
def f(x: "Vector[n]", y: "Vector[n]"):
    return [[x[0], y[1]], [x[1] * y[0], 2.0]]
"""


@pytest.mark.parametrize("container", ["array", "tuple"])
def test_lists_of_lists_are_annotated_so(container: str) -> None:
    assert "tuple[list[list[float]], " in generate(ROWS, container=container)


OWN_LOOP = """
import numpy as np


# ad: gradient(value=True, container="tuple")
def f(x: "Vector[n]"):
    z = [0.0] * len(x)
    for j in range(len(x)):
        z[j] = 2.0 * x[j]
    return np.sum(np.array(z) * x)
"""


def test_loops_of_the_user_stay_loops() -> None:
    text = generate(OWN_LOOP)
    assert "    z = [0.0] * x_size\n    for j in range(x_size):\n" in text
    assert load(text)["f_value_and_grad"]([1.0, 2.0]) == (10.0, (4.0, 8.0))


def test_singular_systems_are_refused_at_run_time() -> None:
    mark = '# ad: gradient(container="tuple")'
    head = (
        f'import numpy as np\n\n\n{mark}\ndef f(A: "Matrix[n, n]", b: "Vector[n]"):\n'
    )
    body = "    return np.sum(np.linalg.solve(A, b))\n"
    made = without_numpy(generate(head + body))["f_grad"]
    with pytest.raises(ValueError, match="singular matrix"):
        made([[1.0, 2.0], [2.0, 4.0]], [1.0, 1.0])


@pytest.mark.parametrize("kind", ["jacobian(x, value=True)", "jvp(x)", "error(x)"])
@pytest.mark.parametrize("body", ["p = x * x\n    return p, p", "return [x, x]"])
def test_an_array_is_returned_twice(body: str, kind: str) -> None:
    source = f'# ad: {kind}\ndef f(x: "Vector[n]"):\n    {body}\n'
    values = {"x": [0.5, 2.0], "x_dot": [1.0, 0.5]}
    found = []
    for container in ("array", "tuple"):
        made = load(generate(source, container=container, **NUMBERS))
        (one,) = (made[n] for n in ("f_value_and_jac", "f_jvp", "f_err") if n in made)
        given = [values[n] for n in signature(one).parameters]
        found.append(flat(one(*given)))
    assert found[0] == found[1]
