"""Run tasks: each is all or nothing, and none holds up the others.

Exit codes (CONTRACT.md, rule 21): 0 written or current, 1 not current, 2 cannot do it,
3 internal error; the worst wins.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Diagnostic, beside
from ad_transform.later import later
from ad_transform.run.discovery import LARGEST, content_of, generated_source
from ad_transform.run.files import NotAFile, bounded, read_bytes
from ad_transform.run.made import is_remembered, load_everything
from ad_transform.run.patterns import ENDINGS, is_pattern
from ad_transform.run.plan import Task
from ad_transform.run.report import Finding, source_lines

with later():
    import difflib
    import traceback

    from ad_transform.run.cache import Cache
    from ad_transform.run.parallel import answers

DONE, NOT_CURRENT, CANNOT, INTERNAL, INTERRUPTED = 0, 1, 2, 3, 130

PASSED_OVER = "passed over"
"""The tally of files that a search found and nobody marked; no summary counts it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a task.

    `tally` is the word under which a summary counts it. `product` goes to stdout;
    `talk`, a line for people, to stderr, and `details` too if asked for. `objects` are
    the figures of --explain, `trace` is the traceback of an internal error. `read` are
    the files that were looked at besides the source, whether they are there or not.
    """

    code: int
    tally: str
    findings: tuple[Finding, ...] = ()
    product: str = ""
    talk: str = ""
    details: tuple[str, ...] = ()
    objects: tuple[Mapping[str, object], ...] = ()
    trace: str = ""
    read: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Work:
    """A task, the bytes of its source, and the sources that must not be written to.

    `cache` is None where nothing is remembered.
    """

    task: Task
    source: bytes
    protected: frozenset[str]
    cache: Cache | None = None

    def is_source(self, path: str) -> bool:
        """Whether the path is a source of this run."""
        return os.path.realpath(path) in self.protected

    def findings(self, diagnostics: Sequence[Diagnostic]) -> tuple[Finding, ...]:
        """The diagnostics with the source's path, and its lines to quote."""
        if self.task.found:  # nobody said that it is marked
            diagnostics = [item for item in diagnostics if item.code != "AD011"]
        if not diagnostics:
            return ()
        lines = source_lines(self.source)
        return tuple(
            (
                _elsewhere(self.task.shown, item)
                if item.span and item.span.path
                else Finding(self.task.shown, item, lines)
            )
            for item in diagnostics
        )


def _elsewhere(source: str, item: Diagnostic) -> Finding:
    """A diagnostic of another file that a source needs."""
    assert item.span is not None
    path = beside(source.replace(os.sep, "/"), item.span.path)
    return Finding(path, item, source_lines(content_of(path)))


def refused(*findings: Finding, read: tuple[str, ...] = ()) -> Outcome:
    """The outcome of a task that cannot be done."""
    return Outcome(CANNOT, "refused", findings, read=read)


Mode = Callable[[Work], Outcome]


@dataclass(frozen=True, slots=True)
class Batch:
    """Tasks and the mode for all; `caching` and `jobs` change no outcome."""

    tasks: tuple[Task, ...]
    mode: Mode
    caching: bool = True
    jobs: int = 1

    def run(self, begin: Callable[[str], object] = lambda _: None) -> Iterator[Outcome]:
        """The outcome of each task, in order, as it comes.

        `begin` is told the name of each source that is waited for.
        """
        named = (task.source or task.shown for task in self.tasks)
        protected = frozenset(map(os.path.realpath, named))

        def ask(number: int) -> Outcome:
            begin(self.tasks[number].shown)
            return self._outcome(protected, number)

        slow = tuple(self._slow()) if self.jobs > 1 else ()
        if len(slow) < 2:
            yield from map(ask, range(len(self.tasks)))
            return
        load_everything()  # once, and not once in each process
        apart = frozenset(slow)
        apart_ask = partial(self._outcome, protected)
        with closing(answers(slow, apart_ask, self._lost, self.jobs)) as others:
            for k, task in enumerate(self.tasks):
                begin(task.shown)
                yield next(others) if k in apart else ask(k)

    def _outcome(self, protected: frozenset[str], number: int) -> Outcome:
        task = self.tasks[number]
        return _run_one(task, self.mode, protected, self._cache(task))

    def _cache(self, task: Task) -> Cache | None:
        return self.cache_at(task.home)

    def cache_at(self, home: str | None) -> Cache | None:
        """The cache of a project."""
        return Cache(home) if self.caching and home else None

    def _slow(self) -> Iterator[int]:
        """The tasks for other processes: those of which the cache knows nothing."""
        for k, task in enumerate(self.tasks):
            cache = self._cache(task)
            with suppress(OSError):
                if task.source is not None and (
                    cache is None or not is_remembered(task, _read(task), cache)
                ):
                    yield k

    def _lost(self, number: int) -> Outcome:
        shown = self.tasks[number].shown
        talk = f"{shown}: internal error, please report it with the file: killed"
        return Outcome(INTERNAL, "failed", talk=talk, trace="its process was killed\n")


def _run_one(
    task: Task, mode: Mode, protected: frozenset[str], cache: Cache | None
) -> Outcome:
    try:
        source = _read(task)
    except OSError as error:
        return refused(Finding(task.shown, _unreadable(task, error)))
    try:
        return mode(Work(task, source, protected, cache))
    except Exception as error:
        what = (
            f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        )
        talk = f"{task.shown}: internal error, please report it with the file: {what}"
        trace = traceback.format_exc()
        return Outcome(INTERNAL, "failed", talk=talk, trace=trace)


def _read(task: Task) -> bytes:
    if task.source is not None:
        return read_bytes(task.source, LARGEST)
    if sys.stdin is None:
        raise OSError(0, "standard input is closed")
    return bounded(sys.stdin.buffer.read(LARGEST + 1), LARGEST)


def _unreadable(task: Task, error: OSError) -> Diagnostic:
    reason = error.strerror or str(error)
    way_out = ""
    if isinstance(error, FileNotFoundError):
        if is_pattern(task.shown):
            reason, way_out = "no file fits the pattern", _respell(task)
        else:
            way_out = _way_back(task)
    elif isinstance(error, NotAFile):
        way_out = "give a file, or SRC '-' and the text on stdin"
    elif isinstance(error, PermissionError):
        way_out = "ask for the right to read it, or change its permissions"
    return Diagnostic("AD001", f"cannot be read: {reason}", None, way_out)


def _way_back(task: Task) -> str:
    """The advice for a source that is not there."""
    if os.path.islink(task.shown):
        return f"it is a link to {os.readlink(task.shown)!r}, which is not there"
    near = _nearest(task.shown)
    if task.listed:
        return f"{near}{_RESTORE}"
    return near.strip() or _respell(task)


_RESTORE = "bring it back, or take it out of the manifest"


def _respell(task: Task) -> str:
    if task.listed:
        return _RESTORE
    folder = os.path.dirname(task.shown)
    if folder and not os.path.isdir(folder):
        return f"there is no folder {folder!r}"
    return "see how it is spelled, and seen from which folder"


def _nearest(path: str) -> str:
    """`did you mean 'spring.py'?` for the file that is spelled nearest."""
    folder, name = os.path.split(path)
    try:
        names = sorted(n for n in os.listdir(folder or ".") if n.endswith(ENDINGS))
    except OSError:
        return ""
    for close in difflib.get_close_matches(name, names, cutoff=0.7):
        path = os.path.join(folder, close)
        if generated_source(content_of(path)) is None:
            return f"did you mean {path!r}? "
    return ""
