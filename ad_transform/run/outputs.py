"""The place of the derivatives of a source: `model_grad.py`, or as a manifest says.

The ending is that of the target; what stands beside an output differs in its ending.
"""

from __future__ import annotations

import os
import re

_FIELD = re.compile(r"\{([^{}]*)\}|[{}]")
_FIELDS = ("stem", "folder")
_HELP = 'write it with the name of the source: output = "{stem}_grad.py"'


def default_output(source: str, ending: str = ".py") -> str:
    """`model_grad.py` beside `model.py`."""
    folder, name = os.path.split(source)
    return os.path.join(folder, f"{_stem(name)}_grad{ending}")


def companion_of(output: str, ending: str) -> str:
    """`model_grad.h` beside `model_grad.c`."""
    return os.path.splitext(output)[0] + ending


def _stem(name: str) -> str:
    stem, _ = os.path.splitext(name)
    return stem


def output_of(source: str, wanted: str | None, folder: str, ending: str = ".py") -> str:
    """The absolute path of the output of the source at an absolute path.

    `wanted` is a path seen from `folder`, in which `{stem}` stands for the name of the
    source without its ending, and `{folder}` for its folder, seen from `folder`. A mere
    name with `{stem}` in it is one beside the source.
    """
    if wanted is None:
        return default_output(source, ending)
    if "{stem}" in wanted and "/" not in wanted:
        wanted = f"{{folder}}/{wanted}"
    place, name = os.path.split(source)
    seen = os.path.relpath(place, folder) if "{folder}" in wanted else ""
    fields = {"{stem}": _stem(name), "{folder}": seen}
    path = _FIELD.sub(lambda found: fields[found[0]], wanted)
    return os.path.normpath(os.path.join(folder, path))


def bad_output(wanted: str, several: bool) -> tuple[str, str] | None:
    """The fault of an output as written, and a way out; None if it has none."""
    for found in _FIELD.finditer(wanted):
        if found[1] not in _FIELDS:
            return f"output has {found[0]!r}, and knows {{stem}} and {{folder}}", _HELP
    if several and "{stem}" not in wanted:
        return "several sources cannot all go to one output", _HELP
    return None
