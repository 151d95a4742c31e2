"""One vector for arrays of run-time length (contract, rule 10)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from amounts import NUMBERS
from support import flat, generate, load, run

SOURCE = """import numpy as np


{mark}
def loss(w: "Vector[m]", b: float, X: "Matrix[n, m]", y: "Vector[n]", lam=0.1):
    z = X @ w + b
    return np.mean(np.logaddexp(0.0, -y * z)) + lam * np.sum(w**2)


{mark2}
def two(x: "Vector[n]", y: "Vector[n]", c: float, k: int = 2):
    s = c
    for i in range(len(x)):
        s += x[i] * y[i] ** k
    return s * s


{mark3}
def mat(c: float, A: "Matrix[3, n]", x: "Vector[n]", z: "Vector[n]"):
    s = c
    for i in range(3):
        for j in range(len(x)):
            s += A[i, j] * x[j] * z[j] * c
    return s * s


{mark4}
def one(x: "Vector[n]", c: float, d: float):
    return [c * v * v + d for v in x]
"""
X, Y = np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.25]]), np.array([1.0, -1.0, 1.0])
# fmt: off
POINTS: dict[str, tuple[str, tuple[Any, ...], tuple[Any, ...]]] = {
    "loss": ("w, b", ([0.3, -0.2], 0.1), (X, Y)),
    "two":  ("x, y, c", ([0.3, -0.2], [1.5, 0.5], 0.1), (3,)),
    "mat":  ("c, A, x", (0.7, [[1.0, 2.0], [0.5, 3.0], Y[:2]], [2.0, 0.5]), (Y[:2],)),
    "one":  ("x, c, d", ([0.3, -0.2], 0.1, 2.0), ()),
}
# fmt: on
KINDS = {
    "loss": {
        "gradient": "grad",
        "gradient(value=True)": "value_and_grad",
        "hvp": "hvp",
        "vjp": "vjp",
        "jvp": "jvp",
    },
    "two": {
        "gradient": "grad",
        "hessian": "hess",
        "vjp": "vjp",
        "jvp": "jvp",
        "hvp(value=True)": "value_and_hvp",
    },
    "mat": {"gradient": "grad", "jacobian": "jac", "hvp": "hvp"},
    "one": {"jacobian": "jac", "vjp": "vjp", "jvp": "jvp"},
}  # fmt: skip
CASES = [(name, kind) for name in KINDS for kind in KINDS[name]]


def marks(packed: str) -> dict[str, str]:
    found = {}
    for key, name in zip(("mark", "mark2", "mark3", "mark4"), POINTS, strict=True):
        items = []
        for kind in KINDS[name]:
            word, _, rest = kind.partition("(")
            more = [POINTS[name][0], *filter(None, [rest.rstrip(")"), packed])]
            items.append(f"{word}({', '.join(more)})")
        found[key] = f"# ad: {', '.join(items)}"
    return found


@pytest.fixture(scope="module")
def modules() -> tuple[dict[str, Any], dict[str, Any]]:
    texts = (SOURCE.format(**marks(packed)) for packed in ("", "packed=True"))
    plain, packed = (load(generate(text, **NUMBERS)) for text in texts)
    return plain, packed


def vector(values: tuple[Any, ...]) -> Any:
    return np.array(flat(list(values)))


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_is_what_the_unpacked_function_gives(
    name: str, kind: str, modules: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    _, given, rest = POINTS[name]
    called = f"{name}_{KINDS[name][kind]}"
    word = kind.partition("(")[0]
    seeds: tuple[Any, ...] = given if word in ("jvp", "hvp") else ()
    bar: tuple[Any, ...] = ()
    if word == "vjp":
        bar = ([1.0, -2.0],) if name == "one" else (1.5,)
    own = (vector(seeds),) if seeds else ()
    want = modules[0][called](*given, *seeds, *bar, *rest)
    found = modules[1][called](vector(given), *own, *bar, *rest)
    assert flat(found) == flat(list(want) if isinstance(want, tuple) else want)


@pytest.mark.parametrize(
    ("called", "values", "said"),
    [
        ("loss_grad", [1.0, 2.0], r"p has shape \(2,\), not \(3,\)"),
        ("two_grad", [1.0, 2.0], r"p has shape \(2,\), not \(2 \* n \+ 1,\)"),
        ("one_jac", [1.0], r"p has shape \(1,\), not \(n \+ 2,\)"),
        ("one_jac", [[1.0, 2.0]], r"p has shape \(1, 2\), not \(n \+ 2,\)"),
    ],
)
def test_the_length_is_checked(
    called: str,
    values: list[Any],
    said: str,
    modules: tuple[dict[str, Any], dict[str, Any]],
) -> None:
    rest = (X, Y) if called == "loss_grad" else ()
    with pytest.raises(ValueError, match=said):
        modules[1][called](values, *rest)


def test_of_any_sequence_without_numpy() -> None:
    source = SOURCE.split("{mark2}")[1].replace("{mark4}", "").replace("{mark3}", "")
    marked = (
        f"# ad: gradient(c, A, x, packed=True)\n{source[source.index('def mat') :]}"
    )
    text = generate(marked, container="tuple", effort=0)
    assert "numpy" not in text
    _, given, rest = POINTS["mat"]
    plain = load(generate(marked.replace(", packed=True", ""), **NUMBERS))
    found = load(text)["mat_grad"](flat(list(given)), *map(list, rest))
    assert isinstance(found, tuple)
    assert list(found) == pytest.approx(flat(list(plain["mat_grad"](*given, *rest))))


@pytest.mark.parametrize(
    "head",
    [
        'f(x: "Vector[n]", y: "Vector[m]")',
        'f(x: "Matrix[m, n]", y: "Vector[n]")',
        'f(x: "Matrix[n, n]", y: float)',
    ],
)
def test_lengths_that_nothing_tells_are_refused(head: str) -> None:
    marked = f"# ad: gradient(packed=True)\ndef {head}:\n    return 2.0 * len(x)\n"
    (found,) = [d for d in run(marked).diagnostics if d.severity == "error"]
    assert found.code == "AD031" and "length" in found.message and found.help
