"""The model of a picture: vertices, edges with their labels, steps, and their lives.

Time is counted in steps: frame 0 is the graph before the first step, frame k the graph
after step k. An item that is there from frame `born` on is gone in frame `died`.
"""

from __future__ import annotations

from enum import Enum

from ad_transform.dataclass import dataclass

ALWAYS = 1 << 30
"""The `died` of items that are never eliminated."""


class Role(Enum):
    """The role of a vertex: inputs stand left, results right."""

    INPUT = "input"
    INNER = "inner"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class Vertex:
    """A vertex: the texts in its box, and the whole definition as a tip.

    `name` stands in formulas and steps, `title` is the large text: the user's name,
    otherwise the operation; `detail` is the small text. `line` is that of the source, 0
    for inputs, seeds and copies.
    """

    number: int
    role: Role
    name: str
    title: str
    detail: str
    tip: str
    born: int = 0
    died: int = ALWAYS
    line: int = 0


@dataclass(frozen=True, slots=True)
class Arrow:
    """An edge with one label; where a step adds to the label, a new arrow replaces it.

    `tip` is the whole label. `follows` is the number of the arrow it replaces, if any.
    """

    source: int
    target: int
    label: str
    tip: str
    born: int = 0
    died: int = ALWAYS
    follows: int | None = None

    @property
    def replaced(self) -> bool:
        """Whether this arrow came by absorption."""
        return self.follows is not None


@dataclass(frozen=True, slots=True)
class Stage:
    """One step in words, its products, and its numbers of operations.

    `multiplications` are those of the plain count, `free` those among them that cost
    nothing when printed: one factor is 1 or -1, or both are constants. `products` name
    the products line by line.
    """

    text: str
    reason: str
    products: tuple[str, ...]
    multiplications: int
    additions: int
    free: int


@dataclass(frozen=True, slots=True)
class Umbrella:
    """A maximal closed umbrella: its vertices, topologically sorted; gone at `died`."""

    vertices: tuple[int, ...]
    died: int = ALWAYS


@dataclass(frozen=True, slots=True)
class Page:
    """One graph with its history.

    `key` is the name of the generated function, `title` and `caption` say what is
    drawn. Vertices come by number; arrows by birth, then source and target. `inputs`
    and `outputs` are the columns and rows of the Jacobian, None a row of zeros.
    `orders` are the plain counts of some orders of elimination on the same graph,
    `bound` is a lower bound of that of any elimination; `structures` are blocks and
    pages, each with its name. `wholes` says that vertices are arrays: products
    cost what their lengths say, which is not counted by hand.
    """

    key: str
    title: str
    caption: str
    vertices: tuple[Vertex, ...]
    arrows: tuple[Arrow, ...]
    stages: tuple[Stage, ...]
    umbrellas: tuple[Umbrella, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int | None, ...]
    orders: tuple[tuple[str, int], ...] = ()
    bound: int | None = None
    structures: tuple[tuple[str, str], ...] = ()
    wholes: bool = False

    @property
    def names(self) -> dict[int, str]:
        """The names of the vertices by number."""
        return {vertex.number: vertex.name for vertex in self.vertices}

    @property
    def multiplications(self) -> int:
        """The plain count of the whole sequence."""
        return sum(stage.multiplications for stage in self.stages)
