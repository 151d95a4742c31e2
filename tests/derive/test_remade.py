"""Values made of others that are there: the same values, fewer operations, nothing that
cancels or divides by 0 where it did not before.
"""

from fractions import Fraction
from random import Random

import pytest
from support import generate

from ad_transform.derive.factoring import remade as module
from ad_transform.derive.factoring.fingerprints import PRIME, Code
from ad_transform.derive.factoring.remade import remade
from ad_transform.derive.factoring.remade_graph import LEAF, Graph
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.live import live
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Literal, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import FLOAT

X, Y, Z, D = (Var(FLOAT, name) for name in "xyzd")
OPERATIONS = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "neg": lambda x: -x,
}


def random_code(rng, count):
    """Code of few inputs, so that many values are made of others."""
    builder = Builder(TABLE, {})
    values = [X, Y, Z, Literal(2.0)]
    for _ in range(count):
        op = rng.choice(["add", "sub", "mul", "mul", "mul", "div", "neg"])
        args = [rng.choice(values[-8:] + values[:4]) for _ in range(1 + (op != "neg"))]
        made = builder.keep(TABLE[op], tuple(args))
        if made not in values:
            values.append(made)
    results = tuple(v for v in values[-4:] if isinstance(v, Var))
    body = live(tuple(builder.body), results)
    return builder, body, results


def evaluated(body, results, point):
    """The exact results at a point; None where something is divided by 0."""
    values = dict(point)

    def value(operand):
        if isinstance(operand, Literal):
            return Fraction(operand.value)
        return values[operand]

    try:
        for s in body:
            values[s.out] = OPERATIONS[s.op.name](*map(value, s.args))
    except ZeroDivisionError:
        return None
    return [value(r) for r in results]


def test_random_code_computes_the_same_by_fewer_operations():
    rng, saved = Random(5), 0
    for _ in range(150):
        builder, body, results = random_code(rng, 25)
        made, ends = remade(builder, body, results, 0)
        saved += len(body) - len(made)
        assert len(made) < len(body) or made is body
        for _ in range(4):
            point = {v: Fraction(rng.randint(-4, 4), rng.randint(1, 3)) for v in (X, Y)}
            point[Z] = Fraction(rng.randint(0, 3))
            assert evaluated(made, ends, point) == evaluated(body, results, point)
    assert saved > 150


def test_what_is_sacred_stays():
    rng = Random(6)
    for _ in range(60):
        builder, body, results = random_code(rng, 25)
        sacred = live(body, results[:2])
        made, ends = remade(builder, body, results, 2)
        assert ends[:2] == results[:2]
        assert [s for s in made if s in sacred] == list(sacred)


def code(*lines):
    """Code of x, y, z, d by its lines, `u = mul x y`; the last ones are results."""
    builder = Builder(TABLE, LAWS)
    known = {v.hint: v for v in (X, Y, Z, D)}
    for line in lines:
        name, _, op, *args = line.split()
        operands = [known.get(a) or Literal(float(a)) for a in args]
        known[name] = builder.keep(TABLE[op], tuple(operands), hint=name)
    results = tuple(v for k, v in known.items() if k.startswith("r"))
    return builder, tuple(builder.body), results, 0


def operations(*lines):
    """The operations of the code that is made of such lines."""
    return [s.op.name for s in remade(*code(*lines))[0]]


def test_a_reciprocal_goes_whose_products_are_quotients():
    lines = "v = div 1 d", "r1 = mul x v", "r2 = mul y v", "r3 = div z d"
    assert operations(*lines) == ["div"] * 3


def test_a_product_of_a_sum_is_multiplied_out_where_its_terms_are_there():
    rounded = "a = mul x x", "b = mul y y"
    terms = "r1 = mul a z", "r2 = mul b z"
    found = operations(*rounded, *terms, "s = sub a b", "r3 = mul s z")
    assert found == ["mul", "mul", "mul", "mul", "sub"]


def test_a_difference_without_an_error_is_not_multiplied_out():
    lines = "r1 = mul x z", "r2 = mul y z", "s = sub x y", "r3 = mul s z"
    assert operations(*lines) == ["mul", "mul", "sub", "mul"]


def test_nothing_cancels_that_did_not():
    """x*x - y*y is no sum of x*x - z*z and z*z - y*y."""
    squares = "a = mul x x", "b = mul y y", "c = mul z z"
    lines = *squares, "r1 = sub a c", "r2 = sub c b", "r3 = sub a b", "r4 = mul r3 d"
    body = remade(*code(*lines))[0]
    assert len(body) == 7


def test_nothing_is_divided_by_that_was_not():
    lines = "p = mul x y", "r1 = mul p z", "q = mul x z", "r2 = mul q d"
    assert "div" not in operations(*lines)


def test_what_may_be_0_is_still_divided_by():
    """x * d / d raises where d is 0."""
    assert operations("p = mul x d", "r1 = div p d") == ["mul", "div"]
    assert operations("p = mul x d", "r1 = div p d", "r2 = div z d") == ["div"]


def test_an_equal_number_of_the_user_is_another_one():
    source = """
N = 2.0

# ad: gradient(value=True)
def f(x, y):
    return N * x * y + (x + y) ** 2
"""
    assert "2.0 *" in generate(source)


def test_powers_of_values_stay_powers():
    source = """
import math

# ad: jacobian(value=True)
def f(x, y):
    u = x * y
    return math.atan2(math.sqrt(1.0 - u**2), u), u * x / y, x * x / y
"""
    assert "u**2" in generate(source)


def test_loops_and_long_code_are_left(monkeypatch):
    task = code("v = div 1 d", "r1 = mul x v", "r2 = mul y v", "r3 = div z d")
    assert remade(*task)[0] is not task[1]
    monkeypatch.setattr(module, "LONG", 3)
    assert remade(*task)[0] is task[1]


@pytest.mark.parametrize("seed", range(5))
def test_a_graph_goes_back_to_what_it_was(seed):
    rng = Random(seed)
    _, body, results = random_code(rng, 30)
    graph = Graph(Code(body), body, results, 0)
    before = [*graph.args], [dict(u) for u in graph.users], graph.total
    assert graph.total == len(body)
    free = [n for n in graph.operations() if graph.free[n]]
    for _ in range(30):
        n, a = rng.choice(free), rng.choice(range(len(graph.names)))
        if graph.is_alive(n) and not graph.depends((a,), n):
            graph.define(n, "neg", (a,))
            alive = {m for m in range(len(graph.names)) if graph.is_alive(m)}
            assert graph.total == sum(graph.names[m] != LEAF for m in alive)
            assert all(b in alive for m in alive for b in graph.args[m])
            assert all(
                graph.levels[b] < graph.levels[m] for m in alive for b in graph.args[m]
            )
    graph.back(0)
    assert ([*graph.args], [dict(u) for u in graph.users], graph.total) == before


def test_numbers_are_those_of_fractions():
    _, body, _ = random_code(Random(3), 12)
    found = Code(body)
    point = {v: Fraction(found.of(v).number) for v in (X, Y, Z)}
    outs = [s.out for s in body]
    values = evaluated(body, outs, point)
    for out, value in zip(outs, values, strict=True):
        number = value.numerator * pow(value.denominator, -1, PRIME) % PRIME
        assert found.of(out).number == number
