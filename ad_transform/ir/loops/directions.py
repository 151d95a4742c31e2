"""The direction in which loops run over their range.

`c = x[n - 1 - i]` in a loop up is `c = x[i]` in a loop down. A range down that is run
backwards is a range up.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.dataclass import replace
from ad_transform.ir.blocks.carried import counts_up
from ad_transform.ir.blocks.inner import each_block, with_body
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.nodes import (
    Apply,
    Block,
    Function,
    Literal,
    Operand,
    Scan,
    Statement,
    Var,
)
from ad_transform.ir.types import INT
from ad_transform.later import later

with later():
    from ad_transform.ir.loops.affine import (
        AffineForm,
        AffineForms,
        number,
        plus,
        written,
    )

Table = Mapping[str, Elemental]


def downwards(function: Function) -> Function:
    """The function with loops down where a place is counted down. Linear.

    An index that the user has named stays as it is.
    """
    if not any(isinstance(s, Scan) and _is_free(s) for s in function.nested):
        return function
    return each_block(function, _downwards)


def upwards(function: Function, table: Table) -> Function:
    """The function with ranges up for ranges down that are run backwards. Linear.
    `table` has the operations.
    """
    if not any(isinstance(s, Scan) and _is_twice_down(s) for s in function.nested):
        return function
    return each_block(function, lambda block: _upwards(block, table))


def _is_free(loop: Scan) -> bool:
    """Whether a loop may run the other way: no lists go with its range."""
    return not (loop.stacks or loop.entries) and loop.snapshots is None


def _is_twice_down(loop: Scan) -> bool:
    return _is_free(loop) and loop.backwards and loop.step == Literal(-1)


def _downwards(block: Block) -> Block:
    forms: AffineForms | None = None
    body: list[Statement] = []
    for statement in block.body:
        made = statement
        if isinstance(made, Scan) and _is_free(made) and counts_up(made):
            index = made.body.params[0]
            places = [s for s in made.body.body if index in s.inputs]
            if places and not index.named and index not in made.body.results:
                forms = forms or AffineForms(block.body, {})
                last = plus(forms.of(made.stop), number(-1))
                reads = dict(zip(made.read_params, made.reads, strict=True))
                if all(_is_from(s, last, index, reads, forms) for s in places):
                    made = _down(made, {s.outs[0] for s in places})
        body.append(made)
    return with_body(block, body)


def _is_from(
    statement: Statement,
    last: AffineForm,
    index: Var,
    reads: Mapping[Var, Operand],
    forms: AffineForms,
) -> bool:
    """Whether a statement computes the last place less the index."""
    if not isinstance(statement, Apply) or statement.op.name != "sub":
        return False
    end, other = statement.args
    if other is not index or end is index or end.type != INT:
        return False
    outer = reads.get(end) if isinstance(end, Var) else end
    return outer is not None and forms.of(outer) == last


def _down(loop: Scan, places: set[Var]) -> Scan:
    """A loop that runs the other way; its index stands for some places."""
    index = loop.body.params[0]
    env: dict[Operand, Operand] = dict.fromkeys(places, index)
    body = [s.over(env) for s in loop.body.body if places.isdisjoint(s.outs)]
    block = with_body(loop.body, body, env)
    return replace(loop, body=block, backwards=not loop.backwards)


def _upwards(block: Block, table: Table) -> Block:
    if not any(isinstance(s, Scan) and _is_twice_down(s) for s in block.body):
        return block
    forms = AffineForms(block.body, {})
    known: dict[frozenset[tuple[Var | None, int]], Operand] = {}
    body: list[Statement] = []

    def above(operand: Operand) -> Operand:
        """A number plus 1, computed if need be."""
        form = plus(forms.of(operand), number(1))
        key = frozenset(form.items())
        if key not in known:
            names = {v: v for v in form if v is not None}
            made, known[key] = written(form, names, table)
            body.extend(made)
        return known[key]

    for param in block.params:
        if param.type == INT:
            known[frozenset({(param, 1)})] = param
    for statement in block.body:
        made = statement
        if isinstance(made, Scan) and _is_twice_down(made):
            start, stop = above(made.stop), above(made.start)
            up = replace(made, start=start, stop=stop, step=Literal(1))
            made = replace(up, backwards=False)
        elif isinstance(made, Apply) and made.out.type == INT:
            known.setdefault(frozenset(forms.of(made.out).items()), made.out)
        body.append(made)
    return with_body(block, body)
