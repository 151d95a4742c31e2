"""Python with the module `math` as a target."""

from __future__ import annotations

from ad_transform.emit.header import Style
from ad_transform.emit.python.program import comments, program
from ad_transform.emit.target import Target, Writing
from ad_transform.later import later

with later():
    from ad_transform.emit.python import module
    from ad_transform.emit.python.function import printed_constant
    from ad_transform.emit.python.module_arrays import print_array
    from ad_transform.emit.python.signature import passed

LINTERS = "# flake8: noqa  # pylint: skip-file"
"""Findings in a generated file are no use to anyone. flake8 wants its word first; ruff
heeds flake8's, pylint its own anywhere in a comment.
"""


def _writing() -> Writing:
    return Writing(
        function=module.print_function,
        constant=printed_constant,
        array=print_array,
        module=module.print_module,
        computed=module.computed_lines,
        promised=lambda d, _: (d.function.name, [p.name for p in passed(d.function)]),
        prepared=module.prepared,
    )


PYTHON = Target(
    ending=".py",
    style=Style("#", LINTERS),
    program=program,
    comments=comments,
    writing=_writing,
)
