"""Functions of the corpus, differentiated from inside another function."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from amounts import NUMBERS
from support import Case, corpus, generate, invoke, load, marked

NESTED = {"keyword_only", "mixed", "many_outs", "nested_outputs", "option", "decimals"}
"""What cannot be called by position, or gives no array."""
CASES = [c for c in corpus() if c.turn % 10 == 3 and c.name not in NESTED]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_derivative_inside_is_the_jacobian(case: Case) -> None:
    names = ", ".join(inspect.signature(load(case.source)[case.name]).parameters)
    actives = ", ".join(case.actives)
    inside = f"import ad_transform as ad\n\n\n# ad: expand\ndef inside({names}):\n"
    inside += f"    return ad.derivative({case.name}({names}), ({actives},))\n"
    made = load(generate(f"{case.source}\n\n{inside}", **NUMBERS))["inside"]
    source = marked(case.source, case.name, "jacobian")
    jacobian = load(generate(source, **NUMBERS))[f"{case.name}_jac"]
    for point in case.points[:1]:
        wanted = invoke(jacobian, point).ravel()
        assert np.ravel(invoke(made, point)) == pytest.approx(wanted, rel=1e-10)
