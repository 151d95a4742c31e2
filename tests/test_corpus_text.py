"""The generated text: stable, parseable, typed, and standing alone."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import black
import pytest
from amounts import QUICK, part
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


def unused_imports(text: str) -> set[str]:
    """Names that a file imports and does not read."""
    nodes = list(ast.walk(ast.parse(text)))
    read = {node.id for node in nodes if isinstance(node, ast.Name)}
    names = [
        a for n in nodes if isinstance(n, ast.Import | ast.ImportFrom) for a in n.names
    ]
    return {a.asname or a.name.partition(".")[0] for a in names} - read


def whole(file: str, share: int = 1) -> str:
    """A file of the corpus, everything marked, or one in so many of its functions."""
    source = (Path(__file__).parent / "corpus" / f"{file}.py").read_text("utf-8")
    for case in part([case for case in CASES if case.file == file], share):
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
        assert not unused_imports(text)


POWER = "def f(t, n):\n    return (t / 3.0) ** n * (2.0 + n) ** t\n"


def named_in(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    found = (n for n in ast.walk(node) if isinstance(n, ast.Name))
    return {n.id for n in found if isinstance(n.ctx, context)}


def dead(body: list[ast.stmt], wanted: set[str]) -> Iterator[str]:
    """The assignments to names that nothing reads before they are bound again.

    `wanted` is what is read behind them, and afterwards from the first one on.
    """
    for line in reversed(body):
        if isinstance(line, ast.Assign):
            bound = named_in(line, ast.Store)
            if bound and bound.isdisjoint(wanted):
                yield ast.unparse(line)
            wanted -= bound
        elif isinstance(line, ast.If):
            behind = set(wanted)
            wanted.clear()
            for arm in (line.body, line.orelse):
                inside = set(behind)
                yield from dead(arm, inside)
                wanted |= inside
        elif isinstance(line, ast.Return | ast.Raise):
            wanted.clear()
        elif isinstance(line, ast.For | ast.While):
            wanted |= named_in(line, ast.Load)
            yield from dead(line.body, set(wanted))
        wanted |= named_in(getattr(line, "test", line), ast.Load)


@pytest.mark.parametrize("case", [None, *CASES], ids=str)
def test_no_line_is_dead(case):
    power = marked(POWER, "f", *FIRST, *SECOND[1], *SECOND[2])
    text = everything(case).text if case else generate(power, order="reverse")
    functions = [f for f in ast.parse(text).body if isinstance(f, ast.FunctionDef)]
    assert [line for f in functions for line in dead(f.body, set())] == []


def test_dead_lines_are_found():
    body = ast.parse(
        "x = a\nz = b\nif x:\n    y = 1\n    x = y\nelse:\n    x = 2\n    z = x\nx = z"
    ).body
    assert [*dead(body, {"z"})] == ["x = z", "x = y"]


@pytest.mark.parametrize("case", SAMPLE, ids=str)
def test_black_leaves_it_unchanged(case):
    assert is_stable(everything(case).text)
    assert is_stable(otherwise(case).text)


PLAINLY = {"order": "reverse"} | QUICK
"""How whole files are derived, for tests of what text looks like."""


@pytest.mark.parametrize(("file", "length"), [("papers", 60), ("calls", 120)])
def test_black_leaves_other_lengths_unchanged(file, length):
    assert is_stable(generate(whole(file), line_length=length, **PLAINLY), length)


SEEDED = (
    "assignments-list_on_the_way",
    "branches-many_outs",
    "branches-nasa",
    "calls-nested_calls",
    "optimisation-kowalik_osborne",
    "optimisation-speelpenning",
    "parameters-integers_around",
    "spellings-angles",
    "spellings-numpy_names",
    "spellings-products",
)
"""Cases with branches, lists and calls, all second derivatives and all orders."""


def texts() -> dict[str, list[str | None]]:
    """What is made of some cases, in both ways."""
    chosen = [case for case in CASES if str(case) in SEEDED]
    return {str(c): [everything(c).text, otherwise(c).text] for c in chosen}


def test_the_hash_seed_does_not_matter():
    """Nor what a process has derived before: a new one gives the same as this one."""
    here = Path(__file__).parent
    script = "import json, test_corpus_text as t; print(json.dumps(t.texts()))"
    path = os.pathsep.join([str(here), str(here.parent)])
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
    command = [sys.executable, "-c", script]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
    mine, other = texts(), json.loads(process.communicate()[0])
    assert len(mine) == len(SEEDED) and all(map(all, mine.values()))
    assert other == mine


TYPED = {"calls": "array", "spellings": "array", "parameters": "tuple"}.items()


def test_type_checkers_accept_it(tmp_path, mypy):
    for file, container in TYPED:
        text = generate(whole(file, 2), container=container, **PLAINLY)
        (tmp_path / f"{file}.py").write_text(text, encoding="utf-8")
    assert not mypy(tmp_path)
