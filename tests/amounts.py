"""How much is tried: a fixed part by default, all of it under `pytest --long`.

A part has every construct, kind and refusal. What it has fewer of:

- seeds of random sources, examples that hypothesis makes up, points and digits of
  estimates, random graphs for each planner and each measure of graphs: a third;
- kinds for each of many sources that are tried alike: those of the corpus that are
  searched are asked in another order only where the two are compared, and six in ten of
  its scalars, a third of the models of objects and of loops with iterators, half of
  other bodies and an eighth of those over lists have second derivatives; what is swept
  alike, as a gradient, an adjoint and a Jacobian of one row, is had in turn, also of
  functions of whole arrays; what has a product with its Hessian, which is a tangent of
  slopes, may have no other one, nor, of bodies over lists, an adjoint beside it; nor
  has every other one of many functions in one file; of the names of an elemental the
  first has second derivatives;
- bodies over lists and of whole arrays: those that lead somewhere in the tool where no
  other one does;
- other functions whose numbers are compared: not those of `elsewhere.txt`. What is left
  takes every step from line to line of the tool that these take (two functions do of
  equations and of what is lent, checkpointed or fused), and has every form of
  statement, call, keyword, string and kind that these have;
- cases of a test that combines two lists: every other pair, one in three or in four;
- conventions at kinks: each in both orders, and one in three in the cheapest of all;
- targets for each of many bodies: every other one without numpy, of which half have
  adjoints there and half tangents, and C without `-O1`;
- sources that are searched for fewer operations as they are for users: one in thirty,
  also of the small ones of refusals, constants, chains of branches and of meaning, and
  a twelfth of the corpus; the others are derived in one order, forward or reverse;
- searches for what is found without one as well, such as the counts of powell, beale
  and wien: they have no effort by default;
- orders of texts of which something is said that holds in each: reverse alone;
- orders of sources that are not searched: where numbers alone are compared reverse is
  tried alone, and not forward beside it, of which the cheaper one is taken; nor are
  models drawn in both.

What is tried under `--long` alone:

- an order that is the best for a `jvp` of robot_arm, its bound and picture, and one of
  three for which orders are listed or gradients are differentiated in all of them;
- a real installation of the hooks by pre-commit, and that an output or a source that is
  edited or gone fails in a run of it: by default it runs hooks that are there;
- the counts of robot_arm, haversine, brachistochrone, helmholtz3, planck, Redlich and
  Kwong's fugacity, and of colebrook's product with its Hessian, and that effort 2
  reaches those of robot_arm, heart_dipole and pendulum, in full or with brief budgets;
- that effort is not spent without a gain on steps and planck, and that more of it has
  no more operations for Lighthouse's `jvp` and its Jacobian beside the value;
- the races of a product with the Hessian, and that no task of effort 2 has two;
- thirty steps of Runge and Kutta, forty thousand terms, estimates of 2,100 operations;
- three in four of the orders that `auto` lists for a product, derived again;
- the larger of two graphs on which no order is proven, and what effort 2 counts of
  products.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar
from zlib import crc32

import pytest

A, B = TypeVar("A"), TypeVar("B")

LONG = "AD_TRANSFORM_LONG" in os.environ
"""Whether all is tried; `--long` says so, to the processes of a run as well."""

only_long = pytest.mark.skipif(not LONG, reason="only under --long")
"""A test that takes seconds, of something that is held by a smaller one."""

QUICK: dict[str, Any] = {} if LONG else {"effort": 0}
"""The options of a test that needs no search."""


NUMBERS: dict[str, Any] = {"effort": 0} if LONG else {"effort": 0, "order": "reverse"}
"""The options of a test of numbers alone: a second order has the same numbers."""


ANY_ORDER: dict[str, Any] = {} if LONG else {"effort": 0, "order": "reverse"}
"""The options of a test of what is the same in every order, as how a text reads: one
order by default, the search that users have under `--long`.
"""


def part(cases: Sequence[Any], share: int) -> Sequence[Any]:
    """One of so many cases, or all of them."""
    return cases if LONG else cases[::share]


def pairs(cases: Iterable[A], others: Iterable[B], share: int) -> list[tuple[A, B]]:
    """What two lists combine to: one pair in so many, each case with others in turn.
    All cases are tried where there are as many others.
    """
    return [
        (case, other)
        for k, case in enumerate(cases)
        for j, other in enumerate(others)
        if LONG or (k + j) % share == 0
    ]


def seeds(few: int, many: int) -> range:
    """The seeds of random sources: the first few of many."""
    return range(amount(few, many))


def amount(few: int, many: int) -> int:
    """How many examples are made up."""
    return many if LONG else few


def search(text: str) -> dict[str, Any]:
    """The options of a test of numbers: one order and no search for fewer operations,
    but for every thirtieth text, whichever that is.
    """
    turn = crc32(text.encode())
    return {} if LONG or turn % 30 == 0 else {**QUICK, **ORDERS[turn // 30 % 2]}


ORDERS = {"order": "reverse"}, {"order": "forward"}
"""What numbers are tried in, in turn: each order beside the other takes twice as long,
and of their numbers one has half.
"""
