"""Where the trips of a loop read and store elements of the arrays that it carries, and
which elements are at its end what they were there.

In `for i in range(n): y[i + 1] = f(y[i])` trip i reads y[i], and later trips store
y[i + 2], y[i + 3], ...: behind the loop, y[i] is what trip i read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from functools import partial
from typing import TypeAlias

from ad_transform.dataclass import dataclass
from ad_transform.ir.affine import (
    Conditions,
    Form,
    Forms,
    equal,
    impossible,
    minus,
    number,
    plus,
    renamed,
)
from ad_transform.ir.consumed import Consumption, handed
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

_MOST = 400
"""Pairs of a store and another access to an array that are looked at; where there are
more, nothing is said of the array.
"""

ONLY_READ = -1
"""Stands for the place of a carry where an array is none."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a way: a statement, by its place in a block, and which of its blocks.

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
    index: tuple[Form, ...]
    conditions: Conditions
    apart: Conditions = ()


@dataclass(slots=True, eq=False)
class Inside:
    """A block in a loop: what it reads and what it stores, each with the site, and the
    blocks that its statements hold, by place.

    `arrays` are the carries that values of it are, by place. `range` has start, stop
    and step, if it is the body of a loop over a range.
    """

    block: Block
    forms: Forms
    way: tuple[Step, ...]
    conditions: Conditions
    arrays: dict[Operand, int]
    range: tuple[Form, ...] = ()
    apart: Conditions = ()
    read: dict[Operand, Site] = field(default_factory=dict)
    stored: dict[Operand, Site] = field(default_factory=dict)
    held: dict[int, list[Inside]] = field(default_factory=dict)

    @property
    def depth(self) -> int:
        """How many loops are around."""
        return sum(step.is_loop for step in self.way)

    @property
    def results(self) -> Iterator[int | None]:
        """Which arrays the results of the block are."""
        return (self.arrays.get(result) for result in self.block.results)


class Sites:
    """The sites of a loop, by the blocks in it. `forms` are those of the block around;
    beside what it carries, `read` may be an array that it only reads.

    Linear in the statements; a question asks each store of the array once, of which
    there are few.
    """

    def __init__(
        self,
        loop: Scan,
        forms: Forms,
        consumption: Consumption,
        read: Operand | None = None,
    ) -> None:
        self._consumption = consumption
        self._stores: dict[Site, Apply] = {}
        self._reads: list[Site] = []
        self._appends: list[tuple[Inside, Operand, Site]] = []
        self._unknown: set[int] = set()  # arrays that change in other ways
        self._depth: dict[Var, int] = {}  # how many loops are around what has a value
        self._chosen: dict[Var, list[tuple[Form, Conditions]]] = {}
        self._facts: list[Form] = []
        self._told: dict[Site, bool] = {}
        arrays: dict[Operand, int] = {
            carry: k for k, carry in enumerate(loop.carries) if carry.type.dims
        }
        if read is not None:
            arrays[read] = ONLY_READ
        around = Inside(Block((), (loop,), ()), forms, (), (), arrays)
        bounce(self._loop(loop, 0, around))
        (self.inside,) = around.held[0]
        self._place_appended(loop, forms)
        stores = Counter(site.array for site in self._stores)
        every = stores + Counter(site.array for site in self._reads)
        self._unknown.update(k for k in stores if stores[k] * every[k] > _MOST)

    def is_final(self, site: Site) -> bool:
        """Whether the element is what it is at a site when the loop is left."""
        return (
            site.array not in self._unknown
            and self._is_told(site)
            and not any(
                self._may_meet(site, store) for store in self.stores(site.array)
            )
        )

    def is_known(self, array: int) -> bool:
        """Whether all that changes in an array are elements that are stored."""
        grown = (site.array for _, _, site in self._appends)
        return array not in self._unknown and array not in grown

    def is_inner(self, value: Var) -> bool:
        """Whether a whole number in a form is one that trips make."""
        return value in self._depth

    def stores(self, array: int) -> Iterator[Site]:
        """Where elements of an array are stored or added to."""
        return (site for site in self._stores if site.array == array)

    def reads(self, array: int) -> Iterator[Site]:
        """Where elements of an array are read; one without an index is any element."""
        return (site for site in self._reads if site.array == array)

    def first(self) -> Iterator[tuple[Apply, Site]]:
        """The statements that add to an element in which nothing was stored before."""
        for site, statement in self._stores.items():
            others = self.stores(site.array)
            if (
                statement.op.name != "set"
                and self.is_known(site.array)
                and not any(self._may_meet(other, site) for other in others)
            ):
                yield statement, site

    def renewed(self) -> Iterator[tuple[Apply, Apply]]:
        """The statements that store 0.0 in an element, with those that are the next to
        read it: they add to it in the same block.
        """
        for site, statement in self._stores.items():
            if statement.op.name != "set" and self.is_known(site.array):
                for zero in self.stores(site.array):
                    if self._is_zero_until(zero, site):
                        yield self._stores[zero], statement

    def _is_zero_until(self, zero: Site, site: Site) -> bool:
        """Whether 0.0 is stored at a place, which nothing reads or changes till a site
        is reached.
        """
        made, way = self._stores[zero], zero.way
        if (
            made.op.name != "set"
            or made.args[1] != Literal(0.0)
            or way != site.way
            or zero.index != site.index
            or zero.place >= site.place
        ):
            return False
        depth = sum(step.is_loop for step in way)
        between = (
            other
            for other in (*self._stores, *self._reads)
            if other.array == site.array and other.way[: len(way)] == way
            if _is_behind(zero, other, len(way)) and _is_behind(other, site, len(way))
        )
        return self._is_told(zero) and all(
            self._is_told(other) and not self._may_meet_in(zero, other, depth, None)
            for other in between
        )

    def may_be(
        self, site: Site, index: tuple[Form, ...], conditions: Conditions = ()
    ) -> bool:
        """Whether the element of a site in some trip may be the one at an index, which
        is told in terms of other values; `conditions` hold of these.
        """
        if not self._is_told(site):
            return True
        both = (*site.conditions, *conditions)
        below = (minus(number(-1), form) for form in index)
        pairs = zip(site.index, index, strict=False)
        met = (condition for a, b in pairs for condition in equal(a, b))
        return not (
            all(self._excluded((*both, one)) for one in below)
            and self._excluded((*both, *met))
        )

    def unread(self) -> Iterator[tuple[Apply, Site]]:
        """The statements that store an element which later trips do not read."""
        for site, statement in self._stores.items():
            if (
                statement.op.name == "set"
                and site.array not in self._unknown
                and not any(
                    self._may_meet(site, read) for read in self.reads(site.array)
                )
            ):
                yield statement, site

    def _is_told(self, site: Site) -> bool:
        """Whether no index may be below 0: such a place is told from the end."""
        if site not in self._told:
            below = (minus(number(-1), form) for form in site.index)
            self._told[site] = all(self._excluded((*site.conditions, b)) for b in below)
        return self._told[site]

    def _may_meet(self, site: Site, store: Site) -> bool:
        """Whether what is stored later, in the same trip or another, may be there."""
        if not (self._is_told(site) and self._is_told(store)):
            return True
        common = 0
        for a, b in zip(site.way, store.way, strict=False):
            if a != b:
                break
            common += 1
        loops = [step for step in site.way[:common] if step.is_loop]
        return any(
            self._may_meet_in(site, store, depth, loop)
            for depth, loop in enumerate(loops)
        ) or (
            _is_behind(site, store, common)
            and self._may_meet_in(site, store, len(loops), None)
        )

    def _may_meet_in(
        self, site: Site, store: Site, depth: int, loop: Step | None
    ) -> bool:
        """The same, where so many outer loops are in the same trip, and the next one is
        in a later trip if there is one.
        """
        others = {v: Var(INT) for v, own in self._depth.items() if own > depth}
        pairs = zip(site.index, store.index, strict=False)
        met = [c for a, b in pairs for c in equal(a, renamed(b, others))]
        if any(form in met for form in site.apart):
            return False
        if any(renamed(form, others) in met for form in store.apart):
            return False
        if loop is not None and loop.index is not None:
            grown: Form = {others[loop.index]: 1, loop.index: -1}
            sign = 1 if loop.growth > 0 else -1
            met.append(plus(number(-abs(loop.growth)), grown, sign))
        there = (renamed(form, others) for form in store.conditions)
        return not self._excluded((*site.conditions, *there, *met), others)

    def _excluded(
        self, conditions: Iterable[Form], others: Mapping[Var, Var] | None = None
    ) -> bool:
        """Whether nothing fulfils all conditions; `others` are those of later trips."""
        return impossible(self._with_facts(conditions, others))

    def _with_facts(
        self, conditions: Iterable[Form], others: Mapping[Var, Var] | None = None
    ) -> list[Form]:
        """The conditions, and what is known of the values in them."""
        found = list(conditions)
        facts = [*self._facts]
        if others:
            facts += (renamed(fact, others) for fact in self._facts)
        met = {v for form in found for v in form}
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
        known: dict[Operand, Form] = {}
        step, conditions = Step(place, is_loop=True), around.conditions
        depth = 1 + around.depth
        ends: tuple[Form, ...] = ()
        if isinstance(loop, Scan):
            index = self._new(depth)
            known[loop.body.params[0]] = {index: 1}
            ends = tuple(map(forms.of, (loop.start, loop.stop, loop.step)))
            if isinstance(loop.step, Literal) and loop.step.value:
                by = int(loop.step.value)
                step = replace(step, index=index, growth=-by if loop.backwards else by)
                conditions = (*conditions, *_in_range(index, ends, by))
        first = int(isinstance(loop, Scan))
        params = loop.body.params[first:]
        reads = zip(params[len(loop.carries) :], loop.reads, strict=False)
        known.update((p, forms.of(o)) for p, o in reads if p.type == INT)
        inside = Inside(
            loop.body,
            Forms(loop.body.body, known, partial(self._new, depth)),
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
                    self._unknown.add(k)
        for k, (out, carry) in enumerate(zip(loop.outs, loop.carries, strict=False)):
            if out.type == INT and carry.type == INT:
                self._bounded(out, forms, forms.of(carry), params[k], inside, k)

    def _read_in_test(self, loop: While, inside: Inside) -> None:
        """Enter the arrays that the test of a loop may read, before each trip."""
        params = dict(handed(loop, loop.test))
        read = {o for s in loop.test.body for o in s.inputs}
        for param in read.intersection(params):
            array = inside.arrays.get(loop.body.params[loop.test.params.index(param)])
            if array is not None:
                self._reads.append(Site(inside.way, 0, array, (), inside.conditions))

    def _bounded(
        self, out: Var, forms: Forms, start: Form, param: Var, inside: Inside, k: int
    ) -> None:
        """Enter that a whole number that trips hand on stays at least, or at most, what
        it was at first, as the place of the largest element so far does.
        """
        own = inside.forms.of(param)
        ends = [*self._ends(inside.forms.of(inside.block.results[k]))]
        for sign in (1, -1):
            kept = plus({}, minus(own, start), sign)
            if all(
                end == own
                or self._excluded(
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

    def _ends(self, form: Form) -> Iterator[tuple[Form, Conditions]]:
        """What a whole number may be: what the arms of a branch give, and when."""
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
            known: dict[Operand, Form] = {
                p: around.forms.of(o) for p, o in pairs if p.type == INT
            }
            arms.append(
                Inside(
                    block,
                    Forms(block.body, known, partial(self._new, around.depth)),
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
                self._unknown.update(k for k in (a, b) if k is not None)
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
            self._reads.append(site)
        elif name in _STORES:
            value, *index = others
            site = self._site(array, index, place, inside)
            self._stores[site] = made
            if name == "set":
                inside.stored.setdefault(value, site)
            else:
                self._reads.append(site)
            self._read_whole((value,), place, inside)
            inside.arrays[made.out] = array
        elif name == "append":
            site = self._site(array, (), place, inside)
            self._appends.append((inside, made.args[1], site))
            inside.arrays[made.out] = array
        else:
            self._otherwise(made, place, inside)

    def _otherwise(self, statement: Statement, place: int, inside: Inside) -> None:
        """A statement that reads arrays as wholes, or changes them in its own way."""
        gone = self._consumption.by(statement)
        arrays = inside.arrays
        self._unknown.update(arrays[o] for o in gone if o in arrays)
        self._read_whole(statement.inputs, place, inside)

    def _read_whole(
        self, operands: Iterable[Operand], place: int, inside: Inside
    ) -> None:
        """Enter the arrays of which any element may be read."""
        for operand in operands:
            if operand in inside.arrays:
                array = inside.arrays[operand]
                self._reads.append(self._site(array, (), place, inside))

    def _site(
        self, array: int, index: Iterable[Operand], place: int, inside: Inside
    ) -> Site:
        forms = tuple(map(inside.forms.of, index))
        inner = inside.conditions, inside.apart
        return Site(inside.way, place, array, forms, *inner)

    def _place_appended(self, loop: Scan, forms: Forms) -> None:
        """Enter where each trip appends an item, if it appends one to a list that had a
        known number of them.
        """
        (step,) = self.inside.way
        arrays = [site.array for _, _, site in self._appends]
        for inside, value, site in self._appends:
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
        """A whole number of its own in each trip of so many loops."""
        made = Var(INT)
        self._depth[made] = depth
        return made


def _inner(around: Inside, pairs: Iterable[tuple[Var, Operand]]) -> dict[Operand, int]:
    """The arrays by the parameters that they are handed in by."""
    return {p: around.arrays[o] for p, o in pairs if o in around.arrays}


def _is_behind(site: Site, store: Site, common: int) -> bool:
    """Whether a store comes behind a site in the trip that both are in."""
    ahead, behind = site.way[common:], store.way[common:]
    place = ahead[0].place if ahead else site.place
    other = behind[0].place if behind else store.place
    return other > place


def _in_range(index: Var, ends: tuple[Form, ...], by: int) -> Conditions:
    """The conditions that an index is in a range."""
    own: Form = {index: 1}
    start, stop, _ = ends
    if by < 0:
        own, start, stop = minus({}, own), minus({}, start), minus({}, stop)
    return minus(own, start), plus(minus(stop, own), number(-1))
