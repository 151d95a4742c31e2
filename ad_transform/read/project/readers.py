"""Effects of functions and methods of Python and numpy on lists and arrays: reads,
changes.
"""

from __future__ import annotations

import ast

READERS = frozenset(
    {
        "abs",
        "all",
        "any",
        "dict",
        "enumerate",
        "len",
        "list",
        "max",
        "min",
        "print",
        "reversed",
        "sorted",
        "sum",
        "tuple",
        "zip",
    }
)
"""Builtins that change no argument, and whose results are new objects."""

OF_ITEMS = frozenset({"filter", "frozenset", "isinstance", "iter", "map", "set"})
"""Builtins that change no argument, and give its items to a function or a set."""

PAIRS = frozenset({"enumerate", "zip"})
"""Those of them that put their items into tuples."""

REDUCTIONS = frozenset({"sum", "mean", "dot", "min", "max", "prod"})
"""Methods of arrays that give numbers, or new arrays."""

METHODS = frozenset(
    {"keys", "values", "items", "get", "copy", "index", "count", *REDUCTIONS}
)
"""Methods that do the same as READERS, of dicts and arrays."""

NUMBERS = frozenset({"shape", "size", "ndim"})
"""Attributes of arrays that are no arrays."""

PARTS = frozenset({"ctypes", "data", "flat", "imag", "real"})
"""Attributes of arrays through which these may be written."""

VIEWS = frozenset(
    {
        "asarray",
        "atleast_1d",
        "atleast_2d",
        "broadcast_to",
        "diag",
        "diagonal",
        "flip",
        "ix_",
        "ravel",
        "reshape",
        "squeeze",
        "swapaxes",
        "transpose",
    }
)
"""Functions and methods whose result may be a view of their argument."""

WRITERS = frozenset(
    {
        "at",
        "copyto",
        "fill_diagonal",
        "place",
        "put",
        "put_along_axis",
        "putmask",
        "shuffle",
    }
)
"""Functions of numpy that change an argument."""

SHOWING = frozenset({"save", "savetxt", "savez", "savez_compressed"})
"""Functions of numpy that stand alone and change no argument, as `assert_...` do."""

LIBRARIES = frozenset({"math", "numpy"})

READING = {
    "bisect": frozenset({"bisect", "bisect_left", "bisect_right"}),
    "collections": frozenset({"Counter", "deque"}),
    "copy": frozenset({"copy", "deepcopy"}),
    "functools": frozenset({"reduce"}),
    "heapq": frozenset({"nlargest", "nsmallest"}),
    "operator": frozenset({"contains", "getitem"}),
    "itertools": frozenset(
        {
            "accumulate",
            "chain",
            "combinations",
            "combinations_with_replacement",
            "cycle",
            "dropwhile",
            "filterfalse",
            "groupby",
            "islice",
            "pairwise",
            "permutations",
            "product",
            "takewhile",
            "zip_longest",
        }
    ),
    "statistics": frozenset(
        {
            *("fmean", "mean", "median", "median_high", "median_low"),
            *("pstdev", "pvariance", "stdev", "variance"),
        }
    ),
}
"""Functions of Python's library that change no argument; their results may hold its
items.
"""


def readers_in(tree: ast.Module) -> dict[str, frozenset[str]]:
    """The names of a file that stand for functions of READING, each with no attributes;
    names of modules, with the attributes that only read.
    """
    found: dict[str, frozenset[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in READING:
                    found[alias.asname or alias.name] = READING[alias.name]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            known = READING.get(node.module or "", frozenset())
            for alias in node.names:
                if alias.name in known:
                    found[alias.asname or alias.name] = frozenset()
    return found


def names_in(tree: ast.Module) -> dict[str, str]:
    """Names of a file from numpy and math, with their names there; "" for a module.

    These functions change no argument, except WRITERS.
    """
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [(a.asname or a.name, "", a.name) for a in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [
                (a.asname or a.name, a.name, node.module or "") for a in node.names
            ]
        else:
            continue
        for own, called, module in names:
            if module.partition(".")[0] in LIBRARIES:
                found[own.partition(".")[0]] = called
    return found
