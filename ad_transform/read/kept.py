"""Functions that stay functions: flattened once, and called.

A call of one is a statement over numbers. Each function is flattened for the shape of
what it is given: numbers and tuples of them are parameters, functions, texts and None
are part of the shape. What it takes from outside (constants of unknown number) it gets
as more parameters. A function that calls itself is taken to return what it turns out
to return.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import (
    LEAF,
    Block,
    Bundle,
    Call,
    Function,
    Literal,
    Parameter,
    Solve,
    group,
    walk,
)
from ad_transform.ir.types import BOOL, FLOAT, INT, STR, Type
from ad_transform.read.code import Body, Code, Each, Fork, Leave, Pack, Repeat
from ad_transform.read.copies import with_copies
from ad_transform.read.drafts import DraftCall, free, raises
from ad_transform.read.finish import Finisher, shared_names
from ad_transform.read.values import (
    Closure,
    Dotted,
    Draft,
    FileModule,
    Group,
    Number,
    Special,
    Value,
)

if TYPE_CHECKING:
    from ad_transform.read.flatten import Flattener

Shape = Any
"""A type, a group of shapes, or what is no number."""


@dataclass(slots=True, eq=False)
class Helper:
    """A function that is kept: what it gives, and what it takes from outside.

    While it is made both are assumed, and `is_assumed` says that a call has used them.
    """

    name: str
    gives: Shape
    function: Function | None = None
    extra: tuple[Draft, ...] = ()
    raises: bool = False
    is_assumed: bool = False


OFTEN, LONG = 8, 400
"""Times that a function is written out, and operations that are written out more than
once, from which on it is kept.
"""


class Unfit(Exception):
    """A call that cannot be kept."""


@dataclass(slots=True)
class Tally:
    """How often a function was written out, and the operations of all times."""

    calls: int = 0
    operations: int = 0

    @property
    def saved(self) -> int:
        """Operations that are written out more than once."""
        return self.operations - self.operations // max(self.calls, 1)


class Keeper:
    """Keeps the functions of `chosen`, all that it can where that is None.

    `helpers` are those made so far; a shape that cannot be kept is None there.
    """

    def __init__(self, chosen: frozenset[Code] | None) -> None:
        self.chosen = chosen
        self.helpers: dict[Any, Helper | None] = {}
        self.endless: set[Code] = set()
        self.tallies: dict[Code, Tally] = {}

    def afresh(self, more: frozenset[Code]) -> Keeper:
        """A keeper of the same functions and more, none of them made yet."""
        return Keeper(None if self.chosen is None else self.chosen | more)

    def more(self) -> frozenset[Code]:
        """What is better kept as well, by what was written out: functions that call
        themselves, else the one that is most text.
        """
        tried = self.chosen or frozenset()
        if self.recursive():
            return self.recursive()
        often = {
            code: tally.saved
            for code, tally in self.tallies.items()
            if tally.calls >= OFTEN and tally.saved >= LONG and code not in tried
        }
        most = max(often, key=lambda code: often[code], default=None)
        return frozenset() if most is None else frozenset({most})

    def recursive(self) -> frozenset[Code]:
        """Functions that call themselves, if some of them are not kept yet."""
        more = self.endless - (self.chosen or frozenset())
        return frozenset(self.endless) if more else frozenset()

    def kept(
        self, flat: Flattener, closure: Closure, names: Mapping[str, Value], span: Span
    ) -> Value | None:
        """The result of a call that is kept; None where it is to be written out."""
        code = closure.code
        if not self.keeps(code) or not is_apart(closure):
            return None
        names = {f.name: names[f.name] for f in code.formals}  # whatever the call's
        try:
            shapes = tuple((n, _shape(flat, v)) for n, v in names.items())
            key = (code, shapes)
            if key not in self.helpers:
                self.helpers[key] = None
                self._make(flat, closure, names, key)
            helper = self.helpers[key]
        except Unfit:
            return None
        if helper is None:
            return None
        return _called(flat, helper, list(_numbers(names.values())), span)

    def begin(self) -> None:
        """Forget what was made and counted: a program is flattened once more."""
        self.helpers = {}
        self.tallies = {}
        self.endless = set()

    def keeps(self, code: Code) -> bool:
        """Whether a function is to be kept."""
        return self.chosen is None or code in self.chosen

    def functions(self) -> tuple[Function, ...]:
        """The functions that are kept, each once."""
        made = (helper for helper in self.helpers.values() if helper is not None)
        return tuple(h.function for h in made if h.function is not None)

    def _make(
        self, flat: Flattener, closure: Closure, names: Mapping[str, Value], key: Any
    ) -> None:
        given = list(_numbers(names.values()))
        leaf = FLOAT if any(n.type is FLOAT for n in given) or not given else INT
        wish = closure.code.name.strip("<>").lstrip("_")
        helper = Helper(flat.module.shared.private(f"_{wish}", key), leaf)
        self.helpers[key] = helper
        before = dict(self.helpers)
        for guess in _guesses(closure.code, leaf):
            helper.gives, helper.extra, helper.raises = guess, (), False
            for _ in range(_TRIES):
                assumed = helper.gives, helper.extra, helper.raises
                helper.is_assumed, self.helpers = False, dict(before)
                with flat.module.shared.apart() as report:
                    found = _flattened(flat, helper, closure, names)
                if found is None or report.has_error:
                    break
                helper.extra, helper.raises = found[1:]
                if assumed == found or not helper.is_assumed:
                    helper.gives = found[0]
                    flat.module.report.extend(report.sorted())
                    return
                helper.gives = _wider(assumed[0], found[0])
            helper.function = None
        self.helpers = {**before, key: None}


_TRIES = 3
"""Times that a function that calls itself is flattened until what it returns fits."""


def _guesses(code: Code, leaf: Type) -> Iterator[Shape]:
    """What a function may return: a number, or as many as stand behind a `return`."""
    yield leaf
    seen: set[int] = set()
    bodies: list[Body] = [code.body]
    while bodies:
        body = bodies.pop()
        for first, second in pairwise(body):
            if isinstance(first, Pack) and isinstance(second, Leave):
                width = len(first.starred)
                if width not in seen:
                    seen.add(width)
                    yield (first.container, *(leaf,) * width)
        for one in body:
            match one:
                case Fork(then=then, orelse=orelse):
                    bodies += (then, orelse)
                case Each(body=inner, orelse=orelse):
                    bodies += (inner, orelse)
                case Repeat(body=inner, orelse=orelse):
                    bodies += (inner, orelse)


def is_apart(closure: Closure) -> bool:
    """Whether a function takes nothing from a function around it."""
    return closure.around is None or not closure.around.names


def _called(flat: Flattener, helper: Helper, given: list[Number], span: Span) -> Value:
    outs: list[Draft] = []
    value = _made_of(helper.gives, outs, span)
    for k, out in enumerate(outs, 1):
        base = helper.name.lstrip("_")
        out.hint = base if len(outs) == 1 else f"{base}_{k}"
    statement = DraftCall(
        tuple(outs), helper.name, (*given, *helper.extra), helper.raises
    )
    helper.is_assumed = True
    flat.count += 1
    flat.add(statement)
    return value


def _flattened(
    flat: Flattener, helper: Helper, closure: Closure, names: Mapping[str, Value]
) -> tuple[Shape, tuple[Draft, ...], bool] | None:
    """Make the function of a helper: what it returns, what it takes from outside, and
    whether it checks something. None where it never returns, or returns no numbers.
    """
    params: list[Draft] = []
    own = {name: _parameter(name, value, params) for name, value in names.items()}
    inner = flat.apart()
    inner.inputs.update(params)
    result = inner.inlined(closure, own, closure.code.span)
    leaves: list[Number] = []
    try:
        gives = _returned(result, leaves)
    except Unfit:
        return None
    statements = [*inner.prelude, *inner.statements]
    if any(isinstance(s, DraftCall) and s.callee == helper.name for s in statements):
        return None
    known = set(params)
    outer = dict.fromkeys(d for d in free(statements, leaves) if d not in known)
    extra = tuple(outer)
    finisher = Finisher(shared_names(params, statements))
    taken: set[str] = set()
    parameters = tuple(
        Parameter(_unlike(draft.hint or "x", taken), (finisher.bind(draft),))
        for draft in (*params, *extra)
    )
    body = finisher.statements(statements)
    results = tuple(map(finisher.operand, leaves))
    values = tuple(v for p in parameters for v in p.vars)
    nest = LEAF if len(results) == 1 else group((LEAF,) * len(results))
    block, size = Block(values, body, results), len(results)
    made = Function(helper.name, parameters, block, nest, size, inner.parting)
    helper.function = with_copies(made)
    return gives, extra, raises(statements)


def _unlike(name: str, taken: set[str]) -> str:
    wish, k = name.replace(".", "_"), 1
    name = wish
    while name in taken:
        k += 1
        name = f"{wish}_{k}"
    taken.add(name)
    return name


# --- shapes -------------------------------------------------------------------------


def _shape(flat: Flattener, value: Value) -> Shape:
    """What a function is flattened for; raises Unfit for what cannot be passed."""
    value = flat.materialise(value)
    match value:
        case Literal(type=type_) if type_ in (STR, BOOL):
            return repr(value.value)
        case Draft(type=type_) | Literal(type=type_):
            if type_ not in (FLOAT, INT, BOOL):
                raise Unfit
            return type_
        case Group(container=container, items=items):
            return (container, *(_shape(flat, item) for item in items))
        case Closure() if is_apart(value) and not value.defaults:
            return value
        case FileModule() | Dotted() | Special.NONE:
            return value
    raise Unfit


def _numbers(values: Sequence[Value] | Any) -> Iterator[Number]:
    """The numbers in values that are passed, in order."""
    for value in values:
        if isinstance(value, Group):
            yield from _numbers(value.items)
        elif isinstance(value, Draft) or (
            isinstance(value, Literal) and value.type not in (STR, BOOL)
        ):
            yield value


def _parameter(name: str, value: Value, params: list[Draft]) -> Value:
    """A value as the function sees it, over parameters."""
    if isinstance(value, Group):
        items = (
            _parameter(f"{name}_{k}", item, params)
            for k, item in enumerate(value.items, 1)
        )
        return Group(value.container, tuple(items))
    for number in _numbers((value,)):
        params.append(Draft(number.type, None, name, 0))
        return params[-1]
    return value


def _returned(value: Value, leaves: list[Number]) -> Shape:
    if isinstance(value, Group):
        return (value.container, *(_returned(item, leaves) for item in value.items))
    if isinstance(value, Draft | Literal) and value.type in (FLOAT, INT, BOOL):
        leaves.append(value)
        return value.type
    raise Unfit


def _made_of(shape: Shape, outs: list[Draft], span: Span) -> Value:
    if isinstance(shape, tuple):
        container, *items = shape
        return Group(container, tuple(_made_of(item, outs, span) for item in items))
    outs.append(Draft(shape, span))
    return outs[-1]


def _wider(guess: Shape, found: Shape) -> Shape:
    """What both shapes are, floats where one of them has a float."""
    if isinstance(guess, Type) and isinstance(found, Type):
        return guess if guess == found else FLOAT
    both = isinstance(guess, tuple) and isinstance(found, tuple)
    if both and len(guess) == len(found):
        inner = zip(guess[1:], found[1:], strict=True)
        return (found[0], *(_wider(a, b) for a, b in inner))
    return found


def calls_in_equations(main: Function, functions: Sequence[Function]) -> bool:
    """Whether a function is called where an equation is solved: there none is kept."""
    return any(
        isinstance(inner, Call)
        for function in (main, *functions)
        for statement in walk(function.body)
        if isinstance(statement, Solve)
        for block in statement.blocks
        for inner in walk(block.body)
    )


def called_by(
    main: Function, functions: Sequence[Function], outside: Mapping[str, Function]
) -> Bundle:
    """A function with those that it calls, each behind the ones that it calls; of those
    that are not looked into the derivatives, too.
    """
    known = {function.name: function for function in functions} | {**outside}
    found: dict[str, None] = {}
    begun: set[str] = set()

    def follow(function: Function) -> None:
        named = [s.callee for s in walk(function.body) if isinstance(s, Call)]
        if function.outside is not None:
            named = [name for _, name in function.outside.ways]
        for name in named:
            if name not in begun:
                begun.add(name)
                follow(known[name])
                found[name] = None

    follow(main)
    return Bundle(main, tuple(known[name] for name in found))
