"""Formulas of the numerical-accuracy literature with their usual input ranges.

`PUBLISHED` are formulas that Rosa, FPTaylor and Daisy are measured with, `TRAIN` is the
longest of Daisy's; `ENGINEERING` are more of the kind; `WIDE` cancel, or run over many
orders of magnitude.
"""

from __future__ import annotations

from rounding.cancelling import WIDE
from rounding.engineering import ENGINEERING
from rounding.formulas import Table
from rounding.published_figures import PUBLISHED
from rounding.train import TRAIN

SHORT: Table = {**PUBLISHED, **ENGINEERING}
BOUNDED: Table = {**SHORT, **TRAIN}
assert len(BOUNDED) == len(PUBLISHED) + len(ENGINEERING) + len(TRAIN)

__all__ = ["BOUNDED", "ENGINEERING", "PUBLISHED", "SHORT", "TRAIN", "WIDE"]
