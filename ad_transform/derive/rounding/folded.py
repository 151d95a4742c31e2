"""Constants that a derivative has folded: 2.0 / 3.0 is a literal there, and is rounded.

A literal that is no number of the source has come of its numbers by `+ - * /`, powers
and roots. Where the numbers of the source have few bits, so do exact results; any other
literal is within a few ulps of its exact value.
"""

from __future__ import annotations

from math import isfinite

from ad_transform.derive.rounding.inputs import InputError, Within
from ad_transform.derive.rounding.literals import Decimals, ErrorOf, freed
from ad_transform.ir.nodes import Function, Literal, walk

FEW = 26
"""Bits of numbers whose products are exact."""

ROUNDINGS = Within(relative=2.0**-50)
"""Four ulps at most: more than a chain of foldings loses."""


def numbers_of(functions: tuple[Function, ...]) -> frozenset[float]:
    """The magnitudes of the numbers in functions, and of the factors that derivatives
    of powers bring along.
    """
    found = {0.0, 0.5, 1.0, 2.0}
    for function in functions:
        for statement in walk(function.body):
            for literal in statement.inputs:
                if isinstance(literal, Literal) and not isinstance(literal.value, str):
                    found.add(abs(literal.value))
    whole = {n for n in found if float(n).is_integer()}
    return frozenset({*found, *(n - 1 for n in whole), *(n * (n - 1) for n in whole)})


def folded(function: Function, known: frozenset[float], otherwise: ErrorOf) -> Decimals:
    """The function with variables for literals that may have been folded; known ones
    have the error that `otherwise` gives.
    """
    few = all(_bits(number) <= FEW for number in known)

    def error(literal: Literal) -> InputError | None:
        value = literal.value
        if not isinstance(value, float) or abs(value) in known:
            return otherwise(literal)
        if not isfinite(value):
            return None  # it stands for an unknown value, and is no number
        return None if few and _bits(value) <= FEW else ROUNDINGS

    return freed(function, error)


def _bits(number: float) -> int:
    """The bits between the first and the last 1 of a number."""
    if number != number or abs(number) == float("inf"):
        return 0
    top = abs(number.as_integer_ratio()[0])
    return top.bit_length() - (top & -top).bit_length() + 1
