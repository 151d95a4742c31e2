"""Coincidences: values that another operation than their own would make, too.

Most code has few of them: only beside these a search for other ways is begun.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ad_transform.derive.factoring.fingerprints import LITTLE, PRIME
from ad_transform.derive.factoring.remade_graph import Graph
from ad_transform.ir.nodes import Literal

Pair = tuple[int, int]
"""The number of a value, and that modulo LITTLE, which is compared first."""

Triple = tuple[int, int, int]
"""Numbers x, y, and that of their sum or product."""

Known = set[tuple[int, int]]
"""Numbers, and sums or products that operations make of them."""

ONES = frozenset({1, PRIME - 1})
SUMS = frozenset({"add", "sub"})


class Coincidences(NamedTuple):
    """Sums and products that no operation says; and nodes that are products of a sum
    where one of its terms times the same is there.
    """

    sums: list[Triple]
    products: list[Triple]
    factored: list[int]


def coincidences(graph: Graph, there: Mapping[int, int]) -> Coincidences:
    """The coincidences among values that are there, as nodes by their numbers.

    Quadratic.
    """
    sums, products = _known(graph)
    numbers: list[Pair] = []
    literals: list[Pair] = []
    for number, n in there.items():
        is_literal = type(graph.operands[n]) is Literal
        own = number, graph.prints[n].little
        (literals if is_literal else numbers).append(own)
    return Coincidences(
        _sums(numbers, literals, sums),
        _products(numbers, literals, products),
        _factored(graph, there),
    )


def _known(graph: Graph) -> tuple[Known, Known]:
    """The sums and products that operations make."""
    prints, names, args = graph.prints, graph.names, graph.args
    operations = [
        (names[n], prints[args[n][0]][0], prints[args[n][-1]][0], prints[n][0])
        for n in graph.operations()
    ]
    sums = {(k, z) for name, *xy, z in operations if name == "add" for k in xy}
    sums |= {(k, x) for name, x, y, z in operations if name == "sub" for k in (y, z)}
    products = {(k, z) for name, *xy, z in operations if name == "mul" for k in xy}
    return sums, products.union(
        [(k, x) for name, x, y, z in operations if name == "div" for k in (y, z)]
    )


def _sums(numbers: list[Pair], literals: list[Pair], known: Known) -> list[Triple]:
    every = numbers + literals
    there = {number for number, _ in every}
    little = [n for _, n in every]
    shown = {n + p for n in little for p in (0, LITTLE)}
    found: list[Triple] = []
    for k, (x, n) in enumerate(numbers, 1):
        for j in [j for j, m in enumerate(little[k:], k) if n + m in shown]:
            y = every[j][0]
            z = (x + y) % PRIME
            if z in there and (x, z) not in known:
                found.append((x, y, z))
    return sorted(found)


def _products(numbers: list[Pair], literals: list[Pair], known: Known) -> list[Triple]:
    there = {number for number, _ in (*numbers, *literals)}
    shown = {n for _, n in (*numbers, *literals)}
    own = [pair for pair in numbers if pair[0] not in ONES]
    every = own + [pair for pair in literals if pair[0] not in ONES]
    little = [n for _, n in every]
    found: list[Triple] = []
    for k, (x, n) in enumerate(own):
        for j in [j for j, m in enumerate(little[k:], k) if n * m % LITTLE in shown]:
            y = every[j][0]
            z = x * y % PRIME
            if z in there and (x, z) not in known:
                found.append((x, y, z))
    return sorted(found)


def _factored(graph: Graph, there: Mapping[int, int]) -> list[int]:
    """The products of a sum, where one of its terms times the same is there."""
    prints, names = graph.prints, graph.names
    terms: dict[int, tuple[int, int]] = {}
    found: list[int] = []
    for n in graph.operations():
        name, args = names[n], graph.args[n]
        if name in SUMS:
            terms[n] = prints[args[0]][0], prints[args[1]][0]
        elif name != "neg":
            sides = (args, args[::-1]) if name == "mul" else (args,)
            for total, factor in sides:
                if total not in terms:
                    continue
                x, y = terms[total]
                other = prints[factor][0]
                if name == "div":
                    other = graph.inverse_of(other)
                terms[n] = x * other % PRIME, y * other % PRIME
                if terms[n][0] in there or terms[n][1] in there:
                    found.append(n)
    return found
