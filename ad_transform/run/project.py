"""pyproject.toml: defaults under [tool.ad-transform] and the manifest of its files.

The manifest is a list of tables, `[[tool.ad-transform.file]]` with `source`, `output`
and options; it is what makes a missing output and a deleted source visible. A source is
a path or a pattern, or a list of these.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import lru_cache

from ad_transform.dataclass import dataclass, replace
from ad_transform.diagnostics import Span
from ad_transform.options import nearest, shown
from ad_transform.run.outputs import bad_output, output_of
from ad_transform.run.patterns import Glob, glob, is_pattern
from ad_transform.run.settings import KEYS, Settings, checked, ending_of
from ad_transform.run.toml import Misconfigured, parsed, place, text_of

__all__ = ["Entry", "Misconfigured", "Project", "Rule", "load", "locate"]

TABLE = "ad-transform"


@dataclass(frozen=True, slots=True)
class Entry:
    """A pair of the manifest; the paths are absolute.

    `found` says that a pattern found the source, and that nobody named it; `usual`
    that nobody says where the output goes.
    """

    source: str
    output: str
    settings: Settings = field(default_factory=dict)
    found: bool = False
    usual: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A table of the manifest: sources by name and by pattern, and their outputs."""

    names: tuple[str, ...]
    patterns: tuple[Glob, ...] = ()
    exclude: tuple[Glob, ...] = ()
    output: str | None = None
    settings: Settings = field(default_factory=dict)

    def covers(self, path: str) -> bool:
        """Whether a pattern of the table covers the absolute path."""
        left_out = any(pattern.covers_within(path) for pattern in self.exclude)
        return not left_out and any(pattern.covers(path) for pattern in self.patterns)


@dataclass(frozen=True, slots=True)
class Project:
    """The content of a configuration file; `path` is None where there is none.

    Its paths are relative to `folder`; paths in `exclude` are never looked at.
    """

    path: str | None = None
    settings: Settings = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()
    exclude: tuple[Glob, ...] = ()
    folder: str = ""

    def leaves_out(self, path: str) -> bool:
        """Whether nothing is to be found at the absolute path."""
        return any(pattern.covers_within(path) for pattern in self.exclude)

    def entries_of(self, path: str) -> tuple[Entry, ...]:
        """The pairs of the source at an absolute path, in the manifest's order.

        All tables hold that cover it. Where two give the same output, the one that
        names the source wins over a pattern, and then the first.
        """
        taken: dict[str, Entry] = {}
        for entry in (*self._by_name(path), *self._by_pattern(path)):
            taken.setdefault(entry.output, entry)
        return tuple(taken.values())

    def _by_name(self, path: str) -> Iterator[Entry]:
        actual = os.path.realpath(path)
        for rule in self.rules:
            if actual in map(os.path.realpath, rule.names):
                yield self._entry(rule, path)

    def _by_pattern(self, path: str) -> Iterator[Entry]:
        if self.leaves_out(path):
            return
        for rule in self.rules:
            if rule.covers(path):
                yield replace(self._entry(rule, path), found=True)

    def _entry(self, rule: Rule, path: str) -> Entry:
        ending = ending_of({**self.settings, **rule.settings})
        output = output_of(path, rule.output, self.folder, ending)
        return Entry(path, output, rule.settings, usual=rule.output is None)

    def named(self) -> Iterator[str]:
        """The sources that the manifest names."""
        for rule in self.rules:
            yield from rule.names


def locate(folder: str) -> str | None:
    """The nearest pyproject.toml with our table, from `folder` upwards.

    The search ends at the root of a repository, as black's does. Raises Misconfigured
    where a file on the way is not TOML.
    """
    for above in upwards(folder):
        candidate = os.path.join(above, "pyproject.toml")
        if os.path.isfile(candidate) and _table(candidate) is not None:
            return candidate
        if is_repository(above):
            return None
    return None


def upwards(folder: str) -> Iterator[str]:
    """The absolute path of a folder and of those that it stands in."""
    path = os.path.abspath(folder)
    while True:
        yield path
        above = os.path.dirname(path)
        if above == path:
            return
        path = above


def is_repository(folder: str) -> bool:
    """Whether the folder is the root of a repository."""
    return any(os.path.exists(os.path.join(folder, name)) for name in (".git", ".hg"))


def home_of(folder: str, project: Project) -> str | None:
    """The folder that the cache of a project stands in; None outside any project.

    That is the root of the repository, else the folder of the manifest.
    """
    return _repository(os.path.abspath(folder)) or project.folder or None


def root_of(source: str, project: Project) -> str:
    """The folder that imports of a source are followed in.

    That is the folder of the manifest, else the root of the repository, else the folder
    that the package of the source stands in.
    """
    path = os.path.abspath(source)
    for root in (project.folder, _repository(os.path.dirname(path))):
        if root and os.path.commonpath((root, path)) == root:
            return root
    folder = os.path.dirname(path)
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return folder


@lru_cache
def _repository(folder: str) -> str | None:
    return next(filter(is_repository, upwards(folder)), None)


def load(path: str) -> Project:
    """The project that the file describes; raises Misconfigured."""
    table = _table(path)
    if table is None:
        help_text = f"write [tool.{TABLE}] into it"
        raise Misconfigured(path, f"there is no [tool.{TABLE}]", None, help_text)
    try:
        return _project(path, table)
    except _Wrong as wrong:
        span = _place(path, wrong.key, wrong.entry)
        raise Misconfigured(path, str(wrong), span, wrong.help_text) from None


class _Wrong(Exception):
    """A fault of a key of a table, before the file is known.

    `entry` numbers the tables of the manifest; None is the table above them.
    """

    def __init__(
        self, message: str, help_text: str = "", key: str = "", entry: int | None = None
    ) -> None:
        super().__init__(message)
        self.help_text = help_text
        self.key = key
        self.entry = entry


def _place(path: str, key: str, entry: int | None) -> Span | None:
    table = f"[tool.{TABLE}]" if entry is None else _FILE
    try:
        return place(text_of(path), table, key, entry or 0)
    except Misconfigured:  # a pipe gives its text once
        return None


_FILE = f"[[tool.{TABLE}.file]]"
_DEFAULT_HELP = "leave the key out for the default"
_OUTPUT_HELP = 'give it another one: output = "other.py"'
_FILE_HELP = f'write {_FILE} and below it source = "model.py"'
_EXCLUDE_HELP = 'write patterns: exclude = ["tests", "src/old/*.py"]'


def _project(path: str, table: Mapping[str, object]) -> Project:
    folder = os.path.dirname(os.path.abspath(path))
    extra = ("file", "exclude")
    options = {key: value for key, value in table.items() if key not in extra}
    settings = _settings(options, f"[tool.{TABLE}]", extra)
    files = table.get("file", [])
    if not isinstance(files, list) or not all(isinstance(f, dict) for f in files):
        raise _Wrong("`file` is not a list of tables", _FILE_HELP, "file")
    exclude = _exclude(table, folder, f"[tool.{TABLE}]")
    rules = tuple(_rule(item, folder, k) for k, item in enumerate(files))
    _refuse_bad_outputs(rules, folder, settings)
    return Project(path, settings, rules, exclude, folder)


def _rule(item: Mapping[str, object], folder: str, number: int) -> Rule:
    try:
        return _checked_rule(item, folder)
    except _Wrong as wrong:
        wrong.entry = number
        raise


def _checked_rule(item: Mapping[str, object], folder: str) -> Rule:
    extra = ("source", "output", "exclude")
    if "source" not in item:
        raise _Wrong(f"{_FILE} has no source", _FILE_HELP)
    sources = _paths(item, "source", _FILE, _FILE_HELP)
    names, patterns = _told_apart(sources, folder)
    output = None
    if "output" in item:
        output = _path(item["output"], "output", _FILE, _FILE_HELP)
        several = bool(patterns) or len(names) > 1
        wrong = bad_output(output, several)
        if wrong:
            raise _Wrong(*wrong, "output")
    exclude = _exclude(item, folder, _FILE)
    options = {key: value for key, value in item.items() if key not in extra}
    return Rule(names, patterns, exclude, output, _settings(options, _FILE, extra))


def _told_apart(
    sources: tuple[str, ...], folder: str
) -> tuple[tuple[str, ...], tuple[Glob, ...]]:
    """Sources by name and by pattern; a folder is all that stands below it."""
    names: list[str] = []
    patterns: list[Glob] = []
    for text in sources:
        path = os.path.normpath(os.path.join(folder, text))
        if is_pattern(text) and not os.path.lexists(path):
            patterns.append(glob(folder, text))
        elif os.path.isdir(path):
            patterns.append(Glob(path, ("**", "*")))
        else:
            names.append(path)
    return tuple(names), tuple(patterns)


def _exclude(item: Mapping[str, object], folder: str, where: str) -> tuple[Glob, ...]:
    texts = _paths(item, "exclude", where, _EXCLUDE_HELP) if "exclude" in item else ()
    return tuple(glob(folder, text) for text in texts)


def _paths(
    item: Mapping[str, object], key: str, where: str, help_text: str
) -> tuple[str, ...]:
    """A path, or a list of them."""
    value = item[key]
    values = value if isinstance(value, list) else [value]
    if not values and key == "source":
        raise _Wrong(f"{key} of {where} is empty", help_text, key)
    return tuple(_path(one, key, where, help_text) for one in values)


def _path(value: object, key: str, where: str, help_text: str) -> str:
    if not isinstance(value, str) or value in ("", "-") or "\0" in value:
        message = f"{key} of {where} is a path, not {shown(value)}"
        raise _Wrong(message, help_text, key)
    return value


def _settings(
    table: Mapping[str, object], where: str, extra: tuple[str, ...]
) -> Settings:
    settings: dict[str, object] = {}
    known = (*extra, *KEYS)
    for key, value in table.items():
        if key not in KEYS:
            meant = nearest(key, known)
            raise _Wrong(
                f"unknown key {shown(key)} in {where}"
                + (f"; {meant}" if meant else ""),
                f"the keys are {', '.join(known)}",
                key,
            )
        try:
            settings[KEYS[key]] = checked(KEYS[key], value)
        except ValueError as error:
            raise _Wrong(f"{error} (in {where})", _DEFAULT_HELP, key) from None
    return settings


def _refuse_bad_outputs(
    rules: tuple[Rule, ...], folder: str, settings: Settings
) -> None:
    """Outputs of named sources; those of patterns are known once files are found."""
    seen: set[str] = set()
    for number, rule in enumerate(rules):
        for source in rule.names:
            ending = ending_of({**settings, **rule.settings})
            output = output_of(source, rule.output, folder, ending)
            name = os.path.basename(output)
            if output in seen:
                message = f"two files of the manifest have the output {name!r}"
                raise _Wrong(message, _OUTPUT_HELP, "output", number)
            if os.path.realpath(output) == os.path.realpath(source):
                message = f"the output {name!r} is the source itself"
                raise _Wrong(message, _OUTPUT_HELP, "output", number)
            seen.add(output)


def _table(path: str) -> Mapping[str, object] | None:
    """[tool.ad-transform] of the file, None where it has none."""
    tool = parsed(path).get("tool", {})
    table = tool.get(TABLE) if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        help_text = f"write [tool.{TABLE}], and keys and values below it"
        raise Misconfigured(path, f"tool.{TABLE} is not a table", None, help_text)
    return table
