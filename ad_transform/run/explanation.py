"""The figures of --explain as text and as JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence

from ad_transform.ir.price import NOMINAL
from ad_transform.run.losses import loss_lines

Figures = Mapping[str, object]  # with the keys of DESIGN.md, "Command line"


def as_json(objects: Sequence[Figures]) -> str:
    """A list with one object per function and kind."""
    return json.dumps(list(objects), indent=2, ensure_ascii=False) + "\n"


def as_text(objects: Sequence[Figures]) -> str:
    """A paragraph per function and kind; unknown figures are left out."""
    return "\n".join(
        "".join(f"{line}\n" for line in (*_lines(o), *loss_lines(o))) for o in objects
    )


def _lines(figures: Figures) -> list[str]:
    ends = (_counted(figures[key], key[:-1]) for key in ("independents", "dependents"))
    head = "{path}: {name}: {kind} of {function}, ".format_map(figures)
    rows = (
        ("graph", _graph(figures)),
        ("structure", _structure(figures)),
        ("counted", _of(figures)),
        (_cost(figures), _pairs(figures, "orders", "{key} {value}")),
        ("chosen", _chosen(figures)),
        ("printed", _printed(figures)),
        ("vectors", _vectors(figures)),
        ("emitted", _emitted(figures, "emitted")),
        ("setup", _emitted(figures, "setup")),
        ("kept", _kept(figures)),
        ("inlined", _inlined(figures)),
    )
    return [
        head + ", ".join(ends),
        *(line for label, text in rows if text for line in _wrapped(label, text)),
    ]


def _kept(figures: Figures) -> str:
    """The functions that are called instead of written out."""
    names = figures.get("kept")
    if not isinstance(names, list):
        return ""
    forms = _table(figures, "forms")
    texts = (f"{name} ({_formed(forms.get(name))})" for name in names)
    return f"as functions: {', '.join(texts)}"


def _inlined(figures: Figures) -> str:
    """The functions that were to be kept, in an estimate, and cannot be."""
    return _pairs(figures, "inlined", "{key} ({value})")


def _formed(forms: object) -> str:
    """The derivatives of a function that is kept: its value alone, without any."""
    return " and ".join(forms) if isinstance(forms, list) and forms else "value"


def _cost(figures: Figures) -> str:
    name = str(figures["cost"])
    return "cost weights" if "=" in name else f"cost {name}"


_LABEL, _WIDTH = 16, 88


def _wrapped(label: str, text: str) -> list[str]:
    lines = textwrap.wrap(text, _WIDTH - _LABEL, break_on_hyphens=False)
    labels = [f"  {label}", *[""] * (len(lines) - 1)]
    return [f"{left:<{_LABEL}}{line}" for left, line in zip(labels, lines, strict=True)]


def _table(figures: Figures, key: str) -> Figures:
    """The object under `key`, without what is null."""
    value = figures.get(key)
    items = value.items() if isinstance(value, Mapping) else ()
    return {name: item for name, item in items if item is not None}


def _pairs(figures: Figures, key: str, form: str) -> str:
    table = _table(figures, key)
    return ", ".join(form.format(key=k, value=v) for k, v in table.items())


def _graph(figures: Figures) -> str:
    singular = {"vertices": "vertex", "edges": "edge"}
    sizes = ", ".join(
        _counted(value, singular[key], key)
        for key, value in _table(figures, "graph").items()
    )
    umbrellas = _pairs(figures, "umbrellas", "{value} {key}")
    return f"{sizes}; umbrellas: {umbrellas}" if umbrellas else sizes


def _structure(figures: Figures) -> str:
    found = _table(figures, "structure")
    nouns = {
        "parts": "contractible part",
        "blocks": "complex block",
        "pages": "page",
        "factors": "common factor",
    }
    rest = (_counted(found[key], noun) for key, noun in nouns.items() if key in found)
    text = ", ".join(rest)
    if "paths" not in found:
        return text
    length = _counted(found["path_length"], "edge")
    return f"{_counted(found['paths'], 'path')} of {length}; {text}"


def _of(figures: Figures) -> str:
    """The derivative that orders are counted of, where it is not what is printed, or
    not on the graph above.
    """
    counted = _table(figures, "counted")
    of, kind = counted.get("of"), figures["kind"]
    if of in (None, kind):
        return ""
    if of in _SEEDED:
        edges = _counted(counted["edges"], "edge")
        return f"the {of} alone, on the graph with its seed ({edges})"
    return f"the {of} alone, of which the {kind} is derived"


_SEEDED = "tangent", "adjoint"


def _vectors(figures: Figures) -> str:
    """The unit of prices of whole arrays, and the cost of the plain way."""
    sweep = figures.get("sweep")
    if sweep is None:
        return ""
    way = f"column by column {sweep}"
    return f"prices are multiplications at lengths of {NOMINAL}; {way}"


def _chosen(figures: Figures) -> str:
    chosen = _table(figures, "chosen")
    if not chosen:
        return ""
    text = f"{chosen.get('order')} at {chosen.get('cost')}"
    if "bound" not in chosen:  # known for the plain count only
        return text + _counted_as(figures)
    proven = "proven best" if chosen.get("proven") else "not proven best"
    bound, over = chosen["bound"], _OVER[str(chosen["over"])]
    text += f", lower bound {bound} for {over}, {proven} of them"
    if chosen["over"] != "all":
        text += f", {chosen['overall']} for all eliminations"
    if "circular" not in chosen:
        return text
    circular = "some circular" if chosen["circular"] else "none circular"
    found = _counted(chosen["dependences"], "dependence")
    return f"{text}; {found} of faces, {circular}"


def _counted_as(figures: Figures) -> str:
    """The run that a price is of, where the emitted code has loops."""
    runs = str(_table(figures, "emitted").get("runs", ""))
    if not runs:
        return ""
    is_open = not runs.isdecimal()  # else all trips are written
    return " for a run" + f", with {NOMINAL} trips of each loop" * is_open


def _printed(figures: Figures) -> str:
    """The order and graph of the code, where orders are counted on another graph."""
    printed = _table(figures, "printed")
    if not printed:
        return ""
    cost, edges = (_listed(printed[key]) for key in ("cost", "edges"))
    noun = "edge" if edges == "1" else "edges"
    graphs = "graphs" if " and " in edges else "graph"
    return f"{printed['order']} at {cost}, on the merged {graphs} ({edges} {noun})"


def _listed(numbers: object) -> str:
    """The figures of all passes."""
    return " and ".join(map(str, numbers)) if isinstance(numbers, list) else ""


_OVER = {
    "vertices": "orders of vertices",
    "edges": "eliminations of vertices and edges",
    "faces": "eliminations of faces without splits",
    "all": "all eliminations",
}


def _emitted(figures: Figures, of: str) -> str:
    counts = dict(_table(figures, of)) if of in figures else {}
    total, runs = counts.pop("total", None), counts.pop("runs", None)
    classes = ", ".join(f"{value} {key}" for key, value in counts.items() if value)
    if total is None:
        return classes
    text = _counted(total, "operation")
    text = f"{text}: {classes}" if classes else text
    return f"{text}; run: {runs}" if runs else text


def _counted(count: object, noun: str, several: str = "") -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {several or noun + 's'}"
