"""Makes tests/ importable and keeps measurements out of the default run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bench", action="store_true", help="run tests/benchmarks too")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Spread over processes by group, so that each may remember what it made."""
    if getattr(config.option, "dist", None) == "load":
        config.option.dist = "loadgroup"
    if hasattr(config, "workerinput"):  # workers are not told
        config.option.loadgroup = True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of a case of the corpus are a group; of the others each is its own."""
    for item in items:
        called = getattr(item, "callspec", None)
        case = called and called.params.get("case")
        if type(case).__name__ == "Case":
            item.add_marker(pytest.mark.xdist_group(str(case)))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Times are measured alone, by `pytest --bench tests/benchmarks`."""
    measured = collection_path.name == "benchmarks"
    return True if measured and not config.getoption("--bench") else None
