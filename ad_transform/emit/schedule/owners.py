"""Owners: the value with a name that a value without one belongs to.

A part is called after its owner and its operation. So an edit of one statement renames
few parts of that statement, and no others. `spread_log` and `spread_sum` are parts that
the source's statement `spread = ...` computes on its way. `times_spread` and
`over_spread` are derivative code that reads `spread` or its parts, and no value of the
source that comes later.

Relies on: every value is bound once, before it is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from ad_transform.diagnostics import Span
from ad_transform.emit.schedule.anchors import (
    RESULT,
    Anchors,
    Parts,
    given,
    is_of_source,
)
from ad_transform.emit.schedule.roles import TESTED, plain_name, role_of, several, word
from ad_transform.ir.blocks.carried import changes
from ad_transform.ir.nodes import (
    Apply,
    Branch,
    Check,
    Function,
    Operand,
    Scan,
    Statement,
    Var,
    While,
    walk,
)
from ad_transform.ir.trampoline import Task, bounce


def source_parts(source: Function) -> Parts:
    """The owners of the values that a source's statements compute, by place. Linear.

    The owner is the first value with a name that is made of it.
    """
    owner = _by_reader(source, frozenset(), RESULT)
    found: dict[Span, dict[str, None]] = {}
    for statement in walk(source.body):
        for out in statement.outs:
            if out.span is not None and not out.hint:
                found.setdefault(out.span, {})[owner.get(out, RESULT)] = None
    return {span: tuple(names) for span, names in found.items()}


def part_names(
    function: Function, parts: Parts | None, terms: Set[Var]
) -> dict[Var, str]:
    """The names of all values without one of their own, not numbered yet. Linear.

    `parts` are those of the source, None if the function is no derivative; `terms` have
    hints and lay no claim to them.
    """
    if parts is None:
        by_reader = _by_reader(function, terms, RESULT)
        plain: dict[Operand, str] = {}
        names: dict[Var, str] = {}
        for statement in walk(function.body):
            name = plain_name(statement, plain) if type(statement) is Apply else ""
            for out in statement.outs:
                plain[out] = name
                names[out] = name or role_of(statement, by_reader.get(out, RESULT))
        return names | _of_loops(function, names)
    anchors = Anchors(parts, _by_reader(function, terms, ""), terms)
    anchors.run(function)
    return anchors.names | _of_loops(function, anchors.names)


def _of_loops(function: Function, names: Mapping[Var, str]) -> dict[Var, str]:
    """The names of loops' results: carries keep their hints, `x_list` holds values
    called x.
    """
    found: dict[Var, str] = {}
    for loop in function.nested:
        if not isinstance(loop, Scan | While):
            continue
        for k, change in changes(loop).items():
            if change.op.name not in ("set", "append"):
                continue
            room, item = loop.carries[k], change.args[1]
            if isinstance(room, Var) and isinstance(item, Var) and not word(room.hint):
                name = word(item.hint) or names.get(item, RESULT)
                found[room] = found[loop.outs[k]] = several(name)
        for out, (end, value) in _handed_on(loop).items():
            if not word(out.hint) and names.get(value):
                found[out] = found[end] = names[value]
        found.update((out, out.hint) for out in loop.outs if word(out.hint))
        for stack, record in zip(loop.stacks, loop.records, strict=True):
            if not word(stack.hint) and isinstance(record, Var):
                name = word(record.hint) or names.get(record, RESULT)
                found[stack] = several(name)
    return found


def _handed_on(loop: Scan | While) -> dict[Var, tuple[Var, Var]]:
    """For results of a loop the value at the end of a trip, and the value that names
    it. That is the value of one arm where the other arm keeps the carry, or the first
    value itself where no trip reads the carry.
    """
    read = {o for s in loop.body.body for o in s.inputs}.union(loop.body.results)
    made = {out: s for s in loop.body.body if isinstance(s, Branch) for out in s.outs}
    found: dict[Var, tuple[Var, Var]] = {}
    for out, end, param in zip(
        loop.finals, loop.handed_on, loop.carry_params, strict=True
    ):
        if isinstance(end, Var) and param not in read:
            found[out] = end, end
        branch = made.get(end) if isinstance(end, Var) else None
        if branch is None or not isinstance(end, Var):
            continue
        place = branch.outs.index(end)
        for arm, other in (branch.blocks, branch.blocks[::-1]):
            given: dict[Operand, Operand] = dict(
                zip(other.params, branch.args, strict=True)
            )
            one = arm.results[place]
            if given.get(other.results[place]) is param and isinstance(one, Var):
                found[out] = end, one
    return found


# --- by the reader ------------------------------------------------------------------


def _by_reader(function: Function, terms: Set[Var], result: str) -> dict[Var, str]:
    """The name of the first value made of each value, empty in derivatives.

    `result` is that of results without a name.
    """
    found = {r: result for r in function.results if isinstance(r, Var)}
    bounce(_read_in(function.body, found, terms, result))
    return found


def _read_in(
    body: tuple[Statement, ...], found: dict[Var, str], terms: Set[Var], result: str
) -> Task[None]:
    """Enter the values that a body reads. An argument of a block has the readers of the
    parameter.
    """
    for statement in reversed(body):
        if type(statement) is Apply:  # nearly always
            label = _name_of(statement.out, found, terms, result)
        else:
            label = _label(statement, found, terms, result)
        for operand in statement.inputs:
            if type(operand) is Var and not (label == TESTED and operand in found):
                found[operand] = label
        if not statement.blocks:
            continue
        own = [_name_of(out, found, terms, result) for out in statement.outs]
        for block in statement.blocks:
            made = zip(block.results, own, strict=False)  # that of a test has none
            found |= {r: name for r, name in made if type(r) is Var}
            yield _read_in(block.body, found, terms, result)
            for param, outer in given(statement, block):
                if param in found and type(outer) is Var:
                    found[outer] = found[param]


def _label(
    statement: Statement, found: dict[Var, str], terms: Set[Var], result: str
) -> str:
    if isinstance(statement, Check):
        return TESTED
    if not statement.outs:
        return result
    return _name_of(statement.outs[0], found, terms, result)


def _name_of(out: Var, found: dict[Var, str], terms: Set[Var], result: str) -> str:
    if out.hint and word(out.hint) and out not in terms:
        return out.hint if is_of_source(out) else ""
    return found.get(out, result)
