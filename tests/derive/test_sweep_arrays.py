"""The sweep through arrays: right in all kinds, and no dearer than the loops forth."""

from __future__ import annotations

import random

import pytest
from amounts import pairs
from array_kinds import check, made
from arrays_by_hand import PROGRAMS
from support import flat

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.parse import parse_function
from ad_transform.ir.types import INT, Type

SCALAR = [name for name, (text, _) in PROGRAMS.items() if " nest .\n" in text]


@pytest.mark.parametrize(("name", "kind"), pairs(SCALAR, ["gradient", "hvp"], 2))
def test_numbers_made_of_arrays(name, kind):
    text, point = PROGRAMS[name]
    check(parse_function(text, TABLE), kind, point)


@pytest.mark.parametrize(("name", "kind"), pairs(PROGRAMS, ["jvp", "vjp"], 2))
def test_products_with_vectors(name, kind):
    text, point = PROGRAMS[name]
    check(parse_function(text, TABLE), kind, point)


MATRICES = [
    ("horner", "jacobian"),
    ("prefix", "jacobian"),
    ("bubble", "jacobian"),
    ("heat", "hessian"),
    ("lu", "hessian"),
    ("squares", "hessian"),
]


@pytest.mark.parametrize(("name", "kind"), MATRICES)
def test_matrices_whose_size_only_a_run_knows(name, kind):
    text, point = PROGRAMS[name]
    check(parse_function(text, TABLE), kind, point)


@pytest.mark.parametrize("name", ["dot", "squares", "prefix", "heat", "thomas", "lu"])
def test_a_gradient_takes_as_many_operations_as_the_value(name):
    """No array is made or copied where one element is read or written."""
    text, _ = PROGRAMS[name]
    function = parse_function(text, TABLE)
    kind = "vjp" if function.results[0].type.dims else "gradient"
    derived = made(function, kind).function
    ratios = [operations(derived, n) / operations(function, n) for n in (8, 16)]
    assert ratios[1] < 1.1 * ratios[0] < 8


ELEMENTS = ("get", "set", "add_at", "sub_at", "size")


def operations(function, n):
    """The elements that are computed, read, written and copied."""
    rng = random.Random(n)

    def value(type_):
        if not type_.dims:
            return 3 if type_ == INT else rng.uniform(1, 2)
        inner = Type(type_.kind, type_.dims[1:])
        found = [value(inner) for _ in range(n)]
        for k, row in enumerate(found if inner.dims else []):
            row[k] += 4.0 * n
        return found

    done = 0

    def counting(op):
        def compute(*args):
            nonlocal done
            done += max([1, *(len(flat(a)) for a in args if isinstance(a, list))])
            return op.compute(*args)

        def element(*args):
            nonlocal done
            done += 1
            return op.compute(*args)

        return element if op.name in ELEMENTS else compute

    evaluate(function, [value(p.type) for p in function.block.params], counting)
    return done
