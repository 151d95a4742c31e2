"""Guards stand only where nothing rules them out; quotients of equals are 1."""

import itertools
import math

import pytest
from amounts import ANY_ORDER
from support import flat, generate, load

HEAD = "import math\n\n\n# ad: {kind}\n"


def text_of(body, kind="gradient", **options):
    return generate(HEAD.format(kind=kind) + body, container="tuple", **options)


# fmt: off
UNGUARDED = [
    "def f(s, n):\n    assert s > 0.0\n    return s**n\n",
    "def f(s, n):\n    assert 0 < s <= 1\n    return s**n\n",
    "def f(s, n):\n    assert n > 1 and s > 0\n    return s**n\n",
    "def f(s, n):\n    assert s >= 0.5, 'too small'\n    return s**n\n",
    "def f(s, n):\n    return (1.0 + s * s) ** n\n",
    "def f(s, n):\n    return math.log(s) + s**n\n",
    "def f(s, n):\n    return math.exp(s) ** n\n",  # n * v and v * s, 0 where v is
    "def f(s, n):\n    assert s > 0\n    return math.hypot(s, n)\n",
    "def f(s, n):\n    return math.hypot(1.0, n) * s\n",
    "def f(s, n):\n    assert s < 0\n    return abs(s) * n\n",
    "def f(s, n):\n    return abs(s * s + 1.0) * n\n",
]
GUARDED = [
    "def f(s, n):\n    assert s >= 0.0\n    return s**n\n",
    "def f(s, n):\n    assert s > -1.0\n    return s**n\n",
    "def f(s, n):\n    return (2.0 * math.exp(s)) ** n\n",  # exp may underflow
    "def f(s, n):\n    assert s > 0\n    return (s * s) ** n\n",
    "def f(s, n):\n    return math.hypot(s, n)\n",
    "def f(s, n):\n    return abs(s) * n\n",
]
# fmt: on


@pytest.mark.parametrize("body", UNGUARDED)
def test_what_is_asserted_is_not_asked(body):
    assert " if " not in text_of(body)


@pytest.mark.parametrize("body", GUARDED)
def test_what_may_be_is_asked(body):
    assert " if " in text_of(body)


def test_derivatives_at_the_ends_of_asserts():
    found = load(text_of(UNGUARDED[0]))["f_grad"]
    for s, n in itertools.product((1e-300, 0.5, 1.0, 3.0), (0.0, 1.0, 2.0, 2.5)):
        assert found(s, n) == pytest.approx((n * s ** (n - 1.0), s**n * math.log(s)))
    with pytest.raises(AssertionError):
        found(0.0, 0.0)


# fmt: off
EQUALS = [
    # source                                           what does not stand in the output
    ("def f(k, s):\n    return k * math.log(s / k)\n",  "k * (s / k)"),
    ("def f(nu, x):\n    return math.log(0.5 * math.pi * nu) * x\n", "1.57079632679"
     "48966 /"),
    ("def f(x, y):\n    return x * math.log(x / (1.0 - y))\n", "t1 / t1"),
]
# fmt: on


@pytest.mark.parametrize("kind", ["gradient", "hessian"])
@pytest.mark.parametrize(("body", "unwanted"), EQUALS)
def test_quotients_of_equals(body, unwanted, kind):
    text = text_of(body, kind, **ANY_ORDER)
    assert unwanted not in text.partition('"""')[2]
    points = ((0.3, 0.4), (2.5, 0.1))
    plain = load(text_of(body, kind, order="reverse", effort=0))
    name = "f_grad" if kind == "gradient" else "f_hess"
    for point in points:
        assert flat(load(text)[name](*point)) == pytest.approx(
            flat(plain[name](*point)), rel=1e-13
        )


def test_a_quotient_stays_where_0_is_fine():
    """x / x has no value at 0 in the source, sqrt(x)**2 has one."""
    found = load(text_of("def f(x):\n    return math.sqrt(x) ** 3\n"))["f_grad"]
    assert found(4.0) == pytest.approx(3.0)


# fmt: off
SIGNED = [
    # what reads the sign of a zero                    derivative by x at x = 2
    ("math.copysign(x, s * 0)",                        lambda s: s),
    ("math.copysign(x, -(s * 0.0))",                     lambda s: -s),
    ("math.atan2(s * 0.0, -1.0) * x",                  lambda s: s * math.pi),
]
# fmt: on


@pytest.mark.parametrize(("body", "want"), SIGNED)
@pytest.mark.parametrize("order", ["auto", "reverse"])
def test_with_the_value_signs_of_zeros_are_kept(body, want, order):
    source = f"def f(x, s):\n    return {body}\n"
    text = text_of(source, "gradient(x, value=True)", order=order)
    for s in (1.0, -1.0):
        assert load(text)["f_value_and_grad"](2.0, s)[1] == want(s)


@pytest.mark.parametrize(
    "body", ["math.copysign(x, s * 0)", "x * math.atan2(s * 0, 1)"]
)
def test_without_the_value_a_zero_is_positive(body):
    """docs/limits.md: derivative code takes s * 0 for 0.0, whatever the sign of s."""
    found = load(text_of(f"def f(x, s):\n    return {body}\n"))["f_grad"]
    assert flat(found(2.0, -1.0)) == flat(found(2.0, 1.0))
