"""Arrays of any length as they come in: shapes checked, then lists of their own.

A dim that stands twice must agree, across parameters too (contract, rule 11).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from ad_transform.emit.python import layout
from ad_transform.emit.python.layout import INDENT
from ad_transform.emit.width import width
from ad_transform.ir.dims import Dim, Dims, names, terms
from ad_transform.ir.nodes import Container, Nest, Operand, Parameter, Var

Reference = Callable[[str], str]


def holds_whole(nest: Nest) -> bool:
    """Whether it may be an array of any length: one leaf that is a list."""
    return len(nest.items) == 1 and nest.items[0].is_leaf


def is_array(var: Operand) -> bool:
    """Whether a value is an array, inside a list or of numpy."""
    return var.type.is_array


def sizes(nest: Nest) -> tuple[int, ...]:
    """The shape of an array whose elements have names."""
    if nest.is_leaf:
        return ()
    return (len(nest.items), *(sizes(nest.items[0]) if nest.items else ()))


class Arrays:
    """Writes the head of a function; `known` are lengths by their names, `coming` are
    the names of lengths that arrays further on tell.
    """

    def __init__(self, reference: Reference, limit: int) -> None:
        self.reference = reference
        self.limit = limit
        self.known: dict[str, str] = {}
        self.coming: AbstractSet[str] = frozenset()
        self.waiting: list[tuple[Dims, Callable[[], list[str]]]] = []

    def lines(
        self, place: str, said: str, nest: Nest, var: Var, given: Mapping[Var, str]
    ) -> list[str]:
        """The lines for an array, read as `place` and called `said` in messages."""
        if nest.container is Container.ARRAY:
            check = self._in_time(var, partial(self._checked, place, said, var))
            if var not in given:
                return check
            return [*check, *self.line(f"{given[var]} = ", self._inside(place, var))]
        if var not in given:
            return []
        own = given[var]
        return [
            *self.line(f"{own} = ", self._sequence(place, var)),
            *self._in_time(var, partial(self._counted, own, said, var)),
        ]

    def due(self) -> list[str]:
        """The checks that have waited for lengths, and need to wait no more."""
        waiting, self.waiting = self.waiting, []
        found: list[str] = []
        for dims, check in waiting:
            if self._waits(dims):
                self.waiting.append((dims, check))
            else:
                found += check()
        return found

    def _in_time(self, var: Var, check: Callable[[], list[str]]) -> list[str]:
        """The lines of a check; none where arrays further on tell a length in it."""
        if not self._waits(var.type.lengths):
            return check()
        self.waiting.append((var.type.lengths, check))
        return []

    def _waits(self, dims: Dims) -> bool:
        own = {dim for dim in dims if _is_name(dim)}
        found = {name for dim in dims if dim not in own for name in names(dim)}
        return not self.coming.isdisjoint(found - own - self.known.keys())

    # --- numpy's --------------------------------------------------------------------

    def _inside(self, place: str, var: Var) -> str:
        """An array as it is inside: of numpy where it is computed with as a whole."""
        kind = self.reference(f"builtins.{var.type.kind.value}")
        array = f"{self.reference('numpy.asarray')}({place}, dtype={kind})"
        return array if var.type.shape else f"{array}.tolist()"

    def _checked(self, place: str, said: str, var: Var) -> list[str]:
        shape = f"{self.reference('numpy.shape')}({place})"
        dims = var.type.lengths
        lengths = [f"{shape}[{k}]" for k in range(len(dims))]
        rank = f"{self.reference('builtins.len')}({shape}) != {len(dims)}"
        wanted, tests = self._tests(dims, lengths)
        if len(tests) == len(dims):
            test = f"{shape} != {_tuple([want for want, _ in wanted])}"
        else:
            test = " or ".join([rank, *tests])
        return self._raise(test, said, f"{{{shape}}}", wanted)

    def _tests(
        self, dims: Sequence[Dim], lengths: Sequence[str]
    ) -> tuple[list[tuple[str, bool]], list[str]]:
        """The wanted text of each length, whether that is a number, and tests for other
        lengths.

        A name that stands here first is known from here on; a wanted length is called
        by it, for an array of too few axes has no such length.
        """
        wanted: list[tuple[str, bool]] = []
        tests: list[str] = []
        before = set(self.known)
        new: set[int] = set()
        for axis, (dim, length) in enumerate(zip(dims, lengths, strict=True)):
            if _is_name(dim) and dim not in self.known:
                self.known[str(dim)] = length
                new.add(axis)
        for axis, (dim, length) in enumerate(zip(dims, lengths, strict=True)):
            text = self.length(dim)
            if axis in new or text is None:
                wanted.append((str(dim) if axis in new else "...", False))
                continue
            own = {name: name for name in names(dim) if name not in before}
            wanted.append((terms(dim, self.known | own), not own))
            tests.append(f"{length} != {text}")
        return wanted, tests

    def zeros(self, dims: Sequence[Dim], container: Container | None) -> str:
        """Zeros of a shape; none along a length that is not known."""
        lengths = [self.length(dim) or "0" for dim in dims]
        if container is not Container.ARRAY:
            text = "0.0"
            for length in reversed(lengths):
                times = f"({length})" if " " in length else length
                text = f"[{text}] * {times}"
            return text
        shape = lengths[0] if len(lengths) == 1 else _tuple(lengths)
        return f"{self.reference('numpy.zeros')}({shape})"

    def length(self, dim: Dim) -> str | None:
        """A dim as an expression; None where a name in it is not known."""
        if isinstance(dim, int):
            return str(dim)
        if dim == "?" or any(name not in self.known for name in names(dim)):
            return None
        return terms(dim, self.known)

    def _raise(
        self, test: str, said: str, shown: str, wanted: Sequence[tuple[str, bool]]
    ) -> list[str]:
        items = [
            f"{{{text}}}" if is_number and not text.isdecimal() else text
            for text, is_number in wanted
        ]
        return self.refused(test, f"{said} has shape {shown}, not {_tuple(items)}")

    def refused(self, test: str, message: str) -> list[str]:
        """The lines that raise ValueError with a message, an f-string. A message that
        is too long is cut before `, not`. Keys in it have single quotes.
        """
        message = message.replace('"', "'")
        error = self.reference("builtins.ValueError")
        asked = self.line("if ", test, ":")
        made = self.line("raise ", f'{error}(f"{message}")', "", 2 * INDENT)
        found, cut, wanted = message.rpartition(", not ")
        if max(map(width, made)) > self.limit and cut:
            inner = " " * 3 * INDENT
            first, last = f'{inner}f"{found}, "', f'{inner}f"not {wanted}"'
            made = [made[0], first, last, made[-1]]
        return [*asked, *made]

    # --- any sequences --------------------------------------------------------------

    def _sequence(self, place: str, var: Var) -> str:
        kind = self.reference(f"builtins.{var.type.kind.value}")
        made = f"{self.reference('builtins.list')}({self.reference('builtins.map')}"
        match len(var.type.dims):
            case 1:
                return f"{made}({kind}, {place}))"
            case 2:
                return f"[{made}({kind}, row)) for row in {place}]"
        return f"[[{made}({kind}, row)) for row in layer] for layer in {place}]"

    def _counted(self, own: str, said: str, var: Var) -> list[str]:
        """The check of the lengths of a list that is not None."""
        length = self.reference("builtins.len")
        dims = var.type.dims
        lengths = [f"{length}({own}{'[0]' * k})" for k in range(len(dims))]
        wanted, tests = self._tests(dims, lengths)
        shown = _tuple([f"{{{each}}}" for each in lengths])
        found: list[str] = []
        for over in (f"row in {own}", f"layer in {own} for row in layer")[
            : len(dims) - 1
        ]:
            test = f"{length}({{{length}(row) for {over}}}) > 1"
            error = self.reference("builtins.ValueError")
            found += self.line("if ", test, ":")
            shown_as = said.replace('"', "'")
            raised = f'{error}("{shown_as} has rows of different lengths")'
            found += self.line("raise ", raised, "", 2 * INDENT)
        if tests:
            found += self._raise(" or ".join(tests), said, shown, wanted)
        return found

    def line(
        self, head: str, text: str, tail: str = "", indent: int = INDENT
    ) -> list[str]:
        """A statement, broken where it is too long."""
        return layout.statement(head, text, tail, indent, self.limit)


def names_told(parameter: Parameter) -> frozenset[str]:
    """The names of lengths that stand alone in the shapes of arrays."""
    dims = (dim for v in parameter.vars for dim in v.type.lengths)
    return frozenset(str(dim) for dim in dims if _is_name(dim))


def _is_name(dim: Dim) -> bool:
    return isinstance(dim, str) and dim.isidentifier()


def _tuple(items: Sequence[str]) -> str:
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"
