"""Makes tests/ importable and keeps measurements out of the default run."""

from __future__ import annotations

import gc
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]


from ad_transform.ir.held import every_pass  # noqa: E402  found by the line above

gc.set_threshold(20_000_000, 50, 100)
"""Programs have no cycles, and looking for some in all that is kept takes long: a few
million objects are kept in the end.
"""


@pytest.fixture(autouse=True, scope="session")
def _every_pass_is_verified() -> Iterator[None]:
    """Whatever a test derives is verified after every pass."""
    with every_pass():
        yield


@pytest.fixture(autouse=True, scope="session")
def _processes_find_modules_compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What one of the processes that tests start has compiled serves all of them, also
    where nothing may be written beside the sources.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        kept = tmp_path_factory.getbasetemp().parent / "compiled"
        os.environ["PYTHONPYCACHEPREFIX"] = str(kept)


@pytest.fixture(scope="session")
def mypy(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], str]:
    """What `mypy --strict` has against the files of a folder; one cache for all."""
    cache = str(tmp_path_factory.mktemp("mypy"))
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, "."]
    env = {**os.environ, "MYPYPATH": str(HERE.parent)}

    def complaints(folder: Path) -> str:
        done = subprocess.run(
            command, cwd=folder, env=env, capture_output=True, text=True, check=False
        )
        return done.stdout + done.stderr if done.returncode else ""

    return complaints


def pytest_unconfigure() -> None:
    """Nothing is looked for in all that is thrown away with the process."""
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bench", action="store_true", help="run tests/benchmarks too")
    parser.addoption("--long", action="store_true", help="all that amounts.py has")


def pytest_configure(config: pytest.Config) -> None:
    """Modules of tests ask for `--long` when they are imported."""
    if config.getoption("--long"):
        os.environ["AD_TRANSFORM_LONG"] = "1"


def _call(test: Callable[..., object], arguments: dict[str, Any]) -> None:
    test(**arguments)


_call.__code__ = _call.__code__.replace(co_stacksize=70_000)
"""Its frame takes half a megabyte of a whole one, and the frames of what it calls have
room in the other half. Else Python asks the system for 16 KB whenever there is no room
for the next frame, and hands them back when it returns: a quarter of the time of a test
whose innermost calls pass such an end.
"""


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool:
    """Call a test, as pytest does, where there is room."""
    names = inspect.signature(pyfuncitem.obj).parameters
    _call(pyfuncitem.obj, {name: pyfuncitem.funcargs[name] for name in names})
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Nothing is kept of what the tool gives while a test or a fixture changes it, nor
    is it given what was kept before.
    """
    changes = "monkeypatch" in getattr(item, "fixturenames", ())
    _forget(changes)
    try:
        return (yield)
    finally:
        _forget(changes)


def _forget(changes: bool) -> None:
    support = sys.modules.get("support") if changes else None
    if support:
        support.generate.cache_clear()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems() -> None:
    """Strategies try what they say, and not all constants of the package as well: to
    read its modules for them takes two seconds in each process.
    """
    from hypothesis.internal.conjecture import providers  # noqa: PLC0415  here only

    providers._get_local_constants = providers.Constants


TOGETHER = (
    r"test_corpus\w*\.py.*\[(\w+-\w+)",  # a function of a corpus: what is made of it
    r"test_objects_derived\.py.*\[(.+)\]",  # a model of objects: likewise
    r"(test_whole_arrays|test_corpus_arrays)\.py",  # all of them are derived at once
    r"mgh/",  # the 35 problems
    r"emit/test_(c|fortran)\.py",  # the source of both
    r"picture/test_(files|layout)\.py",  # pictures
    r"type_checkers",  # what mypy knows of numpy
)
"""Parts of the names of tests; what such a part matches is done in one process."""


@cache
def _makes_once(file: Path) -> bool:
    """Whether a file has what is made once for all of its tests."""
    text = file.read_text(encoding="utf-8")
    return 'scope="module"' in text or "\n@cache\n" in text


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests that have a text or a cache in common go to one process, which keeps it.

    So do all of a file that makes something once for all of them, which is made again
    wherever tests of another file ran between, and all cases of one test: to hand out
    each by itself takes as long as many run.
    """
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415  only under xdist

    class ByCase(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            found = (re.search(pattern, nodeid) for pattern in TOGETHER)
            parts = (each[each.lastindex or 0] for each in found if each)
            file, test = nodeid.partition("::")[0], nodeid.partition("[")[0]
            return next(parts, file if _makes_once(config.rootpath / file) else test)

    return ByCase(config, log)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Times are measured alone, by `pytest --bench tests/benchmarks`."""
    measured = collection_path.name == "benchmarks"
    return True if measured and not config.getoption("--bench") else None
