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
from support import (
    FIRST,
    SECOND,
    corpus,
    everything,
    generate,
    marked,
    otherwise,
)

CASES = corpus()
SAMPLE = CASES[::4]  # black needs a millisecond a line
MODULES = {"math", "numpy", "numpy.typing"}


def is_stable(text: str, length: int = 88) -> bool:
    """Whether black leaves a text unchanged; the difference is what pytest shows."""
    version = black.TargetVersion.PY311
    mode = black.Mode(line_length=length, target_versions={version})
    assert black.format_str(text, mode=mode) == text
    return True


def whole(file: str) -> str:
    """A file of the corpus with everything marked."""
    cases = [case for case in CASES if case.file == file]
    source = cases[0].source
    for case in cases:
        source = marked(source, case.name, *case.kinds)
    return source


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_stands_alone(case):
    texts = [everything(case).text, otherwise(case).text]
    for text, allowed in zip(texts, ({"math"}, MODULES), strict=True):
        imported = [
            name
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in [getattr(node, "module", None) or node.names[0].name]
        ]
        assert allowed.issuperset(imported)


POWER = "def f(t, n):\n    return (t / 3.0) ** n * (2.0 + n) ** t\n"


@pytest.mark.parametrize("case", [None, *SAMPLE], ids=str)
def test_no_line_is_dead(case):
    power = marked(POWER, "f", *FIRST, *SECOND[1], *SECOND[2])
    text = everything(case).text if case else generate(power, order="reverse")
    for function in ast.parse(text).body:
        names = [n for n in ast.walk(function) if isinstance(n, ast.Name)]
        bound = {n.id for n in names if isinstance(n.ctx, ast.Store)}
        read = {n.id for n in names if isinstance(n.ctx, ast.Load)}
        if isinstance(function, ast.FunctionDef):
            assert bound <= read


@pytest.mark.parametrize("case", SAMPLE, ids=str)
def test_black_leaves_it_unchanged(case):
    assert is_stable(everything(case).text)
    assert is_stable(otherwise(case).text)


@pytest.mark.parametrize(("file", "length"), [("papers", 60), ("calls", 120)])
def test_black_leaves_other_lengths_unchanged(file, length):
    assert is_stable(generate(whole(file), line_length=length, order="forward"), length)


def digest() -> str:
    """The hash of what is made of some cases, in both ways."""
    made = [way(case).text for case in CASES[::32] for way in (everything, otherwise)]
    return hashlib.sha256("".join(made).encode()).hexdigest()


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


TYPED = {"calls": "array", "spellings": "array", "parameters": "tuple"}.items()


def test_type_checkers_accept_it(tmp_path, mypy):
    for file, container in TYPED:
        text = generate(whole(file), container=container, order="forward")
        (tmp_path / f"{file}.py").write_text(text, encoding="utf-8")
    assert not mypy(tmp_path)
