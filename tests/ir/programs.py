"""Programs of the IR in its text form, every statement among them."""

from __future__ import annotations

from ad_transform.elementals import TABLE
from ad_transform.ir.nodes import Apply, Block, Branch, Function, Parameter, Var
from ad_transform.ir.parse import parse_function
from ad_transform.ir.types import BOOL, FLOAT

STRAIGHT = """\
function straight primal 1 nest .
parameter x (%0 x!: float) annotation float
parameter y (%1 y!: float) default '2.0'
  %2 a!: float = mul(%0, %1)
  %3: float = sin(%2)
  %4: float = sub(%3, 1.5)
  give %4
"""

BRANCHING = """\
function branching primal 2 nest tuple(., list(.))
parameter x (%0 x!: float)
parameter y (%1 'odd hint': float) keyword
  %2: bool = gt(%0, %1)
  %3 big: float, %4: float = branch %2 (%0, %1)
  then (%5: float, %6: float)
    %7: float = sub(%5, %6)
    give %5, %7
  else (%8: float, %9: float)
    %10: float = sqrt(%9)
    give %9, %10
  check %2 (text 'x is ', %0, text ' and y is ', %1 as ':.1f')
  give %3, %4
"""

PRINTING = """\
function printing primal 1 nest .
parameter x (%0 x!: float)
  %1: bool = gt(%0, 1.0)
  = branch %1 (%0)
  then (%2: float)
    print (text 'big ', %2 as ':.1f') end '' flush True
    give
  else (%3: float)
    print (%3)
    print ()
    give
  give %0
"""

SCANNING = """\
function scanning primal 1 nest tuple(., .)
parameter x (%0 x: float)
parameter n (%1 n: int) annotation int
  %2 power: float, %3 powers: float[trips] = scan (0, %1, 1) (1.0) (%0) ()
  body (%4 i: int, %5: float, %6 x: float)
    %7: float = mul(%5, %6)
    give %7, %5
  %8 total: float = scan (0, %1, 1) (0.0) () (%3) backwards
  body (%9 i: int, %10: float, %11: float)
    %12: float = mul(%10, 0.5)
    %13: float = add(%12, %11)
    give %13
  give %2, %8
"""

LOOPING = """\
function looping primal 1 nest tuple(., .)
parameter a (%0 a: float)
  %1 x: float, %2 trips: int = while (%0) (%0)
  test (%3 x: float, %4 a: float)
    %5: float = mul(%3, %3)
    %6: float = sub(%5, %4)
    %7: float = abs(%6)
    %8: bool = gt(%7, 1e-12)
    give %8
  body (%9 x: float, %10 a: float)
    %11: float = div(%10, %9)
    %12: float = add(%9, %11)
    %13: float = mul(0.5, %12)
    give %13
  give %1, %2
"""

RECORDING = """\
function recording primal 1 nest tuple(., .)
parameter a (%0 a: float)
  %1 x: float, %2 xs: float[k], %3 steps: float[k], %4 trips: int = while (%0) (%0)
  test (%5 x: float, %6 a: float)
    %7: float = mul(%5, %5)
    %8: float = sub(%7, %6)
    %9: float = abs(%8)
    %10: bool = gt(%9, 1e-12)
    give %10
  body (%11 x: float, %12 a: float)
    %13: float = div(%12, %11)
    %14: float = sub(%13, %11)
    %15: float = mul(0.5, %14)
    %16: float = add(%11, %15)
    give %16, %11, %15
  %17 total: float, %18 totals: float[k] = scan (0, %4, 1) (0.0) () (%2, %3) backwards
  body (%19 i: int, %20: float, %21: float, %22: float)
    %23: float = mul(%21, %22)
    %24: float = sub(%20, %23)
    %25: float = add(%24, 1.0)
    give %25, %25
  %26 mixed: float = scan (0, %4, 1) (0.0) () (%18, %2)
  body (%27 i: int, %28: float, %29: float, %30: float)
    %31: float = mul(%28, %29)
    %32: float = add(%31, %30)
    give %32
  give %1, %26
"""

DERIVING = """\
function deriving primal 1 nest tuple(., .)
parameter x (%0 x: float)
parameter y (%1 y: float)
  %2 v: float = mul(%0, %1)
  %3: float = derivative 1 (%0, %1) ()
  of (%4 x: float, %5 y: float)
    %6 v: float = mul(%4, %5)
    give %6
  %7: float = tangent 2 (%0, %1) (1.0, %3)
  of (%8 x: float, %9 y: float)
    %10 v: float = mul(%8, %9)
    give %10
  give %2, %7
"""

ARRAYS = """\
function arrays primal 1 nest tuple(., ., .)
parameter x (%0 x: float[3])
parameter y (%1 y: float)
  %2: float = get(%0, 1)
  %3: float[3] = copy(%0)
  %4: float[3] = set(%3, %1, 0)
  %5: float[3] = add_at(%4, %2, 0)
  %6: float[4] = append(%5, %1)
  %7: float[2] = pack(%1, %2)
  give %6, %7, %0
"""

KEEPING = """\
function keeping primal 1 nest tuple(., .)
parameter x (%0 x: float)
parameter a (%1 a: float[3])
  %2: float[3] = copy(%1)
  %3: record = record ()
  %4 held: record = record (%0, 2, %2, %3)
  %5: float, %6: int, %7: float[3], %8: record = open (%4)
  %9: float = get(%7, %6)
  %10: float = mul(%5, %9)
  give %5, %10
"""


def program(text: str) -> Function:
    return parse_function(text, TABLE)


def deep(levels: int) -> Function:
    """Branches within branches; the innermost gives the argument back."""
    block = _identity()
    for _ in range(levels):
        test, value, out = Var(BOOL), Var(FLOAT), Var(FLOAT)
        branch = Branch((out,), test, (test, value), block, _identity())
        block = Block((test, value), (branch,), (out,))
    test, value = block.params
    parameters = (Parameter("t", (test,)), Parameter("x", (value,)))
    return Function("deep", parameters, block, program(STRAIGHT).nest)


def _identity() -> Block:
    test, value, out = Var(BOOL), Var(FLOAT), Var(FLOAT)
    return Block((test, value), (Apply(out, TABLE["pos"], (value,)),), (out,))
