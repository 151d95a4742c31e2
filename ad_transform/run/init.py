"""`--init`: the manifest of a project, and its hooks for pre-commit."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.run.discovery import content_of, generated_source, is_marked
from ad_transform.run.outputs import default_output
from ad_transform.run.patterns import walk
from ad_transform.run.project import TABLE, is_repository, upwards
from ad_transform.run.toml import Misconfigured, parsed_text, place, text_of
from ad_transform.run.write import write_atomic

MANIFEST, HOOKS = "pyproject.toml", ".pre-commit-config.yaml"

_HOOK = """\
  - repo: local
    hooks:
      - id: ad-transform
        name: ad-transform (write derivative files)
        entry: ad-transform --exit-nonzero-on-write
        language: system
        types: [python]
        pass_filenames: false
        require_serial: true
      - id: ad-transform-check
        name: ad-transform --check (derivative files are current)
        entry: ad-transform --check --diff
        language: system
        always_run: true
        pass_filenames: false
        require_serial: true
"""


class Nothing(Exception):
    """There is nothing to write a manifest for."""


@dataclass(frozen=True, slots=True)
class _Pair:
    source: str
    output: str | None  # None for the default


def start(folder: str) -> Iterator[str]:
    """Write the manifest of the marked files below the root of a project.

    Yields a line for each thing done. Raises Misconfigured where there is a manifest
    or none can be added, Nothing where no file is marked, OSError.
    """
    root = _root(folder)
    path = os.path.join(root, MANIFEST)
    before = _existing(path)
    pairs = tuple(_pairs(root))
    if not pairs:
        shown = os.path.relpath(root)
        raise Nothing(f"no function below {shown!r} is marked; write `# ad: gradient`")
    write_atomic(path, _extended(path, before, pairs))
    files = f"{len(pairs)} file{'s' if len(pairs) > 1 else ''}"
    yield f"listed {files} in {os.path.relpath(path)}"
    yield from _hook(os.path.join(root, HOOKS))


def _root(folder: str) -> str:
    """The nearest folder with a pyproject.toml, else the repository, else `folder`."""
    for above in upwards(folder):
        if os.path.exists(os.path.join(above, MANIFEST)) or is_repository(above):
            return above
    return os.path.abspath(folder)


def _existing(path: str) -> bytes:
    """The content of the file; raises Misconfigured where it has our table."""
    if not os.path.lexists(path):
        return b""
    text = text_of(path)
    tool = parsed_text(path, text).get("tool", {})
    if isinstance(tool, dict) and TABLE in tool:
        span = place(text, f"[tool.{TABLE}]", "") or place(
            text, f"[[tool.{TABLE}.file]]", ""
        )
        way_out = "change it by hand: docs/guide-ci.md says how"
        raise Misconfigured(path, f"has a [tool.{TABLE}] already", span, way_out)
    with open(path, "rb") as stream:
        return stream.read()


def _pairs(root: str) -> Iterator[_Pair]:
    """The marked files, with the outputs that stand elsewhere than by default."""
    outputs: dict[str, list[str]] = {}
    sources: list[str] = []
    for path in walk(root):
        if not path.endswith(".py"):
            continue
        content = content_of(path)
        named = generated_source(content)
        if named is not None:
            source = os.path.normpath(os.path.join(os.path.dirname(path), named))
            outputs.setdefault(source, []).append(path)
        elif is_marked(content):
            sources.append(path)
    for source in sources:
        for output in outputs.get(source) or [default_output(source)]:
            usual = output == default_output(source)
            yield _Pair(_seen(source, root), None if usual else _seen(output, root))


def _seen(path: str, root: str) -> str:
    return os.path.relpath(path, root).replace(os.sep, "/")


def _extended(path: str, before: bytes, pairs: Sequence[_Pair]) -> bytes:
    """The content with the manifest behind it; old content stays byte for byte."""
    tables = "\n".join(_table(pair) for pair in pairs)
    gap = "" if not before else "\n" if before.endswith(b"\n") else "\n\n"
    added = gap + tables
    if b"\r\n" in before:
        added = added.replace("\n", "\r\n")
    content = before + added.encode(errors="backslashreplace")
    try:
        parsed_text(path, content.decode("utf-8-sig").replace("\r\n", "\n"))
    except Misconfigured:
        way_out = f"write it by hand:\n{tables}"
        raise Misconfigured(path, "has no place for a table", None, way_out) from None
    return content


def _table(pair: _Pair) -> str:
    lines = [f"[[tool.{TABLE}.file]]", f"source = {_quoted(pair.source)}"]
    if pair.output is not None:
        lines.append(f"output = {_quoted(pair.output)}")
    return "".join(f"{line}\n" for line in lines)


def _quoted(text: str) -> str:
    """A basic string of TOML, whose escapes are JSON's but for DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


# --- hooks ----------------------------------------------------------------------------


def _hook(path: str) -> Iterator[str]:
    shown = os.path.relpath(path)
    if not os.path.lexists(path):
        write_atomic(path, f"repos:\n{_HOOK}".encode())
        yield f"wrote two hooks into {shown}; `pre-commit install` switches them on"
        return
    if re.search(rb"\bid:\s*[\"']?ad-transform\b", content_of(path)):
        yield f"{shown} has the hooks already"
        return
    yield f"add these hooks to `repos:` in {shown}:"
    yield from _HOOK.rstrip().split("\n")
