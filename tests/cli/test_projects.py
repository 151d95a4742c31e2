"""pyproject.toml: the manifest, and which option wins."""

import pytest
from command import MODEL, printed, said

MANIFEST = """\
[tool.ad-transform]
order = "reverse"

[[tool.ad-transform.file]]
source = "a.py"

[[tool.ad-transform.file]]
source = "b.py"
output = "gen/b.py"
order = "forward"
"""


@pytest.fixture
def project(tool):
    tool.write("pyproject.toml", MANIFEST)
    tool.write("a.py")
    tool.write("b.py")
    tool.write("gen/__init__.py", "")
    (tool.folder / "model.py").unlink()  # it is marked, and nobody lists it
    return tool


def test_without_src_the_manifest_is_made(project):
    run = project()
    assert run.returncode == 0
    assert "2 files: 2 written" in said(run)
    assert "options=order=reverse " in project.read("a_grad.py")
    assert "options=order=forward " in project.read("gen/b.py")
    assert project("--check").returncode == 0


def test_from_any_folder(project):
    project()
    assert project("--check", cwd=project.folder / "gen").returncode == 0
    assert project("--check", "../b.py", cwd=project.folder / "gen").returncode == 0


def test_a_source_given_goes_where_the_manifest_says(project):
    assert project("b.py").returncode == 0
    assert "options=order=forward " in project.read("gen/b.py")
    assert "b_grad.py" not in project.names


def test_the_command_line_wins(project):
    project("--order", "markowitz")
    assert "options=order=markowitz " in project.read("gen/b.py")


def test_the_mark_wins(project):
    marked = MODEL.replace("gradient", 'gradient(order="forward")')
    project.write("a.py", marked)
    by_mark = project("a.py", "-o", "-").stdout
    project.write("a.py", MODEL)
    other = project("a.py", "-o", "-", "--order", "forward").stdout
    assert by_mark.splitlines()[3:] == other.splitlines()[3:]


def test_a_source_that_is_gone(project):
    project()
    (project.folder / "a.py").unlink()
    run = project("--check")
    assert run.returncode == 2
    assert "a.py: error[AD001]" in said(run)


def test_one_failure_does_not_hold_up_the_others(project):
    project.write("a.py", "def (:\n")
    run = project()
    assert run.returncode == 2
    assert "energy_grad" in project.read("gen/b.py")


def test_no_src_and_no_manifest(tool):
    run = tool()
    assert run.returncode == 2
    assert "no SRC" in said(run)
    tool.write("pyproject.toml", "[tool.ad-transform]\n")
    assert tool().returncode == 2


def test_output_needs_one_source(project):
    assert project("-o", "x.py").returncode == 2
    assert project("a.py", "b.py", "-o", "x.py").returncode == 2


def test_the_same_source_twice_is_once(project):
    run = project("a.py", "./a.py", "a.py")
    assert run.returncode == 0
    assert said(run).count("wrote") == 1


def test_two_sources_with_one_output(tool):
    tool.write("model.pyw")
    run = tool("model.py", "model.pyw")
    assert run.returncode == 2
    assert tool.names == ["model.py", "model.pyw"]


def test_config(project):
    project.write("other.toml", '[tool.ad-transform]\norder = "markowitz"\n')
    run = project("a.py", "-o", "-", "--config", "other.toml")
    assert "options=order=markowitz " in printed(run)
    assert project("a.py", "--config", "none.toml").returncode == 2


def test_a_wrong_key(project):
    project.write("pyproject.toml", '[tool.ad-transform]\nordre = "reverse"\n')
    run = project()
    assert run.returncode == 2
    assert "AD008" in said(run) and "did you mean 'order'?" in said(run)


def test_broken_toml(project):
    project.write("pyproject.toml", "[tool.ad-transform\n")
    run = project("a.py")
    assert run.returncode == 2
    assert said(run).startswith("pyproject.toml:1:")


def test_one_source_two_outputs(tool):
    tool.write(
        "pyproject.toml",
        '[[tool.ad-transform.file]]\nsource = "model.py"\noutput = "one.py"\n'
        '[[tool.ad-transform.file]]\nsource = "model.py"\noutput = "two.py"\n'
        'container = "tuple"\n',
    )
    assert tool("model.py").returncode == 0
    assert tool.names == ["model.py", "one.py", "pyproject.toml", "two.py"]
    assert tool("model.py", "-o", "two.py", "--check").returncode == 0
