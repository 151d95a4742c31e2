"""Lists of arrays that grow, in C and Fortran."""

from __future__ import annotations

from typing import Any

import in_c
import in_fortran
import pytest
from amounts import part
from support import flat, load
from targets import Targets
from test_stacks import BODIES

NAMES = ("window", "moved", "put in from the end", "back", "matrices", "two names")
PUSHED = part(NAMES, 3)
"""Those of which a tangent is made too."""
HEAD = 'def {}(u: "Vector[n]", c: float, steps: int):\n'
SOURCE = "import numpy as np\n\n\n" + "\n\n".join(
    f"# ad: gradient(u){', jvp(u)' * (name in PUSHED)}\n"
    f"{HEAD.format(name.replace(' ', '_'))}{BODIES[name]}\n"
    for name in NAMES
)
GROWN = """

# ad: gradient(c, value=True)
def of_its_own(u: "Vector[n]", c: float, steps: int):
    w = [c * v for v in u]
    w.extend(w)
    places = [0, 1]
    for i in range(steps):
        w.append(w[places[i]])
        places.append(places[i])
    return sum(w) * places[-1] + w[-1]
"""
MADE = Targets(SOURCE + GROWN)
SEEDS = {"u_dot": [0.2, 0.5, -1.0]}


def check(functions: Any) -> None:
    """See that all give what Python gives."""
    own = load(MADE.text("math"))
    for one in MADE.derived:
        name = one.function.name
        names = {p.name for p in one.function.parameters}
        seeds: dict[str, Any] = {n: s for n, s in SEEDS.items() if n in names}
        for steps in (4, 6):
            values = {"u": [0.3, -0.7, 1.1], "c": 0.4, "steps": steps, **seeds}
            wanted = flat(own[name](**values))
            assert functions[name](values) == pytest.approx(wanted, rel=1e-12), name


def test_they_are_those_of_python_in_c(tmp_path):
    library = in_c.compiled([in_c.counted(MADE.text("c"))], tmp_path)[0]
    check(in_c.functions(library, MADE.flat("c")))
    assert library.ad_test_live() == 0


def test_they_are_those_of_python_in_fortran(tmp_path):
    library = in_fortran.compiled(MADE.text("fortran"), tmp_path)
    check(in_fortran.functions(library, "model_grad", MADE.flat("fortran")))
