"""What a trip changes in front of a way out waits where nothing there needs it."""

from __future__ import annotations

from types import SimpleNamespace

from ad_transform.emit.python.expressions import text_atom, value_atom
from ad_transform.emit.schedule.lines import Append, Break, If, Update
from ad_transform.emit.schedule.pieces import Piece
from ad_transform.emit.schedule.recording import recorded_behind
from ad_transform.ir.nodes import Var
from ad_transform.ir.types import FLOAT

X, Y, Z, Q, L, M = (Var(FLOAT, name) for name in "xyzqLM")
END = If(text_atom("c"), [Break()], [])


class Product(Piece):
    __slots__ = ()

    def over(self, args):
        return Product(args, self.uses, self.var)


def named(var):
    return value_atom(var, 1, False)


def update(var, value):
    return Update((var,), (named(value),))


RECORD, STEP = Append(L, (named(X),)), update(X, Y)


def place(*between):
    """Where the step stands, counted from the way out; the record is behind that."""
    lines = [RECORD, STEP, *between, END]
    scheduler = SimpleNamespace(named=named, choices=frozenset())
    made = recorded_behind(lines, scheduler, {X}, {L, M})
    assert any(isinstance(one, Append) for one in made[made.index(END) :])
    return made.index(STEP) - made.index(END)


def test_a_change_waits():
    assert place() > 0
    assert place(update(Z, Q)) > 0
    assert place(Append(M, (named(X),))) > 0


def test_what_is_read_in_front_of_the_way_out_is_changed_there():
    assert place(update(Z, X)) < 0


def test_what_is_made_of_what_changes_there_does_not_wait():
    assert place(update(Y, Q)) < 0


def test_what_gets_a_name_there_is_made_of_what_is_changed_there():
    product = Product((named(X), named(Q)), (1, 1), Z)
    assert place(Append(M, (product,)), update(Q, Y)) < 0
