"""The algebra of labels that are linear maps, which may refuse to be composed.

A label is a sum of maps, mostly of one: maps that have no common form, such as a
diagonal and a gather, stand side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from ad_transform.eliminate.linear.arrays import Arrays, Outlines, Shapes
from ad_transform.eliminate.linear.compose import added, composed
from ad_transform.eliminate.linear.maps import Identity, LinearMap
from ad_transform.ir.dims import Dims

if TYPE_CHECKING:
    from ad_transform.eliminate.replay import State

A = TypeVar("A")

Label: TypeAlias = tuple[LinearMap[A], ...]
"""The sum of these maps, of which there is at least one."""


class Maps(Generic[A]):
    """The algebra of linear maps (see `eliminate.algebra.Algebra`).

    Two labels are composed if their product has a form that costs no more than both
    labels together, for each vector it is applied to; the price of forming it counts
    then if `products` is the number of these vectors, and does not if that is None.
    Prices are scalar multiplications at the elements of `arrays`.
    """

    def __init__(self, arrays: Arrays[A], products: int | None = None) -> None:
        self.arrays = arrays
        self.products = products
        self.watched: State[Label[A]] | None = None

    @property
    def unit(self) -> Label[A]:
        return (Identity(()),)

    def copied(self, vertex: int) -> Label[A]:
        """The label of the edge from a vertex to its copy."""
        assert self.watched
        return (Identity(self._dims(self.watched, vertex)),)

    def watch(self, state: State[Label[A]] | None) -> None:
        """The graph under elimination; ValueError for labels that do not fit it."""
        self.watched = state
        if state is not None:
            for u, row in state.rows.items():
                for v, label in row.items():
                    _require(label, u, v, self._dims(state, u), self._dims(state, v))

    def composes(
        self, out_edge: Label[A], in_edge: Label[A], u: int, v: int, w: int
    ) -> bool:
        """Whether the two labels have a product that is worth having."""
        shapes = Shapes(self.arrays.elements)
        outlines = Outlines()
        pair = shadow(out_edge, outlines), shadow(in_edge, outlines)
        made = _composed(*pair, shapes)
        if made is None:
            return False
        apart, whole = _price(pair[0] + pair[1], shapes), _price(made, shapes)
        if self.products is None:
            return whole <= apart
        return shapes.multiplications + self.products * whole <= self.products * apart

    def multiply(
        self, out_edge: Label[A], in_edge: Label[A], u: int, v: int, w: int
    ) -> Label[A]:
        """The label of the path; ValueError if the two have no product."""
        label = _composed(out_edge, in_edge, self.arrays)
        if label is None:
            raise ValueError(f"the labels of {u} -> {v} -> {w} do not compose")
        return label

    def add(self, old: Label[A], new: Label[A], u: int, w: int) -> Label[A]:
        for term in new:
            old = _absorbed(old, term, self.arrays)
        return old

    def apply(self, label: Label[A], x: A) -> A:
        """The image of a vector: a tangent going forward."""
        first, *others = [term.apply(x, self.arrays) for term in label]
        for other in others:
            first = self.arrays.plus(first, other)
        return first

    def apply_transposed(self, label: Label[A], y: A) -> A:
        """The image of a vector under the transposed map: an adjoint going back."""
        return self.apply(tuple([m.transposed(self.arrays) for m in label]), y)

    def plus(self, a: A, b: A) -> A:
        """The sum of two vectors."""
        return self.arrays.plus(a, b)

    def price(self, label: Label[A]) -> int:
        """Multiplications of one application; transposed it costs the same."""
        return _price(shadow(label, Outlines()), Shapes(self.arrays.elements))

    @staticmethod
    def _dims(state: State[Label[A]], vertex: int) -> Dims:
        return state.graph.dims_of(state.origins.get(vertex, vertex))


def _require(label: Label[A], u: int, v: int, source: Dims, target: Dims) -> None:
    for term in label:
        if (term.source, term.target) != (source, target):
            raise ValueError(
                f"the label of {u} -> {v} maps {term.source} to {term.target}, "
                f"the vertices are {source} and {target}"
            )


def _composed(out: Label[A], into: Label[A], arrays: Arrays[A]) -> Label[A] | None:
    """All products of terms, added up; None if one of them has no form."""
    whole: Label[A] = ()
    for second in out:
        for first in into:
            term = composed(second, first, arrays)
            if term is None:
                return None
            whole = _absorbed(whole, term, arrays)
    return whole


def _absorbed(label: Label[A], term: LinearMap[A], arrays: Arrays[A]) -> Label[A]:
    """The label with a term added: to the first one that it has a common form with."""
    for place, old in enumerate(label):
        both = added(old, term, arrays)
        if both is not None:
            return (*label[:place], both, *label[place + 1 :])
    return (*label, term)


def shadow(label: Label[A], outlines: Outlines) -> Label[Dims]:
    """The label with arrays that are only their dims (see `arrays.Shapes`)."""
    return tuple([term.over(outlines) for term in label])


def _price(label: Label[Dims], shapes: Shapes) -> int:
    """Multiplications of one application; they are not left on the count of shapes."""
    before = shapes.multiplications
    for term in label:
        term.apply(term.source, shapes)
    price = shapes.multiplications - before
    shapes.multiplications = before
    return price
