"""The modes of the command line for a source: write, check, diff, explain.

A mode takes a source and returns what became of it. Only `Writer` touches a file.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Callable
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass, replace
from ad_transform.diagnostics import Diagnostic
from ad_transform.emit.targets import target_of
from ad_transform.later import later
from ad_transform.options import Options
from ad_transform.run.batch import (
    CANNOT,
    DONE,
    NOT_CURRENT,
    PASSED_OVER,
    Mode,
    Outcome,
    Work,
    refused,
)
from ad_transform.run.check import State, compare
from ad_transform.run.files import read_bytes
from ad_transform.run.made import Made, make
from ad_transform.run.neighbours import neighbours_of
from ad_transform.run.plan import Task
from ad_transform.run.report import Finding
from ad_transform.run.write import write_atomic

with later():
    import difflib

    from ad_transform.run import job, printing
    from ad_transform.run.deriving import has_error, in_target
    from ad_transform.run.job import explain

if TYPE_CHECKING:
    from ad_transform.around import Around
    from ad_transform.run.job import Addition, Result


def on_stdout(work: Work) -> Outcome:
    """The text of the output as product."""
    result = _transformed(work)
    said = work.findings(result.diagnostics)
    if result.refused:
        return refused(*said, read=result.read)
    return Outcome(DONE, "printed", said, product=result.text or "", read=result.read)


def explained(work: Work, addition: Addition | None = None) -> Outcome:
    """The figures of every request, with those of the addition."""
    task = work.task
    around = neighbours_of(task).around(task)
    explanation = explain(work.source, task.shown, task.options, addition, around)
    said = work.findings(explanation.diagnostics)
    if has_error(explanation.diagnostics):
        return refused(*said)
    return Outcome(DONE, "explained", said, objects=explanation.objects)


@dataclass(frozen=True, slots=True)
class Draft:
    """A text and the file it is for; `text` is None where nothing is marked.

    `beside` is the draft of the file that stands beside that one, if there is one.
    """

    output: str
    text: str | None
    existing: bytes | None
    state: State
    beside: Draft | None = None


@dataclass(frozen=True, slots=True)
class Writer:
    """Brings the file up to date; `after_write` is the exit code when it wrote."""

    force: bool = False
    after_write: int = DONE

    def __call__(self, work: Work) -> Outcome:
        if work.task.to_stdout:
            return on_stdout(work)
        return _drafted(work, self._bring_up_to_date)

    def _bring_up_to_date(self, work: Work, draft: Draft) -> Outcome:
        if draft.text is None or draft.state is State.CURRENT:
            return _nothing_to_write(work, draft)
        if draft.state is State.RELAID and not self.force:
            return _nothing_to_write(work, draft)
        if draft.state in _OTHERS and not self.force:
            return refused(_finding(work, draft))
        beside = draft.beside  # both files or none
        if beside is not None and beside.state in _OTHERS and not self.force:
            return refused(_finding(work, beside))
        if draft.state is State.FOREIGN and work.is_source(draft.output):
            return cannot_write(draft.output, "it is a source")
        try:
            write_atomic(draft.output, draft.text.encode())
        except OSError as error:
            return not_written(draft.output, error)
        return Outcome(self.after_write, "written", talk=f"wrote {draft.output}")


def check(work: Work) -> Outcome:
    """Whether the file is current."""
    return _drafted(work, _judge)


def diff(work: Work) -> Outcome:
    """The changes that writing would make, as product."""
    return _drafted(
        work, lambda _, draft: Outcome(DONE, "printed", product=_difference(draft))
    )


def check_and_diff(work: Work) -> Outcome:
    """The check and the difference at once."""
    return _drafted(
        work, lambda _, draft: replace(_judge(work, draft), product=_difference(draft))
    )


def _judge(work: Work, draft: Draft) -> Outcome:
    if draft.state in _SILENT:
        return _nothing_to_write(work, draft)
    finding = _finding(work, draft)
    if finding.diagnostic.severity == "note":
        return Outcome(DONE, "current", (finding,))
    return Outcome(NOT_CURRENT, "not current", (finding,))


EXPLAIN: Mode = explained
COMPARISONS: dict[tuple[bool, bool], Mode] = {  # by --check and --diff
    (True, False): check,
    (False, True): diff,
    (True, True): check_and_diff,
}


# --- the steps they share -------------------------------------------------------------


def _transformed(work: Work) -> Made:
    return make(work.task, work.source, work.cache, _new)


def _new(task: Task, source: bytes) -> Made:
    origin = task.relative, task.command
    neighbours = neighbours_of(task)
    around = neighbours.around(task)
    result = transform(source, task.shown, origin, task.options, around)
    details = (
        f"  {made.function.name}: {made.counts.total} operations, order {made.order}"
        for made in in_target(result.derived, task.options)
    )
    read = tuple(sorted(neighbours.seen))
    return Made(result.text, result.diagnostics, tuple(details), read)


def transform(
    source: bytes, path: str, origin: tuple[str, str], options: Options, around: Around
) -> Result:
    """The job, loaded when it is needed: remembered outputs need none."""
    return job.transform(source, path, printing.Origin(*origin), options, around)


def _drafted(work: Work, act: Callable[[Work, Draft], Outcome]) -> Outcome:
    """The outcome of `act` on the text and on the file that stands there."""
    result = _transformed(work)
    said = work.findings(result.diagnostics)
    if result.refused:
        return refused(*said, read=result.read)
    output = work.task.output
    assert output is not None, "the command line asks for a name"
    outcome = _with_existing(work, output, result.text, act)
    details = (*outcome.details, *result.details)
    findings = (*said, *outcome.findings)
    return replace(outcome, findings=findings, details=details, read=result.read)


def _with_existing(
    work: Work, output: str, text: str | None, act: Callable[[Work, Draft], Outcome]
) -> Outcome:
    task = work.task
    beside = target_of(task.options).companion
    draft = None
    try:
        if beside is not None and task.companion is not None:
            name = os.path.basename(task.companion)
            declared = None if text is None else beside.text(text, name)
            draft = _draft(task, task.companion, declared)
        draft = replace(_draft(task, output, text), beside=draft)
    except OSError as error:
        return not_written(output, error)
    outcome = act(work, draft)
    if draft.beside is None or outcome.code == CANNOT:
        return outcome
    return _together(outcome, act(work, draft.beside))


def _draft(task: Task, output: str, text: str | None) -> Draft:
    existing = existing_bytes(output)
    state = compare(existing, text, task.relative, target_of(task.options))
    return Draft(output, text, existing, state)


def _together(first: Outcome, second: Outcome) -> Outcome:
    """One outcome for two files of a task: counted as the one that was not current."""
    tally = first.tally if first.tally != "current" else second.tally
    return replace(
        first,
        code=max(first.code, second.code),
        tally=tally,
        findings=(*first.findings, *second.findings),
        product=first.product + second.product,
        talk="\n".join(filter(None, (first.talk, second.talk))),
        details=(*first.details, *second.details),
    )


_LARGEST = 1 << 28
"""Bytes of an output that is compared with."""


def existing_bytes(output: str) -> bytes | None:
    """The content of the output; a device or a pipe has none."""
    try:
        if not stat.S_ISREG(os.stat(output).st_mode) and not os.path.isdir(output):
            return None
        return read_bytes(output, _LARGEST)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _difference(draft: Draft) -> str:
    """A unified diff from the file to the text; nothing where writing does nothing."""
    if draft.text is None or draft.state in (State.CURRENT, State.RELAID):
        return ""
    before = (draft.existing or b"").decode("utf-8", "replace")
    old = "/dev/null" if draft.existing is None else draft.output
    lines = difflib.unified_diff(_lines(before), _lines(draft.text), old, draft.output)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in lines
    )


def _lines(text: str) -> list[str]:
    """Lines as files have them; splitlines would cut at form feeds too."""
    return io.StringIO(text, newline="\n").readlines()


# --- findings about an output ---------------------------------------------------------

_SILENT = (State.CURRENT, State.UNWANTED)
_OTHERS = (State.FOREIGN, State.EDITED)
_REGENERATE = "regenerate it: {command}"
_DELETE = "delete it, or mark a function of {source}"
_FORCE = "overwrite it with --force, or write elsewhere with -o"
_MOVE = "move the edit into {source} and overwrite the file with --force"

# fmt: off
_VERDICTS: dict[State, tuple[str, str, str]] = {  # code, message, help
    State.MISSING:  ("AD009", "is missing", _REGENERATE),
    State.STALE:    ("AD009", "is not current", _REGENERATE),
    State.LEFTOVER: ("AD009", "is a leftover: nothing in {source} is marked", _DELETE),
    State.EDITED:   ("AD007", "was edited by hand", _MOVE),
    State.FOREIGN:  ("AD006", "was not generated by ad-transform", _FORCE),
    State.RELAID:   ("AD010", "is current, laid out anew by a formatter", ""),
    State.REWORDED: ("AD010", "is current, but its comments differ", _REGENERATE),
}
# fmt: on


def _finding(work: Work, draft: Draft) -> Finding:
    code, message, way_out = _VERDICTS[draft.state]
    names = {"source": work.task.shown, "command": work.task.command_here}
    item = Diagnostic(code, message.format(**names), None, way_out.format(**names))
    return Finding(draft.output, item)


def not_written(output: str, error: OSError) -> Outcome:
    """The refusal of an output that the system does not let us write, AD005."""
    target = output
    if os.path.islink(target):
        target = os.path.relpath(os.path.realpath(target))
    folder = os.path.dirname(target)
    way_out = ""
    if isinstance(error, FileNotFoundError) and not os.path.isdir(folder):
        way_out = f"make the folder {folder!r} first"
    elif isinstance(error, IsADirectoryError):
        way_out = f"name a file in it: {os.path.join(target, 'model_grad.py')}"
    elif isinstance(error, PermissionError):
        where = folder or os.curdir
        way_out = f"ask for the right to write into {where!r}, or write elsewhere"
    return cannot_write(output, error.strerror or str(error), way_out)


def cannot_write(output: str, reason: str, way_out: str = "") -> Outcome:
    """The refusal of an output, AD005."""
    item = Diagnostic("AD005", f"cannot be written: {reason}", None, way_out)
    return refused(Finding(output, item))


def _nothing_to_write(work: Work, draft: Draft) -> Outcome:
    if draft.state is State.LEFTOVER:
        item = _finding(work, draft).diagnostic
        talk = f"{draft.output} {item.message}; {item.help}"
        return Outcome(DONE, "unmarked", talk=talk)
    if draft.state is State.UNWANTED:
        return Outcome(DONE, PASSED_OVER if work.task.found else "unmarked")
    return Outcome(DONE, "current", details=(f"{draft.output} is current",))
