"""Helpers that a text in Fortran needs, some translated from their text in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

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
from ad_transform.emit.fortran.dialect import FORTRAN, INDENT, PREFIX
from ad_transform.emit.fortran.helpers import HELPERS, INTERFACES, indented

_CALL = re.compile(r"\bad_(\w+)\(")
_LIMIT = 100


def helper_texts(text: str) -> tuple[list[str], list[str]]:
    """The interfaces and the functions that a text needs, in the tables' order."""
    waiting, found = [text], dict[str, str]()
    while waiting:
        for name in _CALL.findall(waiting.pop()):
            made = HELPERS.get(name, "")
            if not made and name in NAMES:
                made = _written(helper(name, FORTRAN))
            if name not in found and (made or name in INTERFACES):
                found[name] = made
                waiting.append(made)
    order = [*HELPERS, *sorted(NAMES)]
    return (
        [indented(text) for name, text in INTERFACES.items() if name in found],
        [indented(found[name]) for name in order if name in found],
    )


def _written(made: Helper) -> str:
    name, names = f"{PREFIX}{made.name}", ", ".join(made.parameters)
    head = f"elemental function {name}({names}) result(found)"
    given = [x for x in made.parameters if x not in made.bound]
    changed = [x for x in made.parameters if x in made.bound]
    own = [x for x in made.bound if x not in made.parameters]
    declared = [f"real(dp), intent(in) :: {', '.join(given)}"] if given else []
    declared += [f"real(dp), value :: {', '.join(changed)}"] if changed else []
    declared.append(f"real(dp) :: {', '.join(['found', *own])}")
    lines = [f"! {made.said}", *broken(head, 0, _LIMIT, " &")]
    lines += (x for d in declared for x in broken(d, INDENT, _LIMIT, " &"))
    lines += _lines(made.steps, INDENT)
    if lines[-1].strip() == "return":
        del lines[-1]
    return "".join(f"{line}\n" for line in [*lines, f"end function {name}"])


def _lines(steps: Sequence[Step], indent: int) -> Iterator[str]:
    for step in steps:
        if isinstance(step, Choose):
            yield from broken(f"if ({step.test}) then", indent, _LIMIT, " &")
            yield from _lines(step.then, indent + INDENT)
            if step.orelse:
                yield f"{' ' * indent}else"
                yield from _lines(step.orelse, indent + INDENT)
            yield f"{' ' * indent}end if"
        elif isinstance(step, Repeat):
            yield f"{' ' * indent}{step.name} = {step.start}"
            yield from broken(
                f"do while ({step.name} < {step.stop})", indent, _LIMIT, " &"
            )
            yield from _lines(step.body, indent + INDENT)
            yield f"{' ' * (indent + INDENT)}{step.name} = {step.name} + {step.step}"
            yield f"{' ' * indent}end do"
        elif isinstance(step, Give):
            yield from broken(f"found = {step.value}", indent, _LIMIT, " &")
            yield f"{' ' * indent}return"
        else:
            yield from broken(f"{step.name} = {step.value}", indent, _LIMIT, " &")
