"""`import ad_transform`: marks that do nothing, shapes that type checkers accept."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import ad_transform as ad

ROOT = Path(__file__).parents[2]

IMPORT = """
import sys, time
before, start = set(sys.modules), time.perf_counter()
import ad_transform
took = time.perf_counter() - start
print(took, *sorted(set(sys.modules) - before))
"""

TYPED = """
import ad_transform as ad
from ad_transform import gradient


@ad.gradient("x", value=True)
@ad.error
@ad.jacobian()
def energy(
    x: ad.Vector[3], k: float, m: "ad.Matrix[2, 3]", a: ad.Array[2, 2, 2]
) -> float:
    return float(x[0] * k)


@gradient
def f(x: float) -> float:
    return x


y: float = f(2.0)
z: float = energy([1.0, 2.0, 3.0], k=2.0, m=[], a=None)
"""


def test_import_is_free_and_imports_nothing() -> None:
    def run() -> tuple[float, list[str]]:
        command = [sys.executable, "-c", IMPORT]
        out = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
        took, *modules = out.stdout.decode().split()
        return float(took), modules

    times, modules = zip(*(run() for _ in range(5)), strict=True)
    assert all(found == ["ad_transform"] for found in modules)
    assert min(times) < 0.010


def test_marks_return_the_function_untouched() -> None:
    def f(x: float) -> float:
        return x

    assert ad.gradient(f) is f
    assert ad.gradient()(f) is f
    assert ad.hvp("x", value=True)(f) is f
    assert ad.error(model="iri")(f) is f
    assert ad.shapes(x=["n"], k=["n", int])(f) is f


def test_shapes_show_themselves() -> None:
    assert repr(ad.Matrix[2, "n"]) == "Matrix[2, n]"
    assert repr(ad.Vector) == "Vector"


def test_type_checkers_accept_marks_and_shapes(
    tmp_path: Path, mypy: Callable[[Path], str]
) -> None:
    (tmp_path / "model.py").write_text(TYPED)
    assert not mypy(tmp_path)


@pytest.mark.parametrize("name", ["derivative", "tangent", "adjoint", "rounding_error"])
def test_operators_name_the_command(name: str) -> None:
    with pytest.raises(NotImplementedError, match=f"ad.{name} .*ad-transform .*{ROOT}"):
        getattr(ad, name)(1.0, 2.0)
