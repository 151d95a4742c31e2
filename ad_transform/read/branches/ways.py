"""An arm that has been run: its statements, and the names that it binds."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ad_transform.dataclass import dataclass
from ad_transform.elementals.whole import LENGTHS
from ad_transform.ir.nodes import Literal
from ad_transform.later import later
from ad_transform.read.branches.flags import AWAY, RETURNED, TRUE
from ad_transform.read.machine.context import Context
from ad_transform.read.machine.drafts import DraftApply, DraftCheck, DraftStatement
from ad_transform.read.values.frames import Frame, Promise
from ad_transform.read.values.storage import Array
from ad_transform.read.values.values import Draft, Value

with later():
    from ad_transform.read.arrays import rebinding

Bindings = dict[str, "Value | Promise | None"]


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """The statements of an arm, and the values of names at its end and before it.

    `heap` has the contents of cells at its end, `held` those before it; `fields` and
    `kept` have the same for fields of objects. `known` tells which of the values that
    may be None are given at its end.
    """

    body: list[DraftStatement]
    after: Bindings
    before: Bindings
    heap: Bindings
    held: Bindings
    fields: Bindings
    kept: Bindings
    start: int
    known: Mapping[Draft, bool]

    @property
    def is_gone(self) -> bool:
        """Whether no statement behind the arm ever runs after it."""
        return self.after.get(AWAY) == TRUE

    def is_over(self, frame: Frame) -> bool:
        """Whether no name is read after the arm any more: the function has returned."""
        over = RETURNED if frame.loops else AWAY
        return self.after.get(over) == TRUE

    @property
    def only_fails(self) -> bool:
        """Whether the arm only raises, and takes lengths for its message."""
        match self.body:
            case [*before, DraftCheck(test=Literal(value=False))]:
                return self.is_gone and all(map(is_length, before))
        return False

    @property
    def raises(self) -> bool:
        """Whether the arm always raises, after the statements for its message."""
        match self.body:
            case [*_, DraftCheck(test=Literal(value=False))]:
                return self.is_gone
        return False


def is_length(statement: DraftStatement) -> bool:
    """Whether a statement only takes a length."""
    match statement:
        case DraftApply(op=op, args=[_]):
            return op.name in _LENGTHS
    return False


_LENGTHS = frozenset({"size", *LENGTHS})
"""Operations that read a length, cost nothing and never fail."""


def run_apart(
    flat: Context, run: Callable[[], None], trail: Callable[[], Bindings] = dict
) -> Way:
    """The way of an arm that is run; all its bindings are taken back, as trails note
    them.
    """
    scopes = (flat.frame, flat.heap, flat.heap.fields)
    for scope in scopes:
        scope.trail.append(trail())
    start, shares = flat.heap.fields.tick(), len(flat.heap.aliases.shares)
    known: dict[Draft, bool] = {}

    def learning() -> None:
        run()
        known.update(flat.given_here)

    body, _ = flat.block(learning)
    if len(flat.heap.aliases.shares) > shares:
        reached = rebinding.inside(rebinding.others(flat, ""))
        lists = (value.cell for value in reached if isinstance(value, Array))
        flat.heap.aliases.release(shares, lists)
    found: list[tuple[Bindings, Bindings]] = []
    for scope in scopes:
        before = scope.trail.pop()
        found.append(({name: scope.names.get(name) for name in before}, before))
        scope.restore(before)
    (after, before), (heap, held), (fields, kept) = found
    return Way(body, after, before, heap, held, fields, kept, start, known)
