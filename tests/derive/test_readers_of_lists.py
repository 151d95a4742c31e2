"""Whether a list is only read is found in one step for each place that shows it."""

from __future__ import annotations

import pytest

from ad_transform.derive.constants import reads
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import LEAF, Apply, Block, Branch, Function, Literal, Var
from ad_transform.ir.types import BOOL, FLOAT, Type

LIST = Type(FLOAT.kind, ("n",))
DEPTH = 40
READS = {"get": (Literal(0),), "set": (Literal(0.5), Literal(0))}


def _end(name: str) -> Block:
    one, other, test = Var(LIST), Var(LIST), Var(BOOL)
    out = Var(FLOAT if name == "get" else LIST)
    made = Apply(out, TABLE[name], (one, *READS[name]))
    return Block((one, other, test), (made,), (Literal(0.0),))


def _nested(name: str) -> Block:
    """Branches in one another that are all given one list twice."""
    block = _end(name)
    for _ in range(DEPTH):
        one, other, test, out = Var(LIST), Var(LIST), Var(BOOL), Var(FLOAT)
        branch = Branch((out,), test, (one, one, test), block, _end("get"))
        block = Block((one, other, test), (branch,), (out,))
    return block


@pytest.mark.parametrize("name", READS)
def test_every_place_is_looked_at_once(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, times = reads._shown, []

    def counted(reader, value):
        times.append(reader)
        assert len(times) <= 4 * DEPTH
        return shown(reader, value)

    monkeypatch.setattr(reads, "_shown", counted)
    block = _nested(name)
    uses = reads.Uses.of(Function("f", (), block, LEAF), frozenset())
    assert uses.is_only_read(block.params[0]) == (name == "get")
