"""New arrays are changed where they stand if nothing reads them afterwards.

A store into an array begins with a copy. `u = np.zeros(n)` and `u[1:] = x` need none:
the copy takes over the array, and what has read it before looks at the same memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from ad_transform.dataclass import dataclass
from ad_transform.derive.wholes.returned import is_shared
from ad_transform.elementals import TABLE
from ad_transform.elementals.whole import BY_ELEMENT, LENGTHS
from ad_transform.ir.nodes import Apply, Literal, Operand, Statement, Var
from ad_transform.ir.types import Kind, Type

_MADE = "filled filled_rows zeros_like full_like identity zero_rows zero_columns outer"
_NEW = BY_ELEMENT | {*_MADE.split()}
"""Operations whose results are arrays of their own."""

_READ = frozenset({"pick", "pick_both"})
"""Operations that read a number of an array."""

_LIKE = frozenset({"zeros_beside", "zeros_like", "count", *LENGTHS})
"""Operations that read the shape of their only argument."""


def makes_own(statement: Statement) -> bool:
    """Whether a statement makes an array of its own, a copy that changes."""
    return isinstance(statement, Apply) and statement.op.name == "own"


def copy_of(start: Var, of: Operand, makers: Mapping[Operand, Apply]) -> Apply:
    """An array of its own that is like another."""
    maker = makers.get(of)
    if maker and maker.op.name == "spread" and maker.args[0] == Literal(0.0):
        return Apply(start, TABLE["zeros_beside"], maker.args[1:])
    return Apply(start, TABLE["own"], (of,))


def first(same: Mapping[Operand, Operand], value: Operand) -> Operand:
    """The first of the names of a value."""
    while value in same:
        value = same[value]
    return value


def looking(reader: Apply, value: Operand, own: Var) -> tuple[Apply, ...]:
    """The statements that read an object in place of an array."""
    is_number = reader.op.name in _READ and reader.args.count(value) == 1
    if is_number:
        return (reader.over({value: own}),)
    seen = Var(Type(Kind.FLOAT, (), own.type.shape), own.hint, named=own.named)
    return Apply(seen, TABLE["done"], (own,)), reader.over({value: seen})


def without_copies(
    body: Sequence[Statement], results: Sequence[Operand]
) -> Iterator[Statement]:
    """The statements without copies of new arrays that nobody reads any more. Linear.

    New are arrays that have just been changed, computed element by element, or filled;
    an array with a name of the user's keeps it.
    """
    if not any(map(makes_own, body)):
        yield from body
        return
    body = _with_zeros(body, results)
    taking = _Taking(results)
    for place, statement in enumerate(body):
        taking.enter(statement, place)
    for statement in body:
        if isinstance(statement, Apply) and makes_own(statement):
            taking.take(statement)
    yield from taking.body()


def _with_zeros(
    body: Sequence[Statement], results: Sequence[Operand]
) -> list[Statement]:
    """The statements with new zeros in place of copies of zeros."""
    makers: dict[Operand, Apply] = {s.out: s for s in body if isinstance(s, Apply)}
    made = [
        copy_of(s.out, s.args[0], makers)
        if isinstance(s, Apply) and makes_own(s)
        else s
        for s in body
    ]
    read = {operand for s in made for operand in s.inputs}.union(results)
    spread = TABLE["spread"]
    return [
        s
        for s in made
        if not (isinstance(s, Apply) and s.op is spread and s.out not in read)
    ]


@dataclass(slots=True)
class _Taking:
    """The statements of a block, and the new ones in the places of some of them.

    `objects` are the arrays that copies take over, `same` the objects of the copies.
    Readers of their shapes are `moved` in front of the copies.
    """

    results: Sequence[Operand]
    places: dict[Statement, int] = field(default_factory=dict)
    makers: dict[Operand, Apply] = field(default_factory=dict)
    readers: defaultdict[Operand, list[Statement]] = field(
        default_factory=lambda: defaultdict(list)
    )
    made: dict[Statement, tuple[Apply, ...]] = field(default_factory=dict)
    same: dict[Operand, Operand] = field(default_factory=dict)
    objects: dict[Operand, Var] = field(default_factory=dict)
    early: dict[Statement, list[Statement]] = field(default_factory=dict)
    moved: set[Statement] = field(default_factory=set)

    def enter(self, statement: Statement, place: int) -> None:
        """Enter a statement of the block."""
        self.places[statement] = place
        if isinstance(statement, Apply):
            self.makers[statement.out] = statement
        for operand in dict.fromkeys(statement.inputs):
            if operand.type.shape:
                self.readers[operand].append(statement)

    def take(self, copy: Apply) -> None:
        """Let a copy take over its array, if it can."""
        (value,) = copy.args
        maker = self.makers.get(value)
        if maker is None:
            return
        others = [s for s in self.readers[value] if s is not copy]
        if maker.op.name == "done" and maker.args[0].type == copy.out.type:
            if not others and value not in self.results:
                self.same[copy.out] = maker.args[0]
                self.made[maker] = self.made[copy] = ()
            return
        if not self._is_over(value, copy):
            return
        new = _new(maker)
        if new is None or copy.out in self.results:
            return
        name = maker.out if maker.out.named else copy.out
        object_ = Var(copy.out.type, name.hint, named=name.named)
        adopted = Apply(object_, TABLE["adopted"], (new.out,))
        self.same[copy.out] = object_
        self.objects[value] = object_
        self.made[maker] = (new, adopted) if others else (new,)
        self.made[copy] = () if others else (adopted,)
        place = self.places[copy]
        late = [s for s in others if self.places[s] > place]
        self.early[copy] = late
        self.moved.update(late)

    def body(self) -> Iterator[Statement]:
        """The new statements."""
        for statement in self.places:
            if statement in self.moved:
                continue
            for one in (*self.early.get(statement, ()), statement):
                for made in self.made.get(one, (one,)):
                    yield from self._looking(made)

    def _looking(self, statement: Statement) -> Iterator[Statement]:
        """A statement that reads objects, behind those that give it their arrays."""
        made = statement
        for value in dict.fromkeys(statement.inputs):
            if value in self.objects:
                assert isinstance(made, Apply)
                *views, made = looking(made, value, self.objects[value])
                yield from views
        inputs = {o: first(self.same, o) for o in made.inputs if o in self.same}
        yield made.over(inputs) if inputs else made

    def _is_over(self, value: Operand, copy: Apply) -> bool:
        """Whether all that looks at an array beside its copy stands in front of that,
        or may do so; also through a part, which is a view.
        """
        waiting = [value]
        while waiting:
            seen = waiting.pop()
            if seen in self.results:
                return False
            for reader in self.readers[seen]:
                if reader is copy:
                    continue
                if not isinstance(reader, Apply) or reader.op.consumes:
                    return False
                is_late = self.places[reader] > self.places[copy]
                if is_late and not (seen is value and _reads_shape(reader)):
                    return False
                if is_shared(reader):
                    waiting.append(reader.out)
        return True


def _reads_shape(reader: Apply) -> bool:
    """Whether an operation reads the shape of an array and nothing else of a run."""
    return reader.op.name in _LIKE and len(reader.inputs) == 1


def _new(maker: Apply) -> Apply | None:
    """The statement that makes a new array without a name; None for other makers."""
    out = Var(maker.out.type)
    if maker.op.name == "spread" and not maker.args[0].type.shape:
        return Apply(out, TABLE["full_like"], maker.args)
    return Apply(out, maker.op, maker.args) if maker.op.name in _NEW else None
