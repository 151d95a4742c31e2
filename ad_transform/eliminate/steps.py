"""The one language in which planners say how a Jacobian is accumulated.

A sequence of steps turns a computational graph into the bipartite graph of its
Jacobian. Notation: P(v) and S(v) are the predecessors and successors of v at the time
of the step. Every step is performed by forming products along paths u -> v -> w and
adding each to the label of the edge u -> w (absorption) or, where there is none, making
that edge (fill-in).

**Order.** The order of a step's products is part of its meaning; it decides the bits of
the result and the text that is emitted. A product is always (label of v -> w) times
(label of u -> v), and is added at once, on the right of the label of u -> w. Vertices
are taken in ascending number:

    vertex v      for u in P(v): for w in S(v): path u -> v -> w
    front u v     for w in S(v): path u -> v -> w
    back u v      for t in P(u): path t -> u -> v
    contract a.. z    vertex z, .., vertex a: the last one named goes first
    face i j      the one product (label of j) times (label of i), see `faces`

**Names.** `front` joins u with the successors of v, `back` joins the predecessors of u
with v (Griewank & Walther 2008, section 10.2). Naumann 1999 calls the back elimination
of an edge forward (section 2.1, it happens in the forward mode) and the front
elimination backward (section 2.2).

A vertex or edge without which no path is left is dropped together with the edges that
thereby lead nowhere ("dangling", Naumann 1999, section 3.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from ad_transform.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class EliminateVertex:
    """Eliminate the intermediate vertex v: |P(v)| |S(v)| multiplications."""

    vertex: int


@dataclass(frozen=True, slots=True)
class EliminatePair:
    """Eliminate a vertex v of a symmetric graph and its mirror image together.

    The mirror image of vertex u is image + vertex - u, that of u -> w leads from the
    image of w to that of u, and both have the same label; so every product is formed
    once. See `mirrored`.
    """

    vertex: int
    image: int


@dataclass(frozen=True, slots=True)
class FrontEliminateEdge:
    """Replace u -> v by edges from u to S(v): |S(v)| multiplications.

    The target v is intermediate. Naumann 1999, section 2.2, "backward".
    """

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class BackEliminateEdge:
    """Replace u -> v by edges from P(u) to v: |P(u)| multiplications.

    The source u is intermediate. Naumann 1999, section 2.1, "forward".
    """

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class EliminateFace:
    """Eliminate the face (i, j) of the line graph: one multiplication.

    i and j are vertices of the line graph, numbered as `ad_transform.graph.linegraph`
    says. The first step of this kind or the next turns the graph that is left into its
    line graph; only such steps may follow. See `faces`.
    """

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class SplitLineVertex:
    """Let a clone take over faces of a vertex of the line graph: no multiplication.

    As `SplitVertex`: one set is all of P or S, the other one is the part that moves.
    The clone must be the next free number.
    """

    vertex: int
    clone: int
    predecessors: tuple[int, ...]
    successors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CopyVariable:
    """Replace u -> v by u -> w -> v, where w := u is a new vertex: no multiplication.

    u -> w has the label one, w -> v the label that u -> v had. The number w must not
    be in use. Murota & Kubota 1989, figure 2.
    """

    source: int
    target: int
    copy: int


@dataclass(frozen=True, slots=True)
class SplitVertex:
    """Let a clone take over the paths predecessors x successors of a vertex: no
    multiplication.

    The clone gets the labels of the edges from `predecessors` and to `successors`.
    `predecessors` must be all of P(v), and v then loses the edges to `successors`, or
    `successors` must be all of S(v), and v loses the edges from `predecessors`.
    Splitting off one successor and eliminating the clone is the back elimination of an
    edge; so splits with vertex elimination cover edge elimination.
    """

    vertex: int
    clone: int
    predecessors: tuple[int, ...]
    successors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Contract:
    """Contract the contractible subgraph with these interior vertices.

    `interior` stands in topological order and is eliminated from last to first: the
    reverse mode inside the subgraph. Murota & Kubota 1989, section 2.
    """

    interior: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Factorise:
    """Replace the remaining graph by its Jacobian, by the D* strategy.

    Every entry has a graph of its own; factor subgraphs that these have in common are
    computed once. See `dstar`.
    """


Step: TypeAlias = (
    EliminateVertex
    | EliminatePair
    | FrontEliminateEdge
    | BackEliminateEdge
    | EliminateFace
    | SplitLineVertex
    | CopyVariable
    | SplitVertex
    | Contract
    | Factorise
)


@dataclass(frozen=True, slots=True)
class Sequence:
    """Steps in the order in which they are performed; equal if the steps are equal."""

    steps: tuple[Step, ...]

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __str__(self) -> str:
        return format_sequence(self)


def format_step(step: Step) -> str:
    """The line that stands for one step."""
    match step:
        case EliminateVertex(v):
            return f"vertex {v}"
        case EliminatePair(v, w):
            return f"pair {v} {w}"
        case FrontEliminateEdge(u, v):
            return f"front {u} {v}"
        case BackEliminateEdge(u, v):
            return f"back {u} {v}"
        case EliminateFace(i, j):
            return f"face {i} {j}"
        case CopyVariable(u, v, w):
            return f"copy {u} {v} {w}"
        case SplitVertex(v, w, predecessors, successors):
            return f"split {v} {w} : {_join(predecessors)} : {_join(successors)}"
        case SplitLineVertex(i, k, predecessors, successors):
            return f"divide {i} {k} : {_join(predecessors)} : {_join(successors)}"
        case Contract(interior):
            return f"contract {_join(interior)}"
        case Factorise():
            return "factorise"


def format_sequence(sequence: Sequence) -> str:
    """One line per step; `parse_sequence` inverts it."""
    return "".join(format_step(step) + "\n" for step in sequence.steps)


def parse_sequence(text: str) -> Sequence:
    """The sequence that the text describes; `#` starts a comment.

    Raises ValueError, naming the line, for a step that is not in the language.
    """
    steps: list[Step] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        try:
            steps.append(_READERS[words[0]](words[1:]))
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"line {number}: not a step: {line.strip()!r}") from None
    return Sequence(tuple(steps))


def _join(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def _numbers(words: list[str]) -> tuple[int, ...]:
    return tuple(int(word) for word in words)


_Sets = tuple[int, int, tuple[int, ...], tuple[int, ...]]


def _sets(words: list[str]) -> _Sets:
    head, predecessors, successors = " ".join(words).split(":")
    vertex, clone = _numbers(head.split())
    return vertex, clone, _numbers(predecessors.split()), _numbers(successors.split())


# fmt: off
_READERS: dict[str, Callable[[list[str]], Step]] = {
    "vertex":   lambda words: EliminateVertex(*_numbers(words)),
    "pair":     lambda words: EliminatePair(*_numbers(words)),
    "front":    lambda words: FrontEliminateEdge(*_numbers(words)),
    "back":     lambda words: BackEliminateEdge(*_numbers(words)),
    "face":     lambda words: EliminateFace(*_numbers(words)),
    "copy":     lambda words: CopyVariable(*_numbers(words)),
    "split":    lambda words: SplitVertex(*_sets(words)),
    "divide":   lambda words: SplitLineVertex(*_sets(words)),
    "contract": lambda words: Contract(_numbers(words)),
    "factorise": lambda words: Factorise(*words),
}
# fmt: on
