"""Names by scope, never by spelling."""

from __future__ import annotations

import pytest
from reading import codes, function, marked, ops
from support import run

ALIASES = [
    ("import numpy as xp", "xp.sin(x)"),
    ("from math import sin as s", "s(x)"),
    ("import math as m", "m.sin(x)"),
    ("import math, math", "math.sin(x)"),
    ("from numpy import *\nfrom math import sin", "sin(x)"),
    ("import numpy", "numpy.sin(x)"),
    ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import math\n"
     "from math import sin", "sin(x)"),
    ("import typing as t\nif t.TYPE_CHECKING:\n    from a import b\nelse:\n"
     "    import math", "math.sin(x)"),
]  # fmt: skip


@pytest.mark.parametrize(("imports", "call"), ALIASES)
def test_aliases(imports: str, call: str) -> None:
    assert ops(function(f"{imports}\n{marked(f'return {call}')}")) == ["sin"]


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("import math\n" + marked("return math.sin(x)", "x, math"), "AD102"),
        ("import math\n" + marked("y = math.sin(x)\nmath = x\nreturn y", "x"), "AD103"),
        ("from math import sin\nsin = 2\n" + marked("return sin(x)"), "AD108"),
        (
            "def sin(x): return x\nfrom math import sin\n" + marked("return sin(x)"),
            "AD108",
        ),
        (
            "from typing import TYPE_CHECKING as T\nimport typing\n"
            "if typing.TYPE_CHECKING:\n    import math\n"
            + marked("return math.sin(x)"),
            "AD103",
        ),
        ("for K in (1, 2): pass\n" + marked("return K * x"), "AD103"),
        (
            "K = 1\ndef g():\n    global K\n    K = 2\n" + marked("return K * x"),
            "AD108",
        ),
        ("K = 1\nK += 1\n" + marked("return K * x"), "AD108"),
        ("K = 1\ndel K\n" + marked("return K * x"), "AD108"),
        ("class K: pass\n" + marked("return K * x"), "AD107"),
        ("from os import *\n" + marked("return sin(x)"), "AD103"),
        ("import numpy as np, math as np\n" + marked("return np.sin(x)"), "AD108"),
    ],
)
def test_what_a_name_does_not_mean(source: str, code: str) -> None:
    assert code in codes(source)


def test_unused_names_do_not_matter() -> None:
    mess = "from os import *\nK = 1\nK = 2\nif K:\n    L = open\ntry:\n    import a\n"
    assert codes(mess + "except E:\n    a = None\n" + marked("return x")) == []


def test_a_star_of_math_leaves_other_builtins_alone() -> None:
    assert ops(function("from math import *\n" + marked("return abs(x)"))) == ["abs"]
    assert codes("from os import *\n" + marked("return pow(x, y)")) == ["AD103"]
    assert codes("from numpy import *\n" + marked("return abs(x)")) == ["AD103"]


def test_a_function_may_have_the_name_of_a_builtin() -> None:
    source = "def abs(x):\n    return x * 2\n" + marked("return abs(x)")
    assert ops(function(source)) == ["mul"]


def test_print_is_dropped_only_if_it_is_print() -> None:
    source = "def print(x):\n    assert x > 0\n" + marked("print(x)\nreturn x")
    assert len(function(source).body) == 2


def test_a_call_may_come_before_the_definition() -> None:
    assert ops(
        function(marked("return g(x)") + "def g(a):\n    return a * K\nK = 2.0\n")
    )


ANNOTATIONS = [
    ("float", "float"), ("'float'", "float"), ("np.float64", ""), ("int | float", ""),
    ("Annotated[float, 'kg']", "float"), ("Scalar", "float"),
    ("Optional[float]", "float"),
    ("T", ""),
]  # fmt: skip
HEAD = (
    "import numpy as np\nfrom typing import Annotated, Optional, TypeVar\n"
    "Scalar = float\nT = TypeVar('T')\n"
)


@pytest.mark.parametrize(("annotation", "text"), ANNOTATIONS)
def test_real_annotations(annotation: str, text: str) -> None:
    source = HEAD + marked("return x * 2", f"x: {annotation}")
    assert function(source).parameters[0].annotation == text


@pytest.mark.parametrize(
    "annotation",
    [
        "np.ndarray", "list[float]", "NDArray[np.float64]", "Optional[np.ndarray]",
        '"Vector"', '"Vector[n + 1]"', '"Vector[m, n]"', '"Array[a, b, c, d]"',
    ],
)  # fmt: skip
def test_arrays_are_refused_by_name(annotation: str) -> None:
    head = HEAD + (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n"
        "    import ad_transform as ad\n"
        "    from jaxtyping import Float\n    from numpy.typing import NDArray\n"
    )
    assert codes(head + marked("return x[0]", f"x: {annotation}")) == ["AD104"]


@pytest.mark.parametrize(
    ("annotation", "type_"),
    [
        ('"Vector[30]"', "float[30]"), ("Vector[n]", "float[n]"),
        ("ad.Matrix[20, 3]", "float[20, 3]"), ('"ad.Array[m, n]"', "float[m, n]"),
        ("Matrix[m, n, int]", "int[m, n]"), ("Vector[n, bool]", "bool[n]"),
        ("Array[k, m, n]", "float[k, m, n]"),
        ('Annotated[np.ndarray, "[3, n]"]', "float[3, n]"),
        ('Float[np.ndarray, "3 n"]', "float[3, n]"),
        ('Int[np.ndarray, "n"]', "int[n]"),
        ("np.ndarray[tuple[int, int], np.dtype[np.float64]]", "float[x.0, x.1]"),
        ("np.ndarray[tuple[int], np.dtype[np.int64]]", "int[x.0]"),
    ],
)  # fmt: skip
def test_arrays(annotation: str, type_: str) -> None:
    head = HEAD + (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n"
        "    import ad_transform as ad\n    from jaxtyping import Float, Int\n"
    )
    source = head + marked("return y", f"x: {annotation}, y").replace(
        "gradient", "gradient(y)"
    )
    assert str(function(source).block.params[0].type) == type_


def test_a_list_of_whole_numbers_is_a_vector_of_them() -> None:
    (found,) = run(
        "# ad: gradient\ndef f(x, k: list[int]):\n    return x\n"
    ).diagnostics
    assert found.help == 'say its shape: `k: "Vector[n, int]"`'


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("from math import *\n" + marked("return pow(x, sin(y))"), []),
        ("from os import *\nfrom math import *\n" + marked("return sin(x)"), []),
        ("from math import *\nW = 2 * pi * sin(1.0)\n" + marked("return x * W"), []),
        ("from math import *\n" + marked("e = x\nreturn e * y"), []),
        ("from math import *\n" + marked("return sine(x)"), ["AD103"]),
        ("from math import *\nfrom os import *\n" + marked("return sin(x)"), ["AD103"]),
        ("if 1:\n    from math import *\n" + marked("return sin(x)"), ["AD103"]),
        ("e = 2.0\nfrom math import *\n" + marked("return e * x"), ["AD103"]),
    ],
)
def test_a_star_of_math_binds_its_names(source: str, wanted: list[str]) -> None:
    """Where nothing else does, and no other star may follow: the names are known."""
    assert codes(source) == wanted
