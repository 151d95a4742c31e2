"""A whole function as text: signature, docstring, constants, statements, result."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ad_transform.emit.python.arrays import holds_whole
from ad_transform.emit.python.composer import PythonComposer
from ad_transform.emit.python.dicts.keyed import taken
from ad_transform.emit.python.exchanges import with_exchanges
from ad_transform.emit.python.expressions import literal_text
from ad_transform.emit.python.layout import INDENT, assignment
from ad_transform.emit.python.references import References, names_in
from ad_transform.emit.python.returns import (
    AS_IT_IS,
    Returner,
    Whole,
    fits,
    making_tuples,
    returned,
    surely_floats,
)
from ad_transform.emit.python.signature import (
    Reference,
    passed,
    signature,
)
from ad_transform.emit.python.sizes import unclipped
from ad_transform.emit.python.spread import spread
from ad_transform.emit.python.text import Writer, referred
from ad_transform.emit.python.unpacking import Unpacking
from ad_transform.emit.python.vectors import (
    Joining,
    has_parts,
    in_order,
    lengths_in,
    without_unused,
)
from ad_transform.emit.schedule.anchors import Parts
from ad_transform.emit.schedule.frame import Frame
from ad_transform.emit.schedule.function import Ready, ready, scheduled
from ad_transform.emit.schedule.lines import Line, bound_by, pieces
from ad_transform.emit.schedule.names import natural
from ad_transform.emit.schedule.pieces import Piece, made_in
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.emit.schedule.scope import Scope
from ad_transform.emit.schedule.ways_out import endings, returning
from ad_transform.emit.target import Printed
from ad_transform.emit.width import width
from ad_transform.ir.nodes import (
    Container,
    Function,
    Maker,
    Nest,
    Operand,
    Passing,
    Statement,
    Var,
    walk,
)
from ad_transform.ir.types import Kind
from ad_transform.later import later

with later():
    from ad_transform.emit.python.dicts.listed_keys import with_lists

_MOST = 1_000
"""Lines of the longest function that is laid out a second time to be shorter."""


def printed(
    function: Function,
    docstring: list[str],
    reserved: Iterable[str],
    limit: int,
    formulas: Mapping[str, str] | None = None,
    source: Parts | None = None,
) -> Printed:
    """A function in black-stable layout; linear in its size.

    `reserved` are the names of the generated module: its functions and constants.
    `formulas` are the constants that it makes of others, with their names. `source` has
    the owners of the source's parts (see `emit.schedule.owners`).
    """
    reserved = frozenset(reserved)
    attempt, body = _settled(function, reserved, limit, formulas, source)
    scope, references = attempt.scope, attempt.references
    texts = [p.default for p in passed(function) if p.default]
    defaults = [name for text in texts for name in names_in(text)]
    head = signature(function, references.reference, limit)
    lines = [*head, *docstring, *body]
    imports = {**references.imports, **_math(defaults)}
    return Printed(
        "\n".join(lines) + "\n",
        tuple(_read(sorted(imports.items()), "\n".join([*head, *body]))),
        tuple(
            dict.fromkeys(
                (
                    *scope.constants,
                    *_unknown(function, attempt.scheduled.uses),
                    *filter(reserved.__contains__, defaults),
                )
            )
        ),
        tuple(references.helpers),
    )


def _read(imports: Sequence[tuple[str, str]], code: str) -> Iterator[tuple[str, str]]:
    """The imports whose names stand in the code: a name may be referred to in time and
    not be needed.
    """
    for name, qualified in imports:
        if re.search(rf"\b{name}\b", code):
            yield name, qualified


def printed_constant(
    function: Function, reserved: frozenset[str], limit: int
) -> Printed:
    """A function that computes a constant of the source, without a docstring."""
    return printed(function, [], reserved, limit)


def together(printed: Sequence[Printed]) -> Printed:
    """Functions that belong together, in order, with the needs of all of them."""
    imports = sorted({pair: None for one in printed for pair in one.imports})
    constants = dict.fromkeys(name for one in printed for name in one.constants)
    helpers = dict.fromkeys(name for one in printed for name in one.helpers)
    text = "\n\n".join(one.text for one in printed if one.text)
    return Printed(text, tuple(imports), tuple(constants), tuple(helpers))


def _unknown(function: Function, uses: Mapping[Var, int]) -> list[str]:
    """The module constants of unknown number that the function reads."""
    held = [p for p in function.parameters if p.passing is Passing.MODULE]
    return [p.name.partition(".")[0] for p in held if uses[p.vars[0]]]


def computed(
    function: Function,
    reserved: Iterable[str],
    limit: int,
    formulas: Mapping[str, str] | None = None,
    source: Parts | None = None,
) -> list[tuple[Var, ...]]:
    """The values that each line of the body computes, nested ones included.

    The lines are the last ones of the text that `printed` makes; comments and the lines
    of a long statement have all its values.
    """
    reserved = frozenset(reserved)
    attempt, body = _settled(function, reserved, limit, formulas, source)
    return [attempt.values(place) for place in range(len(body))]


def _settled(
    function: Function,
    reserved: frozenset[str],
    limit: int,
    formulas: Mapping[str, str] | None,
    source: Parts | None,
) -> tuple[_Attempt, list[str]]:
    """The shortest of the attempts whose layout is certain, and its text.

    Where the first one splits statements for they are wide, or has doubts, one with the
    widths of its names follows, and one without indentation behind arms that return.
    Estimates that were wider ended none of the doubts that were left (none of 45, in
    495 functions of the tests).
    """
    function = _with_lists_of_keys(with_exchanges(unclipped(spread(function))), source)
    prepared = ready(function, PythonComposer, source)

    def attempt(
        known: Mapping[Var, int], ends: frozenset[Statement] = frozenset()
    ) -> tuple[_Attempt, list[str]]:
        scope = Scope(function, reserved, formulas, keyword.kwlist)
        made = _Attempt(function, prepared, scope, limit, ends, known)
        return made, made.body()

    tried = [attempt({})]
    first, body = tried[0]
    ends = endings(function) if first.scheduled.cramped else frozenset()
    if first.doubtful or (first.scheduled.cramped and len(body) <= _MOST):
        names = first.scheduled.names.items()
        tried.append(attempt({var: width(name) for var, name in names}))
    if ends:
        tried.append(attempt({}, ends))
    return min(tried, key=lambda one: (one[0].doubtful, len(one[1])))


def _with_lists_of_keys(function: Function, source: Parts | None) -> Function:
    """The function with lists of keys that loops do not take one after another."""
    while keys := taken(function):
        made = ready(function, PythonComposer, source)
        reading = (s for items in made.items.values() for s in items.reading)
        others = keys - {s.out for s in reading}
        if not others:
            break
        function = with_lists(function, others)
    return function


def _math(names: Iterable[str]) -> dict[str, str]:
    """The import of `math`, if one of the names is the module's."""
    return {"math": "math"} if "math" in names else {}


class _Attempt:
    """One attempt at a function, with known widths of names."""

    def __init__(
        self,
        function: Function,
        prepared: Ready,
        scope: Scope,
        limit: int,
        ends: frozenset[Statement],
        known: Mapping[Var, int],
    ) -> None:
        self.function = function
        self.limit = limit
        self.scope = scope
        self.references = References(scope)
        self.doubtful = False
        self.lines: dict[int, Line] = {}
        self.end = 0  # where the lines of `return` begin
        self.lengths = {n: scope.claim(n) for n in lengths_in(function.parameters)}
        composer = PythonComposer(self.references, limit)
        self.composer = composer
        self.scheduled = scheduled(
            prepared, scope, composer, self._returned, known, ends
        )

    def _returned(self, scheduler: Scheduler, frame: Frame) -> Sequence[Piece]:
        """The results; names must not hide references of the text to come."""
        ends = returned(scheduler, frame)
        frame.lines, results = returning(
            frame.lines, ends, lambda pieces, depth: fits(scheduler, pieces, depth)
        )
        for qualified in referred(frame.lines):
            self.references.reference(qualified)
        if _has_array(self.function.nest):
            self.references.reference("numpy.array")
        defaults = (p.makers for p in passed(self.function) if p.default)
        for maker in (*_makers(self.function.nest), *chain.from_iterable(defaults)):
            self.references.reference(maker.qualified)
        for qualified in _making_tuples(self.function):
            self.references.reference(qualified)
        if has_parts(self.function.nest):
            self.references.reference("numpy.concatenate")
        if any(out.type.shape for out in made_by(self.function)):
            self.references.reference("numpy.float64")
            self.references.reference("numpy.typing.NDArray")
        if any(out.type.kind is Kind.RECORD for out in made_by(self.function)):
            self.references.reference("typing.Any")
        return results

    def body(self) -> list[str]:
        """The lines below the docstring."""
        function, reference = self.function, self.references.reference
        names, results = self.scheduled.names, self.scheduled.results
        writer = Writer(names, reference, self.limit)
        unpacking = Unpacking(names, reference, self.limit, self.lengths)
        head = unpacking.all_lines(in_order(function.parameters))
        writer.out = without_unused(head, self.lengths.values())
        writer.out += _constants(self.scope, reference, self.limit)
        returner = self._returner()
        if not function.nest.is_leaf:
            writer.returned = lambda texts, indent: returner.lines(
                function.nest, texts, indent
            )
        writer.whole(self.scheduled.lines, results)
        self.lines, self.end = writer.printed, len(writer.out)
        writer.leave(results, INDENT)
        writer.comment(self.end, function.notes, INDENT)
        self.doubtful = writer.doubtful or returner.too_wide
        return writer.out

    def _returner(self) -> Returner:
        function = self.function
        floats = surely_floats(function) if _has_array(function.nest) else []
        whole = list(map(_whole, function.results))
        ranks = [len(r.type.lengths) for r in function.results]
        own = self.references.reference
        return Returner(own, floats, self.limit, Joining(ranks, own), whole)

    def values(self, place: int) -> tuple[Var, ...]:
        """The values that the line at a place of the body computes."""
        if place >= self.end:
            return tuple(dict.fromkeys(made_in(self.scheduled.results)))
        line = self.lines.get(place)
        if line is None:
            return ()
        return tuple(dict.fromkeys((*bound_by(line), *made_in(pieces(line)))))


def made_by(function: Function) -> Iterator[Var]:
    """The values that a function is given, and those that its statements bind."""
    yield from function.block.params
    for statement in walk(function.body):
        yield from statement.outs


def _has_array(nest: Nest) -> bool:
    return nest.container is Container.ARRAY or any(map(_has_array, nest.items))


def _whole(result: Operand) -> Whole | str:
    """The form of a result that is no item of its container; "" for an item."""
    if result.type.shape:
        return AS_IT_IS
    rank = len(result.type.dims)
    return Whole(result.type.kind.value, rank) if rank else ""


def _making_tuples(function: Function) -> Iterator[str]:
    """The builtins that make tuples of lists."""
    waiting = [(function.nest, 0)]
    while waiting:
        nest, place = waiting.pop()
        if holds_whole(nest):
            rank = len(function.results[place].type.dims)
            yield from making_tuples(nest, rank)
        for item in nest.items:
            waiting.append((item, place))
            place += item.leaves()


def _makers(nest: Nest) -> Iterator[Maker]:
    """The classes that a result is made of."""
    if nest.maker is not None:
        yield nest.maker
    for item in nest.items:
        yield from _makers(item)


def _constants(scope: Scope, reference: Reference, limit: int) -> list[str]:
    """The user's local constants: one tuple assignment if that fits a line."""
    literals = dict(sorted(scope.literals.items(), key=lambda item: natural(item[0])))
    texts = [literal_text(literal, reference) for literal in literals.values()]
    margin = " " * INDENT
    if 1 < len(literals) <= MOST_IN_TUPLE and not any(
        c.notes for c in literals.values()
    ):
        line = f"{margin}{', '.join(literals)} = {', '.join(texts)}"
        if width(line) <= limit:
            return [line]
    return [
        line
        for (name, literal), text in zip(literals.items(), texts, strict=True)
        for line in assignment(name, text, literal.notes, INDENT, limit)
    ]


MOST_IN_TUPLE = 8
