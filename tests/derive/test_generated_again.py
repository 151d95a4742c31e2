"""Generated functions are marked in their turn: sources like any other."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from amounts import ANY_ORDER, NUMBERS, part
from support import flat, generate, load, load_generated, run

MODELS = Path(__file__).parents[2] / "fixtures" / "models"
OUTPUTS = {path.stem: path for path in sorted(MODELS.glob("*_grad.py"))}
ARRAYS = """
from math import exp, sin

import numpy as np

# ad: gradient, hessian, hvp, jvp, vjp, jacobian, gradient(x, split=True, name="parted")
def small(x: "Vector[3]", k: float):
    return x[0] * sin(x[1] * k) + x[2] ** 2 * k

# ad: gradient, vjp, jvp, jacobian
def chain(x: "Vector[n]", k: float):
    s = 1.0
    for i in range(len(x)):
        s = s + sin(x[i] * k) * s
    return s

# ad: gradient, vjp, hvp
def branches(x: float, y: float):
    if x > y:
        s = x * y
    elif x > 0.0:
        s = exp(x) - y
    else:
        s = y * y
    return s * s

# ad: jacobian, vjp, jvp
def field(x: "Vector[n]", c: float):
    y = np.zeros(len(x))
    for i in range(1, len(x)):
        y[i] = y[i - 1] * c + x[i] * x[i - 1]
    return y

# ad: gradient, vjp, hvp
def whole(x: "Vector[n]", A: "Matrix[n, n]"):
    y = A @ x
    return y @ np.sin(x)

# ad: gradient, vjp
def grown(x: float, n: int):
    a = []
    for i in range(n):
        a.append(x * i)
    return sum(a) * x

# ad: gradient(a, x)
def newton(a: float, x: float):
    for i in range(40):
        dx = (x * x - a) / (2.0 * x) if x > 0.1 else x - a
        x = x - dx * (1.0 + x)
        if abs(dx) < 0.05:
            break
    return x * a

# ad: gradient, jacobian(value=True)
def matrix(x: "Matrix[2, 2]", y: float):
    return x[0, 0] * x[1, 1] - x[0, 1] * x[1, 0] * y

# ad: jacobian, vjp
def nested(x: float, y: float):
    return x * y, (y, x * x)
"""

RECORDED = """
from math import sin

# ad: gradient(x), vjp(x)
def inner(x: float, n: int, m: int):
    s = x
    for i in range(n):
        t = s
        for j in range(m):
            t = sin(t * x) + t
        s = s * t
    return s

# ad: gradient(x)
def in_an_arm(x: float, n: int):
    s = x
    a = [x]
    for i in range(n):
        if s > 0.7:
            for j in range(i):
                a.append(a[j] * s)
            s = sin(s) * a[-1]
        else:
            s = s * 1.5
    return s

# ad: gradient(x)
def of_tuples(x: float, n: int):
    saved = []
    for i in range(n):
        z = []
        for j in range(i):
            w = []
            for k in range(j + 1):
                w.append(x * k + sin(j * x))
            z.append((j + 1, w))
        if z:
            saved.append((x * i, z))
    s = 0.0
    while saved:
        y, row = saved.pop()
        for j, v in row:
            for u in v:
                s = s * x + u * j
        s += y
    return s
"""
"""Loops that record the lists of loops inside."""

SEVERAL = """
import numpy as np

# ad: vjp
def pair(x: "Vector[n]"):
    return np.sin(x[1:]) * x[0], x * x

# ad: vjp
def longer(x: "Vector[n]", k: float):
    return np.concatenate([x, k * x, [k]]), (k * x[0], np.array([k, k * k * x[1]]))

# ad: vjp
def padded(x: "Vector[n]", A: "Matrix[n, n]"):
    return np.append(x, 1.0) * np.sum(A), A[1:] * x

# ad: vjp
def chosen(x: "Vector[n]", on: "Vector[n, bool]"):
    return x[on] * x[0]
"""
"""Seeds are arrays in tuples, or lengths that are sums; masks carry no derivative."""

SEEDS = {
    "pair_bar": (np.array([0.3, -0.8]), np.array([1.2, 0.4, -0.5])),
    "longer_bar": (np.linspace(-1.0, 2.0, 7), (0.7, np.array([0.2, -0.3]))),
    "padded_bar": (np.linspace(0.1, 0.9, 4), np.linspace(-1.0, 2.0, 6).reshape(2, 3)),
    "chosen_bar": np.array([0.4, 1.1]),
    "on": np.array([True, False, True]),
}


def names_in(text: str) -> list[str]:
    """The functions of a file that are no helpers."""
    found = (n.name for n in ast.parse(text).body if isinstance(n, ast.FunctionDef))
    return [name for name in found if not name.startswith("_")]


def marked(text: str, kind: str) -> str:
    """The text with a mark above each of its functions."""
    return re.sub(r"(?m)^def (?!_)", f"# ad: {kind}\ndef ", text)


def arguments(function: Any) -> dict[str, Any]:
    """Numbers, arrays and tuples of the sizes that a generated function takes."""
    shapes = {"A": (3, 3), "A_dot": (3, 3), "matrix x": (2, 2)}
    shapes |= {"powell x": (4,), "powell p": (4,)}
    given: dict[str, Any] = {}
    for k, (name, parameter) in enumerate(
        inspect.signature(function).parameters.items()
    ):
        kind, number = str(parameter.annotation), 0.4 + 0.13 * k
        if name in SEEDS:
            given[name] = SEEDS[name]
        elif "Array" in kind or "Sequence" in kind:
            own = function.__name__.partition("_")[0]
            shape = shapes.get(f"{own} {name}", shapes.get(name, (3,)))
            given[name] = number + 0.2 * np.sin(np.arange(np.prod(shape))).reshape(
                shape
            )
        elif "tuple" in kind:
            given[name] = (
                (0.3, (0.6, 0.9)) if "tuple[float, tuple" in kind else (0.3, 0.6)
            )
        else:
            given[name] = 3 if "int" in kind else number
    return given


def weighted(value: Any) -> float:
    """All numbers of a result in one."""
    return sum((k + 1.0) * number for k, number in enumerate(flat(value)))


def slope(function: Any, given: dict[str, Any], name: str) -> list[float]:
    """Differences of what is weighted, by every element of an argument."""
    found = []
    for k in range(len(flat(given[name]))):
        steps = [0.0] * len(flat(given[name]))
        ends = []
        for steps[k] in (1e-5, -1e-5):
            value = moved(given[name], iter(steps))
            ends.append(weighted(function(**{**given, name: value})))
        found.append((ends[0] - ends[1]) / 2e-5)
    return found


def moved(value: Any, steps: Iterator[float]) -> Any:
    """A value whose numbers are all a step away."""
    if isinstance(value, tuple):
        return tuple(moved(item, steps) for item in value)
    if isinstance(value, np.ndarray):
        return value + np.reshape([next(steps) for _ in value.flat], value.shape)
    return value + next(steps)


def check(text: str) -> None:
    """The adjoint of each function of a text is what differences make it."""
    before, after = load(text), load_generated(marked(text, "vjp"), order="reverse")
    for name in names_in(text):
        function = before[name]
        given = arguments(function)
        value = function(**given)
        seed = weights_like(value)
        adjoints = after[f"{name}_vjp"](**given, **{f"{name}_bar": seed})[1]
        real = [n for n, v in given.items() if not isinstance(flat(v)[0], int)]
        wanted = [s for n in real for s in slope(function, given, n)]
        assert flat(adjoints) == pytest.approx(wanted, rel=2e-6, abs=1e-6), name


def weights_like(value: Any) -> Any:
    """Seeds of the structure of a result: 1, 2, 3, ..."""
    places = iter(range(1, 1000))

    def seeds(part: Any) -> Any:
        if isinstance(part, tuple | list):
            return tuple(map(seeds, part))
        if isinstance(part, np.ndarray):
            return np.array([float(next(places)) for _ in part.flat]).reshape(
                part.shape
            )
        return float(next(places))

    return seeds(value)


@pytest.mark.parametrize("stem", part([*OUTPUTS], 4))
def test_the_fixtures_are_sources(stem: str) -> None:
    check(OUTPUTS[stem].read_text(encoding="utf-8"))


def test_functions_of_arrays_loops_and_branches_are_sources() -> None:
    check(generate(ARRAYS, **ANY_ORDER))


def halved(source: str) -> str:
    """A source with every other mark of its functions, or with all of them."""

    def some(line: re.Match[str]) -> str:
        return f"# ad: {', '.join(part(re.split(r', (?![^(]*[)])', line[1]), 2))}"

    return re.sub(r"(?m)^# ad: (.*)", some, source)


def test_functions_of_tuples_without_numpy_are_sources() -> None:
    text = generate(halved(ARRAYS), container="tuple", **ANY_ORDER)
    assert "numpy" not in text
    check(text)


TAKEN = """
# ad: gradient
def f(x: Sequence[float], k: float):
    {}
    return u[0] * u[-1] * k
"""


@pytest.mark.parametrize("other", ["x * 2", "[*x, k]", "x"])
def test_a_sequence_is_an_array_only_where_it_is_taken_as_one(other: str) -> None:
    head = "from collections.abc import Sequence\n"
    taken = TAKEN.format("u = list(map(float, x))")
    assert load_generated(head + taken)["f_grad"]([3.0, 5.0], 2.0)[1] == 15.0
    (found,) = run(head + TAKEN.format(f"u = {other}")).diagnostics
    assert found.code == "AD104" and "Vector[n]" in found.help


SUMMED = """
# ad: error(model="enclosure")
def enclosed(x: float, n: int):
    s = [x] * n
    for i in range(n):
        s[i] = x * i
    return sum(s) * x
"""
SUMS = """
# ad: gradient
def of_numbers(x: float, y: float):
    return _total((x * y, 3.0, x)) * x

# ad: gradient(x)
def of_a_list(x: float, n: int):
    s = []
    for i in range(n):
        s.append(x * x * i)
    return _total(s)
"""


def test_exact_sums_of_estimates_are_read() -> None:
    text = generate(SUMMED, **ANY_ORDER)
    assert "    try:\n        return fsum(terms)" in text
    assert run(marked(text, "vjp")).text is not None
    head, _, _ = text.partition("def enclosed")
    made = load_generated(head + SUMS)
    assert made["of_numbers_grad"](0.5, 2.0) == (2.0 * 3.0 * 0.5 + 3.0, 0.25)
    assert made["of_a_list_grad"](0.5, 4) == 6.0


def test_records_of_loops_inside_are_read() -> None:
    text = generate(halved(RECORDED), **ANY_ORDER)
    assert "list[tuple[float, float, list[float]]]" in text
    check(text)


def test_seeds_of_several_arrays_are_parameters() -> None:
    check(generate(SEVERAL, **ANY_ORDER))


def test_messages_show_lengths() -> None:
    source = """
# ad: gradient
def f(x: "Vector[n]"):
    if len(x) < 2:
        raise ValueError(f"x has {len(x)} items, of {2}")
    return x[0] * x[1]
"""
    with pytest.raises(ValueError, match="x has 1 items, of 2"):
        load_generated(source)["f_grad"]([0.5])


def test_estimates_are_sources() -> None:
    text = generate(
        "import math\n# ad: error\ndef f(x, y):\n    return math.exp(x) * y\n",
        **ANY_ORDER,
    )
    err = load(text)["f_err"]
    found = load_generated(marked(text, "jacobian(y)"))["f_err_jac"](0.7, 1.3)
    ends = zip(err(0.7, 1.3 + 1e-7), err(0.7, 1.3 - 1e-7), strict=True)
    wanted = [(a - b) / 2e-7 for a, b in ends]
    assert flat(found) == pytest.approx(wanted, rel=1e-6, abs=0.0)


def test_exact_remainders_of_estimates_have_no_derivative() -> None:
    source = "# ad: error(model='actual'), gradient\n"
    source += "def f(x, y):\n    return x * y / (x + y)\n"
    text = generate(source, **ANY_ORDER)
    assert "_FUSED" in text
    made = load_generated(marked(text, "jacobian"))
    rows = made["f_err_actual_jac"](0.7, 1.3)
    grad = load(text)["f_grad"](0.7, 1.3)
    assert flat(rows[0]) == pytest.approx(grad, rel=1e-15)
    assert np.abs(rows[1:]).max() < 1e-14


def test_estimates_of_sums_are_sources() -> None:
    source = "import numpy as np\n\n# ad: error\n"
    source += 'def f(x: "Vector[n]", k: float):\n    return np.sum(x * x) * k\n'
    text = generate(source, **ANY_ORDER)
    assert "(-total, *terms)" in text
    check(text)


VALLEY = """
# ad: {}
def valley(x: "Vector[2]", k: float = 100.0):
    return (1.0 - x[0]) ** 2 + k * (x[1] - x[0] ** 2) ** 2
"""


@pytest.mark.parametrize("kind", ["jacobian", "jacobian(x)", "jvp(x)"])
def test_the_gradient_marked_again_has_the_derivatives_of_the_hessian(
    kind: str,
) -> None:
    again = load_generated(
        marked(generate(VALLEY.format("gradient(x)"), **ANY_ORDER), kind)
    )
    wanted = load_generated(VALLEY.format("hessian(x)"))["valley_hess"]([0.7, 0.4])
    if kind == "jvp(x)":
        found = [again["valley_grad_jvp"]([0.7, 0.4], e)[1] for e in np.eye(2)]
    else:
        found = again["valley_grad_jac"]([0.7, 0.4])[:, :2]
    assert flat(found) == pytest.approx(flat(wanted), rel=1e-13)


READ = {
    "x.pop()": """
def f(x, n: int):
    a = [x, 2.0 * x]
    for i in range(n):
        a.append(a[-1] * x)
    a.pop()
    last = a.pop()
    return last * len(a) + a[-1]
""",
    "saved.append((a, (b, c)))": """
def f(x, n: int):
    saved = [(True, (0, x))]
    for i in range(n):
        x = x * saved[-1][1][1]
        saved.append((i > 1, (1.5 * i, x)))
    last, (w, y) = saved.pop()
    for test, (w, y) in reversed(saved):
        last = last + y * w if test else y + len(saved)
    return last * y
""",
    "tuples": """
def f(x: float, p: tuple[float, tuple[int, float]]):
    a, (n, b) = p
    return a * x ** n + b * x
""",
    "tuple[float, ...]": """
def f(x: float, p: tuple[float, ...], q: "tuple[float, ...]"):
    a, b = p
    (c,) = q
    return a * b * x ** 2 + c * x
""",
}
READ |= {
    "saved.append(z_list)": """
def f(x, n: int):
    saved = []
    for i in range(n):
        z_list = [x]
        for j in range(i):
            z_list.append(z_list[-1] * x + j)
        saved.append(z_list)
    saved[0] = saved[-1][1:]
    total = saved.pop()[0]
    for k, row in enumerate(reversed(saved)):
        for y in row:
            total = total * 0.5 + y * k
    return total * len(saved)
""",
    "a list that an arm fills": """
def f(x, n: int):
    total = 0.0
    for i in range(n):
        if i * x > 1.0:
            a = []
            for j in range(i):
                a.append(x * j)
        else:
            a = []
        for y in a:
            total = total * x + y
    return total
""",
    "[0.0] * sizes[i]": """
def f(x, n: int):
    sizes = []
    for i in range(n):
        sizes.append(i)
    total = 0.0
    for i in range(n):
        a = [0.0] * sizes[i]
        for j in range(len(a)):
            a[j] = x * j
        total = total * x + sum(a)
    return total
""",
}
RESTS: dict[str, tuple[Any, ...]] = {
    "tuples": ((0.5, (3, 1.5)),),
    "tuple[float, ...]": ((0.5, 1.5), (0.3,)),
}


@pytest.mark.parametrize("case", READ)
def test_what_generated_code_writes_is_read(case: str) -> None:
    source = f"# ad: gradient(x)\n{READ[case].strip()}\n"
    function, slopes = load(source)["f"], load_generated(source)["f_grad"]
    rest = RESTS.get(case, (4,))
    wanted = (function(0.7 + 1e-6, *rest) - function(0.7 - 1e-6, *rest)) / 2e-6
    assert slopes(0.7, *rest) == pytest.approx(wanted, rel=1e-8)


SPECIAL = """
import numpy as np
from scipy import special

# ad: gradient
def gammas(x: float, y: float):
    u = special.xlogy(x, y) * special.ndtri(x)
    return special.gammaln(x) * special.digamma(y) + u

# ad: vjp
def each(x: "Vector[n]"):
    return special.gammaln(x) * special.log_ndtr(x)
"""


def test_helpers_are_the_functions_that_they_compute() -> None:
    text = generate(SPECIAL, **ANY_ORDER)
    assert "def _digamma" in text
    assert "np.vectorize(_log_ndtr" in text
    check(text)


def test_a_helper_that_was_edited_is_a_function_of_the_file() -> None:
    text = "# ad: gradient\ndef f(x):\n    return _digamma(x)\n\n\n"
    text += "def _digamma(x: float) -> float:\n    return x * x\n"
    assert load_generated(text)["f_grad"](3.0) == 6.0


CLASSES = """
from typing import NamedTuple

class Point(NamedTuple):
    x: float
    y: float

class Line(NamedTuple):
    at: Point
    way: "Vector[2]"
    more: "Vector[n]"

"""
OF_OBJECTS = """
# ad: gradient
def f(line: Line, t: float):
    return line.at.x * t * sum(line.more) + line.at.y * line.way[0] ** 2 * line.way[1]
"""


def test_objects_are_annotated_again() -> None:
    text = generate(CLASSES + OF_OBJECTS, **ANY_ORDER).replace(
        "line: Any", "line: Line"
    )
    again = CLASSES + marked(text, "jvp(line)")
    made = load_generated(again) | load(again)

    def at(h: float) -> Any:
        point = made["Point"](0.3 + h, 0.8 - h)
        way, more = np.array([0.4, 0.5 + h]), np.array([1.0 + 2.0 * h, 2.0, 0.5])
        return made["Line"](point, way, more), 0.7

    seed = (1.0, -1.0), np.array([0.0, 1.0]), np.array([2.0, 0.0, 0.0])
    line, t = at(0.0)
    found = flat(made["f_grad_jvp"](line, seed, t)[1])
    ends = zip(*(flat(made["f_grad"](*at(h))) for h in (1e-6, -1e-6)), strict=True)
    assert found == pytest.approx([(a - b) / 2e-6 for a, b in ends], rel=1e-7, abs=1e-9)


def test_shapes_are_compared_and_shown() -> None:
    source = """
import numpy as np

# ad: gradient(A)
def f(A: "Matrix[m, n]", x: "Vector[k]"):
    if x.shape != A.shape[1:]:
        raise ValueError(f"A is {A.shape}, x has {x.shape} and {np.shape(A)[0]}")
    if A.shape == np.shape(x):
        return 0.0
    return np.sum(A @ x)
"""
    grad = load_generated(source)["f_grad"]
    assert flat(grad(np.ones((1, 2)), [3.0, 4.0])) == [3.0, 4.0]
    with pytest.raises(ValueError, match=r"^A is \(1, 2\), x has \(1,\) and 1$"):
        grad(np.ones((1, 2)), [3.0])


def test_constant_matrices_are_copied() -> None:
    source = """
import numpy as np

TABLE = np.array([[1.0, 2.0], [3.0, 4.0]])

# ad: gradient(x)
def f(x, y):
    changed = TABLE.copy()
    changed[0, 1] = x
    return changed[0, 1] * changed[1, 0] * x + TABLE[0, 1] * x
"""
    assert load_generated(source)["f_grad"](1.5, 0.5) == 11.0
    by_slice = "    part = slice(2)\n    v = TABLE[part]\n    v[0, 0] = x\n"
    changed = source.replace("    changed =", f"{by_slice}    changed =")
    assert [d.code for d in run(changed).diagnostics] == ["AD122"]


LOOP = """
import math

# ad: {}
def f(x: "Vector[n]", k: float):
    s = 0.0
    for i in range(1, len(x)):
        s += math.sin(x[i] * k) * x[i - 1]
    return s
"""
KEPT = """
import math

# ad: {}
def f(x: float, k: float, n: int):
    s = x
    for i in range(n):
        s = step(s, k) * k - step(k, x)
    return s

def step(a, b):
    u = math.sin(a * b)
    return u * math.cos(a) + b
"""
DEEP = """
import math

# ad: {}
def f(x: float, k: float, n: int):
    return deep(x, k, n) * k

def deep(x, k, n):
    if n <= 0:
        return x
    return math.sin(deep(x * k, k, n - 1)) + x * deep(x, k, n - 2)
"""
OPERATORS = """
import ad_transform as ad

# ad: {}
def f(x: "Vector[3]", p: "Vector[3]"):
    s = x[0] ** 2 * x[1] + x[2] * x[1] ** 3
    g = ad.derivative(s, x)
    return s, g, p @ ad.tangent(g, x, p)
"""
SAMPLE: list[tuple[str, str, dict[str, str]]] = [
    (LOOP, "gradient(packed=True), hvp(packed=True)", {}),
    (LOOP, "gradient(packed=True)", {"container": "tuple"}),
    (LOOP, "taylor(k, degree=2)", {}),
    (LOOP, 'hessian(x, sparse="coo")', {}),
    (LOOP, 'jacobian(x, sparse="coo")', {"container": "tuple"}),
    (KEPT, "hvp", {"inline": "never"}),
    (KEPT, "gradient", {"inline": "never", "container": "tuple"}),
    (DEEP, "gradient", {}),
    (OPERATORS, "expand", {}),
]
"""Programs, marks and options: what is generated is marked once more."""


@pytest.mark.parametrize(("source", "mark", "options"), SAMPLE)
def test_what_options_make_is_a_source(
    source: str, mark: str, options: dict[str, str]
) -> None:
    text = generate(source.format(mark), effort=0, **options)
    check(text)
    for name in names_in(text):
        function, given = load(text)[name], arguments(load(text)[name])
        if "k" not in given or "k_dot" in given:
            continue
        along_k = text.replace(f"\ndef {name}(", f"\n# ad: jvp(k)\ndef {name}(")
        jvp = load(generate(along_k, **NUMBERS))[f"{name}_jvp"]
        tangent = weighted(jvp(**given, k_dot=1.0)[1])
        (wanted,) = slope(function, given, "k")
        assert tangent == pytest.approx(wanted, rel=2e-6, abs=1e-6)


@pytest.mark.parametrize("model", ["actual", "enclosure"])
def test_estimates_of_loops_are_sources(model: str) -> None:
    text = f"# ad: error(model='{model}')\ndef f(x: float, k: float, n: int):\n"
    text += "    for i in range(n):\n        x = x * k + 0.5\n    return x\n"
    again = run(marked(generate(text, **NUMBERS), "jvp(k), vjp"), effort=0)
    assert again.text is not None
