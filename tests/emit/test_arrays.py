"""Arrays of run-time length are lists that generated code changes in place."""

from __future__ import annotations

import black
import pytest
from hand import text_of
from support import flat, load

from ad_transform.derive.primal import copy_primal
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Block, Function
from ad_transform.ir.parse import parse_function
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.verify import verify

HEAD = "function f primal 1 nest NEST\nparameter x (%0 x: float[n]) nest array(.)\n"

PREFIX = """\
  %1: int = size(%0)
  %2: float[n] = copy(%0)
  %3: float[n] = scan (1, %1, 1) (%2) () ()
  body (%4 i: int, %5: float[n])
    %6: int = sub(%4, 1)
    %7: float = get(%5, %6)
    %8: float[n] = add_at(%5, %7, %4)
    give %8
  give %3
"""

SWAPPED = """\
  %1: float = get(%0, 0)
  %2: float = get(%0, 1)
  %3: float[n] = set(%0, %2, 0)
  %4: float[n] = set(%3, %1, 1)
  give %4
"""

# a value that is used once is read before the write, not inside its use
READ_BEFORE = """\
  %1: float = get(%0, 0)
  %2: float = sin(%1)
  %3: float = get(%0, 1)
  %4: float[n] = set(%0, 5.0, 0)
  %5: float = mul(%2, %3)
  %6: float = get(%4, 0)
  %7: float = add(%5, %6)
  give %7
"""

BRANCHING = """\
  %1: float = get(%0, 0)
  %2: bool = gt(%1, 0.0)
  %3: float = get(%0, 1)
  %4: float[n], %5: float = branch %2 (%0)
  then (%6: float[n])
    %7: float = get(%6, 0)
    %8: float = exp(%7)
    %9: float[n] = set(%6, %8, 1)
    give %9, %8
  else (%10: float[n])
    %11: float[n] = set(%10, 0.0, 0)
    give %11, 1.0
  %12: float = mul(%3, %5)
  %13: float[n] = add_at(%4, %12, -1)
  give %13
"""

EITHER = """\
  %1: float = get(%0, 0)
  %2: bool = gt(%1, 0.0)
  %3: float[n] = copy(%0)
  %4: float[n] = branch %2 (%0, %3)
  then (%5: float[n], %6: float[n])
    give %5
  else (%7: float[n], %8: float[n])
    give %8
  %9: float[n] = set(%4, 7.0, 0)
  give %9
"""

TURNS = """\
  %1: float[n] = like(%0, 0.0)
  %2: float[n], %3: float[n] = scan (0, 5, 1) (%0, %1) () ()
  body (%4: int, %5: float[n], %6: float[n])
    %7: float = get(%5, 0)
    %8: float[n] = add_at(%6, %7, 1)
    %9: float[n] = add_at(%5, 1.0, 0)
    give %8, %9
  give %2
"""

GROWN = """\
  %1: float[1] = pack(1.0)
  %2: float[2] = append(%1, 2.0)
  %3: float[3] = append(%2, 3.0)
  %4: float[2] = pop(%3)
  %5: float = sum_of(%4)
  %6: float[4] = full(%5, 4)
  %7: float[4] = added(%6, %6)
  %8: float = sum_of(%7)
  %9: float = get(%0, 0)
  %10: float = mul(%8, %9)
  give %10
"""

ROWS = """\
  %1: int = size(%0)
  %2: float[n, 2] = grid(0.5, %1, 2)
  %3: float = get(%0, 0)
  %4: float[n, 2] = set(%2, %3, 1, 0)
  %5: float[n, 2] = copy_rows(%4)
  %6: float[n, 2] = add_at(%5, 2.0, 1, 0)
  %7: float[n, 2] = rows_like(%6, 0.0)
  %8: float[n, 2] = added_rows(%7, %6)
  %9: int = size(%8, 1)
  %10: float = get(%8, 1, 0)
  %11: float = get(%4, 1, 0)
  %12: float = mul(%10, %9)
  %13: float = sub(%12, %11)
  give %13
"""

HISTORY = """\
  %1: int = size(%0)
  %2: float, %3: float[k, n] = scan (0, %1, 1) (0.0) (%0) ()
  body (%4: int, %5: float, %6: float[n])
    %7: float[n] = copy(%6)
    %8: float = get(%6, %4)
    %9: float = add(%5, %8)
    %10: float[n] = set(%7, %9, %4)
    give %9, %10
  %11: float = scan (0, %1, 1) (%2) () (%3) backwards
  body (%12: int, %13: float, %14: float[n])
    %15: float = get(%14, %12)
    %16: float = mul(0.5, %13)
    %17: float = add(%16, %15)
    give %17
  give %11
"""

PROGRAMS = {
    "PREFIX": (PREFIX, "array(.)"),
    "SWAPPED": (SWAPPED, "array(.)"),
    "READ_BEFORE": (READ_BEFORE, "."),
    "BRANCHING": (BRANCHING, "array(.)"),
    "EITHER": (EITHER, "list(.)"),
    "TURNS": (TURNS, "array(.)"),
    "GROWN": (GROWN, "."),
    "ROWS": (ROWS, "."),
    "HISTORY": (HISTORY, "."),
}


def program(name: str) -> Function:
    body, nest = PROGRAMS[name]
    return parse_function(HEAD.replace("NEST", nest) + body, TABLE)


def copied(function: Function) -> Function:
    builder = Builder(TABLE, LAWS)
    env = copy_primal(function, builder)
    results = tuple(env.get(r, r) for r in function.results)
    block = Block(function.block.params, tuple(builder.body), results)
    return Function(function.name, function.parameters, block, function.nest, 1)


@pytest.mark.parametrize("name", PROGRAMS)
def test_lists_compute_what_the_program_says(name):
    function = program(name)
    verify(function)
    again = copied(function)
    verify(again)
    text = text_of(again)
    printed = load(text)["f"]
    for x in ([0.5, 2.0, -1.5], [-0.25, 3.0]):
        kept = x.copy()
        (expected,) = evaluate(function, (x,))
        assert flat(printed(x)) == flat(expected), text
        assert x == kept
        assert evaluate(again, (x,)) == (expected,)
    assert black.format_str(text, mode=black.Mode()) == text


def body_of(name: str) -> str:
    text = text_of(program(name))
    lines = text.partition('"""Doc."""\n')[2].splitlines()
    lines = [line.removeprefix("    ") for line in lines]
    return "\n".join(lines[3:])  # behind what makes a list of the argument


def test_writes_are_statements_and_reads_stand_where_they_were():
    assert body_of("PREFIX") == (
        "value_copy = x_list.copy()\n"
        "for i in range(1, len(x_list)):\n"
        "    value_copy[i] += value_copy[i - 1]\n"
        "return np.array(value_copy, dtype=float)"
    )
    assert body_of("SWAPPED") == (
        "x_list[0], x_list[1] = x_list[1], x_list[0]\n"
        "return np.array(x_list, dtype=float)"
    )
    assert body_of("READ_BEFORE") == (
        "value_sin = sin(x_list[0])\n"
        "x_i = x_list[1]\n"
        "x_list[0] = 5.0\n"
        "value: float = value_sin * x_i + x_list[0]\n"
        "return value"
    )


def test_an_array_that_is_no_vector_is_refused():
    printed = load(text_of(program("PREFIX")))["f"]
    with pytest.raises(ValueError, match=r"x has shape \(1, 2\), not \(n,\)"):
        printed([[1.0, 2.0]])
