"""Partials: the label of an edge, formed when it is needed."""

from __future__ import annotations

from ad_transform.ir.nodes import node
from ad_transform.ir.template import Env, Template


@node
class Partial:
    """A local partial: the template of a row, with its names bound."""

    template: Template
    env: Env
