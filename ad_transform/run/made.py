"""The output of a source, made by the job or remembered by the cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import CODES, Diagnostic, Span
from ad_transform.later import later, load_all
from ad_transform.run.neighbours import looked_at
from ad_transform.run.plan import Task

with later():
    import json

    from ad_transform.read.syntax.library import quickly
    from ad_transform.run.cache import Cache


@dataclass(frozen=True, slots=True)
class Made:
    """The text of an output, None if refused or nothing is marked; the diagnostics.

    `details` are the lines of --verbose, `read` the paths from the root of the project
    that were looked at besides the source.
    """

    text: str | None
    diagnostics: tuple[Diagnostic, ...] = ()
    details: tuple[str, ...] = ()
    read: tuple[str, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether a diagnostic forbids an output."""
        return any(item.severity == "error" for item in self.diagnostics)


Maker = Callable[[Task, bytes], Made]


def make(task: Task, source: bytes, cache: Cache | None, new: Maker) -> Made:
    """The output of a source with its diagnostics, remembered or `new`."""
    if cache is None:
        return new(task, source)
    causes = _all_causes(task, source, cache)
    text = cache.get(*causes)
    made = None if text is None else _parsed(text)
    if made is None:
        made = new(task, source)
        _remember(made, task, source, cache)
    return made


def is_remembered(task: Task, source: bytes, cache: Cache) -> bool:
    """Whether `make` would seem to need no time."""
    return cache.has(*_all_causes(task, source, cache))


_READ = b"which files were looked at"


def _all_causes(task: Task, source: bytes, cache: Cache) -> tuple[bytes, ...]:
    """All that the output depended on when it was last made from this source."""
    causes = _causes(task, source)
    known = cache.get(_READ, *causes)
    paths = known.splitlines() if known else []
    return (*causes, *looked_at(task, paths))


def _remember(made: Made, task: Task, source: bytes, cache: Cache) -> None:
    """Keep an output: the first entry tells the causes of the second."""
    causes = _causes(task, source)
    if made.read or cache.has(_READ, *causes):
        cache.put("\n".join(made.read), _READ, *causes)
    cache.put(_written(made), *causes, *looked_at(task, made.read))


_MAKING = tuple(f"ad_transform.{p}" for p in ("ir", "eliminate", "derive", "read"))
"""The packages of most code that makes outputs, but for the languages of targets."""


def load_everything() -> None:
    """Import all that making needs, for processes that will be copies of this one."""
    with quickly():  # for LibCST, as where sources are read
        import ad_transform.read.program  # noqa: PLC0415
        import ad_transform.run.job  # noqa: PLC0415, F401
    load_all(*_MAKING)


def _causes(task: Task, source: bytes) -> tuple[bytes, ...]:
    """All that the output depends on, the code of the tool apart."""
    texts = (task.shown, task.relative, task.command, repr(task.options))
    return (*(text.encode(errors="surrogatepass") for text in texts), source)


def _written(made: Made) -> str:
    diagnostics = [
        (item.code, item.message, item.span, item.help) for item in made.diagnostics
    ]
    return json.dumps((made.text, diagnostics, made.details, made.read))


def _parsed(text: str) -> Made | None:
    """The output that `_written` wrote; None for any other text."""
    try:
        body, diagnostics, details, read = json.loads(text)
        said = tuple(_diagnostic(*item) for item in diagnostics)
        return Made(body, said, tuple(details), tuple(read))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _diagnostic(code: str, message: str, span: Any, help_text: str) -> Diagnostic:
    CODES[code]  # a code that is known
    return Diagnostic(code, message, None if span is None else Span(*span), help_text)
