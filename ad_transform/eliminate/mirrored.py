"""Elimination of pairs on graphs that are their own mirror image.

In the graph of a gradient every vertex u has an image u', every edge u -> w the image
w' -> u' with the same label. So the labels are the coefficients of a quadratic form:
with a(u) that of u -> v, b(w) that of v -> w and c that of v -> v', to eliminate v and
v' is to put the sum of all a(u) u for v in

    b(w) v w  +  c v v / 2

and every product of two different vertices is formed once for both its edges. Costs
|P| multiplications for c a, where v -> v' is there, one for each u and w that are not
both in P, one or two for each pair of P (two where both have a b of their own), and one
for each u of P by itself.

Sources: Gower & Mello 2012, section 3: in reverse order this is edge pushing; Griewank
& Walther 2008, section 10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from ad_transform.eliminate.replay import State

L = TypeVar("L")


class Pair(Generic[L]):
    """A vertex v of a state and its image, about to be eliminated."""

    def __init__(self, state: State[L], v: int, image: int) -> None:
        self.state = state
        self.whole = v + image
        self.vertex = v
        rows, whole = state.rows, self.whole
        sources, row = sorted(state.columns[v]), rows[v]
        mirrored = {whole - w for w in row} == state.columns.get(image)
        if not mirrored or {whole - u for u in sources} != rows[image].keys():
            raise ValueError(f"vertex {image} is no mirror image of {v}")
        self.into = {u: rows[u][v] for u in sources}
        self.out = {w: row[w] for w in sorted(row) if w != image}
        self.bends = [row[image]] if image in row else []  # labels may be None
        self._settle()
        self._slopes = {w: self.out[w] for u in sources if (w := whole - u) in self.out}
        self._twice: dict[int, L] = {}
        self._bend()

    def _settle(self) -> None:
        """Ask the algebra for labels that are used more than once."""
        settle = getattr(self.state.algebra, "settle", None)
        if settle is None:
            return
        v, image = self.vertex, self.whole - self.vertex
        if len(self.into) > 1:
            self.out = {w: settle(label, v, w) for w, label in self.out.items()}
            self.bends = [settle(label, v, image) for label in self.bends]
        if len(self.out) + len(self.bends) * len(self.into) > 1:
            self.into = {u: settle(label, u, v) for u, label in self.into.items()}

    def _bend(self) -> None:
        """Make b(u') + c a(u) and 2 b(u') + c a(u), by u'."""
        v, image, algebra = self.vertex, self.whole - self.vertex, self.state.algebra
        for u, label in self.into.items():
            w = self.whole - u
            for c in self.bends:
                product = algebra.multiply(c, label, u, v, image)
                if w in self.out:
                    product = algebra.add(self.out[w], product, v, w)
                self._slopes[w] = product
            if w in self._slopes:
                self._twice[w] = self._slopes[w]
            if w in self.out:
                self._twice[w] = algebra.add(self.out[w], self._slopes[w], v, w)

    def eliminate(self) -> None:
        """Form all products, each once for both its edges."""
        rows, columns, whole = self.state.rows, self.state.columns, self.whole
        v, image = self.vertex, whole - self.vertex
        for u in self.into:
            del rows[u][v]
        for w in self.out:
            del rows[whole - w][image]
        del rows[v], rows[image]
        self._form()
        for u in self.into:
            columns[whole - u].remove(image)
        for w in self.out:
            columns[w].remove(v)
        del columns[v], columns[image]

    def _form(self) -> None:
        whole = self.whole
        targets = sorted({*self.out, *(whole - u for u in self.into)})
        for u in self.into:
            for w in targets:
                if whole - w not in self.into:
                    self._absorb(u, w, self.out[w], u)
                elif u < whole - w:
                    self._absorb_both(u, w)
                elif u == whole - w and w in self._twice:
                    self._absorb(u, w, self._twice[w], u)

    def _absorb_both(self, u: int, w: int) -> None:
        """a(u) b(w) + a(w') b(u') + a(u) c a(w'), for the edges u -> w and w' -> u'."""
        if w not in self.out:
            u, w = self.whole - w, self.whole - u  # c goes with a b, if there is one
        if w in self._slopes:
            self._absorb(u, w, self._slopes[w], u)
        if self.whole - u in self.out:
            self._absorb(u, w, self.out[self.whole - u], self.whole - w)

    def _absorb(self, u: int, w: int, out: L, source: int) -> None:
        """Add the label times a(source) to u -> w and its image."""
        rows, columns, algebra = self.state.rows, self.state.columns, self.state.algebra
        label = algebra.multiply(out, self.into[source], u, self.vertex, w)
        if w in rows.setdefault(u, {}):
            label = algebra.add(rows[u][w], label, u, w)
        for a, b in ((u, w), (self.whole - w, self.whole - u)):
            rows.setdefault(a, {})[b] = label
            columns.setdefault(b, set()).add(a)
