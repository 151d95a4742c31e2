"""Labels of edges between arrays: linear maps, their composition, and its price."""

from ad_transform.eliminate.linear.algebra import Label, Maps
from ad_transform.eliminate.linear.arrays import Arrays, Outlines, Shapes
from ad_transform.eliminate.linear.compose import added, composed
from ad_transform.eliminate.linear.full import FullMaps, explicit
from ad_transform.eliminate.linear.maps import (
    Broadcast,
    Dense,
    Diagonal,
    Gather,
    Identity,
    Left,
    LinearMap,
    Right,
    Scaled,
    Scatter,
    Sum,
    scaling,
)
from ad_transform.eliminate.linear.price import price_of_maps
from ad_transform.eliminate.linear.solved import Solved

__all__ = [
    "Arrays",
    "Broadcast",
    "Dense",
    "Diagonal",
    "FullMaps",
    "Gather",
    "Identity",
    "Label",
    "Left",
    "LinearMap",
    "Maps",
    "Outlines",
    "Right",
    "Scaled",
    "Scatter",
    "Shapes",
    "Solved",
    "Sum",
    "added",
    "composed",
    "explicit",
    "price_of_maps",
    "scaling",
]
