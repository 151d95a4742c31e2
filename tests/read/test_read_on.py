"""One run reports errors behind others: bodies of refused constructs are read on."""

from __future__ import annotations

import pytest
from reading import codes
from support import run

HEAD = "import math\n\nimport numpy as np\nimport pandas as pd\n\n\n"


def messages(source: str) -> list[str]:
    return [one.message for one in run(HEAD + source).diagnostics]


def test_functions_of_unknown_values_are_named() -> None:
    assert messages("""\
# ad: gradient
def f(x: "Vector[n]", path: str):
    data = pd.read_csv(path)
    w = np.linalg.eig(data)
    return math.gamma2(w) * x[0] + eval(w)
""") == [
        "'pandas.read_csv' is not supported",
        "'numpy.linalg.eig' is not supported",
        "`math` has no 'gamma2'",
        "'eval' is not supported",
    ]


def test_a_list_of_unknown_values_has_no_wrong_shape() -> None:
    assert messages("""\
# ad: gradient
def f(x: "Vector[n]", path: str):
    d = pd.read_csv(path)
    k = d.size
    u = np.zeros((2, k)) + np.full((k, 2), x[0]) + x.reshape((2, k))
    v = np.concatenate([d, x], axis=1) + np.stack([d, x], axis=-1)
    return u[0, 0] + v[0] + np.interp(x[0], [0.0, k], [1.0, 2.0]) + np.sum(u, axis=(k,))
""") == ["'pandas.read_csv' is not supported"]


def test_functions_that_are_known_are_not_named_for_unknown_values() -> None:
    assert messages("""\
# ad: gradient
def f(x: "Vector[n]", path: str):
    d = pd.read_csv(path)
    w = np.linalg.solve(d, x)
    np.add.at(w, [0, 1], d)
    for k, (a, b) in enumerate(zip(d, x)):
        w[k] = max(a, b, key=abs) + isinstance(a, float) + bool(b)
    print(sorted(d), list(map(abs, d)), range(d))
    return math.sqrt(d) * np.mean(w) + sum(d) + float(d) + len(d) + round(d, 2)
""") == ["'pandas.read_csv' is not supported"]


@pytest.mark.parametrize(
    ("signature", "name", "said"),
    [
        ("x, *coeffs", "coeffs", "`*coeffs` of a marked function is not supported"),
        ("x, **words", "words", "`**words` of a marked function is not supported"),
        (
            "y: np.ndarray, x: float",
            "y",
            "the parameter 'y' is an array of unknown shape",
        ),
    ],
)
def test_a_body_is_read_where_a_parameter_is_refused(
    signature: str, name: str, said: str
) -> None:
    found = messages(f"""\
# ad: gradient
def f({signature}):
    s = 0.0
    for k, c in enumerate({name}_):
        s += c * x**k
    return s + math.erfcx(x)
""")
    assert found == [said, f"the name '{name}_' is not known", "`math` has no 'erfcx'"]


def test_a_body_of_refused_parameters_has_no_errors_of_its_own() -> None:
    assert messages("""\
# ad: gradient
def f(x: float, y: np.ndarray, *rest):
    s = [0.0] * len(y)
    for k, c in enumerate(rest):
        if c > y[k]:
            s[k] = c * x
        else:
            y[k] += 1.0
    a, b = rest
    while a < b:
        a += y.sum() + rest[0].weight
    while True:
        b += a
        if b > y[0]:
            break
    return sum(s) + a * np.dot(y, y)
""") == [
        "the parameter 'y' is an array of unknown shape",
        "`*rest` of a marked function is not supported",
    ]


def test_a_helper_is_read_where_its_call_does_not_fit() -> None:
    assert messages("""\
def area(r, h):
    if r > 1.0:
        return area(r - 1.0, h)
    return math.erfcx(r) * h


# ad: gradient
def f(x):
    return area(x)
""") == ["`math` has no 'erfcx'", "'area' misses 'h'"]


def test_a_class_inside_a_function_is_read() -> None:
    assert messages("""\
# ad: gradient
def f(x):
    class P:
        size = 2.0

        def m(self, u):
            v = [t for t in u]
            return math.gamma2(u) + nope(v) + self.size + len(u) + x

    return P().m(x)
""") == [
        "a class inside a function is not supported",
        "`math` has no 'gamma2'",
        "the name 'nope' is not known",
    ]


@pytest.mark.parametrize("error", ["MyError(nope(x))", "ValueError(1.0, nope(x))"])
def test_a_refused_raise_is_read(error: str) -> None:
    _, *more = messages(f"""\
# ad: gradient
def f(x):
    if x < 0:
        raise {error} from other(x)
    return x
""")
    assert more == ["the name 'nope' is not known", "the name 'other' is not known"]


def test_a_function_that_is_refused_makes_nothing() -> None:
    assert codes("# ad: gradient\ndef f(x, *more):\n    return x * x\n") == ["AD104"]


@pytest.mark.parametrize(
    "call",
    ["statistics.stdev(x)", "heapq.heappop(x)", "np.unique(x)", "np.geomspace(x)"],
)
def test_functions_that_are_known_are_not_named_in_what_never_runs(call: str) -> None:
    assert messages(f"""\
import heapq, statistics


# ad: gradient
def f(x: "Vector[n]"):
    with open("log") as log:
        s = {call}
    return x[0]
""") == ["`with` is not supported"]
