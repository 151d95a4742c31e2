"""Generated Fortran: compiled without a warning, loaded, called as Python calls."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from math import nan, prod
from pathlib import Path
from typing import Any

import pytest
from in_c import sizes_of, values_of
from support import flat

from ad_transform.derive.kinds.kinds import Derived
from ad_transform.emit.compiled.interface import Input, Output, words_of
from ad_transform.emit.fortran.dialect import plain
from ad_transform.emit.fortran.function import Order, interface
from ad_transform.ir.dims import ANY, size
from ad_transform.ir.types import Kind

FLAGS = "-std=f2008 -Wall -Wextra -Werror -ffp-contract=off -shared -fPIC"
EXPECTED = "-Wno-compare-reals -Wno-unused-dummy-argument"
"""Warnings of what a source says: `x == 0.0`, an argument that nobody reads."""

_TYPES = {
    Kind.FLOAT: ctypes.c_double,
    Kind.INT: ctypes.c_int64,
    Kind.BOOL: ctypes.c_int32,
}


def compiled(text: str, folder: Path, *flags: str) -> ctypes.CDLL:
    """The library of a module; skips where there is no compiler."""
    compiler = os.environ.get("FC") or shutil.which("gfortran")
    if compiler is None:
        pytest.skip("there is no Fortran compiler")
    (folder / "m.f90").write_text(text)
    command = [compiler, *FLAGS.split(), *EXPECTED.split(), *flags, "m.f90"]
    subprocess.run([*command, "-o", "m.so"], cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "m.so"))


class Compiled:
    """A derived function of a module in a library."""

    def __init__(self, library: ctypes.CDLL, module: str, derived: Derived) -> None:
        self.function = derived.function
        order = Order(words_of(derived), derived.independents)
        self.face = interface(self.function, order)
        name = plain(self.function.name).lower()
        self.entry = getattr(library, f"__{module}_MOD_{name}")

    def __call__(self, values: Mapping[str, Any]) -> list[Any]:
        """The results, flat, for arguments by name."""
        given = values_of(self.function, values)
        sizes = sizes_of(self.face, given)
        inputs = [self._passed(one, given, sizes) for one in self.face.inputs]
        texts = [ctypes.c_size_t(len(a.value)) for a in inputs if _is_text(a)]
        value = self.face.value
        outs = [
            (_Handed if one.is_open else _Place)(one, sizes)
            for one in self.face.outputs
        ]
        if value is not None and not outs:
            self.entry.restype = _TYPES[value.kind]
            return [self.entry(*map(_reference, inputs), *texts)]
        first = [_Place(value, sizes)] if value is not None else []
        self.entry.restype = None
        places = [place.room for place in (*first, *outs)]
        self.entry(*map(_reference, inputs), *places, *texts)
        return [x for place in (*first, *outs) for x in place.row_by_row()]

    def _passed(
        self, one: Input, given: Mapping[Any, Any], sizes: Mapping[str, int]
    ) -> Any:
        if one.is_length:
            (dim,) = (d for d, name in self.face.lengths.items() if name == one.name)
            return ctypes.c_int64(sizes[dim])
        values = [given[var] for var in one.vars]
        if one.kind is Kind.STR:
            return ctypes.c_char_p(values[0].encode())
        kind = _TYPES[one.kind]
        if not (one.dims or one.is_array):
            return kind(values[0])
        named = (f"{one.name}.{k}" if d == ANY else d for k, d in enumerate(one.dims))
        shape = one.shape or tuple(size(dim, sizes) for dim in named)
        items = flat(values)
        return (kind * len(items))(*(items[k] for k in _column_by_column(shape)))


def _is_text(argument: Any) -> bool:
    return isinstance(argument, ctypes.c_char_p)


def _reference(argument: Any) -> Any:
    plain_number = isinstance(argument, tuple(_TYPES.values()))
    return ctypes.byref(argument) if plain_number else argument


def _column_by_column(shape: Sequence[int]) -> list[int]:
    """The places, counted row by row, in the order of Fortran's memory."""
    places = [0]
    for axis, count in enumerate(shape):
        step = prod(shape[axis + 1 :])
        places = [p + k * step for k in range(count) for p in places]
    return places


class _Place:
    """Room for a result."""

    def __init__(self, one: Output, sizes: Mapping[str, int]) -> None:
        self.shape = one.shape or tuple(size(dim, sizes) for dim in one.dims)
        self.room = (_TYPES[one.kind] * prod(self.shape))()

    def row_by_row(self) -> list[Any]:
        """The numbers, row by row."""
        order = _column_by_column(self.shape)
        return [x for _, x in sorted(zip(order, self.room, strict=True))]


class _Handed:
    """The descriptor of an array that a procedure makes room for, as gfortran has it:
    where it stands, and behind five more words a step and two bounds for each axis.
    """

    def __init__(self, one: Output, _: Mapping[str, int]) -> None:
        self.rank, self.kind = len(one.dims), _TYPES[one.kind]
        self.room = (ctypes.c_int64 * (5 + 3 * self.rank))()

    def row_by_row(self) -> list[Any]:
        """The numbers, row by row; NaN where no room was made."""
        if not self.room[0]:
            return [nan]
        bounds = [self.room[5 + 3 * k :][1:3] for k in range(self.rank)]
        shape = [last - first + 1 for first, last in bounds]
        numbers = (self.kind * prod(shape)).from_address(self.room[0])
        order = _column_by_column(shape)
        return [x for _, x in sorted(zip(order, numbers, strict=True))]


def functions(
    library: ctypes.CDLL, module: str, derived: Iterable[Derived]
) -> dict[str, Compiled]:
    """The functions of a module by name."""
    return {d.function.name: Compiled(library, module, d) for d in derived}
