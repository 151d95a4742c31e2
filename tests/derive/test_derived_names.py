"""What is called `u_bar` is the adjoint of u, all of it and no multiple of it."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from amounts import ANY_ORDER, pairs, search
from support import generate, load, load_generated, marked

# `u_` is added to u, so that the derivative by `u_` is the adjoint of u
PROGRAMS = (
    """import math
def f(x, y, u_, v_, w_):
    u = x * y + u_
    v = math.sin(u) * x + v_
    w = u * v - 2.0 * v + w_
    return w * w - 3.0 * u
""",
    """def f(x, y, u_, v_, w_):
    u = x / y + u_
    v = u * u + v_
    w = v * v * v + w_
    return 4.0 * (w - u) * (w - 1.0) + v / w
""",
    """import math
def f(x, y, u_, v_, w_):
    u = math.hypot(x, y) + u_
    v = u**3 + v_
    w = 3 * x * y / v + w_
    return 3 * w * y / v - x / v - 5 * w * u
""",
)
TWINS = [("x", "x"), ("y", "y"), ("u", "u_"), ("v", "v_"), ("w", "w_")]
"""Values that have the same adjoint, in the order of the independents."""


@pytest.mark.parametrize("order", ["forward", "reverse", "markowitz", "auto"])
@pytest.mark.parametrize("source", PROGRAMS)
def test_a_name_is_not_lent_to_contributions_and_multiples(source, order):
    kind = "gradient(x, y, u_, v_, w_)"
    space = load_generated(marked(source, "f", kind), order=order)
    result, seen = _with_locals(space["f_grad"], (1.3, 0.7, 0.0, 0.0, 0.0))
    named = 0
    for (name, twin), adjoint in zip(TWINS, result, strict=True):
        for lent in {name, twin}.intersection(_stems(seen, "_bar")):
            assert seen[f"{lent}_bar"] == pytest.approx(adjoint, rel=1e-13)
            named += 1
    assert named or order in ("forward", "markowitz")


@pytest.mark.parametrize(
    ("source", "order"),
    pairs(PROGRAMS, ["forward", "reverse", "markowitz", "auto"], 3),
)
def test_a_name_is_not_lent_to_a_part_of_a_tangent(source, order):
    point, seed = (1.3, 0.7, 0.0, 0.0, 0.0), (0.6, -1.1, 0.3, -0.2, 0.9)
    asked = marked(source, "f", "hvp(x, y, u_, v_, w_)")
    text = generate(asked, **search(asked) | {"order": order})
    product, seen = _with_locals(load(text)["f_hvp"], (*point, *seed))
    values = load(source)["f"]
    ahead, behind = (
        _with_locals(
            values, tuple(x + h * d for x, d in zip(point, seed, strict=True))
        )[1]
        for h in (1e-6, -1e-6)
    )
    named = 0
    for (name, twin), entry in zip(TWINS, product, strict=True):
        for lent in {name, twin}.intersection(_stems(seen, "_bar_dot")):
            assert seen[f"{lent}_bar_dot"] == pytest.approx(entry, rel=1e-13)
            named += 1
        if name in _stems(seen, "_dot"):
            slope = (ahead[name] - behind[name]) / 2e-6
            assert seen[f"{name}_dot"] == pytest.approx(slope, rel=1e-8)
            named += name in "uvw"  # the others are seeds
    assert named or order == "reverse"


@pytest.mark.parametrize("source", PROGRAMS)
def test_adjoints_and_tangents_have_their_names(source):
    names = "x, y, u_, v_, w_"
    text = generate(marked(source, "f", f"gradient({names})"), order="reverse")
    point, seed = (1.3, 0.7, 0.0, 0.0, 0.0), (0.6, -1.1, 0.3, -0.2, 0.9)
    _, seen = _with_locals(load(text)["f_grad"], point)
    assert any(name.endswith("_bar") for name in seen)
    text = generate(marked(source, "f", f"jvp({names})"), order="forward")
    _, seen = _with_locals(load(text)["f_jvp"], (*point, *seed))
    assert {"u_dot", "v_dot", "w_dot"}.intersection(seen)


def test_a_partial_derivative_is_no_tangent():
    source = """def f(x, y, b=100.0):
    u = y - x * x
    return (1.0 - x) ** 2 + b * u * u
"""
    space = load_generated(marked(source, "f", "hvp(x, y)"))
    product, seen = _with_locals(space["f_hvp"], (1.3, 0.7, 0.6, -1.1))
    assert seen["y_bar_dot"] == pytest.approx(product[1], rel=1e-13)


def test_no_adjoint_is_called_by_a_name_that_two_values_share():
    source = """def f(ax, ay, bx, by, cx, cy):
    return square(ax, ay, bx * cy - by, by * cx - bx)
def square(ax, ay, bx, by):
    return (ax * bx + ay * by) ** 2
"""
    text = generate(marked(source, "f", "gradient, hessian"), **ANY_ORDER)
    assert "square_bx = " in text
    adjoints = text.replace("square_bx_bar", "").replace("dbx_bar", "")
    assert "bx_bar" not in adjoints


def _stems(seen: dict[str, Any], suffix: str) -> set[str]:
    return {name.removesuffix(suffix) for name in seen if name.endswith(suffix)}


def _with_locals(function: Any, args: tuple[float, ...]) -> tuple[Any, dict[str, Any]]:
    """The result, and the locals of the function when it returns."""
    seen: dict[str, Any] = {}

    def watch(frame: Any, event: str, _: object) -> Any:
        if event == "return":
            seen.update(frame.f_locals)
        return watch

    sys.settrace(watch)
    try:
        return function(*args), seen
    finally:
        sys.settrace(None)
