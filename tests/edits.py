"""One-line edits of models, and how much of the output they change."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from amounts import ANY_ORDER
from support import generate, marked

ROOT = Path(__file__).parents[1]
SOURCES = (
    ROOT / "tests" / "everyday.py",
    ROOT / "tests" / "corpus" / "models.py",
    *sorted((ROOT / "fixtures" / "models").glob("*[!_grad].py")),
)


@dataclass(frozen=True, slots=True)
class Model:
    """A function of a source without marks; `scalar` says that it returns one float."""

    name: str
    source: str
    scalar: bool

    def kinds(self) -> tuple[str, ...]:
        return ("gradient", "hessian") if self.scalar else ("jacobian",)


@dataclass(frozen=True, slots=True)
class Edit:
    """A source with one line changed, and how."""

    what: str
    source: str


def models() -> list[Model]:
    """All models of SOURCES, in order."""
    return [m for path in SOURCES for m in _models(path)]


def _models(path: Path) -> Iterator[Model]:
    lines = path.read_text().splitlines(keepends=True)
    source = "".join(line for line in lines if not line.startswith("# ad:"))
    functions = [n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef)]
    called = {n.id for f in functions for n in ast.walk(f) if isinstance(n, ast.Name)}
    for function in functions:
        last = function.body[-1]
        if function.name not in called and isinstance(last, ast.Return):
            scalar = not isinstance(last.value, ast.Tuple)
            yield Model(function.name, source, scalar)


SORTS = ("coefficient", "factor", "summand", "wrapped")


def edits(model: Model) -> Iterator[Edit]:
    """Two edits of each sort: one in an early statement, one in a late one.

    A coefficient is 1.25 times as large; a name gets the factor 1.25, a right side as a
    whole a summand with a parameter, a name is wrapped into a sine.
    """
    tree = ast.parse(model.source)
    (function,) = (n for n in tree.body if getattr(n, "name", "") == model.name)
    assert isinstance(function, ast.FunctionDef)
    bodies = [s for s in function.body if isinstance(s, ast.Assign | ast.Return)]
    values = [s.value for s in bodies if not _unpacks(s)]
    local = {a.arg for a in function.args.args}
    local.update(
        n.id
        for n in ast.walk(function)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    )
    some = function.args.args[0].arg
    for what, places in (
        ("coefficient", _numbers(values)),
        ("factor", _names(values, local)),
        ("summand", _wholes(values)),
        ("wrapped", _names(values, local)),
    ):
        for k in sorted({len(places) // 4, 3 * len(places) // 4}):
            if k < len(places):
                node = places[k]
                old = ast.get_source_segment(model.source, node)
                new = _REPLACED[what](old, some)
                text = _spliced(model.source, node, new)
                if what != "wrapped" or "import math\n" in text:
                    yield Edit(f"{what}: {old} -> {new}", text)


def _unpacks(statement: ast.stmt) -> bool:
    """Whether it is `a, b = g(x)`: the right side is no number."""
    return (
        isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Tuple)
        and not isinstance(statement.value, ast.Tuple)
    )


_REPLACED = {
    "coefficient": lambda old, some: repr(1.25 * float(old)),
    "factor": lambda old, some: f"(1.25 * {old})",
    "summand": lambda old, some: f"({old} + 0.35 * {some})",
    "wrapped": lambda old, some: f"math.sin({old})",
}


def _numbers(values: list[ast.expr]) -> list[ast.expr]:
    """Numbers that are coefficients: no exponents, no whole numbers."""
    exponents = {
        id(n.right)
        for v in values
        for n in ast.walk(v)
        if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Pow)
    }
    return _in_order(
        n
        for v in values
        for n in ast.walk(v)
        if isinstance(n, ast.Constant)
        and isinstance(n.value, float)
        and id(n) not in exponents
    )


def _names(values: list[ast.expr], local: set[str]) -> list[ast.expr]:
    return _in_order(
        n
        for v in values
        for n in ast.walk(v)
        if isinstance(n, ast.Name) and n.id in local
    )


def _wholes(values: list[ast.expr]) -> list[ast.expr]:
    """Right-hand sides; of tuples the items."""
    return _in_order(
        item
        for v in values
        for item in (v.elts if isinstance(v, ast.Tuple) else [v])
        if not isinstance(item, ast.Constant)
    )


def _in_order(nodes: Iterator[ast.expr]) -> list[ast.expr]:
    return sorted(nodes, key=lambda n: (n.lineno, n.col_offset))


def _spliced(source: str, node: ast.expr, new: str) -> str:
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    assert node.end_lineno is not None and node.end_col_offset is not None
    begin = starts[node.lineno - 1] + node.col_offset
    end = starts[node.end_lineno - 1] + node.end_col_offset
    return source[:begin] + new + source[end:]


def output(model: Model, source: str, kind: str) -> list[str]:
    """The lines of the output that tell something: no header, no counts, no blanks."""
    text = generate(marked(source, model.name, kind), **ANY_ORDER)
    lines = text.splitlines()[4:]
    return [line for line in lines if line.strip() and "Operations:" not in line]


def share(old: list[str], new: list[str]) -> float:
    """The part of the lines that differs."""
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    return (max(len(old), len(new)) - same) / max(len(old), len(new))
