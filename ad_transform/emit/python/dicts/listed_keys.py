"""Keys of a dict in a list, where they are taken otherwise than one after another.

A dict is good for `for key in places` alone. Loops that go back, or take keys by known
places, have them from `keys = list(places)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import field

from ad_transform.dataclass import dataclass, replace
from ad_transform.emit.python.dicts.keyed import KEYS, Keyed, takes
from ad_transform.emit.python.dicts.lanes import holds_keys, is_empty
from ad_transform.ir.blocks.consumed import handed
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Function,
    Literal,
    Open,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import Kind, Type

Loop = Scan | While


# --- which may be taken ---------------------------------------------------------------


@dataclass(slots=True)
class Outer:
    """For each parameter of a block the value outside, and its loop, if that carries it
    or only reads it. A list `made` in a block begins there empty: to make another list
    of it takes no longer than that took.
    """

    of: dict[Operand, Operand] = field(default_factory=dict)
    reads: dict[Operand, Loop] = field(default_factory=dict)
    carries: dict[Operand, Loop] = field(default_factory=dict)
    made: set[Operand] = field(default_factory=set)

    def chain(self, operand: Operand) -> Iterator[Operand]:
        """A value in its block, and its names in the blocks around."""
        yield operand
        while operand in self.of:
            operand = self.of[operand]
            yield operand


def outer(function: Function) -> Outer:
    """The values outside of the parameters of a function's blocks. Linear."""
    found = Outer()
    waiting = [function.block]
    while waiting:
        for statement in waiting.pop().body:
            _made(found, statement)
            waiting += statement.blocks
            if isinstance(statement, Branch):
                for inner in statement.blocks:
                    found.of.update(handed(statement, inner))
            elif isinstance(statement, Scan | While):
                _enter(found, statement)
    return found


def _made(found: Outer, statement: Statement) -> None:
    """Note a list that is empty, or made of one that began empty."""
    lists = [out for out in statement.outs if holds_keys(out.type)]
    if lists and (is_empty(statement) or not found.made.isdisjoint(statement.inputs)):
        found.made.update(lists)


def _enter(found: Outer, loop: Loop) -> None:
    for block in loop.blocks:
        own = loop.first_read if block is loop.body else len(loop.carries)
        found.carries.update(dict.fromkeys(block.params[:own], loop))
        pairs = zip(block.params[own:], loop.reads, strict=False)
        reads: dict[Operand, Operand] = dict(pairs)
        found.of.update(reads)
        found.reads.update(dict.fromkeys(reads, loop))


def may_take(statement: Apply, around: Outer) -> bool:
    """Whether a statement may take an item out of a list that has to be made of a dict:
    a loop goes over all items, or the list is made once.
    """
    array, *places = statement.args
    if len(places) != 1 or statement.out.type.dims:
        return False
    arrays = [*around.chain(array)]
    if arrays[-1] in around.made:
        return True
    loops = {around.reads[one] for one in arrays if one in around.reads}
    ends = (around.carries.get(one) for one in around.chain(places[0]))
    return any(loop in loops for loop in ends if loop is not None)


# --- the lists ------------------------------------------------------------------------


def with_lists(function: Function, keys: Set[Var]) -> Function:
    """The function with lists of the keys that it takes by place. Linear."""
    block, wanted = bounce(_Lister(keys).block(function.block, frozenset()))
    assert not wanted
    return replace(function, block=block)


@dataclass(slots=True)
class _Lister:
    keys: Set[Var]

    def block(
        self, block: Block, given: Set[Var]
    ) -> Task[tuple[Block, Mapping[Var, Var]]]:
        """The block, and the lists that it needs of dicts that it is `given`."""
        lists: dict[Var, Var] = {}
        body: list[Statement] = []
        for statement in block.body:
            made = statement
            before = set(lists)
            if isinstance(made, Apply):
                array = made.args[0] if made.args else None
                if takes(made) and made.out in self.keys and isinstance(array, Var):
                    args = (_list_of(array, lists), *made.args[1:])
                    made = replace(made, args=args)
            elif isinstance(made, Branch | Scan | While):
                made = yield self._inside(made, lists)
            for array, one in lists.items():
                if array not in before and array not in given:
                    body.append(Apply(one, KEYS, (array,)))
            body.append(made)
        body = self._parts(block, body)
        wanted = {array: one for array, one in lists.items() if array in given}
        if len(body) == len(block.body) and all(map(_is, body, block.body)):
            return block, wanted
        return replace(block, body=tuple(body)), wanted

    def _parts(self, block: Block, body: Sequence[Statement]) -> list[Statement]:
        """The statements, with a part of a key taken by itself if only that is read."""
        kept: list[Statement] = []
        for statement in body:
            before = kept[-1] if kept else None
            if isinstance(statement, Open) and isinstance(before, Apply):
                read = [k for k, o in enumerate(statement.outs) if block.times_read[o]]
                if before.out in self.keys and len(read) == 1:
                    (part,) = read
                    args = (*before.args, Literal(part))
                    kept[-1] = Apply(statement.outs[part], before.op, args)
                    continue
            kept.append(statement)
        return kept

    def _inside(
        self, statement: Branch | Loop, lists: dict[Var, Var]
    ) -> Task[Statement]:
        """A statement whose blocks have the lists that they need."""
        made: list[Block] = []
        wants: list[Mapping[Var, Var]] = []
        for block in statement.blocks:
            handed_in = dict(_read_only(statement, block))
            inner, wanted = yield self.block(block, frozenset(handed_in))
            made.append(inner)
            wants.append({_var(handed_in[p]): one for p, one in wanted.items()})
        arrays = list(dict.fromkeys(array for wanted in wants for array in wanted))
        if arrays:
            made = [
                _given(block, _end(statement, block), wanted, arrays)
                for block, wanted in zip(made, wants, strict=True)
            ]
        more = tuple(_list_of(array, lists) for array in arrays)
        if isinstance(statement, Branch):
            then, orelse = made
            args = (*statement.args, *more)
            return replace(statement, args=args, then=then, orelse=orelse)
        reads = (*statement.reads, *more)
        if isinstance(statement, Scan):
            return replace(statement, reads=reads, body=made[0])
        test, body = made
        return replace(statement, reads=reads, test=test, body=body)


def _is(one: object, other: object) -> bool:
    return one is other


def _var(operand: Operand) -> Var:
    assert isinstance(operand, Var)
    return operand


def _list_of(array: Var, lists: dict[Var, Var]) -> Var:
    """The list of the keys of a dict, in the same block."""
    if array not in lists:
        assert isinstance(array.type, Keyed)
        kinds = array.type.keys
        kind = kinds[0] if len(kinds) == 1 else Kind.RECORD
        hint = f"{array.hint}_list" if array.hint else ""
        lists[array] = Var(Type(kind, (ANY,)), hint)
    return lists[array]


def _read_only(statement: Branch | Loop, block: Block) -> Iterator[tuple[Var, Operand]]:
    """The dicts that a block is given and only reads."""
    pairs = [*handed(statement, block)]
    if not isinstance(statement, Branch):
        count = len(statement.carries)
        pairs = pairs[count : count + len(statement.reads)]
    return ((p, o) for p, o in pairs if isinstance(o.type, Keyed))


def _end(statement: Branch | Loop, block: Block) -> int:
    """The place among a block's parameters for one more value that it reads."""
    if isinstance(statement, Branch):
        return len(statement.args)
    return statement.first_entry


def _given(
    block: Block, end: int, wanted: Mapping[Var, Var], arrays: Sequence[Var]
) -> Block:
    """A block with parameters for lists, some of which it may not need."""
    own: dict[Var, Var] = {}
    more = [wanted.get(array) or _list_of(array, own) for array in arrays]
    return replace(block, params=(*block.params[:end], *more, *block.params[end:]))
