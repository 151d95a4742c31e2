"""From the command line and the manifest to the list of tasks.

A task is one source, one output and the options that hold for the pair. The output may
be nothing but a name for the header, when the text goes to stdout.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.emit.targets import TARGETS, target_of
from ad_transform.options import Options
from ad_transform.run.discovery import found
from ad_transform.run.outputs import companion_of, default_output
from ad_transform.run.patterns import Glob, glob, is_pattern
from ad_transform.run.project import Entry, Project, home_of, load, locate, root_of
from ad_transform.run.settings import Settings, as_arguments, ending_of, layered

PROGRAM = "ad-transform"
STDIO = "-"
STDIN_NAME = "<stdin>"


class Misuse(Exception):
    """A usage error: the command line asks for something impossible."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The files and options of the command line; the paths as written."""

    sources: tuple[str, ...] = ()
    output: str | None = None
    stdin_filename: str | None = None
    config: str | None = None
    settings: Settings = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """One source and its output.

    `source` is None for stdin; `shown` is its name in messages. `output` is None only
    for stdin without a name and without -o. `relative` and `command` stand in the
    header. `listed` says that the manifest led to the source, `found` that a pattern or
    a folder did, so that nobody says it is marked. `home` is the folder of its cache,
    `root` the one that its imports are followed in; None where it has no place.
    """

    source: str | None
    shown: str
    output: str | None
    to_stdout: bool
    options: Options
    relative: str
    command: str
    listed: bool = False
    found: bool = False
    home: str | None = None
    root: str | None = None

    @property
    def companion(self) -> str | None:
        """The file beside the output, if the target has one."""
        beside = target_of(self.options).companion
        if beside is None or self.output is None:
            return None
        return companion_of(self.output, beside.ending)

    @property
    def files(self) -> tuple[str, ...]:
        """The output and the companion beside it."""
        return tuple(filter(None, (self.output, self.companion)))

    @property
    def command_here(self) -> str:
        """The command that regenerates the output from the folder of the call."""
        words = [_word(self.shown)]
        ending = target_of(self.options).ending
        if self.output not in (None, default_output(self.shown, ending)):
            words += ["-o", _word(self.output or "")]
        return _command((*words, *as_arguments(self.options)))


def plan(arguments: Arguments) -> tuple[Task, ...]:
    """The tasks in order, none twice; raises Misuse and Misconfigured."""
    _refuse_contradictions(arguments)
    made = _named(arguments) if arguments.sources else _listed(arguments)
    first: dict[object, Task] = {}
    for task in made:
        first.setdefault(_identity(task), task)
    tasks = tuple(first.values())
    _refuse_shared_outputs(tasks)
    return tasks


def _identity(task: Task) -> tuple[object, ...]:
    """A key of a path, the same for `a.py` and `./a.py`."""
    return (*map(_actual, (task.source, task.output)), task.to_stdout, task.options)


def _actual(path: str | None) -> str | None:
    return None if path is None else os.path.realpath(path)


def _refuse_contradictions(arguments: Arguments) -> None:
    paths = (arguments.output, arguments.stdin_filename, arguments.config)
    if "" in (*arguments.sources, *paths):
        raise Misuse("a file needs a name")
    stdin = arguments.sources.count(STDIO)
    if arguments.output is not None and len(arguments.sources) != 1:
        raise Misuse(
            "-o takes exactly one SRC; outputs of several are listed in pyproject.toml"
        )
    if stdin > 1:
        raise Misuse("stdin can be read only once")
    if arguments.stdin_filename is not None and not stdin:
        raise Misuse("--stdin-filename goes with SRC '-'")


def _refuse_shared_outputs(tasks: tuple[Task, ...]) -> None:
    owners: dict[str, Task] = {}
    for task in tasks:
        if task.output is None or task.to_stdout:
            continue
        other = owners.setdefault(os.path.realpath(task.output), task)
        if other is not task:
            raise Misuse(
                f"{other.shown} and {task.shown} have the same output, {task.output}"
            )


def _listed(arguments: Arguments) -> Iterator[Task]:
    """Every pair of the manifest."""
    project = manifest(arguments)
    for entry in _entries(project):
        source = os.path.relpath(entry.source)
        output = _output_of(entry, project, arguments)
        task = _task(
            arguments,
            project,
            source=source,
            name=source,
            pair=(output, entry.settings),
        )
        yield replace(task, listed=True, found=entry.found)


@dataclass(frozen=True, slots=True)
class Scope:
    """A folder that is looked through, and the project that it belongs to."""

    folder: str
    project: Project


def scopes_of(arguments: Arguments) -> tuple[Scope, ...]:
    """The folders meant as a whole: the project where no SRC is given, else folders."""
    if not arguments.sources:
        project = manifest(arguments)
        return (Scope(project.folder, project),)
    return tuple(
        Scope(os.path.abspath(source), _project(arguments, source))
        for source in arguments.sources
        if source != STDIO and os.path.isdir(source)
    )


def manifest(arguments: Arguments) -> Project:
    """The project stood in; raises Misuse where it lists nothing."""
    project = _project(arguments, os.curdir)
    if not project.rules:
        raise Misuse(
            "no SRC, and no [[tool.ad-transform.file]] in "
            f"{project.path or 'a pyproject.toml here or above'}: "
            "name a file, or list the marked ones by --init"
        )
    return project


def _entries(project: Project) -> Iterator[Entry]:
    """The pairs of the manifest, table by table."""
    seen: set[str] = set()
    for rule in project.rules:
        for path in (*rule.names, *_matches(rule.patterns, project, rule.covers)):
            if path not in seen:
                seen.add(path)
                yield from project.entries_of(path) or [_unmatched(path)]


def _unmatched(path: str) -> Entry:
    """A pattern that no file fits: its reading will fail."""
    return Entry(path, default_output(path))


def _matches(
    patterns: Iterable[Glob], project: Project, holds: Callable[[str], bool]
) -> Iterator[str]:
    """The marked files of patterns; a pattern that no file fits stands for itself."""
    for pattern in patterns:
        if next(pattern.files(), None) is None and pattern.parts != BELOW:
            yield os.path.join(pattern.folder, *pattern.parts)
        for path in found(pattern):
            if holds(path) and not project.leaves_out(path):
                yield path


BELOW = ("**", "*")
"""The pattern of all files below a folder."""


def _named(arguments: Arguments) -> Iterator[Task]:
    projects: dict[str, Project] = {}  # by folder: many sources stand in one
    for source, by_search in _spread(arguments):
        name = arguments.stdin_filename if source == STDIO else source
        if name is None:
            yield _nameless(arguments)
            continue
        folder = os.path.dirname(name)
        if folder not in projects:
            projects[folder] = _project(arguments, folder)
        project = projects[folder]
        if by_search and project.leaves_out(os.path.abspath(name)):
            continue
        actual = None if source == STDIO else source
        for pair in _outputs(arguments, project, name):
            task = _task(arguments, project, source=actual, name=name, pair=pair)
            yield replace(task, found=by_search)


def _spread(arguments: Arguments) -> Iterator[tuple[str, bool]]:
    """The sources, with folders and patterns spread out into the marked files."""
    for source in arguments.sources:
        if source != STDIO and os.path.isdir(source):
            below = Glob(os.path.abspath(source), BELOW)
        elif is_pattern(source):
            below = glob(os.path.abspath(os.curdir), source)
        else:
            yield source, False
            continue
        if arguments.output is not None:
            raise Misuse("-o takes one SRC that is a file")
        if next(below.files(), None) is None and below.parts != BELOW:
            yield source, False
        for path in found(below):
            yield os.path.relpath(path), True


def _outputs(
    arguments: Arguments, project: Project, source: str
) -> Iterator[tuple[str, Settings]]:
    """The outputs of the source: -o, else those of the manifest, else the default."""
    pairs = [
        (_output_of(entry, project, arguments), entry.settings)
        for entry in project.entries_of(os.path.abspath(source))
    ]
    if not pairs:
        ending = ending_of({**project.settings, **arguments.settings})
        pairs = [(default_output(source, ending), {})]
    if arguments.output is None and source != arguments.stdin_filename:
        yield from pairs
    elif arguments.output in (None, STDIO):
        yield pairs[0]
    else:
        wanted = os.path.realpath(arguments.output)
        same = [pair for pair in pairs if os.path.realpath(pair[0]) == wanted]
        yield arguments.output, (same or pairs)[0][1]


def _output_of(entry: Entry, project: Project, arguments: Arguments) -> str:
    """The output of a pair; the command line may ask for another target."""
    if not entry.usual:
        return os.path.relpath(entry.output)
    levels = {**project.settings, **entry.settings, **arguments.settings}
    return os.path.relpath(default_output(entry.source, ending_of(levels)))


def _task(
    arguments: Arguments,
    project: Project,
    *,
    source: str | None,
    name: str,
    pair: tuple[str, Settings],
) -> Task:
    output, settings = pair
    options = layered(project.settings, settings, arguments.settings)
    to_stdout = arguments.output == STDIO or (
        source is None and arguments.output is None
    )
    _refuse_ending(output, options)
    if os.path.realpath(output) == os.path.realpath(name):
        raise Misuse(f"the output {output} is the source itself")
    relative = _relative(name, output)
    words = (relative, "-o", _word(os.path.basename(output)), *as_arguments(options))
    home = home_of(os.path.dirname(name), project)
    return Task(
        source,
        name,
        output,
        to_stdout,
        options,
        relative,
        _command(words),
        home=home,
        root=root_of(name, project),
    )


def _refuse_ending(output: str, options: Options) -> None:
    """Raise Misuse where an ending is of another language than the target's."""
    target = target_of(options)
    for name, other in TARGETS.items():
        if other is not target and output.endswith(other.ending):
            raise Misuse(
                f"{output} ends as files of the target {name} do, and the target is "
                f"{options.target}: --target {name}, or another ending"
            )
    if target.companion is not None and not output.endswith(target.ending):
        raise Misuse(
            f"files of the target {options.target} end in {target.ending}, "
            f"which {output} does not"
        )


def _nameless(arguments: Arguments) -> Task:
    """Stdin without a name: the options are those of the project stood in."""
    project = _project(arguments, os.curdir)
    options = layered(project.settings, arguments.settings)
    output = None if arguments.output == STDIO else arguments.output
    into = () if output is None else ("-o", _word(os.path.basename(output)))
    if output is not None:
        _refuse_ending(output, options)
    command = _command((STDIO, *into, *as_arguments(options)))
    return Task(None, STDIN_NAME, output, output is None, options, STDIN_NAME, command)


def _project(arguments: Arguments, folder: str) -> Project:
    path = locate(folder) if arguments.config is None else arguments.config
    return Project() if path is None else load(path)


def _relative(source: str, output: str) -> str:
    """The source's path seen from the output's folder, with `/` between the parts.

    Folders are resolved, since `..` leads out of a linked folder another way; the last
    part stays as the user named it.
    """
    folder, name = os.path.split(source)
    start = os.path.realpath(os.path.dirname(output))
    path = os.path.relpath(os.path.join(os.path.realpath(folder), name), start)
    return _word(path.replace(os.sep, "/"))


def _word(path: str) -> str:
    """The path so that no option parser takes it for an option."""
    return f"./{path}" if path.startswith("-") else path


def _command(words: tuple[str, ...]) -> str:
    return shlex.join((PROGRAM, *words))
