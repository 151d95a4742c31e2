"""Partials: how the label of an edge is formed, should it be needed."""

from __future__ import annotations

from typing import TypeAlias

from ad_transform.ir.nodes import Statement, node
from ad_transform.ir.template import Env, Template


@node
class LocalPartial:
    """A local partial: the template of a row, with its names bound."""

    template: Template
    env: Env


@node
class BranchPartial:
    """The partial of output `out` of a branch with respect to its argument `arg`.

    That of a loop stands in graphs that are looked at, and cannot be formed: loops are
    swept.
    """

    branch: Statement
    out: int
    arg: int


Partial: TypeAlias = LocalPartial | BranchPartial
