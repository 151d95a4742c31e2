"""What an expression can be while a function is flattened.

Numbers are drafts of IR values or literals; tuples and lists of the user exist only
here, as do functions, modules and None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Function, Literal, node
from ad_transform.ir.types import BOOL, FLOAT, INT, STR, Type
from ad_transform.read.classes import Class, Style, initialised_in
from ad_transform.read.layouts import Listed, Row, Stacked

if TYPE_CHECKING:
    from ad_transform.read.code import Code, Gather
    from ad_transform.read.frames import Frame, Promise
    from ad_transform.read.module import Module


UNNAMED = 1 << 30


@dataclass(slots=True, eq=False)
class Draft:
    """A value of the IR in the making: it may still be given its name and notes.

    `hint` is its name so far, and `depth` the number of calls around the statement that
    gave it: a name given further out wins, for the reader of the marked function knows
    it. `within` is the helper whose statement or parameter named it, `call` the names
    of that run of it. An `optional` value may be None; it is `asked` once a test has
    asked for that. Such a test `tells` of a value, and whether it is there where the
    test holds. `of` is another draft for the same value, which takes the name as well.
    """

    type: Type
    span: Span | None = None
    hint: str = ""
    depth: int = UNNAMED
    notes: tuple[str, ...] = ()
    within: str = ""
    optional: bool = False
    asked: bool = False
    tells: tuple[Draft, bool] | None = None
    call: Mapping[str, Value | Promise] | None = None
    of: Draft | None = None


@dataclass(slots=True, eq=False)
class Member(Draft):
    """The text of a member of an Enum that the function is given."""

    cases: Class | None = None


Number = Draft | Literal


FILLERS = {t: Literal(v) for t, v in ((FLOAT, 0.0), (INT, 0), (BOOL, False), (STR, ""))}
"""Values for what nobody uses."""


@node
class Group:
    """A tuple or list of the user, known item by item; a NamedTuple is `of` a class."""

    container: Container
    items: tuple[Value, ...]
    site: Span | None = None  # where it is made, if it could be an array
    of: Class | None = None


@node
class View(Group):
    """`d.values()` or `d.items()`, of which some keys are still to be read."""

    keys: tuple[Key, ...] = ()
    identity: object | None = None  # of the dict


Key: TypeAlias = "Literal | Group"
"""A key of a dict: a number, a text, or a tuple of such."""


@dataclass(slots=True, eq=False)
class Identity:
    """Which object of a class one is, `born` at a time; see `fields`.

    Behind a branch or a loop it may be any of the `givers`. At the head of a trip of a
    `loop` it may also be one that an earlier trip has made. A `fixed` one cannot change
    here; `changed` are fields that have changed. `hint` is what it is called. One in
    the `making` does not have all its fields yet.
    """

    of: Class
    born: int = 0
    givers: tuple[Identity, ...] = ()
    fixed: bool = False
    loop: int = 0
    hint: str = ""
    making: bool = False
    changed: dict[str, None] = field(default_factory=dict)


@node
class Object:
    """An object of a dataclass, known field by field, as it was made.

    One whose fields may be assigned has an identity, and holds by now what `fields`
    says; without one none of them may be.
    """

    of: Class
    items: tuple[Value, ...]
    identity: Identity | None = None


@node
class Unread:
    """A field of an object of which nothing is known; `said` is its annotation. What a
    `computed` one is, only a method knows.
    """

    said: str
    computed: bool = False


@dataclass(slots=True, eq=False)
class Cell:
    """What an array or list keeps its elements in: an object, with an identity.

    What is in it by now stands on the heap under its `key`, a value of the IR.
    `origin` is what it held first, `hint` what it is called; `lengths` are those of its
    axes where they are known (they do not change then).
    """

    type: Type
    container: Container
    key: str
    span: Span
    origin: Draft
    lengths: tuple[Number | None, ...] = ()
    hint: str = ""


FIRST = Literal(0)


@node
class Deque:
    """`collections.deque`: a reference to a list, which keeps the `most` last items."""

    inner: Value
    most: Number | None


@node
class Distinct(Deque):
    """A set: a reference to the list of its items, each of which is there once."""


@node
class Axis:
    """Every `step`-th place of an axis from `start` on, `length` of them.

    Without a start and a length it is the whole axis.
    """

    start: Number = FIRST
    step: int = 1
    length: Number | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it is all of the axis of the cell, in order."""
        return self.length is None


@node
class Array:
    """An array or list of run-time length, or a view of one: the elements of a cell.

    For every axis of the cell `places` has the index at which it is taken, or which
    places of it are there.
    """

    cell: Cell
    places: tuple[Number | Axis, ...]

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The axes that are left."""
        return tuple(p for p in self.places if isinstance(p, Axis))

    @property
    def is_whole(self) -> bool:
        """Whether it is the cell itself."""
        return all(isinstance(p, Axis) and p.is_whole for p in self.places)


@node
class Slice:
    """`start:stop:step` as an index; what is not written is None."""

    start: Value
    stop: Value
    step: Value


@node
class Dict:
    """A dict of the user with literal keys, as it is by now.

    A change makes another value of the same `identity`; without one it is open which
    dict it is, and it may not be changed.
    """

    keys: tuple[Key, ...]
    items: tuple[Value, ...]
    identity: object | None = field(default_factory=object)

    def is_like(self, other: Value) -> TypeGuard[Dict]:
        """Whether another value is a dict of the same keys in the same order."""
        return isinstance(other, Dict) and self.keys == other.keys

    def which(self, other: Dict) -> object | None:
        """The identity of what is one of two dicts."""
        return self.identity if self.identity is other.identity else None


@node
class Super:
    """`super()`: what the classes `above` have, for an object or a class."""

    above: tuple[Class, ...]
    value: Object | Class

    @property
    def initialised(self) -> Class | None:
        """The class whose `__init__` runs; None without one."""
        return initialised_in(self.above)


@node
class Method:
    """`of.name`, to be called."""

    of: Value
    name: str


@node
class Rows:
    """A list of rows that grows, made at `site`: a list for each place of them.

    The rows are tuples, lists or arrays of one length, which do not change.
    """

    columns: tuple[Column, ...]
    layout: Row
    site: Span

    def each(self, read: Callable[[Array | Lists], Value]) -> Value:
        """A row of what is read of each list."""
        found = (c.each(read) if isinstance(c, Rows) else read(c) for c in self.columns)
        return regroup(self.layout.kind, tuple(found))

    def changed(self, make: Callable[[Array | Lists], Value]) -> Value:
        """The list with another one for each list; REFUSED where one of them is."""
        found: list[Column] = []
        for column in self.columns:
            own = column.changed(make) if isinstance(column, Rows) else make(column)
            if not isinstance(own, Array | Rows | Lists):
                return Special.REFUSED
            found.append(own)
        return Rows(tuple(found), self.layout, self.site)

    @property
    def items(self) -> tuple[Column, ...]:
        """The lists, as the parts that loops and arms hand on."""
        return self.columns

    @property
    def first(self) -> Array:
        """One of the lists, which are all as long."""
        column = self.columns[0]
        return column if isinstance(column, Array) else column.first

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The objects that the lists are."""
        found: list[Cell] = []
        for column in self.columns:
            found += (column.cell,) if isinstance(column, Array) else column.cells
        return tuple(found)


@node
class Lists:
    """A list of lists of any length that grows, made at `site`.

    `values` has the items of all lists one behind another. `starts` says where each
    list begins among them, `sizes` how long it is.
    Items are never taken away, and lists may share them: the lists do not change.
    """

    values: Column
    starts: Array
    sizes: Array
    layout: Listed
    site: Span

    @property
    def items(self) -> tuple[Column, ...]:
        """The lists, as the parts that loops and arms hand on."""
        return self.values, self.starts, self.sizes

    @property
    def first(self) -> Array:
        """One of the lists that are as long as this one."""
        return self.starts

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The objects that the lists are."""
        values = self.values
        inner = (values.cell,) if isinstance(values, Array) else values.cells
        return (*inner, self.starts.cell, self.sizes.cell)


Column: TypeAlias = "Array | Rows | Lists"
"""What stands at one place of all rows."""


@node
class Stack:
    """A list of arrays of a run-time shape that grows, made at `site`: all numbers in
    one list, and the lengths of the arrays in others, a list for each axis.
    """

    values: Array
    marks: tuple[Array, ...]
    layout: Stacked
    site: Span

    @property
    def items(self) -> tuple[Array, ...]:
        """The lists, as the parts that loops and arms hand on."""
        return self.values, *self.marks


@node
class Series:
    """What a loop goes over: `length` items, of which `item` makes the one at a place.

    An item is made in its trip, so it sees what the trips before have written. `cells`
    are lists that may not grow meanwhile: the length is that before the loop. What is
    `steady` may not change either, nor may whole arrays: an item may be made of what
    they held before the loop.
    """

    length: Number
    item: Callable[[Number], Value]
    cells: tuple[Cell, ...] = ()
    steady: tuple[Cell | Draft, ...] = ()


@node
class Range:
    """`range(start, stop, step)`."""

    start: Number
    stop: Number
    step: Number


@node
class FileModule:
    """A module of the project that is read from its file."""

    module: Module


@node
class Stream:
    """A comprehension of which it is not known how many items it has.

    `over` is what its first clause runs over, `frame` the function around. One that
    `is_nested` stands for pairs that loops inside one another give.
    """

    made: Gather
    over: Value
    frame: Frame
    is_nested: bool = False


@node
class Once:
    """What gives its items to the first who reads them: `zip(x, y)`, a generator.

    `read` makes a sequence of them, and `held` is what they are made of. `loops` were
    running where it was made.
    """

    said: str
    held: tuple[Value, ...]
    read: Callable[[], Value]
    loops: int


@dataclass(frozen=True, slots=True)
class Dotted:
    """A module or something in it, by its qualified name: "math", "math.sin"."""

    name: str


def is_int(value: Value) -> bool:
    """Whether a value is a whole number."""
    return isinstance(value, Draft | Literal) and value.type == INT


def is_whole(value: Value | Promise | None) -> TypeGuard[Draft]:
    """Whether a value is a whole array by now."""
    return isinstance(value, Draft) and bool(value.type.shape)


@dataclass(frozen=True, slots=True)
class FileFunction:
    """A function at the top of a module, compiled when it is first called."""

    name: str
    module: Module


@node
class External:
    """A function of the file that is not looked into; `closure` is its signature."""

    closure: Closure
    function: Function


@node
class Closure:
    """A function of the file, a nested one or a lambda; its defaults are evaluated."""

    code: Code
    around: Frame | None
    defaults: dict[str, Value]


@node
class Partial:
    """A function some of whose arguments are given: `functools.partial`."""

    function: Value
    positional: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]


@node
class Maybe:
    """The `value` where it is `given`, else None."""

    given: Number
    value: Value


@node
class Chosen:
    """The function `one` where the test holds, else the `other`."""

    test: Number
    one: Value
    other: Value


class Special(Enum):
    """Values with nothing inside."""

    NONE = "None"
    REFUSED = "refused"  # what is wrong with it has been said
    UNUSED = "unused"  # nobody looks at it: any value will do
    UNSET = "unset"  # a field that has not been assigned, or not surely
    DOTS = "..."  # in an index


Structured = Group | Object | Dict
"""What is known part by part."""

GROUPS = (Group, Object)
"""What does not change and has parts; a change of a dict makes another one."""

STRUCTURED = (*GROUPS, Dict)

CARRIED = (*GROUPS, Rows, Lists, Stack)
"""What loops and arms hand on part by part."""

Kind = Container | Class | Row | Listed | Stacked | tuple[Key, ...]
"""What something structured is, without its parts: keys if it is a dict."""


def kind_of(value: Structured | Rows | Lists | Stack) -> Kind:
    """What it is apart from its items; `regroup` makes it again."""
    match value:
        case Group(container=container, of=of):
            return of or container
        case Object(of=of):
            return of
        case Dict(keys=keys):
            return keys
        case Rows(layout=layout) | Lists(layout=layout) | Stack(layout=layout):
            return layout


def regroup(kind: Kind, items: tuple[Value, ...], site: Span | None = None) -> Value:
    """Something of a kind with other items."""
    if isinstance(kind, Container):
        return Group(kind, items, site)
    if isinstance(kind, tuple):
        return Dict(kind, items)
    if isinstance(kind, Row):
        lists = tuple(item for item in items if isinstance(item, Array | Rows | Lists))
        assert site is not None
        return Rows(lists, kind, site) if len(lists) == len(items) else Special.REFUSED
    if isinstance(kind, Listed):
        values, *marks = items
        starts, sizes = (m if isinstance(m, Array) else None for m in marks)
        assert site is not None
        if not isinstance(values, Array | Rows | Lists) or not starts or not sizes:
            return Special.REFUSED
        return Lists(values, starts, sizes, kind, site)
    if isinstance(kind, Stacked):
        assert site is not None
        own = tuple(item for item in items if isinstance(item, Array))
        return (
            Stack(own[0], own[1:], kind, site)
            if len(own) == len(items)
            else Special.REFUSED
        )
    if kind.style is Style.TUPLE:
        return Group(Container.TUPLE, items, site, kind)
    return Object(kind, items)


def parts_of(kind: Kind, count: int) -> Sequence[str]:
    """What to call the items of something by: fields, or places from 1."""
    if isinstance(kind, Class):
        return kind.names
    return [str(k) for k in range(1, count + 1)]


Value = (
    Draft
    | Literal
    | Group
    | Object
    | Unread
    | Class
    | Array
    | Rows
    | Lists
    | Stack
    | Deque
    | Dict
    | Slice
    | Series
    | Super
    | Method
    | Range
    | Stream
    | Once
    | Dotted
    | FileFunction
    | FileModule
    | External
    | Closure
    | Partial
    | Chosen
    | Maybe
    | Special
)
