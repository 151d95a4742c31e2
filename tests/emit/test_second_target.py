"""A second target: what gets a statement, and its name, is not Python's alone."""

from __future__ import annotations

import ctypes
import math
import random
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
import toy_c
from structured import point, program
from support import ORIGIN, flat
from toy_c_composer import Composer, spelling

from ad_transform.derive.kinds import derive
from ad_transform.elementals.rows import row
from ad_transform.emit.python.text import WRITERS
from ad_transform.emit.schedule.lines import Line
from ad_transform.emit.targets import TARGETS
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Function, walk
from ad_transform.options import Options
from ad_transform.run.check import State, compare
from ad_transform.run.job import Result, transform

SOURCE = """\
import math

SCALE = 0.75


# ad: gradient, jacobian(value=True)
def straight(x, y):
    a = math.sin(x * y)  # the sine
    return a * a + SCALE * math.exp(-x) / (y + 2.0)


# ad: gradient
def choosing(x, y):
    assert x > -10.0, "x is too small"
    if x > y:
        u = x * x
        v = u + y
    elif x > 0.0:
        u = math.sqrt(x)
        v = 2.0 * y
    else:
        u = v = x * y
    return u * v + max(x, y)


# ad: gradient(x)
def powers(x, n: int):
    total = 0.0
    term = 1.0
    for k in range(1, n + 1):
        term = term * x / k
        total = total + math.sin(term)
    return total


# ad: gradient(a)
def heron(a, tolerance: float):
    x = a
    while abs(x * x - a) > tolerance:
        x = 0.5 * (x + a / x)
    return x


# ad: gradient(a)
def newton(a):
    x = a
    for _ in range(60):
        step = (x * x - a) / (2.0 * x)
        x = x - step
        if abs(step) < 1e-15:
            break
    return x


# ad: gradient(x)
def fibonacci(x, n: int):
    a, b = x, 1.0
    for _ in range(n):
        a, b = b, a * b
    return a + b


# ad: jvp
def pair(x, y):
    r = math.hypot(x, y)
    return r, math.atan2(y, x)
"""

POINTS = {
    "straight": [(0.5, 1.25), (-1.0, 3.0)],
    "choosing": [(2.0, 1.0), (1.0, 2.0), (-1.0, 2.0)],
    "powers": [(1.5, 7), (0.5, 0)],
    "heron": [(2.0, 1e-12), (9.0, 1e-9)],
    "newton": [(2.0,), (1.0,)],
    "fibonacci": [(1.1, 6), (0.9, 1)],
    "pair": [(0.6, 0.8)],
}
FLAGS = "-std=c99 -Wall -Wextra -Werror -ffp-contract=off -shared -fPIC"
SEEDS = 25
"""Structured programs that are compiled."""

SWEPT = 10
"""The first of them are taken back as well."""

IDLE = ("-Wno-unused-but-set-variable", "-Wno-unused-variable", "-Wno-unused-parameter")
"""Made programs have values on purpose that nobody reads."""

TO_C = replace(Options(), target="c")


@pytest.fixture(scope="module", autouse=True)
def second_target():
    TARGETS["c"] = toy_c.C
    yield
    del TARGETS["c"]


@pytest.fixture(scope="module")
def made(second_target) -> Result:
    result = transform(SOURCE.encode(), "model.py", ORIGIN, TO_C)
    assert result.text is not None, result.diagnostics
    return result


@pytest.fixture(scope="module")
def library(made, tmp_path_factory):
    return compiled(made.text, tmp_path_factory.mktemp("c"))


def compiled(text: str, folder: Path, *flags: str) -> ctypes.CDLL:
    """The functions of a file in C, no word of which the compiler warns of."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    (folder / "model.c").write_text(text)
    command = [compiler, *FLAGS.split(), *flags, "model.c", "-o", "model.so", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "model.so"))


def called(library: ctypes.CDLL, function, values: list[float]) -> list[float]:
    """The results of a compiled function."""
    call = getattr(library, function.name)
    kinds = {"float": ctypes.c_double, "int": ctypes.c_long, "bool": ctypes.c_int}
    types = [kinds[v.type.kind.value] for p in function.parameters for v in p.vars]
    arguments = [kind(value) for kind, value in zip(types, values, strict=True)]
    if function.nest.is_leaf:
        call.restype = ctypes.c_double
        return [call(*arguments)]
    out = (ctypes.c_double * len(function.results))()
    call.restype = None
    call(*arguments, out)
    return list(out)


def test_compiled_code_computes_what_the_program_does(made, library):
    for derived in made.derived:
        for at in POINTS[derived.source]:
            seeds = [1.0, -0.5][: len(derived.function.block.params) - len(at)]
            values = [*at, *seeds]
            wanted = flat(evaluate(derived.function, values))
            found = called(library, derived.function, values)
            assert found == pytest.approx(wanted, rel=1e-14), derived.function.name


def adjoint(function: Function) -> Function:
    """What takes a program back."""
    floats = (p.name for p in function.parameters if p.vars[0].type.is_real)
    return derive(function, "vjp", tuple(floats)).function


def has_plain_lists(function: Function) -> bool:
    """Whether no loop in a loop records, as a list of lists: those the toy has not."""
    made = (out for statement in walk(function.body) for out in statement.outs)
    return all(len(out.type.dims) < 2 for out in made)


def test_structured_programs_and_their_adjoints_compute_the_same_in_c(tmp_path):
    made = [program(random.Random(seed)) for seed in range(SEEDS)]
    made += filter(has_plain_lists, map(adjoint, made[:SWEPT]))
    functions = [replace(one, name=f"f{k}") for k, one in enumerate(made)]
    texts = [toy_c.write(f, frozenset(), None, []) for f in functions]
    library = compiled("\n".join([toy_c.PRELUDE, *texts]), tmp_path, *IDLE)
    for seed, function in enumerate(functions):
        values = point(function, seed)
        wanted = flat(evaluate(function, values))
        assert called(library, function, values) == pytest.approx(wanted, rel=1e-13)


def test_what_is_asserted_in_python_gives_nan(made, library):
    (derived,) = (d for d in made.derived if d.source == "choosing")
    assert math.isnan(called(library, derived.function, [-11.0, 0.0])[0])


def test_names_and_nesting_are_those_of_python(made):
    assert "    // the sine\n    a = sin(a_prod);" in made.text
    assert "    x = 0.5 * (x + ((double)a / x));" in made.text
    assert "    append(&x_list, x);" in made.text


def test_the_header_vouches_for_the_program(made):
    def state(text: str) -> State:
        return compare(text.encode(), made.text, "model.py", toy_c.C)

    assert made.text.startswith("// Generated by ad-transform from model.py;")
    assert state(made.text) is State.CURRENT
    assert state(made.text.replace("    ", "\t")) is State.RELAID
    assert state(made.text.replace("// the sine", "")) is State.REWORDED
    assert state(made.text.replace("2.0", "3.0")) is State.EDITED
    assert state(made.text.removesuffix("}\n")) is State.EDITED
    assert state(made.text.replace("// ", "# ")) is State.FOREIGN


def test_python_writes_every_kind_of_line():
    assert set(WRITERS) == set(get_args(Line))


def test_a_row_says_how_each_target_spells_it():
    squash = row(
        "squash", "x", ("1 / x",), math.sqrt, points=((2.0,),), spelling="x / abs(x)",
        elsewhere={"c": "{0} / fabs({0})"},
    )  # fmt: skip
    assert squash.spelling("python") == "x / abs(x)"
    assert spelling(squash) == "{0} / fabs({0})"
    assert Composer().uses(squash, 1) == (2,)
    with pytest.raises(KeyError):
        squash.spelling("fortran")
