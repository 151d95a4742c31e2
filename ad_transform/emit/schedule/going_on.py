"""Statements of a trip that does not leave the loop stand behind `break`.

new = 0.5 * (x + a / x)              new = 0.5 * (x + a / x)
x = x if done else new               if done:
if done:                                 break
    break                            x = new
"""

from __future__ import annotations

from collections import Counter

from ad_transform.ir.loops.ends import is_held
from ad_transform.ir.loops.exits import exit_of
from ad_transform.ir.nodes import Branch, Operand, Statement, Var, While, node


@node
class GoingOn:
    """The branch that changes carries where a trip goes on, and their places."""

    branch: Branch
    places: tuple[int, ...]


def going_on(loop: While) -> GoingOn | None:
    """The branch of a trip behind its way out; None if nothing is done there.

    The branch is the only one on the flag. Where the flag is up it leaves all as it is,
    and nothing else of the trip reads its results. Linear in the body.
    """
    left = None if is_held(loop) else exit_of(loop)
    if left is None:
        return None
    flag = loop.body.results[left.flag]
    found = [s for s in loop.body.body if isinstance(s, Branch) and s.test is flag]
    if len(found) != 1 or not isinstance(flag, Var):
        return None
    (branch,) = found
    places = tuple(_place(loop, out) for out in branch.outs)
    stay = all(_stays(loop, branch, k, place) for k, place in enumerate(places))
    if branch.then.body or not stay or _reads(loop, branch):
        return None
    before = zip(loop.carry_params, loop.handed_on, strict=True)
    changed = {p for k, (p, r) in enumerate(before) if k not in places and r is not p}
    return None if changed.intersection(branch.args) else GoingOn(branch, places)


def _place(loop: While, out: Var) -> int:
    """The place of the only carry that is a value at the end of a trip, else -1."""
    places = [k for k, result in enumerate(loop.body.results) if result is out]
    is_one = len(places) == 1 and places[0] < len(loop.carries)
    return places[0] if is_one else -1


def _stays(loop: While, branch: Branch, k: int, place: int) -> bool:
    """Whether value k of the branch is the old carry where the flag is up."""
    if place < 0 or branch.outs[k].type.dims or branch.outs[k].notes:
        return False
    given: dict[Operand, Operand] = dict(
        zip(branch.then.params, branch.args, strict=True)
    )
    return given.get(branch.then.results[k]) is loop.body.params[place]


def _reads(loop: While, branch: Branch) -> bool:
    """Whether another statement of the body reads a result of the branch."""
    others = (s for s in loop.body.body if s is not branch)
    return any(o in branch.outs for s in others for o in s.inputs)


def left_out(statement: Statement) -> Counter[Var]:
    """The uses in a loop that go, since `break` takes their place."""
    made = going_on(statement) if isinstance(statement, While) else None
    if made is None or not isinstance(made.branch.test, Var):
        return Counter()
    return Counter({made.branch.test: 1})
