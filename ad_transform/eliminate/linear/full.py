"""Linear maps that are always composed: where two have no common form, as matrices.

So an elimination comes to its end, and leaves a Jacobian of matrices. Its cost is told
by the same rules over arrays that are only their dims.
"""

from __future__ import annotations

from ad_transform.eliminate.linear.algebra import Label, Maps
from ad_transform.eliminate.linear.arrays import A, Arrays
from ad_transform.eliminate.linear.compose import composed, folded
from ad_transform.eliminate.linear.maps import Dense, Diagonal, LinearMap, Scaled
from ad_transform.eliminate.linear.solved import Solved

MOST = 4
"""Maps that a label is the sum of at most: those of more are one matrix, as products of
sums would have ever more terms.
"""


class FullMaps(Maps[A]):
    """The algebra of linear maps in which every two labels have a product.

    Arrays have one axis at most.
    """

    def __init__(self, arrays: Arrays[A]) -> None:
        super().__init__(arrays)

    def composes(
        self, out_edge: Label[A], in_edge: Label[A], u: int, v: int, w: int
    ) -> bool:
        return True

    def multiply(
        self, out_edge: Label[A], in_edge: Label[A], u: int, v: int, w: int
    ) -> Label[A]:
        label: Label[A] = ()
        for outer in out_edge:
            for inner in in_edge:
                label = self.add(label, (forced(outer, inner, self.arrays),), u, w)
        return label

    def add(self, old: Label[A], new: Label[A], u: int, w: int) -> Label[A]:
        label = super().add(old, new, u, w)
        return label if len(label) <= MOST else (self.matrix(label),)

    def matrix(self, label: Label[A]) -> Dense[A]:
        """The label as one matrix."""
        first, *others = (explicit(term, self.arrays) for term in label)
        matrix = first.matrix
        for other in others:
            matrix = self.arrays.plus(matrix, other.matrix)
        return Dense(first.source, first.target, matrix)


def forced(outer: LinearMap[A], inner: LinearMap[A], arrays: Arrays[A]) -> LinearMap[A]:
    """The map x -> outer(inner(x)), of matrices if it has no other form."""
    made = composed(outer, inner, arrays)
    if made is None and not isinstance(outer, Solved):
        made = composed(explicit(outer, arrays), inner, arrays)
    if made is None:
        made = composed(outer, explicit(inner, arrays), arrays)
    if made is None:
        made = composed(explicit(outer, arrays), explicit(inner, arrays), arrays)
    assert made is not None
    return made


def explicit(m: LinearMap[A], arrays: Arrays[A]) -> Dense[A]:
    """The matrix of a map."""
    if isinstance(m, Dense):
        return m
    if not (m.source and m.target):
        return Dense(m.source, m.target, _line(m, arrays))
    if isinstance(m, Diagonal):
        return Dense(m.dims, m.dims, arrays.diagonal(m.factors))
    if isinstance(m, Scaled):
        whole = folded(m.factor, m.core, arrays)
        if not isinstance(whole, Scaled):
            return explicit(whole, arrays)
        matrix = explicit(m.core, arrays).matrix
        return Dense(m.source, m.target, arrays.times(m.factor, matrix))
    unit = Dense(m.source, m.source, arrays.unit(m.source))
    made = composed(m, unit, arrays)
    assert isinstance(made, Dense)
    return made


def _line(m: LinearMap[A], arrays: Arrays[A]) -> A:
    """The one column, or the one row, of a map from, or to, a number."""
    one = arrays.number(1)
    if m.source or not m.target:
        m = m.transposed(arrays)
    return m.apply(one, arrays)
