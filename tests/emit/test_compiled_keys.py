"""Keys of one, two and three parts in C and Fortran, where they stand in lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import in_c
import in_fortran
import pytest
from support import flat, load
from targets import Targets

KEYS = {"one": "k", "two": "k, i % 2", "three": "k, i % 2, i % 3"}
BODY = """\
# ad: gradient(x), jvp(x)
def by_{name}(x: "Vector[n]", m: int):
    d = {{}}
    s = 1.0
    for i in range(len(x)):
        k = (i * i + m) % 5
        if ({key}) not in d:
            d[{key}] = 0.5
        d[{key}] = d[{key}] * x[i] + x[i]
        if (1 + {key}) in d:
            s *= x[i]
    return s + sum((k + 2) * v * v for k, v in zip(range(9), d.values()))
"""
SOURCE = "\n\n".join(BODY.format(name=n, key=key) for n, key in KEYS.items())
MADE = Targets(SOURCE)


def check(functions: Any) -> None:
    """See that all give what Python gives."""
    own = load(MADE.text("math"))
    x = [0.3, -0.7, 1.1, 0.9, -0.2, 0.6, 1.3, 0.8]
    for one in MADE.derived:
        name = one.function.name
        seeds = {"x_dot": x[::-1]} if name.endswith("_jvp") else {}
        for m in (0, 1, 3):
            values = {"x": x, "m": m, **seeds}
            wanted = flat(own[name](**values))
            assert functions[name](values) == pytest.approx(wanted, rel=1e-12), name


def test_they_are_those_of_python_in_c(tmp_path: Path) -> None:
    text = MADE.text("c")
    assert "ad_find_wholes(" in text and "ad_among_wholes(" in text
    library = in_c.compiled([in_c.counted(text)], tmp_path)[0]
    check(in_c.functions(library, MADE.flat("c")))
    assert library.ad_test_live() == 0


def test_they_are_those_of_python_in_fortran(tmp_path: Path) -> None:
    library = in_fortran.compiled(MADE.text("fortran"), tmp_path)
    check(in_fortran.functions(library, "model_grad", MADE.flat("fortran")))
