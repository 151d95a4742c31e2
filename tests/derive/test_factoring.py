"""Products made anew: equal monomials, fewer operations, nothing new divided by."""

from __future__ import annotations

from fractions import Fraction

import pytest
from amounts import QUICK, amount
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mpmath import mpf
from support import (
    exactly,
    flat,
    generate,
    invoke,
    jacobian,
    load_exact,
    load_generated,
)
from support_counts import counts_of

from ad_transform.derive.factoring.cover import cover
from ad_transform.derive.factoring.cubes import over, signed_bits, times, trace
from ad_transform.derive.factoring.pairs import by_pairs
from ad_transform.derive.factoring.ways import (
    by_multiples,
    may_make,
    quotients,
    reciprocals,
)
from ad_transform.ir.monomial import Monomial, cancels

ATOMS = [Monomial(1.0, ((k, 1),)) for k in range(5)]
POWERS = st.dictionaries(
    st.integers(0, 4), st.sampled_from([-2, -1, 1, 2, 3]), min_size=1, max_size=4
)
MONOMIALS = st.builds(
    lambda c, powers: Monomial(c, tuple(sorted(powers.items()))),
    st.sampled_from([1.0, -1.0, 2.0, -0.5, 3.0]),
    POWERS,
)


def evaluated(monomial, definitions, atoms):
    """The value by the definitions alone."""
    if not monomial.powers:
        return Fraction(monomial.constant)
    if monomial in atoms:
        return atoms[monomial]
    definition = definitions[monomial]
    x, *rest = (evaluated(m, definitions, atoms) for m in definition.args)
    if definition.op == "neg":
        return -x
    return x * rest[0] if definition.op == "mul" else x / rest[0]


@given(MONOMIALS, MONOMIALS)
@settings(max_examples=amount(8, 20), deadline=None)
def test_traces_add_up_as_monomials_are_multiplied(m, n):
    assert trace(times(m, n)) == trace(m) + trace(n)
    assert trace(m) != trace(over(m, ATOMS[0]))


def extract(given, wanted, _):
    return by_pairs(given, wanted)


WAYS = [(cover, by_multiples), (cover, reciprocals), (extract, None)]


QUIETLY = settings(
    max_examples=amount(15, 100), deadline=None, suppress_health_check=list(HealthCheck)
)


@QUIETLY
@pytest.mark.parametrize(("make", "ways"), WAYS)
@given(st.lists(MONOMIALS, min_size=1, max_size=8), st.lists(MONOMIALS, max_size=3))
def test_definitions_make_what_is_wanted(make, ways, wanted, more):
    values = [Fraction(p) for p in (2, 3, 5, 7, 11)]

    def exact(m):
        result = Fraction(m.constant)
        for atom, exponent in m.powers:
            result *= values[atom] ** exponent
        return result

    given_ = {m: exact(m) for m in (*ATOMS, *more)}
    made = {d.made: d for d in make(given_, wanted, ways)}
    for m in wanted:
        assert evaluated(m, made, given_) == exact(m)


@QUIETLY
@pytest.mark.parametrize(("make", "ways"), [WAYS[0], WAYS[2]])
@given(wanted=st.lists(MONOMIALS, min_size=1, max_size=8))
def test_no_divisor_is_new(make, ways, wanted):
    """A definition divides by an atom only where what it makes does."""
    for definition in make(ATOMS, wanted, ways):
        if definition.op == "div":
            divisor = dict(definition.args[1].powers)
            made = dict(definition.made.powers)
            assert all(made.get(atom, 0) < 0 for atom, e in divisor.items() if e > 0)


@settings(deadline=None)
@given(MONOMIALS, MONOMIALS)
def test_quotients_undo_products(m, n):
    assert cancels(m, n) or over(times(m, n), n) == m


@settings(deadline=None)
@given(MONOMIALS, MONOMIALS)
def test_signed_bits_rule_out_only_what_makes_nothing(d, a):
    """So pairs of products are told apart before any quotient is formed."""
    if by_multiples(d, a) or reciprocals(d, a):
        assert may_make(signed_bits(d), signed_bits(a))


def test_a_shared_factor_is_made_once():
    x, y, z, s, _ = ATOMS
    wanted = [Monomial(-1.0, times(s, a).powers) for a in (x, y, z)]
    assert [d.op for d in cover(ATOMS, wanted, quotients)] == [
        "neg",
        "mul",
        "mul",
        "mul",
    ]


# fmt: off
COUNTS = [
    ("x, y, z, s", "x * s, y * s, z * s, x * y * z",        13),
    ("x, y",       "math.sqrt(x / y)",                       6),
    ("x, y",       "x * math.sqrt(y), y * math.sqrt(x)",    10),
    ("x, y",       "x * x / y",                              6),
    ("x, y, z, s", "math.sqrt(z) * math.log(s * x / y) / z, s * y", 16),
    ("x, y",       "x**-2.5 * y",                            4),
    ("x, y",       "x**4 + y / x",                           7),
    ("x, y",       "x**y + math.log(x)",                     7),
    ("x, y",       "1.0**x * y",                             2),
    ("x, y",       "math.log(x**2 * y**3)",                  6),
    ("x, y",       "math.sqrt(7.0) * x * math.sqrt(7.0)",    3),
    ("x, y",       "(y / math.sqrt(7.0)) ** 2, (math.sqrt(7.0) * x) ** 2", 7),
    ("x, y",       "y**1 + x * 0.0",                         3),
    ("x, y",       "math.asin(math.sqrt(x)) * y",            8),
    ("x, y",       "math.sin(x) ** 20 * y",                  8),
]
# fmt: on


@pytest.mark.parametrize(("parameters", "results", "most"), COUNTS)
def test_values_serve_derivatives(parameters, results, most):
    source = f"import math\n\n\n# ad: jacobian(value=True)\ndef f({parameters}):\n"
    text = generate(f"{source}    return {results}\n", container="tuple")
    assert counts_of(text, "f_value_and_jac").total <= most


def test_a_value_over_itself_is_one_where_the_source_divides_by_it():
    source = "# ad: gradient\ndef f(x, y):\n    return x * y / y\n"
    assert "return 1.0, 0.0" in generate(source)


ROOT = "import math\n\n\n# ad: gradient\ndef f(x, y, z):\n    q = x * y * z\n"


@pytest.mark.parametrize(
    ("value", "most"),
    [
        ("math.log(a * b**0.3 * c**0.7)", 3),
        ("math.log(b**0.5 * c) + a", 2),
        ("math.log(b**1.5 * c**2.5) + a", 2),
        ("math.log(a * (b - c)**2 * a**0.3)", 4),
    ],
)
def test_powers_are_not_zero_where_what_they_divide_is(value, most):
    source = f"import math\n\n\n# ad: gradient\ndef f(a, b, c):\n    return {value}\n"
    assert counts_of(generate(source), "f_grad").total <= most


def test_a_root_that_is_not_zero_serves_its_slopes():
    text = generate(f"{ROOT}    assert q > 0.0\n    return math.sqrt(q)\n")
    assert text.count("sqrt(q)") == 1 and " / sqrt" not in text
    assert "return times_value / x, times_value / y, times_value / z" in text


def test_a_root_of_what_underflows_does_not():
    """The slopes by x and y are 0.5, and not 0."""
    made = load_generated(f"{ROOT}    return math.sqrt(q)\n")["f_grad"]
    with pytest.raises(ZeroDivisionError):
        made(1e-200, 1e-200, 1.0)


FORMS = [
    *("{a} * {b}", "{a} / {b}", "{a} + {b}", "math.sqrt({a})", "{a} / math.sqrt({b})"),
    *(
        "1.0 + math.log({a} / {b}) ** 2",
        "{a} ** 2",
        "math.sqrt({a} * {b})",
        "2.5 / {a}",
        "3.0 * {a}",
        "math.exp(-{a})",
    ),
]


@st.composite
def positive(draw):
    """A program of positive values, full of products, quotients and roots."""
    bound, lines = ["x", "y", "z"], []
    for k in range(draw(st.integers(2, 9))):
        a, b = (draw(st.sampled_from(bound)) for _ in range(2))
        lines.append(f"    v{k} = {draw(st.sampled_from(FORMS)).format(a=a, b=b)}\n")
        bound.append(f"v{k}")
    results = ", ".join(draw(st.permutations(bound[3:]))[:2])
    item = draw(st.sampled_from(["jacobian", "jacobian(value=True)"]))
    head = f"import math\n\n\n# ad: {item}\ndef f(x, y, z):\n"
    return f"{head}{''.join(lines)}    return {results}\n"


@settings(
    max_examples=amount(6, 40), deadline=None, suppress_health_check=list(HealthCheck)
)
@given(positive())
def test_random_products_quotients_and_roots(source):
    point = {"x": 0.75, "y": 1.5, "z": 1.25}
    original = load_exact(source)["f"]
    value = invoke(original, exactly(point))
    rows = flat(jacobian(original, point, ("x", "y", "z")))
    made = load_exact(generate(source, container="tuple"))
    wanted = {"f_jac": rows, "f_value_and_jac": [*value, *rows]}
    (name,) = wanted.keys() & made.keys()
    got = flat(invoke(made[name], exactly(point)))
    for g, w in zip(got, wanted[name], strict=True):
        assert abs(mpf(g) - w) <= 1e-13 * (1 + abs(w)), name


def test_products_that_have_become_the_same_vanish():
    text = generate(
        "import math\n\n\n# ad: hessian\ndef f(x, y):\n    return math.log(x * y)\n",
        container="tuple",
    )
    assert load_exact(text)["f_hess"](2.0, 3.0)[0][1] == 0
    assert "0.0), (0.0" in text


def test_equal_terms_are_counted():
    text = generate(
        "import math\n\n\n# ad: hessian\ndef wien(x, y):\n"
        "    return 1 / (x**5 * math.expm1(14.0 / (x * y)))\n",
        container="tuple",
        **QUICK,
    )
    assert counts_of(text, "wien_hess").total <= 39
