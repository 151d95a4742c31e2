"""An edit of one line of a source changes few lines of the output."""

from __future__ import annotations

import re
from statistics import median

from amounts import ANY_ORDER, part
from edits import edits, models, output, share
from support import generate, marked

SOURCE = """import math
def f(x, y, z):
    a = math.sin(x) * math.exp(-math.sin(x))
    b = math.sqrt(x * y) + math.log(x * y)
    c = math.cosh(y + z) / (1.0 + math.cosh(y + z) ** 2)
    return a * b + b * c
"""
FEW = ("arrhenius", "student_t", "thermistor", "bateman", "membrane", "solar_cell")


def _names(text: str) -> set[str]:
    return set(re.findall(r"(?m)^ +(\w+) = ", text))


def test_a_part_is_named_after_what_it_does_to_a_name_or_the_value_it_belongs_to():
    names = _names(generate(marked(SOURCE, "f", "gradient"), **ANY_ORDER))
    assert {"a", "sin_x", "b", "b_prod", "c", "c_cosh"} <= names
    assert not any(re.fullmatch(r"t\d+", name) for name in names)


def test_derivative_code_says_how_it_reads_a_value():
    body = "    s = x * y\n    return (s - math.exp(x)) / s\n"
    source = f"import math\ndef f(x, y):\n{body}"
    text = generate(marked(source, "f", "gradient"), **ANY_ORDER)
    assert re.search(r"    (over|ratio)_s = ", text)
    assert "    ds_" not in text


def test_an_edit_renames_parts_of_its_statement_only():
    edited = SOURCE.replace("math.sqrt(x * y)", "math.tan(math.sqrt(x * y))")
    sources = (marked(s, "f", "gradient") for s in (SOURCE, edited))
    old, new = (_names(generate(s, **ANY_ORDER)) for s in sources)
    changed = {name for name in old ^ new if not name.startswith("b")}
    assert all(re.fullmatch(r"[a-z]+_b(_\d+)?", name) for name in changed)


def test_functions_in_a_helper_are_named_after_what_it_is_given():
    source = """import math
def g(x):
    return math.sin(x) * math.cos(x)
def f(x, y):
    u = g(x)
    v = g(y)
    return u * v
"""
    names = _names(generate(marked(source, "f", "gradient"), **ANY_ORDER))
    assert {"sin_x", "cos_x", "sin_y", "cos_y"} <= names


def test_coefficients_change_few_lines():
    shares: list[float] = []
    for model in (next(m for m in models() if m.name == name) for name in part(FEW, 3)):
        kind = model.kinds()[0]
        old = output(model, model.source, kind)
        shares += (
            share(old, output(model, edit.source, kind))
            for edit in edits(model)
            if edit.what.startswith("coefficient")
        )
    assert median(shares) <= 0.15
