"""How long the tool itself takes, from the command line to the written file."""

import subprocess
import sys
import time

import pytest
from command import ROOT, Tool

LAYER = """\
import math


def layer(x, y, k):
    u = math.sin(x) * y + k
    v = x * x - 0.5 * y
    w = u / (1.0 + v * v)
    return w, u - w
"""  # ten operations


def program(operations):
    """A marked function of so many operations, through inlined calls."""
    calls = [f"    x, y = layer(x, y, {k}.5)" for k in range(operations // 10)]
    lines = (LAYER, "", "# ad: gradient", "def f(x, y):", *calls, "    return x + y")
    return "\n".join(lines) + "\n"


def seconds(command, **options):
    """The best of three runs."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, **options)
        times.append(time.perf_counter() - start)
    return min(times)


@pytest.mark.parametrize(
    "operations, limit", [(100, 0.4), (10_000, 1.5), (100_000, 15.0)]
)
def test_from_source_to_file(tmp_path, operations, limit):
    tool = Tool(tmp_path)
    tool.write("model.py", program(operations))
    command = [sys.executable, "-m", "ad_transform", "model.py", "--force"]
    took = seconds(command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)})
    print(f"{operations} operations: {took:.2f} s")
    assert took < limit


def test_the_marks_cost_nothing():
    script = (
        "import sys, time; before = set(sys.modules); t = time.perf_counter()\n"
        "import ad_transform\n"
        "took = time.perf_counter() - t\n"
        "new = set(sys.modules) - before\n"
        "assert new == {'ad_transform'}, new\n"
        "assert took < 0.01, took\n"
    )
    command = [sys.executable, "-c", script]
    subprocess.run(command, check=True, env={"PYTHONPATH": str(ROOT)})


def test_help_is_quick():
    command = [sys.executable, "-m", "ad_transform", "--help"]
    bare = seconds([sys.executable, "-c", "pass"])
    assert seconds(command, env={"PYTHONPATH": str(ROOT)}) < bare + 0.25
