"""No pass is exponential or cubic in what is written: work is counted, not timed."""

from __future__ import annotations

import pytest
from amounts import QUICK
from support import load_exact, run
from support_counts import counts_of

from ad_transform.derive.factoring import defined, pairs
from ad_transform.derive.factoring.cover import OUTLOOK, ROOM, cover
from ad_transform.derive.factoring.pairs import by_pairs
from ad_transform.derive.factoring.ways import quotients
from ad_transform.ir.monomial import Monomial


def monomial(*atoms):
    powers = {a: atoms.count(a) for a in sorted(atoms)}
    return Monomial(1.0, tuple(powers.items()))


def without_two(n):
    """The Hessian of a product of n factors."""
    return [
        monomial(*(k for k in range(n) if k not in (i, j)))
        for i in range(n)
        for j in range(i)
    ]


def of_powers(n):
    """The Hessian of x0 * x1**2 * x2**3 * ..., without constants."""
    rows = []
    for i in range(n):
        for j in range(i):
            atoms = [k for k in range(n) for _ in range(k + 1 - (k in (i, j)))]
            rows.append(monomial(*atoms))
    return rows


def of_quotients(n):
    """All but one of the factors above, over all of those below and one twice."""
    below = tuple((k, -1) for k in range(n, 2 * n))
    rows = []
    for i in range(n):
        above = tuple((k, 1) for k in range(n) if k != i)
        for j in range(n):
            twice = tuple((a, e - (a == n + j)) for a, e in below)
            rows.append(Monomial(1.0, above + twice))
    return rows


def symmetric(n):
    """All products of three of n factors."""
    return [monomial(i, j, k) for i in range(n) for j in range(i) for k in range(j)]


FAMILIES = [(without_two, 24), (of_powers, 6), (of_quotients, 12), (symmetric, 24)]


def atoms_of(rows):
    return [monomial(a) for a in dict.fromkeys(a for m in rows for a, _ in m.powers)]


@pytest.mark.parametrize(("family", "n"), FAMILIES)
def test_covering_stops_in_time(family, n):
    """One step may look at every value once more, so there is some slack."""
    asked = 0

    def counted(d, a):
        nonlocal asked
        asked += 1
        return quotients(d, a)

    for size in (n // 3, n // 2, n):
        asked, rows = 0, family(size)
        cover(atoms_of(rows), rows, counted)
        assert asked <= ROOM + OUTLOOK


def test_many_monomials_are_covered_where_a_piece_of_them_gains(monkeypatch):
    """Copies of x * y, y * z, ..., which have some factors in common."""
    monkeypatch.setattr(defined, "MANY", 100)
    rows = [r for k in range(500) for r in copied(k)]
    assert cover(atoms_of(rows), rows, quotients) is None
    made = defined.defined(atoms_of(rows), rows, quotients)
    few = [r for k in range(20) for r in copied(k)]
    least = len(defined.defined(atoms_of(few), few, quotients))
    assert len(made) <= 25 * least < len(by_pairs(atoms_of(rows), rows))
    operands = {m for d in made for m in d.args}
    assert all(d.made in operands or d.made in rows for d in made)


def copied(k):
    """The products of two to four neighbours of five values, and of a common one."""
    own = range(1 + 5 * k, 6 + 5 * k)
    parts = [own[i:j] for i in range(5) for j in range(i + 2, 5)]
    return [monomial(*m) for m in parts] + [monomial(0, *m) for m in parts]


@pytest.mark.parametrize(("family", "n"), FAMILIES)
def test_pairs_are_extracted_in_linear_work(family, n, monkeypatch):
    """A pair is looked at a bounded number of times for each two factors of a row."""
    looked = 0

    def counted(a, b, pair_of=pairs.pair_of):
        nonlocal looked
        looked += 1
        return pair_of(a, b)

    monkeypatch.setattr(pairs, "pair_of", counted)
    rows = family(n)
    assert by_pairs(atoms_of(rows), rows) is not None
    assert looked <= 7.5 * sum(len(m.powers) ** 2 for m in rows)


# the pairs of a product of n factors cost about two operations each one by one
@pytest.mark.parametrize(("n", "most"), [(8, 46), (14, 150), (24, 460)])
def test_pairs_are_shared_well(n, most):
    rows = without_two(n)
    assert len(by_pairs(atoms_of(rows), rows)) <= most


def test_the_hessian_of_a_product_of_many_factors():
    """It took four minutes for 18 factors, and for 40 it never ended."""
    n = 18
    x = [f"x{k}" for k in range(n)]
    source = f"# ad: hessian\ndef f({', '.join(x)}):\n    return {' * '.join(x)}\n"
    result = run(source, container="tuple", **QUICK)
    assert counts_of(result.text, "f_hess").total <= 235
    rows = load_exact(result.text)["f_hess"](*range(1, n + 1))
    whole = 6402373705728000  # 18!
    assert rows[2][16] * 3 * 17 == rows[17][0] * 18 == whole
