"""Makes tests/ importable and keeps measurements out of the default run."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache, cached_property
from importlib import import_module
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


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop() -> Iterator[None]:
    """Whatever a test derives is verified after every pass."""
    with every_pass():
        return (yield)


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


def pytest_sessionstart(session: pytest.Session) -> None:
    """What one of the processes that tests start has compiled serves all of them, also
    where nothing may be written beside the sources.
    """
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        kept = session.config._tmp_path_factory.getbasetemp() / "compiled"
        os.environ["PYTHONPYCACHEPREFIX"] = str(kept)


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
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Brief(config))


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """What the processes of a run compile is not compiled by all of them: each imports
    the modules of tests from another one on, and finds those of the others. What one
    raises is reported when it is collected.
    """
    own = getattr(session.config, "workerinput", {})
    if not own or session.config.args_source != pytest.Config.ArgsSource.TESTPATHS:
        return
    tests = [p for p in HERE.rglob("test_*.py") if "benchmarks" not in p.parts]
    folders = dict.fromkeys(str(path.parent) for path in sorted(tests))
    sys.path[:0] = [folder for folder in folders if folder not in sys.path]
    names = sorted(path.stem for path in tests)
    start = len(names) * int(own["workerid"][2:]) // own["workercount"]
    for name in (*names[start:], *names[:start]):
        with suppress(Exception, pytest.skip.Exception):
            import_module(name)


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
    names = pyfuncitem._fixtureinfo.argnames
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


class Brief:
    """The processes of a run: each tells the one that started it how a test went, and
    not when it begins and ends, nor that it was set up and taken down. To tell all that
    and to be told takes as long as a tenth of the tests.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @cached_property
    def _tell(self) -> Callable[[pytest.TestReport], None]:
        """Tells the one that started it, and nobody else: there is no terminal here."""
        plugins = self._config.pluginmanager.get_plugins()
        found: dict[str, Any] = {type(one).__name__: one for one in plugins}
        if "WorkerInteractor" in found:  # as xdist has called it since it began
            return found["WorkerInteractor"].pytest_runtest_logreport
        return lambda report: self._config.hook.pytest_runtest_logreport(report=report)

    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> bool:
        from _pytest.runner import runtestprotocol  # noqa: PLC0415  as its plugins do

        arguments = _plain(item)
        if arguments is None:
            reports = runtestprotocol(item, log=False, nextitem=nextitem)
        else:
            reports = _at_once(item, arguments, nextitem)
        for report in reports:
            if not report.passed:
                item.ihook.pytest_runtest_logreport(report=report)
            elif report.when == "call":
                self._tell(report)
        return True


def _plain(item: pytest.Item) -> dict[str, Any] | None:
    """The arguments of a function of a module that is called with what stands in its
    parameters, and no more: without fixtures and marks. None for other tests.
    """
    if type(item) is not pytest.Function or type(item.parent) is not pytest.Module:
        return None
    spec = getattr(item, "callspec", None)
    arguments = spec.params if spec else {}
    fixtures = item._fixtureinfo.name2fixturedefs
    made = (found[-1].func.__name__ for found in fixtures.values() if found)
    if (
        arguments.keys() != set(item.fixturenames)
        or any(name != "get_direct_param_fixture_func" for name in made)
        or any(mark.name != "parametrize" for mark in item.iter_markers())
        or getattr(item.obj, "is_hypothesis_test", False)
    ):
        return None
    return {name: arguments[name] for name in item._fixtureinfo.argnames}


def _at_once(
    item: pytest.Item, arguments: dict[str, Any], nextitem: pytest.Item | None
) -> Iterator[pytest.TestReport]:
    """What is reported of a test that has nothing to be set up and taken down.

    To find that out three times takes longer than most of these tests.
    """
    from _pytest.runner import call_and_report  # noqa: PLC0415  as its plugins do

    def test() -> None:
        with capturing.item_capture("call", item):
            _call(item.obj, arguments)

    capturing = item.config.pluginmanager.getplugin("capturemanager")
    call = pytest.CallInfo.from_call(
        test, "call", reraise=(pytest.exit.Exception, KeyboardInterrupt)
    )
    if call.excinfo:
        yield item.ihook.pytest_runtest_makereport(item=item, call=call)
    else:
        passed = pytest.TestReport.from_item_and_call(item, call)
        passed.keywords = {}  # nobody asks, and all of it would be sent
        yield passed
    there = [*item.session._setupstate.stack]  # of tests before it
    if there and there != (nextitem.listchain() if nextitem else [])[: len(there)]:
        yield call_and_report(item, "teardown", log=False, nextitem=nextitem)


def _forget(changes: bool) -> None:
    support = sys.modules.get("support") if changes else None
    if support:
        support.generate.cache_clear()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Hypothesis and the tests that are tried."""
    _prepare_hypothesis()
    if config.getoption("--long"):
        return
    _, *lines = (HERE / "elsewhere.txt").read_text(encoding="utf-8").splitlines()
    listed = set(lines)
    if config.args_source == pytest.Config.ArgsSource.TESTPATHS:
        _unknown[:] = sorted(listed.difference(map(_name, items)))
    if not any("::" in word for word in config.args):  # named tests are tried
        left_out = [item for item in items if _name(item) in listed]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if _name(item) not in listed]


_unknown: list[str] = []


@pytest.fixture
def unknown() -> list[str]:
    """What `elsewhere.txt` lists and is no test, where all tests are collected."""
    return _unknown


def _name(item: pytest.Item) -> str:
    """A test as `elsewhere.txt` lists it."""
    return item.nodeid.removeprefix("tests/")


def _prepare_hypothesis() -> None:
    """Strategies try what they say, and not all constants of the package as well: to
    read its modules for them takes two seconds in each process.

    Random numbers are known to hypothesis before there is much: as it gets to know
    them, it looks at all objects, which takes eight seconds where tests keep millions.
    """
    from hypothesis.internal import entropy  # noqa: PLC0415  here only
    from hypothesis.internal.conjecture import providers  # noqa: PLC0415  likewise

    providers._get_local_constants = providers.Constants
    with entropy.deterministic_PRNG():
        pass


TOGETHER = (
    r"test_corpus\w*\.py.*\[(\w+-\w+)",  # a function of a corpus: what is made of it
    r"test_objects_derived\.py.*\[(.+)\]",  # a model of objects: likewise
    r"(test_whole_arrays|test_corpus_arrays)\.py",  # all of them are derived at once
    r"(test_w)(?:hole_bodies|ithout_numpy)\.py",  # likewise
    r"mgh/",  # the 35 problems
    r"(emit/test_)(?:c|fortran)\.py",  # the source of both
    r"emit/test_(?:library_in_c|compiled_stacks)\.py",  # neither of which comes last
    r"picture/",  # pictures
    r"type_checkers",  # what mypy knows of numpy
    r"(test_any_)(?:text|file_name)",  # what hypothesis knows of all characters
)
"""Parts of the names of tests; what such a part matches is done in one process."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests of one file go to one process, which keeps what they have in common: to
    make that again in another one, and to hand out each test by itself, takes as long
    as many run. So do tests of some files together, see TOGETHER.
    """
    from xdist.scheduler import LoadScopeScheduling  # noqa: PLC0415  only under xdist

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _scope(nodeid)

        def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
            """Where a test stands among all is known, and not looked for each time."""
            super().add_node_collection(node, collection)
            found = self.registered_collections
            if node in found:
                found[node] = Numbered(found[node])

        def mark_test_complete(
            self, node: Any, item_index: int, duration: float = 0
        ) -> None:
            """What is done is not counted again and again."""
            nodeid = self.registered_collections[node][item_index]
            scope, own = self._split_scope(nodeid), self.assigned_work[node]
            own[scope][nodeid] = True
            if all(own[scope].values()):
                del own[scope]
            self._reschedule(node)

    return ByFile(config, log)


class Numbered(list[str]):
    """Different names in a list, which finds each at once."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names)
        self._places = {name: k for k, name in enumerate(names)}

    def index(self, name: str, *_: Any) -> int:
        """The place of a name."""
        return self._places[name]


@cache
def _scope(nodeid: str) -> str:
    """What the tests have in common that are done in one process."""
    found = (re.search(pattern, nodeid) for pattern in TOGETHER)
    parts = (each[each.lastindex or 0] for each in found if each)
    return next(parts, nodeid.partition("::")[0])


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Times are measured alone, by `pytest --bench tests/benchmarks`."""
    measured = collection_path.name == "benchmarks"
    return True if measured and not config.getoption("--bench") else None
