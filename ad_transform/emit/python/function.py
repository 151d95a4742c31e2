"""A whole function as text: signature, docstring, constants, statements, result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from ad_transform.emit.python.expressions import Piece, literal_text
from ad_transform.emit.python.layout import INDENT, assignment, width
from ad_transform.emit.python.returns import Returner, returned, surely_floats
from ad_transform.emit.python.signature import is_whole, passed, signature, unpacking
from ad_transform.emit.python.text import Writer
from ad_transform.emit.schedule.lines import Line, bound_by, pieces, values_in
from ad_transform.emit.schedule.names import MANY, named, natural, parts
from ad_transform.emit.schedule.owners import RESULT, Parts, part_names
from ad_transform.emit.schedule.rules import RULES
from ad_transform.emit.schedule.scheduler import Scheduler
from ad_transform.emit.schedule.scope import Scope, names_in
from ad_transform.emit.schedule.uses import count_uses
from ad_transform.ir.nodes import (
    Container,
    Function,
    Literal,
    Nest,
    Passing,
    Var,
    walk,
)


@dataclass(frozen=True, slots=True)
class Printed:
    """The text of a function and what the module has to provide for it.

    imports     pairs of the name used and what it stands for: ("sin", "math.sin"),
                ("np", "numpy"), ("_abs", "builtins.abs")
    constants   names of the module constants that it reads
    helpers     names of the helpers that it calls
    """

    text: str
    imports: tuple[tuple[str, str], ...]
    constants: tuple[str, ...]
    helpers: tuple[str, ...]


def printed(
    function: Function,
    docstring: list[str],
    reserved: Iterable[str],
    limit: int,
    formulas: Mapping[str, str] | None = None,
    source: Parts | None = None,
) -> Printed:
    """A function in black-stable layout; linear in its size.

    `reserved` are the names that the generated module defines: its functions and
    constants; `formulas` are names of the constants that it makes of others, `source`
    the owners of parts of the source that it is derived from (see
    `emit.schedule.owners`).
    """
    reserved = frozenset(reserved)
    attempt, body = _settled(function, reserved, limit, formulas, source)
    scope = attempt.scope
    texts = [p.default for p in passed(function) if p.default]
    defaults = [name for text in texts for name in names_in(text)]
    head = signature(function, scope.reference, limit)
    lines = [*head, *docstring, *body]
    return Printed(
        "\n".join(lines) + "\n",
        tuple(sorted({**scope.imports, **_math(defaults)}.items())),
        tuple(
            dict.fromkeys(
                (
                    *scope.constants,
                    *_unknown(function),
                    *filter(reserved.__contains__, defaults),
                )
            )
        ),
        tuple(scope.helpers),
    )


def together(printed: Sequence[Printed]) -> Printed:
    """Functions that belong together, in order, with what all of them need."""
    imports = sorted({pair: None for one in printed for pair in one.imports})
    constants = dict.fromkeys(name for one in printed for name in one.constants)
    helpers = dict.fromkeys(name for one in printed for name in one.helpers)
    text = "\n\n".join(one.text for one in printed)
    return Printed(text, tuple(imports), tuple(constants), tuple(helpers))


def _unknown(function: Function) -> list[str]:
    """The module constants of unknown number that the function reads."""
    uses = count_uses(function)
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
    """The first attempt whose layout is certain, and its text."""
    for slack in (0, 2, 6):
        scope = Scope(function, reserved, formulas)
        attempt = _Attempt(function, scope, limit, slack, source)
        body = attempt.body()
        if not attempt.doubtful:
            break
    return attempt, body


def _math(names: Iterable[str]) -> dict[str, str]:
    """The import of `math`, if one of the names is the module's."""
    return {"math": "math"} if "math" in names else {}


class _Attempt:
    """One go at a function, with names estimated `slack` columns wider than likely."""

    def __init__(
        self,
        function: Function,
        scope: Scope,
        limit: int,
        slack: int,
        source: Parts | None,
    ) -> None:
        self.function = function
        self.limit = limit
        self.scope = scope
        self.given = self._given()
        self.terms = parts(function.body)
        self.words = part_names(function, source, self.terms)
        self.columns = _estimate(function, self.words, self.terms, slack)
        self.doubtful = False
        self.lines: dict[int, Line] = {}
        self.results: Sequence[Piece] = ()
        self.end = 0  # where the lines of `return` begin

    def _given(self) -> dict[Var, str]:
        """Names of the parameters' values; those of a structure that are used."""
        function, scope = self.function, self.scope
        given: dict[Var, str] = {}
        structured = [p for p in function.parameters if not p.nest.is_leaf]
        for parameter in function.parameters:
            if parameter.nest.is_leaf:
                name, *places = parameter.name.split(".")
                given[parameter.vars[0]] = name + "".join(f"[{k}]" for k in places)
        uses = count_uses(function) if structured else Counter()
        for parameter in structured:
            for k, var in enumerate(parameter.vars):
                if uses[var]:
                    wish = var.hint or f"{parameter.name}_{k + 1}"
                    if is_whole(parameter):
                        wish = f"{parameter.name}_list"
                    given[var] = scope.claim(wish)
        return given

    def body(self) -> list[str]:
        """The lines below the docstring."""
        function, scope = self.function, self.scope
        scheduler = Scheduler(function, scope, self.limit, self.columns, RULES)
        widths = {var: width(name) for var, name in self.given.items()}
        scheduler.items = {v for v, name in self.given.items() if name.endswith("]")}
        frame = scheduler.run(widths, _kept(function))
        results = returned(scheduler, frame)
        array, floats = "", list[bool]()
        if _has_array(function.nest):
            array, floats = scope.reference("numpy.array"), surely_floats(function)
        ends = list(values_in(results))
        taken = scope.taken()
        names = named(frame.lines, ends, self.given, taken, self.words, self.terms)
        writer = Writer(names, self.limit)
        for parameter in function.parameters:
            writer.out += unpacking(parameter, self.given, scope.reference, self.limit)
        writer.out += _constants(scope, self.limit)
        writer.write(frame.lines)
        self.lines, self.results, self.end = writer.printed, results, len(writer.out)
        whole = [bool(r.type.dims) for r in function.results]
        returner = Returner(array, floats, self.limit, whole)
        texts = [writer.text(piece) for piece in results]
        if function.nest.is_leaf:
            writer.statement("return ", texts[0], "", INDENT)
        else:
            writer.out += returner.lines(function.nest, texts)
        writer.comment(self.end, function.notes, INDENT)
        self.doubtful = writer.doubtful or returner.too_wide
        return writer.out

    def values(self, place: int) -> tuple[Var, ...]:
        """What the line at a place of the body computes."""
        if place >= self.end:
            roots: Sequence[Piece] = self.results
        elif place in self.lines:
            roots = pieces(self.lines[place])
        else:
            return ()
        bound = bound_by(self.lines[place]) if place < self.end else ()
        return tuple(dict.fromkeys((*bound, *_made_in(roots))))


def _made_in(roots: Sequence[Piece]) -> Iterator[Var]:
    """The values that expressions compute, those that only stand there not."""
    stack = list(roots)
    while stack:
        piece = stack.pop()
        if not piece.is_atom:
            stack += piece.args
            if piece.var is not None:
                yield piece.var


def _kept(function: Function) -> frozenset[Var]:
    """The value that is nested although it has a name: `return` of just that value."""
    if not function.nest.is_leaf:
        return frozenset()
    result = function.results[0]
    if isinstance(result, Literal) or result.notes:
        return frozenset()
    return frozenset({result})


def _has_array(nest: Nest) -> bool:
    return nest.container is Container.ARRAY or any(map(_has_array, nest.items))


def _constants(scope: Scope, limit: int) -> list[str]:
    """The user's local constants: one tuple assignment if that fits a line."""
    literals = dict(sorted(scope.literals.items(), key=lambda item: natural(item[0])))
    texts = [literal_text(literal, scope.reference) for literal in literals.values()]
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


def _estimate(
    function: Function, words: Mapping[Var, str], terms: Set[Var], slack: int
) -> Callable[[Var], int]:
    """A guess at the width of the name that a value will get."""
    hints: Counter[str] = Counter()
    shared: Counter[str] = Counter()
    uses = count_uses(function)
    for line in walk(function.body):
        for out in line.outs:
            if _is_part(out, terms):
                shared[words.get(out, RESULT)] += uses[out] > 1
            else:
                hints[out.hint] += 1
    known: dict[str, int] = {}
    numbered = {word: _widest(word, n) for word, n in shared.items()}
    if shared.total() + hints.total() > MANY:
        numbered = dict.fromkeys(numbered, 1 + len(str(shared.total())))

    def columns(var: Var) -> int:
        if _is_part(var, terms):
            word = words.get(var, RESULT)
            return numbered.get(word, width(word)) + slack
        hint = var.hint
        found = known.get(hint)
        if found is None:
            found = known[hint] = _widest(hint, hints[hint]) + slack
        return found

    return columns


def _widest(name: str, times: int) -> int:
    """The width of the last one of so many values of one name."""
    return width(name) + (1 + len(str(times)) if times > 1 else 0)


def _is_part(var: Var, terms: Set[Var]) -> bool:
    return not var.hint or var in terms
