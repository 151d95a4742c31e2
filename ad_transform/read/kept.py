"""Functions that stay functions: flattened once, and called.

A call of one is a statement over numbers. Each function is flattened for the shape of
what it is given, see `passing`. What it takes from outside (constants of unknown
number) it gets as more parameters. A function that calls itself is taken to return what
it turns out to return.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.ir.nodes import LEAF, Block, Function, Parameter, group
from ad_transform.ir.threaded import threaded
from ad_transform.ir.types import FLOAT, INT, Type
from ad_transform.ir.unlike import claimed
from ad_transform.later import later
from ad_transform.read.callables import Chosen, Closure
from ad_transform.read.changing import Change, Unchangeable
from ad_transform.read.code import Code
from ad_transform.read.copies import with_copies
from ad_transform.read.drafts import DraftCall, free, prints, raises
from ad_transform.read.finish import Finisher, shared_names
from ad_transform.read.passing import (
    Shape,
    Unfit,
    as_arrays,
    hand_down,
    is_apart,
    numbers,
    own_dims,
    parameter,
    shapes_of,
    types,
)
from ad_transform.read.structured import Dict
from ad_transform.read.tallies import Tallies
from ad_transform.read.values import Draft, Number, Value

with later():
    from ad_transform.read import changing
    from ad_transform.read.catching import held_by_recursive, read_around
    from ad_transform.read.given_back import as_copies
    from ad_transform.read.guessing import guesses
    from ad_transform.read.returning import made_of, returned

if TYPE_CHECKING:
    from ad_transform.read.flatten import Flattener
    from ad_transform.read.report import Report
    from ad_transform.read.shared import Shared

_GIVEN_A_CHOICE = (
    "is given a function that a run chooses",
    "choose among the calls: `h(f, x) if flag else h(g, x)`",
)

_GROWS = (
    "gives itself lists or tuples that grow",
    "give it a list of the whole length, `[0.0] * n`, and a place in it",
)
_NO_MEMO = "leave a memo out, or write `@functools.cache` in its place"
_HAND_IN = f"hand an array in as an argument; {_NO_MEMO}"
_MANY = (
    "is given arrays of too many kinds",
    "give it arrays of one kind: copies of parts, `u[1:].copy()`, or arrays of numpy",
)


@dataclass(slots=True, eq=False)
class Helper:
    """A function that is kept: what it gives, and what it takes from outside.

    While it is made both are assumed, and `is_assumed` says that a call has used them.
    """

    name: str
    takes: tuple[Type, ...]
    gives: Shape
    function: Function | None = None
    extra: tuple[Draft, ...] = ()
    raises: bool = False
    is_assumed: bool = False
    changes: tuple[Change, ...] = ()


SHAPES, TRIES = 40, 200
"""Shapes of arguments for which one function may be in the making, and times that it
may be flattened for all of them.
"""


class Keeper:
    """Keeps the functions of `chosen`, all that it can where that is None.

    `helpers` are those made so far; a shape that cannot be kept is None there.
    """

    def __init__(
        self, chosen: frozenset[Code] | None, ends_early: bool = False
    ) -> None:
        self.chosen = chosen
        self.helpers: dict[Any, Helper | None] = {}
        self.endless: set[Code] = set()
        self.given_up: set[Code] = set()  # they call themselves for too many shapes
        self.tries: Counter[Code] = Counter()  # how often one has been flattened
        self.tallies = Tallies(ends_early)
        self.unkept: dict[Code, tuple[str, str]] = {}  # what they do, and ways out
        self.faults: dict[Code, Diagnostic] = {}
        self.named: dict[Any, Shared] = {}  # those that got a name here

    def afresh(self, more: frozenset[Code]) -> Keeper:
        """A keeper of the same functions and more, none of them made yet."""
        self.begin()
        chosen = None if self.chosen is None else self.chosen | more
        return Keeper(chosen, self.tallies.ends_early)

    def more(self) -> frozenset[Code]:
        """What is better kept as well, after what was written out: the functions that
        call themselves, else one that is much text.
        """
        kept = self.chosen or frozenset()
        return self.recursive() or self.tallies.better_kept(kept)

    def enter(self, code: Code, operations: int, is_outermost: bool) -> None:
        """Count a function that was written out; raises Enough, see `tallies`."""
        kept = self.chosen or frozenset()
        self.tallies.count(code, operations, is_outermost, kept)

    def recursive(self) -> frozenset[Code]:
        """Functions that call themselves, if some of them are not kept yet."""
        more = self.endless - (self.chosen or frozenset())
        return frozenset(self.endless) if more else frozenset()

    def kept(
        self, flat: Flattener, closure: Closure, names: Mapping[str, Value], span: Span
    ) -> Value | None:
        """The result of a call that is kept; None where it is to be written out."""
        code = closure.code
        if not self.keeps(code) or code in self.given_up:
            return None
        held = () if is_apart(closure) else held_by_recursive(closure)
        if held is None:
            name = read_around(closure)
            if name:
                why = f"reads {name!r} of the function around it"
                self.unkept[code] = why, _HAND_IN
            return None
        fields = flat.heap.fields  # the order of names is the call's
        names = {f.name: fields.deep(names[f.name], span) for f in code.formals}
        try:
            shapes = tuple(shapes_of(flat, names).items())
            key = (code, shapes, held)
            if key not in self.helpers:
                if self._is_endless(code):
                    self.given_up.add(code)
                    self.unkept[code] = _GROWS
                    return None
                self.helpers[key] = None
                self._make(flat, closure, names, key)
            helper = self.helpers[key]
        except Unfit:
            if any(isinstance(value, Chosen) for value in names.values()):
                self.unkept[code] = _GIVEN_A_CHOICE
            elif any(isinstance(value, Dict) for value in names.values()):
                self.unkept[code] = "is given a dict", _NO_MEMO
            return None
        if helper is None:
            return None
        given = [number for v in names.values() for number in numbers(flat, v, span)]
        return _called(flat, helper, given, tuple(names.values()), span)

    def begin(self) -> None:
        """Forget what was made and counted: a program is flattened once more."""
        for key, shared in self.named.items():
            shared.release(key)
        self.named = {}
        self.helpers = {}
        self.tallies.by_code.clear()
        self.endless = set()
        self.faults = {}
        self.given_up = set()
        self.tries = Counter()

    def keeps(self, code: Code) -> bool:
        """Whether a function is to be kept."""
        return self.chosen is None or code in self.chosen

    def functions(self) -> tuple[Function, ...]:
        """The functions that are kept, each once."""
        made = (helper for helper in self.helpers.values() if helper is not None)
        return tuple(h.function for h in made if h.function is not None)

    def _is_endless(self, code: Code) -> bool:
        """Whether a function calls itself for ever more shapes of arguments."""
        making = (
            helper is not None and helper.function is None
            for key, helper in self.helpers.items()
            if key[0] is code
        )
        return sum(making) >= SHAPES

    def _remember(self, code: Code, report: Report) -> None:
        """What is wrong with the arrays that a function changes, where it is tried."""
        found = (one for one in report.sorted() if one.code == "AD124")
        for fault in found:
            self.faults.setdefault(code, fault)

    def _is_tired(self, code: Code) -> bool:
        """Whether a function has been flattened too often already."""
        if code not in self.given_up:
            self.tries[code] += 1
            if self.tries[code] > TRIES:
                self.given_up.add(code)
                self.unkept[code] = _MANY
        return code in self.given_up

    def _make(
        self, flat: Flattener, closure: Closure, names: Mapping[str, Value], key: Any
    ) -> None:
        takes = tuple(type_ for _, shape in key[1] for type_ in types(shape))
        is_real = not takes or any(type_.is_real for type_ in takes)
        leaf = FLOAT if is_real else INT
        wish = closure.code.name.strip("<>").lstrip("_")
        shared = flat.module.shared
        # the same function of another flattening reads other values of those around
        alike = sum(one[:2] == key[:2] for one in self.helpers)
        named = (*key[:2], alike)
        if not shared.is_private(named):
            self.named[named] = shared
        helper = Helper(shared.private(f"_{wish}", named), takes, leaf)
        self.helpers[key] = helper
        before, is_own = dict(self.helpers), False
        for guess in guesses(closure.code, leaf, dict(key[1])):
            helper.gives, helper.extra, helper.raises = guess, (), False
            helper.changes = changing.in_shape(guess, [shape for _, shape in key[1]])
            for _ in range(_TRIES + len(takes)):
                if self._is_tired(closure.code):
                    break
                assumed = helper.gives, helper.extra, helper.raises, helper.changes
                helper.is_assumed, self.helpers = False, dict(before)
                with flat.module.shared.apart() as report:
                    found = _flattened(flat, helper, closure, dict(key[1]))
                is_own |= helper.is_assumed
                self._remember(closure.code, report)
                if found is None or report.has_error:
                    break
                helper.extra, helper.raises, helper.changes = found[1:]
                if assumed == found or not helper.is_assumed:
                    helper.gives = found[0]
                    flat.module.report.extend(report.sorted())
                    return
                helper.gives = _wider(assumed[0], found[0])
            helper.function = None
        self.helpers = {**before, key: None}
        if self.named.pop(named, None) is not None:
            shared.release(named)
        if is_own:
            as_arrays(flat, names.values())


_TRIES = 3
"""Times that a function that calls itself is flattened until what it returns fits; and
once more for each array that it may change.
"""


def _called(
    flat: Flattener,
    helper: Helper,
    given: list[Number],
    values: Sequence[Value],
    span: Span,
) -> Value:
    dims = own_dims(helper.takes, given)
    given_types = (*types(helper.gives), *(one.type for one in helper.changes))
    outs = tuple(Draft(type_.renamed(dims), span) for type_ in given_types)
    for k, out in enumerate(outs, 1):
        base = helper.name.lstrip("_")
        out.hint = base if len(outs) == 1 else f"{base}_{k}"
    statement = DraftCall(outs, helper.name, (*given, *helper.extra), helper.raises)
    helper.is_assumed = True
    flat.count += 1
    flat.add(statement)
    last = outs[len(outs) - len(helper.changes) :]
    ends = changing.give_back(flat, values, helper.changes, last, span)
    return made_of(flat, helper.gives, values, ends, iter(outs), span)


Flattened = tuple[Shape, tuple[Draft, ...], bool, tuple[Change, ...]]


def _flattened(
    flat: Flattener, helper: Helper, closure: Closure, shapes: Mapping[str, Shape]
) -> Flattened | None:
    """Make the function of a helper: what it returns, what it takes from outside,
    whether it checks something, and which arrays it changes. None where it never
    returns, or returns nothing.
    """
    params: list[Draft] = []
    inner = flat.apart()
    own = {n: parameter(inner, n, shape, params) for n, shape in shapes.items()}
    inner.inputs.update(params)
    hand_down(flat, inner, own)
    changing.lend(inner, closure, own)
    result = inner.inlined(closure, {**own}, closure.code.span)
    result = inner.heap.fields.deep(result, closure.code.span)
    leaves: list[Number] = []
    assert flat.keeper is not None
    try:
        changes = changing.changed(inner, own)
        gives = returned(inner, result, own, changes, leaves)
    except Unchangeable as fault:
        way_out = "let it only read the array, and return numbers or a new array"
        flat.keeper.unkept[closure.code] = f"changes {fault.name!r}", way_out
        return None
    except Unfit:
        return None
    if changes and not helper.is_assumed:
        return None  # written out, it changes them where they are
    leaves += changes.values()
    statements = [*inner.prelude, *inner.statements]
    if prints(statements):
        flat.keeper.unkept[closure.code] = "prints", "print where it is called"
        return None
    if any(isinstance(s, DraftCall) and s.callee == helper.name for s in statements):
        return None
    known = set(params)
    outer = dict.fromkeys(d for d in free(statements, leaves) if d not in known)
    extra = tuple(outer)
    finisher = Finisher(shared_names(params, statements))
    taken: set[str] = set()
    parameters = tuple(
        Parameter(claimed(_word(draft), taken), (finisher.bind(draft),))
        for draft in (*params, *extra)
    )
    body = finisher.statements(statements)
    results = tuple(map(finisher.operand, leaves))
    values = tuple(v for p in parameters for v in p.vars)
    nest = LEAF if len(results) == 1 else group((LEAF,) * len(results))
    block, size = Block(values, body, results), len(results)
    made = Function(helper.name, parameters, block, nest, size, inner.parting)
    lists = frozenset(v for v in values if v.type.dims)
    changed = {finisher.vars[start] for start in changing.starts(own, changes)}
    spared = as_copies(threaded(made), lists - changed)
    helper.function = with_copies(spared, lists)
    return gives, extra, raises(statements), tuple(changes)


def _word(draft: Draft) -> str:
    """What a parameter is called."""
    return (draft.hint or "x").replace(".", "_")


def _wider(guess: Shape, found: Shape) -> Shape:
    """What both shapes are, floats where one of them has a float."""
    if isinstance(guess, Type) and isinstance(found, Type):
        return guess if guess == found else FLOAT
    both = isinstance(guess, tuple) and isinstance(found, tuple)
    if both and len(guess) == len(found):
        inner = zip(guess[1:], found[1:], strict=True)
        return (found[0], *(_wider(a, b) for a, b in inner))
    return found
