"""Operations of value and derivatives beside those of other tools, in one run.

Other tools see a number where a source has `math.sqrt(5.0)`, whose root is no operation
of theirs; ours takes it in every call, as the source does. A function that has little
else (`powell_singular`) is none of the rows: 18 operations, of CasADi 14. Nor are those
of which SymPy regroups the value, as it does with `(x + y) - y`, sums of polynomials or
`x**0.5 * x**-0.5`: ours returns the value of the source bit by bit.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, pairwise

import pytest
from peers import of_casadi, of_jax, of_sympy
from sized_sources import network, pair_potential, runge_kutta
from support import corpus, marked, run

SLOW_FOR_SYMPY = ("robot_arm", "roe_flux", "steps", "pairs")


def powers(count: int) -> str:
    """The logarithm of a product of powers, 2 and up."""
    names = [f"p{k}" for k in range(count)]
    product = " * ".join(f"{p} ** {k}" for k, p in enumerate(names, 2))
    head = f"import math\n\n\ndef powers({', '.join(names)}):\n"
    return f"{head}    return math.log({product})\n"


def product(count: int) -> str:
    """A product of so many factors."""
    names = [f"x{k}" for k in range(count)]
    return f"def product({', '.join(names)}):\n    return {' * '.join(names)}\n"


def rosenbrock(count: int) -> str:
    """Rosenbrock's chain."""
    names = [f"x{k}" for k in range(count)]
    terms = [
        f"100.0 * ({y} - {x} * {x}) * ({y} - {x} * {x}) + (1.0 - {x}) * (1.0 - {x})"
        for x, y in pairwise(names)
    ]
    return f"def rosenbrock({', '.join(names)}):\n    return {' + '.join(terms)}\n"


def determinant(rows: int) -> str:
    """A determinant by its first row, and those of its minors."""
    names = [f"a{i}{j}" for i in range(rows) for j in range(rows)]

    def minor(top: int, columns: tuple[int, ...]) -> str:
        if not columns:
            return "1.0"
        places = range(len(columns))
        below = [minor(top + 1, columns[:k] + columns[k + 1 :]) for k in places]
        signs = [f"{'+-'[k % 2]} a{top}{j}" for k, j in enumerate(columns)]
        return " ".join(f"{a} * ({b})" for a, b in zip(signs, below, strict=True))

    body = minor(0, tuple(range(rows)))
    return f"def determinant({', '.join(names)}):\n    return {body}\n"


def polynomial(count: int) -> str:
    """All products of three of the parameters, each with a number."""
    names = [f"x{k}" for k in range(count)]
    triples = combinations_with_replacement(names, 3)
    terms = [f"{k}.5 * {x} * {y} * {z}" for k, (x, y, z) in enumerate(triples)]
    return f"def polynomial({', '.join(names)}):\n    return {' + '.join(terms)}\n"


def plain(source: str, name: str) -> str:
    """A source without its mark, its function under another name."""
    return source.replace("# ad: jacobian\ndef f(", f"def {name}(")


def of_corpus(name: str) -> str:
    (source,) = (c.source for c in corpus() if c.name == name and c.file != "papers")
    return source


MADE = {
    "powers": powers(7),
    "product": product(8),
    "determinant": determinant(4),
    "polynomial": polynomial(4),
    "chain": rosenbrock(10).replace("def rosenbrock", "def chain"),
    "pairs": plain(pair_potential(5, "jacobian"), "pairs"),
    "steps": plain(runge_kutta(3, "jacobian"), "steps"),
    "species": plain(network(12, "jacobian"), "species"),
}

# fmt: off
ROWS = [
    ("robot_arm", "jacobian"), ("heart_dipole", "jacobian"),
    ("propane_combustion", "jacobian"), ("lighthouse", "jacobian"),
    ("roe_flux", "jacobian"), ("black_scholes", "gradient"),
    ("black_scholes", "hessian"), ("helmholtz3", "gradient"),
    ("helmholtz3", "hessian"), ("lennard_jones", "gradient"),
    ("lennard_jones", "hessian"), ("van_der_waals", "hessian"),
    ("haversine", "gradient"), ("haversine", "hessian"), ("morse", "hessian"),
    ("wood", "gradient"), ("wood", "hessian"), ("beale", "hessian"),
 ("himmelblau", "hessian"),
    ("powers", "gradient"), ("powers", "hessian"), ("product", "gradient"),
    ("product", "hessian"), ("chain", "gradient"), ("chain", "hessian"),
    ("determinant", "gradient"), ("polynomial", "hessian"),
    ("pairs", "gradient"), ("pairs", "hessian"), ("steps", "jacobian"),
    ("species", "jacobian"),
]
# fmt: on


@pytest.mark.parametrize(("name", "kind"), ROWS)
def test_no_peer_has_fewer_operations(name, kind):
    source = MADE.get(name) or of_corpus(name)
    (derived,) = run(
        marked(source, name, f"{kind}(value=True)"), container="tuple"
    ).derived
    ours = derived.counts.total
    theirs = {
        "casadi": of_casadi(source, name, kind),
        "jax": of_jax(source, name, kind),
    }
    if name not in SLOW_FOR_SYMPY:
        theirs["sympy"] = of_sympy(source, name, kind)
    listed = "".join(f"{tool:>9} {n}" for tool, n in theirs.items() if n is not None)
    print(f"{name:20}{kind:10}{ours:6}{listed}")
    assert all(n is None or ours <= n for n in theirs.values())
