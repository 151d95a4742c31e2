"""Which line loses the digits: as a result, and on the command line."""

from __future__ import annotations

import json
from typing import Any

import pytest
from command import Tool
from rounding.test_estimates import near

SOURCE = """\
import math


# ad: error(report=True), error(model="actual", report=True)
# ad: error(model="iri", report=True), error(model="enclosure", report=True)
# ad: error(x, report=True, literals="decimal", name="with_inputs")
def f(x: float):
    root = math.sqrt(1.1 + x * x)
    return 3.0 * (root - x)
"""


@pytest.fixture
def tool(tmp_path: Any) -> Tool:
    made = Tool(tmp_path)
    made.write("r.py", SOURCE)
    return made


@pytest.fixture
def scope(tool: Tool) -> dict[str, Any]:
    run = tool("r.py", "-o", "-")
    assert run.returncode == 0, run.stderr.decode()
    found: dict[str, Any] = {}
    exec(run.stdout, found)
    return found


@pytest.mark.parametrize("name", ["", "_actual", "_iri", "_enclosure"])
def test_the_report_names_the_line(scope: dict[str, Any], name: str) -> None:
    rows = scope[f"f_err{name}"](1e5)[-1]
    places, texts, operations, bounds, actual, digits = zip(*rows, strict=True)
    assert places == ("r.py:8:28", "r.py:8:22", "r.py:8:12", "r.py:9:19", "r.py:9:12")
    assert texts[:3] == ("x * x", "1.1 + x * x", "math.sqrt(1.1 + x * x)")
    assert operations == ("*", "+", "sqrt", "-", "*")
    assert sum(bounds) == near(1.0)
    assert sum(actual) == near(1.0)
    assert max(zip(bounds, places, strict=True))[1].startswith("r.py:8:")
    assert max(zip(digits, places, strict=True)) == (digits[3], "r.py:9:19")
    assert digits[3] == near(10.3, abs=0.1)


def test_a_report_of_all_that_errs(scope: dict[str, Any]) -> None:
    rows = scope["with_inputs"](1e5)[-1]
    assert [row[2] for row in rows[-2:]] == ["input x", "literal 1.1"]
    assert sum(row[3] for row in rows) == near(1.0)


def test_the_report_changes_no_estimate(scope: dict[str, Any], tool: Tool) -> None:
    tool.write("r.py", SOURCE.replace("report=True", "order=reverse"))
    plain: dict[str, Any] = {}
    exec(tool("r.py", "-o", "-").stdout, plain)
    for name in ("f_err", "f_err_actual", "f_err_iri", "f_err_enclosure"):
        assert scope[name](0.7)[:-1] == plain[name](0.7)


# --- the command line -----------------------------------------------------------------

MODEL = """\
import math


# ad: gradient, error
def f(x: float, k=2.0):
    root = math.sqrt(1.1 + x * x)
    return 3.0 * (root - x) + math.exp(-k * k)


# ad: error(x)
def g(x: float, y: float):
    return x - y, x / y
"""


def test_shares_for_given_inputs(tool: Tool) -> None:
    tool.write("m.py", MODEL)
    run = tool("m.py", "--explain", "--at", "x=1e5, y=3", "--output-format", "json")
    gradient, first, second = json.loads(run.stdout)
    assert "at" not in gradient
    assert first["at"] == {"x": 1e5}
    assert first["raises"] is None
    (result,) = first["results"]
    assert abs(result["error"]) <= result["bound"]
    assert result["loses_digits"] == "m.py:7:19"
    assert {row["line"] for row in result["rows"]} == {6, 7}
    spans = [
        (r["line"], r["column"], r["end_line"], r["end_column"]) for r in result["rows"]
    ]
    assert (6, 22, 6, 33) in spans
    assert sum(row["bound"] for row in result["rows"]) == near(1.0)
    unknown = [r["operation"] for r in result["rows"] if r["error"] is None]
    assert unknown == ["exp"]
    assert [len(r["rows"]) for r in second["results"]] == [2, 2]
    assert first["graph"] == {"vertices": None, "edges": None}


def test_the_table_as_text(tool: Tool) -> None:
    tool.write("m.py", MODEL)
    text = tool("m.py", "--explain", "--at", "x=1e5, y=0").stdout.decode()
    assert "m.py:6:12-33" in text and "math.sqrt(1.1 + x * x)" in text
    assert "m.py:7:19 loses the digits: 10.3 cancel there" in text
    assert "raises ZeroDivisionError" in text


def test_places_in_helpers_and_on_several_lines(tool: Tool) -> None:
    helper = "def half(x):\n    return x / 3.0\n\n\n"
    body = "def f(x):\n    return (half(x)\n        - x)\n"
    tool.write("m.py", f"{helper}# ad: error\n{body}")
    text = tool("m.py", "--explain", "--at", "x=1.0").stdout.decode()
    assert "m.py:2:12-18" in text
    assert "m.py:7:13-8:11" in text and "half(x) - x" in text


@pytest.mark.parametrize("mark", ["error", 'error(powers="multiply")'])
def test_the_options_of_mark_and_command_line_hold(tool: Tool, mark: str) -> None:
    """What is attributed is what is generated: `x * x`, not `x**2`."""
    tool.write("m.py", f"# ad: {mark}\ndef f(x):\n    return x**2 + 1.0\n")
    words = () if "powers" in mark else ("--powers", "multiply")
    run = tool("m.py", "--explain", "--at", "x=1.1", *words, "--output-format", "json")
    (figures,) = json.loads(run.stdout)
    (result,) = figures["results"]
    assert [row["operation"] for row in result["rows"]] == ["*", "+"]


def test_cancellation_of_exact_values_loses_nothing(tool: Tool) -> None:
    tool.write("m.py", MODEL.replace("error(x)", "error"))
    call = ("m.py", "--explain", "--output-format", "json", "--at")
    *_, second = json.loads(tool(*call, "x=1.0000001, y=1").stdout)
    assert second["results"][0]["rows"][0]["digits"] == near(7.0, abs=0.1)
    assert second["results"][0]["loses_digits"] is None


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("x=1", "no value is given for 'y' of 'g'"),
        ("x=1, y=2, z=3", "has a parameter 'z'"),
        ("x=1, y=[1, 2]", "'y' takes 1 numbers"),
        ('x=1, y="a"', "'y' takes a number, not 'a'"),
        ("x", "--at takes values like"),
        ("x=y", "--at takes values like"),
    ],
)
def test_inputs_that_do_not_fit(tool: Tool, at: str, said: str) -> None:
    tool.write("m.py", MODEL)
    run = tool("m.py", "--explain", "--at", at)
    assert run.returncode == 2
    assert said in run.stderr.decode()


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("[1.0, 'a']", "takes a number, not 'a'"),
        ("[[1.0], 2.0]", "takes an array of 1 dims"),
        ("1.0", "takes an array of 1 dims"),
    ],
)
def test_arrays_that_do_not_fit(tool: Tool, value: str, said: str) -> None:
    tool.write("m.py", '# ad: error\ndef f(v: "Vector[n]"):\n    return v[0] * v[1]\n')
    run = tool("m.py", "--explain", "--at", f"v={value}")
    assert run.returncode == 2 and said in run.stderr.decode()


def test_inputs_are_for_explanations_of_errors(tool: Tool) -> None:
    tool.write("m.py", MODEL)
    assert b"--at goes with --explain" in tool("m.py", "--at", "x=1").stderr
    tool.write("m.py", "# ad: gradient\ndef f(x):\n    return x * x\n")
    assert b"mark one `error`" in tool("m.py", "--explain", "--at", "x=1").stderr
