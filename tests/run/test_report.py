"""The four formats, and sources that are hard to quote."""

import json

import pytest

from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.run.report import Finding, concise, full, github, render, source_lines

LINES = source_lines(b"import math\n\n\ndef f(x):\n    return math.frexp(x)\n")
PLACED = Diagnostic("AD110", "no derivative of math.frexp", Span(5, 12, 5, 25), "do: x")
PLACELESS = Diagnostic("AD001", "cannot be read")


def test_concise():
    line = "a.py:5:12: error[AD110]: no derivative of math.frexp"
    assert concise(Finding("a.py", PLACED, LINES)) == line
    assert concise(Finding("a.py", PLACELESS)) == "a.py: error[AD001]: cannot be read"


def test_full():
    assert full(Finding("a.py", PLACED, LINES)).splitlines() == [
        "a.py:5:12: error[AD110]: no derivative of math.frexp",
        "  |",
        "5 |     return math.frexp(x)",
        "  |            ^^^^^^^^^^^^^",
        "  = help: do: x",
    ]


def test_github():
    assert github(Finding("a,b.py", PLACED, LINES)) == (
        "::error title=ad-transform (AD110),file=a%2Cb.py,line=5,col=12,endLine=5,"
        "endColumn=25::a,b.py:5:12: AD110 no derivative of math.frexp%0Ahelp: do: x"
    )
    note = Diagnostic("AD010", "100% current")
    assert github(Finding("a.py", note)) == (
        "::notice title=ad-transform (AD010),file=a.py::a.py: AD010 100%25 current"
    )


def test_json():
    findings = [Finding("a.py", PLACED, LINES), Finding("b.py", PLACELESS)]
    first, second = json.loads(render(findings, "json"))
    assert first == {
        "code": "AD110",
        "severity": "error",
        "path": "a.py",
        "line": 5,
        "column": 12,
        "end_line": 5,
        "end_column": 25,
        "message": "no derivative of math.frexp",
        "help": "do: x",
    }
    assert second["line"] is None and second["help"] is None


def quoted(text, *span):
    """The quoted line and the carets below it."""
    lines = full(
        Finding(
            "a.py", Diagnostic("AD102", "no", Span(*span)), source_lines(text.encode())
        )
    )
    _, _, line, carets = lines.split("\n")
    return line.partition("| ")[2], carets.partition("| ")[2]


def test_nothing_is_quoted_of_what_is_no_text():
    assert source_lines(b"# coding: undefined\n") == ()
    assert source_lines(b"s = '\xff'\n") == ()


def test_tabs_stay_tabs():
    assert quoted("\tx = y\n", 1, 6, 1, 7) == ("\tx = y", "\t    ^")


def test_wide_characters_take_two_columns():
    assert quoted("力 = 質量\n", 1, 5, 1, 7) == ("力 = 質量", "     ^^^^")


def test_only_python_line_ends_count():
    assert quoted("a = 1 \x0c\r\nb = 2\rc = 3\n", 3, 1, 3, 2)[0] == "c = 3"


def test_escape_characters_do_not_reach_the_terminal():
    assert "\x1b" not in full(
        Finding("\x1b.py", Diagnostic("AD102", "\x1b", Span(1, 1, 1, 2)), ("\x1b[2J",))
    )


def test_a_span_of_many_lines_is_marked_on_the_first():
    assert quoted("f(a,\n  b)\n", 1, 2, 2, 5) == ("f(a,", " ^^^")


def test_a_long_line_is_cut_around_the_place():
    text = "y = " + "x + " * 5000 + "z\n"
    line, carets = quoted(text, 1, 20005, 1, 20006)
    assert len(line) < 120
    assert line[carets.index("^")] == "z"
    line, carets = quoted(text, 1, 9, 1, 10)
    assert len(line) < 120 and line.endswith("...")
    assert line[carets.index("^")] == "x"


@pytest.mark.parametrize("span", [(9, 1, 9, 2), (1, 80, 1, 90)])
def test_a_place_outside_the_text_is_no_crash(span):
    diagnostic = Diagnostic("AD003", "unexpected end", Span(*span))
    assert "unexpected end" in full(Finding("a.py", diagnostic, ("x = (",)))
