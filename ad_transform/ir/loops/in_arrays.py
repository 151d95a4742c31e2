"""Records of a loop that its arrays hold already, or that its indices give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.ir.loops.affine import AffineForm
from ad_transform.ir.loops.meeting import Meeting
from ad_transform.ir.loops.sites import Inside
from ad_transform.ir.nodes import (
    Block,
    Branch,
    Literal,
    Operand,
    Scan,
    Var,
    While,
    hint_of,
)
from ad_transform.ir.types import INT, Kind


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an array that a loop leaves: the array, its name, the index along
    each axis in terms of the indices of the loops and of values outside.
    """

    array: Var
    hint: str
    index: tuple[AffineForm, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number in terms of the indices of the loops and of values outside."""

    form: AffineForm


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that is one where a relation of two whole numbers holds, else another."""

    relation: str
    sides: tuple[AffineForm, AffineForm]
    arms: tuple[There, There]


There: TypeAlias = Element | Number | Choice | Literal


@dataclass(frozen=True, slots=True)
class Record:
    """The source of an entry of a stack of stacks, and the indices and ranges of the
    loops that have put it there, the outermost first.
    """

    there: There
    indices: tuple[Var, ...]
    ranges: tuple[tuple[AffineForm, ...], ...]

    def parts(self) -> Iterator[There]:
        """The source, with all parts of choices in it."""
        waiting = [self.there]
        while waiting:
            part = waiting.pop()
            yield part
            waiting += part.arms if isinstance(part, Choice) else ()

    def kinds(self) -> set[Kind]:
        """The kinds of the numbers that are there."""
        found = set[Kind]()
        for part in self.parts():
            match part:
                case Element(array=array):
                    found.add(array.type.kind)
                case Number():
                    found.add(Kind.INT)
                case Literal():
                    found.add(part.type.kind)
        return found

    def arrays(self) -> dict[Var, str]:
        """The arrays that are read, with their names."""
        return {p.array: p.hint for p in self.parts() if isinstance(p, Element)}

    def values(self) -> dict[Var, None]:
        """The whole numbers that tell the place."""
        forms = (form for part in self.parts() for form in _forms(part))
        return {v: None for form in forms for v in form if v}


def _forms(part: There) -> Sequence[AffineForm]:
    match part:
        case Literal():
            return ()
        case Element(index=index):
            return index
        case Number(form=form):
            return (form,)
    return part.sides


def record_of(loop: Scan, record: Operand, meeting: Meeting) -> Record | None:
    """The source of a record of a loop, if an array has it when the loop is left, or it
    is counted from the indices.
    """
    inside, value = meeting.inside, record
    indices: list[Var] = []
    ranges: list[tuple[AffineForm, ...]] = []
    while True:
        index = inside.way[-1].index
        if index is None:
            return None
        indices.append(index)
        ranges.append(inside.range)
        inner = _recording(inside.block, value)
        if inner is None:
            break
        place, value = inner
        (inside,) = inside.held[place]
    there = _there(loop, value, inside, meeting)
    if there is None or isinstance(there, Literal):
        return None
    found = Record(there, tuple(indices), tuple(ranges))
    if any(meeting.is_inner(v) and v not in indices for v in found.values()):
        return None  # nobody knows the place on the way back
    return found


def _there(
    loop: Scan, value: Operand, inside: Inside, meeting: Meeting
) -> There | None:
    """The source of a number of a block when the loop is left."""
    if isinstance(value, Literal):
        return value
    site = inside.read.get(value) or inside.stored.get(value)
    if site is not None:
        if not meeting.is_final(site):
            return None
        first, array = loop.carries[site.array], loop.outs[site.array]
        hint = array.hint or hint_of(first)
        return Element(array, hint, site.index)
    for place, branch in enumerate(inside.block.body):
        if isinstance(branch, Branch) and value in branch.outs:
            relation = inside.forms.relation(branch.test)
            if relation is None:
                return None
            k = branch.outs.index(value)
            then, orelse = (
                _there(loop, arm.block.results[k], arm, meeting)
                for arm in inside.held[place]
            )
            if then is None or orelse is None:
                return None
            return Choice(*relation, (then, orelse))
    return Number(inside.forms.of(value)) if value.type == INT else None


def _recording(block: Block, stack: Operand) -> tuple[int, Operand] | None:
    """The place of the loop that makes a stack, and the value that it puts there."""
    for place, loop in enumerate(block.body):
        if isinstance(loop, Scan | While) and stack in loop.stacks:
            k = loop.outs.index(stack) if isinstance(stack, Var) else 0
            return place, loop.body.results[k]
    return None
