"""Makes tests/ importable and keeps measurements out of the default run."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]


from ad_transform.ir.held import every_pass  # noqa: E402  found by the line above


gc.set_threshold(100_000, 50, 100)
"""Programs have no cycles: looking for some in all that is kept is a sixth of the time.
"""


@pytest.fixture(autouse=True, scope="session")
def _every_pass_is_verified() -> Iterator[None]:
    """Whatever a test derives is verified after every pass."""
    with every_pass():
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bench", action="store_true", help="run tests/benchmarks too")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """All tests of a case of the corpus go to one process, which keeps its texts."""
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415  only under xdist

    class ByCase(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            case = re.search(r"test_corpus\w*\.py.*\[(\w+-\w+)", nodeid)
            together = re.search(
                r"test_precommit\.py", nodeid
            )  # the hooks' environment
            return case[1] if case else together[0] if together else nodeid

    return ByCase(config, log)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Times are measured alone, by `pytest --bench tests/benchmarks`."""
    measured = collection_path.name == "benchmarks"
    return True if measured and not config.getoption("--bench") else None
