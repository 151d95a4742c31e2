"""The sites at which the trips of a loop read and store elements: their indices, in
terms of those of the loops around, and their conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import field
from functools import partial
from typing import TypeAlias

from ad_transform.dataclass import dataclass, replace
from ad_transform.ir.blocks.consumed import Consumption, handed
from ad_transform.ir.loops.affine import (
    AffineForm,
    AffineForms,
    Conditions,
    impossible,
    minus,
    number,
    plus,
    renamed,
)
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
)
from ad_transform.ir.trampoline import Task, bounce
from ad_transform.ir.types import INT

Loop: TypeAlias = Scan | While

_STORES = {"set", "add_at", "sub_at"}

ONLY_READ = -1
"""Stands for the place of a carry where an array is none."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a way: a statement, by its place in a block, and one of its blocks.

    A loop over a range has the value of its index, and by how much that grows from trip
    to trip; 0 where that is not known.
    """

    place: int
    arm: int = 0
    is_loop: bool = False
    index: Var | None = None
    growth: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A read or a store of an element.

    `way` goes to its block, from the outermost loop on, and `place` is its place there.
    The array is told by the place of the carry, the element by the index along each
    axis; `conditions` hold of the values in these, and those `apart` are not 0.
    """

    way: tuple[Step, ...]
    place: int
    array: int
    index: tuple[AffineForm, ...]
    conditions: Conditions
    apart: Conditions = ()


@dataclass(slots=True, eq=False)
class Inside:
    """A block in a loop: the elements that it reads and stores, each with its site, and
    the blocks that its statements hold, by place.

    `arrays` are the carries that values of it are, by place. `range` has start, stop
    and step, if it is the body of a loop over a range.
    """

    block: Block
    forms: AffineForms
    way: tuple[Step, ...]
    conditions: Conditions
    arrays: dict[Operand, int]
    range: tuple[AffineForm, ...] = ()
    apart: Conditions = ()
    read: dict[Operand, Site] = field(default_factory=dict)
    stored: dict[Operand, Site] = field(default_factory=dict)
    held: dict[int, list[Inside]] = field(default_factory=dict)

    @property
    def depth(self) -> int:
        """The number of loops around."""
        return sum(step.is_loop for step in self.way)

    @property
    def results(self) -> Iterator[int | None]:
        """The array that each result of the block is, if it is one."""
        return (self.arrays.get(result) for result in self.block.results)


class Sites:
    """The sites of a loop: those that store, with the statements, those that read, and
    by the blocks in the loop. `unknown` are arrays that change in other ways.

    `forms` are those of the block around; beside its carries, `read` may be an array
    that it only reads. Linear.
    """

    def __init__(
        self,
        loop: Scan,
        forms: AffineForms,
        consumption: Consumption,
        read: Operand | None = None,
    ) -> None:
        self._consumption = consumption
        self.stores: dict[Site, Apply] = {}
        self.reads: list[Site] = []
        self.appends: list[tuple[Inside, Operand, Site]] = []
        self.unknown: set[int] = set()  # arrays that change in other ways
        self.depth: dict[Var, int] = {}  # loops around the maker of a value
        self._chosen: dict[Var, list[tuple[AffineForm, Conditions]]] = {}
        self._facts: list[AffineForm] = []
        self._naturals: Set[Var] = set() if forms.naturals is None else forms.naturals
        arrays: dict[Operand, int] = {
            carry: k for k, carry in enumerate(loop.carries) if carry.type.dims
        }
        if read is not None:
            arrays[read] = ONLY_READ
        around = Inside(Block((), (loop,), ()), forms, (), (), arrays)
        bounce(self._loop(loop, 0, around))
        (self.inside,) = around.held[0]
        self._place_appended(loop, forms)

    def excluded(
        self, conditions: Iterable[AffineForm], others: Mapping[Var, Var] | None = None
    ) -> bool:
        """Whether nothing fulfils all conditions; `others` are those of later trips."""
        return impossible(self._with_facts(conditions, others))

    def _with_facts(
        self, conditions: Iterable[AffineForm], others: Mapping[Var, Var] | None = None
    ) -> list[AffineForm]:
        """The conditions, and the known facts of the values in them."""
        found = list(conditions)
        facts = [*self._facts]
        if others:
            facts += (renamed(fact, others) for fact in self._facts)
        met = {v for form in found for v in form}
        if self._naturals:
            values = dict.fromkeys(v for form in found for v in form)
            found += [{v: 1} for v in values if v in self._naturals]
        while facts:
            near = [fact for fact in facts if not met.isdisjoint(fact.keys() - {None})]
            if not near:
                break
            facts = [fact for fact in facts if fact not in near]
            met.update(v for fact in near for v in fact)
            found += near
        return found

    def _loop(self, loop: Loop, place: int, around: Inside) -> Task[None]:
        """A loop in a block."""
        forms = around.forms
        own: dict[Operand, AffineForm] = {}
        step, conditions = Step(place, is_loop=True), around.conditions
        depth = 1 + around.depth
        ends: tuple[AffineForm, ...] = ()
        if isinstance(loop, Scan):
            index = self._new(depth)
            own[loop.body.params[0]] = {index: 1}
            ends = tuple(map(forms.of, (loop.start, loop.stop, loop.step)))
            if isinstance(loop.step, Literal) and loop.step.value:
                by = int(loop.step.value)
                if by > 0 and forms.is_natural(loop.start):
                    forms.enter_natural(index)
                step = replace(step, index=index, growth=-by if loop.backwards else by)
                conditions = (*conditions, *_in_range(index, ends, by))
        reads = zip(loop.read_params, loop.reads, strict=True)
        inside = Inside(
            loop.body,
            forms.within(loop.body, reads, own, partial(self._new, depth)),
            (*around.way, step),
            conditions,
            _inner(around, handed(loop, loop.body)),
            ends,
            around.apart,
        )
        around.held[place] = [inside]
        yield self._block(inside)
        if isinstance(loop, Scan):
            self._read_whole(loop.entries, place, around)
        else:
            self._read_in_test(loop, inside)
        for out, carry, end in zip(
            loop.outs, loop.carries, inside.results, strict=False
        ):
            k = around.arrays.get(carry)
            if k is not None:
                around.arrays[out] = k
                if end != k:
                    self.unknown.add(k)
        carried = zip(loop.finals, loop.carries, loop.carry_params, strict=True)
        for k, (out, carry, param) in enumerate(carried):
            if out.type == INT and carry.type == INT:
                self._bounded(out, forms, forms.of(carry), param, inside, k)

    def _read_in_test(self, loop: While, inside: Inside) -> None:
        """Enter the arrays that the test of a loop may read, before each trip."""
        params = dict(handed(loop, loop.test))
        read = {o for s in loop.test.body for o in s.inputs}
        for param in read.intersection(params):
            array = inside.arrays.get(loop.body.params[loop.test.params.index(param)])
            if array is not None:
                self.reads.append(Site(inside.way, 0, array, (), inside.conditions))

    def _bounded(
        self,
        out: Var,
        forms: AffineForms,
        start: AffineForm,
        param: Var,
        inside: Inside,
        k: int,
    ) -> None:
        """Enter that a whole number that trips hand on stays at least, or at most, its
        first value, as the place of the largest element so far does.
        """
        own = inside.forms.of(param)
        ends = [*self._ends(inside.forms.of(inside.block.results[k]))]
        for sign in (1, -1):
            kept = plus({}, minus(own, start), sign)
            if all(
                end == own
                or self.excluded(
                    (
                        *inside.conditions,
                        *conditions,
                        kept,
                        plus(number(-1), minus(end, start), -sign),
                    )
                )
                for end, conditions in ends
            ):
                self._facts += kept, plus({}, minus(forms.of(out), start), sign)

    def _ends(self, form: AffineForm) -> Iterator[tuple[AffineForm, Conditions]]:
        """The forms that a whole number has in arms of branches, with conditions."""
        value = next(iter(form), None)
        if value not in self._chosen or form != {value: 1}:
            yield form, ()
            return
        assert value is not None
        for end, conditions in self._chosen[value]:
            yield from ((e, (*conditions, *c)) for e, c in self._ends(end))

    def _block(self, inside: Inside) -> Task[None]:
        """The statements of a block."""
        arrays = inside.arrays
        for place, statement in enumerate(inside.block.body):
            if isinstance(statement, Apply):
                if arrays and not arrays.keys().isdisjoint(statement.args):
                    self._operation(statement, place, inside)
            elif isinstance(statement, Loop):
                yield self._loop(statement, place, inside)
            elif isinstance(statement, Branch):
                yield self._branch(statement, place, inside)
            else:
                self._otherwise(statement, place, inside)

    def _branch(self, branch: Branch, place: int, around: Inside) -> Task[None]:
        arms: list[Inside] = []
        ahead = tuple(self._with_facts(around.conditions))
        for arm, block in enumerate(branch.blocks):
            pairs = [*handed(branch, block)]
            apart = around.forms.apart(branch.test, arm == 0)
            new = partial(self._new, around.depth)
            arms.append(
                Inside(
                    block,
                    around.forms.within(block, pairs, new=new),
                    (*around.way, Step(place, arm)),
                    (
                        *around.conditions,
                        *around.forms.where(branch.test, arm == 0, ahead),
                    ),
                    _inner(around, pairs),
                    apart=(*around.apart, *(() if apart is None else (apart,))),
                )
            )
            yield self._block(arms[-1])
        around.held[place] = arms
        for k, (out, a, b) in enumerate(
            zip(branch.outs, *(arm.results for arm in arms), strict=True)
        ):
            if a is not None and a == b:
                around.arrays[out] = a
            else:
                self.unknown.update(k for k in (a, b) if k is not None)
            if out.type == INT:
                (value,) = around.forms.of(out)
                assert value is not None
                self._chosen[value] = [
                    (arm.forms.of(arm.block.results[k]), arm.conditions) for arm in arms
                ]

    def _operation(self, made: Apply, place: int, inside: Inside) -> None:
        """An operation on an array."""
        first, *others = made.args
        array, name = inside.arrays.get(first), made.op.name
        if array is None:
            self._otherwise(made, place, inside)
        elif name == "get":
            site = inside.read[made.out] = self._site(array, others, place, inside)
            self.reads.append(site)
        elif name in _STORES:
            value, *index = others
            site = self._site(array, index, place, inside)
            self.stores[site] = made
            if name == "set":
                inside.stored.setdefault(value, site)
            else:
                self.reads.append(site)
            self._read_whole((value,), place, inside)
            inside.arrays[made.out] = array
        elif name == "size":
            return  # which no store changes
        elif name == "append":
            site = self._site(array, (), place, inside)
            self.appends.append((inside, made.args[1], site))
            inside.arrays[made.out] = array
        else:
            self._otherwise(made, place, inside)

    def _otherwise(self, statement: Statement, place: int, inside: Inside) -> None:
        """A statement that reads arrays as wholes, or changes them in its own way."""
        gone = self._consumption.by(statement)
        arrays = inside.arrays
        self.unknown.update(arrays[o] for o in gone if o in arrays)
        self._read_whole(statement.inputs, place, inside)

    def _read_whole(
        self, operands: Iterable[Operand], place: int, inside: Inside
    ) -> None:
        """Enter the arrays of which any element may be read."""
        for operand in operands:
            if operand in inside.arrays:
                array = inside.arrays[operand]
                self.reads.append(self._site(array, (), place, inside))

    def _site(
        self, array: int, index: Iterable[Operand], place: int, inside: Inside
    ) -> Site:
        forms = tuple(map(inside.forms.of, index))
        inner = inside.conditions, inside.apart
        return Site(inside.way, place, array, forms, *inner)

    def _place_appended(self, loop: Scan, forms: AffineForms) -> None:
        """Enter where each trip appends an item, if it appends one to a list that had a
        known number of them.
        """
        (step,) = self.inside.way
        arrays = [site.array for _, _, site in self.appends]
        for inside, value, site in self.appends:
            length = loop.carries[site.array].type.dims[0]
            if (
                inside is self.inside
                and step.index is not None
                and step.growth == 1
                and arrays.count(site.array) == 1
                and isinstance(length, int)
            ):
                place = minus({step.index: 1, None: length}, forms.of(loop.start))
                inside.stored.setdefault(value, replace(site, index=(place,)))

    def _new(self, depth: int) -> Var:
        """A new whole number, which each trip of so many outer loops has anew."""
        made = Var(INT)
        self.depth[made] = depth
        return made


def _inner(around: Inside, pairs: Iterable[tuple[Var, Operand]]) -> dict[Operand, int]:
    """The arrays of an inner block, by their parameters."""
    return {p: around.arrays[o] for p, o in pairs if o in around.arrays}


def _in_range(index: Var, ends: tuple[AffineForm, ...], by: int) -> Conditions:
    """The conditions that an index is in a range."""
    own: AffineForm = {index: 1}
    start, stop, _ = ends
    if by < 0:
        own, start, stop = minus({}, own), minus({}, start), minus({}, stop)
    return minus(own, start), plus(minus(stop, own), number(-1))
