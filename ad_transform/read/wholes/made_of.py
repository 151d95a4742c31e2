"""Functions of numpy that are calls of others: `np.block`, `np.cov`, `np.vander`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ad_transform.dataclass import dataclass
from ad_transform.diagnostics import Span
from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Container, Literal
from ad_transform.later import later
from ad_transform.read.known.of_known import bound
from ad_transform.read.machine.arguments import Unfit, holds, whole
from ad_transform.read.machine.context import Context
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.described import describe
from ad_transform.read.values.storage import Slice
from ad_transform.read.values.structured import Group, is_list
from ad_transform.read.values.values import Special, Value

with later():
    from ad_transform.read.arrays import indexing
    from ad_transform.read.layers.layered import rank_of
    from ad_transform.read.objects.making import Caller


class _Refused(Exception):
    """A call inside a function has been refused."""


@dataclass(frozen=True, slots=True)
class Use:
    """Calls of other functions: `use("mean", x, axis=1)` is `np.mean(x, axis=1)`."""

    flat: Context
    span: Span
    call: Caller

    def __call__(self, name: str, *values: Value, **keywords: Value) -> Value:
        function = Dotted(f"numpy.{name}")
        return _sure(self.call(self.flat, function, list(values), keywords, self.span))

    def operate(self, op: str, *values: Value) -> Value:
        """An operator: `use.operate("sub", a, b)` is `a - b`."""
        return _sure(self.flat.operate(TABLE[op], values, self.span))

    def part(self, value: Value, *index: Value) -> Value:
        """`value[index]`"""
        place = index[0] if len(index) == 1 else _tuple(*index)
        wholes = self.flat.wholes
        return _sure(indexing.item(self.flat, value, place, wholes, self.span))


def _sure(value: Value) -> Value:
    if value is Special.REFUSED:
        raise _Refused
    return value


Rule = Callable[..., Value]

_ALL = Slice(Special.NONE, Special.NONE, Special.NONE)
_BACKWARDS = Slice(Special.NONE, Special.NONE, Literal(-1))
_ROW, _COLUMN = (Special.NONE, _ALL), (_ALL, Special.NONE)
_MOST_POWERS = 8
"""Above as many columns, those of `np.vander` are one cumulated product."""


def _items(value: Value) -> tuple[Value, ...]:
    if not isinstance(value, Group):
        raise Unfit(f"needs a list that is written out, not {describe(value)}")
    return value.items


def _tuple(*items: Value) -> Group:
    return Group(Container.TUPLE, items)


def _blocks(use: Use, arrays: Value) -> Value:
    """`np.block([[A, B], [C, D]])`, and of one row `np.block([x, y])`."""
    rows = _items(arrays)
    are_rows = [is_list(r) for r in rows]
    if not all(are_rows):
        if any(are_rows):
            raise Unfit("needs lists of as many arrays", "write `[[A, B], [C, D]]`")
        return use("hstack", _tuple(*rows))
    return use("vstack", _tuple(*(use("hstack", _tuple(*_items(r))) for r in rows)))


def _product(use: Use, arrays: Value) -> Value:
    """`np.linalg.multi_dot([A, B, x])`, from the end on where that is a vector."""
    items = list(_items(arrays))
    if len(items) < 2:
        raise Unfit("needs two arrays or more")
    ends = rank_of(items[-1]) == 1
    while len(items) > 1:
        at = len(items) - 2 if ends else 0
        items[at : at + 2] = [use("dot", *items[at : at + 2])]
    return items[0]


def _powers(use: Use, x: Value, n: Value, increasing: Value) -> Value:
    """`np.vander`, whose columns are each the one before times x."""
    if rank_of(x) != 1:
        raise Unfit("needs a vector")
    upwards, count = holds(increasing, False), whole(n)
    if count is None:
        size = use("size", x) if n is Special.NONE else n
        return _cumulated(use, x, size, upwards)
    if not 0 < count <= _MOST_POWERS:
        raise Unfit(f"needs 1 to {_MOST_POWERS} columns", "pass their number: `n: int`")
    columns = [use("ones_like", x), x][:count]
    while len(columns) < count:
        columns.append(use.operate("mul", columns[-1], x))
    return use("column_stack", _tuple(*(columns if upwards else columns[::-1])))


def _cumulated(use: Use, x: Value, count: Value, upwards: bool) -> Value:
    """`np.vander` of so many columns as a run says: products one after another."""
    size, zeros = use("size", x), use("zeros", _tuple(use("size", x), count))
    down = use.operate("add", zeros, use.part(x, *_COLUMN))
    behind = use.part(down, _ALL, Slice(Literal(1), Special.NONE, Special.NONE))
    some = use.operate("min", count, Literal(1))  # none where count is 0
    ones = use("ones", _tuple(size, some))
    every = use("cumprod", use("hstack", _tuple(ones, behind)), axis=Literal(1))
    return every if upwards else use.part(every, _ALL, _BACKWARDS)


def _covariances(
    use: Use, m: Value, y: Value, rowvar: Value, bias: Value, ddof: Value
) -> Value:
    """`np.cov`."""
    lines = m if holds(rowvar, True) else use("transpose", m)
    if y is not Special.NONE:
        lines = use("vstack", _tuple(lines, y))
    less = whole(ddof) if ddof is not Special.NONE else 1 - holds(bias, False)
    if less is None:
        raise Unfit("needs a written `ddof`")
    is_vector = rank_of(lines) == 1
    mean = use("mean", lines, axis=Literal(-1), keepdims=Literal(True))
    apart = use.operate("sub", lines, mean)
    count = use.part(use("shape", lines), Literal(-1))
    freedom = use.operate("sub", count, Literal(less)) if less else count
    products = use("dot", apart, apart if is_vector else use("transpose", apart))
    return use.operate("mul", products, use.operate("div", Literal(1), freedom))


def _correlations(use: Use, x: Value, y: Value, rowvar: Value) -> Value:
    """`np.corrcoef`."""
    none = Special.NONE
    found = _covariances(use, x, y, rowvar, none, none)
    if not rank_of(found):
        return use.operate("div", found, found)
    spread = use("sqrt", use("diag", found))
    for index in (_COLUMN, _ROW):
        found = use.operate("div", found, use.part(spread, *index))
    return use("clip", found, Literal(-1.0), Literal(1.0))


# fmt: off
RULES: Mapping[str, tuple[str, Rule]] = {
    "numpy.block":            ("arrays", _blocks),
    "numpy.linalg.multi_dot": ("arrays", _product),
    "numpy.vander":           ("x N? increasing?", _powers),
    "numpy.cov":              ("m y? rowvar? bias? ddof?", _covariances),
    "numpy.corrcoef":         ("x y? rowvar?", _correlations),
}
# fmt: on


def called(
    flat: Context,
    name: str,
    values: Sequence[Value],
    keywords: Mapping[str, Value],
    span: Span,
    call: Caller,
) -> Value:
    """The result of a function; raises Unfit."""
    words, rule = RULES[name]
    given = [value for _, value in bound(words, values, keywords)]
    try:
        return rule(Use(flat, span, call), *given)
    except _Refused:
        return Special.REFUSED
