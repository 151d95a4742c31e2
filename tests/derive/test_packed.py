"""Functions of one vector (contract, rule 10)."""

import inspect
import math

import numpy as np
import pytest
from amounts import ANY_ORDER, pairs
from support import generate, load, load_generated, run

SOURCE = """\
import math


{mark}
def f(x, y, k=2.0, *, n: int = 2):
    assert x > 0.0, "x has to be positive"
    return math.exp(x * y) ** n + k * x
"""
ITEMS = (
    "gradient",
    "gradient(value=True)",
    "jacobian",
    "jacobian(value=True)",
    "hessian",
    "hessian(value=True)",
    "hvp",
    "hvp(value=True)",
    "jvp",
    "vjp",
    "error",
    'error(model="enclosure")',
)


def made(mark, **options):
    options = {"order": "reverse", "effort": 0} | options
    return load_generated(SOURCE.format(mark=f"# ad: {mark}"), **options)


def with_names(item, names, *more):
    kind, _, rest = item.partition("(")
    given = [*names, *filter(None, [rest.rstrip(")")]), *more]
    return f"{kind}({', '.join(given)})"


def function(namespace):
    (found,) = (v for k, v in namespace.items() if k.startswith("f_"))
    return found


def joined(value):
    """The numbers of a result, in order."""
    if isinstance(value, tuple):
        return [leaf for item in value for leaf in joined(item)]
    return np.asarray(value).ravel().tolist()


POINT, SEED = {"x": 0.3, "y": -1.25, "k": 1.5}, {"x": 0.5, "y": 2.0, "k": -1.0}


@pytest.mark.parametrize(("item", "names"), pairs(ITEMS, [("k", "x"), ("y",)], 2))
def test_the_same_numbers(item, names):
    mark = with_names(item, names)
    plain = function(made(mark))
    packed = function(made(with_names(item, names, "packed=True")))
    rest = {k: v for k, v in POINT.items() if k not in names}
    wanted = {f"{name}_dot": SEED[name] for name in names} | {"f_bar": -0.5}
    taken = inspect.signature(plain).parameters
    seeds = {k: v for k, v in wanted.items() if k in taken}
    want = joined(plain(**POINT, **seeds, n=3))
    p = np.array([POINT[name] for name in names])
    if "f_bar" in seeds:
        found = packed(p, -0.5, **rest, n=3)
    elif seeds:
        found = packed(p, tuple(seeds.values()), **rest, n=3)
    else:
        found = packed(p, **rest, n=3)
    assert joined(found) == want


def test_results_are_vectors():
    for item, count in (("gradient", 1), ("vjp", 1), ("hvp(value=True)", 2)):
        value = function(made(with_names(item, (), "packed=True")))
        seeds = {"vjp": (1.0,), "hvp(value=True)": ([1.0, 0.0, 0.0],)}.get(item, ())
        found = value([0.3, 1.0, 2.0], *seeds)
        vectors = joined_arrays(found)
        assert [v.shape for v in vectors] == [(3,)] * count
        assert all(v.flags.writeable and v.dtype == float for v in vectors)


def joined_arrays(value):
    parts = value if isinstance(value, tuple) else (value,)
    return [v for v in parts if isinstance(v, np.ndarray)]


SIGNATURES = [
    ("gradient(packed=True)", "(p, *, n=2)"),
    ("gradient(x, packed=True)", "(p, y, k=2.0, *, n=2)"),
    ("gradient(k, packed=q)", "(q, x, y, *, n=2)"),
    ("hvp(x, k, packed=True)", "(p, p_dot, y, *, n=2)"),
    ('jvp(y, packed="v")', "(v, v_dot, x, k=2.0, *, n=2)"),
    ("vjp(x, packed=True)", "(p, f_bar, y, k=2.0, *, n=2)"),
    ("error(x, packed=True)", "(p, y, k=2.0, *, n=2)"),
    ("error(packed=True)", "(p, *, n=2)"),
    ("gradient(packed=False)", "(x, y, k=2.0, *, n=2)"),
]


@pytest.mark.parametrize(("mark", "want"), SIGNATURES)
def test_the_vector_comes_first(mark, want):
    found = inspect.signature(function(made(mark)))
    bare = [p.replace(annotation=p.empty) for p in found.parameters.values()]
    assert str(inspect.Signature(bare)) == want


def test_what_is_passed_by_position_stays_so():
    source = "# ad: hvp(y, packed=True)\ndef f(x, y, /, k):\n    return x * y * y * k\n"
    found = load_generated(source)["f_hvp"]
    assert "(p: ArrayLike, p_dot: ArrayLike, x: float, /, k: float)" in generate(source)
    assert found([2.0], [1.0], 3.0, k=1.0).tolist() == [6.0]


@pytest.mark.parametrize("wrong", [[1.0], [1.0, 2.0, 3.0, 4.0], 1.0, [[1.0, 2.0, 3.0]]])
def test_the_shape_is_checked(wrong):
    found = made("hvp(packed=True)")["f_hvp"]
    message = f"has shape {np.shape(wrong)}, not (3,)"
    for args in ((wrong, [1.0] * 3), ([1.0] * 3, wrong)):
        with pytest.raises(ValueError) as caught:
            found(*args)
        assert message in str(caught.value)


def test_tuples_need_no_numpy():
    mark = "gradient(packed=True), hvp(packed=True, value=True), hessian(packed=True)"
    text = generate(SOURCE.format(mark=f"# ad: {mark}"), container="tuple", **ANY_ORDER)
    assert "numpy" not in text
    found = load(text)
    plain = made("gradient")["f_grad"](0.3, 1.0, 2.0)
    assert found["f_grad"]([0.3, 1.0, 2.0]) == plain
    assert found["f_grad"](np.array([0.3, 1.0, 2.0])) == plain
    _, slope, product = found["f_value_and_hvp"]((0.3, 1.0, 2), (1, 0, 0))
    assert slope == plain and type(product) is tuple
    with pytest.raises(ValueError, match=r"p has shape \(2,\), not \(3,\)"):
        found["f_grad"]((1.0, 2.0))


def test_asserts_hold():
    with pytest.raises(AssertionError, match="positive"):
        made("gradient(packed=True)")["f_grad"]([-1.0, 1.0, 2.0])


def test_the_docstring_says_what_the_vector_holds():
    found = made("hvp(y, x, packed=q)")["f_hvp"]
    assert "q holds y and x." in found.__doc__
    assert "The vector is q_dot." in found.__doc__


COLLISIONS = [
    ("def f(p, x):\n    return p * x\n", "the vector 'p' of 'f_grad' has the name"),
    (
        "p = 2.0\n\n\ndef f(x):\n    return p * x\n",
        "'p' of 'f_grad' has the name of som",
    ),
    ("def f(x, p, n: int):\n    return p * x * n\n", "the name of a parameter"),
]


@pytest.mark.parametrize(("source", "message"), COLLISIONS)
def test_collisions_are_refused(source, message):
    marked = source.replace("def f", "# ad: gradient(x, packed=True)\ndef f")
    (found,) = run(marked).diagnostics
    assert found.code == "AD025" and message in found.message
    assert 'packed="p_2"' in found.help
    assert run(marked.replace("packed=True", 'packed="p_2"')).text is not None


def test_the_seed_of_the_vector_may_collide():
    source = "# ad: hvp(x, packed=True)\ndef f(x, p_dot):\n    return p_dot * x * x\n"
    (found,) = run(source).diagnostics
    assert found.code == "AD025" and "'p_dot'" in found.message
    assert 'packed="p_2"' in found.help


def test_a_wrong_name_is_refused():
    source = '# ad: gradient(packed="1p")\ndef f(x):\n    return x * x\n'
    (found,) = run(source).diagnostics
    assert "name for the vector" in f"{found.message} {found.help}"


# --- with SciPy ---------------------------------------------------------------------

VALLEY = """\
# ad: gradient(x, y, value=True, packed=True), hessian(x, y, packed=True)
# ad: hvp(x, y, packed=True), gradient(x, y, packed=True)
def valley(x, y, steep=100.0):
    return (1.0 - x) ** 2 + steep * (y - x * x) ** 2
"""


@pytest.mark.parametrize(
    ("method", "extra"),
    [
        ("BFGS", ()),
        ("trust-exact", ("hess",)),
        ("Newton-CG", ("hessp",)),
        ("trust-krylov", ("hessp",)),
    ],
)
def test_minimize(method, extra):
    optimize = pytest.importorskip("scipy.optimize")
    found = load_generated(VALLEY, order="reverse")
    known = {"hess": found["valley_hess"], "hessp": found["valley_hvp"]}
    result = optimize.minimize(
        found["valley_value_and_grad"],
        (-1.2, 1.0),
        args=(50.0,),
        jac=True,
        method=method,
        **{name: known[name] for name in extra},
    )
    assert result.success and abs(result.fun) < 1e-9


def test_roots_and_least_squares():
    optimize = pytest.importorskip("scipy.optimize")
    source = "def f(x, y):\n    return x * x + y * y - 1.0, x - y\n"
    found = load_generated(f"# ad: jacobian(packed=True)\n{source}")

    circle_of = load(source)["f"]

    def circle(p):
        return circle_of(*p)

    half = math.sqrt(0.5)
    for solve in (optimize.root, optimize.least_squares):
        result = solve(circle, (1.0, 0.5), jac=found["f_jac"])
        assert result.success
        assert result.x == pytest.approx([half, half], abs=1e-8)


def test_errors_by_no_names_take_arrays_as_well():
    source = (
        'def f(a: float, v: "Vector[3]", k: int):\n    return a * v[0] + v[1] ** k\n'
    )
    found = load_generated(f"# ad: error(packed=True)\n{source}")
    value, bound, rms = found["f_err"]([0.1, 0.3, 0.7, 0.9], 3)
    assert value == load(source)["f"](0.1, [0.3, 0.7, 0.9], 3)
    assert 0.0 < rms <= bound
