"""Sums, extremes and products of whole arrays, over the lists of their elements."""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.derive.rounding.list_loops import Element, filled, folded
from ad_transform.derive.rounding.whole_lists import Operands, Writer
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.dims import ANY
from ad_transform.ir.nodes import Apply, Operand, Var
from ad_transform.ir.types import Type

Rule = Callable[[Writer, Apply], None]


def _over_list(name: str) -> Rule:
    """An operation on the list of all elements."""

    def rule(writer: Writer, statement: Apply) -> None:
        args = (writer.elements(statement.args[0]),)
        writer.body.append(Apply(statement.out, TABLE[name], args))

    return rule


def _over_rows(name: str) -> Rule:
    """An operation on each row."""

    def rule(writer: Writer, statement: Apply) -> None:
        (array,), out = statement.args, statement.out
        terms = writer.found(array)
        reads = [writer.length(array, 1), *terms.reads]

        def element(builder: Builder, place: Operands, own: Operands) -> Operand:
            return _of_terms(builder, name, out, terms.element, place, own)

        writer.fill(out, [writer.length(array, 0)], reads, element)

    return rule


def _of_terms(
    builder: Builder, name: str, out: Var, by: Element, at: Operands, own: Operands
) -> Operand:
    """An operation on a list of terms. `own` has their number, then the values that
    they read; `at` is their place.
    """
    size, *reads = own
    given = len(reads)

    def term(inner: Builder, place: Operands, known: Operands) -> Operand:
        return by(inner, (*known[given:], *place), known[:given])

    like = Var(Type(out.type.kind, (), (ANY,)))
    made, terms = filled(like, (size,), (*reads, *at), term)
    builder.body += made
    return builder.apply(name, terms, span=out.span)


def _mat_mat(writer: Writer, statement: Apply) -> None:
    (x, y), out = statement.args, statement.out
    sizes = [writer.length(x, 0), writer.length(y, 1)]
    reads = [writer.length(x, 1), writer.elements(x), writer.elements(y)]

    def term(builder: Builder, place: Operands, own: Operands) -> Operand:
        i, j, k = place
        left = builder.apply("get", own[0], i, k)
        right = builder.apply("get", own[1], k, j)
        return builder.apply("mul", left, right, span=out.span)

    def element(builder: Builder, place: Operands, own: Operands) -> Operand:
        return _of_terms(builder, "sum_in", out, term, place, own)

    writer.fill(out, sizes, reads, element)


def _cumulated(op: str, start: float) -> Rule:
    """The rule of running sums and the like: each element with all before it."""

    def rule(writer: Writer, statement: Apply) -> None:
        (array,), out = statement.args, statement.out
        size = writer.length(array, 0)
        made, elements, _ = folded(out, op, start, size, writer.elements(array))
        writer.body += made
        writer.whole(out, elements, (size,))

    return rule


def _product(writer: Writer, statement: Apply) -> None:
    (array,), out = statement.args, statement.out
    size = writer.length(array, 0)
    made, _, total = folded(out, "mul", 1.0, size, writer.elements(array))
    *rest, loop = made
    outs = tuple(out if o is total else o for o in loop.outs)
    writer.body += [*rest, loop.binding(outs)]


# fmt: off
RULES: dict[str, Rule] = {
    "sum_all":     _over_list("sum_in"),
    "max_all":     _over_list("max_in"),
    "min_all":     _over_list("min_in"),
    "sum_columns": _over_rows("sum_in"),
    "max_columns": _over_rows("max_in"),
    "min_columns": _over_rows("min_in"),
    "mat_mat":     _mat_mat,
    "cumulated":   _cumulated("add", 0.0),
    "cumulated_product": _cumulated("mul", 1.0),
    "product_of":  _product,
}
# fmt: on
