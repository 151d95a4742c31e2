"""The sweep through arrays: right in all kinds, and no dearer than the loops forth."""

from __future__ import annotations

import pytest
from array_kinds import check
from arrays_by_hand import PROGRAMS

from ad_transform.elementals import TABLE
from ad_transform.ir.parse import parse_function


@pytest.mark.parametrize("kind", ["gradient", "jvp", "vjp", "hvp"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_arrays_in_all_kinds(name, kind):
    text, point = PROGRAMS[name]
    function = parse_function(text, TABLE)
    scalar = not function.results[0].type.dims
    if scalar or kind in ("jvp", "vjp"):
        check(function, kind, point)
