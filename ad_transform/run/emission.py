"""`--emit`: programs, graphs and steps between source and output, as text on stdout.

`ir` is the program of the source, the one that each pass has made of it, and the
derived one; `graph` is the graph that was eliminated, `sequence` the steps by which.
Under `--cost fma` graph and steps are those of the graph as written. Lines with `#` say
what follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ad_transform.dataclass import replace
from ad_transform.derive.accumulation.outcome import Pass
from ad_transform.derive.explain import raw_graph
from ad_transform.derive.kinds.kinds import Derived
from ad_transform.diagnostics import Diagnostic, Listing, Refusal
from ad_transform.eliminate.steps import Sequence, format_sequence
from ad_transform.graph.computational import Graph
from ad_transform.graph.text import format_graph
from ad_transform.ir.nodes import LEAF, Block, Function, group
from ad_transform.ir.text import format_function
from ad_transform.later import later
from ad_transform.options import Options
from ad_transform.run.batch import DONE, Mode, Outcome, Work, refused
from ad_transform.run.deriving import derive_all, has_error, options_of
from ad_transform.run.neighbours import neighbours_of
from ad_transform.run.report import source_lines

with later():
    from ad_transform.eliminate.effort import planned

Parts = Iterator[tuple[str, str]]
"""The title of each part, and its text."""


def _programs(function: Function, derived: Derived, options: Options) -> Parts:
    yield f"{function.name}, as read", format_function(function)
    for one in derived.passes:
        title = f"{derived.function.name}, order {derived.order}: {one.name}"
        yield title, format_function(_program(derived.function, one))
    yield derived.function.name, format_function(derived.function)


def _program(derived: Function, one: Pass) -> Function:
    """The code behind a pass as a function of the derived one's parameters."""
    block = Block(derived.block.params, one.body, one.results)
    nest = group((LEAF,) * len(one.results))
    return replace(derived, block=block, nest=nest, primal=0)


def _graphs(function: Function, derived: Derived, options: Options) -> Parts:
    for title, graph, _ in _eliminations(function, derived, options):
        yield title, format_graph(graph)
    yield from _without_graph(derived, options)


def _sequences(function: Function, derived: Derived, options: Options) -> Parts:
    for title, _, sequence in _eliminations(function, derived, options):
        yield title, format_sequence(sequence)
    yield from _without_graph(derived, options)


def _without_graph(derived: Derived, options: Options) -> Parts:
    """A comment in place of the graph of a function that is derived block by block."""
    if not (derived.trails or derived.vectors) and options.cost != "fma":
        title = f"{derived.function.name}, order {derived.order or 'none'}"
        yield title, "# no graph of the whole: derived block by block"


def _eliminations(
    function: Function, derived: Derived, options: Options
) -> Iterator[tuple[str, Graph, Sequence]]:
    """Graphs in the order of derivation, each with the steps that eliminate it."""
    name = derived.function.name
    if options.cost == "fma":
        graph = raw_graph(function, derived.independents, derived.kind)
        order, sequence = planned(options.order, graph, options.effort)
        yield f"{name}, order {order}", graph, sequence
        return
    title = f"{name}, order {derived.order}"
    if derived.vectors:
        yield title, derived.vectors.plan.graph, derived.vectors.plan.sequence
    for trail in derived.trails:
        yield title, trail.linear.graph, trail.sequence


FORMS: dict[str, Callable[[Function, Derived, Options], Parts]] = {
    "ir": _programs,
    "graph": _graphs,
    "sequence": _sequences,
}


def emitter(form: str) -> Mode:
    """The mode that prints one of FORMS and writes nothing."""
    parts = FORMS[form]

    def emitted(work: Work) -> Outcome:
        path, options = work.task.shown, work.task.options
        listing = Listing(path, source_lines(work.source))
        around = neighbours_of(work.task).around(work.task)
        reading, made, diagnostics = derive_all(
            work.source, path, options, listing, around
        )
        said = work.findings(diagnostics)
        if has_error(diagnostics):
            return refused(*said)
        texts: list[str] = []
        unseen: list[Diagnostic] = []
        for request, derived in zip(reading.requests, made, strict=True):
            own = options_of(request, options)
            try:
                for title, text in parts(request.function, derived, own):
                    texts.append(f"# {title}\n{text.rstrip()}\n")
            except Refusal as refusal:  # the graph as written has no such order
                unseen += refusal.at(request.span).diagnostics
        if unseen:
            return refused(*said, *work.findings(unseen))
        return Outcome(DONE, "printed", said, product="".join(texts))

    return emitted
