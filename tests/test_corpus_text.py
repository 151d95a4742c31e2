"""The generated text: stable, parseable, typed, and standing alone."""

from __future__ import annotations

import ast
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import black
import pytest
from support import corpus, generate, marked

FIRST = ("jacobian", "jacobian(value=True)", "jvp", "vjp")
SCALAR = ("gradient", "gradient(value=True)", "hessian", "hvp(value=True)")
FILES = sorted({case.file for case in corpus()})
MODE = black.Mode(line_length=88, target_versions={black.TargetVersion.PY311})


def whole(file: str) -> str:
    """A file of the corpus with everything marked."""
    cases = [case for case in corpus() if case.file == file]
    source = cases[0].source
    for case in cases:
        source = marked(source, case.name, *FIRST, *(SCALAR if case.scalar else ()))
    return source


def texts(container: str) -> dict[str, str]:
    return {file: generate(whole(file), container=container) for file in FILES}


def digest() -> str:
    every = "".join(f"{c}{texts(c)}" for c in ("array", "tuple"))
    return hashlib.sha256(every.encode()).hexdigest()


@pytest.mark.parametrize("container", ["array", "tuple"])
@pytest.mark.parametrize("file", FILES)
def test_it_stands_alone(file, container):
    tree = ast.parse(generate(whole(file), container=container))
    imported = {
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module] if isinstance(node, ast.ImportFrom) else []
        )
    }
    allowed = {"math", "typing", "collections.abc", "__future__"}
    if container == "array":
        allowed |= {"numpy", "numpy.typing"}
    assert imported <= allowed


@pytest.mark.parametrize("file", FILES)
def test_black_leaves_it_unchanged(file):
    text = generate(whole(file), container="array" if file < "n" else "tuple")
    assert black.format_str(text, mode=MODE) == text


@pytest.mark.parametrize("length", [60, 120])
def test_black_leaves_other_lengths_unchanged(length):
    mode = black.Mode(line_length=length, target_versions={black.TargetVersion.PY311})
    for file in ("papers", "assignments"):
        text = generate(whole(file), line_length=length)
        assert black.format_str(text, mode=mode) == text


def test_the_hash_seed_does_not_matter():
    here = Path(__file__).parent
    script = "import test_corpus_text; print(test_corpus_text.digest())"
    path = os.pathsep.join([str(here), str(here.parent)])
    running = [
        subprocess.Popen(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("0", "1")
    ]
    first, second = (process.communicate()[0].strip() for process in running)
    assert len(first) == 64
    assert first == second


def test_mypy_accepts_it(tmp_path):
    for container in ("array", "tuple"):
        for file, text in texts(container).items():
            (tmp_path / f"{file}_{container}.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "."]
    found = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout
