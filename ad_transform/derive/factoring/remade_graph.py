"""Code as a graph whose values are defined anew, one at a time, and back again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from ad_transform.derive.factoring.fingerprints import (
    OPEN,
    PRIME,
    Code,
    Fingerprint,
    is_number,
    key_of,
)
from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.ir.blocks.blocks import needed
from ad_transform.ir.elemental import Form
from ad_transform.ir.nodes import Apply, Literal, Operand, Var
from ad_transform.ir.types import FLOAT

Ids = tuple[int, ...]

_BELOW = frozenset({-4, -3, -2, -1})

_NUMBERS = Literal(1.0), Literal(2.0)
"""Numbers that code may always use."""

LEAF, OTHER, SAME = "leaf", "other", "is"
"""Names of nodes that are no open operations: inputs and numbers; other operations; and
values that stand for another one, which cost nothing."""


class Graph:
    """Values as nodes: `names` of operations and `args`, both of which may change.

    `sacred` values stay as they are. `users` are those of a node that are alive: needed
    for a result. `kept` nodes are results, or what sacred results need; `free` ones may
    be defined anew. `total` is the number of operations that are alive.
    """

    def __init__(self, code: Code, body: Body, results: Results, primal: int) -> None:
        for operand in (*results, *_NUMBERS):
            code.of(operand)
        operands = [k[0] if isinstance(k, tuple) else k for k in code.prints]
        self.operands: list[Operand | None] = [*operands]
        self.prints = [*code.prints.values()]
        self._numbers = {key: n for n, key in enumerate(code.prints)}
        self.names = [LEAF for _ in operands]
        self.args: list[Ids] = [() for _ in operands]
        self.users: list[dict[int, None]] = [{} for _ in operands]
        self.levels = [
            *self._numbers.values()
        ]  # above those of all that a node is made of
        self.free = [False for _ in operands]
        self.real = [a.type is FLOAT or is_number(a) for a in operands]
        self.total = 0
        self.roots: dict[int, int] = {}  # below what may be 0 only where these are
        self.inverse: set[int] = set()  # powers that divide by what they are made of
        self._code = code
        self._inverses: dict[int, int] = {}
        self._known: dict[tuple[str, Ids], int] = {}
        self._log: list[tuple[int, str, Ids]] = []
        sacred = self.sacred = needed(body, results[:primal])
        self.kept = {self.node(operand) for operand in (*results, *sacred)}
        self._read(body, sacred)
        self.total += len(body)

    def _read(self, body: Body, sacred: Set[Operand]) -> None:
        """Enter the statements."""
        number, names, users = self._numbers, self.names, self.users
        read = self._code.open
        for s in body:
            assert type(s) is Apply
            n = number[s.out]
            ids = tuple([number[a] if type(a) is Var else self.node(a) for a in s.args])
            self.args[n] = ids
            for a in ids:
                users[a][n] = None
            if s.out in read:
                names[n] = s.op.name
                self.free[n] = s.out not in sacred
                continue
            names[n] = OTHER
            if s.op.form in (Form.ROOT, Form.POWER):
                self.roots[n] = ids[0]
                exponent = s.args[-1]
                if type(exponent) is Literal and exponent.value in _BELOW:
                    self.inverse.add(n)

    def node(self, operand: Operand) -> int:
        """The node of an operand."""
        return self._numbers[key_of(operand)]

    def _new(self, name: str, args: Ids, found: Fingerprint) -> int:
        levels = self.levels
        self.operands.append(None)
        self.names.append(name)
        self.args.append(args)
        self.prints.append(found)
        self.users.append({})
        levels.append(1 + max([levels[a] for a in args]))
        self.free.append(True)
        self.real.append(True)
        return len(self.names) - 1

    def made(self, name: str, args: Ids) -> int:
        """The node of an operation that nothing needs yet."""
        known = self._known.get((name, args))
        if known is not None and self.args[known] == args:
            return known
        found = self._code.fingerprints.of(name, *[self.prints[a] for a in args])
        n = self._known[name, args] = self._new(name, args, found)
        return n

    # --- what is alive -----------------------------------------------------------

    def is_alive(self, n: int) -> bool:
        """Whether a node is there: needed, or a leaf."""
        return bool(self.users[n]) or n in self.kept or self.names[n] == LEAF

    def alive(self) -> list[int]:
        """The nodes that are there."""
        kept, names = self.kept, self.names
        return [
            n
            for n, users in enumerate(self.users)
            if users or n in kept or names[n] == LEAF
        ]

    def define(self, n: int, name: str, args: Ids) -> None:
        """Define a node that is alive anew."""
        self._log.append((n, self.names[n], self.args[n]))
        self._define(n, name, args)

    def _define(self, n: int, name: str, args: Ids) -> None:
        old = self.args[n]
        self.total += (self.names[n] == SAME) - (name == SAME)
        self.names[n], self.args[n] = name, args
        for a in args:
            self._take(a, n)
        for a in old:
            if a not in args:
                self._leave(a, n)

    def _lift(self, n: int, least: int) -> None:
        """Let a node, and those that are made of it, be on a level or above it."""
        levels = self.levels
        stack = [(n, least)]
        while stack:
            n, least = stack.pop()
            if levels[n] < least:
                levels[n] = least
                stack += [(user, least + 1) for user in self.users[n]]

    def _take(self, a: int, user: int) -> None:
        """Let a node have a user; dead ones come to life."""
        stack = [(a, user)]
        while stack:
            a, user = stack.pop()
            if not self.is_alive(a):
                self.total += self.names[a] != SAME
                stack += [(below, a) for below in self.args[a]]
            self.users[a][user] = None
            self._lift(user, self.levels[a] + 1)

    def _leave(self, a: int, user: int) -> None:
        """Let a node lose a user; without any it is dead."""
        stack = [(a, user)]
        while stack:
            a, user = stack.pop()
            if self.users[a].pop(user, 0) is None and not self.is_alive(a):
                self.total -= self.names[a] != SAME
                stack += [(below, a) for below in self.args[a]]

    def mark(self) -> int:
        """A point in time to go back to."""
        return len(self._log)

    def back(self, mark: int) -> None:
        """Take all back that was defined after a point in time."""
        while len(self._log) > mark:
            self._define(*self._log.pop())

    def changed(self) -> set[int]:
        """The nodes that were defined anew."""
        return {n for n, _, _ in self._log}

    def left(self, mark: int) -> list[int]:
        """The nodes that are alive and have lost users after a point in time."""
        found: dict[int, None] = {}
        stack = [a for _, _, args in self._log[mark:] for a in args]
        while stack:
            n = stack.pop()
            if n not in found:
                found[n] = None
                if not self.is_alive(n):
                    stack += self.args[n]
        return [n for n in found if self.is_alive(n)]

    def operations(self) -> list[int]:
        """The nodes that are open operations, behind what they are made of."""
        names = self.names
        found = [n for n in self.alive() if names[n] in OPEN]
        return sorted(found, key=self.levels.__getitem__)

    def sizes(self) -> dict[int, int]:
        """How many operations go with each node that is alive, at least."""
        names, kept, users = self.names, self.kept, self.users
        found: dict[int, int] = {}
        for n in sorted(self.alive(), key=self.levels.__getitem__):
            size = int(names[n] not in (LEAF, SAME))
            for a in {*self.args[n]}:
                if len(users[a]) == 1 and a not in kept:
                    size += found[a]
            found[n] = size
        return found

    def inverse_of(self, number: int) -> int:
        """The inverse of a number, 0 for 0."""
        known = self._inverses.get(number)
        if known is None:
            known = pow(number, -1, PRIME) if number else 0
            self._inverses[number] = known
        return known

    # --- questions ---------------------------------------------------------------

    def depends(self, nodes: Iterable[int], n: int) -> bool:
        """Whether one of some nodes is a node or made of it, or is not there: of those
        that are the levels tell it soon.
        """
        nodes = list(nodes)
        if not all(map(self.is_alive, nodes)):
            return True
        levels, every = self.levels, self.args
        least = levels[n]
        stack = [a for a in nodes if levels[a] > least or a == n]
        met: set[int] = set()
        while stack:
            a = stack.pop()
            if a == n:
                return True
            if a not in met:
                met.add(a)
                stack += [b for b in every[a] if levels[b] > least or b == n]
        return False

    def divisors(self) -> set[int]:
        """The numbers of the factors of all that something is divided by."""
        found: set[int] = set()
        for n, name in enumerate(self.names):
            if (name == "div" or n in self.inverse) and self.is_alive(n):
                found.update(self._factors(self.args[n][name == "div"]))
        return found

    def _factors(self, n: int) -> Iterator[int]:
        stack = [n]
        while stack:
            n = stack.pop()
            name = self.names[n]
            if name == "mul":
                stack += self.args[n]
            elif name in ("div", "neg", SAME):
                stack.append(self.args[n][0])
            elif n in self.roots:
                stack.append(self.roots[n])
            elif not isinstance(self.operands[n], Literal):
                yield self.prints[n].number
