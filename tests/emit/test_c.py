"""The target C: all kinds, compiled without a warning, give what Python gives."""

from __future__ import annotations

import ctypes
import errno
import math
import random
import re
from dataclasses import replace
from math import inf, isnan
from typing import get_args

import pytest
from compiled_sources import POINTS, REFUSED, check, made_in, with_seeds
from in_c import Compiled, compiled, counted, functions
from in_fortran import compiled as compiled_by_fortran
from structured import Sizes, point, program
from support import flat, load, run
from targets import Targets

from ad_transform.derive.kinds.kinds import derive
from ad_transform.elementals import TABLE
from ad_transform.elementals.rows import row
from ad_transform.emit.c.dialect import C as DIALECT
from ad_transform.emit.c.function import written
from ad_transform.emit.c.module import InC, print_module
from ad_transform.emit.c.program import comments
from ad_transform.emit.c.signature import Order
from ad_transform.emit.c.target import C
from ad_transform.emit.c.text import WRITERS
from ad_transform.emit.compiled.layout import broken
from ad_transform.emit.compiled.spelling import spelled
from ad_transform.emit.schedule.lines import Line, Print, Return
from ad_transform.ir.elemental import COMPILED
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Function
from ad_transform.run.check import State, compare

SIZES = Sizes()
STRUCTURED = 16
"""Structured programs that are compiled."""

SWEPT = 5
"""The first of them are taken back as well."""

IDLE = ("-O0", "-Wno-unused-but-set-variable", "-Wno-unused-variable")
"""Made programs have values on purpose that nobody reads."""


@pytest.fixture(scope="module")
def made():
    return made_in("c")


@pytest.fixture(scope="module")
def library(made, tmp_path_factory):
    (found,) = compiled([counted(made.text)], tmp_path_factory.mktemp("c"), "-O1")
    return found


def test_every_kind_gives_what_python_gives(made, library):
    check(made, functions(library, made.derived))
    assert library.ad_test_live() == 0


def test_what_python_raises_gives_nan_and_errno(made, library):
    own = functions(library, made.derived)
    for name, values in (
        ("choosing_grad", {"x": -11.0, "y": 0.0}),
        ("nested_grad", {"x": 10.0, "n": 0}),
    ):
        ctypes.set_errno(0)
        assert all(map(isnan, own[name](values)))
        assert ctypes.get_errno() == errno.EDOM
    assert library.ad_test_live() == 0


def test_where_memory_ends_all_of_it_is_given_back(made, library):
    own = functions(library, made.derived)
    for name in ("chain_hess", "powers_value_and_grad", "heat_vjp"):
        (values,) = POINTS[name.partition("_")[0]][:1]
        for most in range(6):
            library.ad_test_most(most)
            found = own[name](with_seeds(own[name].function, values))
            assert all(map(isnan, found)) or (most and not any(map(isnan, found)))
            assert library.ad_test_live() == 0
    library.ad_test_most(-1)


def test_what_a_trip_makes_dies_with_it(made, library):
    own = functions(library, made.derived)["heat_jac"]
    (values,) = POINTS["heat"]
    library.ad_test_most(30)
    assert not any(map(isnan, own(values | {"steps": 500})))
    library.ad_test_most(-1)


def test_a_loop_that_holds_few_states_needs_room_for_these_alone(made, library):
    library.ad_test_most(12)
    found = functions(library, made.derived)["held_grad"](POINTS["held"][-1])
    library.ad_test_most(-1)
    assert not any(map(isnan, found))


def test_decimals_are_rounded_as_python_rounds_them(tmp_path):
    source = "# ad: gradient\ndef f(x, y):\n    return y * round(x, {})\n"
    texts = [run(source.format(n), target="c").text for n in (2, 0, -1, -2)]
    libraries = compiled(texts, tmp_path, "-O0")
    found = (ctypes.c_double * 2)()
    for n, library in zip((2, 0, -1, -2), libraries, strict=True):
        for x in (2.675, 0.125, -2.5, 25.0, -5.0, 5.000001, 50.0, 150.0):
            library.f_grad(ctypes.c_double(x), ctypes.c_double(1.0), found)
            assert found[1] == round(x, n)


@pytest.mark.parametrize(
    ("body", "points"),
    [
        ("math.sumprod([x, y], [y, y])", [(1.0, inf), (-2.0, 0.5), (1e200, 1e-200)]),
        ("betaln(x, y)", [(-1e22, 1.0), (0.5, -inf), (-0.5, 0.25), (0.0, 1.0)]),
    ],
)
def test_values_are_those_of_python_or_none(body, points, tmp_path):
    head = "import math\nfrom scipy.special import betaln\n# ad: gradient(value=True)\n"
    source = f"{head}def f(x, y):\n    return {body}\n"
    python = load(run(source).text)["f_value_and_grad"]
    (library,) = compiled([run(source, target="c").text], tmp_path, "-O0")
    library.f_value_and_grad.restype = ctypes.c_double
    found = (ctypes.c_double * 2)()
    for at in points:
        value = library.f_value_and_grad(*map(ctypes.c_double, at), found)
        try:
            assert [value, *found] == flat(python(*at))
        except ValueError:
            assert isnan(value) and isnan(min(found, key=lambda x: x == x))


def adjoint(function: Function) -> Function:
    """What takes a program back."""
    floats = (p.name for p in function.parameters if p.vars[0].type.is_real)
    return derive(function, "vjp", tuple(floats)).function


def test_structured_programs_and_their_adjoints_compute_the_same(tmp_path):
    programs = [program(random.Random(seed), SIZES) for seed in range(STRUCTURED)]
    programs += map(adjoint, programs[:SWEPT])
    made = [replace(one, name=f"f{k}") for k, one in enumerate(programs)]
    texts = [written(f, Order(), (), 88, {}, None).text for f in made]
    text = print_module([InC(t, (), (), ()) for t in texts], {}, None, {}, 88, "m")
    (library,) = compiled([text], tmp_path, *IDLE)
    for seed, function in enumerate(made):
        values = point(function, seed)
        found = Compiled(library, function).at(values)
        wanted = flat(evaluate(function, values))
        assert found == pytest.approx(wanted, rel=1e-13), function.name


def test_names_and_nesting_are_those_of_python(made):
    assert "    // the sine\n    const double a = sin(a_prod);" in made.text
    assert "\ndouble newton_grad(double x, double int_) {" in made.text
    assert "\nstatic const double SCALE = 0.75;" in made.text
    assert "\nvoid straight_grad(double x, double y, double grad[2]) {" in made.text
    assert "\n// |value - exact| <= bound to first order, rms is one" in made.text
    assert "\n    int64_t rows[4],\n    int64_t cols[4],\n" in made.text


def test_a_long_statement_is_broken_where_it_binds_least():
    parts = [
        "y = r - x != y || r - y != x",
        "? a * b + c",
        ": a * b * ad_ulp(x) + c - d;",
    ]
    assert broken(" ".join(parts), 0, 38)[0] == parts[0]
    assert broken(" ".join(parts[1:]), 0, 30)[0] == parts[1]
    assert broken("x = called(first, second)", 0, 10, " &")[0] == "x = called(first, &"


def test_the_header_vouches_for_the_program(made):
    def state(text: str) -> State:
        return compare(text.encode(), made.text, "model.py", C)

    assert state(made.text) is State.CURRENT
    assert state(made.text.replace("    ", "\t")) is State.RELAID
    assert state(made.text.replace("// the sine", "")) is State.REWORDED
    assert state(made.text.replace("SCALE = 0.75", "SCALE = 0.5")) is State.EDITED
    assert state(made.text.removesuffix("}\n")) is State.EDITED
    assert state(made.text.replace("// ", "# ")) is State.FOREIGN
    assert "the sine" in comments(made.text)


def test_the_companion_declares_what_others_may_call(made, tmp_path):
    assert C.companion is not None
    text = C.companion.text(made.text, "model_grad.h")
    user = '#include "model_grad.h"\n#include "model_grad.c"\n'
    (tmp_path / "model_grad.h").write_text(text)
    (tmp_path / "model_grad.c").write_text(made.text)
    compiled([user], tmp_path, "-O0")
    declared = set(re.findall(r"(\w+)\(", re.sub("//.*", "", text)))
    assert declared == {derived.function.name for derived in made.derived}
    assert "static" not in text and "#ifndef MODEL_GRAD_H" in text


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_not_written_is_refused_by_name(what):
    result = run(REFUSED[what], target="c", effort=0)
    errors = [d for d in result.diagnostics if d.severity == "error"]
    assert f"{what} is not written in C yet" in [d.message for d in errors]
    assert all(d.code == "AD033" and d.help and d.span for d in errors)


@pytest.mark.parametrize(
    "body",
    [
        "m = k\n    for _ in range(n):\n        if m == 2.0:\n            x = x * x\n"
        "        m = x\n    return x",
        "m = x\n    while x < 9.0:\n        x = x * x\n        m = k\n"
        "    return x if m != 2.0 else 2.0 * x",
        "return g(x, k) + g(2.0 * x, k)",
    ],
)
def test_what_may_be_none_has_a_flag_or_is_refused(body):
    kept = "def g(x, k=None):\n    return x if k == 2.0 else x * x\n"
    mark = '# ad: gradient(x, inline="never")\n'
    head = f"{kept}{mark}def f(x, n: int, k: float | None = None):\n    "
    result = run(f"{head}{body}\n", target="c", effort=0)
    (error,) = result.diagnostics
    assert error.code == "AD033" and error.message.startswith("a value that is None in")


def test_a_function_with_a_name_of_c_is_refused():
    result = run(
        '# ad: gradient(name="exp2")\ndef f(x):\n    return x * x\n', target="c"
    )
    assert [d.code for d in result.diagnostics] == ["AD025"]


def test_every_kind_of_line_is_written_or_refused():
    others = {Return, Print}  # these are refused, and of Python alone
    assert set(WRITERS) == set(get_args(Line)) - others


def test_a_row_says_how_compiled_languages_spell_it():
    squash = row(
        "squash", "x", ("1 / x",), math.sqrt, points=((2.0,),), spelling="x / abs(x)",
        elsewhere={COMPILED: "x * math.sin(x)"},
    )  # fmt: skip
    assert spelled(DIALECT, squash, 1, False).uses == (2,)
    with pytest.raises(KeyError):
        spelled(DIALECT, TABLE["where"], 3, False)


NAMED = """
# ad: gradient
def f(x):
    return x * x

# ad: gradient
def g(f_grad, HUGE_VAL):
    M_PI = f_grad**3
    return M_PI * M_PI * HUGE_VAL

# ad: gradient(ad_place)
def h(x: "Vector[n]", ad_place, k: int):
    ad_reals = [v * ad_place for v in x]
    ad_reals[k] *= ad_place
    return sum(ad_reals)
"""


def test_names_may_be_those_of_functions_of_the_file_and_macros(tmp_path):
    """`f_grad` was an internal error, the others no C, and `ad_place` no Fortran."""
    made = Targets(NAMED)
    (library,) = compiled([made.text("c")], tmp_path)
    found = functions(library, made.derived)
    assert found["g_grad"]({"f_grad": 2.0, "HUGE_VAL": 3.0}) == [576.0, 64.0]
    assert found["h_grad"]({"x": [1.0, 2.0], "ad_place": 3.0, "k": -1}) == [13.0]
    compiled_by_fortran(made.text("fortran"), tmp_path)
