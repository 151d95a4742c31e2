"""Pages and figures of functions that call others."""

import json

import pytest
from command import printed, said

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
