"""Findings of `--check` on a project beyond its outputs (CONTRACT.md, rule 21).

Outputs whose source or mark is gone, marked files that the manifest forgets, and, in a
git work tree, outputs that the next commit would leave behind.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.emit.targets import endings
from ad_transform.run.batch import NOT_CURRENT, Batch, Outcome
from ad_transform.run.cache import Cache
from ad_transform.run.discovery import content_of, generated_source, is_marked
from ad_transform.run.patterns import walk
from ad_transform.run.plan import STDIN_NAME, Scope, Task
from ad_transform.run.project import Project, home_of, is_repository, upwards
from ad_transform.run.report import Finding, source_lines


def strays(scopes: Iterable[Scope], batch: Batch) -> Iterator[Outcome]:
    """An outcome for each orphaned output and each marked file that is not covered."""
    outputs = {os.path.realpath(path) for task in batch.tasks for path in task.files}
    for scope in scopes:
        for path in walk(scope.folder, leave_out=_is_another_project):
            if path.endswith(endings()) and not scope.project.leaves_out(path):
                cache = batch.cache_at(home_of(scope.folder, scope.project))
                yield from _judged(path, scope.project, outputs, cache)


def _judged(
    path: str, project: Project, outputs: set[str], cache: Cache | None
) -> Iterator[Outcome]:
    content = content_of(path)
    source = generated_source(content, path)
    if source is not None:
        if source != STDIN_NAME and os.path.realpath(path) not in outputs:
            yield from _orphaned(path, source)
    elif not path.endswith(".py") or not project.rules:
        return
    elif is_marked(content, cache) and not project.entries_of(path):
        yield _uncovered(path, content, project)


def _is_another_project(folder: str) -> bool:
    if is_repository(folder):
        return True
    return b"tool.ad-transform" in content_of(os.path.join(folder, "pyproject.toml"))


def _orphaned(path: str, named: str) -> Iterator[Outcome]:
    source = os.path.normpath(os.path.join(os.path.dirname(path), named))
    shown = os.path.relpath(source)
    if not os.path.exists(source):
        message = f"is an orphan: its source {shown} is gone"
        way_out = f"delete it, or bring {shown} back"
    elif not is_marked(content_of(source)):
        message = f"is an orphan: nothing in {shown} is marked"
        way_out = f"delete it, or mark a function of {shown}"
    else:
        return
    item = Diagnostic("AD013", message, None, way_out)
    yield Outcome(NOT_CURRENT, "orphaned", (Finding(os.path.relpath(path), item),))


_MARK = re.compile(r"#\s*ad\b[^#]*|\bad_transform\b", re.IGNORECASE)


def _uncovered(path: str, content: bytes, project: Project) -> Outcome:
    lines = source_lines(content)
    span = None
    for number, line in enumerate(lines, 1):
        mark = _MARK.search(line)
        if mark:
            start, end = mark.start() + 1, mark.start() + 1 + len(mark[0].rstrip())
            span = Span(number, start, number, end)
            break
    seen = os.path.relpath(path, project.folder).replace(os.sep, "/")
    config = os.path.relpath(project.path or "pyproject.toml")
    way_out = (
        f'add it to {config}: [[tool.ad-transform.file]] and source = "{seen}"\n'
        f'or leave it out: exclude = ["{seen}"] under [tool.ad-transform]'
    )
    item = Diagnostic("AD014", "the manifest does not cover this file", span, way_out)
    finding = Finding(os.path.relpath(path), item, lines)
    return Outcome(NOT_CURRENT, "not covered", (finding,))


# --- git ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tracking:
    """The outputs that stand in a git work tree and are not tracked."""

    untracked: frozenset[str] = frozenset()

    def reviewed(self, task: Task, outcome: Outcome) -> Outcome:
        """The outcome, worse where all is well but for git."""
        unknown = [p for p in task.files if os.path.abspath(p) in self.untracked]
        if outcome.code or not unknown:
            return outcome
        findings = (*outcome.findings, *map(_unknown, unknown))
        return replace(
            outcome, code=NOT_CURRENT, tally="not tracked", findings=findings
        )


def _unknown(output: str) -> Finding:
    item = Diagnostic("AD015", "is not tracked by git", None, f"git add {output}")
    return Finding(output, item)


def tracking(tasks: Iterable[Task]) -> Tracking:
    """The outputs that git does not track; none where there is no git."""
    by_root: dict[str, list[str]] = {}
    for task in tasks:
        if task.output is None or task.to_stdout or not os.path.exists(task.output):
            continue
        paths = [os.path.abspath(path) for path in task.files if os.path.exists(path)]
        root = next(filter(is_repository, upwards(os.path.dirname(paths[0]))), None)
        if root is not None and os.path.exists(os.path.join(root, ".git")):
            by_root.setdefault(root, []).extend(paths)
    unknown = (
        path
        for root, paths in by_root.items()
        for start in range(0, len(paths), _AT_ONCE)
        for path in _untracked(root, paths[start : start + _AT_ONCE])
    )
    return Tracking(frozenset(unknown))


_AT_ONCE = 200
"""Paths in one call of git: the length of a command is limited."""


def _untracked(root: str, paths: Sequence[str]) -> Sequence[str]:
    names = [os.path.relpath(path, root) for path in paths]
    try:
        run = subprocess.run(
            ["git", "-C", root, "ls-files", "-z", "--", *names],
            env={**os.environ, "GIT_LITERAL_PATHSPECS": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except OSError:  # no git
        return ()
    if run.returncode:  # no work tree, or not ours
        return ()
    known = set(os.fsdecode(run.stdout).split("\0"))
    return [
        path
        for path, name in zip(paths, names, strict=True)
        if name.replace(os.sep, "/") not in known
    ]
