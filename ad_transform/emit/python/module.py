"""A whole generated file: header, imports, constants, helpers, functions."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from ad_transform.dataclass import replace
from ad_transform.elementals.helpers import HELPERS, NUMPY, needs
from ad_transform.emit.header import Header, Style
from ad_transform.emit.python.dicts.keyed import looks
from ad_transform.emit.python.docstring import docstring, docstring_of_setup
from ad_transform.emit.python.function import computed, printed, together
from ad_transform.emit.python.layout import assignment, comment, listing, readable
from ad_transform.emit.python.references import names_in
from ad_transform.emit.schedule.anchors import Parts
from ad_transform.emit.schedule.names import natural
from ad_transform.emit.schedule.owners import source_parts
from ad_transform.emit.target import Printed
from ad_transform.ir.count import Counts, count
from ad_transform.ir.nodes import Bundle, Function, Var
from ad_transform.later import later
from ad_transform.options import Options

with later():
    from ad_transform.derive.constants.known_arrays import with_constants_of_called
    from ad_transform.emit.python.dicts.rewritten import with_dicts
    from ad_transform.emit.python.matrices import with_matrices
    from ad_transform.emit.python.no_rows import with_rows_or_none
    from ad_transform.emit.python.outside import print_outside
    from ad_transform.emit.python.tables import with_tables
    from ad_transform.emit.wholes.flattening import has_wholes

if TYPE_CHECKING:
    from ad_transform.derive.kinds.kinds import Derived

_STYLE = Style("#")


def print_function(
    derived: Derived,
    reserved: Iterable[str],
    options: Options,
    said: str = "",
    formulas: Mapping[str, str] | None = None,
) -> Printed:
    """A derived function as text, behind those that it calls.

    `said` is the docstring of its source, `formulas` are the names of the constants
    that the output makes of those of the source.

    `reserved` are the names that the generated module defines: its functions, and the
    module constants of the source. (Not every name of the source: `sin` imported there
    is no obstacle.)
    """
    limit = options.line_length
    parts = _parts(derived)
    text = docstring(derived, limit, said)
    own = frozenset(reserved).union(f.name for f in derived.before)
    return together(
        [
            *(_helper_of(derived, f, own, limit, formulas) for f in derived.before),
            printed(derived.function, text, own, limit, formulas, parts),
        ]
    )


def _helper_of(
    derived: Derived,
    function: Function,
    reserved: frozenset[str],
    limit: int,
    formulas: Mapping[str, str] | None,
) -> Printed:
    """A function that a derived one calls, or that runs before it."""
    if function.outside is not None:
        return print_outside(function, function.outside, reserved, limit)
    text = derived.said.get(function.name, f"Part of `{derived.function.name}`.")
    said = [f'    """{text}"""']
    if derived.setup.startswith(f"{function.name}("):
        said = docstring_of_setup(derived, function, limit)
    return printed(function, said, reserved, limit, formulas, _parts(derived))


def computed_lines(
    derived: Derived,
    reserved: Iterable[str],
    options: Options,
    formulas: Mapping[str, str] | None = None,
) -> list[tuple[Var, ...]]:
    """The values that each of the last lines of `print_function`'s text computes."""
    limit, parts = options.line_length, _parts(derived)
    return computed(derived.function, reserved, limit, formulas, parts)


def prepared(derived: Derived) -> Derived:
    """The functions with dicts for lists of keys, the operations of these, and with
    constants of the output for tables: calls do not hand these on.
    """
    made = with_constants_of_called(_with_dicts(_with_matrices(derived)))
    return with_tables(made) if made.tables else made


def _with_matrices(derived: Derived) -> Derived:
    if not any(map(has_wholes, derived.bundle.functions)):
        return derived
    return _with_bundle(derived, with_rows_or_none(with_matrices(derived.bundle)))


def _with_dicts(derived: Derived) -> Derived:
    bundle = derived.bundle
    if not any(map(looks, bundle.functions)):
        return derived
    public = {derived.function.name, derived.setup.partition("(")[0]}
    return _with_bundle(derived, with_dicts(bundle, public))


def _with_bundle(derived: Derived, made: Bundle) -> Derived:
    """The derivative as other functions, with the operations of these."""
    if made is derived.bundle:
        return derived
    counts = _counts(derived, made.main)
    return replace(derived, function=made.main, before=made.before, counts=counts)


def _counts(derived: Derived, function: Function) -> Counts:
    """The operations of a function that looks for keys otherwise than by lists."""
    own, old, new = derived.counts, count(derived.function), count(function)
    if own == old:
        return new
    before, after, mine = old.classes(), new.classes(), own.classes()
    changed = {kind: mine[kind] + after[kind] - before[kind] for kind in mine}
    return Counts(**changed, loops=own.loops)


def _parts(derived: Derived) -> Parts | None:
    return source_parts(derived.program) if derived.program else None


def print_module(
    functions: Sequence[Printed],
    constants: Mapping[str, str | Printed],
    header: Header | None,
    notes: Mapping[str, tuple[str, ...]] | None = None,
    limit: int = 88,
    name: str = "",
) -> str:
    """The text of a file with these functions.

    `constants` are the definitions of the source's module constants in its order, and
    the functions that they are computed by; those that are read, and those that these
    refer to, are copied with their `notes`.
    """
    copied = _needed(functions, constants)
    called = [c for c in (constants[name] for name in copied) if isinstance(c, Printed)]
    helpers, early = _helpers([*called, *functions]), _helpers(called)
    own = frozenset(copied)
    imports = dict(pair for one in (*called, *functions) for pair in one.imports)
    for constant in copied:
        imports |= _imports_of(constants[constant], constants)
    texts: dict[str, str] = {}
    for helper in helpers:
        texts[helper], needed = _helper(helper, own)
        imports |= needed
    parts = [*_import_blocks(imports, limit)]
    blocks = [texts.pop(helper) for helper in early]
    for is_code, run in groupby(copied, lambda name: not _is_text(constants[name])):
        if is_code:
            blocks += (_code(constants[name]) for name in run)
            continue
        lines = _definitions(list(run), constants, notes or {}, limit)
        block = "\n".join(lines) + "\n"
        (blocks if blocks else parts).append(block)
    head = "\n".join(parts)
    bodies = [*blocks, *texts.values(), *(function.text for function in functions)]
    text = "\n\n".join([*([head] if head else []), *bodies])
    return _under(header, text, blank=1 if head else 2)


Definitions = Mapping[str, str | Printed]


def _is_text(definition: str | Printed) -> bool:
    return isinstance(definition, str)


def _code(definition: str | Printed) -> str:
    assert isinstance(definition, Printed)
    return definition.text


def _under(header: Header | None, text: str, blank: int) -> str:
    return text if header is None else header.render(_STYLE) + "\n" * blank + text


def _reached(
    wanted: list[str], table: Mapping[str, object], read: Callable[[str], Iterable[str]]
) -> list[str]:
    """The wanted entries of a table, and those that they read, in the table's order."""
    found: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name not in found:
            found.add(name)
            wanted += (n for n in read(name) if n in table)
    return [name for name in table if name in found]


# --- constants ------------------------------------------------------------------------


def _needed(functions: Sequence[Printed], constants: Definitions) -> list[str]:
    """The constants that are read, directly or by others, in the source's order."""
    wanted = [name for function in functions for name in function.constants]
    return _reached(wanted, constants, lambda name: _read(constants[name]))


def _read(definition: str | Printed) -> Iterable[str]:
    """The names that a definition reads."""
    return names_in(definition) if isinstance(definition, str) else definition.constants


def _imports_of(definition: str | Printed, constants: Definitions) -> dict[str, str]:
    """The imports of a definition: names of `math`, and numpy."""
    found: dict[str, str] = {}
    if isinstance(definition, Printed):
        return found
    for name in names_in(definition):
        if name in constants:
            continue
        if name == "math":
            found["math"] = "math"
        elif name in NUMPY:
            found[name] = "numpy"
        elif hasattr(math, name):
            found[name] = f"math.{name}"
    return found


def _definitions(
    names: Sequence[str],
    constants: Definitions,
    notes: Mapping[str, tuple[str, ...]],
    limit: int,
) -> Iterator[str]:
    told: set[int] = set()
    for name in names:
        text, said = constants[name], notes.get(name, ())
        if id(said) in told:
            said = ()  # a statement of several names: its comments come once
        told.add(id(said))
        assert isinstance(text, str)
        if "\n" in text:
            yield from (comment(note) for note in readable(said))
            yield f"{name} = {text}"
        else:
            yield from assignment(name, text, said, 0, limit)


# --- helpers --------------------------------------------------------------------------


def _helpers(functions: Sequence[Printed]) -> list[str]:
    """The helpers that are called, directly or by others, in the order of the table."""
    wanted = [name for function in functions for name in function.helpers]
    return _reached(wanted, HELPERS, needs)


def _helper(name: str, taken: frozenset[str]) -> tuple[str, dict[str, str]]:
    """A helper's text and its imports; `taken` names are reached through `math`."""
    text = HELPERS[name]
    imports: dict[str, str] = {}
    for needed in needs(name):
        if needed in HELPERS:
            continue
        if needed == "math":
            imports["math"] = "math"
        elif needed in taken:
            imports["math"] = "math"
            text = re.sub(rf"(?<![\w.]){needed}\b", f"math.{needed}", text)
        else:
            imports[needed] = f"math.{needed}"
    return text, imports


# --- imports --------------------------------------------------------------------------


def _import_blocks(imports: Mapping[str, str], limit: int) -> Iterator[str]:
    """The imports of the standard library, of numpy, and other names of builtins."""
    modules = {n: q for n, q in imports.items() if q in ("math", "numpy")}
    names = {n: q for n, q in imports.items() if n not in modules}
    for packages in _PACKAGES:
        lines = [
            _import(name, module)
            for name, module in sorted(modules.items())
            if module in packages
        ]
        for module in packages:
            items = [(q, n) for n, q in names.items() if q.rpartition(".")[0] == module]
            if items:
                lines += _from(module, items, limit)
        if lines:
            yield "\n".join(lines) + "\n"
    known = {"", "builtins", *(module for each in _PACKAGES for module in each)}
    others: dict[str, list[tuple[str, str]]] = {}
    for name, qualified in names.items():
        others.setdefault(qualified.rpartition(".")[0], []).append((qualified, name))
    lines = [
        line
        for module in sorted(others.keys() - known)
        for line in _from(module or ".", others[module], limit)
    ]
    if lines:
        yield "\n".join(lines) + "\n"
    aliases = [
        f"{name} = {qualified.removeprefix('builtins.')}"
        for name, qualified in sorted(names.items())
        if qualified.startswith("builtins.")
    ]
    if aliases:
        yield "\n".join(aliases) + "\n"


_PACKAGES = (("collections.abc", "math", "typing"), ("numpy", "numpy.typing"))


def _import(name: str, module: str) -> str:
    return f"import {module}" if name == module else f"import {module} as {name}"


def _from(module: str, items: list[tuple[str, str]], limit: int) -> list[str]:
    texts: list[str] = []
    for qualified, name in sorted(items, key=lambda item: natural(item[0])):
        original = qualified.rpartition(".")[2]
        texts.append(original if original == name else f"{original} as {name}")
    if len(module) + len(", ".join(texts)) + len("from  import ") <= limit:
        return [f"from {module} import {', '.join(texts)}"]
    return listing(f"from {module} import ", texts, "", limit)
