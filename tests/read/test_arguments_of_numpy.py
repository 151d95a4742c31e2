"""Functions of numpy with the arguments that they seldom have, of known elements and
of run-time length: values as numpy has them, adjoints against differences.
"""

import numpy as np
import pytest
from support import load, load_generated, run

CASES = (
    ("A: (2, 3)", "np.flip(A, axis=(0, 1)) * A"),
    ("A: (2, 3, 4)", "np.flip(A, axis=(0, 2)) * A"),
    ("A: (2, 3), B: (3, 2)", "np.kron(A, B)"),
    ("x: (3,), B: (2, 3)", "np.kron(x, B) * np.kron(B[0, 0], 2.0)"),
    ("A: (2, 3), x: (4,)", "np.outer(A, x)"),
    ("x: (4,), a: ()", "np.inner(x, a) * np.inner(a, x)"),
    ("x: (4,), k: int", "np.roll(x, k) * x"),
    ("x: (4,)", "np.polyval([1.0, -2.0, 3.0], x)"),
    ("p: (3,), x: (4,)", "np.polyval(p, x)"),
    ("p: (3,), a: ()", "np.polyval(x=a, p=p)"),
    ("A: (2, 3), B: (3, 2)", "np.einsum('ij,jk,kl,lm->im', A, B, A, B, optimize=True)"),
    ("x: (4,)", "np.linalg.norm(x, -np.inf) + np.linalg.norm(x, 0.5)"),
    ("A: (2, 3)", "np.linalg.norm(A, -1) * np.linalg.norm(A, -np.inf)"),
    ("x: (4,)", "x.clip(min=0.7) * x.clip(max=1.1)"),
    ("A: (2, 3, 4)", "A * np.size(A) / np.shape(A)[1]"),
    ("x: (4,)", "x * np.fix(2.0 * x)"),
)
KNOWN = (
    ("A: (3, 2), B: (3, 2)", "np.cross(A, B)"),
    ("x: (2,), A: (9, 2)", "np.cross(x, A)"),
    ("A: (2, 3)", "A * np.eye(2, 3, k=1) + np.eye(2, 3)"),
    ("A: (3, 3)", "A @ np.eye(3, dtype=float) + np.eye(3, k=-1)"),
)


def _source(parameters, formula, by_name):
    """The source, and values of its parameters, whose lengths may have names."""
    words, values = [], {}
    numbers = iter(np.sin(np.arange(1.0, 99.0) ** 2) * 0.4 + 1.0)
    for word in parameters.split(", ") if "(" not in parameters else _split(parameters):
        name, _, shape = word.partition(": ")
        if shape == "int":
            words.append(f"{name}: int")
            values[name] = 3
            continue
        sizes = eval(shape)
        dims = ", ".join(f"n{n}" if by_name else str(n) for n in sizes)
        words.append(f'{name}: "Array[{dims}]"' if sizes else f"{name}: float")
        array = np.array([next(numbers) for _ in range(int(np.prod(sizes)))])
        values[name] = array.reshape(sizes) if sizes else float(array[0])
    body = f"import numpy as np\n\n\n# ad: vjp\ndef f({', '.join(words)}):\n"
    return f"{body}    return {formula}\n", values


def _split(parameters):
    """Parameters at commas that stand in no brackets."""
    return parameters.replace("), ", ")|").split("|")


@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors")
@pytest.mark.parametrize("by_name", [False, True])
@pytest.mark.parametrize(("parameters", "formula"), (*CASES, *KNOWN))
def test_adjoints_are_those_of_differences(parameters, formula, by_name):
    if by_name and (parameters, formula) in KNOWN:
        return
    if "cross" in formula and np.lib.NumpyVersion(np.__version__) >= "2.5.0":
        pytest.skip("numpy 2.5 takes vectors of three items alone")
    source, values = _source(parameters, formula, by_name)
    plain = load(source)["f"]
    of = plain(**values)
    weights = np.cos(np.arange(1.0, np.size(of) + 1.0)).reshape(np.shape(of))
    vjp = load_generated(source)["f_vjp"]
    value, bars = vjp(**values, f_bar=weights if np.shape(of) else float(weights))
    assert np.allclose(value, of, rtol=1e-14, atol=0.0)
    real = [name for name in values if name != "k"]
    bars = bars if len(real) > 1 else (bars,)
    for name, bar in zip(real, bars, strict=True):
        slope = np.cos(3.0 * np.arange(1.0, np.size(bar) + 1.0)).reshape(np.shape(bar))
        ends = [plain(**{**values, name: values[name] + h * slope}) for h in (H, -H)]
        rise = np.sum(weights * (ends[0] - ends[1])) / (2.0 * H)
        assert np.sum(bar * slope) == pytest.approx(rise, rel=1e-7, abs=1e-8)


H = 1e-5


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("y[:] = x", "lengths differ: 21 and 20"),
        ("y[1:20] = x", "lengths differ: 19 and 20"),
        ("y[0] = np.heaviside(x)[0]", "takes 2 arguments, not 1"),
        ("y[0] = np.fix(x, x)[0]", "takes 1 arguments here, not 2"),
    ],
)
def test_what_surely_does_not_fit_is_said(line, said):
    head = 'import numpy as np\n\n\n# ad: gradient\ndef f(x: "Vector[20]"):\n'
    made = run(f"{head}    y = np.zeros(21)\n    {line}\n    return y[0] + x[1]\n")
    (found,) = made.diagnostics
    assert said in found.message


def test_one_item_is_written_to_all_places():
    head = 'import numpy as np\n\n\n# ad: gradient\ndef f(x: "Vector[20]"):\n'
    body = "    y = np.zeros(21)\n    y[:] = x[1:2]\n    return y[0] * y[20]\n"
    x = np.arange(20.0)
    x_bar = load_generated(head + body)["f_grad"](x + 2.0)
    assert list(x_bar) == [0.0, 6.0, *[0.0] * 18]


def test_no_columns_of_powers() -> None:
    line = 'import numpy as np\n\n\n# ad: jvp\ndef f(x: "Vector[n]", k: int):\n'
    source = f"{line}    return np.vander(x, k)\n"
    jvp, x = load_generated(source)["f_jvp"], np.array([1.5, 2.0])
    for k in (0, 1):
        value, tangent = jvp(x, np.ones(2), k)
        assert value.shape == (2, k) and not tangent.any()
