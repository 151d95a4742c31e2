"""The nodes: structured single assignment with closed blocks.

Every `Var` is bound once within its block, by a parameter or by one statement. A block
sees only its own parameters and what its own statements bind (`verify` enforces it).
This form is closed under forward and reverse differentiation without a tape.

Values stand in `ir.values`, statements in `ir.statements` and `ir.looping`, whole
functions here; all of them are imported from here.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from ad_transform.dataclass import dataclass
from ad_transform.ir.looping import Scan, Snapshots, While
from ad_transform.ir.operators import OPERATORS
from ad_transform.ir.rebuildable import Rebuildable
from ad_transform.ir.statements import (
    FIRST,
    Apply,
    Block,
    Branch,
    Call,
    Check,
    Derivative,
    Open,
    Print,
    Record,
    Solve,
    Statement,
    calls_inside,
    checks,
    checks_inside,
    found_inside,
    has_checks,
    is_check,
    is_whole,
    prints,
    sought,
    walk,
)
from ad_transform.ir.values import (
    Back,
    Behind,
    First,
    Head,
    InArm,
    Literal,
    Maker,
    Operand,
    Origin,
    Substitution,
    Var,
    hint_of,
    node,
)

__all__ = [
    "FIRST",
    "LEAF",
    "NOTHING",
    "OPERATORS",
    "Apply",
    "Back",
    "Behind",
    "Block",
    "Branch",
    "Bundle",
    "Call",
    "Check",
    "Container",
    "Derivative",
    "First",
    "Function",
    "Head",
    "InArm",
    "Literal",
    "Maker",
    "Nest",
    "Open",
    "Operand",
    "Origin",
    "Outside",
    "Parameter",
    "Passing",
    "Print",
    "Rebuildable",
    "Record",
    "Scan",
    "Snapshots",
    "Solve",
    "Statement",
    "Substitution",
    "Var",
    "While",
    "calls_inside",
    "checks",
    "checks_inside",
    "found_inside",
    "group",
    "has_checks",
    "has_operators",
    "hint_of",
    "is_check",
    "is_whole",
    "node",
    "one_or_tuple",
    "prints",
    "sought",
    "walk",
]


class Container(Enum):
    """The Python container of a group of values."""

    TUPLE = "tuple"
    LIST = "list"
    ARRAY = "array"  # numpy.ndarray of float64; nested ARRAY groups are its rows
    OBJECT = "object"  # its items are attributes
    DICT = "dict"  # its items have keys
    PART = "part"  # an array among the parts of a vector
    OPTIONAL = "optional"  # whether an array is None, and the array
    NOTHING = "nothing"  # None, for a part without a derivative


@dataclass(frozen=True, slots=True)
class Nest:
    """The shape of a result or parameter: a leaf (`container is None`) or a group.

    The items of an object and of a dict have `names`: attributes, keys as Python writes
    them. Objects that are results have a `maker`. A leaf with a name is the text of a
    member of an Enum that is given. The text form leaves both out.
    """

    container: Container | None = None
    items: tuple[Nest, ...] = ()
    names: tuple[str, ...] = ()
    maker: Maker | None = None

    @property
    def is_leaf(self) -> bool:
        return self.container is None

    @property
    def is_packed(self) -> bool:
        """Whether it is a vector with arrays among its parts."""
        return any(item.container is Container.PART for item in self.items)

    @property
    def is_optional(self) -> bool:
        """Whether it is an array that may be None: a truth value and the array."""
        return self.container is Container.OPTIONAL

    def leaves(self) -> int:
        """The number of scalar values held."""
        return 1 if self.is_leaf else sum(item.leaves() for item in self.items)


LEAF = Nest()
NOTHING = Nest(Container.NOTHING)


def group(items: tuple[Nest, ...], container: Container = Container.TUPLE) -> Nest:
    """A nest of `items`, a tuple unless said otherwise."""
    return Nest(container, items)


def one_or_tuple(count: int) -> Nest:
    """The nest of so many values: one as it is, others in a tuple."""
    return LEAF if count == 1 else group((LEAF,) * count)


class Passing(Enum):
    """The ways to pass an argument; MODULE is a constant that the module holds."""

    POSITIONAL_ONLY = "/"
    ANY = ""
    KEYWORD_ONLY = "*"
    MODULE = "module"


OPTIONAL = "optional."


@node
class Parameter:
    """A parameter: its name, the values it carries, and its default as text.

    `vars` has as many values as `nest` has leaves; `annotation` is one of float, int,
    bool, str or empty, behind OPTIONAL where None may be given. A seed that mirrors a
    tuple result has a tuple nest.

    One that is passed as MODULE is no parameter in the text. It is a constant of the
    module whose number is known only once it is imported: `name` is how it is read
    ("K", "T[0]"), `default` a number near it as text, for reports. A default that is an
    object names classes, its `makers`.
    """

    name: str
    vars: tuple[Var, ...]
    nest: Nest = LEAF
    default: str | None = None
    passing: Passing = Passing.ANY
    annotation: str = ""
    makers: tuple[Maker, ...] = ()


@node
class Outside:
    """The origin of a function that is not looked into, and its derivatives.

    `name` is its name in the file at `path`, seen from the folder of the source, which
    stands in `packages`, the outermost first; `called` is its name in the output.
    `ways` are the functions of the bundle that give derivatives of it, by "jac", "jvp",
    "vjp"; `wanted` says for messages how these would have to be defined.
    """

    name: str
    called: str
    path: str
    packages: tuple[str, ...] = ()
    ways: tuple[tuple[str, str], ...] = ()
    wanted: tuple[str, ...] = ()


@node
class Function:
    """A whole function. `block.params` are the parameters' values in order.

    `nest` gives the shape of `block.results`, flattened depth first. The first `primal`
    results are sacred (law 3): the operations that compute them stay, operand order
    included. `notes` are the comments at its `return`. One that comes from `outside`
    has no body: nobody knows the makers of its results.
    """

    name: str
    parameters: tuple[Parameter, ...]
    block: Block
    nest: Nest
    primal: int = 0
    notes: tuple[str, ...] = ()
    outside: Outside | None = None

    @property
    def body(self) -> tuple[Statement, ...]:
        return self.block.body

    @property
    def nested(self) -> tuple[Statement, ...]:
        """The statements that hold blocks, inner ones too; straight code has none."""
        return self.block.nested

    @property
    def results(self) -> tuple[Operand, ...]:
        return self.block.results


@node
class Bundle:
    """Functions that belong together: `main`, and before it those that it calls.

    `before` are helpers, each behind the ones that it calls itself, or parts of one job
    such as a setup.
    """

    main: Function
    before: tuple[Function, ...] = ()

    @property
    def functions(self) -> tuple[Function, ...]:
        """All of them in the order of the text."""
        return (*self.before, self.main)


def has_operators(functions: Iterable[Function]) -> bool:
    """Whether a derivative operator stands in one of the functions."""
    return any(Derivative in function.block.all_kinds for function in functions)
