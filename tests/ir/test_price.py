"""Prices: polynomials in the trips of loops, and the counts they are made of."""

import ast

from ad_transform.elementals import TABLE
from ad_transform.ir.count import Counts, count
from ad_transform.ir.elemental import PYTHON
from ad_transform.ir.loops.ends import without_ends
from ad_transform.ir.parse import parse_function
from ad_transform.ir.price import NOMINAL, Price
from ad_transform.options import WEIGHTS


def _sum(*terms):
    total = Price()
    for term in terms:
        total += term
    return total


def test_a_price_is_a_polynomial():
    price = _sum(Price.flat(5), Price.flat(3).repeated("n"), Price.flat(4))
    assert str(price) == "9 + 3 n"
    assert str(price.repeated("n")) == "9 n + 3 n**2"
    assert str(price.repeated("m")) == "9 m + 3 m n"
    assert str(price.repeated(3)) == "27 + 9 n"
    assert str(price.repeated(0)) == str(Price()) == str(Price.flat(0)) == "0"


def test_prices_are_compared_at_nominal_trips():
    loop = Price.flat(1).repeated("n")
    assert int(loop) == NOMINAL
    assert Price.flat(NOMINAL - 1) < loop < Price.flat(NOMINAL + 1)
    assert loop == Price.flat(NOMINAL)
    assert max(loop, Price.flat(3)) is loop


NESTED = """\
function nested primal 1 nest .
parameter x (%0 x: float)
parameter n (%1 n: int)
  %2: float = mul(%0, %0)
  %3: float = scan (0, %1, 1) (%2) (%0) ()
  body (%4: int, %5: float, %6: float)
    %7: float = add(%5, %6)
    %8: float = scan (0, 8, 2) (%7) () ()
    body (%9: int, %10: float)
      %11: float = mul(%10, %10)
      give %11
    %12: float, %19: int = while (%8) (%6)
    test (%13: float, %14: float)
      %15: bool = gt(%13, 1.0)
      give %15
    body (%16: float, %17: float)
      %18: float = div(%16, 2.0)
      give %18
    give %12
  give %3
"""


def test_loops_are_counted_once_in_the_text_and_by_trip_in_the_price():
    counts = count(parse_function(NESTED, TABLE))
    assert counts.total == 4
    assert counts.classes()["select"] == 1
    assert str(counts.price({**WEIGHTS, "select": 0})) == "1 + 5 n + 1 n trips"


def test_counts_without_loops_have_none():
    straight = Counts(mul=2, add=1)
    assert straight.loops == ()
    assert str(straight.price(WEIGHTS)) == "3"


SIGNS = {
    ast.Add: "add",
    ast.Sub: "add",
    ast.Mult: "mul",
    ast.MatMult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "div",
    ast.Mod: "div",
    ast.Pow: "pow",
    ast.USub: "neg",
    ast.Not: "select",
    ast.And: "select",
    ast.Or: "select",
    ast.BitAnd: "select",
    ast.BitOr: "select",
    ast.BitXor: "select",
    ast.LShift: "select",
    ast.RShift: "select",
}


def _written(spelling):
    """The operations in a Python text, by class (rule 25)."""
    for node in ast.walk(ast.parse(spelling)):
        match node:
            case ast.UnaryOp(operand=ast.Constant()):
                pass  # a negative literal
            case ast.BinOp(left=ast.List()) | ast.Call(func=ast.Name(id="len")):
                pass  # a list is made, or asked for its length
            case ast.Call(func=ast.Name(id="slice")):
                pass  # as a colon between brackets
            case ast.Call(func=ast.Attribute(value=ast.Name(id="array"))):
                pass  # a method of a list
            case (
                ast.AugAssign(op=sign)
                | ast.BinOp(op=sign)
                | ast.UnaryOp(op=sign)
                | ast.BoolOp(op=sign)
            ):
                if type(sign) in SIGNS:
                    yield SIGNS[type(sign)]
            case ast.Call():
                yield "call"
            case ast.Compare() | ast.IfExp():
                yield "select"


def test_rows_count_as_what_python_reads():
    for row in TABLE.values():
        written = sorted(_written(row.spelling(PYTHON)))
        assert sorted(row.classes) == written, row.name


LISTED = """\
function f primal 0 nest .
parameter x (%0: float)
parameter n (%1: int)
  %2: float, %3: float[trips.1] = scan (0, %1, 1) (%0) () ()
  body (%4: int, %5: float)
    %6: float = mul(%5, %5)
    give %6, %5
  %7: float = scan (0, %1, 1) (1.0) () (%3) backwards
  body (%8: int, %9: float, %10: float)
    %11: float = mul(%9, %10)
    %12: float = mul(%11, 2.0)
    give %12
  %13: float = mul(%7, %2)
  give %13
"""


def test_a_loop_over_lists_alone_runs_as_often_as_any_other():
    made = without_ends(parse_function(LISTED, TABLE))
    price = count(made).price(WEIGHTS)
    assert int(price) == 1 + 10 * (1 + 2)
    assert str(price) == "1 + 3 trips"
