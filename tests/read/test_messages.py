"""Messages of exceptions and assertions: what is raised is what Python raises."""

from __future__ import annotations

import numpy as np
import pytest
from support import flat, generate, load, load_generated, run

HEADER = """\
import math
from dataclasses import dataclass

import numpy as np

TEXT = "out of range"
TABLE = {"steel": 1.0, "wood": 2.0}


@dataclass
class Spring:
    length: float

"""
# fmt: off
MESSAGES = [
    'f"length {p.length} is bad"', 'f"{len(x)} points of {n}"', 'f"shape {x.shape}"',
    'f"{x[0]:.2f} {x[-1]:g}"', 'f"{y + 1}"', 'f"{y=}"', 'f"{p.length=:.2f} {n = }"',
    'f"{-y:+.3e} and {100 * y:.1f} %"', 'f"{np.max(x):.3f}"', 'f"{math.sqrt(-y)}"',
    'f"{kind!r} is none of {sorted(TABLE)}"', 'f"{(p.length, n, kind)}"',
    'f"a {{}} {TEXT}" " b " f"{y}"', 'f"""a\\n{ y }"""',
    '"y is %g" % y', '"%s: %d of %i, %r" % (kind, n, n, y)',
    '"%-9.2e|%9s|%-9s|" % (y, kind, n)',
    '"%+05.1f%% of %.1s" % (y, kind)', '"%d" % (y > 0)',
    '"y {}".format(y)', '"{:.2f} of {kind} {{}}".format(y, kind=kind)',
    '"{1} {0!r}".format(y, n)',
    '"y " + str(y) + " or " + repr(y) + f" of {n}"', '"at " + kind', 'TEXT', 'kind',
]
# fmt: on


def _said(function, *values):
    try:
        function(*values)
    except Exception as error:  # whatever it is
        return type(error), str(error)
    raise AssertionError("nothing is raised")


@pytest.mark.parametrize("message", MESSAGES)
@pytest.mark.parametrize(
    "check",
    [
        "if y < 0:\n        raise ValueError({})",
        "assert y >= 0, {}",
        "for k in range(9):\n        if x[k] * y < -k:\n            raise KeyError({})",
    ],
)
def test_it_says_what_python_says(message, check):
    source = (
        f'{HEADER}\n# ad: gradient(x, y)\ndef f(x: "Vector[m]", y, p: Spring, n: int, '
        f"kind: str):\n    {check.format(message)}\n    return y * x[0] * p.length\n"
    )
    module = load(source)
    values = (np.array([1.5, 2.0]), -0.75, module["Spring"](3.25), 4, "glass")
    made = load_generated(source)["f_grad"]
    assert _said(made, *values) == _said(module["f"], *values)
    values = (np.ones(9), 0.75, *values[2:])
    slopes = made(*values)
    assert slopes[0][0] == 0.75 * 3.25 and slopes[1] == 3.25


SEVERAL = """\
import math


def area(w, h):
    if w * h < 0:
        raise ValueError(f"an area of {w * h:.3f}")
    return w * h


# ad: KINDS
def f(x, y):
    s = 0.0
    for k in range(50):
        if x * k > 100 * y:
            raise ValueError(f"{k=}, {x * k}, {math.sqrt(x - 1)}")
        s += math.sin(x * k) * y
    if s > 1e6:
        if y > 3:
            t = s / 3
            raise RuntimeError("big %g" % t)
        raise RuntimeError(f"bigger {1 / s}")
    elif s < -1e6:
        raise RuntimeError(f"less {1 / s}")
    else:
        s += x
    assert y > 0, f"y is {y / x}"
    return s * area(x, y)
"""


@pytest.mark.parametrize("kinds", ["gradient", "hessian", "jvp", "vjp", "hvp", "error"])
def test_what_is_said_changes_no_number(kinds):
    source = SEVERAL.replace("KINDS", kinds)
    quiet = "\n".join(
        line.partition(", f")[0].partition("(f")[0].partition('("')[0]
        for line in source.splitlines()
    )
    one = {"order": "reverse"}
    told, untold = (load_generated(s, **one) for s in (source, quiet))
    (name,) = [n for n in told if n.startswith("f_")]
    values = (0.7, 1.3, *((0.4, 0.6) if kinds in ("jvp", "hvp") else ()))
    values = (*values, *((1.0,) if kinds == "vjp" else ()))
    assert flat(told[name](*values)) == flat(untold[name](*values))


def test_nothing_stands_behind_what_raises():
    source = (
        "# ad: gradient\ndef f(x, y):\n    if y < 0:\n        z = y + 1\n"
        '        raise ValueError(f"bad {z}")\n    return x * y\n'
    )
    body = generate(source).partition('"""\n    if')[2]
    assert body == (
        " y < 0.0:\n        z = y + 1.0\n"
        '        raise ValueError(f"bad {z}")\n    return y, x\n'
    )


def test_what_is_wrong_in_a_message_is_said_where_it_stands():
    source = (
        "import math\n# ad: gradient\ndef f(x):\n    if x < 0:\n"
        '        raise ValueError(f"at {math.frexp(x)}")\n    return x\n'
    )
    (found,) = run(source).diagnostics
    assert (found.code, found.span.line) == ("AD110", 5)


def test_a_list_is_put_before_what_is_refused_without_a_message() -> None:
    source = """
# ad: gradient
def f(x: "Vector[n]"):
    u = [v * v for v in x]
    w = u + unheard(x)[1:]
    return sum(w)
"""
    assert [d.message for d in run(source).diagnostics] == [
        "the name 'unheard' is not known"
    ]
