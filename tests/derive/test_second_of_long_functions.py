"""Second derivatives of functions too long for all orders cost no more by the term."""

from __future__ import annotations

import pytest
from sized_sources import pair_potential
from support import run

from ad_transform.derive import candidates, race


def test_the_first_pass_is_not_in_reverse_order_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On top of reverse order a pair takes 60 operations, with all orders 53."""
    for module in (candidates, race):
        monkeypatch.setattr(module, "LARGE", 2_000)
    atoms = 16
    (derived,) = run(pair_potential(atoms, "hessian"), inline="always").derived
    assert derived.counts.total < 54 * atoms * (atoms - 1) // 2
