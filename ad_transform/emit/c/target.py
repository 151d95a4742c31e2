"""C99 as a target: a file and its header."""

from __future__ import annotations

from ad_transform.emit.c.companion import declarations
from ad_transform.emit.c.program import comments, program
from ad_transform.emit.header import Style
from ad_transform.emit.target import Companion, Target, Writing


def _writing() -> Writing:
    from ad_transform.emit.c import module  # noqa: PLC0415  slow
    from ad_transform.emit.compiled import missing  # noqa: PLC0415  slow

    return Writing(
        function=module.print_function,
        constant=missing.print_constant,
        array=missing.print_array,
        module=module.print_module,
        computed=missing.computed_lines,
        promised=module.promised,
    )


C = Target(
    ending=".c",
    style=Style("//"),
    program=program,
    comments=comments,
    writing=_writing,
    companion=Companion(".h", declarations),
)
