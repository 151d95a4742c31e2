"""The price of an order on a graph whose labels are linear maps."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.eliminate.algebra import Dearer
from ad_transform.eliminate.choose import Price
from ad_transform.eliminate.linear.algebra import Label, Maps, shadow
from ad_transform.eliminate.linear.arrays import A, Outlines, Shapes
from ad_transform.eliminate.remainder import partial
from ad_transform.eliminate.steps import Sequence
from ad_transform.graph.computational import Edge, Graph


def price_of_maps(
    graph: Graph,
    labels: Mapping[Edge, Label[A]],
    products: int,
    sizes: Mapping[str, int],
) -> Price:
    """The price of a sequence that is followed by so many products with vectors.

    These are the multiplications of all compositions that are not refused, and of the
    labels that are left, once per product. Names in dims have these sizes, others the
    nominal one. The price raises Dearer past its limit, and the exceptions of
    `partial`.
    """
    outlines = Outlines()
    shadows = {edge: shadow(label, outlines) for edge, label in labels.items()}

    def price(sequence: Sequence, limit: int | None) -> int:
        shapes = Shapes.at(sizes)
        maps = Maps(shapes, products)
        left = partial(graph, shadows, sequence, maps)
        each = sum(maps.price(label) for label in left.labels.values())
        total = shapes.multiplications + products * each
        if limit is not None and total > limit:
            raise Dearer
        return total

    return price
