"""Generated functions give no value a name that nothing reads."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from support import generate

ROOT = Path(__file__).parents[2]
OUTPUTS = sorted((ROOT / "fixtures/models").glob("*_grad.py"))
SOURCES = {
    "rows_into_a_matrix": """
# ad: jacobian
def f(A: "Matrix[n, n]", c: float):
    U = A.copy()
    for k in range(len(U)):
        for j in range(k, len(U)):
            U[k, j] -= c * U[k, k]
    return U[0, 0] * U[1, 1]
""",
    "lists_made_for_their_length": """
# ad: gradient
def f(a, b, k: int):
    rows = [[1.0]]
    for i in range(k):
        rows.append([a])
        rows[-1].append(b * rows[i][0])
    return rows[-1][0] + rows[1][1]
""",
}


def unread(text: str) -> list[str]:
    """The names that statements of functions give and nothing in these reads; those of
    loops, and of values that come with others, are not meant.
    """
    found: list[str] = []
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, ast.FunctionDef):
            continue
        inside = [*ast.walk(function)]
        read = {
            node.id
            for node in inside
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        found += (
            target.id
            for node in inside
            if isinstance(node, ast.Assign | ast.AnnAssign)
            for target in (
                node.targets if isinstance(node, ast.Assign) else [node.target]
            )
            if isinstance(target, ast.Name) and target.id not in read
        )
    return found


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_names_of_sources(source: str) -> None:
    assert unread(generate(source)) == []


@pytest.mark.parametrize("path", OUTPUTS, ids=lambda path: path.stem)
def test_names_of_fixtures(path: Path) -> None:
    assert unread(path.read_text(encoding="utf-8")) == []
