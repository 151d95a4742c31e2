"""Formulas of the numerical-accuracy literature with their usual input ranges.

`PUBLISHED` is what Rosa, FPTaylor and Daisy are measured with, whole; `ENGINEERING` are
more of the kind; `WIDE` cancel, or run over many orders of magnitude.
"""

from __future__ import annotations

from rounding.cancelling import WIDE
from rounding.engineering import ENGINEERING
from rounding.formulas import Table
from rounding.published import PUBLISHED

BOUNDED: Table = {**PUBLISHED, **ENGINEERING}
assert len(BOUNDED) == len(PUBLISHED) + len(ENGINEERING)

__all__ = ["BOUNDED", "ENGINEERING", "PUBLISHED", "WIDE"]
