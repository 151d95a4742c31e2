"""Labels that are linear maps of arrays, in words: `diag(cos(x))`, `W`, `·[1:]`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ad_transform.derive.vectors.local import Map, Opaque
from ad_transform.derive.vectors.written import Written
from ad_transform.elementals import TABLE
from ad_transform.eliminate.linear import (
    Broadcast,
    Dense,
    Diagonal,
    FullMaps,
    Gather,
    Identity,
    Label,
    Scaled,
    Scatter,
    Solved,
    Sum,
)
from ad_transform.graph.computational import Edge
from ad_transform.ir.dims import ANY, Dims, is_of_run, names, terms
from ad_transform.ir.nodes import Apply, Operand, Var
from ad_transform.picture.steps import TIMES
from ad_transform.picture.wording import BLANK, OMITTED, Speller


class Maps:
    """Labels that are sums of maps; `speller` spells on the builder of the arrays."""

    def __init__(self, arrays: Written, speller: Speller) -> None:
        self.algebra: FullMaps[Operand] = FullMaps(arrays)
        self.arrays = arrays
        self.speller = speller

    def text(self, label: Label[Operand], edge: Edge, name: str) -> str:
        """The formula of a label: a sum of maps of an array."""
        if len(label) == 1:
            return self._text(label[0], name)
        return " + ".join(self._text(m, f"{name}_{k}") for k, m in enumerate(label))

    def tip(self, label: Label[Operand], text: str) -> str:
        """The kinds of its maps, the shape of its matrix, and the formula."""
        kinds = " and ".join(dict.fromkeys(map(_kind, label)))
        dims = lengths((*label[0].target, *label[0].source))
        shape = f" {TIMES} ".join(f"({n})" if " " in n else n for n in dims)
        return f"{kinds}{shape and f', {shape}'}: {text}"

    def value(self, label: Label[Operand], edge: Edge) -> None:
        """Maps have no number."""

    def is_free(
        self, outer: Label[Operand], inner: Label[Operand], path: tuple[int, int, int]
    ) -> bool:
        """False: no product that costs nothing is counted."""
        return False

    def _text(self, term: Map, name: str) -> str:
        return _FORMS[type(term)][1](self, term, name)

    def _weighted(self, factors: Operand, name: str) -> str:
        return f"diag({self.speller.label(factors, name)})"

    def _scaled(self, term: Scaled[Operand], name: str) -> str:
        factor = self.speller.label(term.factor, name)
        if not (term.source or term.target):
            return factor
        core = self._text(term.core, name)
        if factor == "-1":
            return f"-{core}"
        if " " in factor or factor.startswith("-"):
            factor = f"({factor})"
        return f"{factor} {BLANK} {core}"

    def _inverse(self, term: Solved[Operand]) -> str:
        return f"inverse of {self.speller.text(term.matrix)}"

    def _part(self, term: Gather[Operand] | Scatter[Operand], name: str) -> str:
        """`·[1:]`, the elements that a gather or scatter takes, with its weights."""
        text = self._read(term.index)
        if isinstance(term, Scatter):
            text = f"into {text}"
        if term.weights is None:
            return text
        weights = self._weighted(term.weights, name)
        both = (weights, text) if isinstance(term, Gather) else (text, weights)
        return " ".join(both)

    def _read(self, index: Operand) -> str:
        text = BLANK
        for place in self.arrays.places.steps(index):
            args = (place.like, *place.bounds)
            read = Apply(Var(index.type), TABLE[place.form], args)
            text = self.speller.of(text, read)
        return text


def lengths(dims: Dims) -> Iterator[str]:
    """Dims as a reader writes them: `n - 1`, and `...` if only a run knows them."""
    for dim in dims:
        own = names(dim)
        is_told = dim != ANY and not any(map(is_of_run, own))
        yield terms(dim, {name: name for name in own}) if is_told else "..."


def _kind(term: Map) -> str:
    if isinstance(term, Dense):
        return _DENSE[bool(term.target), bool(term.source)]
    return _FORMS[type(term)][0]


# fmt: off
_DENSE = {  # whether the target, the source is an array
    (True, True):   "dense",
    (True, False):  "a column",
    (False, True):  "a row",
    (False, False): "a number",
}
_FORMS: dict[type[Any], tuple[str, Callable[[Maps, Any, str], str]]] = {
    Identity:  ("the same",  lambda *_: "I"),
    Scaled:    ("scaled",    lambda maps, m, name: maps._scaled(m, name)),
    Diagonal:  ("diagonal",  lambda maps, m, name: maps._weighted(m.factors, name)),
    Gather:    ("gathered",  lambda maps, m, name: maps._part(m, name)),
    Scatter:   ("scattered", lambda maps, m, name: maps._part(m, name)),
    Broadcast: ("repeated",  lambda *_: "repeat"),
    Sum:       ("summed",    lambda *_: "sum"),
    Dense:     ("dense",     lambda maps, m, name: maps.speller.label(m.matrix, name)),
    Solved:    ("solved",    lambda maps, m, name: maps._inverse(m)),
    Opaque:    ("linear",    lambda *_: OMITTED),
}
# fmt: on
