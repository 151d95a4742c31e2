"""Files that a source imports from: `--check`, the cache and `--watch` notice them."""

import os
import signal
import subprocess
import sys

import pytest
from command import ROOT, printed, said
from test_terminal import until

MODEL = """\
from .materials import conductivity


# ad: gradient, error
def flux(t):
    return conductivity(t) * t
"""
MATERIALS = "K0 = 16.2\n\n\ndef conductivity(t):\n    return K0 * (1.0 + t)\n"


@pytest.fixture
def project(tool):
    tool.write("thermal/__init__.py", "")
    tool.write("thermal/model.py", MODEL)
    tool.write("thermal/materials.py", MATERIALS)
    return tool


@pytest.mark.parametrize("words", [(), ("--no-cache",)])
def test_check_notices_what_changes_elsewhere(project, words):
    assert project("thermal/model.py", *words).returncode == 0
    check = ("thermal/model.py", "--check", *words)
    assert project(*check).returncode == 0
    project.write("thermal/materials.py", MATERIALS.replace("16.2", "17.5"))
    assert project(*check).returncode == 1
    project.write("thermal/materials.py", MATERIALS)
    assert project(*check).returncode == 0
    nearer = "thermal/materials/__init__.py"
    project.write(nearer, "def conductivity(t):\n    return t\n")
    assert project(*check).returncode == 1


def test_a_diagnostic_names_the_file_it_belongs_to(project):
    project.write("thermal/materials.py", MATERIALS.replace("K0 *", "K1 *"))
    for words in ((), ("--no-cache",), ()):
        run = project("model.py", *words, cwd=project.folder / "thermal")
        assert said(run).splitlines()[:3] == [
            "materials.py:5:12: error[AD103]: the name 'K1' is not known",
            "  |",
            "5 |     return K1 * (1.0 + t)",
        ]
    run = project("thermal/model.py", "--output-format", "github")
    assert "file=thermal/materials.py,line=5" in said(run)


def test_a_report_of_errors_names_the_file(project):
    run = project("thermal/model.py", "--explain", "--at", "t=-1.0000001")
    assert "thermal/materials.py:5:" in printed(run)


@pytest.mark.parametrize("words", [("--emit", "ir"), ("--explain",), ("-o", "-")])
def test_every_mode_reads_them(project, words):
    assert project("thermal/model.py", *words).returncode == 0
    page = project.folder / "page.html"
    assert project("thermal/model.py", "--report", page).returncode == 0
    assert project("thermal/model.py", "--graph", page, "--force").returncode == 0


def test_stdin_with_a_name_has_a_place(project):
    words = ("-", "--stdin-filename", "thermal/other.py")
    assert project(*words, stdin=MODEL.encode()).returncode == 0
    run = project("-", stdin=MODEL.encode())
    assert run.returncode == 2 and "AD121" in said(run)


def test_watching_looks_at_them(project):
    command = [sys.executable, "-m", "ad_transform", "thermal", "--watch"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        command,
        cwd=project.folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
    )
    signal.signal(signal.SIGINT, before)
    output = project.folder / "thermal" / "model_grad.py"
    until(process, output.exists)
    project.write("thermal/materials.py", MATERIALS.replace("16.2", "17.5"))
    until(process, lambda: "17.5" in output.read_text())
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
