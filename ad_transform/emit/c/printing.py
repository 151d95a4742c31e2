"""Helpers that a text in C needs; some are translated from their text in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ad_transform.emit.c.dialect import PREFIX, C
from ad_transform.emit.c.helpers import HELPERS
from ad_transform.emit.compiled.composer import INDENT
from ad_transform.emit.compiled.layout import broken
from ad_transform.emit.compiled.printed import (
    NAMES,
    Choose,
    Give,
    Helper,
    Repeat,
    Step,
    helper,
)

_CALL = re.compile(r"\bad_(\w+)\(")
_LIMIT = 88


def helper_texts(text: str) -> list[str]:
    """The helpers that a text calls, each behind those that it calls itself."""
    found: dict[str, str] = {}
    _find(text, found)
    own = [found[name] for name in HELPERS if name in found]
    return [*own, *(made for name, made in found.items() if name in NAMES)]


def _find(text: str, found: dict[str, str]) -> None:
    """Enter the helpers that a text needs; helpers may call themselves."""
    for name in dict.fromkeys(_CALL.findall(text)):
        made = HELPERS.get(name) or (_written(helper(name, C)) if name in NAMES else "")
        if made and name not in found:
            _find(made.partition("{")[2].replace(f"{PREFIX}{name}(", "("), found)
            found[name] = made


def _written(made: Helper) -> str:
    parameters = ", ".join(f"double {name}" for name in made.parameters)
    head = f"static inline double {PREFIX}{made.name}({parameters}) {{"
    lines = [f"// {made.said}", *broken(head, 0, _LIMIT)]
    lines += _lines(made.steps, INDENT)
    return "".join(f"{line}\n" for line in [*lines, "}"])


def _lines(steps: Sequence[Step], indent: int) -> Iterator[str]:
    for step in steps:
        if isinstance(step, Choose):
            yield from broken(f"if ({step.test}) {{", indent, _LIMIT)
            yield from _lines(step.then, indent + INDENT)
            if step.orelse:
                yield f"{' ' * indent}}} else {{"
                yield from _lines(step.orelse, indent + INDENT)
            yield f"{' ' * indent}}}"
        elif isinstance(step, Repeat):
            name = step.name
            range_ = f"double {name} = {step.start}; {name} < {step.stop}"
            head = f"for ({range_}; {name} += {step.step}) {{"
            yield from broken(head, indent, _LIMIT)
            yield from _lines(step.body, indent + INDENT)
            yield f"{' ' * indent}}}"
        elif isinstance(step, Give):
            yield from broken(f"return {step.value};", indent, _LIMIT)
        else:
            kind = "double " if step.is_new else ""
            yield from broken(f"{kind}{step.name} = {step.value};", indent, _LIMIT)
