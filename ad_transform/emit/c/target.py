"""C99 as a target: a file and its header."""

from __future__ import annotations

from ad_transform.emit.header import Style
from ad_transform.emit.target import Companion, Target, Writing
from ad_transform.later import later

with later():
    from ad_transform.emit.c import module
    from ad_transform.emit.c.companion import declarations
    from ad_transform.emit.c.program import comments, program
    from ad_transform.emit.compiled import missing


def _writing() -> Writing:
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
