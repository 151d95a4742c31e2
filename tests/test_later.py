"""Functions, classes and modules that are imported with their first use."""

import ast
import gc
import subprocess
import sys

import pytest
from command import ROOT

from ad_transform.later import at_rest, later, load_all, parts_later

SOURCE = """\
import math


# ad: gradient
def f(x: float, y: float):
    return math.sin(x) * y
"""

SELDOM = (  # what straight code of numbers needs nothing of
    "_hashlib",
    "ad_transform.derive.sweep.loops",
    "ad_transform.derive.taylor.series",
    "ad_transform.emit.schedule.whiles",
    "ad_transform.ir.loops.affine",
    "ad_transform.ir.loops.invariant",
    "ad_transform.read.array_functions.creations",
    "ad_transform.read.loops.for_loops",
    "ad_transform.read.branches.joining",
    "ad_transform.read.library.library_calls",
    "ad_transform.read.wholes.of_whole",
    "ad_transform.read.wholes.wholes",
    "ad_transform.run.explanation",
    "importlib.resources",
    "json",
    "libcst._parser.entrypoints",
    "libcst.metadata",
)

SCRIPT = """\
import sys
from ad_transform.cli import main
main(["model.py", "-o", "-", "--no-cache"])
print(*sys.modules)
"""


def test_what_a_program_does_not_need_is_not_imported(tmp_path):
    (tmp_path / "model.py").write_text(SOURCE)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        check=True,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
    )
    imported = set(done.stdout.splitlines()[-1].split())
    assert "ad_transform.derive.accumulation.race" in imported
    assert imported.isdisjoint(SELDOM)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A module of this package that nothing has imported yet."""
    import ad_transform  # noqa: PLC0415

    (tmp_path / "fresh_for_a_test.py").write_text(
        "class Point:\n    name = 'P'\n\n\ndef twice(x):\n    return 2 * x\n"
    )
    monkeypatch.setattr(
        ad_transform, "__path__", [*ad_transform.__path__, str(tmp_path)]
    )
    yield "ad_transform.fresh_for_a_test"
    sys.modules.pop("ad_transform.fresh_for_a_test", None)


def test_a_stand_in_is_called_and_asked_like_what_it_stands_for(package):
    with later():
        from ad_transform.fresh_for_a_test import Point, twice  # noqa: PLC0415

        from ad_transform import fresh_for_a_test as module  # noqa: PLC0415
    assert package not in sys.modules
    assert twice(3) == 6
    assert Point.name == module.Point.name == Point().name == "P"


def test_a_module_that_is_no_part_of_a_package_waits_too(monkeypatch):
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    with later():
        import colorsys  # noqa: PLC0415
    assert "colorsys" not in sys.modules
    assert colorsys.rgb_to_hsv(0.0, 0.0, 1.0) == (2 / 3, 1.0, 1.0)
    assert "colorsys" in sys.modules


def test_what_is_loaded_is_itself():
    with later():
        from ad_transform.diagnostics import Span  # noqa: PLC0415
    assert isinstance(Span, type)


def test_all_that_waits_in_a_package_can_be_loaded_at_once(package):
    with later():
        from ad_transform.fresh_for_a_test import twice  # noqa: PLC0415, F401
    load_all("ad_transform.read")
    assert package not in sys.modules
    load_all("ad_transform.fresh_for_a_test")
    assert package in sys.modules


@pytest.fixture
def parted(tmp_path, monkeypatch):
    """A package of two modules that nothing has imported yet."""
    (tmp_path / "fresh_parts").mkdir()
    files = {
        "__init__": "from fresh_parts.seldom import twice\n"
        "from fresh_parts.often import x\n",
        "seldom": "from fresh_parts import often\ndef twice(x):\n    return 2 * x\n",
        "often": "x = 1\n",
    }
    for name, text in files.items():
        (tmp_path / "fresh_parts" / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "fresh_parts.seldom"
    for name in ("", ".often", ".seldom"):
        sys.modules.pop(f"fresh_parts{name}", None)


def test_a_package_takes_of_its_parts_what_it_is_asked_for(parted):
    with parts_later("fresh_parts", "seldom"):
        import fresh_parts  # noqa: PLC0415
    assert fresh_parts.x == 1
    assert parted not in sys.modules
    assert fresh_parts.twice(3) == 6
    assert fresh_parts.twice is sys.modules[parted].twice
    assert fresh_parts.seldom.often is fresh_parts.often
    with pytest.raises(AttributeError, match="'fresh_parts' has no attribute 'thrice'"):
        _ = fresh_parts.thrice


def test_a_package_that_is_there_stays_as_it_is(parted):
    import fresh_parts  # noqa: PLC0415

    held = dict(vars(fresh_parts))
    with parts_later("fresh_parts", "seldom"):
        import fresh_parts  # noqa: PLC0415
    assert vars(fresh_parts) == held


def within_later(tree):
    """The names that a module imports within `later`."""
    blocks = (n for n in tree.body if isinstance(n, ast.With))
    return {a.asname or a.name for block in blocks for s in block.body for a in s.names}


def told_apart(tree):
    """What a stand-in cannot be: classes that are tested or caught, bases, and what is
    compared.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass")):
                yield from node.args[1:]
            case ast.ExceptHandler(type=ast.expr()):
                yield node.type
            case ast.MatchClass():
                yield node.cls
            case ast.ClassDef():
                yield from (*node.bases, *node.decorator_list)
            case ast.Compare():
                yield from (node.left, *node.comparators)


PARTS = (ast.Tuple, ast.BinOp)


def names(node):
    """The names in a tuple or a union."""
    if isinstance(node, PARTS):
        return {n for part in ast.iter_child_nodes(node) for n in names(part)}
    return {node.id} if isinstance(node, ast.Name) else set()


def test_stand_ins_are_only_called_and_asked():
    wrong = {}
    for path in sorted((ROOT / "ad_transform").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "with later()" in text:
            tree = ast.parse(text)
            used = {n for node in told_apart(tree) for n in names(node)}
            wrong[path.name] = used & within_later(tree)
    assert len(wrong) > 30 and not any(wrong.values()), wrong


def test_imports_are_not_searched_for_garbage_and_what_follows_is():
    assert gc.isenabled()
    with at_rest():
        assert not gc.isenabled()
    assert gc.isenabled()
