"""`--init`: a manifest of what is marked, and hooks; nothing else is touched."""

import tomllib

import pytest
from command import MODEL, said

OTHERS = b"# mine\r\n[tool.black]\r\nline-length = 99 # \xc3\xa9"


@pytest.fixture
def project(tool):
    tool.write("src/other.py")
    tool.write("src/plain.py", "x = 1\n")
    tool.write("pyproject.toml", "")
    return tool


def test_the_manifest_of_the_marked_files(project):
    run = project("--init")
    assert run.returncode == 0
    assert said(run).splitlines() == [
        "listed 2 files in pyproject.toml",
        "wrote two hooks into .pre-commit-config.yaml; "
        "`pre-commit install` switches them on",
    ]
    table = tomllib.loads(project.read("pyproject.toml"))["tool"]["ad-transform"]
    assert table == {"file": [{"source": "model.py"}, {"source": "src/other.py"}]}
    assert project().returncode == 0
    assert project("--check").returncode == 0


def test_what_was_there_stays(project):
    project.write("pyproject.toml", OTHERS)
    assert project("--init").returncode == 0
    content = (project.folder / "pyproject.toml").read_bytes()
    assert content.startswith(OTHERS + b"\r\n\r\n[[tool.ad-transform.file]]\r\n")
    assert content.count(b"\n") == content.count(b"\r\n")


def test_outputs_elsewhere_are_found(project):
    project.write("gen/x.txt", "")
    project("model.py", "-o", "gen/slope.py")
    project("--init")
    table = tomllib.loads(project.read("pyproject.toml"))["tool"]["ad-transform"]
    assert table["file"][0] == {"source": "model.py", "output": "gen/slope.py"}


def test_hooks_beside_others_are_only_shown(project):
    project.write(".pre-commit-config.yaml", "repos: []\n")
    assert "add these hooks to `repos:`" in said(project("--init"))
    assert project.read(".pre-commit-config.yaml") == "repos: []\n"


@pytest.mark.parametrize(
    "text", ["[tool.ad-transform]\n", "x = [\n", 'tool = {black = "x"}\n']
)
def test_a_manifest_is_never_spoilt(project, text):
    project.write("pyproject.toml", text)
    run = project("--init")
    assert run.returncode == 2 and "AD008" in said(run)
    assert project.read("pyproject.toml") == text
    assert ".pre-commit-config.yaml" not in project.names


def test_nothing_is_marked(tool):
    tool.write("pyproject.toml", "")
    tool.write("model.py", MODEL.replace("# ad", "# no"))
    run = tool("--init")
    assert run.returncode == 2 and "no function" in said(run)
    assert tool.read("pyproject.toml") == ""
