"""The vertices of a graph: their names, and the text in their boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ad_transform.dataclass import dataclass, replace
from ad_transform.derive.accumulation.linearise import Linearisation
from ad_transform.derive.accumulation.outcome import Trail
from ad_transform.ir.build import Builder
from ad_transform.ir.nodes import Function, Var
from ad_transform.ir.unlike import claimed
from ad_transform.picture.model import Role, Vertex
from ad_transform.picture.wording import Speller, operation


@dataclass(frozen=True, slots=True)
class Called:
    """Names that the graph alone does not tell.

    `results` are names of the rows, for results without names of their own. `seed` is
    the name of the vertex of the seeds, if there is one: the only one in the role
    `seeded`. Where `perturbed`, columns are errors of the vertices behind them; where
    `mirrored`, the later vertices are images of the earlier ones.
    """

    results: tuple[str, ...]
    seed: str = ""
    seeded: Role | None = None
    perturbed: bool = False
    mirrored: bool = False


def rows_of(function: Function) -> Called:
    """The names of the rows of a function."""
    return Called(numbered(function.name, len(function.results)))


def numbered(name: str, count: int) -> tuple[str, ...]:
    """`f`, or `f[0]`, `f[1]`, ..."""
    return (name,) if count == 1 else tuple(f"{name}[{i}]" for i in range(count))


@dataclass(slots=True)
class Cast:
    """The vertices by number, and the speller of their formulas."""

    vertices: dict[int, Vertex]
    speller: Speller

    @property
    def names(self) -> dict[int, str]:
        """The names of the vertices by number."""
        return {v: vertex.name for v, vertex in self.vertices.items()}


def cast(trail: Trail, called: Called) -> Cast:
    """The vertices of a trail's graph: live ones, and all inputs; linear."""
    return _Casting(trail, called).run()


class _Casting:
    def __init__(self, trail: Trail, called: Called) -> None:
        self.linear: Linearisation = trail.linear
        self.called = called
        self.builder: Builder = trail.builder.fork()
        live = self.linear.graph.live()
        self.numbers = [
            v for v in range(len(live)) if live[v] or v in self.linear.sources
        ]
        self.before = self.linear.graph.predecessors()
        self.after = self.linear.graph.successors()
        rows = zip(self._results(), called.results, strict=False)
        self.rows = {t: name for t, name in rows if t is not None}
        self.taken: set[str] = set()

    def _results(self) -> Sequence[int | None]:
        """The vertices of the results; behind adjoint seeds, where there is one."""
        ends = self.linear.graph.dependents
        if self.called.seeded is Role.OUTPUT and len(self.called.results) == 1 and ends:
            return self.before[ends[0]]
        return self.linear.targets

    def run(self) -> Cast:
        values = self.linear.values
        names = self._user_names()
        spare = self._spare_names(names)
        speller = Speller(self.builder, names, spare)
        active = frozenset(values[v] for v in self.numbers if v in values)
        vertices = {
            v: self._vertex(v, {**spare, **names}, speller, active)
            for v in self.numbers
        }
        for v in self.numbers:  # those named after other vertices come last
            vertices[v] = self._after(v, vertices)
        return Cast(vertices, speller)

    # --- names ------------------------------------------------------------------------

    def _user_names(self) -> dict[Var, str]:
        """The user's names, made distinct, those of the inputs first."""
        columns = set() if self.called.perturbed else set(self.linear.sources)
        inputs = [x for v, x in self.linear.values.items() if v in columns]
        read = [o for s in self.builder.body for o in s.inputs if isinstance(o, Var)]
        inputs += [x for x in read if x not in self.builder.definition]
        made = [out for s in self.builder.body for out in s.outs]
        return {
            x: self._claim(x.hint) for x in dict.fromkeys((*inputs, *made)) if x.hint
        }

    def _claim(self, wish: str) -> str:
        return claimed(wish, self.taken)

    def _spare_names(self, names: Mapping[Var, str]) -> dict[Var, str]:
        """`v1`, `v2`, ... for other vertices; results by the name of their row."""
        prefix = next((p for p in "vwtuz" if not self._used(p)), "v")
        spare: dict[Var, str] = {}
        for v in self.numbers:
            value = self.linear.values.get(v)
            if value is None or value in names or v in self.linear.sources:
                continue
            row = self.rows.get(v)
            spare[value] = self._claim(row or f"{prefix}{len(spare) + 1}")
        return spare

    def _used(self, prefix: str) -> bool:
        return any(n[:1] == prefix and n[1:].isdigit() for n in self.taken)

    # --- boxes ------------------------------------------------------------------------

    def _role(self, v: int) -> Role:
        if v in self.linear.sources:
            return Role.INPUT
        return Role.OUTPUT if v in self.linear.graph.dependents else Role.INNER

    def _vertex(
        self,
        v: int,
        names: Mapping[Var, str],
        speller: Speller,
        active: frozenset[Var],
    ) -> Vertex:
        role, value = self._role(v), self.linear.values.get(v)
        name = "" if value is None else names.get(value, "")
        statement = None if value is None else self.builder.definition.get(value)
        if value is None or statement is None:
            detail = "" if self.after[v] or self.before[v] else "not used"
            return Vertex(v, role, name, name, detail, name)
        done = operation(statement, active, speller)
        line = value.span.line if value.span and not value.span.path else 0
        tip = f"{name} = {speller.definition(value)}"
        tip += f"   (line {line})" if line else ""
        if value in speller.names:
            return Vertex(v, role, name, name, done, tip, line=line)
        return Vertex(v, role, name, done, name, tip, line=line)

    def _after(self, v: int, vertices: Mapping[int, Vertex]) -> Vertex:
        """Names for seeds, errors, copies and stages."""
        vertex = vertices[v]
        if vertex.name:
            return vertex
        if self.called.perturbed and v in self.linear.sources:
            own = vertices[self.after[v][0]].name if self.after[v] else "?"
            return _renamed(
                vertex, f"δ{own}", "", f"δ{own}: the rounding error of {own}"
            )
        image = self.linear.graph.size - 1 - v
        if self.called.mirrored and image < v:
            own = vertices[image].name
            name = self._claim(self.rows.get(v, f"{own}_bar"))
            return _renamed(vertex, name, "", f"{name}: the mirror image of {own}")
        if vertex.role is self.called.seeded:
            return _renamed(vertex, self.called.seed, "seed", "the seeds are its edges")
        if v in self.linear.sources:
            name = self._claim(f"input{v + 1}")
            return _renamed(vertex, name, vertex.detail, name)
        if v in self.rows:
            (origin,) = self.before[v]
            own = vertices[origin].name
            name = self._claim(self.rows[v])
            return _renamed(vertex, name, f"= {own}", f"{name} = {own}")
        (end,) = self.after[v]
        own = vertices[end].name
        tip = f"the first of two stages of {own}, whose partials have a common factor"
        return _renamed(vertex, self._claim(f"{own}'"), "stage", tip)


def _renamed(vertex: Vertex, name: str, detail: str, tip: str) -> Vertex:
    return replace(vertex, name=name, title=name, detail=detail, tip=tip)
