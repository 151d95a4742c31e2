"""From drafts to the nodes of the IR. Linear."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from ad_transform.ir.nodes import (
    Apply,
    Block,
    Branch,
    Check,
    Literal,
    Operand,
    Statement,
    Var,
)
from ad_transform.read.values import (
    UNNAMED,
    Draft,
    DraftAnd,
    DraftApply,
    DraftCheck,
    DraftChoice,
    DraftStatement,
    Number,
)


class Finisher:
    """Gives every draft its variable, once its name and notes are settled."""

    def __init__(self, shared: Set[str] = frozenset()) -> None:
        self.vars: dict[Draft, Var] = {}
        self.shared = shared  # names of values of several functions, or calls of one

    def bind(self, draft: Draft) -> Var:
        """The variable that a draft becomes, made now."""
        named, hint = draft.depth < UNNAMED, draft.hint
        if hint in self.shared and draft.within.isidentifier():
            hint = f"{draft.within}_{hint}"
        var = Var(draft.type, hint, draft.span, named, draft.notes)
        self.vars[draft] = var
        return var

    def operand(self, number: Number) -> Operand:
        """An operand, whose variable has been made."""
        return number if isinstance(number, Literal) else self.vars[number]

    def statements(self, drafts: Iterable[DraftStatement]) -> tuple[Statement, ...]:
        """The statements in order."""
        return tuple(self._statement(draft) for draft in drafts)

    def _statement(self, draft: DraftStatement) -> Statement:
        match draft:
            case DraftApply(out, op, args):
                operands = tuple(map(self.operand, args))
                return Apply(self.bind(out), op, operands)
            case DraftCheck(test, message, formats, span, notes):
                parts = tuple(
                    part if isinstance(part, str) else self.operand(part)
                    for part in message
                )
                return Check(self.operand(test), parts, formats, span, notes)
            case DraftChoice():
                return self._choice(draft)
        return self._lazy(draft)

    def _choice(self, draft: DraftChoice) -> Branch:
        arms = (draft.then, draft.orelse)
        used = (one for arm in arms for one in free(arm.body, arm.results))
        outer = list(dict.fromkeys(used))
        args = tuple(self.vars[one] for one in outer)
        then, orelse = (self._block(outer, arm.body, arm.results) for arm in arms)
        test = self.operand(draft.test)
        return Branch(tuple(map(self.bind, draft.outs)), test, args, then, orelse)

    def _block(
        self,
        outer: Sequence[Draft],
        drafts: Sequence[DraftStatement],
        given: Sequence[Number],
    ) -> Block:
        """A block over the values that come from outside."""
        saved, self.vars = self.vars, {}
        params = tuple(self.bind(one) for one in outer)
        body = self.statements(drafts)
        results = tuple(map(self.operand, given))
        self.vars = saved
        return Block(params, body, results)

    def _lazy(self, draft: DraftAnd) -> Branch:
        """`a and b` is `b if a else False`, `a or b` is `True if a else b`."""
        outer = list(dict.fromkeys(free(draft.body, (draft.result,))))
        args = tuple(self.vars[one] for one in outer)
        block = self._block(outer, draft.body, (draft.result,))
        other = Block(
            tuple(Var(p.type, p.hint) for p in block.params),
            (),
            (Literal(not draft.conjunction),),
        )
        arms = (block, other) if draft.conjunction else (other, block)
        test = self.operand(draft.test)
        return Branch((self.bind(draft.out),), test, args, *arms)


def shared_names(inputs: Iterable[Draft], body: Sequence[DraftStatement]) -> Set[str]:
    """Names that values of several functions have, or of several calls of one."""
    homes: dict[str, object] = {}
    shared: set[str] = set()
    for draft in (*inputs, *_made(body)):
        if draft.hint and homes.setdefault(draft.hint, draft.call) is not draft.call:
            shared.add(draft.hint)
    return shared


def _made(body: Sequence[DraftStatement]) -> Iterable[Draft]:
    for statement in body:
        match statement:
            case DraftApply(out):
                yield out
            case DraftAnd(out, body=inner):
                yield out
                yield from _made(inner)
            case DraftChoice(outs, then=then, orelse=orelse):
                yield from (*outs, *_made(then.body), *_made(orelse.body))


def free(body: Sequence[DraftStatement], results: Sequence[Number]) -> Iterable[Draft]:
    """The drafts that a body uses and does not make, in order of use."""
    made: set[Draft] = set()
    for statement in body:
        for draft in _used(statement):
            if draft not in made:
                yield draft
        if isinstance(statement, DraftChoice):
            made.update(statement.outs)
        elif not isinstance(statement, DraftCheck):
            made.add(statement.out)
    for number in results:
        if isinstance(number, Draft) and number not in made:
            yield number


def _used(statement: DraftStatement) -> Iterable[Draft]:
    match statement:
        case DraftApply(_, _, args):
            numbers: Iterable[object] = args
        case DraftCheck(test, message):
            numbers = (test, *message)
        case DraftAnd(_, test, _, body, result):
            numbers = (test, *free(body, (result,)))
        case DraftChoice(_, test, then, orelse):
            arms = (then, orelse)
            numbers = (test, *(d for a in arms for d in free(a.body, a.results)))
    return (number for number in numbers if isinstance(number, Draft))
