"""The two hooks in a real run of pre-commit on a scratch repository.

By default they run in the environment of the tests; under `--long` pre-commit installs
them in one of their own, as it does for users.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from amounts import LONG, only_long
from command import MODEL, ROOT

PARTS = ("ad_transform", "pyproject.toml", "README.md", ".pre-commit-hooks.yaml")

CONFIG = """\
repos:
  - repo: {hooks}
    rev: {rev}
    hooks:
      - id: ad-transform
      - id: ad-transform-check
"""

CHEAPLY = {
    "PIP_COMPILE": "0",  # what the hooks import is compiled when they do
    "PIP_NO_BUILD_ISOLATION": "0",  # to pip, this 0 says no: no environment to build in
    "VIRTUALENV_SETUPTOOLS": "bundle",  # which builds instead
}
"""How the hooks are installed; `.ci/run` installs the package as everybody does."""

MANIFEST = '[[tool.ad-transform.file]]\nsource = "model.py"\n'


def git(folder, *words):
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    run = subprocess.run(
        ["git", *identity, *words],
        cwd=folder,
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return run.stdout.decode().strip()


def commit_all(folder):
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--no-verify", "--allow-empty", "-m", "state")
    return git(folder, "rev-parse", "HEAD")


def local(folder):
    """A configuration with the same hooks, of programs that are there."""
    program = folder / "ad-transform"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ad_transform "$@"\n')
    program.chmod(0o755)
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    for hook in hooks:
        name, words = hook["entry"].split(" ", 1)
        assert (hook["language"], name) == ("python", program.name)
        hook |= {"language": "system", "entry": f"{program} {words}"}
    return yaml.safe_dump({"repos": [{"repo": "local", "hooks": hooks}]})


def cloned(folder):
    """A configuration with the hooks of a repository, which pre-commit installs."""
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, folder / part)
    git(folder, "init", "--quiet")
    return CONFIG.format(hooks=folder, rev=commit_all(folder))


@dataclass
class Repository:
    """A user's repository with the hooks in its configuration."""

    folder: Path
    environment: dict[str, str]

    def copied(self, folder):
        """Another one that is the same."""
        return Repository(shutil.copytree(self.folder, folder), self.environment)

    def hook(self, name):
        """The exit code and the output of one hook on all staged changes."""
        git(self.folder, "add", "--all")
        return self.run("run", name)

    def run(self, *words):
        done = subprocess.run(
            [sys.executable, "-m", "pre_commit", *words],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return done.returncode, done.stdout.decode()


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    """A repository whose hooks are installed, and nothing is generated yet."""
    hooks = tmp_path_factory.mktemp("hooks")
    home = str(tmp_path_factory.mktemp("home"))
    variables = {**os.environ, **CHEAPLY, "PRE_COMMIT_HOME": home}
    folder = tmp_path_factory.mktemp("started")
    config = cloned(hooks) if LONG else local(hooks)
    if not LONG:
        variables["PYTHONPATH"] = str(ROOT)
    (folder / ".pre-commit-config.yaml").write_text(config)
    (folder / "pyproject.toml").write_text(MANIFEST)
    (folder / "model.py").write_text(MODEL)
    git(folder, "init", "--quiet")
    made = Repository(folder, variables)
    code, output = made.run("install-hooks")
    if code:
        pytest.skip(f"the hooks cannot be installed here: {output[-300:]}")
    return made


@pytest.fixture(scope="module")
def generated(started, tmp_path_factory):
    """The same with its output, current and committed."""
    made = started.copied(tmp_path_factory.mktemp("generated") / "work")
    made.hook("ad-transform")
    commit_all(made.folder)
    return made


@pytest.fixture
def repository(started, tmp_path):
    return started.copied(tmp_path / "work")


@pytest.fixture
def current(generated, tmp_path):
    return generated.copied(tmp_path / "work")


def test_a_new_output_fails_once(repository):
    assert repository.hook("ad-transform-check")[0] == 1
    code, output = repository.hook("ad-transform")
    assert code == 1 and "wrote model_grad.py" in output
    assert repository.hook("ad-transform")[0] == 0
    assert repository.hook("ad-transform-check")[0] == 0


def test_a_second_commit_does_not_slip_past(repository):
    git(repository.folder, "add", "model.py", "pyproject.toml")
    for hook in ("ad-transform", "ad-transform", "ad-transform-check"):
        code, output = repository.run("run", hook)
        assert code == 1, output
    assert "AD015" in output
    git(repository.folder, "add", "model_grad.py")
    assert repository.run("run")[0] == 0


@only_long
def test_an_orphan_fails(current):
    (current.folder / "pyproject.toml").write_text(MANIFEST.replace("model", "other"))
    (current.folder / "model.py").rename(current.folder / "other.py")
    current.hook("ad-transform")
    code, output = current.hook("ad-transform-check")
    assert code == 1 and "AD013" in output


@only_long
def test_a_hand_edited_output_fails(current):
    path = current.folder / "model_grad.py"
    path.write_text(path.read_text().replace("cos(x)", "sin(x)"))
    for hook in ("ad-transform", "ad-transform-check"):
        code, output = current.hook(hook)
        assert code == 1 and "AD007" in output


@only_long
def test_a_deleted_source_fails(current):
    (current.folder / "model.py").unlink()
    code, output = current.hook("ad-transform-check")
    assert code == 1 and "AD001" in output


@only_long
def test_a_deleted_output_fails(current):
    (current.folder / "model_grad.py").unlink()
    code, output = current.hook("ad-transform-check")
    assert code == 1 and "AD009" in output


def test_a_stale_output_fails(current):
    path = current.folder / "model.py"
    path.write_text(MODEL.replace("sin", "exp"))
    code, output = current.hook("ad-transform-check")
    assert code == 1 and "AD009" in output and "+++ model_grad.py" in output
    assert current.hook("ad-transform")[0] == 1
    assert current.hook("ad-transform-check")[0] == 0
