"""Pages and figures of functions that call others."""

import json

import pytest
from command import printed, said
from rounding.array_calls import ONE_OR_OTHER

CUBE = """\
def cube(t):
    return t * t * t


# ad: gradient, hessian, gradient(name="q", packed=True)
def f(x, y):
    return cube(x) * y + cube(y)
"""


@pytest.mark.parametrize(
    "words",
    [
        ("--graph", "p.html"),
        ("--graph", "p.svg", "--at", "x=1.0, y=2.0"),
        ("--report", "p.html", "--at", "x=1.0, y=2.0"),
        ("--emit", "ir"),
        ("--emit", "sequence"),
        ("--explain",),
        ("--explain", "--cost", "fma"),
    ],
)
def test_every_page_is_made(tool, words):
    tool.write("cube.py", CUBE)
    run = tool("cube.py", "--inline", "never", *words)
    assert run.returncode == 0, said(run)


def test_explain_names_what_is_kept(tool):
    tool.write("cube.py", CUBE)
    run = tool("cube.py", "--inline", "never", "--explain")
    assert "  kept          as functions: _cube" in printed(run)
    run = tool("cube.py", "--explain", "--output-format", "json", "--inline", "never")
    assert [one["kept"] for one in json.loads(printed(run))] == [["_cube"]] * 3
    assert "kept" not in printed(tool("cube.py", "--explain"))


ESTIMATED = """\
def norm(u):
    s = 0.0
    for v in u:
        s += v * v
    return s


def square(t):
    return t * t * 3.0


# ad: error, error(report=True, name="g")
def f(x, u: "Vector[n]"):
    return norm(u) + square(x)
"""


def test_explain_says_what_an_estimate_keeps_and_what_it_inlines(tool):
    tool.write("norm.py", ESTIMATED)
    text = printed(tool("norm.py", "--inline", "never", "--explain"))
    kept = "_norm (adjoint), _square (adjoint)"
    assert f"  kept          as functions: {kept}" in text
    assert "it takes or gives arrays" not in text
    assert "  inlined       all functions (a report is about each operation)" in text
    assert "inlined" not in printed(tool("norm.py", "--explain"))


def test_explain_says_that_functions_of_arrays_are_inlined(tool):
    tool.write("h.py", ONE_OR_OTHER.replace("MARK", "error"))
    text = printed(tool("h.py", "--inline", "never", "--explain"))
    for name in "gh":
        assert f"{name} (it takes or gives arrays)" in text


def test_errors_are_attributed_inside_of_functions_that_are_kept(tool):
    tool.write("cube.py", CUBE.replace("gradient, hessian,", "error,"))
    words = "--explain", "--at", "x=1.1, y=2.0"
    text = printed(tool("cube.py", "--inline", "never", *words))
    assert "cube.py:2:12-20" in text and "t * t * t" in text
