"""Operations on the labels of edges, given by the caller of a replay."""

from __future__ import annotations

from typing import Protocol, TypeVar

L = TypeVar("L")


class Dearer(Exception):
    """A price has passed the limit that was given: the candidate is out of the race.

    Raised by algebras and planners, handled by `choose`.
    """


class Algebra(Protocol[L]):
    """The operations of labels. `unit` is the label one, used for copies.

    An algebra may also have

    * `settle(label, u, w) -> L`: it is asked for the label of an edge u -> w that a
      vertex elimination is about to use more than once;
    * `watch(state)`: it gets the `replay.State`, and None when a line graph takes over
      and when all steps are done;
    * `composes(out_edge, in_edge, u, v, w) -> bool`: whether the two labels have a
      product. If one pair of a step has none, the step is refused: nothing is done,
      and a smaller graph is left in the end (see `remainder`);
    * `copied(u) -> L`: the label of the edge from u to its copy, where that is not
      `unit`.
    """

    @property
    def unit(self) -> L: ...

    def multiply(self, out_edge: L, in_edge: L, u: int, v: int, w: int) -> L:
        """The label of the path u -> v -> w: label(v -> w) times label(u -> v)."""
        ...

    def add(self, old: L, new: L, u: int, w: int) -> L:
        """The label of u -> w after `new` is absorbed into `old`."""
        ...
