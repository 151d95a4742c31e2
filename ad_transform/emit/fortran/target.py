"""Fortran 2008 as a target: a file with one module."""

from __future__ import annotations

from ad_transform.emit.header import Style
from ad_transform.emit.target import Target, Writing
from ad_transform.later import later

with later():
    from ad_transform.emit.compiled import missing
    from ad_transform.emit.fortran import module
    from ad_transform.emit.fortran.program import comments, program


def _writing() -> Writing:
    return Writing(
        function=module.print_function,
        constant=missing.print_constant,
        array=missing.print_array,
        module=module.print_module,
        computed=missing.computed_lines,
        promised=module.promised,
    )


FORTRAN = Target(
    ending=".f90",
    style=Style("!"),
    program=program,
    comments=comments,
    writing=_writing,
)
