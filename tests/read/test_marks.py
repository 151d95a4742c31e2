"""Marks that are understood."""

from __future__ import annotations

import pytest
from reading import codes, function, reading

from ad_transform.read import read

F = "def f(x, y: float, n: int = 2):\n    return x * y\n"


def _wishes(source: str) -> list[tuple[str, tuple[str, ...], dict[str, object]]]:
    requests = reading(source).requests
    return [(r.kind, r.independents, dict(r.options)) for r in requests]


def test_default_is_every_real_parameter_in_order() -> None:
    assert _wishes("# ad: gradient\n" + F) == [("gradient", ("x", "y"), {})]


def test_mark_order_governs() -> None:
    assert _wishes("# ad: jacobian(y, x)\n" + F)[0][1] == ("y", "x")


@pytest.mark.parametrize(
    "mark",
    [
        "# ad: gradient(x, value=true), hvp(y)",
        "#ad: gradient(x,value=True),hvp(y),",
        '# ad: gradient("x", value=true)\n# ad: hvp(y)',
        "# ad: gradient(x,\n# ad:     value=true),\n# ad: hvp(y)",
        "import ad_transform as ad\n# ad: gradient(x, value=true)\n@ad.hvp('y')",
        "import ad_transform\n@ad_transform.gradient('x', value=True)\n# ad: hvp(y)",
        "from ad_transform import gradient as g, hvp\n@g('x', value=True)\n@hvp('y')",
    ],
)
def test_every_spelling_says_the_same(mark: str) -> None:
    expected = [("gradient", ("x",), {"value": True}), ("hvp", ("y",), {})]
    assert _wishes(f"{mark}\n{F}") == expected


SHAPED = "def f(x, A: np.ndarray, k: 'list[int]'):\n    return x[k[0]] * A[0, 1]\n"


@pytest.mark.parametrize(
    "mark",
    [
        "# ad: shapes(x=[n], A=[m, 3], k=[n, int])",
        "# ad: shapes(x=[n],\n# ad:   A=[m, 3,])\n# ad: shapes(k=[n, int])",
        "@ad.shapes(x=['n'], A=('m', 3), k=['n', int])",
        "@ad.shapes(x=['n'], A=['m', 3])\n@ad.shapes(k=['n', 'int'])",
    ],
)
def test_shapes_without_annotations(mark: str) -> None:
    source = f"import numpy as np\nimport ad_transform as ad\n# ad: vjp\n{mark}\n"
    given = function(source + SHAPED).parameters
    assert [str(p.vars[0].type) for p in given] == [
        "float[n]",
        "float[m, 3]",
        "int[n]",
    ]


def test_values_are_typed() -> None:
    mark = '# ad: gradient(order=markowitz-latest, effort=2, name="g_1", powers=keep)\n'
    options = {"order": "markowitz-latest", "effort": 2, "name": "g_1"}
    assert _wishes(mark + F)[0][2] == {**options, "powers": "keep"}


def test_bare_and_empty_decorators_are_one() -> None:
    bare = "from ad_transform import jvp\n@jvp\n" + F
    assert _wishes(bare) == _wishes(bare.replace("@jvp", "@jvp()"))


@pytest.mark.parametrize(
    "text",
    ['"""\n# ad: gradient\n"""\n', "s = '# ad: nonsense'\n", "# see ad: it\n"],
)
def test_what_is_no_mark_is_left_alone(text: str) -> None:
    assert codes(text + F) == []


def test_ignored_decorators_get_a_note() -> None:
    source = "from numba import njit as j\n# ad: gradient\n@j(cache=True)\n" + F
    assert codes(source) == ["AD027"]
    assert len(reading(source).requests) == 1


def test_places() -> None:
    request = reading("# é\n# ad: hvp(y), gradient(x)\n" + F).requests[1]
    assert (request.span.line, request.span.column) == (2, 15)
    assert (request.name_span.line, request.name_span.column) == (3, 5)


def test_docstrings_without_their_indentation() -> None:
    source = '# ad: gradient\ndef f(x):\n    """\n    Energy.\n\n    More.\n    """\n'
    assert reading(source + "    return x\n").docstrings == {"f": "Energy.\n\nMore."}


@pytest.mark.parametrize("word", ["jac", "hess", "grad"])
def test_a_kind_cut_short_is_told_in_full(word: str) -> None:
    (found,) = read(f"# ad: {word}\n{F}".encode(), "model.py").diagnostics
    assert found.help.startswith(f"did you mean '{word}")


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("value_and_grad", "gradient(value=True)"),
        ("value_and_hess", "hessian(value=True)"),
        ("jacfwd", "jacobian(order=forward)"),
    ],
)
def test_names_of_other_tools_are_told_ours(kind: str, written: str) -> None:
    (found,) = read(f"# ad: {kind}\n{F}".encode(), "model.py").diagnostics
    assert found.help == f"write `{written}`"
    assert not reading(f"# ad: {written}\n" + F).diagnostics
