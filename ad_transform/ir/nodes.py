"""The nodes: structured single assignment with closed blocks.

Every `Var` is bound once within its block, by a parameter or by one statement. A block
sees only its own parameters and what its own statements bind (`verify` enforces it).
This form is closed under forward and reverse differentiation without a tape.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias, TypeVar, dataclass_transform

from ad_transform.diagnostics import Span
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.types import BOOL, FLOAT, INT, STR, Type

if TYPE_CHECKING:
    from ad_transform.ir.formulas import Product

T = TypeVar("T")


@dataclass_transform(eq_default=False, frozen_default=True)
def node(cls: type[T]) -> type[T]:
    """A frozen dataclass with slots, compared by identity.

    Type checkers hold it to be frozen; guarding it at run time as well would take four
    times as long to make one, and a program has many.
    """
    return dataclass(slots=True, eq=False)(cls)


class Behind(str):
    """A comment that stands behind its statement; any other stands above it."""

    __slots__ = ()


@node
class Var:
    """A value. Compared by identity; `hint` is the name it would like in the output.

    `named` says that the user (not a pass) gave it the name; `notes` are the comments
    that stand above the statement that binds it or, last, behind it, without `#`.
    """

    type: Type
    hint: str = ""
    span: Span | None = None
    named: bool = False
    notes: tuple[str, ...] = ()


class Origin(Enum):
    """Where a constant got its name from."""

    NUMBER = "number"  # no name: print the value
    LOCAL = "local"  # `A1 = 175.0` inside the function
    MODULE = "module"  # a module constant, its definition copied as text
    LIBRARY = "library"  # `math.pi`: name is "math.pi"
    FORMULA = "formula"  # made of named constants: name is "2.0 * R"


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A typed constant, perhaps with a name. 1, 1.0, True, 0.0 and -0.0 all differ.

    Two literals are equal when type and value are; the name does not count, nor do the
    comments at its definition, `notes`. A constant that folding has made of named ones
    has the `formula` by which it is made. `whole` is said of a float whose name is that
    of a whole number.
    """

    value: float | int | bool | str
    name: str = ""
    origin: Origin = Origin.NUMBER
    notes: tuple[str, ...] = ()
    formula: Product | None = None
    whole: bool = False

    @property
    def type(self) -> Type:
        return _LITERAL_TYPES[type(self.value)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Literal):
            return False
        a, b = self.value, other.value
        if type(a) is not type(b):
            return False
        if a == b:
            return a != 0 or repr(a) == repr(b)  # 0.0 is not -0.0
        return a != a and b != b  # NaN is NaN

    def __hash__(self) -> int:
        return hash(self.value) if self.value == self.value else 0


_LITERAL_TYPES = {float: FLOAT, int: INT, bool: BOOL, str: STR}

Operand: TypeAlias = Var | Literal


@node
class Block:
    """A closed piece of program: parameters, statements, results."""

    params: tuple[Var, ...]
    body: tuple[Statement, ...]
    results: tuple[Operand, ...]


@node
class Apply:
    """`out = op(*args)`."""

    out: Var
    op: Elemental
    args: tuple[Operand, ...]

    @property
    def outs(self) -> tuple[Var, ...]:
        return (self.out,)

    @property
    def inputs(self) -> tuple[Operand, ...]:
        return self.args

    @property
    def blocks(self) -> tuple[Block, ...]:
        return ()


@node
class Branch:
    """`outs = (then if test else orelse)(*args)`; only the taken block runs."""

    outs: tuple[Var, ...]
    test: Operand
    args: tuple[Operand, ...]
    then: Block
    orelse: Block

    @property
    def inputs(self) -> tuple[Operand, ...]:
        return (self.test, *self.args)

    @property
    def blocks(self) -> tuple[Block, ...]:
        return (self.then, self.orelse)


@node
class Scan:
    """A counted loop: `for i in range(start, stop, step)` with carries.

    The body takes (i, *carries, *reads, *entries) and returns (*carries, *records).
    `outs` are the final carries, then for every record its stack, one entry a trip
    (type with the symbolic dim `trips` in front). `entries` are such stacks, of which
    the body sees the entry of its trip. `backwards` runs the trips in reverse order.
    """

    outs: tuple[Var, ...]
    start: Operand
    stop: Operand
    step: Operand
    carries: tuple[Operand, ...]
    reads: tuple[Operand, ...]
    entries: tuple[Operand, ...]
    body: Block
    backwards: bool = False

    @property
    def inputs(self) -> tuple[Operand, ...]:
        bounds = (self.start, self.stop, self.step)
        return (*bounds, *self.carries, *self.reads, *self.entries)

    @property
    def blocks(self) -> tuple[Block, ...]:
        return (self.body,)


@node
class While:
    """`while test(*carries, *reads): carries = body(*carries, *reads)`.

    `outs` are the final carries and, last, the number of trips (int).
    """

    outs: tuple[Var, ...]
    carries: tuple[Operand, ...]
    reads: tuple[Operand, ...]
    test: Block
    body: Block

    @property
    def inputs(self) -> tuple[Operand, ...]:
        return (*self.carries, *self.reads)

    @property
    def blocks(self) -> tuple[Block, ...]:
        return (self.test, self.body)


@node
class Check:
    """`assert test, message`; the message is a sequence of texts and values.

    `formats` say how each value is shown: "", "!r", ":.3f", "!s:>8"; none is all plain.
    """

    test: Operand
    message: tuple[str | Operand, ...] = ()
    formats: tuple[str, ...] = ()
    span: Span | None = None
    notes: tuple[str, ...] = ()

    @property
    def outs(self) -> tuple[Var, ...]:
        return ()

    @property
    def inputs(self) -> tuple[Operand, ...]:
        values = tuple(m for m in self.message if not isinstance(m, str))
        return (self.test, *values)

    def over(self, env: Mapping[Operand, Operand]) -> Check:
        """The same check on the values that `env` gives for its own."""
        message = (m if isinstance(m, str) else env.get(m, m) for m in self.message)
        test = env.get(self.test, self.test)
        return Check(test, tuple(message), self.formats, self.span, self.notes)

    @property
    def blocks(self) -> tuple[Block, ...]:
        return ()


Statement: TypeAlias = Apply | Branch | Scan | While | Check


# --- functions ---------------------------------------------------------------------


class Container(Enum):
    """How a group of values is held together in Python."""

    TUPLE = "tuple"
    LIST = "list"
    ARRAY = "array"  # numpy.ndarray of float64; nested ARRAY groups are its rows


@dataclass(frozen=True, slots=True)
class Nest:
    """The shape of a result or parameter: a leaf (`container is None`) or a group."""

    container: Container | None = None
    items: tuple[Nest, ...] = ()

    @property
    def is_leaf(self) -> bool:
        return self.container is None

    def leaves(self) -> int:
        """The number of scalar values held."""
        return 1 if self.is_leaf else sum(item.leaves() for item in self.items)


LEAF = Nest()


def group(items: tuple[Nest, ...], container: Container = Container.TUPLE) -> Nest:
    """A nest of `items`, a tuple unless said otherwise."""
    return Nest(container, items)


class Passing(Enum):
    """How an argument may be passed; MODULE is a constant that the module holds."""

    POSITIONAL_ONLY = "/"
    ANY = ""
    KEYWORD_ONLY = "*"
    MODULE = "module"


@node
class Parameter:
    """A parameter: its name, the values it carries, and its default as text.

    `vars` has as many values as `nest` has leaves; `annotation` is one of float, int,
    bool, str or empty. A seed that mirrors a tuple result has a tuple nest.

    Passed as MODULE, it is no parameter in the text but a constant of the module whose
    number nobody knows before it is imported: `name` is how it is read ("K", "T[0]"),
    `default` is a number near it as text, for reports.
    """

    name: str
    vars: tuple[Var, ...]
    nest: Nest = LEAF
    default: str | None = None
    passing: Passing = Passing.ANY
    annotation: str = ""


@node
class Function:
    """A whole function. `block.params` are the parameters' values in order.

    `nest` gives the shape of `block.results`, flattened depth first. The first
    `primal` results are sacred (law 3): what computes them keeps its operations and
    their operand order. `notes` are the comments at its `return`.
    """

    name: str
    parameters: tuple[Parameter, ...]
    block: Block
    nest: Nest
    primal: int = 0
    notes: tuple[str, ...] = ()

    @property
    def body(self) -> tuple[Statement, ...]:
        return self.block.body

    @property
    def results(self) -> tuple[Operand, ...]:
        return self.block.results


def walk(body: tuple[Statement, ...]) -> Iterator[Statement]:
    """All statements, those of inner blocks behind the statement that holds them."""
    stack = [iter(body)]
    while stack:
        for statement in stack[-1]:
            yield statement
            if statement.blocks:
                stack.extend(iter(b.body) for b in reversed(statement.blocks))
                break
        else:
            stack.pop()
