"""Names, comments and places that the output may still use."""

from __future__ import annotations

from reading import function, marked, reading

from ad_transform.ir.nodes import Behind, Check, Literal, Origin


def _hints(source: str) -> list[tuple[str, bool]]:
    return [(s.outs[0].hint, s.outs[0].named) for s in function(source).body]


def _notes(source: str) -> list[tuple[str, ...]]:
    return [
        s.notes if isinstance(s, Check) else s.outs[0].notes
        for s in function(source).body
    ]


def test_the_first_name_of_a_value_counts() -> None:
    source = marked("u = v = x * y\nw = u\nu = w + v\nreturn u * 2")
    assert _hints(source) == [("u", True), ("u", True), ("", False)]


def test_tuples_name_their_items() -> None:
    assert _hints(marked("u, v = x * y, x + y\nreturn u - v"))[:2] == [
        ("u", True),
        ("v", True),
    ]


def test_the_outer_name_wins_over_the_inlined_one() -> None:
    g = "def g(a):\n    b = a * a\n    r = b + a\n    return r\n"
    assert _hints(g + marked("u = g(x)\nreturn u * g(y)")) == [
        ("g_b", True),
        ("u", True),
        ("g_b", True),
        ("r", True),
        ("", False),
    ]


def test_a_name_that_two_functions_use_carries_that_of_the_helper() -> None:
    g = "def g(a):\n    u = a * a\n    b = u + 1.0\n    return u * b\n"
    assert _hints(g + marked("u = g(x)\nv = u + y\nreturn v * v"))[:3] == [
        ("g_u", True),
        ("b", True),
        ("u", True),
    ]


def test_comments_go_to_the_value_of_their_statement() -> None:
    body = "# above\n\n# it\nu = x * y  # behind\n# fine\nassert u > 0\n# last\n"
    body += "return u + x"
    assert _notes(marked(body))[:1] == [("above", "it", "behind")]
    assert _notes(marked(body))[2:] == [("fine",), ()]
    assert function(marked(body)).notes == ("last",)


def test_a_comment_behind_a_statement_is_told_from_one_above() -> None:
    (notes,) = _notes(marked("# above\nu = x * y  # behind  # noqa: E501\nreturn u"))
    assert notes == ("above", "behind")
    assert [isinstance(note, Behind) for note in notes] == [False, True]


def test_comments_for_tools_are_left_out() -> None:
    body = "u = x * y  # noqa: E501\nv = u + x  # type: ignore\nreturn v  # fmt: skip"
    assert _notes(marked(body)) == [(), ()]


def test_comments_of_inlined_functions_come_once() -> None:
    g = "def g(a):\n    # square\n    b = a * a\n    return b\n"
    assert _notes(g + marked("u = g(x)\nv = g(y)\nreturn u, v")) == [("square",), ()]


def test_places_are_code_points() -> None:
    program = function(marked("β = x * y; u = β + x\nreturn u"))
    spans = [s.outs[0].span for s in program.body]
    assert [(s.line, s.column, s.end_column) for s in spans if s] == [
        (3, 9, 14),
        (3, 20, 25),
    ]


def test_literals_know_their_names() -> None:
    source = "import math\nG = 9.81\nT = (1.0, 2.0)\n" + marked(
        "a, b = 175.0, -890\nc = a\nreturn x * a * b * c * G * math.pi * T[1] * 2"
    )
    found = [
        (a.value, a.name, a.origin)
        for s in function(source).body
        for a in s.inputs
        if isinstance(a, Literal)
    ]
    assert found == [
        (175.0, "a", Origin.LOCAL),
        (-890, "b", Origin.LOCAL),
        (175.0, "a", Origin.LOCAL),
        (9.81, "G", Origin.MODULE),
        (3.141592653589793, "math.pi", Origin.LIBRARY),
        (2.0, "", Origin.NUMBER),
        (2, "", Origin.NUMBER),
    ]


def test_parameters_keep_kind_annotation_and_default() -> None:
    signature = "a, /, b: 'float', n: int = 2, *, s: bool = True, m: str = 'it'"
    program = function(marked("return a * b * n", signature))
    assert [(p.passing.value, p.annotation, p.default) for p in program.parameters] == [
        ("/", "", None),
        ("", "float", None),
        ("", "int", "2"),
        ("*", "bool", "True"),
        ("*", "str", '"it"'),
    ]


def test_names_of_the_module() -> None:
    source = "import os.path as p\nfor i in (): pass\nclass C: pass\n" + marked(
        "return x"
    )
    assert reading(source).names == {"p", "i", "C", "f"}
