"""Kinds against differences of sixty digits, on random programs and on branches."""

from __future__ import annotations

import math
from typing import Any

import pytest
from amounts import amount, only_long
from exact import MPMATH
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from tracing import trace, traced_math

from ad_transform.derive.kinds.kinds import derive
from ad_transform.diagnostics import Refusal
from ad_transform.elementals import TABLE, recognise
from ad_transform.emit.python.signature import parameter_list
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Parameter,
    Passing,
    Statement,
    Var,
    group,
)
from ad_transform.ir.types import BOOL, FLOAT
from ad_transform.ir.verify import verify
from ad_transform.options import Options

ORDERS = ("forward", "reverse", "markowitz")
any_order = st.sampled_from((*ORDERS, "auto"))
STEP = mpf(10) ** -18


def names_of(function: Function) -> tuple[str, ...]:
    return tuple(p.name for p in function.parameters)


def sixty(function: Function, point: list[Any]) -> tuple[Any, ...]:
    return evaluate(function, tuple(point), MPMATH)


def true_jacobian(function: Function, point: tuple[float, ...]) -> list[list[Any]]:
    """Rows by result, columns by parameter."""
    columns = []
    for k in range(len(point)):
        low, high = [*map(mpf, point)], [*map(mpf, point)]
        low[k] -= STEP
        high[k] += STEP
        pair = zip(sixty(function, low), sixty(function, high), strict=True)
        columns.append([(b - a) / (2 * STEP) for a, b in pair])
    return [list(row) for row in zip(*columns, strict=True)]


def close(found: float, exact: Any, scale: float = 1.0) -> bool:
    return abs(found - exact) <= 1e-11 * (abs(exact) + scale)


# --- random straight-line programs ---------------------------------------------------

UNARY = ("sin", "cos", "tanh", "atan", "exp", "neg", "abs")
BINARY = ("add", "sub", "mul", "div", "max", "atan2")


@st.composite
def programs(draw: Any, results: int = 2) -> Function:
    params = tuple(Var(FLOAT, f"x{k}") for k in range(draw(st.integers(1, 3))))
    pool: list[Var | Literal] = [*params, Literal(2), Literal(-0.5)]
    body: list[Statement] = []
    for _ in range(draw(st.integers(1, 14))):
        name = draw(st.sampled_from(UNARY + BINARY * 2))
        count = 1 if name in UNARY else 2
        args = tuple(draw(st.sampled_from(pool)) for _ in range(count))
        if all(isinstance(a, Literal) for a in args):
            continue
        if name == "div":  # keep away from poles
            safe = Var(FLOAT)
            body.append(Apply(safe, TABLE["exp"], (draw(st.sampled_from(params)),)))
            args = (args[0], safe)
        if name == "atan2":
            args = (args[0], Literal(1.5))
        out = Var(FLOAT)
        body.append(Apply(out, TABLE[name], args))
        pool.append(out)
    picked = tuple(draw(st.sampled_from(pool[::-1])) for _ in range(results))
    parameters = tuple(Parameter(p.hint, (p,)) for p in params)
    nest = group((LEAF,) * results) if results > 1 else LEAF
    picked = tuple(r if r.type == FLOAT else Literal(2.0) for r in picked)
    return Function("f", parameters, Block(params, tuple(body), picked), nest, results)


POINT = (0.7, -0.4, 1.3)


def smooth_near(function: Function, point: tuple[float, ...]) -> bool:
    """Whether everything is moderate, and no kink is near."""
    values: list[float] = []

    def watch(op: Any) -> Any:
        def compute(*args: Any) -> Any:
            result = op.compute(*args)
            values.append(abs(float(result)))
            if op.name in ("max",):
                values.append(1.0 if abs(args[0] - args[1]) > 1e-6 else 1e9)
            if op.name == "abs":
                values.append(1.0 if abs(args[0]) > 1e-6 else 1e9)
            return result

        return compute

    try:
        evaluate(function, point, watch)
    except (ArithmeticError, ValueError):
        return False
    return all(v < 1e3 for v in values)


@settings(max_examples=amount(20, 150), deadline=None)
@given(programs(), any_order, st.booleans())
def test_jacobian_of_random_programs(f: Function, order: str, value: bool) -> None:
    point = POINT[: len(f.parameters)]
    assume(smooth_near(f, point))
    options = Options(order=order)
    made = derive(f, "jacobian", names_of(f), value=value, options=options)
    verify(made.function)
    found = evaluate(made.function, point)
    exact = true_jacobian(f, point)
    if value:
        assert found[:2] == evaluate(f, point)
        found = found[2:]
    flat = [entry for row in exact for entry in row]
    assert all(close(a, b, 1e2) for a, b in zip(found, flat, strict=True))


@settings(max_examples=amount(15, 80), deadline=None)
@given(programs(), any_order)
def test_products_agree_with_the_jacobian(f: Function, order: str) -> None:
    n, options = len(f.parameters), Options(order=order)
    point, x_dot, f_bar = POINT[:n], (0.3, -1.1, 0.8)[:n], (0.9, -0.2)
    assume(smooth_near(f, point))
    exact = true_jacobian(f, point)
    made = derive(f, "jvp", names_of(f), options=options).function
    forward = evaluate(made, (*point, *x_dot))
    tangent = [sum(a * b for a, b in zip(row, x_dot, strict=True)) for row in exact]
    assert all(close(a, b, 1e2) for a, b in zip(forward[2:], tangent, strict=True))
    made = derive(f, "vjp", names_of(f), options=options).function
    reverse = evaluate(made, (*point, *f_bar))
    columns = list(zip(*exact, strict=True))
    adjoint = [sum(y * a for y, a in zip(f_bar, c, strict=True)) for c in columns]
    assert all(close(a, b, 1e2) for a, b in zip(reverse[2:], adjoint, strict=True))


@settings(max_examples=amount(10, 60), deadline=None)
@given(programs(results=1), any_order, st.booleans())
def test_second_order_of_random_programs(f: Function, order: str, value: bool) -> None:
    n, asked = len(f.parameters), {"value": value, "options": Options(order=order)}
    point, x_dot = POINT[:n], (0.3, -1.1, 0.8)[:n]
    assume(smooth_near(f, point))
    gradient = derive(f, "gradient", names_of(f)).function
    exact = true_jacobian(gradient, point)
    made = derive(f, "hessian", names_of(f), **asked).function
    verify(made)
    hessian = evaluate(made, point)[-n * n :]
    for i in range(n):
        for j in range(n):
            assert close(hessian[i * n + j], exact[i][j], 1e3)
            assert hessian[i * n + j] == hessian[j * n + i]
    times = derive(f, "hvp", names_of(f), **asked).function
    product = evaluate(times, (*point, *x_dot))
    for row, found in zip(exact, product[-n:], strict=True):
        assert close(found, sum(a * b for a, b in zip(row, x_dot, strict=True)), 1e3)


@settings(max_examples=amount(10, 60), deadline=None)
@given(programs(), st.sampled_from(("jacobian", "jvp", "vjp")))
def test_auto_is_never_dearer(f: Function, kind: str) -> None:
    totals = {
        order: derive(f, kind, names_of(f), options=Options(order=order)).counts.total
        for order in (*ORDERS, "auto")
    }
    assert totals["auto"] == min(totals.values())


# --- branches -------------------------------------------------------------------------


def guarded_root() -> Function:
    """x * sqrt(y) if y > 0 else -y * x, which must never look at sqrt of a negative."""
    x, y = Var(FLOAT, "x"), Var(FLOAT, "y")
    test, out, total = Var(BOOL), Var(FLOAT), Var(FLOAT)
    a, b, root, first = (Var(FLOAT) for _ in range(4))
    then = Block(
        (a, b),
        (Apply(root, TABLE["sqrt"], (b,)), Apply(first, TABLE["mul"], (a, root))),
        (first,),
    )
    c, d, minus, second = (Var(FLOAT) for _ in range(4))
    orelse = Block(
        (c, d),
        (Apply(minus, TABLE["neg"], (d,)), Apply(second, TABLE["mul"], (minus, c))),
        (second,),
    )
    body = (
        Apply(test, TABLE["gt"], (y, Literal(0.0))),
        Branch((out,), test, (x, y), then, orelse),
        Apply(total, TABLE["mul"], (out, out)),
    )
    parameters = (Parameter("x", (x,)), Parameter("y", (y,)))
    return Function("f", parameters, Block((x, y), body, (total,)), LEAF, 1)


@pytest.mark.parametrize("point", [(1.5, 0.25), (1.5, -0.25), (-2.0, 3.0)])
@pytest.mark.parametrize("order", ORDERS)
def test_branches(point: tuple[float, float], order: str) -> None:
    f, options = guarded_root(), Options(order=order)
    gradient = derive(f, "gradient", ("x", "y"), options=options).function
    hessian = derive(f, "hessian", ("x", "y"), options=options).function
    for made, of in ((gradient, f), (hessian, gradient)):
        verify(made)
        exact = [entry for row in true_jacobian(of, point) for entry in row]
        assert all(
            close(a, b) for a, b in zip(evaluate(made, point), exact, strict=True)
        )


# --- shapes, options, refusals --------------------------------------------------------


def powell() -> Function:
    def f(x1, x2, x3, x4):  # type: ignore[no-untyped-def]
        return (
            (x1 + 10 * x2) ** 2
            + 5 * (x3 - x4) ** 2
            + (x2 - 2 * x3) ** 4
            + 10 * (x1 - x4) ** 4
        )

    return trace(f)


@pytest.mark.parametrize(
    ("kind", "value", "total"),
    [
        ("gradient", False, 20),
        ("gradient", True, 30),
        ("hessian", False, 13),
        ("hvp", False, 23),
        pytest.param("hvp", True, 47, marks=only_long),  # as test_corpus_counts has it
    ],
)
def test_counts_of_powell(kind: str, value: bool, total: int) -> None:
    f = powell()
    assert derive(f, kind, names_of(f), value=value).counts.total == total


def test_powers_multiply_leaves_no_power() -> None:
    f, options = powell(), Options(powers="multiply")
    counts = derive(f, "gradient", names_of(f), value=True, options=options).counts
    assert (counts.pow, counts.total) == (0, 29)


def test_singular_and_undefined_powers() -> None:
    f = trace(lambda x, n: x**n)
    made = derive(f, "gradient", ("x", "n")).function
    assert evaluate(made, (0.0, 1.0)) == (1.0, 0.0)
    assert evaluate(made, (0.0, 2.0)) == (0.0, 0.0)
    assert evaluate(made, (2.0, 0.0)) == (0.0, math.log(2.0))
    with pytest.raises(ValueError):
        evaluate(made, (-2.0, 3.0))  # x ** n has no derivative by n at x < 0
    by_x = derive(f, "gradient", ("x",)).function
    assert evaluate(by_x, (-2.0, 3.0)) == (12.0,)
    assert evaluate(by_x, (0.0, 0.0)) == (0.0,)


def abs_of(x: Any) -> Any:
    return abs(x)


def test_kinks_follow_the_conventions() -> None:
    f = trace(abs_of)
    made = derive(f, "gradient", ("x",))
    assert [evaluate(made.function, (x,))[0] for x in (-2.0, 0.0, 3.0)] == [-1, 0, 1]
    assert made.kinks == ("abs'(0) = 0",)


def test_an_idle_independent_is_warned_of() -> None:
    f = trace(lambda x, y: x * 2.0)
    made = derive(f, "gradient", ("x", "y"))
    assert [w.code for w in made.warnings] == ["AD030"]
    assert evaluate(made.function, (1.0, 5.0)) == (2.0, 0.0)


@pytest.mark.parametrize("kind", ["a gradient", "an hvp", "a hessian"])
def test_a_gradient_needs_a_scalar(kind: str) -> None:
    f = trace(lambda x: (x, x * x))
    with pytest.raises(Refusal, match=f"^{kind} needs .* returns 2 values"):
        derive(f, kind.split()[1], ("x",))


def with_seeds(
    *parameters: Parameter, independents: tuple[str, ...], kind: str = "hvp"
) -> str:
    """The parameters of a derived function as Python writes them."""
    values = tuple(v for p in parameters for v in p.vars)
    out = Var(FLOAT)
    body = (Apply(out, TABLE["fsum"], values),)
    f = Function("f", parameters, Block(values, body, (out,)), LEAF, 1)
    made = derive(f, kind, independents).function
    texts = parameter_list(made, str, 88)
    return ", ".join(text.replace(": float", "") for text in texts)


def parameter(name: str, default: str | None = None, **rest: Any) -> Parameter:
    return Parameter(name, (Var(FLOAT, name),), default=default, **rest)


FIRST, LAST = {"passing": Passing.POSITIONAL_ONLY}, {"passing": Passing.KEYWORD_ONLY}
X, Y, K = parameter("x"), parameter("y", "1.0"), parameter("k", "2.0")
PX, PY = parameter("x", **FIRST), parameter("y", "1.0", **FIRST)
KX, KY = parameter("x", **LAST), parameter("y", "1.0", **LAST)
W = parameter("w", "3.0", **LAST)

# fmt: off
PLACES = [
    # seeds stand behind the last independent, and what stands before has no default
    ((X, parameter("k")), ("x",),     "x, x_dot, k"),
    ((X, Y, K),           ("x", "y"), "x, y, x_dot, y_dot, k = 2.0"),
    ((X, Y, K),           ("y", "x"), "x, y, y_dot, x_dot, k = 2.0"),
    ((X, Y, K),           ("x",),     "x, x_dot, y = 1.0, k = 2.0"),
    ((X, Y, K),           ("k", "x"), "x, y, k, k_dot, x_dot"),
    ((X, Y, K),           ("k",),     "x, y, k, k_dot"),
    # by position only
    ((PX, PY, K),         ("x",),     "x, x_dot, y = 1.0, /, k = 2.0"),
    ((PX, PY, K),         ("y",),     "x, y, /, y_dot, k = 2.0"),
    ((PX, PY, K),         ("k", "y"), "x, y, /, k, k_dot, y_dot"),
    # by keyword only
    ((X, KY, W),          ("y",),     "x, *, y, y_dot, w = 3.0"),
    ((KX, KY, W),         ("w", "x"), "*, x, y, w, w_dot, x_dot"),
    ((Y, KX, W),          ("x",),     "y, *, x, x_dot, w = 3.0"),
    # on both sides of the star: behind the last that may be passed by position
    ((X, K, W),           ("w", "x"), "x, w_dot, x_dot, k = 2.0, *, w = 3.0"),
    ((PX, PY, KX, W),     ("y", "w"), "x, y, /, y_dot, w_dot, *, x, w = 3.0"),
]
# fmt: on


@pytest.mark.parametrize(("parameters", "independents", "want"), PLACES)
def test_seeds_stand_behind_the_last_independent(
    parameters: tuple[Parameter, ...], independents: tuple[str, ...], want: str
) -> None:
    for kind in ("hvp", "jvp"):
        assert with_seeds(*parameters, independents=independents, kind=kind) == want
    seeds = ", ".join(f"{name}_dot" for name in independents)
    adjoint = want.replace(seeds, "f_bar")
    found = with_seeds(*parameters, independents=independents, kind="vjp")
    assert found == adjoint


def test_without_seeds_defaults_stay() -> None:
    for kind in ("gradient", "jacobian", "hessian"):
        kept = with_seeds(X, Y, W, independents=("y", "w"), kind=kind)
        assert kept == "x, y = 1.0, *, w = 3.0"


def test_traced_math_has_every_elemental_of_math() -> None:
    known = {name for name in dir(math) if recognise(f"math.{name}") is not None}
    assert "sin" in known and vars(traced_math()).keys() >= known
    assert traced_math().sin is not math.sin


def test_sixty_digits_are_carried() -> None:
    assert mp.dps == 60
