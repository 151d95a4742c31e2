"""Functions that are called, in two parts: one gives the values and a record, the other
takes the record and gives adjoints, so that it computes no value once more.

Of what the way forth computes as few values are recorded as the way back can do with. A
function that calls itself records the records of these calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ad_transform.dataclass import dataclass
from ad_transform.derive.accumulate import Task
from ad_transform.derive.entries import adjoints, names_of
from ad_transform.derive.sweep.fewest import fewest
from ad_transform.derive.sweep.order import ordered
from ad_transform.derive.sweep.solve import both_ways, with_own_values
from ad_transform.derive.twin import Made, Twin, finished
from ad_transform.elementals.copies import copy_of
from ad_transform.ir.blocks import live
from ad_transform.ir.consumed import changed_by
from ad_transform.ir.nodes import Function, Open, Operand, Record, Statement, Var
from ad_transform.ir.types import RECORD

if TYPE_CHECKING:
    from ad_transform.derive.request import Request

HINT = "record"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A function in two parts."""

    forth: Function
    back: Function

    @property
    def saved(self) -> tuple[Operand, ...]:
        """The values that the first part hands to the second."""
        (last,) = (s for s in self.forth.body if s.outs == self.forth.results[-1:])
        return last.inputs


def recorded(outer: Request, forth: Twin, back: Twin) -> Recorded:
    """Both parts; they may call themselves."""
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
    before = _recording((*swept.forth, *part.early), values, part.saved)
    record = Var(RECORD, HINT)
    behind: Made = (
        live((Open(part.saved, record), *ordered(part.late)), results),
        results,
    )
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
    body: Sequence[Statement], values: tuple[Operand, ...], saved: Sequence[Var]
) -> Made:
    """Statements that give values and a record, which share no list."""
    copies = {v: copy_of(v) for v in saved if v.type.dims and v in values}
    record = Var(RECORD, HINT)
    held = (copies[v].out if v in copies else v for v in saved)
    last = Record(record, tuple(held))
    results = (*values, record)
    return live(ordered((*body, *copies.values(), last)), results), results


def _own(made: Made) -> Made:
    body, results = made
    return with_own_values(body), results
