"""Module constants and defaults: evaluated exactly, copied as black lays them out."""

from __future__ import annotations

import math

import black
import pytest
from reading import agree, codes, function, marked, reading

from ad_transform.ir.nodes import Literal

HEAD = (
    "import math as m\nimport numpy as np\nfrom math import pi as PI, sqrt\nG = 9.81\n"
)

DEFINITIONS = [
    "1.5", "0XaB", "0xdeadBEEF", "0B101", "0O17", "1_000", "1E+5", "1.E-05", ".5",
    "10.e+3", "-2", "- 2.0", "+1", "-2 ** 2", "(-2) ** 2", "2**-1",
    "G*2", "G ** 2", "G**-2", "2*G+1", "(2*G)/(3+1)", "((1 + 2))", "(1.0)", "1/3",
    "7 % 4", "float(3)", "abs(-2.5)", "max(1, 2.0)", "1.0*G", "7//2", "1e5",
    "(  G  )", "-(G + 1)", "-G**2", "1 + 2 * 3 - 4",
]  # fmt: skip


def _black(text: str) -> str:
    return black.format_str(f"K = {text}\n", mode=black.Mode()).strip()[4:]


@pytest.mark.parametrize("text", DEFINITIONS)
def test_definitions_are_laid_out_like_black(text: str) -> None:
    found = reading(HEAD + f"K = {text}\n" + marked("return x * K"))
    assert found.constants["K"].text == _black(text)


@pytest.mark.parametrize("text", [*DEFINITIONS, "m.pi / 4", "sqrt(2.0) * PI", "np.e"])
def test_values_are_those_of_python(text: str) -> None:
    program = function(HEAD + f"K = {text}\n" + marked("return x * K"))
    _, literal = program.body[0].inputs
    assert isinstance(literal, Literal)
    namespace = {"m": math, "sqrt": math.sqrt, "PI": math.pi, "G": 9.81, "np": math}
    value = eval(text, namespace)
    assert (literal.value, type(literal.value)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("m.pi / 4", "math.pi / 4"),
        ("2*PI", "2 * math.pi"),
        ("sqrt(2.0)", "math.sqrt(2.0)"),
        ("np.sqrt(np.pi)", "math.sqrt(math.pi)"),
        ("m.inf", "math.inf"),
        (" + ".join(["1.0"] * 40), "40.0"),
        ("(1.0, 2.0)[1]", "(1.0, 2.0)[1]"),
        ("len((1, 2))", "len((1, 2))"),
    ],
)
def test_library_names_are_printed_by_their_own_name(text: str, printed: str) -> None:
    found = reading(HEAD + f"K = {text}\n" + marked("return x * K"))
    assert found.constants["K"].text == printed


@pytest.mark.parametrize("text", [*DEFINITIONS[:19], "'it'", '"it\'s"', "True"])
def test_defaults_are_laid_out_like_black(text: str) -> None:
    kind = {"'": "str", '"': "str", "T": "bool"}.get(text[0], "float")
    source = marked("return x", f"x, k: {kind} = {text}")
    after = black.format_str(source, mode=black.Mode()).split(" = ")[1].split("):")[0]
    if "G" not in text:
        assert reading(source).requests[0].function.parameters[1].default == after


def test_defaults_are_copied_as_text() -> None:
    source = HEAD + marked("return x", "x, k=2 * G, l=m.pi, n=m.inf, *, o=-G")
    defaults = [p.default for p in function(source).parameters[1:]]
    assert defaults == ["2 * G", "math.pi", "math.inf", "-G"]


def test_constants_come_with_those_they_refer_to_in_order() -> None:
    source = (
        "A = 1.0\nB, C = A * 2, 3\nD: float = B  # four\n# five\nE = F = D + C\nZ = 1\n"
    )
    found = reading(source + marked("return x * E"))
    assert list(found.constants) == ["A", "B", "C", "D", "E"]
    assert found.constants["B"].text == "A * 2"
    assert found.constants["D"].notes == ("four",)
    assert found.constants["E"].notes == ("five",)


@pytest.mark.parametrize(
    "definition",
    [
        "K = m.log(-1.0)", "K = [1.0]", "K = g()", "K = 1 / 0", "K = 10.0 ** 1000",
        "K = (-2) ** 0.5", "K = 10 ** 100000", "K = L\nL = 1.0", "K = open", "K = None",
        "K, *J = 1, 2", "K = {'a': 1}", "K = lambda: 1", "K = 1j", "K = x",
        "with m:\n    K = 1.0",
    ],
)  # fmt: skip
def test_what_cannot_be_copied(definition: str) -> None:
    said = codes(HEAD + definition + "\n" + marked("return x * K"))
    assert said
    assert said[0] in ("AD122", "AD102", "AD103", "AD107", "AD108")


def test_a_bad_constant_of_the_name_of_a_parameter_does_not_matter() -> None:
    source = "import numpy as np\nx = np.zeros(3)\nt = open('a')\n"
    assert codes(source + marked("t = 2 * x\nreturn t")) == []


def test_names_for_functions() -> None:
    source = "import math\nsin = math.sin\nsquare = lambda x, k=2: x**k\n"
    source += "def g(a):\n    return square(a) + C\nh = g\nC = 1.0\n"
    agree(source + marked("return h(sin(x)) * square(y, k=3)"), (0.7, -1.3))


def test_infinities_from_texts() -> None:
    source = "TOP = float('inf')\n" + marked("return min(x, TOP, float('1e3')) * y")
    agree(source, (0.7, -1.3))
    assert reading(source).constants["TOP"].text == 'float("inf")'


def test_texts_and_flags_may_be_constants() -> None:
    source = "MODE = 'a'\nFLAG = True\n" + marked(
        "assert MODE == 'a' and FLAG\nreturn x"
    )
    assert reading(source).constants == {}


def test_a_thousand_constants_in_a_chain() -> None:
    chain = "".join(f"K{i} = K{i - 1} + 1.0\n" for i in range(1, 1000))
    assert codes("K0 = 1.0\n" + chain + marked("return x * K999")) == []


def test_a_table_whose_index_a_run_knows() -> None:
    source = "T = (0.5, -0.25, 1.0)\n" + marked("return T[int(x)] * y")
    agree(source, (2.7, -1.3))


def test_a_part_of_a_table_that_a_run_knows() -> None:
    source = "T = (0.5, -0.25, 1.0)\n"
    source += marked("for t in T[int(x) :]:\n    y *= t\nreturn y")
    agree(source, (1.7, -1.3))
