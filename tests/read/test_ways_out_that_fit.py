"""Refusals name what fits the place, and what they name works when it is written."""

from __future__ import annotations

import pytest
from amounts import NUMBERS
from support import generate, run

# what is refused, what its help says, and what is written then
CASES = {
    "a length that is computed": (
        "# ad: gradient(x)\ndef f(x: 'Vector[n]', knots: 'Vector[n//2]'):\n"
        "    return x[0] * knots[-1]\n",
        "name the length, and check it below: `assert len(knots) == n // 2`",
        "# ad: gradient(x)\ndef f(x: 'Vector[n]', knots: 'Vector[m]'):\n"
        "    assert len(knots) == len(x) // 2\n    return x[0] * knots[-1]\n",
    ),
    "a result that may be None": (
        "# ad: gradient(x)\ndef f(x, n: int):\n    for _ in range(n):\n"
        "        x = x * x\n        if x > 9:\n            break\n"
        "    else:\n        return None\n    return x\n",
        "raise an error where there is no value: `raise ValueError(...)`",
        "# ad: gradient(x)\ndef f(x, n: int):\n    for _ in range(n):\n"
        "        x = x * x\n        if x > 9:\n            break\n"
        "    else:\n        raise ValueError('too small')\n    return x\n",
    ),
    "try": (
        "# ad: gradient(x)\ndef f(x: 'Matrix[n, 2]', k: int):\n    try:\n"
        "        c = x[k, 0]\n    except IndexError:\n"
        "        raise ValueError(f'no {k}') from None\n    return c * c\n",
        "catch only what you expect, by its name, and test for this one before",
        "# ad: gradient(x)\ndef f(x: 'Matrix[n, 2]', k: int):\n"
        "    if k >= len(x):\n        raise ValueError(f'no {k}')\n"
        "    return x[k, 0] ** 2\n",
    ),
    "where an index begins": (
        "# ad: gradient(x)\ndef f(x, n: int):\n    u = [x * k for k in range(n)]\n"
        "    return x * u.index(u[2], 1)\n",
        "cut the list: `k + u[k:].index(v)`",
        "# ad: gradient(x)\ndef f(x, n: int):\n    u = [x * k for k in range(n)]\n"
        "    return x * (1 + u[1:].index(u[2]))\n",
    ),
    "where a row is": (
        "# ad: gradient(x)\ndef f(x, A: 'Matrix[m, n]'):\n"
        "    u = [[x * v for v in r] for r in A]\n    return x * u.index(u[1])\n",
        "write the loop: `for k, v in enumerate(u):`, and a test",
        "# ad: gradient(x)\ndef f(x, A: 'Matrix[m, n]'):\n"
        "    u = [[x * v for v in r] for r in A]\n    for k, v in enumerate(u):\n"
        "        if v[0] == u[1][0]:\n            return x * k\n    return x\n",
    ),
    "finally": (
        "# ad: gradient(x)\ndef f(x, y):\n    try:\n        z = x / y\n"
        "    except ZeroDivisionError:\n        z = x\n    finally:\n"
        "        return y * x\n",
        "write what `finally` does behind the `try`",
        "# ad: gradient(x)\ndef f(x, y):\n    try:\n        z = x / y\n"
        "    except ZeroDivisionError:\n        z = x\n    return y * x\n",
    ),
    "finally in a try": (
        "# ad: gradient(x)\ndef f(x, y):\n    z = y\n    try:\n        try:\n"
        "            z = x / y\n        finally:\n            y += 1.0\n"
        "    except ZeroDivisionError:\n        z = x\n    return y * z\n",
        "write what it does into the handlers, and behind the `try`",
        "# ad: gradient(x)\ndef f(x, y):\n    z = y\n    try:\n        z = x / y\n"
        "    except ZeroDivisionError:\n        y += 1.0\n        z = x\n    else:\n"
        "        y += 1.0\n    return y * z\n",
    ),
    "as": (
        "# ad: gradient(x)\ndef f(x, y):\n    try:\n        return x / y\n"
        "    except ZeroDivisionError as e:\n        raise ValueError(f'y: {e}')\n",
        "say in a message of your own what is wrong, and leave out `as`",
        "# ad: gradient(x)\ndef f(x, y):\n    try:\n        return x / y\n"
        "    except ZeroDivisionError:\n        raise ValueError(f'y: {y}')\n",
    ),
    "loop in try": (
        "# ad: gradient(x)\ndef f(x, n: int):\n    try:\n"
        "        y = sum(x / k for k in range(n))\n"
        "    except ZeroDivisionError:\n        y = x\n    return y\n",
        "write what may fail in a statement of its own, or test for it before",
        "# ad: gradient(x)\ndef f(x, n: int):\n    y = 0.0\n"
        "    for k in range(n):\n        try:\n            y += x / k\n"
        "        except ZeroDivisionError:\n            y = x\n            break\n"
        "    return y\n",
    ),
    "objects of a file": (
        "class G:\n    def __init__(self, m):\n        self.m = m\n"
        "T = {'a': G(1.0), 'b': G(2.0)}\n# ad: gradient(x)\n"
        "def f(x, k: str = 'a'):\n    return T[k].m * x\n",
        "write `@dataclass(frozen=True)` above the class 'G', with fields in place of "
        "its `__init__`",
        "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass G:\n"
        "    m: float\nT = {'a': G(1.0), 'b': G(2.0)}\n# ad: gradient(x)\n"
        "def f(x, k: str = 'a'):\n    return T[k].m * x\n",
    ),
    "array": (
        "# ad: gradient(x)\ndef f(x, c: 'Vector[2]' = (1.0, 2.0)):\n"
        "    return c[0] * x\n",
        "give it None, and write `if c is None: c = np.array([...])`",
        "import numpy as np\n# ad: gradient(x)\ndef f(x, c: 'Vector[2]' = None):\n"
        "    if c is None: c = np.array([1.0, 2.0])\n    return c[0] * x\n",
    ),
    "tuple": (
        "# ad: gradient(x)\ndef f(x, c: tuple = (1.0, 2)):\n    return c[0] * x\n",
        "say how many: `c: tuple[float, int]`, or leave the annotation out",
        "# ad: gradient(x)\ndef f(x, c: tuple[float, int] = (1.0, 2)):\n"
        "    return c[0] * x\n",
    ),
    "annotation": (
        "# ad: gradient(x)\ndef f(x, c: tuple = (1.0, 2)):\n    return c[0] * x\n",
        "say how many: `c: tuple[float, int]`, or leave the annotation out",
        "# ad: gradient(x)\ndef f(x, c=(1.0, 2)):\n    return c[0] * x\n",
    ),
    "list": (
        "# ad: gradient(x)\ndef f(x, c: list = [1.0, 2.0]):\n    return c[0] * x\n",
        "let it be a tuple: `c: tuple[float, float] = (...)`",
        "# ad: gradient(x)\ndef f(x, c: tuple[float, float] = (1.0, 2.0)):\n"
        "    return c[0] * x\n",
    ),
    "ndenumerate": (
        "import numpy as np\n# ad: gradient(x)\ndef f(x, A: 'Matrix[m, n]'):\n"
        "    s = 0.0\n    for (i, j), a in np.ndenumerate(A):\n"
        "        s += a * x**i\n    return s\n",
        "write a loop for each axis: over `range(A.shape[0])`",
        "import numpy as np\n# ad: gradient(x)\ndef f(x, A: 'Matrix[m, n]'):\n"
        "    s = 0.0\n    for i in range(A.shape[0]):\n"
        "        for j in range(A.shape[1]):\n            s += A[i, j] * x**i\n"
        "    return s\n",
    ),
    "mark": (
        "import math\n# ad: gradient(m)\ndef f(m, e):\n    x = m\n"
        "    # ad: implicit(x, x - e * math.sin(x) - m)\n    for _ in range(50):\n"
        "        x = m + e * math.sin(x)\n    return x\n",
        "write the equation as a function: `# ad: implicit(residual=g)`",
        "import math\n\n\ndef g(x, e, m):\n    return x - e * math.sin(x) - m\n\n\n"
        "# ad: gradient(m)\ndef f(m, e):\n    x = m\n"
        "    # ad: implicit(residual=g)\n    for _ in range(50):\n"
        "        x = m + e * math.sin(x)\n    return x\n",
    ),
    "where": (
        "import numpy as np\n# ad: gradient(x)\ndef f(x: 'Vector[n]'):\n"
        "    y = np.zeros_like(x)\n    np.divide(x, 2.0, out=y, where=x > 0.0)\n"
        "    return np.sum(y)\n",
        "write `np.where(test, made, other)`",
        "import numpy as np\n# ad: gradient(x)\ndef f(x: 'Vector[n]'):\n"
        "    y = np.zeros_like(x)\n    y = np.where(x > 0.0, x / 2.0, y)\n"
        "    return np.sum(y)\n",
    ),
    "sum": (
        "# ad: gradient(x)\ndef f(x: 'Vector[n]', m: int):\n    s = 0.0\n"
        "    for i in range(m):\n        s = s + x * i\n    return s @ s\n",
        "bind a new array to it before the loop: `np.zeros(n)`, `y = x.copy()`",
        "import numpy as np\n# ad: gradient(x)\ndef f(x: 'Vector[n]', m: int):\n"
        "    s = np.zeros_like(x)\n    for i in range(m):\n        s = s + x * i\n"
        "    return s @ s\n",
    ),
    "list that becomes an array": (
        "# ad: gradient(x)\ndef f(x, A: 'Matrix[2, 2]', n: int):\n    y = [x, 0.0]\n"
        "    for i in range(n):\n        y = A @ y\n    return y @ y\n",
        "let it start as an array: `np.array([1.0, 0.0])`",
        "import numpy as np\n# ad: gradient(x)\ndef f(x, A: 'Matrix[2, 2]', n: int):\n"
        "    y = np.array([x, 0.0])\n    for i in range(n):\n        y = A @ y\n"
        "    return y @ y\n",
    ),
    "set": (
        "# ad: gradient(x)\ndef f(x, n: int):\n    seen, s = set(range(n)), 0.0\n"
        "    for i in seen:\n        s += x * i\n    return s\n",
        "go over `sorted(s)`: the order of a set is Python's own",
        "# ad: gradient(x)\ndef f(x, n: int):\n    seen, s = set(range(n)), 0.0\n"
        "    for i in sorted(seen):\n        s += x * i\n    return s\n",
    ),
    "slice with a step of a run": (
        "# ad: gradient(x)\ndef f(x: 'Vector[n]', k: int):\n    return sum(x[::k])\n",
        "write a number, or go over places: `[x[i] for i in range(0, len(x), k)]`",
        "# ad: gradient(x)\ndef f(x: 'Vector[n]', k: int):\n"
        "    return sum([x[i] for i in range(0, len(x), k)])\n",
    ),
    "merge sort": (
        "def sort(u):\n    if len(u) < 2:\n        return u\n    m = len(u) // 2\n"
        "    a, b, both = sort(u[:m]), sort(u[m:]), []\n    while a and b:\n"
        "        both.append(a.pop(0) if a[0] < b[0] else b.pop(0))\n"
        "    return both + a + b\n# ad: gradient(x)\ndef f(x: 'Vector[n]'):\n"
        "    return sort(list(x))[0]\n",
        "write it as a loop; or let it return numbers, or change a list that it is "
        "given, `sort(u, first, last)`",
        "def sort(u, first, last):\n    if last - first < 2:\n        return 0\n"
        "    m = (first + last) // 2\n    sort(u, first, m)\n    sort(u, m, last)\n"
        "    old, i, j = u.copy(), first, m\n    for k in range(first, last):\n"
        "        if j >= last or (i < m and old[i] < old[j]):\n"
        "            u[k] = old[i]\n            i += 1\n        else:\n"
        "            u[k] = old[j]\n            j += 1\n    return 0\n"
        "# ad: gradient(x)\ndef f(x: 'Vector[n]'):\n    u = list(x)\n"
        "    sort(u, 0, len(u))\n    return u[0] * u[1]\n",
    ),
    "groupby": (
        "import itertools\nimport math\n# ad: gradient(x)\ndef f(x: 'Vector[n]'):\n"
        "    return sum(sum(g) ** 2 for _, g in itertools.groupby(x, math.floor))\n",
        "collect sorted items in a dict, `d.setdefault(key(v), []).append(v)`",
        "# ad: gradient(x)\ndef f(x: 'Vector[n]'):\n    d = {}\n    for v in x:\n"
        "        d.setdefault(v > 0, []).append(v)\n"
        "    return sum(sum(g) ** 2 for g in d.values())\n",
    ),
    "bound around": (
        "# ad: gradient(x)\ndef f(x, n: int):\n    count = 0\n    def g(k):\n"
        "        nonlocal count\n        count += 1\n        if k < 1:\n"
        "            return x\n        return x * g(k - 1)\n    return g(n) * count\n",
        "return what it counts: `return s, count`; or keep it in a list, "
        "`count[0] += 1`",
        "# ad: gradient(x)\ndef f(x, n: int):\n    count = [0]\n    def g(k):\n"
        "        count[0] += 1\n        if k < 1:\n            return x\n"
        "        return x * g(k - 1)\n    return g(n) * count[0]\n",
    ),
    "tuple that grows": (
        "def g(u, k):\n"
        "    return u[-1] if k < 1 else u[0] * g((*u, k), k - 1)\n"
        "# ad: gradient(x)\ndef f(x, n: int):\n    return g((x,), n)\n",
        "give it a list of numbers; or a place in one of the whole length, `[0.0] * n`",
        "def g(u, k):\n"
        "    return u[-1] if k < 1 else u[0] * g([*u, k], k - 1)\n"
        "# ad: gradient(x)\ndef f(x, n: int):\n    return g([x], n)\n",
    ),
    "dict that changes": (
        "def g(d, k):\n    if k < 1:\n        return d['a']\n"
        "    d['n'] += 1\n    return d['a'] * g(d, k - 1)\n"
        "# ad: gradient(x)\ndef f(x, n: int):\n"
        "    return g({'a': x, 'n': 0, 'kind': 'u'}, n)\n",
        "give it what it needs of the dict: `d[key]`; or write `@functools.cache`",
        "def g(a, count, k):\n    if k < 1:\n        return a\n"
        "    return a * g(a, count + 1, k - 1)\n"
        "# ad: gradient(x)\ndef f(x, n: int):\n    return g(x, 0, n)\n",
    ),
    "texts of a run": (
        "# ad: gradient(x)\ndef f(x, k: str):\n    return g(x, k)\n"
        "def g(x, k, d={}):\n    d[k] = x\n    return sum(d.values())\n",
        "write `d=None`, and make it in each call: `if d is None: ...`",
        "# ad: gradient(x)\ndef f(x, k: str):\n    return g(x, k)\n"
        "def g(x, k, d=None):\n    if d is None:\n        d = {}\n"
        "    d[k] = x\n    return sum(d.values())\n",
    ),
    "a member of the run": (
        "from enum import Enum\nclass Mode(Enum):\n    A = 1.5\n    B = 2.5\n"
        "# ad: gradient\ndef f(x):\n    mode = Mode.A if x > 1.0 else Mode.B\n"
        "    return x * mode.value\n",
        "ask which one it is: `2.5 if mode is Mode.B else 1.5`",
        "from enum import Enum\nclass Mode(Enum):\n    A = 1.5\n    B = 2.5\n"
        "# ad: gradient\ndef f(x):\n    mode = Mode.A if x > 1.0 else Mode.B\n"
        "    return x * (2.5 if mode is Mode.B else 1.5)\n",
    ),
    "a default that is a dict": (
        "R = {'A': 1.0, 'B': 2.0}\n# ad: gradient(x)\ndef f(x, p=R):\n"
        "    return p['A'] * x + p['B'] * x**2\n",
        "take the parameter away, and write `p = R` in the function",
        "R = {'A': 1.0, 'B': 2.0}\n# ad: gradient(x)\ndef f(x):\n    p = R\n"
        "    return p['A'] * x + p['B'] * x**2\n",
    ),
    "a memo by floats": (
        "# ad: gradient(x)\ndef f(x):\n    return g(x)\n"
        "def g(v, d={}):\n    if v in d:\n        return d[v]\n"
        "    d[v] = v * v\n    return d[v]\n",
        "write all keys out where the dict is made: `d = {0: 0.0, 1: 0.0}`",
        "# ad: gradient(x)\ndef f(x):\n    d = {0: 0.0, 1: 0.0}\n"
        "    d[1] = x\n    return sum(d.values())\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_way_out_works(name: str) -> None:
    refused, help_, written = CASES[name]
    assert help_ in [found.help for found in run(refused).diagnostics]
    generate(written, **NUMBERS)


def test_nothing_is_said_of_a_result_that_was_refused_on_the_way() -> None:
    assert len(run(CASES["texts of a run"][0]).diagnostics) == 1


def test_texts_are_looked_for_in_texts() -> None:
    source = "# ad: gradient(x)\ndef f(x):\n"
    source += "    return sum(x if c in '+-' else x * x for c in ('+', '*'))\n"
    assert "return 1.0 + 2.0 * x" in generate(source, effort=0)
