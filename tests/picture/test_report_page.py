"""`--report`: a source beside what is generated from it, shaded and linked by line."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from command import Tool, said

SOURCE = """\
import math


def half(x):
    return x / 3.0


# ad: gradient(value=True), error
def f(x, y=2.0):
    root = math.sqrt(1.1 + x * x)
    near = root - x
    return near * half(y)


# ad: hessian
def g(x, y):
    return math.exp(x * y)
"""


@pytest.fixture
def tool(tmp_path):
    made = Tool(tmp_path)
    made.write("model.py", SOURCE)
    return made


class Rows(HTMLParser):
    """The lines of the listings: attributes and texts, by view."""

    def __init__(self):
        super().__init__()
        self.views = []
        self.open = []
        self.row = None

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag not in ("meta",):
            self.open.append(tag)
        if tag == "section":
            self.views.append({"source": [], "generated": [], "vertices": []})
        if tag == "table":
            self.table = found["class"]
        if tag == "tr" and ("data-l" in found or "data-from" in found):
            self.row = {**found, "text": ""}
            self.views[-1][self.table].append(self.row)
        if tag == "g" and "data-v" in found:
            self.views[-1]["vertices"].append(found)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        self.row = None if tag == "tr" else self.row

    def handle_data(self, text):
        if self.row is not None and self.open[-1] == "code":
            self.row["text"] += text


def views(tool, *words):
    run = tool("model.py", "--report", "r.html", *words)
    assert run.returncode == 0, said(run)
    rows = Rows()
    rows.feed(tool.read("r.html"))
    assert not rows.open
    return rows.views


def shade(row, m):
    found = re.search(rf"--m{m}:([\d.]+)", row.get("style", ""))
    return float(found[1]) if found else 0.0


def test_the_line_that_loses_digits_is_told(tool):
    gradient, error, _ = views(tool, "--at", "x=1e5, y=2")
    for view in (gradient, error):
        near = view["source"][10]
        assert near["text"].strip() == "near = root - x"
        assert "root - x cancels 10.3 digits" in near["data-tip"]
        assert shade(near, 1) > 0.6
        assert sum(shade(row, 0) for row in view["source"]) == pytest.approx(
            1, abs=0.01
        )
    assert "of the bound" in error["source"][9]["data-tip"]


def test_shares_of_the_operations_add_up(tool):
    for view in views(tool):
        for m in (0, 1):
            total = sum(shade(row, m) for row in view["source"])
            assert total == pytest.approx(1, abs=0.01)


def test_generated_lines_know_their_source(tool):
    gradient, *_ = views(tool)
    origins = {row["text"].strip(): row["data-from"] for row in gradient["generated"]}
    root = next(text for text in origins if text.startswith("root = "))
    assert origins[root] == "10"
    returned = next(text for text in origins if text.startswith("return"))
    assert "12" in origins[returned].split()


def test_vertices_know_their_source(tool):
    *_, hessian = views(tool)
    lines = {v["data-n"]: v.get("data-l") for v in hessian["vertices"]}
    assert lines["x"] is None and "17" in lines.values()


def test_what_cannot_be_shown_is_said(tool):
    text = tool.read("r.html") if views(tool, "--at", "x=1, y=0") else ""
    assert "at x=1, y=0" in text
    tool.write("model.py", "# ad: gradient\ndef f(x):\n    return 1.0 / x\n")
    views(tool, "--at", "x=0.0")
    assert "the function raises ZeroDivisionError" in tool.read("r.html")


def test_the_text_is_alone_and_always_the_same(tool):
    views(tool, "--at", "x=1.5, y=2")
    first = tool.read("r.html")
    env = {"PYTHONHASHSEED": "7"}
    run = tool("model.py", "--report", "r.html", "--at", "x=1.5, y=2", env=env)
    assert "current" in said(run) and tool.read("r.html") == first
    text = first.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//www|@import|url\(|fetch\(", text)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--report", "r.txt"], "ends in .html"),
        (["--report", "r.html", "--graph", "g.html"], "one at a time"),
        (["--report", "r.html", "--check"], "goes with none of"),
        (["--report", "r.html", "-o", "x.py"], "drop -o"),
        (["--report", "r.html", "--at", "z=1"], "no marked function has a parameter"),
        (["--report", "r.html", "--at", "x=1"], "no value is given for 'y' of 'g'"),
        (["--at", "x=1"], "--at goes with"),
    ],
)
def test_misuse(tool, words, message):
    run = tool("model.py", *words)
    assert run.returncode == 2 and message in said(run)
    assert tool.names == ["model.py"]


def test_numbers_in_a_graph(tool):
    run = tool("model.py", "--graph", "g.svg", "--at", "x=3.0, y=6.0")
    assert run.returncode == 0, said(run)
    text = tool.read("g.svg")
    assert "sqrt = 3.178" in text  # the value of root
    assert "= 0.9439" in text or "= 0.1573" in text  # x / root, 0.5 / root
