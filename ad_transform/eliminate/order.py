"""The planners by name."""

from __future__ import annotations

from ad_transform.eliminate.markowitz import (
    Planner,
    forward,
    markowitz,
    markowitz_latest,
    relative_markowitz,
    relative_markowitz_latest,
    reverse,
)

# fmt: off
ORDERS: dict[str, Planner] = {
    "forward":                   forward,
    "reverse":                   reverse,
    "markowitz":                 markowitz,
    "markowitz-latest":          markowitz_latest,
    "relative-markowitz":        relative_markowitz,
    "relative-markowitz-latest": relative_markowitz_latest,
}
# fmt: on
