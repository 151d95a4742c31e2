"""Makes tests/ importable and keeps measurements out of the default run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bench", action="store_true", help="run tests/benchmarks too")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Times are measured alone, by `pytest --bench tests/benchmarks`."""
    measured = collection_path.name == "benchmarks"
    return True if measured and not config.getoption("--bench") else None
