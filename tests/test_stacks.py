"""Lists of arrays of run-time length that grow, and stacks of tuples: values as Python
computes them, derivatives against differences.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from amounts import LONG, NUMBERS, part
from support import generate, load, run

STEP = """    for k in range(steps):
        u = u + c * np.sin(u)
        hist.append(u)
"""
BODIES = {
    "last": f"    hist = []\n{STEP}    return np.sum(hist[-1] * hist[0])",
    "first": f"    hist = [u]\n{STEP}    return np.dot(hist[0], hist[steps // 2])",
    "negative": f"    hist = [u]\n{STEP}    return hist[-steps] @ hist[1 - steps]",
    "all": f"""    hist = [u.copy()]
{STEP}    total = 0.0
    for v in hist:
        total += np.sum(v**2)
    return total / len(hist)""",
    "array": f"    hist = [u]\n{STEP}    return np.sum(np.array(hist)[1:] ** 2)",
    "stack": f"    hist = [u]\n{STEP}    return np.sum(np.stack(hist)[:, 0] ** 2)",
    "mean": f"    hist = []\n{STEP}    return np.sum(np.mean(hist, axis=0) ** 2)",
    "own": """    hist = [u]
    for k in range(steps):
        hist.append(hist[-1] + c * np.sin(hist[-1]))
    return np.sum(hist[-1] ** 2)""",
    "two": """    xs = [u]
    vs = [np.zeros_like(u)]
    for k in range(steps):
        v = vs[-1] - c * xs[-1]
        vs.append(v)
        xs.append(xs[-1] + c * v)
    energy = 0.0
    for x, v in zip(xs, vs):
        energy += 0.5 * np.dot(x, x) + np.sum(v**2)
    return energy""",
    "copies": """    w = 2.0 * u
    hist = [w.copy()]
    for k in range(steps):
        w[1:] += c * w[:-1]
        hist.append(w.copy())
    return np.sum(hist[-1] * hist[1])""",
    "arms": """    hist = [u]
    for k in range(steps):
        if k % 2 == 0:
            u = u + c * np.sin(u)
            hist.append(u)
        else:
            hist.append(2.0 * hist[-1])
    return np.sum((hist[-1] - hist[1]) ** 2)""",
    "items": f"""    hist = [u]
{STEP}    largest = max(v[0] for v in hist)
    return largest + sum(np.dot(a, b) for a, b in zip(hist, reversed(hist)))""",
    "test": """    hist = [u]
    while np.linalg.norm(hist[-1]) > 0.1:
        hist.append(hist[-1] * c)
        if len(hist) > steps:
            break
    return np.sum(hist[-1] ** 2) + len(hist)""",
    "window": """    hist = [u]
    for k in range(steps):
        u = u + c * np.sin(u)
        hist.append(u)
        if len(hist) > 3:
            hist.pop(0)
    first, last = hist[0], hist.pop()
    return np.dot(first, last) + sum(a @ b for a, b in zip(hist, hist[1:]))""",
    "parts": f"""    hist = [u]
{STEP}    mean = np.mean(np.array(hist[-3:]), axis=0)
    for v in hist[1:-1:2]:
        mean = mean + v * v
    for v in hist[100:] + hist[:2]:
        mean = mean * v
    return np.sum(mean)""",
    "moved": f"""    hist = [u]
{STEP}    hist.reverse()
    hist.insert(1, 2.0 * u)
    other = list(hist)
    other[0] = np.cos(u)
    hist[-1], hist[1] = hist[1], hist[-1]
    other.pop(2)
    return sum(np.sum(a * b) for a, b in zip(hist, other)) * len(other)""",
    "put in from the end": f"""    hist = [u]
{STEP}    hist.insert(-1, np.sin(u))
    hist.insert(steps - 9, np.cos(u))
    hist.insert(-99, u * u)
    hist.insert(steps + 99, c * u)
    return sum((k + 1) * np.sum(v * v) for k, v in enumerate(hist))""",
    "copied": f"""    hist = [u]
{STEP}    other = hist.copy()
    other[0] = c * u
    hist.insert(0, u * u)
    return sum(np.sum(a * b) for a, b in zip(hist, other))""",
    "back": """    levels = [u * (k + 1.0) for k in range(steps)]
    for k in range(steps - 2, -1, -1):
        levels[k] = levels[k] + c * np.sin(levels[k + 1])
    levels = [v * v for v in levels if v[0] > 0.0]
    return np.sum(levels[0]) + len(levels)""",
    "matrices": """    P = np.outer(u, u) + np.eye(len(u))
    past = [P]
    for k in range(steps):
        P = c * P @ past[0] + np.eye(len(u))
        past.append(P)
    for k in range(steps - 1, -1, -1):
        past[k] = past[k] + c * past[k + 1].T
    return sum(np.trace(M) + M[0, 1] for M in past[::2])""",
    "two names": """    hist = [c * u]
    other = hist
    hist += [u * u, hist[-1] * u]
    hist += hist
    return np.sum(other[-1]) + len(other)""",
    "as an if decides": f"""    hist = [u, c * u]
    if u[0] > 0.0:
        hist = list(hist)
        hist = [np.sin(v) for v in hist]
{STEP}    return np.sum(hist[-1] * hist[1])""",
    "local": f"""    u = 2.0 * u[1:]
    hist = [u]
{STEP}    return np.sum(hist[-1] * hist[0])""",
}
BENT = part([*BODIES], 3)
PUSHED = [*BODIES] if LONG else [name for name in BODIES if name not in BENT]
PULLED = part(PUSHED, 3)
SLOPED = [name for name in BODIES if LONG or name not in PULLED]
KINDS = {"gradient": SLOPED, "vjp": PULLED, "hvp": BENT, "jvp": part(PUSHED, 2)}
"""What they are asked for: a gradient or an adjoint, which is swept alike, and some the
tangent of the gradient or that of the value.
"""
DEF = 'def f(u: "Vector[n]", c: float, steps: int):\n'
HEAD = f"import numpy as np\n\n\n# ad: gradient(u)\n{DEF}"
U, DOT = np.array([0.3, -0.7, 1.1]), np.array([0.2, 0.5, -1.0])
CLOSE: dict[str, Any] = {"rel": 1e-7, "abs": 1e-7}


@pytest.mark.parametrize("name", BODIES)
def test_arrays_are_appended(name: str) -> None:
    marks = "".join(f"# ad: {kind}(u)\n" for kind in KINDS if name in KINDS[kind])
    text = f"import numpy as np\n\n\n{marks}{DEF}{BODIES[name]}\n"
    f = load(text)["f"]
    made = load(generate(text, **NUMBERS))
    rest, h = (0.4, 5), 1e-5

    def along(function: Any, d: Any) -> Any:
        ahead, behind = function(U + h * d, *rest), function(U - h * d, *rest)
        return (ahead - behind) / (2 * h)

    def value(u: Any, *others: Any) -> Any:
        return f(u.copy(), *others)

    slopes = np.array([along(value, d) for d in np.eye(3)])
    if "f_grad" in made:
        assert made["f_grad"](U, *rest) == pytest.approx(slopes, **CLOSE)
    if "f_jvp" in made:
        found, tangent = made["f_jvp"](U, DOT, *rest)
        assert found == value(U, *rest)
        assert tangent == pytest.approx(slopes @ DOT, **CLOSE)
    if "f_vjp" in made:
        found, adjoint = made["f_vjp"](U, 2.0, *rest)
        assert found == value(U, *rest)
        assert adjoint == pytest.approx(2 * slopes, **CLOSE)
    if "f_hvp" in made:
        product = made["f_hvp"](U, DOT, *rest)
        assert product == pytest.approx(along(made["f_grad"], DOT), **CLOSE)


CHANGED = {
    "later": "    for k in range(steps):\n        w += c\n        hist.append(w)",
    "earlier": "    for k in range(steps):\n        hist.append(w)\n        w += c",
    "by element": """    w = np.zeros(len(u))
    for k in range(steps):
        for i in range(len(u)):
            w[i] = w[i] + c * u[i]
        hist.append(w)""",
    "taken": """    for k in range(steps):
        hist.append(c * k * u)
    v = hist[0]
    v += 1.0""",
    "in a loop": """    for k in range(steps):
        hist.append(c * k * u)
    v = hist[0]
    for k in range(steps):
        v += 1.0""",
    "without a name": """    for k in range(steps):
        hist.append(c * k * u)
    hist[0][0] = 3.0""",
    "stored": """    hist = [u, w]
    hist[0] = w
    w += 1.0""",
    "inserted": """    for k in range(steps):
        hist.insert(0, w)
        w[0] = w[0] + 1.0""",
    "popped": """    for k in range(steps):
        hist.append(c * k * u)
    v = hist.pop()
    hist.append(v)
    v += 1.0""",
    "in its place": """    for k in range(steps):
        hist.append(c * k * u)
    v = hist[0]
    hist[0] += v""",
    "of a comprehension": """    hist = [w for k in range(steps)]
    w[0] = 3.0""",
    "of all": """    for k in range(steps):
        hist.append(c * k * u)
    for v in hist:
        v *= 2.0""",
}


@pytest.mark.parametrize("name", CHANGED)
def test_arrays_in_lists_are_not_changed(name: str) -> None:
    start = f"    w = 2.0 * u\n    hist = []\n{CHANGED[name]}\n"
    result = run(HEAD + start + "    return np.sum(hist[0] * hist[-1])\n", effort=0)
    assert result.text is None
    assert {found.code for found in result.diagnostics} == {"AD124"}


SIMPSON = """# ad: gradient(a, b)
def area(a: float, b: float, tol: float):
    stack = [(a, b)]
    total = 0.0
    while stack:
        lo, hi = stack.pop()
        mid = 0.5 * (lo + hi)
        coarse = (hi - lo) * mid**3
        fine = 0.5 * (hi - lo) * ((0.5 * (lo + mid)) ** 3 + (0.5 * (mid + hi)) ** 3)
        if abs(fine - coarse) < tol:
            total += fine
        else:
            stack.append((lo, mid))
            stack.append((mid, hi))
    return total


# ad: gradient(x)
def tree(x: float, depth: int):
    stack = [(x, 0)]
    total = 0.0
    while len(stack) > 0:
        v, d = stack.pop()
        if d >= depth:
            total += v * v
        else:
            stack.append((v * 0.5, d + 1))
            stack.append((v * v, d + 1))
    return total
"""


def test_tuples_are_popped_before_any_is_appended() -> None:
    plain, made = load(SIMPSON), load(generate(SIMPSON, **NUMBERS))
    h = 1e-6
    area, tree = plain["area"], plain["tree"]
    by_a = (area(0.1 + h, 1.3, 1e-3) - area(0.1 - h, 1.3, 1e-3)) / (2 * h)
    by_b = (area(0.1, 1.3 + h, 1e-3) - area(0.1, 1.3 - h, 1e-3)) / (2 * h)
    assert made["area_grad"](0.1, 1.3, 1e-3) == pytest.approx((by_a, by_b), **CLOSE)
    slope = (tree(0.7 + h, 4) - tree(0.7 - h, 4)) / (2 * h)
    assert made["tree_grad"](0.7, 4) == pytest.approx(slope, **CLOSE)


ADDED = {
    "list": "rows = [u[0] * k for k in range(steps)]\n    hist += rows",
    "itself": "hist += hist",
    "range": "hist += range(steps)",
    "comprehension": "hist += [u[0] * v for v in hist]",
    "array": "hist += u[0] * np.ones(len(hist))",
    "rows": """other = pairs
    pairs += [(u[0] * u[1], 2.0)]
    hist[0] = other[-1][0]""",
}


@pytest.mark.parametrize("name", ADDED)
def test_a_list_that_is_added_to_grows_under_all_its_names(name: str) -> None:
    text = f"""{HEAD.replace("gradient", "jvp")}    hist = []
    pairs = []
    for k in range(steps):
        hist.append(u[0] * (k + c))
        pairs.append((u[1], k))
    also = hist
    {ADDED[name]}
    return also[-1] * hist[-2] * hist[0] * len(also)
"""
    f, made = load(text)["f"], load(generate(text, **NUMBERS))
    value, _ = made["f_jvp"](U, DOT, 0.4, 5)
    assert value == pytest.approx(f(U, 0.4, 5), rel=1e-15)


_KEPT = "give it to `sum`, `max` or `any` at once, or write `[...]`"


def test_a_list_is_not_added_what_has_no_items() -> None:
    text = f"""{HEAD}    hist = []
    for k in range(steps):
        hist.append(u[0] * k)
    hist += (v * v for v in u)
    return hist[-1]
"""
    (found,) = run(text, effort=0).diagnostics
    assert (found.code, found.help) == ("AD102", _KEPT)
