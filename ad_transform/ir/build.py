"""The builder: hash-consing single assignment, with or without the laws.

Identical operations are merged; the key is commutative, the operand order kept is the
first seen (Yoshida 1989, algorithm 1). `keep` merges and nothing else, so what it
builds computes the source's bits; `apply` also simplifies by the laws of `ir.simplify`
and serves derivative code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import IntFlag
from typing import Any

from ad_transform.dataclass import replace
from ad_transform.diagnostics import Span
from ad_transform.ir.blocks.blocks import (
    another,
    copied,
    fitted,
    meaning,
    pruned,
    shape,
)
from ad_transform.ir.blocks.live import live
from ad_transform.ir.elemental import Elemental, Form
from ad_transform.ir.exact_values import EXACT
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Call,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    prints,
)
from ad_transform.ir.types import FLOAT, Type
from ad_transform.ir.typing import DECLARED, result_type


class Trait(IntFlag):
    """Patterns of arguments: a law is tried only where an argument has one of its
    patterns, or two are equal.
    """

    LITERAL = 1
    NEGATED = 2  # -x
    SCALED = 4  # c * x with a literal c
    BRANCH = 8
    POWER = 16
    ANY = 32  # every argument has it
    QUOTIENT = 64
    EQUAL = 128  # two arguments that are the same value
    ROOT = 256
    COMPLEMENT = 512  # c - x with a literal c


Law = Callable[["Builder", tuple[Any, ...]], "Operand | None"]
Laws = Mapping[str, tuple[tuple[int, Law], ...]]
"""By operation: the traits one of which some argument must have, and the law."""

Operands = tuple[Operand, ...]


class Builder:
    """Statements under construction.

    `table` are the elementals by name, `laws` the simplifications `apply` makes.
    """

    __slots__ = (
        "_known",
        "_laws_of",
        "_trips",
        "body",
        "constants",
        "definition",
        "known",
        "knows_powers",
        "laws",
        "memory",
        "table",
        "traits",
    )

    def __init__(self, table: Mapping[str, Elemental], laws: Laws) -> None:
        self.table = table
        self.laws = laws
        self.body: list[Statement] = []
        self.definition: dict[Var, Apply | Branch] = {}
        self.constants: dict[Operand, Literal] = {}  # kept values that are numbers
        self.known: dict[Var, int] | None = None  # the signs that values may have
        self.knows_powers = True  # passes keep the names of those that are not 0
        self.memory: dict[Any, Any] = {}  # facts that passes found, for all copies
        self._known: dict[Any, Any] = {}
        self.traits: dict[Var, int] = {}  # of values that are no plain sum or product
        self._laws_of: dict[tuple[str, int], tuple[Law, ...]] = {}  # by traits
        self._trips = [0]  # how many loops record, in inner builders too

    def fork(self) -> Builder:
        """A copy that can be built on without changing this builder."""
        twin = Builder(self.table, self.laws)
        twin.body = self.body.copy()
        twin.definition = self.definition.copy()
        twin.constants = self.constants.copy()
        twin.known = self.known
        twin.knows_powers = self.knows_powers
        twin.memory = self.memory
        twin._known = self._known.copy()
        twin.traits = self.traits.copy()
        twin._laws_of = self._laws_of
        twin._trips = self._trips.copy()
        return twin

    def without_powers(self) -> Builder:
        """A copy of a memory of its own, whose passes forget which powers are not 0."""
        twin = self.fork()
        twin.knows_powers, twin.memory = False, {}
        return twin

    def inner(self) -> Builder:
        """An empty builder for the block of a branch."""
        inner = Builder(self.table, self.laws)
        inner.knows_powers = self.knows_powers
        inner._laws_of = self._laws_of
        inner._trips = self._trips
        return inner

    def block(self, params: tuple[Var, ...], results: tuple[Operand, ...]) -> Block:
        """A closed block of the statements that the results need."""
        return Block(params, live(tuple(self.body), results), results)

    # --- statements ----------------------------------------------------------------

    def find(self, op: str, *args: Operand) -> Operand | None:
        """The value of `op(*args)` if it has been built, else None."""
        found: Operand | None = self._known.get(_key(self.table[op], args))
        return found

    def keep(
        self,
        op: Elemental,
        args: tuple[Operand, ...],
        hint: str = "",
        span: Span | None = None,
        named: bool = False,
        notes: tuple[str, ...] = (),
        declared: Type | None = None,
    ) -> Operand:
        """The value of `op(*args)` exactly; merged with an identical operation.

        `declared` is the type of a result that the elemental leaves to the statement.
        """
        key = _key(op, args)
        found: Operand | None = self._known.get(key)
        if found is not None and not op.linear:
            return found
        type_ = declared if op.result == DECLARED else result_type(op, args)
        assert type_ is not None
        out = Var(type_, hint, span, named, notes)
        self._bind(Apply(out, op, args), key)
        return out

    def adopt(self, statement: Apply) -> Operand:
        """The value of a statement as it stands, over operands of this builder."""
        key = _key(statement.op, statement.args)
        found: Operand | None = self._known.get(key)
        if found is not None and not statement.op.linear:
            return found
        self._bind(statement, key)
        return statement.out

    def absorb(self, body: Sequence[Statement], results: Operands) -> Operands:
        """The results of statements that go on in this builder: equal ones are merged,
        and every operation keeps its bits.
        """
        env: dict[Operand, Operand] = {}
        for statement in body:
            taken = statement.over(env)
            if isinstance(taken, Apply):
                env[taken.out] = self.adopt(taken)
            else:
                self.body.append(taken)
        return tuple(env.get(r, r) for r in results)

    def _bind(self, statement: Apply, key: Any) -> None:
        out, op = statement.out, statement.op
        self.body.append(statement)
        self.definition[out] = statement
        self._known[key] = out
        name = op.name
        if name == "mul":
            a, b = statement.args
            if type(a) is Literal or type(b) is Literal:
                self.traits[out] = _SCALED
        elif name == "sub":
            if type(statement.args[0]) is Literal:
                self.traits[out] = _COMPLEMENT
        elif name != "add":
            trait = _TRAITS.get(op.form)
            if trait is not None:
                self.traits[out] = trait
        if name in _COMPUTED and (
            self.constants
            or (type(statement.args[0]) is Literal is type(statement.args[-1]))
        ):  # else nothing is told
            self._note(statement)

    def _note(self, statement: Apply) -> None:
        """Enter the number that an operation on numbers gives, bit for bit, for
        derivatives. Any other operation is known with such numbers for its arguments,
        too.
        """
        args = tuple(self.constants.get(a, a) for a in statement.args)
        numbers = [a.value for a in args if isinstance(a, Literal)]
        if len(numbers) == len(args):
            computed = self.laws.get(statement.op.name)
            number = computed[0][1](self, args) if computed else None
            if type(number) is Literal and number.type == statement.out.type:
                value = statement.op.compute(*numbers)
                if repr(value) != repr(number.value):  # a law takes short neighbours
                    number = Literal(value)
                self.constants[statement.out] = number
        elif args != statement.args:
            self._known.setdefault(_key(statement.op, args), statement.out)

    def apply(
        self,
        op: str,
        *args: Operand,
        hint: str = "",
        span: Span | None = None,
        named: bool = False,
        notes: tuple[str, ...] = (),
        declared: Type | None = None,
    ) -> Operand:
        """The value of `op(*args)` simplified by the laws; they are about numbers."""
        row = self.table[op]
        traits, known = _ANY, self.traits
        for arg in args:
            if type(arg) is not Var:
                traits |= _LITERAL
            elif arg.type is not FLOAT and arg.type.dims:
                return self.keep(row, args, hint, span, named, notes, declared)
            elif arg in known:
                traits |= known[arg]
        if row.layout is not None:
            return self.keep(row, args, hint, span, named, notes, declared)
        if traits & _LITERAL and op in _ARITHMETIC:
            args = _floats(args)
        if len(args) == 2 and args[0] is args[1]:
            traits |= _EQUAL
        laws = self._laws_of.get((op, traits))
        if laws is None:
            laws = self._laws_for(op, traits)
        if laws:
            before = len(self.body)
            for law in laws:
                try:
                    simpler = law(self, args)
                except OverflowError:  # a constant that no float holds is none
                    continue
                if simpler is not None:
                    if hint and isinstance(simpler, Var) and not simpler.hint:
                        out = Var(simpler.type, hint, span, named, notes)
                        return out if self.rebind(simpler, out, before) else simpler
                    return simpler
        if op == "mul" and type(args[1]) is Literal:
            args = args[::-1]  # numbers stand first
        return self.keep(row, args, hint, span, named, notes)

    def _laws_for(self, op: str, traits: int) -> tuple[Law, ...]:
        """The laws to be tried where the arguments have these traits."""
        laws = tuple(law for needs, law in self.laws.get(op, ()) if needs & traits)
        self._laws_of[op, traits] = laws
        return laws

    def rebind(self, value: Operand, out: Var, before: int) -> bool:
        """Let `out` stand for a value made last, by a statement from `before` on.

        False, and nothing changes, if the value is older: something may look at it.
        """
        last = self.body[-1] if len(self.body) > before else None
        if not isinstance(last, Apply) or last.out is not value:
            return False
        self.body[-1] = self.definition[out] = Apply(out, last.op, last.args)
        self._known[_key(last.op, last.args)] = out
        del self.definition[last.out]
        if last.out in self.traits:
            self.traits[out] = self.traits.pop(last.out)
        return True

    def branch(
        self,
        test: Operand,
        args: tuple[Operand, ...],
        then: Block,
        orelse: Block,
        outs: tuple[Var, ...] = (),
    ) -> tuple[Operand, ...]:
        """The results of a branch; `outs` lend their hints."""
        if isinstance(test, Literal):
            return self.inline(then if test.value else orelse, args)
        args, then, orelse = self._decided(test, args, then, orelse)
        args, then, orelse = pruned(args, then, orelse)
        if not (args or then.body or orelse.body) and then.results == orelse.results:
            return then.results  # literals
        key = ("branch", test, args, shape(then), shape(orelse))
        found: tuple[Operand, ...] | None = self._known.get(key)
        arrays = any(result.type.dims for result in then.results)
        if found is not None and not (
            arrays  # two may be changed each by itself
            or prints(then.body)
            or prints(orelse.body)
        ):
            return found
        hints = outs or tuple(Var(r.type) for r in then.results)
        dims = meaning(then.params, args)
        made = tuple(another(out, dims) for out in hints)
        arms = fitted(then, args), fitted(orelse, args)
        statement = Branch(made, test, args, *arms)
        self.body.append(statement)
        for out in made:
            self.definition[out] = statement
            self.traits[out] = _BRANCH
        self._known[key] = made
        return made

    def _decided(
        self, test: Operand, args: Operands, then: Block, orelse: Block
    ) -> tuple[Operands, Block, Block]:
        """A choice of choices by the same test is one choice."""
        if then.body or orelse.body:
            return args, then, orelse
        results: list[tuple[Operand, ...]] = []
        for taken, block in ((True, then), (False, orelse)):
            given: dict[Operand, Operand] = dict(zip(block.params, args, strict=True))
            picked = (given.get(r, r) for r in block.results)
            results.append(tuple(self._taken(p, test, taken) for p in picked))
        found = tuple(
            v for v in dict.fromkeys(results[0] + results[1]) if type(v) is Var
        )
        return found, _picking(found, results[0]), _picking(found, results[1])

    def _taken(self, value: Operand, test: Operand, taken: bool) -> Operand:
        """The value of a choice where its test is known to hold, or not to."""
        made = self.definition.get(value) if isinstance(value, Var) else None
        while isinstance(made, Branch) and made.test is test:
            block = made.then if taken else made.orelse
            result = block.results[made.outs.index(value)]
            if result in block.params:
                result = made.args[block.params.index(result)]
            elif not isinstance(result, Literal):
                break
            value = result
            made = self.definition.get(value) if isinstance(value, Var) else None
        return value

    def inline(self, block: Block, args: tuple[Operand, ...]) -> tuple[Operand, ...]:
        """The results of a block with `args` for its parameters, built in place."""
        dims = meaning(block.params, args)
        env: dict[Operand, Operand] = dict(zip(block.params, args, strict=True))
        for statement in block.body:
            if isinstance(statement, Apply):
                op, out = statement.op, statement.out
                args = tuple(env.get(a, a) for a in statement.args)
                env[out] = self.apply(op.name, *args, declared=out.type.renamed(dims))
            else:
                self.follow(statement, env)
        return tuple(env.get(r, r) for r in block.results)

    def follow(self, statement: Statement, env: dict[Operand, Operand]) -> None:
        """Build a statement other than an `Apply` over the values that `env` gives for
        its inputs; its results are entered there.
        """
        outs: Operands
        if isinstance(statement, Branch):
            test, *args = (env.get(o, o) for o in statement.inputs)
            arms = statement.then, statement.orelse
            outs = self.branch(test, tuple(args), *arms, statement.outs)
        elif isinstance(statement, Call):
            made = copied(statement, env)
            assert isinstance(made, Call)
            outs = self._called(made)
        else:
            made = self._with_own_trips(copied(statement, env))
            self.body.append(made)
            outs = made.outs
        env.update(zip(statement.outs, outs, strict=True))

    def simplify(self, statement: Statement, env: dict[Operand, Operand]) -> None:
        """As `follow`, with arms simplified in which a value is now a number."""
        if isinstance(statement, Branch):
            args = [env.get(a, a) for a in statement.args]
            if numbers_now(statement.args, args):
                then = self._given(statement.then, args)
                orelse = self._given(statement.orelse, args)
                statement = replace(statement, then=then, orelse=orelse)
        self.follow(statement, env)

    def _given(self, arm: Block, args: Sequence[Operand]) -> Block:
        """The arm with literal arguments in place of their parameters."""
        inner = self.inner()
        pairs = zip(args, arm.params, strict=True)
        given = tuple(a if type(a) is Literal else p for a, p in pairs)
        return inner.block(arm.params, inner.inline(arm, given))

    def _called(self, call: Call) -> Operands:
        """The values of a call; the same call twice is one, for it gives numbers."""
        key = (call.label, *call.args)
        found: Operands | None = self._known.get(key)
        if found is not None and not any(out.type.dims for out in call.outs):
            return found
        self.body.append(call)
        self._known[key] = call.outs
        return call.outs

    def trips(self) -> str:
        """A name for the trips of a loop that records: the first dim of its stacks."""
        self._trips[0] += 1
        return f"trips.{self._trips[0]}"

    def _with_own_trips(self, statement: Statement) -> Statement:
        """The loop with stacks whose dim is no other loop's."""
        if not isinstance(statement, Scan | While) or not statement.stacks:
            return statement
        if isinstance(statement, Scan) and statement.entries:
            return statement  # its trips are those of the loop that made the entries
        own = {str(statement.stacks[0].type.dims[0]): self.trips()}
        stacks = {stack: another(stack, own) for stack in statement.stacks}
        return statement.binding(tuple(stacks.get(o, o) for o in statement.outs))


def numbers_now(before: Sequence[Operand], after: Sequence[Operand]) -> bool:
    """Whether a value has become a literal."""
    pairs = zip(before, after, strict=True)
    return any(type(new) is Literal and type(old) is Var for old, new in pairs)


def _picking(values: tuple[Var, ...], results: Operands) -> Block:
    """A block without statements, whose results are some of its values, or literals."""
    params = tuple(Var(v.type, v.hint) for v in values)
    inside: dict[Operand, Operand] = dict(zip(values, params, strict=True))
    return Block(params, (), tuple(inside.get(r, r) for r in results))


def _key(op: Elemental, args: tuple[Operand, ...]) -> Any:
    """A key of an operation: the same for `x + y` and `y + x`.

    Operands stand in the order of their places in memory, numbers last: it differs from
    run to run, but keys are only compared.
    """
    if op.commutes:
        a, b = args
        if type(b) is Var and (type(a) is not Var or id(b) < id(a)):
            args = (b, a)
    return (op.name, args)


_ANY, _LITERAL = int(Trait.ANY), int(Trait.LITERAL)
_NEGATED, _SCALED = int(Trait.NEGATED), int(Trait.SCALED)
_BRANCH, _EQUAL = int(Trait.BRANCH), int(Trait.EQUAL)
_COMPLEMENT = int(Trait.COMPLEMENT)
_COMPUTED = frozenset({"add", "sub", "mul", "div", "neg", "sqrt", "atan2", *EXACT})
"""Operations whose first law computes numbers."""
_TRAITS: dict[Form, int] = {
    Form.NEGATION: _NEGATED,
    Form.POWER: int(Trait.POWER),
    Form.QUOTIENT: int(Trait.QUOTIENT),
    Form.ROOT: int(Trait.ROOT),
}
_ARITHMETIC = frozenset({"add", "sub", "mul", "div"})


def _floats(args: tuple[Operand, ...]) -> tuple[Operand, ...]:
    """Whole literals beside floats become floats: `2 * x` is `2.0 * x`."""
    x, y = args
    if (type(x) is not Literal) is (type(y) is not Literal):
        return args
    if not (x.type.is_real or y.type.is_real):
        return args
    return tuple([as_float(a) if type(a) is Literal else a for a in args])


def as_float(literal: Literal) -> Literal:
    """The literal as a float where that is exact."""
    value = literal.value
    if isinstance(value, int) and abs(value) <= 1 << 53:
        return replace(literal, value=float(value), whole=True)
    return literal
