"""--graph through the real command."""

from __future__ import annotations

import os

import pytest
from command import MODEL, printed, said

LONG = "# ad: gradient\ndef f(x):\n    y = x\n" + "    y = y * x + y\n" * 251
LONG += "    return y\n"


@pytest.mark.parametrize(
    "name, beginning",
    [("g.svg", "<!-- "), ("g.html", "<!DOCTYPE html>"), ("g.dot", "// ")],
)
def test_it_draws_and_writes_nothing_else(tool, name, beginning):
    run = tool("model.py", "--graph", name)
    assert run.returncode == 0 and said(run) == f"wrote {name}\n" and not run.stdout
    assert tool.names == sorted([name, "model.py"])
    text = tool.read(name)
    assert text.startswith(beginning) and text.endswith("\n")
    assert "gradient of energy with respect to x and k" in text


def test_the_ending_may_be_written_large(tool):
    assert tool("model.py", "--graph", "G.SVG").returncode == 0


def test_a_current_picture_is_left_alone(tool):
    tool("model.py", "--graph", "g.svg")
    os.utime(tool.folder / "g.svg", (0, 0))
    run = tool("model.py", "--graph", "g.svg", "--exit-nonzero-on-write")
    assert run.returncode == 0 and "current" in said(run)
    assert (tool.folder / "g.svg").stat().st_mtime == 0


def test_writing_can_fail_a_hook(tool):
    run = tool("model.py", "--graph", "g.svg", "--exit-nonzero-on-write")
    assert run.returncode == 1 and "wrote g.svg" in said(run)


def test_an_older_picture_is_replaced(tool):
    tool("model.py", "--graph", "g.svg")
    before = tool.read("g.svg")
    tool.write("model.py", MODEL.replace("sin", "cos"))
    assert tool("model.py", "--graph", "g.svg").returncode == 0
    assert tool.read("g.svg") != before


def test_what_is_not_ours_is_kept(tool):
    tool.write("g.html", "mine\n")
    run = tool("model.py", "--graph", "g.html")
    assert run.returncode == 2 and "AD006" in said(run)
    assert tool.read("g.html") == "mine\n"
    assert tool("model.py", "--graph", "g.html", "--force").returncode == 0
    assert "mine" not in tool.read("g.html")


def test_an_edited_picture_is_kept(tool):
    tool("model.py", "--graph", "g.dot")
    tool.write("g.dot", tool.read("g.dot") + "// mine\n")
    run = tool("model.py", "--graph", "g.dot")
    assert run.returncode == 2 and "AD007" in said(run)
    assert tool("model.py", "--graph", "g.dot", "--force").returncode == 0


def test_a_source_is_never_drawn_over(tool):
    tool.write("model.html")
    run = tool("model.html", "--graph", "model.html", "--force")
    assert run.returncode == 2 and "AD005" in said(run)
    assert tool.read("model.html") == MODEL


def test_a_folder_that_is_missing(tool):
    run = tool("model.py", "--graph", "nowhere/g.svg")
    assert run.returncode == 2 and "AD005" in said(run)
    assert tool.names == ["model.py"]


def test_links_are_followed(tool):
    (tool.folder / "link.svg").symlink_to("g.svg")
    assert tool("model.py", "--graph", "link.svg").returncode == 0
    assert (tool.folder / "link.svg").is_symlink() and "g.svg" in tool.names


def test_a_refused_source_draws_nothing(tool):
    tool.write("model.py", MODEL.replace("sin", "frexp"))
    run = tool("model.py", "--graph", "g.svg")
    assert run.returncode == 2 and "AD110" in said(run)
    assert tool.names == ["model.py"]


def test_without_marks_there_is_nothing_to_draw(tool):
    tool.write("model.py", "x = 1\n")
    run = tool("model.py", "--graph", "g.svg")
    assert run.returncode == 0 and "AD011" in said(run)
    assert tool.names == ["model.py"]


def test_stdin(tool):
    run = tool("-", "--graph", "g.svg", stdin=MODEL.encode())
    assert run.returncode == 0 and "&lt;stdin&gt;" in tool.read("g.svg")


@pytest.mark.parametrize(
    "words",
    [
        ("model.py", "--graph", "g.png"),
        ("model.py", "--graph", "g"),
        ("model.py", "--graph", ""),
        ("model.py", "other.py", "--graph", "g.svg"),
        ("model.py", "--graph", "g.svg", "--explain"),
        ("model.py", "--graph", "g.svg", "--diff"),
        ("model.py", "--graph", "g.svg", "-o", "x.py"),
    ],
    ids=" ".join,
)
def test_misuse(tool, words):
    tool.write("other.py")
    run = tool(*words)
    assert run.returncode == 2 and "Error: " in said(run)
    assert tool.names == ["model.py", "other.py"]


RECURSIVE = """\
# ad: gradient
def f(x, n: int):
    if n <= 0:
        return 1.0
    return x * f(x, n - 1)
"""


@pytest.mark.parametrize("cost", ["emitted", "fma"])
def test_calls_are_refused_by_name(tool, cost):
    tool.write("model.py", RECURSIVE)
    run = tool("model.py", "--graph", "g.svg", "--cost", cost)
    assert run.returncode == 2 and "functions that are called is not drawn" in said(run)


def test_a_report_shows_calls_without_a_graph(tool):
    tool.write("model.py", RECURSIVE)
    assert tool("model.py", "--report", "r.html").returncode == 0


@pytest.mark.parametrize("form", ["graph", "sequence"])
def test_what_has_no_graph_is_said(tool, form):
    tool.write("model.py", RECURSIVE)
    assert "# no graph of the whole" in printed(tool("model.py", "--emit", form))


def test_whole_arrays_have_no_values_at_a_point(tool):
    text = '# ad: gradient\ndef f(u: "Vector[n]"):\n    return u @ u\n'
    tool.write("model.py", text)
    run = tool("model.py", "--report", "r.html", "--at", "u=[1, 2]")
    assert run.returncode == 2 and "model.py:2:5: error[AD031]: 'u'" in said(run)


def test_too_large_a_graph_says_where_and_what_to_do(tool):
    plainly = "--effort", "0", "--order", "reverse"
    tool.write("long.py", LONG)
    run = tool("long.py", "--graph", "g.html", *plainly)
    assert run.returncode == 2
    assert "long.py:1:7: error[AD012]" in said(run) and ".dot" in said(run)
    assert tool("long.py", "--graph", "g.dot", *plainly).returncode == 0


def test_the_order_of_the_command_line_is_drawn(tool):
    tool("model.py", "--graph", "g.html", "--order", "forward")
    assert "order forward" in tool.read("g.html")


def test_the_plain_count_of_explain_is_the_one_drawn(tool):
    tool("model.py", "--graph", "g.html", "--cost", "fma")
    run = tool("model.py", "--explain", "--cost", "fma", "--output-format", "json")
    cost = printed(run).partition('"chosen": {')[2].partition('"cost": ')[2]
    assert f'<td class="total">{cost.partition(",")[0]}</td>' in tool.read("g.html")


def test_errors_as_json(tool):
    tool.write("g.svg", "mine\n")
    run = tool("model.py", "--graph", "g.svg", "--output-format", "json")
    assert run.returncode == 2 and '"AD006"' in said(run)
