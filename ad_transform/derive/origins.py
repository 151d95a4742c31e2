"""The lines of the source from which a value of a derived function comes.

A value of the primal comes from the line that computes it. A derivative value comes
from the lines of the primal values that it is made of; where it is made of derivative
values alone, from their lines: `t1 = x_bar * stretch` comes from the line of `stretch`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ad_transform.ir.count import count_statements
from ad_transform.ir.nodes import Function, Operand, Var, walk

Lines = frozenset[int]
Origins = Mapping[Operand, Lines]


def origins(function: Function) -> Origins:
    """The lines of every value; none for parameters and for values of these alone.

    Parameters of blocks have no lines either. Linear.
    """
    found: dict[Operand, Lines] = {}
    for statement in walk(function.body):
        read = [x for x in statement.inputs if isinstance(x, Var)]
        for out in statement.outs:
            found[out] = _lines(out, read, found)
    return found


def _lines(out: Var, read: list[Var], found: Origins) -> Lines:
    if out.span is not None and not out.span.path:
        return frozenset({out.span.line})
    primal = [found[x] for x in read if x.span is not None and x in found]
    made = primal or [found[x] for x in read if x in found]
    return frozenset().union(*made)


def operations_by_line(function: Function) -> Counter[int]:
    """Operations in thousandths by the line they come from, selections left out.

    An operation from several lines is shared out equally among them; line 0 has those
    from none.
    """
    found = origins(function)
    tally: Counter[int] = Counter()
    for statement in function.body:
        total = 1000 * count_statements((statement,)).total
        lines = sorted(frozenset().union(*(found[x] for x in statement.outs))) or [0]
        for line in lines:
            tally[line] += total // len(lines)
    return tally
