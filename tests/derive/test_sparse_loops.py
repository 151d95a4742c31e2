"""Matrices by what is in them, of loops of run-time length over elements: they are
those that are made column by column, or refused.
"""

from typing import Any

import numpy as np
import pytest
from amounts import NUMBERS
from support import flat, generate, load, run

HEAD = """import math
import numpy as np


def _flux(a, b, k):
    return k * (a - b) ** 3 if a > b else a * b


# ad: {}
def f(x: "Vector[n]", k: float, c: "Vector[m, int]"):
    n = len(x)
"""
KINDS = 'jacobian(x, k, sparse="coo"), jacobian(x, k)'
WITH_VALUE = 'jacobian(x, sparse="coo", value=True), jacobian(x)'

RIGHT = {
    "arms": """
    r = np.zeros(n)
    for i in range(n):
        left = x[i - 1] if i > 0 else 2.0 * x[0]
        r[i] = left * x[i]
    return r
""",
    "arms of several": """
    r = np.zeros(n)
    for i in range(n):
        if x[i] > 0.4:
            a, b = x[i] * x[i - 1], k
        elif i > 1:
            a, b = x[0] ** 2, x[i]
        else:
            a = b = 0.5
        r[i] = a * b - x[-1]
    return r
""",
    "boundary value problem": """
    r = np.zeros(n)
    r[0] = x[0] ** 2 - 1.0
    for i in range(1, n - 1):
        r[i] = x[i - 1] - 2.0 * x[i] + x[i + 1] + k * k * math.exp(x[i])
    r[n - 1] = x[n - 1] * k
    return r
""",
    "plus in two ways": """
    r = np.zeros(n)
    for i in range(n):
        r[i] = x[i]
    for i in range(n):
        r[i] = k * x[0] + r[i] - math.sin(x[-1])
    return r
""",
    "local list": """
    r = np.zeros(n)
    for i in range(n):
        w = [x[i], x[i - 1] * k, 0.0]
        w[2] = w[0] * w[1]
        r[i] = w[2] + w[1]
    return r
""",
    "inner while": """
    r = np.zeros(n)
    for i in range(n):
        a = x[i]
        while a < 2.0:
            a = a * 1.5 + 0.1
        r[i] = a * x[0]
    return r
""",
    "inner for": """
    r = np.zeros(n)
    for i in range(n):
        a = x[i]
        for j in range(3 + i):
            a = math.sin(a) + k
        r[n - 1 - i] = a * x[0]
    return r
""",
    "inner add": """
    r = np.zeros(n)
    for i in range(n):
        b = x[i] * k
        for j in range(max(0, i - 1), min(n, i + 2)):
            r[j] += b * x[j]
    return r
""",
    "downwards": """
    r = np.zeros(n)
    for i in range(n - 2, 0, -1):
        r[i] = x[i - 1] * x[i + 1]
    r[0] += x[0]
    return r
""",
    "stepped": """
    r = np.zeros(n)
    for i in range(n):
        r[i] = x[i]
    for i in range(0, n, 2):
        r[i] = x[i - 1] ** 2
    return r
""",
    "twice": """
    r = np.zeros(n)
    for j in range(3):
        for i in range(n):
            r[i] = x[i - j] * (j + 1)
    return r
""",
    "overlap": """
    r = np.zeros(n)
    for i in range(n - 1):
        r[i] = x[i]
        r[i + 1] = x[i] * x[i + 1]
    return r
""",
    "constant over": """
    r = np.zeros(n)
    for i in range(n):
        r[i] = x[i] * x[0]
    r[0] = 3.0
    r[-1] = k
    return r
""",
    "index of float": """
    r = np.zeros(n)
    for i in range(n):
        r[int(x[i] * 2.0) % n] += x[i] ** 2
    return r
""",
    "array of indices": """
    r = np.zeros(n)
    for e in range(len(c)):
        a = c[e]
        f = k * (x[a] - x[a - 1]) ** 3
        r[a] += f
        r[a - 1] -= f
    return r
""",
    "list": """
    r = []
    for i in range(n):
        r.append(x[i] * x[0])
        if i % 2:
            r.append(k * x[i])
    return r
""",
    "comprehension": """
    return [x[i] * x[i - 1] for i in range(n)]
""",
    "sum minus": """
    s = k * x[0]
    t = 0.0
    for i in range(n):
        t += x[i] ** 2
        if x[i] > 0.4:
            t -= x[0] * x[i]
    return s - t, x[-1]
""",
    "helper": """
    r = np.zeros(n)
    for i in range(n):
        r[i] = _flux(x[i], x[i - 1], k)
    return r
""",
    "checked": """
    r = np.zeros(n)
    for i in range(n):
        a = x[i] * k
        assert a > -100.0
        r[i] = a * x[0]
    return r
""",
    "early return": """
    r = np.zeros(n)
    if k > 1.0:
        return r
    for i in range(n):
        r[i] = x[i] ** 2
    return r
""",
    "zip": """
    r = np.zeros(n)
    for i, (a, b) in enumerate(zip(x, x[1:])):
        r[i] = a * b + x[0]
    return r
""",
    "two of one": """
    r = np.zeros(n)
    for i in range(n):
        a = x[i] * x[i] * x[i - 1]
        r[i] = a
        r[i - 1] += a * k
    return r
""",
    "arms store": """
    r = np.zeros(n)
    for i in range(n):
        if x[i] > 0.5:
            r[i] = x[i] ** 3
        elif i > 1:
            r[i - 1] = x[i]
        else:
            continue
        if i > 3:
            break
    return r
""",
    "left where it is found": """
    r = [0.0] * n
    for i in range(n):
        if x[i] > k:
            r[i] = k
            break
        r[i] = x[i] * x[0]
    r[-1] += x[0] ** 2
    return r
""",
    "as long as": """
    r = x.copy()
    i, s = 0, 0.0
    while i < n and (x[i] < k or r[i] < k):
        r[i] = x[i] * x[0]
        s += x[i] ** 2
        for j in range(i):
            r[j] -= x[i]
        i += 1
    return r, s
""",
    "copy": """
    r = np.copy(x)
    for i in range(1, n):
        if x[i] > 0.5:
            r[i] = x[i] * x[i - 1]
        r[i] += k * x[0]
    return r
""",
    "copy that nothing is stored in": """
    r = x.copy()
    for i in range(n):
        r[i] = r[i] - x[0]
    return r
""",
}

REFUSED = {
    "read after": """
    r = np.zeros(n)
    s = 0.0
    for i in range(n):
        r[i] = x[i] * k
    for i in range(n):
        s += r[i] ** 2
    return r, s
""",
    "sum of sums used twice": """
    s = 0.0
    for i in range(n):
        s += x[i] * k
    return s, s * s
""",
    "read in loop": """
    r = np.zeros(n)
    q = np.zeros(n)
    for i in range(n):
        r[i] = x[i] * k
        q[i] = r[i] * x[0]
    return r, q
""",
    "recurrence": """
    r = np.zeros(n)
    for i in range(1, n):
        r[i] = r[i - 1] * k + x[i]
    return r
""",
    "scaled": """
    r = np.zeros(n)
    for i in range(n):
        r[i] = x[i]
    for i in range(n):
        r[i] = r[i] * 2.0 + x[0]
    return r
""",
    "local list long": """
    r = np.zeros(n)
    w = [0.0] * n
    for i in range(n):
        w[i] = x[i] ** 2
        r[i] = w[i] * k
    return r
""",
    "inner sum": """
    r = np.zeros(n)
    for i in range(n):
        a = 0.0
        for j in range(i):
            a += x[j]
        r[i] = a
    return r
""",
    "last value": """
    s = 0.0
    for i in range(n):
        s = x[i] ** 2
    return s
""",
    "product": """
    s = 1.0
    for i in range(n):
        s *= x[i]
    return s
""",
    "made in the loop": """
    r = np.zeros(n)
    for j in range(3):
        r = np.zeros(n)
        for i in range(j, n):
            r[i] = x[i] * x[i - j]
    return r
""",
    "two lists change places": """
    r = np.zeros(n)
    q = np.zeros(n)
    for j in range(3):
        for i in range(n):
            r[i] = x[i] * j
        r, q = q, r
    return r, q
""",
    "returned twice": """
    r = np.zeros(n)
    for i in range(n):
        r[i] = x[i] ** 2
    return r, r
""",
}


def full(triple: Any, shape: tuple[int, ...]) -> Any:
    """The matrix whose entries are the sums of those at a place."""
    rows, columns, values = (np.array(part) for part in triple)
    found = np.zeros(shape)
    np.add.at(found, (rows.astype(int), columns.astype(int)), values)
    return found


def arguments(n: int) -> tuple[Any, ...]:
    return np.linspace(0.2, 1.1, n) ** 1.5, 0.7, np.array([0, n - 1, 1, -1])


@pytest.mark.parametrize("name", RIGHT)
def test_entries_are_those_of_the_dense_matrix(name: str) -> None:
    made = load(generate(HEAD.format(KINDS) + RIGHT[name].strip("\n"), **NUMBERS))
    for n in (2, 3, 6):
        wanted = made["f_jac"](*arguments(n))
        triple = made["f_jac_sparse"](*arguments(n))
        assert [part.dtype.kind for part in triple] == ["i", "i", "f"]
        np.testing.assert_allclose(full(triple, wanted.shape), wanted, 1e-12, 1e-13)
        assert len(triple[0]) <= 13 * n


@pytest.mark.parametrize("name", ["overlap", "sum minus", "list"])
@pytest.mark.parametrize("container", ["array", "tuple"])
def test_the_value_is_given_as_well(name: str, container: str) -> None:
    source = HEAD.format(WITH_VALUE) + RIGHT[name].strip("\n")
    made = load(generate(source, container=container, **NUMBERS))
    value, triple = made["f_value_and_jac_sparse"](*arguments(5))
    wanted = np.array(made["f_jac"](*arguments(5)))
    np.testing.assert_allclose(full(triple, wanted.shape), wanted, 1e-12, 1e-13)
    assert flat(value) == flat(load(source)["f"](*arguments(5)))


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_known_to_be_sparse_is_refused(name: str) -> None:
    source = HEAD.format('jacobian(x, sparse="coo")') + REFUSED[name].strip("\n")
    (found,) = run(source, effort=0).diagnostics
    assert found.code == "AD031" and "leave out `sparse`" in found.help
    assert "not known to be sparse: " in found.message  # and why
    assert found.span is not None and found.span.line > HEAD.count("\n")
    dense = source.replace(', sparse="coo"', "")
    assert load(generate(dense, **NUMBERS))["f_jac"](*arguments(4)).shape[1] == 4


def test_values_from_the_iteration_before_are_refused_as_such() -> None:
    source = """\
# ad: hessian(x, sparse="coo")
def f(x: "Vector[n]"):
    total, before = 0.0, 0.0
    for v in x:
        total += (v - before) ** 2
        before = v
    return total
"""
    (found,) = run(source).diagnostics
    assert "goes from one iteration to the next" in found.message
    assert "`x[i - 1]`" in found.help


HESSIANS = """import math

# ad: hessian(x, sparse="coo"), hessian(x)
def chain(x: "Vector[n]", h: float):
    s = 0.0
    for i in range(len(x) - 1):
        s += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 * h + math.exp(x[i] * h)
    return s / h

# ad: hessian(x, h, sparse="coo", value=True), hessian(x, h)
def pairs(x: "Vector[n]", h: float):
    s = h * h
    for i in range(len(x)):
        for j in range(i):
            left = x[i - 1] if j > 1 else h
            if x[i] > x[j]:
                s += (left - x[j]) ** 3 * h
    return s - x[0] * x[-1]

# ad: hessian(y, x, sparse="coo"), hessian(y, x)
def two(x: "Vector[n]", y: "Vector[m]"):
    s = 0.0
    for a in x:
        s += a**3
    for i in range(len(y)):
        s -= y[i] * x[i] ** 2
    return s
"""


def test_hessians_of_sums_are_symmetric_to_the_bit() -> None:
    made = load(generate(HESSIANS, **NUMBERS))
    x, y = np.linspace(0.2, 1.1, 6) ** 1.5, np.linspace(0.5, 0.8, 4)
    calls = {"chain": (x, 0.7), "pairs": (x, 0.7), "two": (x, y)}
    for name, given in calls.items():
        wanted = made[f"{name}_hess"](*given)
        with_value = f"{name}_value_and_hess_sparse"
        if with_value in made:
            value, (slopes, _), triple = made[with_value](*given)
            assert value == load(HESSIANS)[name](*given) and len(slopes) == 6
        else:
            triple = made[f"{name}_hess_sparse"](*given)
        found = full(triple, wanted.shape)
        np.testing.assert_allclose(found, wanted, 1e-12, 1e-13)
        assert (found == found.T).all()


def test_elements_of_matrices_are_rows_and_columns() -> None:
    source = """import numpy as np

# ad: jacobian(B, x, sparse="coo"), jacobian(B, x)
def f(B: "Matrix[n, m]", x: "Vector[m]"):
    n, m = B.shape
    A = np.zeros((n, m))
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            A[i, j] = B[i - 1, j] * B[i + 1, j] - 4.0 * B[i, j - 1] * x[j]
    return A
"""
    text = generate(source, effort=0)
    assert "since" not in text and ">=" not in text  # no entry is stored over another
    made = load(text)
    given = np.arange(20.0).reshape(4, 5) / 7.0, np.linspace(0.3, 0.9, 5)
    wanted = made["f_jac"](*given)
    assert (full(made["f_jac_sparse"](*given), wanted.shape) == wanted).all()


def test_large_arrays_of_known_size_stay_in_loops() -> None:
    source = HEAD.format('jacobian(x, sparse="coo")').replace(
        "Vector[n]", "Vector[5000]"
    )
    source += RIGHT["boundary value problem"].strip("\n")
    rows, columns, _ = load(generate(source, **NUMBERS))["f_jac_sparse"](
        np.zeros(5000), 0.7, np.array([0])
    )
    assert len(rows) == 2 + 3 * 4998 and abs(rows - columns).max() == 1


def test_loops_that_store_nothing_active_have_no_entries() -> None:
    source = HEAD.format('jacobian(x, sparse="coo")')
    source += """    r = np.zeros(n)
    for m in range(n):
        if m > 1:
            r[m] -= math.sin(0.7)
    return r
"""
    text = generate(source, effort=0, container="tuple")
    assert "pass" not in text and "for m in" not in text
    assert load(text)["f_jac_sparse"](*arguments(4)) == ((), (), ())
