"""The cache and -j: another time, the same outcome."""

import os
import signal
import subprocess
import sys
import time

import pytest
from command import MODEL, ROOT, Tool, printed, said

WARNING = "# ad: gradient\ndef f(x, y):\n    return x * x\n"
BAD = MODEL.replace("math.sin(x)", "math.frexp(x)")


@pytest.fixture
def several(tool):
    for k in range(3):
        tool.write(f"m{k}.py", MODEL.replace("2.0", f"{k}.5"))
    tool.write("odd.py", WARNING)
    tool.write("bad.py", BAD)
    return tool


def seen(run):
    return run.returncode, said(run), printed(run)


def test_nothing_is_said_otherwise(several):
    words = (".", "-v")
    fresh = several("--check", *words)
    again = several("--check", *words)
    without = several("--check", *words, "--no-cache")
    apart = several("--check", *words, "--no-cache", "-j", "3")
    assert seen(fresh) == seen(again) == seen(without) == seen(apart)
    assert fresh.returncode == 2 and "AD030" in said(fresh) and "AD110" in said(fresh)


def test_processes_write_what_one_writes(several):
    run = several(".", "-j", "2", "--no-cache")
    assert run.returncode == 2
    texts = {name: several.read(name) for name in several.names if "_grad" in name}
    for name in texts:
        (several.folder / name).unlink()
    assert seen(several(".", "-j", "0")) == seen(run)
    assert texts == {n: several.read(n) for n in several.names if "_grad" in n}


def test_the_cache_stands_at_the_root_of_the_repository(tool):
    tool.write(".git/HEAD", "")
    tool()
    tool("model.py")
    assert ".ad_transform_cache" in tool.names
    entry = next(
        path
        for path in (tool.folder / ".ad_transform_cache").iterdir()
        if len(path.name) == 40
    )
    entry.write_bytes(b"nonsense")
    assert said(tool("--check", "model.py")) == "1 file: 1 current\n"


def test_no_cache_leaves_none(tool):
    tool.write(".git/HEAD", "")
    tool("model.py", "--no-cache")
    assert ".ad_transform_cache" not in tool.names


def test_outside_a_project_there_is_none(tmp_path):
    if any((above / ".git").exists() for above in tmp_path.parents):
        pytest.skip("the folder of the tests is in a repository")
    lone = Tool(tmp_path)
    lone.write("model.py")
    assert lone("model.py").returncode == 0
    assert lone.names == ["model.py", "model_grad.py"]


SLOW = "# ad: hessian(effort=3)\ndef f(x, y):\n    z = x * y\n" + (
    "    z = z * x + y * z\n" * 300 + "    return z\n"
)


def test_an_interrupt_ends_all_processes(tool):
    for k in range(3):
        tool.write(f"slow{k}.py", SLOW.replace("x * y", f"x * y * {k}.5"))
    command = [sys.executable, "-m", "ad_transform", ".", "-j", "2"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        command,
        cwd=tool.folder,
        env=environment,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    signal.signal(signal.SIGINT, before)
    group = os.getpgid(process.pid)
    while len(_of_group(group)) < 3 and process.poll() is None:
        time.sleep(0.05)
    os.killpg(group, signal.SIGINT)
    _, text = process.communicate(timeout=30)
    assert process.returncode == 130, text
    assert b"Traceback" not in text
    assert not _of_group(group)


def _of_group(group):
    """The processes of a group that are not dead."""
    run = subprocess.run(
        ["ps", "-eo", "pid=,pgid=,stat="], capture_output=True, text=True, check=True
    )
    rows = [line.split() for line in run.stdout.splitlines()]
    return [pid for pid, of, state in rows if int(of) == group and state[0] != "Z"]
