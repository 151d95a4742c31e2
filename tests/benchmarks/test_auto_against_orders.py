"""`auto` against every order that can be asked for and ends soon, on the corpus."""

from __future__ import annotations

import pytest
from support import Case, corpus, marked, run

from ad_transform.eliminate import ORDERS, PAIRED

ALL = (*ORDERS, "linear-first", "path-lengths", "d-star", *PAIRED)


def printed(source: str, order: str) -> int | None:
    """Operations of what an order prints; None where it is not one for the graph."""
    made = run(source, order=order).derived
    return made[0].counts.total if made else None


@pytest.mark.parametrize("case", corpus()[::8], ids=str)
def test_no_order_prints_fewer_operations(case: Case) -> None:
    for kind in case.searched:
        source = marked(case.source, case.name, kind)
        (auto,) = run(source).derived
        others = {o: printed(source, o) for o in ALL if o not in auto.rivals}
        fewer = {o: n for o, n in others.items() if n and n < auto.counts.total}
        assert not fewer, (kind, auto.counts.total)
