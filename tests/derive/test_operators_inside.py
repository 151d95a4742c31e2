"""Derivative operators inside expressions, and `expand`: against sixty digits."""

from __future__ import annotations

import math

import pytest
from amounts import ANY_ORDER, NUMBERS, QUICK
from mpmath import diff, exp, mp, mpf, sin, sqrt
from support import flat, generate, load, load_exact, load_generated, run

from ad_transform.ir.count import Counts

HEAD = "import math\nimport numpy as np\nimport ad_transform as ad\n"
POWELL = """
# ad: expand(powers="multiply")
def powell(x: "Vector[4]", p: "Vector[4]"):
    f = ((x[0] + 10 * x[1]) ** 2 + 5 * (x[2] - x[3]) ** 2
         + (x[1] - 2 * x[2]) ** 4 + 10 * (x[0] - x[3]) ** 4)
    g = ad.derivative(f, x)
    php = p @ ad.tangent(g, x, p)
    return f, g, php
"""


def _expanded(body: str, parameters: str = "x, y, z", **options: object):
    """The generated function of a body, run with sixty digits."""
    source = f"{HEAD}# ad: expand\ndef f({parameters}):\n"
    source += "".join(f"    {line}\n" for line in body.splitlines())
    return load_exact(generate(source, **{**NUMBERS, **options}))["f"]


def _counts(source: str, **options: object) -> Counts:
    (made,) = run(HEAD + source, **options).derived
    return made.counts


AT = mpf("0.75"), mpf("-1.5"), mpf("2.25")


def _grad(f, at=AT):
    """The gradient of a function of numbers by mpmath."""
    n = len(at)
    return [diff(f, at, tuple(int(k == j) for j in range(n))) for k in range(n)]


def _f(x, y, z):
    return x * y * sin(z) + exp(x * z)


BODY = "v = x * y * math.sin(z) + math.exp(x * z)\n"


def _near(value, wanted) -> None:
    for a, b in zip(flat(value), flat(wanted), strict=True):
        assert abs(a - b) <= mpf(10) ** -40 * max(1, abs(b))


@pytest.mark.parametrize(
    ("operator", "wanted"),
    [
        ("ad.derivative(v, x)", lambda: _grad(_f)[0]),
        ("ad.derivative(v, (x, y, z))", lambda: _grad(_f)),
        ("ad.derivative([v, x * y], (x, y))",
         lambda: [*_grad(_f)[:2], AT[1], AT[0]]),
        ("ad.tangent(v, (x, z), (2.0, y))",
         lambda: 2 * _grad(_f)[0] + AT[1] * _grad(_f)[2]),
        ("ad.tangent((v, v * v), y, 3)",
         lambda: [3 * _grad(_f)[1], 6 * _f(*AT) * _grad(_f)[1]]),
        ("ad.adjoint((v, x), (x, z), (y, 1))",
         lambda: [AT[1] * _grad(_f)[0] + 1, AT[1] * _grad(_f)[2]]),
        ("ad.derivative(ad.derivative(v, x), z)",
         lambda: diff(_f, AT, (1, 0, 1))),
        ("ad.derivative(ad.derivative(ad.derivative(v, z), x), x)",
         lambda: diff(_f, AT, (2, 0, 1))),
        ("ad.tangent(ad.derivative(v, (x, z)), (x, z), (y, 1.0))",
         lambda: [AT[1] * diff(_f, AT, (2, 0, 0)) + diff(_f, AT, (1, 0, 1)),
                  AT[1] * diff(_f, AT, (1, 0, 1)) + diff(_f, AT, (0, 0, 2))]),
        ("ad.derivative(ad.tangent(v, y, x), x)",
         lambda: sin(AT[2])*2*AT[0]),
        ("ad.derivative(x, y)", lambda: 0),
        ("ad.derivative(1.0, x)", lambda: 0),
    ],
)  # fmt: skip
def test_operators_are_derivatives(operator: str, wanted) -> None:
    with mp.workdps(60):
        _near(_expanded(f"{BODY}return {operator}")(*AT), wanted())


def test_a_hessian_is_symmetric_to_the_last_bit() -> None:
    operator = "ad.derivative(ad.derivative(v, (x, y, z)), (x, y, z))"
    text = f"{HEAD}# ad: expand\ndef f(x, y, z):\n    {BODY}    return {operator}\n"
    made = load_generated(text)["f"](0.3, 0.7, -1.1)
    assert (made == made.T).all()


@pytest.mark.parametrize("order", ["auto", "forward", "reverse", "markowitz"])
def test_a_name_that_is_differentiated_by_cuts_the_graph(order: str) -> None:
    body = "u = x * x\nv = x * x + u * y\nreturn ad.derivative(v, u), v"
    du, v = _expanded(body, order=order)(mpf(3), mpf(5), 0)
    assert (du, v) == (5, 54)


def test_shapes_are_those_of_the_expression_and_then_of_the_variable() -> None:
    body = "B = A @ A\nreturn ad.derivative(B, A), ad.adjoint(B, A, A)"
    source = f"{HEAD}# ad: expand\ndef f(A: 'Matrix[2, 2]'):\n"
    made = load_generated(source + "".join(f"    {b}\n" for b in body.splitlines()))
    J, Abar = made["f"]([[1.0, 2.0], [3.0, 4.0]])
    assert J.shape == (2, 2, 2, 2) and J[0, 1].tolist() == [[2.0, 5.0], [0.0, 2.0]]
    # A A^T + A^T A for the seed A
    assert Abar.tolist() == [[15.0, 25.0], [25.0, 45.0]]


LOOP = """
s = x
for i in range(n):
    t = s * y + i
    w = t * t * math.exp(y)
    s = s + ad.derivative(w, t)
return s
"""


def test_in_a_loop_by_a_name_of_the_trip() -> None:
    def by_hand(x, y, n):
        for i in range(n):
            x = x + 2 * (x * y + i) * exp(y)
        return x

    with mp.workdps(60):
        made = _expanded(LOOP, "x: float, y: float, n: int")
        _near(made(*AT[:2], 4), by_hand(*AT[:2], 4))


def test_what_has_been_checked_is_not_checked_again() -> None:
    body = "for i in range(n):\n    assert x > 0\n    x = x * y\n"
    source = f"{HEAD}# ad: expand\ndef f(x: float, y: float, n: int):\n    "
    source += body.replace("\n", "\n    ") + "return x, ad.derivative(x, y)\n"
    text = generate(source, effort=0)
    assert text.count("assert ") == 1
    with pytest.raises(AssertionError):
        load(text)["f"](1.0, -1.0, 2)


def test_in_an_arm_by_a_parameter() -> None:
    body = "u = x * x\nif y > 0:\n    w = u * x\n    return ad.derivative(w, x)\n"
    made = _expanded(body + "return ad.derivative(u, x)")
    assert (made(mpf(3), 1, 0), made(mpf(3), -1, 0)) == (27, 6)


def test_other_kinds_go_on_from_operators() -> None:
    source = f"{HEAD}# ad: gradient\ndef f(x, y):\n    w = x**3 * y\n"
    source += "    return ad.derivative(w, x) * y\n"
    assert load_generated(source)["f_grad"](2.0, 5.0) == (300.0, 120.0)


def test_the_value_beside_is_that_of_the_source() -> None:
    body = "v = 0.1 * (x * y) + 0.7 * (y * x)\nreturn ad.derivative(v, x), v"
    source = f"{HEAD}# ad: expand\ndef f(x, y):\n    "
    made = load_generated(source + body.replace("\n", "\n    ") + "\n")["f"]
    x, y = 0.3, 0.7
    assert made(x, y)[1] == 0.1 * (x * y) + 0.7 * (y * x)


def test_a_rounding_error_is_that_of_iri() -> None:
    body = "v = x * y\nw = v + z\nreturn ad.rounding_error(w)"
    with mp.workdps(60):
        made = _expanded(body)(*AT)
        v, w = AT[0] * AT[1], AT[0] * AT[1] + AT[2]
        wanted = mpf(2) ** -53 * sqrt((v * v + w * w) / 3)
        assert abs(made / wanted - 1) < 1e-15  # its factor is a double


def test_yoshidas_example_2() -> None:
    """ADDS gives 22 additions and 34 multiplications, and 18 and 30 are possible."""
    counts = _counts(POWELL, **QUICK)
    assert counts.classes() == {
        "add": 18, "mul": 30, "div": 0, "pow": 0, "call": 0, "neg": 0, "select": 0,
    }  # fmt: skip


# --- combinations of what operators give ----------------------------------------------

VECTORS = """
# ad: expand
def f(x: "Vector[3]", p: "Vector[3]", w: "Vector[2]"):
    v = x[0] ** 2 * x[1] + np.exp(x[1] * x[2])
    u = np.array([v * x[2], np.sin(v)])
    J = ad.derivative(u, x)
    H = ad.derivative(ad.derivative(v, x), x)
    return """
WAYS = [
    ("J @ p", "ad.tangent(u, x, p)"),
    ("w @ J", "ad.adjoint(u, x, w)"),
    ("w @ J @ p", "ad.tangent(w @ u, x, p)"),
    ("w @ (J @ p)", "w[0] * ad.tangent(u[0], x, p) + w[1] * ad.tangent(u[1], x, p)"),
    ("H @ p", "ad.tangent(ad.derivative(v, x), x, p)"),
    ("p @ H @ p", "ad.tangent(ad.tangent(v, x, p), x, p)"),
    ("p @ ad.adjoint(u, x, w)", "ad.tangent(w @ u, x, p)"),
    ("-sum(ad.derivative(v, x)) / p[0]", "ad.tangent(v, x, (-1.0, -1.0, -1.0)) / p[0]"),
    ("p[0] - 2 * H[0, 1] + H[1, 2]", "p[0] + (H[1, 2] - H[1, 0] - H[0, 1])"),
]


def _at(way: str) -> list[float]:
    made = load(generate(HEAD + VECTORS + way + "\n", **NUMBERS))["f"]
    return flat(made([0.3, -0.7, 0.9], [2.0, -1.0, 0.75], [3.0, 5.0]))


@pytest.mark.parametrize(("short", "long"), WAYS)
def test_a_product_is_what_it_stands_for(short: str, long: str) -> None:
    assert _at(short) == pytest.approx(_at(long), rel=1e-13)


@pytest.mark.parametrize(("short", "long"), WAYS[2:7:3])
def test_a_matrix_is_not_formed_for_a_product(short: str, long: str) -> None:
    one, other = (_counts(VECTORS + way + "\n", **ANY_ORDER) for way in (short, long))
    assert one.total <= other.total


def test_combinations_end_where_something_else_is_done() -> None:
    way = "(J @ p) ** 2 + (w @ J)[0]"
    other = "ad.tangent(u, x, p) ** 2 + ad.adjoint(u, x, w)[0]"
    assert _at(way) == pytest.approx(_at(other), rel=1e-13)


def test_factors_of_a_combination_are_constants_to_it() -> None:
    """x @ g: g is differentiated along p, x is not."""
    body = "g = ad.derivative(x * x * y, (x, y))\n"
    body += "return x * ad.tangent(g, x, 1.0)[0] + y * ad.tangent(g, x, 1.0)[1]"
    with mp.workdps(60):
        _near(_expanded(body)(*AT), 4 * AT[0] * AT[1])


# --- what is shared with the value ----------------------------------------------------

BEALE = """    f = (1.5 - x[0] * (1 - x[1])) ** 2 + (2.25 - x[0] * (1 - x[1] ** 2)) ** 2
    f = f + (2.625 - x[0] * (1 - x[1] ** 3)) ** 2
"""
ARM = """    a = x[0] + x[1]
    f = [math.cos(x[0]) + 2 * math.cos(a), math.sin(x[0]) + 2 * math.sin(a)]
"""
BESIDE = [
    (BEALE, "jvp", "ad.tangent(f, x, y)", 33),
    (BEALE, "gradient(x, value=True)", "ad.derivative(f, x)", 30),
    (ARM, "jacobian(x, value=True)", "ad.derivative(f, x)", 11),
]


@pytest.mark.parametrize(("body", "kind", "operator", "total"), BESIDE)
def test_an_operator_costs_what_the_kind_costs(body, kind, operator, total) -> None:
    head = f'{HEAD}# ad: {{}}\ndef f(x: "Vector[2]", y: "Vector[2]"):\n{body}'
    source = head.format("expand") + f"    return f, {operator}\n"
    own = head.replace(', y: "Vector[2]"', "").format(kind) + "    return f\n"
    options = {"powers": "multiply"} | QUICK
    counts = [run(s, **options).derived[0].counts for s in (source, own)]
    assert [c.total for c in counts] == [total, total]


HELMHOLTZ = """
# ad: expand
def f(x: "Vector[10]", b: "Vector[10]", A: "Matrix[10, 10]", p: "Vector[10]"):
    bx = b @ x
    e = sum(x[i] * math.log(x[i] / (1 - bx)) for i in range(10))
    r = math.log((1 + 2.414 * bx) / (1 - 0.414 * bx))
    f = e - x @ A @ x / (2.828 * bx) * r
    g = ad.derivative(f, x)
    return """


def test_a_product_adds_little_to_value_and_gradient() -> None:
    """The issue asks for 2.2 times value and gradient at most."""
    more = HEAD + HELMHOLTZ + "f, g, ad.tangent(g, x, p)\n"
    alone, both = (
        run(source, effort=0).derived[0].counts.total
        for source in (HEAD + HELMHOLTZ + "f, g\n", more)
    )
    assert both <= 2.2 * alone


# --- tuples whose items differ --------------------------------------------------------

RAGGED = "f = (x * y, [x * x, (z * math.sin(x), y * z)])\n"
BY = [
    ("ad.derivative(f, x)", lambda x, y, z: (y, 2 * x, z * mp.cos(x), 0)),
    (
        "ad.tangent(f, (x, (y, z)), (1.0, [2.0, y]))",
        lambda x, y, z: (y + 2 * x, 2 * x, z * mp.cos(x) + y * sin(x), 2 * z + y * y),
    ),
    (
        "ad.adjoint(f, (x, [y, z]), (1.0, [2.0, (3.0, x)]))",
        lambda x, y, z: (y + 4 * x + 3 * z * mp.cos(x), x + x * z, 3 * sin(x) + x * y),
    ),
]


@pytest.mark.parametrize(("operator", "wanted"), BY)
def test_what_is_given_may_be_ragged(operator, wanted) -> None:
    with mp.workdps(60):
        _near(_expanded(f"{RAGGED}return {operator}")(*AT), wanted(*AT))


def test_a_ragged_derivative_has_the_structure_of_what_is_not_a_number() -> None:
    source = f"{RAGGED}return ad.derivative(f, y), ad.derivative(z * x, (x, (y, z)))"
    (a, (b, (c, d))), (e, (g, h)) = _expanded(source)(*AT)
    assert (a, b, c, d, e, g, h) == (AT[0], 0, 0, AT[2], AT[2], 0, AT[0])


# --- outputs --------------------------------------------------------------------------

CHOSEN = """
# ad: expand(outputs=[g, f], name="both"), expand(outputs=g, name="slope")
@ad.expand(outputs=["t"], name="angle")
def f(x, y):
    t = math.atan2(y, x)
    f = x * x * y
    g = ad.derivative(f, x)
    if x > 0:
        return f
    return g + t
"""


def test_outputs_are_the_values_of_names() -> None:
    made = load_generated(HEAD + CHOSEN)
    assert (made["both"](3.0, 5.0), made["slope"](3.0, 5.0)) == ((30.0, 45.0), 30.0)
    assert made["angle"](1.0, 1.0) == math.atan2(1.0, 1.0)


def test_what_is_not_asked_for_is_not_computed() -> None:
    made = run(HEAD + CHOSEN, effort=0).derived
    assert [each.counts.total for each in made] == [4, 2, 1]


# --- arrays in one piece --------------------------------------------------------------

PIECES = """
# ad: expand
def f(x: "Vector[n]", t: float, w: "Vector[n]", p: "Vector[n]"):
    y = np.zeros(len(x))
    y[0] = x[0] * t
    for i in range(1, len(x)):
        y[i] = y[i - 1] * x[i] + t
    s = 0.0
    for i in range(len(x)):
        s += y[i] ** 2 * w[i]
    g = ad.derivative(s, x)
    """
WHOLES = """
# ad: expand
def f(x: "Vector[n]", t: float, w: "Vector[n]", p: "Vector[n]"):
    y = np.exp(x * t) * x[::-1]
    s = w @ y**2
    g = ad.derivative(s, x)
    """


def _y(source: str, x: list[float], t: float) -> list[float]:
    """y as the sources compute it."""
    if source is WHOLES:
        return [math.exp(a * t) * b for a, b in zip(x, x[::-1], strict=True)]
    y = [x[0] * t]
    for a in x[1:]:
        y.append(y[-1] * a + t)
    return y


def _slope(f, width: float = 1e-5) -> float:
    """f'(0) by central differences of fourth order."""
    near, far = (f(k * width) - f(-k * width) for k in (1, 2))
    return (8 * near - far) / (12 * width)


X, T, W, P = [0.3, -0.7, 0.9], 0.4, [2.0, -1.0, 0.75], [1.5, 0.5, -0.25]


def _moved(h: float, by: list[float]) -> list[float]:
    return [a + h * b for a, b in zip(X, by, strict=True)]


def _sum(source: str, x: list[float]) -> float:
    return sum(a * a * b for a, b in zip(_y(source, x, T), W, strict=True))


def _second(source: str) -> float:
    def along(h: float) -> float:
        return _sum(source, _moved(h, P))

    h = 1e-4
    return (along(h) - 2 * along(0.0) + along(-h)) / (h * h)


PIECE = [
    ("ad.derivative(y, t)[1]", lambda s: _slope(lambda h: _y(s, X, T + h)[1])),
    ("ad.tangent(y, x, p)[2]", lambda s: _slope(lambda h: _y(s, _moved(h, P), T)[2])),
    ("g[1]", lambda s: _slope(lambda h: _sum(s, _moved(h, [0.0, 1.0, 0.0])))),
    ("ad.adjoint(y, x, w)[0]", lambda s: _slope(lambda h: sum(
        a * b for a, b in zip(_y(s, _moved(h, [1.0, 0.0, 0.0]), T), W, strict=True)))),
    ("ad.tangent(s, x, p)", lambda s: _slope(lambda h: _sum(s, _moved(h, P)))),
    ("p @ ad.tangent(g, x, p)", _second),
]  # fmt: skip


@pytest.mark.parametrize("source", [PIECES, WHOLES], ids=["elements", "wholes"])
@pytest.mark.parametrize(("operator", "wanted"), PIECE)
def test_arrays_of_any_length(source: str, operator: str, wanted) -> None:
    text = generate(f"{HEAD}{source}return {operator}\n", effort=0)
    made = load(text)["f"](X, T, W, P)
    assert made == pytest.approx(wanted(source), rel=1e-6)


def test_arrays_that_change_later_are_what_they_were() -> None:
    body = "d = ad.tangent(y, x, p)\n    y[0] = 5.0\n    d[0] = 7.0\n    return d, y, p"
    d, y, p = load(generate(f"{HEAD}{PIECES}{body}\n", **NUMBERS))["f"](X, T, W, P)
    assert (d[0], y[0], p.tolist()) == (7.0, 5.0, P)
    assert y[1:].tolist() == _y(PIECES, X, T)[1:]
