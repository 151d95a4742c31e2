"""The passes over a program of estimates, whichever function it is of."""

from __future__ import annotations

from ad_transform.derive.passes import alike_once
from ad_transform.derive.wholes.lowered import lowered
from ad_transform.elementals import TABLE
from ad_transform.ir.lists.filled import filled
from ad_transform.ir.lists.unseen import without_unseen
from ad_transform.ir.loops.invariant import moved_out
from ad_transform.ir.loops.listed import listed_once
from ad_transform.ir.loops.read_back import read_back
from ad_transform.ir.nodes import Function
from ad_transform.ir.simplify import LAWS_TO_THE_BIT


def finished(function: Function) -> Function:
    """The function as one would write it: equal values made once, lists and whole
    arrays filled in place, and nothing in loops that all trips compute alike.
    """
    function = filled(alike_once(function), TABLE, LAWS_TO_THE_BIT)
    function = without_unseen(function, TABLE)
    function = listed_once(lowered(moved_out(function)))
    return read_back(function, TABLE)
