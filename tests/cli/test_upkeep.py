"""`--check` of a project: orphans, files that the manifest forgets, git."""

import subprocess

import pytest
from command import MODEL, said

MANIFEST = '[[tool.ad-transform.file]]\nsource = "model.py"\n'
PLAIN = MODEL.replace("# ad: gradient\n", "")


@pytest.fixture
def project(tool):
    tool.write("pyproject.toml", MANIFEST)
    assert tool().returncode == 0
    return tool


def checked(tool, *words):
    run = tool("--check", *words, "--output-format", "concise")
    return run.returncode, said(run)


def test_all_is_well(project):
    assert checked(project) == (0, "1 file: 1 current\n")


def test_an_output_whose_source_is_gone(project):
    project.write("pyproject.toml", MANIFEST.replace("model", "other"))
    project.write("other.py")
    assert project().returncode == 0
    (project.folder / "model.py").unlink()
    code, text = checked(project)
    assert code == 1
    where = "model_grad.py: error[AD013]: is an orphan: its source model.py is gone"
    assert where in text and "1 orphaned" in text
    assert checked(project, ".")[0] == 1
    assert checked(project, "other.py")[0] == 0


def test_an_output_whose_mark_is_gone(tool):
    tool.write("pyproject.toml", MANIFEST.replace("model", "*"))
    assert tool().returncode == 0
    tool.write("model.py", PLAIN)
    code, text = checked(tool)
    assert code == 1 and "error[AD013]: is an orphan: nothing in model.py" in text
    (tool.folder / "model_grad.py").unlink()
    assert checked(tool)[0] == 0


def test_a_leftover_is_told_once(project):
    project.write("model.py", PLAIN)
    code, text = checked(project)
    assert code == 1 and text.count("model_grad.py") == 1 and "AD009" in text


def test_a_marked_file_that_the_manifest_forgets(project):
    project.write("sub/other.py")
    code, text = checked(project)
    assert code == 1 and "sub/other.py:4:1: error[AD014]: the manifest" in text
    run = project("--check")
    assert 'source = "sub/other.py"' in said(run)
    project.write("pyproject.toml", '[tool.ad-transform]\nexclude = "sub"\n' + MANIFEST)
    assert checked(project)[0] == 0


def test_text_that_looks_like_a_mark_is_none(project):
    project.write("other.py", f'TEXT = """\n{MODEL}"""\n')
    project.write("plain.py", "# ad hoc\n")
    assert checked(project)[0] == 0


def test_other_projects_below_are_not_ours(project):
    project.write("inner/pyproject.toml", MANIFEST)
    project.write("inner/model.py")
    assert checked(project)[0] == 0


def test_a_folder_without_a_manifest(tool):
    assert tool(".").returncode == 0
    assert checked(tool, ".")[0] == 0
    (tool.folder / "model.py").unlink()
    assert checked(tool, ".")[0] == 1


def test_an_output_that_git_does_not_know(project):
    def git(*words):
        subprocess.run(["git", *words], cwd=project.folder, check=True)

    git("init", "--quiet")
    code, text = checked(project)
    assert code == 1 and "model_grad.py: error[AD015]: is not tracked by git" in text
    assert checked(project, "model.py")[0] == 0
    git("add", "model_grad.py")
    assert checked(project)[0] == 0
    (project.folder / "model_grad.py").unlink()
    code, text = checked(project)
    assert code == 1 and "AD009" in text and "AD015" not in text


def test_without_git_nothing_is_said_of_it(project):
    subprocess.run(["git", "init", "--quiet"], cwd=project.folder, check=True)
    run = project("--check", env={"PATH": ""})
    assert run.returncode == 0, said(run)
