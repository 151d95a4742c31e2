"""Elements that are read, changed and written back are changed in place."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from programs import program
from support import generate, load

from ad_transform.elementals import TABLE
from ad_transform.ir.lists.in_place import in_place
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

HEAD = (
    "function f primal 1 nest .\nparameter a (%0: float[n])\nparameter w (%1: float)\n"
)
END = "  %9: float = get(%8, 0)\n  give %9\n"
# fmt: off
WRITES = {
    "sum":        ("%2: float = get(%0, 1)\n  %3: float = add(%2, %1)\n"
                   "  %8: float[n] = set(%0, %3, 1)", "add_at(%0, %1, 1)"),
    "turned":     ("%2: float = get(%0, 1)\n  %3: float = add(%1, %2)\n"
                   "  %8: float[n] = set(%0, %3, 1)", "add_at(%0, %1, 1)"),
    "difference": ("%2: float = get(%0, 1)\n  %3: float = sub(%2, %1)\n"
                   "  %8: float[n] = set(%0, %3, 1)", "sub_at(%0, %1, 1)"),
}
OTHERS = {
    "another element": "%2: float = get(%0, 2)\n  %3: float = add(%2, %1)\n"
                       "  %8: float[n] = set(%0, %3, 1)",
    "from the other":  "%2: float = get(%0, 1)\n  %3: float = sub(%1, %2)\n"
                       "  %8: float[n] = set(%0, %3, 1)",
    "read again":      "%2: float = get(%0, 1)\n  %3: float = add(%2, %2)\n"
                       "  %8: float[n] = set(%0, %3, 1)",
}
# fmt: on


@pytest.mark.parametrize("name", WRITES)
def test_a_write_of_what_was_read_and_more(name):
    text, change = WRITES[name]
    made = in_place(program(f"{HEAD}  {text}\n{END}"), TABLE)
    verify(made)
    assert change in format_function(made)
    assert len(made.body) == 2


@pytest.mark.parametrize("name", OTHERS)
def test_other_writes_stay(name):
    function = program(f"{HEAD}  {OTHERS[name]}\n{END}")
    assert in_place(function, TABLE) is function


BINS = """\
# ad: vjp(a)
def f(a: "Vector[n]", w: float):
    bins = [0.0, 0.0, 0.0]
    for i in range(len(a)):
        bins[i % 3] -= w * a[i]
    return bins
"""


def test_the_way_back_only_reads():
    text = generate(BINS, **ANY_ORDER)
    assert "bins[i_mod_3] -= w * a_list[i]" in text
    assert "] = 0.0" not in text and text.count("for i in") == 1
    _, a_bar = load(text)["f_vjp"]([1.0] * 4, [1.0, 2.0, 4.0], 0.5)
    assert a_bar.tolist() == [-0.5, -1.0, -2.0, -0.5]
