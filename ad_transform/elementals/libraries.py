"""Errors of library functions, in ulps, by library.

The rows of the table hold for glibc, which is the default. A library is a claim about
the machine that runs the generated file, so it belongs to the mark.
"""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.elementals import ROWS
from ad_transform.ir.elemental import CORRECT

LIBRARIES: Mapping[str, Mapping[str, float]] = {
    "glibc": {},
    # fdlibm and its descendants (FreeBSD, musl, older macOS) state less than 1 for most
    # functions; where they state less than 2 or nothing, twice the entry for glibc
    "portable": {row.name: row.portable for row in ROWS if row.portable},
    # as CORE-MATH proves of its own
    "correct": {row.name: CORRECT for row in ROWS if row.core_math},
}
"""Errors of functions by library, where the rows have others than for glibc."""
