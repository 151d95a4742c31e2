"""`auto` against every order that can be asked for and ends soon, on the corpus."""

from __future__ import annotations

import pytest
from support import Case, corpus, marked, run

from ad_transform.diagnostics import Refusal
from ad_transform.eliminate import ORDERS

ALL = (*ORDERS, "linear-first", "path-lengths", "d-star")

BOTH_PASSES = 1 / 40
"""How much cheaper an order may be that is taken in both passes of a second derivative:
`auto` tries only some of them twice. The worst here is 40 operations for 41."""


def printed(source: str, order: str) -> int | None:
    """Operations of what an order prints; None where the graph is too large for it."""
    try:
        (made,) = run(source, order=order).derived
    except Refusal:
        return None
    return made.counts.total


@pytest.mark.parametrize("case", corpus()[::8], ids=str)
def test_no_order_prints_fewer_operations(case: Case) -> None:
    for kind in case.searched:
        source = marked(case.source, case.name, kind)
        (auto,) = run(source).derived
        others = {o: printed(source, o) for o in ALL if o not in auto.rivals}
        second = kind.startswith(("hessian", "hvp"))
        least = auto.counts.total * (1 - BOTH_PASSES * second)
        fewer = {o: n for o, n in others.items() if n and n < least}
        assert not fewer, (kind, auto.counts.total)
