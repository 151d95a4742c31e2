"""Steps of an elimination in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ad_transform.dataclass import dataclass
from ad_transform.eliminate.replay import State
from ad_transform.eliminate.steps import (
    BackEliminateEdge,
    Contract,
    CopyVariable,
    EliminateFace,
    EliminatePair,
    EliminateVertex,
    Factorise,
    FrontEliminateEdge,
    SplitLineVertex,
    SplitVertex,
    Step,
)
from ad_transform.picture.model import Stage
from ad_transform.picture.wording import amount

Names = Mapping[int, str]
TIMES = "\N{MULTIPLICATION SIGN}"


@dataclass(frozen=True, slots=True)
class Product:
    """A product along the path u -> v -> w, the factors as text, v -> w first."""

    path: tuple[int, int, int]
    factors: tuple[str, str]
    free: bool
    absorbed: bool = False


@dataclass(frozen=True, slots=True)
class About:
    """A step before it is performed: its name, and the reason of its cost."""

    text: str
    reason: str

    @classmethod
    def of(cls, step: Step, state: State[Any], names: Names) -> About:
        """The words for a step in a state; `names` has those of new vertices too."""

        def edge(u: int, w: int) -> str:
            return f"{names[u]} → {names[w]}"

        def listed(vertices: Sequence[int]) -> str:
            return ", ".join(names[v] for v in vertices)

        match step:
            case EliminateVertex(v):
                return cls(f"eliminate vertex {names[v]}", _degrees(state, v))
            case EliminatePair(v, w):
                text = f"eliminate vertex {names[v]} and its image {names[w]}"
                return cls(text, "each product once for both its edges")
            case FrontEliminateEdge(u, v):
                count = amount(len(state.rows.get(v, ())), "successor")
                text = f"front eliminate edge {edge(u, v)}"
                return cls(text, f"{count} of {names[v]}")
            case BackEliminateEdge(u, v):
                count = amount(len(state.columns.get(u, ())), "predecessor")
                text = f"back eliminate edge {edge(u, v)}"
                return cls(text, f"{count} of {names[u]}")
            case Contract(interior):
                text = f"contract the umbrella over {listed(interior)}"
                return cls(text, "inside in reverse mode")
            case CopyVariable(u, v, w):
                text = f"copy {names[u]} for {names[v]}, as {names[w]}"
                return cls(text, "a copy costs nothing")
            case SplitVertex(v, w, before, after):
                text = f"split {names[v]}: {names[w]} takes over the paths from "
                text += f"{listed(before)} to {listed(after)}"
                return cls(text, "a split costs nothing")
            case EliminateFace(i, j):
                ends = state.faces().ends
                (u, v), (_, w) = ends[i], ends[j]
                text = f"eliminate face {names[u]} → {names[v]} → {names[w]}"
                return cls(text, "one product")
            case Factorise():
                return cls("factorise what is left", "common factors once (D*)")
            case SplitLineVertex(i):
                u, w = state.faces().ends[i]
                text = f"double edge {edge(u, w)}, to share out its paths"
                return cls(text, "a split costs nothing")


def _degrees(state: State[Any], v: int) -> str:
    """The Markowitz degree: |P| |S|."""
    before, after = len(state.columns.get(v, ())), len(state.rows.get(v, ()))
    into = amount(before, "predecessor")
    return f"{into} {TIMES} {amount(after, 'successor')} = {before * after}"


def told(about: About, products: Sequence[Product], names: Names) -> Stage:
    """The stage of a step with these products."""
    return Stage(
        text=about.text,
        reason=about.reason,
        products=tuple(_line(product, names) for product in products),
        multiplications=len(products),
        additions=sum(product.absorbed for product in products),
        free=sum(product.free for product in products),
    )


def _line(product: Product, names: Names) -> str:
    """`x → r → e: cos(r) · (2.0 * x), added to x → e`."""
    u, v, w = (names[vertex] for vertex in product.path)
    left, right = map(_factor, product.factors)
    end = f"added to {u} → {w}" if product.absorbed else f"a new edge {u} → {w}"
    return f"{u} → {v} → {w}: {left} · {right}, {end}"


def _factor(text: str) -> str:
    """A factor, in parentheses where a reader could take it apart."""
    return f"({text})" if " " in text or text.startswith("-") else text
