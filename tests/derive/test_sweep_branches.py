"""The sweep through branches: right in all kinds, and no dearer than straight code."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from amounts import ANY_ORDER, NUMBERS, amount
from mpmath import mpf
from support import generate, load, load_generated, run
from sweeps import check, derived, taken, value

from ad_transform.elementals import TABLE
from ad_transform.ir.count import count
from ad_transform.ir.nodes import (
    LEAF,
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Operand,
    Parameter,
    Statement,
    Var,
    walk,
)
from ad_transform.ir.parse import parse_function
from ad_transform.ir.types import BOOL, FLOAT
from ad_transform.options import Options

MIDDLE = """\
function f primal 1 nest .
parameter x (%0 x!: float)
parameter y (%1 y!: float)
  %2 z!: float = mul(%0, %1)
  %3: bool = gt(%0, %1)
  %4 w!: float, %5 u!: float = branch %3 (%2, %0)
  then (%6: float, %7: float)
    %8: float = sin(%6)
    %9: float = mul(%8, %7)
    give %8, %9
  else (%10: float, %11: float)
    %12: float = exp(%10)
    %13: float = mul(%12, %11)
    give %13, %12
  %14: float = mul(%4, %4)
  %15: float = exp(%5)
  %16: float = mul(%15, %1)
  %17: float = add(%14, %16)
  give %17
"""

INNER = """\
function f primal 1 nest .
parameter x (%0 x!: float)
parameter y (%1 y!: float)
  %2: bool = gt(%0, 0.0)
  %3 v: float = branch %2 (%0, %1)
  then (%4: float, %5: float)
    %6: float = exp(%4)
    %7: bool = gt(%6, %5)
    %8 a: float, %9 b: float = branch %7 (%6, %5)
    then (%10: float, %11: float)
      %12: float = mul(%10, %11)
      give %12, %10
    else (%13: float, %14: float)
      %15: float = abs(%14)
      give %15, 2.0
    %16: float = mul(%8, %9)
    give %16
  else (%17: float, %18: float)
    give %18
  %19: float = mul(%3, %3)
  %20: float = mul(%19, %0)
  give %20
"""

POINTS = [(mpf("1.3"), mpf("0.7")), (mpf("0.4"), mpf("1.9")), (mpf("-0.3"), mpf(2))]


@pytest.mark.parametrize("kind", ["gradient", "jvp", "vjp", "hessian", "hvp"])
@pytest.mark.parametrize("text", [MIDDLE, INNER])
def test_branches_between_straight_runs(text, kind):
    function = parse_function(text, TABLE)
    for point in POINTS:
        check(function, kind, list(point))


def test_a_branch_back_is_handed_what_the_branch_forth_has_computed():
    made = derived(parse_function(MIDDLE, TABLE), "gradient", value=True)
    called = [s.op.name for s in walk(made.function.body) if isinstance(s, Apply)]
    assert called.count("sin") == called.count("cos") == 1
    assert called.count("exp") == 2  # one in an arm, one behind the branch


def test_kinks_of_arms_are_stated():
    made = derived(parse_function(INNER, TABLE), "gradient")
    assert made.kinks == (TABLE["abs"].kink, "the taken arm of a branch counts")


# --- many states -------------------------------------------------------------------


def arm(states: int, middle: str, last: str) -> Block:
    """All states anew: x_k + last(middle(x_k x_k+1, x_k+2))."""
    params = tuple(Var(FLOAT, f"x{k}") for k in range(states))
    body: list[Statement] = []

    def apply(op: str, *args: Operand) -> Var:
        body.append(Apply(Var(FLOAT), TABLE[op], args))
        return body[-1].outs[0]

    results = []
    for k in range(states):
        product = apply("mul", params[k], params[(k + 1) % states])
        mixed = apply(middle, product, params[(k + 2) % states])
        results.append(apply("add", apply(last, mixed), params[k]))
    return Block(params, tuple(body), tuple(results))


def updated(states: int, branching: bool) -> Function:
    """The sum of the squares of states that have been updated."""
    xs = tuple(Var(FLOAT, f"x{k}", named=True) for k in range(states))
    then, orelse = arm(states, "mul", "sin"), arm(states, "sub", "exp")
    body: list[Statement] = []
    if branching:
        test = Var(BOOL)
        body.append(Apply(test, TABLE["gt"], (xs[0], xs[1])))
        ends: tuple[Operand, ...] = tuple(Var(FLOAT, f"y{k}") for k in range(states))
        body.append(Branch(ends, test, xs, then, orelse))  # type: ignore[arg-type]
    else:
        env = dict(zip(then.params, xs, strict=True))
        body += [statement.over(env) for statement in then.body]
        ends = then.results
    squares = [Var(FLOAT) for _ in ends]
    body += [Apply(s, TABLE["mul"], (y, y)) for s, y in zip(squares, ends, strict=True)]
    total = squares[0]
    for square in squares[1:]:
        body.append(Apply(Var(FLOAT), TABLE["add"], (total, square)))
        total = body[-1].outs[0]
    parameters = tuple(Parameter(x.hint, (x,)) for x in xs)
    return Function("f", parameters, Block(xs, tuple(body), (total,)), LEAF, 1)


@pytest.mark.parametrize("states", [2, 4, 8])
def test_value_and_gradient_cost_what_straight_code_costs(states):
    plain = updated(states, branching=False)
    straight = derived(plain, "gradient", value=True).counts.total / taken(
        plain.body, 0
    )
    function = updated(states, branching=True)
    made = derived(function, "gradient", value=True).function
    ratios = [taken(made.body, k) / taken(function.body, k) for k in (0, 1)]
    assert ratios[0] == straight <= 3.0
    assert ratios[1] <= straight


@pytest.mark.parametrize("kind", ["gradient", "hvp"])
def test_all_states_through_a_branch(kind):
    function = updated(3, branching=True)
    for x in ("0.4", "1.1"):
        check(function, kind, [mpf(x), mpf("0.7"), mpf("-0.6")])


# --- deep nesting ------------------------------------------------------------------


def nested(depth: int, deep: str) -> Function:
    """`x * k * y` in the arm k of a chain, or branches in each other's `then`."""

    def params() -> tuple[Var, Var]:
        return Var(FLOAT, "x"), Var(FLOAT, "y")

    def product(k: int) -> Block:
        (x, y), scaled, out = params(), Var(FLOAT), Var(FLOAT)
        first = Apply(scaled, TABLE["mul"], (x, Literal(float(k + 2))))
        second = Apply(out, TABLE["mul"], (scaled, y))
        return Block((x, y), (first, second), (out,))

    block = product(depth)
    for k in reversed(range(depth)):
        (x, y), test, inner = params(), Var(BOOL), Var(FLOAT)
        body: tuple[Statement, ...] = (
            Apply(test, TABLE["lt"], (x, Literal(float(k)))),
        )
        if deep == "then":
            more, out = Var(FLOAT), Var(FLOAT)
            body += (
                Apply(more, TABLE["add"], (x, y)),
                Branch((inner,), test, (more, y), block, product(k)),
                Apply(out, TABLE["mul"], (inner, y)),
            )
        else:
            out = inner
            body += (Branch((inner,), test, (x, y), product(k), block),)
        block = Block((x, y), body, (out,))
    parameters = tuple(Parameter(p.hint, (p,)) for p in block.params)
    return Function("f", parameters, block, LEAF, 1)


OPTIONS = Options().override(**ANY_ORDER)


@contextmanager
def frames(share: int) -> Iterator[None]:
    """So much of what Python has room for: fewer levels tell what all would."""
    most = sys.getrecursionlimit()
    used = len(inspect.stack(0))
    sys.setrecursionlimit(used + (most - used) // share)
    try:
        yield
    finally:
        sys.setrecursionlimit(most)


def test_a_long_chain():
    depth = amount(100, 300)
    with frames(300 // depth):
        made = derived(nested(depth, "orelse"), "gradient", options=OPTIONS).function
        half = depth // 2
        point = [mpf(half) - mpf("0.5"), mpf("0.5")]
        total = half + 2
        assert value(made, point) == [total * point[1], total * point[0]]


def test_arms_deep_in_each_other():
    depth = amount(100, 200)
    function = nested(depth, "then")
    with frames(200 // depth):
        made = derived(function, "gradient", value=True, options=OPTIONS)
    assert made.counts.total <= 3 * count(function).total
    x, y = mpf("-0.5"), mpf("0.25")
    found = value(made.function, [x, y])
    assert found[0] == value(function, [x, y])[0]


def chain(arms: int, test: str) -> str:
    """`x * y` and a number in each arm of a chain."""
    ways = [f"if {test.format(k)}:\n        z = x * y + {k}.0" for k in range(arms)]
    body = "\n    el".join(ways) + "\n    else:\n        z = x\n    return z * z\n"
    return f"# ad: gradient\ndef f(x: float, y: float):\n    {body}"


def test_tests_of_a_chain_are_made_again():
    """Handed over, they would take a line for each arm in each arm."""
    text = generate(chain(110, "x < {}.0"), **ANY_ORDER)
    assert text.count("\n") < 110 * 7 and "False" not in text
    x, y, z = 100.5, 0.25, 100.5 * 0.25 + 101.0
    assert load(text)["f_grad"](x, y) == (2.0 * z * y, 2.0 * z * x)


def test_a_chain_whose_tests_compute_may_be_long():
    text = generate(chain(110, "x * {}.5 > 1.0"), **ANY_ORDER)
    x, y, z = 1.0 / 100.0, 0.25, 0.25 / 100.0 + 100.0
    assert load(text)["f_grad"](x, y) == pytest.approx((2.0 * z * y, 2.0 * z * x))
    assert text.count("arm == ") >= 108


def test_a_chain_that_nests_is_refused_where_python_would():
    source = chain(101, "x * {}.5 < 1.0").replace("x * y +", "(x * y) ** 2 * y +")
    source = source.replace("    if x *", "    w = x * y\n    if w * x *")
    for k in range(101):
        source = source.replace(f"x * {k}.5 < 1.0", f"(x - {k}.5) * x < 1.0")
        source = source.replace(f"y + {k}.0", f"y + (x - {k}.5) * x")
    (refused,) = run(source, **NUMBERS).diagnostics
    assert refused.code == "AD004" and refused.help
    assert refused.message == "the gradient of 'f' is nested too deeply"


CLIPPED = "# ad: {}(value=True)\ndef f(x: float, y: float):\n    return max(x, y) * x\n"


def test_the_slopes_beside_second_derivatives_are_kept():
    made = load_generated(CLIPPED.format("hessian"), container="tuple")
    assert made["f_value_and_hess"](2.0, 3.0) == (
        6.0,
        (3.0, 2.0),
        ((0.0, 1.0), (1.0, 0.0)),
    )
    made = load_generated(CLIPPED.format("hvp"))
    assert made["f_value_and_hvp"](2.0, 3.0, 1.0, 0.0) == (6.0, (3.0, 2.0), (0.0, 1.0))


@pytest.mark.parametrize("head", ["if x > 0.0:", "for _ in range(n):"])
def test_what_a_run_divides_by_is_not_zero_in_its_derivative(head):
    """The slope of x log x has no x / x, in an arm or a loop as in straight code."""
    body = f"    s = 0.0\n    {head}\n        s = s + x * math.log(x) * w\n"
    source = "import math\n\n# ad: gradient\ndef f(x: float, w: float, n: int):\n"
    assert "/" not in generate(source + body + "    return s * w\n").split('"""')[2]


POPPED = """# ad: gradient(x, y), hvp(x, y)
def f(x: float, y: float, n: int):
    s = 0.0
    p = [x * k for k in range(n + 1)]
    q = p[:]
    if n > 2:
        q.extend([x, y])
        if n > 0:
            s += sum(a * b for a, b in zip(p, q))
    if len(p) > 2:
        s = p.pop(1) * x + s
    return s + p[0] + 0.3 * q[-1] * y
"""


@pytest.mark.parametrize("kept", ["p.pop(1) * x + s", "p.pop(1)"])
def test_a_branch_stands_before_what_changes_its_arrays(kept: str) -> None:
    made = load(generate(POPPED.replace("p.pop(1) * x + s", kept), **NUMBERS))
    h = 1e-6
    for n in (1, 2, 3, 5):
        found = made["f_hvp"](0.7, 0.4, 0.5, -1.0, n)
        ahead = made["f_grad"](0.7 + 0.5 * h, 0.4 - h, n)
        behind = made["f_grad"](0.7 - 0.5 * h, 0.4 + h, n)
        slopes = [(a - b) / (2 * h) for a, b in zip(ahead, behind, strict=True)]
        assert found == pytest.approx(slopes, rel=1e-7, abs=1e-7)
