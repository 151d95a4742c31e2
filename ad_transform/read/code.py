"""The compact form of a function: postfix code for a stack.

A function is compiled once, when all its names are resolved and unsupported constructs
are refused, and run as often as it is called. Every instruction tells what it takes
from the stack and what it leaves there.

The file is long because it is one flat list: a body holds instructions of every kind.
Their meaning is in the table of `instructions`.
"""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import Container, Maker, Passing, node
from ad_transform.read.values.classes import Class
from ad_transform.read.values.values import Value


@node
class Push:
    """-> value"""

    value: Value


@node
class Load:
    """-> the value of a name of this function, or of the function `up` levels out"""

    name: str
    up: int
    span: Span


@node
class Operate:
    """arguments -> op(arguments); all of these may be `written` numbers, `24 * 60`"""

    op: Elemental
    arity: int
    span: Span
    written: bool = False


@node
class Change:
    """left, right -> left op right, the new value of the array called `name`"""

    op: Elemental
    name: str
    span: Span


@node
class ChangeItem:
    """group, index, left, right -> group, index, left op right, for `group[index]`"""

    op: Elemental
    span: Span


@node
class Compare:
    """left, right -> left < right < ...: later links run only if needed"""

    op: Elemental
    links: tuple[tuple[Elemental, Body], ...]
    span: Span


@node
class Lazy:
    """test -> test and body; with `conjunction` false, test or body

    With `tests` the result is a truth value, whatever the operands are.
    """

    conjunction: bool
    body: Body
    span: Span
    tests: bool


@node
class Call:
    """callee, arguments -> result; an argument is "" (plain), "*", "**" or a keyword"""

    arguments: tuple[str, ...]
    span: Span


@node
class Pack:
    """items -> tuple or list; `starred` tells which items are spread"""

    container: Container
    starred: tuple[bool, ...]
    span: Span


@node
class MakeDict:
    """keys and values in turn, `count` of each -> dict"""

    count: int
    span: Span


@node
class MakeText:
    """values -> the text that shows them; for its parts see Assert"""

    message: tuple[str | None, ...]
    formats: tuple[str, ...]
    span: Span


@node
class Item:
    """group, index -> group[index]"""

    span: Span


@node
class MakeSlice:
    """start, stop, step -> the index `start:stop:step`"""


@node
class Fetch:
    """group, index -> group, index, group[index]"""

    span: Span


@node
class Store:
    """group, index, value -> nothing; `group[index] = value`"""

    span: Span
    notes: tuple[str, ...] = ()


@node
class FetchField:
    """object -> object, object.name"""

    name: str
    span: Span


@node
class ChangeField:
    """object, left, right -> object, left op right, for `object.name`"""

    op: Elemental
    name: str
    span: Span


@node
class StoreField:
    """object, value -> nothing; `object.name = value`"""

    name: str
    span: Span
    notes: tuple[str, ...] = ()


@node
class Contains:
    """value, group -> value in group; with `negated`, value not in group"""

    negated: bool
    span: Span


@node
class Choose:
    """test -> the value of the body that the test selects"""

    then: Body
    orelse: Body
    span: Span


@node
class Attribute:
    """module -> module.name"""

    name: str
    span: Span


DELETE = "__delitem__"
"""The method that `del x[k]` calls."""


@node
class Define:
    """defaults -> the function `code` in the present frame"""

    code: Code
    defaults: tuple[str, ...]


@node
class MakeCells:
    """-> an object of the class, with the names that functions inside bind as fields"""

    of: Class


@node
class Keep:
    """value -> value, which a walrus also binds to a name"""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Target:
    """The target of an assignment: a name, or a nest of targets with at most one star.

    For `a[i] = ...` the `place` leaves a and i on the stack; for `a.x = ...` it leaves
    a, and the `field` is "x". `times` is the number of bindings of the name in the
    function: a constant takes a name that is bound once.
    """

    span: Span
    name: str = ""
    items: tuple[Target, ...] = ()
    star: int = -1
    place: Body = ()
    times: int = 1
    field: str = ""


@node
class Bind:
    """value -> nothing; binds every target from left to right"""

    targets: tuple[Target, ...]
    notes: tuple[str, ...] = ()


@node
class Exchange:
    """nothing -> nothing; two rows of a list of lists change places

    Each of the `places` leaves a list and an index on the stack; `otherwise` is the
    plain statement, for values that are no such rows.
    """

    places: tuple[Body, ...]
    otherwise: Body
    span: Span
    notes: tuple[str, ...] = ()


@node
class Hold:
    """value -> nothing; binds a name that no source can bind"""

    name: str


@node
class Forget:
    """nothing -> nothing; unbinds the name"""

    name: str


@node
class Fits:
    """value -> whether it is a tuple or list of `count` items, or more if `is_open`"""

    count: int
    is_open: bool
    span: Span


@node
class Drop:
    """value -> nothing"""


@node
class Assert:
    """test -> nothing; `code` leaves the values of the message

    A message is a sequence of texts, with None in place of each value; `formats` are
    those of the values.
    """

    code: Body
    message: tuple[str | None, ...]
    formats: tuple[str, ...]
    span: Span
    notes: tuple[str, ...]


@node
class Print:
    """-> nothing; `code` leaves the values of the message, for a kept print

    `words` are the other arguments by name, `faults` the diagnostics of a print that is
    kept.
    """

    code: Body
    message: tuple[str | None, ...]
    formats: tuple[str, ...]
    words: tuple[tuple[str, str | bool], ...]
    faults: tuple[Diagnostic, ...]
    span: Span
    notes: tuple[str, ...]


@node
class Leave:
    """value -> the result of the function; nothing runs after it"""

    span: Span
    notes: tuple[str, ...] = ()


@node
class Give:
    """value -> nothing; an item of a generator, for a trip of the loop over it"""

    span: Span


@node
class Collect:
    """value -> nothing; an item of a generator, given to `take`"""

    take: Callable[[Value], None]


@node
class Fail:
    """-> nothing; `code` leaves the values of the message; nothing runs after it"""

    error: str | Maker
    code: Body
    message: tuple[str | None, ...]
    formats: tuple[str, ...]
    span: Span
    notes: tuple[str, ...]


@node
class FailAgain:
    """-> nothing; `raise` alone in a handler: what it has caught is raised"""

    span: Span
    notes: tuple[str, ...]


@node
class Fork:
    """test -> nothing; runs one of two bodies, which bind names and may leave.

    `exits` tells that some way may leave; `falls` is the number of ways that then go on
    behind.
    """

    then: Body
    orelse: Body
    span: Span
    notes: tuple[str, ...] = ()
    falls: int = 1
    exits: bool = False


@node
class Caught:
    """A handler: the exceptions that it catches, and its body."""

    errors: tuple[str | Maker, ...]
    body: Body


ITEMS = "<protected items>"
"""The name of the items of a loop in a `try`, which are made in front of the loop."""


@node
class Attempt:
    """nothing -> nothing; `try`: its statements are the `parts`, `orelse` is its `else`

    `exits` and `falls` mean the same as in a fork.
    """

    parts: tuple[Body, ...]
    handlers: tuple[Caught, ...]
    orelse: Body
    span: Span
    falls: int = 1
    exits: bool = False


@node
class Closing:
    """nothing -> nothing; the code behind it has a `finally` on all its ways out"""

    span: Span


@node
class Skip:
    """nothing -> nothing; `break`, or without `breaks` `continue`"""

    breaks: bool
    span: Span


@node
class Solving:
    """The mark of a function that solves an equation: the name and the code of the
    residual.
    """

    name: str
    residual: Body
    span: Span


@node
class Each:
    """sequence -> nothing; `for target in sequence`

    `binds` are the names that it may bind, each once; `exits` tells that the loop may
    end early, `returns` that the function may.
    """

    target: Target
    body: Body
    orelse: Body
    span: Span
    binds: tuple[str, ...]
    exits: bool
    returns: bool
    snapshots: int = 0  # most states that it may hold, 0 for all
    solving: Solving | None = None
    notes: tuple[str, ...] = ()
    head: str = ""  # its text in the source, empty for other loops than statements


@node
class Repeat:
    """nothing -> nothing; `while test`"""

    test: Body
    body: Body
    orelse: Body
    span: Span
    binds: tuple[str, ...]
    returns: bool
    snapshots: int = 0
    solving: Solving | None = None
    notes: tuple[str, ...] = ()
    head: str = ""  # its text in the source, empty for other loops than statements


@node
class Clause:
    """`for target in over if test`; the first clause's `over` runs outside."""

    target: Target
    over: Body
    tests: tuple[Body, ...]


@node
class Gather:
    """sequence of the first clause -> the items of a comprehension

    With `lazy`, for a generator, the items are made one by one at their reads.
    """

    clauses: tuple[Clause, ...]
    element: Body
    span: Span
    lazy: bool = False


@node
class IsNone:
    """value -> value is None; with `negated`, value is not None"""

    negated: bool
    span: Span


@node
class Same:
    """left, right -> left is right; with `negated`, left is not right"""

    negated: bool
    span: Span


@node
class IsBool:
    """value -> value is True; with `wanted` false, value is False"""

    wanted: bool
    span: Span


@node
class Still:
    """value -> value, with no derivative through it"""

    span: Span


@node
class Haze:
    """A refused statement: from here on any name may be bound"""


Instruction = (
    Push
    | Load
    | Operate
    | Change
    | ChangeItem
    | Compare
    | Lazy
    | Call
    | Pack
    | MakeDict
    | MakeText
    | Item
    | MakeSlice
    | Fetch
    | Store
    | FetchField
    | ChangeField
    | StoreField
    | Contains
    | Choose
    | Attribute
    | Define
    | MakeCells
    | Keep
    | Bind
    | Exchange
    | Hold
    | Forget
    | Fits
    | Drop
    | Assert
    | Print
    | Leave
    | Give
    | Collect
    | Fail
    | FailAgain
    | Fork
    | Attempt
    | Closing
    | Skip
    | Each
    | Repeat
    | Gather
    | IsNone
    | Same
    | IsBool
    | Still
    | Haze
)
Body = tuple[Instruction, ...]


@node
class Formal:
    """A parameter for calls; with a `star`, "*" or "**", it takes the rest. A default
    may change in calls if it `changes`; in a `memo` the function keeps its results.
    """

    name: str
    passing: Passing
    span: Span
    star: str = ""
    changes: bool = False
    memo: bool = False


@node
class Code:
    """A compiled function; messages call it `name`."""

    name: str
    formals: tuple[Formal, ...]
    body: Body
    span: Span
    solving: Solving | None = None
    passive: bool = False  # no derivative goes through it
    gives: bool = False  # it is a generator
    owner: Class | None = None  # of a method
