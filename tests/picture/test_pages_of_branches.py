"""Functions with blocks: a branch is a vertex for each result, loops are refused."""

from __future__ import annotations

import pytest
from drawn import alive
from programs import BRANCHING, LOOPING, SCANNING

from ad_transform.derive.kinds.kinds import Derived, derive
from ad_transform.diagnostics import Refusal, Span
from ad_transform.elementals import TABLE
from ad_transform.ir.count import Counts
from ad_transform.ir.parse import parse_function
from ad_transform.options import Options
from ad_transform.picture.drawing import FORMATS, Subject, drawing
from ad_transform.picture.model import Role
from ad_transform.picture.pages import pages

HERE = Span(1, 1, 1, 9)


@pytest.mark.parametrize("cost", ["emitted", "fma"])
def test_a_branch_is_a_vertex_for_each_result(cost):
    function = parse_function(BRANCHING, TABLE)
    names = tuple(p.name for p in function.parameters)
    options = Options(cost=cost)
    derived = derive(function, "jacobian", names, options=options)
    (page,) = pages(function, derived, options)
    branches = [v for v in page.vertices if "if" in (v.title, v.detail)]
    assert len(branches) == 2
    ends = {(a.source, a.target) for a in alive(page.arrows, len(page.stages))}
    outputs = {v.number for v in page.vertices if v.role is Role.OUTPUT}
    assert ends and {w for _, w in ends} <= outputs
    for ending in FORMATS:
        assert drawing([Subject(function, derived, options, HERE)], "m.py", ending)


@pytest.mark.parametrize("program", [SCANNING, LOOPING])
@pytest.mark.parametrize("ending", FORMATS)
def test_loops_are_refused_by_name(program, ending):
    function = parse_function(program, TABLE)
    derived = Derived(
        function=function,
        source=function.name,
        kind="jacobian",
        value=False,
        independents=(function.parameters[0].name,),
        order="",
        counts=Counts(),
        kinks=(),
        warnings=(),
    )
    with pytest.raises(Refusal) as refusal:
        drawing([Subject(function, derived, Options(), HERE)], "m.py", ending)
    (item,) = refusal.value.diagnostics
    assert item.code == "AD031" and item.span == HERE and item.help
