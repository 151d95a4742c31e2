"""--check and --diff: what is current, and what is not."""

import subprocess
import sys

import pytest
from command import MODEL, printed, said


@pytest.fixture
def made(tool):
    """A tool whose output is current."""
    assert tool("model.py").returncode == 0
    return tool


def edit(tool, old, new, name="model_grad.py"):
    path = tool.folder / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_current(made):
    run = made("model.py", "--check")
    assert run.returncode == 0
    assert run.stdout == b""


def test_missing(tool):
    run = tool("model.py", "--check")
    assert run.returncode == 1
    assert "AD009" in said(run) and "ad-transform model.py" in said(run)
    assert tool.names == ["model.py"]


def test_stale(made):
    edit(made, "sin", "exp", "model.py")
    run = made("model.py", "--check")
    assert run.returncode == 1
    assert "AD009" in said(run)
    assert "exp" not in made.read("model_grad.py")


def test_other_options_make_it_stale(made):
    assert made("model.py", "--check", "--order", "forward").returncode == 1
    assert made("model.py", "--check", "--line-length", "60").returncode == 1


def test_edited(made):
    edit(made, "cos(x)", "sin(x)")
    run = made("model.py", "--check")
    assert run.returncode == 1
    assert "AD007" in said(run)


def test_not_ours(tool):
    tool.write("model_grad.py", "x = 1\n")
    run = tool("model.py", "--check")
    assert run.returncode == 1
    assert "AD006" in said(run)


def test_unrelated_edits_of_the_source_do_not_matter(made):
    edit(made, "import math\n", "import math\n\nOTHER = 3  # new\n\n", "model.py")
    assert made("model.py", "--check").returncode == 0


@pytest.mark.parametrize("length", ["40", "120"])
def test_black_may_lay_it_out_anew(made, length):
    path = made.folder / "model_grad.py"
    # quotes and blank lines as other formatters like them
    path.write_text(path.read_text().replace("\n\n\n", "\n\n").replace('"""', "'''"))
    subprocess.run(
        [sys.executable, "-m", "black", "-q", "-l", length, str(path)], check=True
    )
    run = made("model.py", "--check")
    assert run.returncode == 0
    assert made("model.py", "--exit-nonzero-on-write").returncode == 0


def test_a_new_layout_is_noted(made):
    edit(made, "\n\n\ndef", "\n\n\n\ndef")
    run = made("model.py", "--check")
    assert run.returncode == 0
    assert "AD010" in said(run)
    laid = made.read("model_grad.py")
    assert made("model.py").returncode == 0
    assert made.read("model_grad.py") == laid
    made("model.py", "--force")
    assert made.read("model_grad.py") != laid


def test_line_ends_of_git_do_not_matter(made):
    path = made.folder / "model_grad.py"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    run = made("model.py", "--check")
    assert run.returncode == 0
    assert "AD010" not in said(run)
    assert made("model.py", "--exit-nonzero-on-write").returncode == 0


def test_comments_before_the_header_do_not_matter(made):
    path = made.folder / "model_grad.py"
    path.write_text("#!/usr/bin/env python3\n# (c) us\n" + path.read_text())
    assert made("model.py", "--check").returncode == 0


def test_without_marks(tool):
    tool.write("model.py", "x = 1\n")
    run = tool("model.py", "--check")
    assert run.returncode == 0
    assert "AD011" in said(run)


def test_without_marks_any_more(made):
    made.write("model.py", "x = 1\n")
    run = made("model.py", "--check")
    assert run.returncode == 1
    assert "leftover" in said(run)


def test_without_marks_beside_a_stranger(tool):
    tool.write("model.py", "x = 1\n")
    tool.write("model_grad.py", "y = 1\n")
    assert tool("model.py", "--check").returncode == 0


def test_a_source_that_is_refused(made):
    edit(made, "sin", "frexp", "model.py")
    assert made("model.py", "--check").returncode == 2


def test_stdin_needs_a_name(made):
    assert made("-", "--check", stdin=MODEL.encode()).returncode == 2
    named = ("-", "--check", "--stdin-filename", "model.py")
    assert made(*named, stdin=MODEL.encode()).returncode == 0
    assert made(*named, stdin=MODEL.replace("sin", "exp").encode()).returncode == 1


def test_stdout_cannot_be_checked(made):
    for flag in ("--check", "--diff"):
        run = made("model.py", flag, "-o", "-")
        assert run.returncode == 2
        assert "Usage" in said(run)


def test_diff(made):
    edit(made, "sin", "exp", "model.py")
    run = made("model.py", "--diff")
    assert run.returncode == 0
    lines = printed(run).splitlines()
    assert lines[:2] == ["--- model_grad.py", "+++ model_grad.py"]
    assert made("model.py", "--check", "--diff").returncode == 1
    assert made("model.py", "--check", "--diff").stdout == run.stdout


def test_diff_of_what_is_current(made):
    run = made("model.py", "--diff")
    assert (run.returncode, run.stdout) == (0, b"")


def test_the_diff_is_a_patch(made, tool):
    edit(made, "sin", "exp", "model.py")
    patch = made("model.py", "--diff").stdout
    subprocess.run(["patch", "-p0"], input=patch, cwd=made.folder, check=True)
    assert made("model.py", "--check").returncode == 0


def test_diff_of_what_is_missing(tool):
    lines = printed(tool("model.py", "--diff")).splitlines()
    assert lines[:2] == ["--- /dev/null", "+++ model_grad.py"]
    assert tool.names == ["model.py"]
