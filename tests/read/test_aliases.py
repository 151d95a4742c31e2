"""Names that may stand for one array, or for items that are given once: what Python
computes, or a refusal by name.

`aliases.txt` holds bodies of functions and what becomes of each.
"""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest
from support import flat, load

from ad_transform.ir.evaluate import evaluate
from ad_transform.read import read

CASES = (Path(__file__).parent / "aliases.txt").read_text().split("---\n")
RIGHT = [case for case in CASES if case.startswith("#! right\n")]
REFUSED = [case for case in CASES if case.startswith("#! AD")]
HEAD = """import numpy as np


def change(z):
    z[0] += 1.0
    return z


# ad: vjp
def f(x: "Vector[n]", y: "Vector[n]", k: int):
"""
X, Y = [1.0, 2.0, 4.0], [5.0, 7.0, 11.0]


def source(body: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in body.splitlines())


def test_there_are_no_other_cases() -> None:
    assert len(RIGHT) + len(REFUSED) == len(CASES) and RIGHT


@pytest.mark.parametrize("body", RIGHT)
def test_is_what_python_runs(body: str) -> None:
    (request,) = read(source(body).encode(), "model.py").requests
    plain = load(source(body))["f"]
    for k in range(4):
        want = plain(np.array(X), np.array(Y), k)
        found = evaluate(request.function, copy.deepcopy((X, Y, k)))
        assert flat(list(found)) == flat(want), k


@pytest.mark.parametrize("body", REFUSED)
def test_is_refused_where_python_may_see_a_write(body: str) -> None:
    found = read(source(body).encode(), "model.py").diagnostics
    code = body.splitlines()[0].removeprefix("#! ")
    assert {d.code for d in found} == {code} and found[0].help
