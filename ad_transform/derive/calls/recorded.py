"""Functions that are called, in two parts: one gives the values and a record, the other
takes the record and gives adjoints, so that it computes no value once more.

As few values of the way forth are recorded as the way back can do with. A function that
calls itself records the records of these calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulation.accumulate import Task
from ad_transform.derive.calls.twin import Made, Twin, finished
from ad_transform.derive.entries import adjoints, names_of
from ad_transform.derive.sweep.fewest import fewest
from ad_transform.derive.sweep.handing import HINT
from ad_transform.derive.sweep.order import ordered
from ad_transform.derive.sweep.solve import both_ways, with_own_values
from ad_transform.elementals.copies import copy_of
from ad_transform.ir.blocks.consumed import changed_by
from ad_transform.ir.blocks.live import live
from ad_transform.ir.nodes import (
    Function,
    Open,
    Operand,
    Record,
    Statement,
    Var,
    walk,
)
from ad_transform.ir.types import RECORD, Kind

if TYPE_CHECKING:
    from ad_transform.derive.request import Request


@dataclass(frozen=True, slots=True)
class Recorded:
    """A function in two parts, for the way forth and the way back."""

    forth: Function
    back: Function

    @property
    def record(self) -> Operand:
        """The record that the first part hands to the second."""
        return self.forth.results[-1]

    @property
    def saved(self) -> tuple[Operand, ...]:
        """The values in the record, and in the records of arms, except for records."""
        records = (s for s in walk(self.forth.body) if isinstance(s, Record))
        return tuple(v for s in records for v in s.args if v.type.kind != Kind.RECORD)


def recorded(outer: Request, forth: Twin, back: Twin) -> Recorded:
    """Both parts of a function; they may call themselves."""
    request = back.request(outer)
    builder, values = request.copied(back.callee, len(back.callee.results))
    params, bars = back.callee.block.params, back.bars
    task = Task(
        back.columns,
        back.rows_of(values),
        (lambda m: (*values, *m[0]),),
        len(values),
        adjoints=(bars,),
        callees=request.callees,
    )
    swept = both_ways(builder, task, request.options)
    results = swept.adjoints[0]
    gone = changed_by(back.callee)
    lasting = [p for k, p in enumerate(params) if k not in gone]
    part = fewest((swept.forth, swept.back), results, bars, params, lasting)
    before, record, opening = _recording(
        (*swept.forth, *part.early), values, part.saved
    )
    behind: Made = (live((*opening, *ordered(part.late)), results), results)
    return Recorded(
        finished(forth.request(outer), _own(before), (), len(values), (HINT,)),
        finished(
            request,
            _own(behind),
            (record, *bars),
            0,
            adjoints(names_of(back.columns)),
        ),
    )


def _recording(
    body: Sequence[Statement], values: tuple[Operand, ...], saved: tuple[Var, ...]
) -> tuple[Made, Var, tuple[Statement, ...]]:
    """Statements that give values and a record, which share no list; the record, and
    the statements that open it. A single record is not put into another.
    """
    copies = {v: copy_of(v) for v in saved if v.type.dims and v in values}
    made: list[Statement] = [*copies.values()]
    opening: tuple[Statement, ...] = ()
    if [v.type for v in saved] == [RECORD]:
        (record,) = saved
    else:
        record = Var(RECORD, HINT)
        held = (copies[v].out if v in copies else v for v in saved)
        made.append(Record(record, tuple(held)))
        opening = (Open(saved, record),)
    results = (*values, record)
    return (live(ordered((*body, *made)), results), results), record, opening


def _own(made: Made) -> Made:
    body, results = made
    return with_own_values(body), results
