"""Folders and patterns as sources, on the command line and in the manifest."""

import pytest
from command import MODEL, printed, said

PATTERNS = """\
[tool.ad-transform]
exclude = ["src/old"]

[[tool.ad-transform.file]]
source = ["src/**/*.py", "top.py"]
exclude = "src/skip_*.py"
output = "gen/{folder}/{stem}_d.py"
container = "tuple"
"""


@pytest.fixture
def tree(tool):
    for name in ("src/a.py", "src/deep/b.py", "src/old/c.py", "src/skip_d.py"):
        tool.write(name)
    tool.write("src/plain.py", "x = 1  # ad hoc\n")
    tool.write("src/.venv/e.py")
    for folder in ("gen/src/deep", "gen/."):
        (tool.folder / folder).mkdir(parents=True, exist_ok=True)
    tool.write("top.py")
    return tool


def outputs(tool):
    found = tool.folder.rglob("*_[dg]*.py")
    paths = (str(path.relative_to(tool.folder)) for path in found)
    return sorted(path for path in paths if "skip_d.py" not in path)


def test_a_folder_stands_for_the_marked_files_below(tree):
    run = tree("src")
    assert run.returncode == 0
    assert said(run).splitlines() == [
        "wrote src/a_grad.py",
        "wrote src/deep/b_grad.py",
        "wrote src/old/c_grad.py",
        "wrote src/skip_d_grad.py",
        "4 files: 4 written",
    ]
    assert tree("--check", "src").returncode == 0


def test_a_pattern_on_the_command_line(tree):
    run = tree("src/*.py", "**/b.py")
    assert run.returncode == 0
    assert "wrote src/a_grad.py" in said(run) and "b_grad.py" in said(run)
    assert "old" not in said(run)


def test_patterns_of_the_manifest(tree):
    tree.write("pyproject.toml", PATTERNS)
    run = tree()
    assert run.returncode == 0, said(run)
    wanted = ["gen/src/a_d.py", "gen/src/deep/b_d.py", "gen/top_d.py"]
    assert outputs(tree) == wanted
    assert "container=tuple" in tree.read("gen/src/a_d.py")


def test_a_file_of_a_pattern_goes_where_the_manifest_says(tree):
    tree.write("pyproject.toml", PATTERNS)
    assert said(tree("src/a.py")) == "wrote gen/src/a_d.py\n"
    assert "options=container=tuple" in printed(tree("src/deep/b.py", "-o", "-"))
    assert "wrote gen/src/a_d.py" not in said(tree("src"))  # it is current


def test_a_folder_leaves_out_what_the_project_excludes(tree):
    tree.write("pyproject.toml", PATTERNS)
    assert "old" not in said(tree("."))


def test_a_named_source_wins_over_a_pattern(tree):
    text = '[[tool.ad-transform.file]]\nsource = "src/**"\n'
    text += '[[tool.ad-transform.file]]\nsource = "src/a.py"\norder = "reverse"\n'
    tree.write("pyproject.toml", text)
    assert tree().returncode == 0
    assert "options=order=reverse" in tree.read("src/a_grad.py")
    assert "options=default" in tree.read("src/deep/b_grad.py")


def test_a_pattern_that_nothing_fits(tree):
    run = tree("src/*.pyx")
    assert run.returncode == 2 and "no file fits the pattern" in said(run)
    tree.write("pyproject.toml", '[[tool.ad-transform.file]]\nsource = "lib/*.py"\n')
    run = tree()
    assert run.returncode == 2
    assert "lib/*.py: error[AD001]: cannot be read: no file fits" in said(run)


def test_two_sources_of_a_pattern_with_one_output(tree):
    text = '[[tool.ad-transform.file]]\nsource = "**"\noutput = "./{stem}_d.py"\n'
    tree.write("pyproject.toml", text)
    tree.write("src/deep/a.py")
    run = tree()
    assert run.returncode == 2 and "the same output" in said(run)


def test_nothing_is_marked_below(tool):
    tool.write("model.py", "x = 1\n")
    run = tool(".")
    assert run.returncode == 0 and said(run).startswith("nothing is marked there: ")


def test_what_is_marked_wrongly_is_no_stranger(tool):
    tool.write("model.py", MODEL.replace("gradient", "gradiant"))
    run = tool(".")
    assert run.returncode == 2 and "AD020" in said(run)


NEAR = {
    "modle.py": "did you mean 'model.py'?",
    "nowhere/model.py": "there is no folder 'nowhere'",
    "other.py": "see how it is spelled",
}


@pytest.mark.parametrize("name", NEAR)
def test_a_source_that_is_not_there(tool, name):
    tool()
    run = tool(name)
    assert run.returncode == 2 and NEAR[name] in said(run)
