"""Methods of texts: what is computed at once, and what stays as it is written."""

from __future__ import annotations

from typing import Any

import pytest
from amounts import ANY_ORDER
from reading import indented
from support import generate, load, load_generated, run

SOURCE = """\
UNITS = "bar:1e5;mbar:100;Pa:1"
ROWS = '''
# T   k
300  16.0
400  17.5
'''


# ad: gradient(value=True), hessian
def f(x: float, kind: str = "a", n: int = 0):
{body}
"""

# what runs, and for which texts
BODIES = {
    "lower": (
        "k = kind.strip().lower()\nif k == 'put':\n    return -x**3\nreturn x**3",
        (" PUT ", "call"),
    ),
    "starts": (
        "if kind.startswith(('up', 'lo')) or kind.endswith('x'):\n    return x**2\n"
        "return x",
        ("upwind", "low", "mix", "central"),
    ),
    "part": (
        "if 'lax' in kind and 'w' not in kind:\n    return x * x * len(kind)\n"
        "return 3.0 * x",
        ("my lax", "lax-wendroff", "roe"),
    ),
    "item": (
        "s = 0.0\nfor k in range(len(kind)):\n    if kind[k] == 'a':\n"
        "        s += x**k\nreturn s + (x if kind[-1] == 'b' else x * x)",
        ("abaab", "aba", "b"),
    ),
    "loop": (
        "s, last = x, ''\nfor c in kind:\n    if c == last:\n        continue\n"
        "    s = s * x if c in 'ab' else s + x\n    last = c\n"
        "for k, (c, d) in enumerate(zip(kind, reversed(kind)), 2):\n"
        "    s += x**k if c == d else 0.5\n"
        "return s + sum(x * x for c in kind if c == 'a')",
        ("abbac", "ca", ""),
    ),
    "cut": (
        "head, sign, tail = kind.partition('-')\n"
        "if sign and tail.replace('_', '') == 'ab':\n    return x**3\n"
        "return x if head == 'a' else x * x",
        ("q-a_b", "a", "b-c"),
    ),
    "known": (
        "s = 0.0\nfor unit in UNITS.split(';'):\n    name, _, size = "
        "unit.partition(':')\n    if name == kind:\n        s += float(size) * x**2\n"
        "return s + int('12') * x + len('abc'.upper())",
        ("bar", "mbar", "psi"),
    ),
    "table": (
        "rows = []\nfor line in ROWS.splitlines():\n    line = line.strip()\n"
        "    if not line or line.startswith('#'):\n        continue\n"
        "    t, k = line.split()\n    rows.append((float(t), float(k)))\n"
        "(t0, k0), (t1, k1) = rows\nreturn k0 + (k1 - k0) * (x - t0) / (t1 - t0)",
        ("a",),
    ),
    "letters": (
        "s = 0.0\nfor k, c in enumerate('abca'):\n"
        "    s += x**k if c == 'a' else x\nreturn s + x * 'abca'.count('a')",
        ("a",),
    ),
    "beyond": (
        "s = x * 'été'.find('t') + x**2 * len('b,é;à'.split(','))\n"
        "return s * x if 'ß, '.strip(' ,') == kind else s",
        ("ß", "b"),
    ),
    "numbers": (
        "s = int(kind) * x\nfor k in range(len(kind)):\n"
        "    if kind[k] != '-':\n        s = s * x + int(kind[k])\n"
        "return s + float(kind + '.5') * x**2 + sum(int(c) for c in str(n * 27)) * x",
        ("12", "-3", "0"),
    ),
    "join": (
        "s = ', '.join([kind, 'b', f'{n}'])\nt = kind.join(('a', 'c')) + '-'.join(())\n"
        "return x ** len(s) if s == 'a, b, 3' and t == 'aac' else x * len(s + t)",
        ("a", "cd", ""),
    ),
    "isdigit": (
        "return x**2 if kind.isdigit() else x * ('abc'[1] == kind) + x",
        ("12", "b"),
    ),
}


def made(body: str) -> tuple[dict[str, Any], dict[str, Any]]:
    source = SOURCE.format(body=indented(body))
    return load(source), load_generated(source)


@pytest.mark.parametrize("name", BODIES)
def test_values_and_derivatives(name: str) -> None:
    body, texts = BODIES[name]
    source, derived = made(body)
    for text in texts:
        x, h = 1.25, 1e-3
        value, slope = derived["f_value_and_grad"](x, text, 3)
        assert value == source["f"](x, text, 3)
        before, after = (source["f"](x + k * h, text, 3) for k in (-1, 1))
        assert slope == pytest.approx((after - before) / (2 * h), rel=1e-5)
        curve = derived["f_hess"](x, text, 3)[0][0]
        found = (after - 2 * value + before) / h**2
        assert curve == pytest.approx(found, rel=1e-4, abs=1e-4)


def test_only_texts_of_plain_letters_are_computed_at_once() -> None:
    """What other letters become is for the Python that runs."""
    text = generate(
        SOURCE.format(body=indented("return x if 'ÄB'.lower() == kind else x * 2.0")),
        **ANY_ORDER,
    )
    assert '"ÄB".lower()' in text


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return x * len(kind.split(':'))", "'split' needs a text that is known"),
        ("return x if kind[:2] == 'ab' else 0.0", "a part of a text that only a run"),
        ("return x if 3 in kind else 0.0", "`in` asks whether a str holds"),
        ("return x * len('é b'.split())", "'split' of letters beyond ASCII"),
        ("return x * float('one')", "of 'one' has no value"),
        ("return x if kind.lower(n) == 'a' else 0.0", "takes 0 arguments here, not 1"),
        (
            "return x if kind.encode() == 'a' else 0.0",
            "the attribute 'encode'",
        ),
        ("return x * len('a,b'.split(''))", "'split' fails: empty separator"),
    ],
)
def test_refused(body: str, said: str) -> None:
    found = run(SOURCE.format(body=indented(body))).diagnostics
    assert said in found[0].message
    assert found[0].help and found[0].span is not None
