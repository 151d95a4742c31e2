"""The values that arms of a branch hand to the way back: at shared places, or, where
the way back is a function of its own, in a record for each arm.
"""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.dataclass import dataclass
from ad_transform.derive.sweep.stacks import empty, is_made, zero
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Open, Operand, Record, Statement, Var
from ad_transform.ir.types import RECORD, Type

Operands = tuple[Operand, ...]

HINT = "record"


@dataclass(frozen=True, slots=True)
class Handing:
    """The values that an arm gives to be saved, with the statements that make them; and
    the values that enter on the way back, with the statements that open them.
    """

    values: Operands
    early: tuple[Statement, ...]
    entering: Operands
    late: tuple[Statement, ...] = ()


def in_records(
    saved: Sequence[tuple[Var, ...]],
) -> tuple[tuple[Var, ...], list[Handing]]:
    """Handings of the arms by a record for each, if any of them saves a value."""
    if not any(saved):
        return (), [Handing((), (), ()) for _ in saved]
    made: list[Handing] = []
    for values in saved:
        out, record = Var(RECORD, HINT), Var(RECORD, HINT)
        late = (Open(values, record),) if values else ()
        made.append(Handing((out,), (Record(out, values),), (record,), late))
    return (Var(RECORD, HINT),), made


def in_slots(
    saved: Sequence[tuple[Var, ...]],
) -> tuple[tuple[Var, ...], list[Handing]]:
    """Handings of the arms by places that they share."""
    slots = _slots(saved)
    made: list[Handing] = []
    for values in saved:
        padding, placed = _as_slots(values, slots)
        made.append(Handing(placed, padding, placed))
    types = [
        _given_by_all(t, [own.values[k].type for own in made])
        for k, (t, _) in enumerate(slots)
    ]
    outs = (Var(t, hint) for t, (_, hint) in zip(types, slots, strict=True))
    return tuple(outs), made


def _given_by_all(type_: Type, given: Sequence[Type]) -> Type:
    """The type of a value that all arms give: of any length if one of them is so."""
    short = next((t for t in given if ANY in t.dims and ANY not in type_.dims), None)
    return type_ if short is None else short


def _slots(saved: Sequence[tuple[Var, ...]]) -> list[tuple[Type, str]]:
    """Places with types and names: of each type as many as the arm with most needs."""
    slots: list[tuple[Type, str]] = []
    for values in saved:
        places = list(slots)
        for value in values:
            same = next((s for s in places if s[0] == value.type), None)
            if same is None:
                slots.append((value.type, value.hint))
            else:
                places.remove(same)
    return slots


def _as_slots(
    values: tuple[Var, ...], slots: list[tuple[Type, str]]
) -> tuple[tuple[Statement, ...], Operands]:
    """The values at their places. A place that the arm does not need holds a zero, or
    an empty stack or record that the statements make.
    """
    waiting: dict[Type, list[Var]] = {}
    for value in values:
        waiting.setdefault(value.type, []).append(value)
    placed = [waiting[t].pop(0) if waiting.get(t) else None for t, _ in slots]
    body, stacks = empty(
        [t for (t, _), v in zip(slots, placed, strict=True) if v is None and is_made(t)]
    )
    made = iter(stacks)
    return body, tuple(
        v if v is not None else next(made) if is_made(t) else zero(t.kind)
        for (t, _), v in zip(slots, placed, strict=True)
    )
