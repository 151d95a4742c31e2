"""What a person sees: colours, progress, completion, --watch and --emit."""

import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from command import MODEL, ROOT, printed, said

from ad_transform.derive.progress import PLANNER, REQUEST, doing, listening
from ad_transform.elementals import TABLE
from ad_transform.eliminate import parse_sequence
from ad_transform.graph import parse_graph
from ad_transform.ir.parse import parse_function
from ad_transform.run import progress as module
from ad_transform.run.colour import coloured, paint_for, plain
from ad_transform.run.progress import Progress


class Terminal(io.StringIO):
    """A stream that somebody looks at."""

    def fileno(self):
        return self.descriptor

    descriptor = -1


@pytest.fixture
def terminal():
    above, below = os.openpty()
    stream = Terminal()
    stream.descriptor = below
    yield stream
    os.close(above)
    os.close(below)


ENVIRONMENTS = [
    ({}, coloured, plain),
    ({"NO_COLOR": "1"}, plain, plain),
    ({"NO_COLOR": ""}, coloured, plain),
    ({"FORCE_COLOR": "1"}, coloured, coloured),
    ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, plain, plain),
    ({"TERM": "dumb"}, plain, plain),
]


@pytest.mark.parametrize("environment, there, elsewhere", ENVIRONMENTS)
def test_colours(terminal, environment, there, elsewhere):
    assert paint_for(terminal, environment) is there
    assert paint_for(io.StringIO(), environment) is elsewhere


def test_only_what_is_for_people_is_coloured(tool):
    tool.write("model.py", "def f(:\n")
    force = {"FORCE_COLOR": "1"}
    text = said(tool("model.py", env=force))
    assert "\x1b[1;31merror[AD003]\x1b[0m" in text and "\x1b[1mmodel.py:1:" in text
    assert "\x1b" not in said(tool("model.py"))
    for form in ("json", "github"):
        assert "\x1b" not in said(tool("model.py", "--output-format", form, env=force))


def test_progress_is_shown_late_and_erased(terminal, monkeypatch):
    monkeypatch.setattr(module, "_PATIENCE", 0.0)
    with Progress(terminal, heard=True) as progress, listening(progress.doing):
        progress.begin("model.py")
        doing(REQUEST, "gradient of f")
        doing(PLANNER, "order reverse")
        progress.show()
        assert "model.py: gradient of f: order reverse (0 s)" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[2K")


def test_what_is_quick_shows_none(terminal):
    with Progress(terminal, heard=True) as progress:
        progress.begin("model.py")
        progress.show()
    assert terminal.getvalue() == ""


def test_elsewhere_there_is_none(monkeypatch):
    monkeypatch.setattr(module, "_PATIENCE", 0.0)
    stream = io.StringIO()
    with Progress(stream, heard=True) as progress:
        progress.begin("model.py")
    assert stream.getvalue() == ""


def test_completion(tool):
    script = tool(env={"_AD_TRANSFORM_COMPLETE": "bash_source"})
    assert script.returncode == 0 and "complete" in printed(script)
    words = {"COMP_WORDS": "ad-transform --order rev", "COMP_CWORD": "2"}
    run = tool(env={"_AD_TRANSFORM_COMPLETE": "bash_complete", **words})
    assert run.returncode == 0 and printed(run) == "plain,reverse\n"


def test_options_of_generation_are_in_the_help(tool):
    text = printed(tool("--help"))
    assert "--unroll" in text and "--target" in text and "--emit" in text


def emitted(tool, form, *words):
    run = tool("model.py", "--emit", form, *words)
    assert run.returncode == 0 and tool.names == ["model.py"]
    return printed(run)


def test_programs_are_emitted(tool):
    parts = emitted(tool, "ir").split("# energy")
    texts = [part.partition("\n")[2] for part in parts if part]
    functions = [parse_function(text, TABLE) for text in texts]
    names = [function.name for function in functions]
    assert names[0] == "energy" and set(names[1:]) == {"energy_grad"}


def test_programs_are_emitted_after_every_pass(tool):
    titles = [line for line in emitted(tool, "ir").splitlines() if line[:1] == "#"]
    assert titles[0] == "# energy, as read"
    assert titles[1].endswith(": accumulate") and titles[-1] == "# energy_grad"
    assert any(title.endswith(": factor sums") for title in titles)


def test_graphs_and_steps_are_emitted(tool):
    for words in ((), ("--cost", "fma"), ("--order", "forward")):
        graph = parse_graph(emitted(tool, "graph", *words))
        steps = parse_sequence(emitted(tool, "sequence", *words))
        assert len(graph.edges) == 3 and len(steps.steps) == 1


TWICE = """
# ad: jacobian
def f(x, y):
    u = (x * y) * (x * y)
    v = (x * y) * u
    return u * v, u * x, v * y
"""


def test_steps_stand_under_the_order_that_they_are(tool):
    """Under the plain count the code comes from another graph, by another order."""
    tool.write("model.py", TWICE)
    plain = emitted(tool, "sequence", "--cost", "fma")
    assert plain.startswith("# f_jac, order forward\n")
    assert plain == emitted(tool, "sequence", "--cost", "fma", "--order", "forward")
    figures = tool("model.py", "--explain", "--cost", "fma", "--output-format", "json")
    assert json.loads(figures.stdout)[0]["printed"]["order"] == "markowitz"


def test_emit_stands_alone(tool):
    assert tool("model.py", "--emit", "ir", "--check").returncode == 2
    assert tool("model.py", "--emit", "ir", "-o", "x.py").returncode == 2


def until(process, holds):
    end = time.monotonic() + 60
    while not holds() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    assert holds(), process.stderr.read() if process.poll() is not None else ""


def test_watching(tool):
    command = [sys.executable, "-m", "ad_transform", ".", "--watch"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        command,
        cwd=tool.folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
    )
    signal.signal(signal.SIGINT, before)
    output = tool.folder / "model_grad.py"
    until(process, output.exists)
    tool.write("model.py", MODEL.replace("sin", "exp"))
    until(process, lambda: "exp" in output.read_text())
    tool.write("other.py")
    until(process, (tool.folder / "other_grad.py").exists)
    process.send_signal(signal.SIGINT)
    _, text = process.communicate(timeout=30)
    assert process.returncode == 130
    assert text.decode().splitlines()[-1] == "interrupted"
    assert "Traceback" not in text.decode()


@pytest.mark.parametrize("words", [("-",), ("--check",), ("model.py", "-o", "-")])
def test_watching_writes_files(tool, words):
    assert tool("--watch", *words).returncode == 2
