"""Parts that values have in common, made once; operations that take a sign in."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ad_transform.dataclass import dataclass
from ad_transform.derive.factoring.binomials import binomials
from ad_transform.derive.factoring.multiples import LONGEST, multiples
from ad_transform.derive.factoring.negations import negations
from ad_transform.derive.factoring.operands import (
    Products,
    Sums,
    shared_operands,
)
from ad_transform.derive.factoring.remade import remade
from ad_transform.derive.factoring.reused import reused
from ad_transform.derive.factoring.signs import signs
from ad_transform.derive.factoring.turned import turned, turned_differences
from ad_transform.derive.factoring.twins import Body, Results
from ad_transform.ir.build import Builder


@dataclass(frozen=True, slots=True, eq=False)
class Sharing:
    """A pass over a body and its results; the first so many results are sacred."""

    done: str
    share: Callable[[Builder, Body, Results, int], tuple[Body, Results]]


SUMS = Sharing("share sums", partial(shared_operands, operations=Sums()))
PRODUCTS = Sharing("share products", partial(shared_operands, operations=Products()))
MULTIPLES = Sharing("join multiples", multiples)
MULTIPLES_OF_LONG = Sharing("join multiples", partial(multiples, longest=LONGEST))
NEGATIONS = Sharing("take in negations", negations)
REUSED = Sharing("take apart what is reused", reused)
TURNED = Sharing("turn signs", turned)
TURNED_DIFFERENCES = Sharing("turn signs", turned_differences)
BINOMIALS = Sharing("share binomials", binomials)
SIGNS = Sharing("choose signs", signs)
REMADE = Sharing("make of others", remade)

LAST = SIGNS, REMADE
"""Searches that are begun when nothing else gains."""
