"""Hessians by the symmetric graph of the gradient: edge pushing, and other pairs."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from amounts import NUMBERS, QUICK, part
from sized_sources import pair_potential
from support import (
    corpus,
    flat,
    generate,
    hessian,
    invoke,
    load,
    load_exact,
    marked,
    run,
)

from ad_transform.eliminate import PAIRED, count
from ad_transform.eliminate.order import LARGEST
from ad_transform.options import Options
from ad_transform.run.job import explain

ROSENBROCK = """
def rosenbrock(x: "Vector[5]"):
    s = 0.0
    for i in range(4):
        s += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return s
"""
POWELL = """
def powell(x: "Vector[4]"):
    f = (x[0] + 10 * x[1]) ** 2 + 5 * (x[2] - x[3]) ** 2
    return f + (x[1] - 2 * x[2]) ** 4 + 10 * (x[0] - x[3]) ** 4
"""
PAIRS = """
def pairs(x: "Matrix[3, 3]"):
    e = 0.0
    for i in range(3):
        for j in range(i):
            dx, dy, dz = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
            s = 1.0 / (dx**2 + dy**2 + dz**2) ** 3
            e += s * (s - 1.0)
    return e
"""
BANDED = """
import math


def banded(x: "Vector[7]"):
    s = 0.0
    for i in range(5):
        s += math.sin(x[i] * x[i + 1]) * math.exp(x[i + 2])
    return s
"""
HELMHOLTZ = """
from math import log


def helmholtz(x: "Vector[3]", b: "Vector[3]", a: "Matrix[3, 3]", t: float):
    v = 1.0 - (b[0] * x[0] + b[1] * x[1] + b[2] * x[2])
    s = q = 0.0
    for i in range(3):
        s += x[i] * log(x[i] / v)
        for j in range(3):
            q += x[i] * a[i, j] * x[j]
    return t * s - q / (1.0 - v) * log((2.0 - v) / (1.0 + v))
"""
SOURCES = {
    "rosenbrock": ROSENBROCK,
    "powell": POWELL,
    "pairs": PAIRS,
    "banded": BANDED,
    "helmholtz": HELMHOLTZ,
}


def derived(name: str, kind: str = "hessian(x)", **options):
    (made,) = run(marked(SOURCES[name], name, kind), **options).derived
    return made


COUNTS = {
    "rosenbrock": (28, 40, 32),
    "powell": (14, 26, 22),
    "pairs": (138, 183, 156),
    "banded": (80, 45, 45),
    "helmholtz": (118, 144, 114),
}
"""What edge pushing prints, and the products of both orders of pairs, as the literature
counts. Markowitz order of single vertices takes 51, 33, 270, 102 and 166."""


@pytest.mark.parametrize("name", SOURCES)
def test_operations_of_pairs(name: str) -> None:
    made = derived(name, order="edge-pushing")
    (trail,) = made.trails
    graph = trail.linear.graph
    products = (count(graph, plan(graph)).multiplications for plan in PAIRED.values())
    assert (made.counts.total, *products) == COUNTS[name]


MULTIPLIED = part([*SOURCES], 3)
"""Those whose Hessians are multiplied by vectors, too."""


@pytest.mark.parametrize("name", SOURCES)
def test_pairs_give_the_hessian(name: str) -> None:
    bent = ["hessian(x, value=True)", *["hvp(x)"] * (name in MULTIPLIED)]
    kinds = marked(SOURCES[name], name, *bent)
    orders = ("edge-pushing", "reverse")
    pushed, plain = (load(generate(kinds, order=o, **QUICK)) for o in orders)
    random = np.random.default_rng(3)
    (made,) = run(marked(SOURCES[name], name, "gradient(x)"), **NUMBERS).derived
    sizes = [p.nest.leaves() for p in made.function.parameters]
    x, *rest = (random.uniform(0.2, 1.1, size) for size in sizes)
    x = x.reshape(3, 3) if name == "pairs" else x
    if name == "helmholtz":
        rest = [rest[0] / 4, rest[1].reshape(3, 3), 1.7]
    found, wanted = (m[f"{name}_value_and_hess"](x, *rest) for m in (pushed, plain))
    for one, other in zip(found, wanted, strict=True):
        assert np.allclose(one, other, rtol=1e-12, atol=1e-12)
    assert (found[2] == found[2].T).all()
    if name not in MULTIPLIED:
        return
    times = (m[f"{name}_hvp"](x, np.cos(x), *rest) for m in (pushed, plain))
    assert np.allclose(*times, rtol=1e-12, atol=1e-12)


SOME = [case for case in corpus() if case.scalar and case.turn % 6 == 0]


@pytest.mark.parametrize("case", SOME, ids=str)
def test_pairs_of_the_corpus(case) -> None:
    order = list(PAIRED)[case.turn // 6 % 2]
    source = marked(case.source, case.name, "hessian")
    try:
        text = generate(source, order=order, container="tuple", **QUICK)
    except AssertionError:  # refused: it has loops or branches
        return
    made, whole = load(text)[f"{case.name}_hess"], load_exact(case.source)[case.name]
    for values in case.points:
        exact = [e for row in hessian(whole, values, case.actives) for e in row]
        for got, want in zip(flat(invoke(made, values)), exact, strict=True):
            assert got == pytest.approx(float(want), rel=1e-9, abs=1e-12)


KINKS = """
import math


# ad: hessian
def kinks(x, y):
    return max(x * x, y) * x + abs(x - y) * y**3 + math.hypot(x, y)
"""


@pytest.mark.parametrize("order", PAIRED)
def test_partials_with_branches_have_second_ones(order: str) -> None:
    orders = order, "reverse"
    pushed, plain = (load(generate(KINKS, order=o, **QUICK)) for o in orders)
    for point in ((0.3, 1.1), (1.3, 0.4), (-1.0, 2.0)):
        found, wanted = (m["kinks_hess"](*point) for m in (pushed, plain))
        assert np.allclose(found, wanted, rtol=1e-13)


FORMS = (
    "{a} * {b}",
    "{a} - 2.0 * {b}",
    "{a} / (2.0 + {b} ** 2)",
    "math.sin({a}) * {b}",
    "math.exp(-{a} * {a})",
    "math.hypot({a}, {b})",
    "max({a}, {b}) * {a}",
    "({a} * {a} + 1.5) ** {b}",
    "math.prod([{a}, {b}, {a}])",
    "math.copysign({a}, {b})",
)


@pytest.mark.parametrize("seed", range(12))
def test_pairs_of_random_programs(seed: int) -> None:
    random = Random(seed)
    names = ["x", "y", "z"]
    lines = []
    for k in range(2 + seed % 5):
        a, b = random.choices(names, k=2)
        lines.append(f"    v{k} = {random.choice(FORMS).format(a=a, b=b)}\n")
        names.append(f"v{k}")
    body = f"{''.join(lines)}    return {names[-1]} * {names[-2]} + {names[-3]}\n"
    source = f"import math\n\n\ndef f(x: float, y: float, z: float):\n{body}"
    order = list(PAIRED)[seed % 2]
    made = load(generate(marked(source, "f", "hessian"), order=order, **QUICK))
    at = {"x": 0.37, "y": 1.21, "z": -0.64}
    exact = hessian(load_exact(source)["f"], at, tuple("xyz"))
    wanted = np.array([[float(entry) for entry in row] for row in exact])
    scale = abs(wanted).max()
    assert np.allclose(made["f_hess"](**at), wanted, rtol=1e-12, atol=1e-12 * scale)


def test_auto_takes_pairs_where_they_are_cheapest() -> None:
    (case,) = (c for c in corpus() if c.name == "swapped")
    (auto,) = run(marked(case.source, case.name, "hessian")).derived
    assert (auto.order in PAIRED, auto.counts.total) == (True, 10)
    assert auto.rivals[auto.order] == 10 < auto.rivals["markowitz"]


def test_pairs_are_tried_first_of_large_symmetric_graphs() -> None:
    (auto,) = run(pair_potential(6, "hessian")).derived
    assert (auto.order, auto.counts.total) == ("symmetric-markowitz", 650)
    assert auto.rivals == {auto.order: 650}  # all others are dearer at first


ROW = "    e += 100.0 * (x{} - x{} * x{}) ** 2 + (1.0 - x{}) ** 2\n"
OF_A_ROW = f"""
# ad: hessian
def row({", ".join(f"x{k}: float" for k in range(19))}):
    e = 0.0
{"".join(ROW.format(k + 1, k, k, k) for k in range(18))}    return e
"""


def test_what_is_barely_dearer_at_first_is_tried_beside_pairs() -> None:
    (auto,) = run(OF_A_ROW).derived
    assert auto.order == "forward"
    assert auto.counts.total < auto.rivals["symmetric-markowitz"]


def test_no_pairs_are_tried_of_a_graph_that_is_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(LARGEST, "symmetric-markowitz", 300)
    (auto,) = run(OF_A_ROW, **QUICK).derived
    assert "symmetric-markowitz" not in auto.rivals
    (refused,) = run(OF_A_ROW, order="symmetric-markowitz").diagnostics
    assert (refused.code, "than 300" in refused.message) == ("AD032", True)


LOOP = "def f(x, n: int):\n    for _ in range(n):\n        x = x * x\n    return x\n"


@pytest.mark.parametrize("order", PAIRED)
@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("# ad: gradient\ndef f(x):\n    return x * x\n", "this is `gradient`"),
        (f"# ad: hessian(x)\n{LOOP}", "'f' has loops"),
        (f"# ad: hvp(x)\n{LOOP}", "'f' has loops"),
        ('# ad: hessian\ndef f(x: "Vector[n]"):\n    return x @ x\n', "any length"),
    ],
)
def test_other_functions_refuse_pairs(order: str, source: str, said: str) -> None:
    (refused,) = run(source, order=order).diagnostics
    assert (refused.code, said in refused.message) == ("AD032", True)
    assert f'hessian(order="{order}")' in refused.help


def test_pairs_are_drawn_and_printed_as_steps() -> None:
    source = marked(SOURCES["powell"], "powell", "hessian")
    options = Options(order="edge-pushing")
    (figures,) = explain(source.encode(), "m.py", options).objects
    assert figures["orders"]["edge-pushing"] == figures["chosen"]["cost"] == 14


def test_slopes_of_a_rule_bend() -> None:
    """A call with a rule of its own has second derivatives, which no graph shows."""
    text = """
import math

def softplus(x: float) -> float:
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))

# ad: rule(softplus, jac)
def logistic(x: float) -> float:
    return 0.5 + 0.5 * math.tanh(0.5 * x)

# ad: rule(logistic, jac)
def bell(x: float) -> float:
    return 0.25 / math.cosh(0.5 * x) ** 2

# ad: hessian(container="tuple")
def loss(x: float):
    return softplus(3.0 * x)
"""
    model = load(text)
    made = load(generate(text), {"model": SimpleNamespace(**model)})
    assert made["loss_hess"](0.0) == ((2.25,),)
