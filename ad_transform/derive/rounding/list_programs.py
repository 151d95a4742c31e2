"""Programs over the lists of the elements of whole arrays.

They are written in Python in `list_programs.txt`; their form in the IR, which the tool
reads, stands in `list_programs.ir`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.blocks import located
from ad_transform.ir.nodes import Block, Operand, Statement
from ad_transform.ir.parse import parse_function

_HEAD = "function "


def program(
    name: str, args: Sequence[Operand], span: Span | None
) -> tuple[tuple[Statement, ...], Operand]:
    """The statements of a program over lists and numbers, and its first result; its
    values have a place in the source.

    Raises KeyError for a name that there is none of.
    """
    block = located(_block(name), args, span)
    return block.body, block.results[0]


@cache
def _block(name: str) -> Block:
    return parse_function(_texts()[name], TABLE).block


@cache
def _texts() -> dict[str, str]:
    text = Path(__file__).with_suffix(".ir").read_text(encoding="utf-8")
    own = text.split(_HEAD)[1:]
    return {each.split()[0]: f"{_HEAD}{each}" for each in own}
