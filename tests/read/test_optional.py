"""Parameters that may be None: whether they are is known at run time only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duals
import numpy as np
import pytest
from amounts import NUMBERS
from support import load, run, same_bits

SOURCES = {
    "annotated": """\
# ad: gradient(x, k, value=True)
def f(x: float, k: float | None = None):
    if k is None:
        k = 2.0 * x
    return k * x * x
""",
    "bare": """\
# ad: gradient(x, k, value=True)
def f(x, k=None):
    s = 1.0 if k is None else k * x
    return s * (x if k is not None else 3.0)
""",
    "handed on": """\
def g(t, u=None):
    if u is None:
        return t
    return t * u

# ad: gradient(x, k, value=True)
def f(x, k: "Optional[float]"):
    return g(x, k) + g(x) + g(x, 2.0)
""",
    "in a loop": """\
# ad: gradient(x, k, value=True)
def f(x, k: float | None = None):
    for _ in range(12):
        if k is None or k > 3.0:
            k = x
        x = x * 0.5 + k
    return x
""",
    "none on purpose": """\
# ad: gradient(x, k, value=True)
def f(x, k: float | None = None):
    y = k if k is None else 2.0
    return x if y is None else x * y
""",
    "either": """\
# ad: gradient(x, k, value=True)
def f(x, k: float | None = None):
    return x * (k or 1.0)
""",
    "equal to none": """\
# ad: gradient(x, k, value=True)
def f(x, k: float | None = None):
    best = case = None
    for j in range(3):
        if best != 1.0 and x * j > 3.4:
            best, case = 1.0 * j, "late"
        x = x * 1.5
    s = (1.0 if k is None else k) * (3.0 if best == 2.0 else 4.0)
    return x * s if case == "late" else x / s
""",
    "not of what is known": """\
LOUD = False

def g(t, u=None, scale=2.0):
    if not u and not LOUD:
        return t
    return t * u if scale else t

# ad: gradient(x, k, value=True)
def f(x, k: float | None = None):
    return g(x) * g(x, None, 0.0) + g(x, 2.0) * (1.0 if not k else k)
""",
    "in whole numbers": """\
# ad: gradient(x, k, value=True)
def f(x, k: float | None = None, n: int | None = None, kind: str | None = None):
    if n is None or kind:
        n = 3
    if not kind:
        x = x * 1.25
    for j in range(n):
        x = x * 1.5 + j
    return x * (1.0 if k is None else k)
""",
}
POINTS = ((0.75, None), (1.5, None), (1.5, 0.5), (0.75, 4.0))


@pytest.mark.parametrize("name", SOURCES)
def test_value_and_gradient_with_and_without(name: str) -> None:
    source = "from typing import Optional\n" + SOURCES[name]
    result = run(source, container="tuple", **NUMBERS)
    assert result.text is not None, result.diagnostics
    ours, plain = load(result.text)["f_value_and_grad"], load(source)["f"]
    sloped = load(source, duals.modules())["f"]
    for x, k in POINTS:
        value, gradient = ours(x, k)
        assert same_bits(value, plain(x, k))
        for place, got in enumerate(gradient):
            at = [duals.Dual(x, float(place == 0)), k]
            if k is not None:
                at[1] = duals.Dual(k, float(place == 1))
            want = 0.0 if k is None and place else duals.dual(sloped(*at)).slope
            assert abs(got - want) <= 1e-12 * (1 + abs(want)), (x, k, place)


ARRAYS = {
    "replaced": """
    if w is None:
        w = np.ones(len(x))
    return np.sum(w * x**2) / np.sum(w)
""",
    "chosen": """
    y = np.zeros_like(x) if w is None else w.copy()
    y += x
    return y @ y
""",
    "by element": """
    s = 0.0
    for i in range(len(x)):
        s += x[i] ** 2 * (1.0 if w is None else w[i])
    return s
""",
    "changed": """
    if w is not None:
        w *= x
        return np.sum(w**2)
    return np.sum(x)
""",
    "left out": """
    if w is not None:
        x = w * x
    return x @ x
""",
}


@pytest.mark.parametrize("length", ["n", "3"])
@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_that_may_be_none(name: str, length: str) -> None:
    head = f'def f(x: "Vector[{length}]", w: "Vector[{length}]" = None):'
    source = f"import numpy as np\n\n# ad: gradient(x, w)\n{head}{ARRAYS[name]}"
    result = run(source, **NUMBERS)
    assert result.text is not None, result.diagnostics
    ours, changing = load(result.text)["f_grad"], load(source)["f"]

    def plain(x: np.ndarray, w: np.ndarray | None) -> float:
        return float(changing(x.copy(), w if w is None else w.copy()))

    x, own = np.array([1.0, 2.5, 0.5]), np.array([0.75, 1.5, 2.0])
    for w in (None, own):
        for place, got in enumerate(ours(x, w)):
            want = np.zeros(3)
            for k in range(3) if w is not None or place == 0 else ():
                step = 1e-5 * np.eye(3)[k]
                up, down = (
                    (x + s, w) if not place else (x, w + s) for s in (step, -step)
                )
                want[k] = (plain(*up) - plain(*down)) / 2e-5
            assert np.allclose(got, want, atol=1e-8), (w, place)
    with pytest.raises(ValueError, match="w has shape"):
        ours(x, [1.0, 2.0])


def test_arrays_that_may_be_none_in_other_files() -> None:
    source = "import numpy as np\n\n# ad: gradient(x), shapes(x=[n], w=[n])\n"
    source += "def f(x, w=None):" + ARRAYS["replaced"]
    texts = [run(source, **o).text for o in ({"container": "tuple"}, {"target": "c"})]
    assert texts[0] is not None and texts[1] is not None
    ours = load(texts[0])["f_grad"]
    assert ours([1.0, 2.0]) == (1.0, 2.0) and ours([1.0, 2.0], [1.0, 3.0]) == (0.5, 3.0)
    assert "w_is_none" in texts[1]


def test_lengths_that_only_arrays_tell_that_may_be_none() -> None:
    source = """# ad: gradient(x)
def f(x: "Vector[n]", a: "Vector[m]" = None, b: "Vector[m]" = None):
    return x @ x
"""
    (found,) = run(source).diagnostics
    assert found.code == "AD104" and "'b'" in found.message
    assert run(source.replace('b: "Vector[m]', 'b: "Vector[m_2]')).text


def test_signatures_say_it_and_type_checkers_follow(
    tmp_path: Path, mypy: Callable[[Path], str]
) -> None:
    texts = []
    for name in ("annotated", "bare", "in whole numbers"):
        text = run(SOURCES[name], container="tuple").text
        assert text is not None
        texts.append(text.partition("def ")[2])
    assert "x: float, k: float | None = None" in texts[0]
    assert "x: float, k: float | None = None" in texts[1]
    assert "n: int | None = None" in texts[2]
    path = tmp_path / "model_grad.py"
    path.write_text("".join(f"def g{k}_{t}\n" for k, t in enumerate(texts)))
    assert not mypy(tmp_path)
