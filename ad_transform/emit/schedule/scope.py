"""The names around a function that are taken, and values that have a name already.

The user's names win: parameters keep theirs always, constants theirs unless it has
another meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ad_transform.ir.nodes import Call, Function, Literal, Operand, Origin, Statement
from ad_transform.ir.nodes import walk as statements


class Scope:
    """The names around one function.

    `reserved` are those that the generated file defines, `words` those of the target.
    """

    def __init__(
        self,
        function: Function,
        reserved: Iterable[str],
        formulas: Mapping[str, str] | None,
        words: Iterable[str],
    ) -> None:
        every = statements(function.body)
        constants = _constants(function.results, every)
        self.formulas = formulas or {}
        self.fixed = {p.name.partition(".")[0] for p in function.parameters}
        self.fixed.update(words)
        if Call in function.block.all_kinds:
            self.fixed.update(s.callee for s in every if isinstance(s, Call))
        local: dict[str, set[Literal]] = {}
        for each in constants:
            if each.origin is Origin.LOCAL:
                local.setdefault(each.name, set()).add(each)
        self.local = {*local}
        self._bound_anew = {name for name, bound in local.items() if len(bound) > 1}
        self.outer = {*reserved, function.name}
        self.outer.update(c.name for c in constants if c.origin is Origin.MODULE)
        self._own = function.name
        self.wishes = self.local.union(
            [out.hint for statement in every for out in statement.outs if out.named]
        )
        self.joined = {out.hint for s in every if s.blocks for out in s.outs}
        self.constants: dict[str, None] = {}
        self.literals: dict[str, Literal] = {}

    def hides(self, name: str) -> bool:
        """Whether a name means something else here."""
        return name in self.fixed or name in self.wishes or name in self.outer

    def claim(self, wish: str) -> str:
        """A free name for a value of a structured parameter; no local may take it."""
        name, k = wish, 1
        while name in self.fixed or name in self.wishes:
            k += 1
            name = f"{wish}_{k}"
        self.fixed.add(name)
        return name

    def constant(self, literal: Literal) -> str | None:
        """The name of a literal that has one and can keep it, else None.

        The user's constants are recorded: those of the module in `constants`, those of
        the function in `literals`. A name that arms or trips bind anew is none of them.
        """
        name = literal.name
        if literal.origin is Origin.LIBRARY:
            return None  # the target knows how it is called
        if literal.origin is Origin.FORMULA:
            name = self.formulas.get(name, "")
            self.constants.update(dict.fromkeys([name] if name else []))
            return name or None
        if not name or name in self.fixed:
            return None
        if literal.origin is Origin.MODULE:
            if name in self.literals:
                return None
            self.constants[name] = None
            return name
        if name in self.constants or name in self.joined or name in self._bound_anew:
            return None
        return name if self.literals.setdefault(name, literal) == literal else None

    def taken(self) -> set[str]:
        """The names that no local of ours may have."""
        return self.fixed.union({self._own}, self.constants, self.literals)


def _constants(results: Iterable[Operand], every: Sequence[Statement]) -> list[Literal]:
    """The literals that have a name, as often as they occur."""
    read = [statement.inputs for statement in every]
    given = [block.results for statement in every for block in statement.blocks]
    ends = (*read, *given, results)
    return [o for operands in ends for o in operands if type(o) is Literal and o.name]
