"""pyproject.toml: defaults under [tool.ad-transform] and the manifest of its files.

The manifest is a list of pairs, `[[tool.ad-transform.file]]` with `source`, `output`
and options; it is what makes a missing output and a deleted source visible.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.run.settings import KEYS, Settings, checked, suggestion

TABLE = "ad-transform"


class Misconfigured(Exception):
    """The configuration file at `path` is wrong; the diagnostic is an AD008."""

    def __init__(
        self, path: str, message: str, span: Span | None = None, help_text: str = ""
    ) -> None:
        super().__init__(message)
        self.path = path
        self.diagnostic = Diagnostic("AD008", message, span, help_text)


@dataclass(frozen=True, slots=True)
class Entry:
    """A pair of the manifest; the paths are absolute."""

    source: str
    output: str
    settings: Settings = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Project:
    """What a configuration file says; `path` is None where there is none."""

    path: str | None = None
    settings: Settings = field(default_factory=dict)
    entries: tuple[Entry, ...] = ()


def default_output(source: str) -> str:
    """`model_grad.py` beside `model.py`."""
    folder, name = os.path.split(source)
    return os.path.join(folder, f"{Path(name).stem}_grad.py")


def locate(folder: str) -> str | None:
    """The nearest pyproject.toml with our table, from `folder` upwards.

    The search ends at the root of a repository, as black's does. Raises Misconfigured
    where a file on the way is not TOML.
    """
    start = Path(os.path.abspath(folder))
    for place in (start, *start.parents):
        candidate = place / "pyproject.toml"
        if candidate.is_file() and _table(str(candidate)) is not None:
            return str(candidate)
        if (place / ".git").exists() or (place / ".hg").exists():
            return None
    return None


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
    """What is wrong with which key of a table, before it is known whose.

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
    """Where a key stands, or else the header of its table; tomllib keeps no places.

    None where they are written in a way that is not looked for: inline, or dotted.
    """
    wanted, found = (f"[tool.{TABLE}]" if entry is None else _FILE), None
    before = entry or 0  # headers alike that stand before the right one
    is_inside = False
    for number, line in enumerate(Path(path).read_text("utf-8").splitlines(), 1):
        header = re.match(r"\s*(\[.*\])", line)
        if header:
            is_alike = re.sub(r"\s", "", header[1]) == wanted
            is_inside = is_alike and not before
            before -= is_alike
        here = header or re.match(rf"""\s*((["']?){re.escape(key)}\2)\s*=""", line)
        if is_inside and here:
            found = Span(number, here.start(1) + 1, number, here.end(1) + 1)
            if not header:
                break
    return found


_FILE = f"[[tool.{TABLE}.file]]"
_DEFAULT_HELP = "leave the key out for the default"
_OUTPUT_HELP = 'give it another one: output = "other.py"'
_FILE_HELP = f'write {_FILE} and below it source = "model.py"'


def _project(path: str, table: Mapping[str, object]) -> Project:
    folder = os.path.dirname(os.path.abspath(path))
    options = {key: value for key, value in table.items() if key != "file"}
    settings = _settings(options, f"[tool.{TABLE}]", extra=("file",))
    files = table.get("file", [])
    if not isinstance(files, list) or not all(isinstance(f, dict) for f in files):
        raise _Wrong("`file` is not a list of tables", _FILE_HELP, "file")
    entries = tuple(_entry(item, folder, k) for k, item in enumerate(files))
    _refuse_bad_outputs(entries)
    return Project(path, settings, entries)


def _entry(item: Mapping[str, object], folder: str, number: int) -> Entry:
    try:
        return _checked_entry(item, folder)
    except _Wrong as wrong:
        wrong.entry = number
        raise


def _checked_entry(item: Mapping[str, object], folder: str) -> Entry:
    paths: dict[str, str] = {}
    for key in ("source", "output"):
        if key in item:
            value = item[key]
            if not isinstance(value, str) or value in ("", "-") or "\0" in value:
                message = f"{key} of {_FILE} is a path, not {value!r}"
                raise _Wrong(message, _FILE_HELP, key)
            paths[key] = os.path.normpath(os.path.join(folder, value))
    if "source" not in paths:
        raise _Wrong(f"{_FILE} has no source", _FILE_HELP)
    options = {key: value for key, value in item.items() if key not in paths}
    settings = _settings(options, _FILE, extra=("source", "output"))
    output = paths.get("output") or default_output(paths["source"])
    return Entry(paths["source"], output, settings)


def _settings(
    table: Mapping[str, object], where: str, extra: tuple[str, ...]
) -> Settings:
    settings: dict[str, object] = {}
    known = (*extra, *KEYS)
    for key, value in table.items():
        if key not in KEYS:
            raise _Wrong(
                f"unknown key {key!r} in {where}{suggestion(key, known)}",
                f"the keys are {', '.join(known)}",
                key,
            )
        try:
            settings[KEYS[key]] = checked(KEYS[key], value)
        except ValueError as error:
            raise _Wrong(f"{error} (in {where})", _DEFAULT_HELP, key) from None
    return settings


def _refuse_bad_outputs(entries: tuple[Entry, ...]) -> None:
    seen: set[str] = set()
    for number, entry in enumerate(entries):
        name = os.path.basename(entry.output)
        if entry.output in seen:
            message = f"two files of the manifest have the output {name!r}"
            raise _Wrong(message, _OUTPUT_HELP, "output", number)
        if os.path.realpath(entry.output) == os.path.realpath(entry.source):
            message = f"the output {name!r} is the source itself"
            raise _Wrong(message, _OUTPUT_HELP, "output", number)
        seen.add(entry.output)


def _table(path: str) -> Mapping[str, object] | None:
    """[tool.ad-transform] of the file, None where it has none."""
    import tomllib  # noqa: PLC0415  slow

    try:
        with open(path, "rb") as stream:
            content = tomllib.load(stream)
    except OSError as error:
        help_text = "name a file of TOML, or leave --config out"
        message = f"cannot be read: {error.strerror}"
        raise Misconfigured(path, message, None, help_text) from None
    except UnicodeDecodeError:
        help_text = "save it as UTF-8, as TOML wants it"
        raise Misconfigured(path, "is not UTF-8", None, help_text) from None
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(path, str(error)) from None
    tool = content.get("tool", {})
    table = tool.get(TABLE) if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        help_text = f"write [tool.{TABLE}], and keys and values below it"
        raise Misconfigured(path, f"tool.{TABLE} is not a table", None, help_text)
    return table


def _not_toml(path: str, text: str) -> Misconfigured:
    found = re.search(r" \(at line (\d+), column (\d+)\)$", text)
    if found is None:
        return Misconfigured(path, f"is not TOML: {text}")
    line, column = map(int, found.groups())
    span = Span(line, column, line, column + 1)
    return Misconfigured(path, f"is not TOML: {text[: found.start()]}", span)
