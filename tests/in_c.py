"""Generated C: compiled without a warning, loaded, called as Python calls its own."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from math import nan, prod
from pathlib import Path
from typing import Any

import pytest
from amounts import LONG
from support import flat

from ad_transform.derive.kinds.kinds import Derived
from ad_transform.emit.c.function import TAKEN
from ad_transform.emit.c.signature import Order, interface, renamed
from ad_transform.emit.compiled.interface import (
    Input,
    Interface,
    Output,
    is_given,
    words_of,
)
from ad_transform.ir.dims import ANY, size
from ad_transform.ir.nodes import Function
from ad_transform.ir.types import Kind

FLAGS = "-std=c99 -Wall -Wextra -Werror -pedantic -ffp-contract=off -shared -fPIC"
_TYPES = {
    Kind.FLOAT: ctypes.c_double,
    Kind.INT: ctypes.c_int64,
    Kind.BOOL: ctypes.c_bool,
    Kind.STR: ctypes.c_char_p,
}


def compiler() -> str:
    """The C compiler; skips where there is none."""
    found = shutil.which("gcc") or shutil.which("cc")
    if found is None:
        pytest.skip("there is no C compiler")
    return found


def compiled(texts: Iterable[str], folder: Path, *flags: str) -> list[ctypes.CDLL]:
    """Libraries of files; one that has all kinds is compiled with optimisation, and
    under `--long` all are.
    """
    chosen = flags or ("-O1" if LONG else "-O0",)
    names = []
    for number, text in enumerate(texts):
        (folder / f"m{number}.c").write_text(text)
        names.append(f"m{number}")
    for name in names:
        command = [compiler(), *FLAGS.split(), *chosen, f"{name}.c"]
        command += ["-o", f"{name}.so", "-lm"]
        subprocess.run(command, cwd=folder, check=True)
    paths = [str(folder / f"{name}.so") for name in names]
    return [ctypes.CDLL(path, use_errno=True) for path in paths]


class Compiled:
    """A derived function in a library."""

    def __init__(
        self, library: ctypes.CDLL, function: Function, order: Order | None = None
    ) -> None:
        self.function, order = function, order or Order()
        self.face = interface(renamed(self.function, TAKEN), order, set(TAKEN))
        self.library = library
        self.entry = getattr(library, self.function.name)

    def __call__(self, values: Mapping[str, Any]) -> list[Any]:
        """The results, flat, for arguments by name."""
        return self._run(values_of(self.function, values))

    def at(self, values: Sequence[Any]) -> list[Any]:
        """The results for the values of the program's parameters in order."""
        return self._run(dict(zip(self.function.block.params, values, strict=True)))

    def _run(self, given: Mapping[Any, Any]) -> list[Any]:
        sizes = sizes_of(self.face, given)
        inputs = [self._passed(one, given, sizes) for one in self.face.inputs]
        outs = [_place(one, sizes) for one in self.face.outputs]
        value = self.face.value
        self.entry.restype = None if value is None else _TYPES[value.kind]
        first = self.entry(*inputs, *(room for out in outs for room in out))
        found = [] if value is None else [first]
        for one, out in zip(self.face.outputs, outs, strict=True):
            found += self._handed(one, sizes, *out) if one.is_open else out[0]
        return found

    def _handed(
        self, one: Output, sizes: Mapping[str, int], place: Any, *lengths: Any
    ) -> list[Any]:
        """What a call has handed over, which is given back; NaN for nothing."""
        array, rest = place._obj, iter(lengths)
        known = (d if d == ANY else size(d, sizes) for d in one.dims)
        counts = (next(rest)._obj.value if d == ANY else d for d in known)
        found = array[: prod(counts)] if array else [nan]
        self.library.ad_test_free(array)
        return found

    def _passed(
        self, one: Input, given: Mapping[Any, Any], sizes: Mapping[str, int]
    ) -> Any:
        if one.is_length:
            (dim,) = (d for d, name in self.face.lengths.items() if name == one.name)
            return ctypes.c_int64(sizes[dim])
        kind, values = _TYPES[one.kind], [given[var] for var in one.vars]
        if one.dims or one.is_array:
            items: Sequence[Any] = flat(values)
            return (kind * len(items))(*items)
        value = values[0]
        return kind(value.encode() if isinstance(value, str) else value)


def values_of(function: Function, values: Mapping[str, Any]) -> dict[Any, Any]:
    """By value of a program: a number, or an array; by name, lengths that are given."""
    names = {p.name for p in function.parameters if is_given(p)}
    found: dict[Any, Any] = {k: v for k, v in values.items() if k not in names}
    for parameter in filter(is_given, function.parameters):
        own = values[parameter.name]
        if any(var.type.dims for var in parameter.vars):
            parts = [own] if len(parameter.vars) == 1 else own
            found.update(zip(parameter.vars, parts, strict=True))
        else:
            found.update(zip(parameter.vars, flat(own), strict=True))
    return found


def sizes_of(face: Interface, given: Mapping[Any, Any]) -> dict[str, int]:
    """The lengths of arrays that are given, by the dims that they have."""
    sizes = {dim: given[dim] for dim in face.lengths if dim in given}
    for one in face.inputs:
        for k, dim in enumerate(one.dims):
            array = given[one.vars[0]]
            for _ in range(k):
                array = array[0]
            sizes[f"{one.name}.{k}" if dim == ANY else str(dim)] = len(array)
    return sizes


def _place(one: Output, sizes: Mapping[str, int]) -> list[Any]:
    """What is handed in for a result, and for its lengths."""
    if one.is_open:
        rooms = [ctypes.POINTER(_TYPES[one.kind])()]
        rooms += [ctypes.c_int64() for _ in one.lengths]
        return [ctypes.byref(room) for room in rooms]
    count = prod(size(dim, sizes) for dim in one.dims) if one.dims else len(one.places)
    return [(_TYPES[one.kind] * count)()]


def functions(library: ctypes.CDLL, derived: Iterable[Derived]) -> dict[str, Compiled]:
    """The functions of a file by name."""
    return {one.function.name: _of(library, one) for one in derived}


def _of(library: ctypes.CDLL, derived: Derived) -> Compiled:
    order = Order(words_of(derived), derived.independents)
    return Compiled(library, derived.function, order)


COUNTING = """\
#include <stdlib.h>

static long live = 0, most = -1, asked = 0, missed = -1;

static void *counted(size_t count, size_t size) {
    if (asked++ == missed || live == most) {
        return NULL;
    }
    live++;
    return calloc(count, size);
}

static void given_back(void *block) {
    live -= block != NULL;
    free(block);
}

long ad_test_live(void);
void ad_test_most(long count);
long ad_test_miss(long place);
void ad_test_free(void *block);
long ad_test_live(void) { return live; }
void ad_test_most(long count) { most = count; }
void ad_test_free(void *block) { given_back(block); }
long ad_test_miss(long place) {
    long count = asked;
    asked = 0;
    missed = place;
    return count;
}

#define calloc counted
#define free given_back
"""
"""What counts the blocks of memory that live, and lets no more than so many live.

`ad_test_miss` tells how many were asked for since its last call; from then on the one
at a place is not given.
"""


def counted(text: str) -> str:
    """A file whose blocks of memory are counted."""
    head, _, rest = text.partition("#include <errno.h>\n")
    return f"{head}#include <errno.h>\n{COUNTING}{rest}"
