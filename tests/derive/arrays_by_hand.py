"""Programs on arrays, as text of the IR; every one has arrays of length n."""

from __future__ import annotations

DOT = """\
function f primal 1 nest .
parameter x (%0 x!: float[n]) nest array(.)
parameter y (%1 y!: float[n]) nest array(.)
  %2: int = size(%0)
  %3 s!: float = scan (0, %2, 1) (0.0) (%0, %1) ()
  body (%4 i: int, %5 s: float, %6 x: float[n], %7 y: float[n])
    %8: float = get(%6, %4)
    %9: float = get(%7, %4)
    %10: float = mul(%8, %9)
    %11 s!: float = add(%5, %10)
    give %11
  give %3
"""

SQUARES = """\
function f primal 1 nest .
parameter x (%0 x!: float[n]) nest array(.)
  %2: int = size(%0)
  %3 s!: float = scan (0, %2, 1) (0.0) (%0) ()
  body (%4 i: int, %5 s: float, %6 x: float[n])
    %8 v!: float = get(%6, %4)
    %10: float = mul(%8, %8)
    %9: float = sin(%10)
    %11 s!: float = add(%5, %9)
    give %11
  give %3
"""

HORNER = """\
function f primal 1 nest .
parameter a (%0 a!: float[n]) nest array(.)
parameter x (%1 x!: float)
  %2: int = size(%0)
  %12: int = sub(%2, 1)
  %3 p!: float = scan (%12, -1, -1) (0.0) (%0, %1) ()
  body (%4 i: int, %5 p: float, %6 a: float[n], %7 x: float)
    %8: float = mul(%5, %7)
    %9: float = get(%6, %4)
    %11 p!: float = add(%8, %9)
    give %11
  give %3
"""

PREFIX = """\
function f primal 1 nest array(.)
parameter x (%0 x!: float[n]) nest array(.)
  %1: int = size(%0)
  %2 y!: float[n] = copy(%0)
  %3 y!: float[n] = scan (1, %1, 1) (%2) () ()
  body (%4 i: int, %5 y: float[n])
    %6: int = sub(%4, 1)
    %7: float = get(%5, %6)
    %12: float = get(%5, %4)
    %13: float = sin(%7)
    %14: float = mul(%13, %12)
    %8 y!: float[n] = set(%5, %14, %4)
    give %8
  give %3
"""

# u[i] += c * (u[i+1] - 2 u[i] + u[i-1]) ** 2 into another buffer, which are swapped
HEAT = """\
function f primal 1 nest .
parameter u0 (%0 u0!: float[n]) nest array(.)
parameter c (%1 c!: float)
parameter steps (%2 steps!: int)
  %3: int = size(%0)
  %4 u!: float[n] = copy(%0)
  %5 w!: float[n] = copy(%0)
  %6: int = sub(%3, 1)
  %7 u!: float[n], %8 w!: float[n] = scan (0, %2, 1) (%4, %5) (%1, %6) ()
  body (%9 t: int, %10 u: float[n], %11 w: float[n], %12 c: float, %13 m: int)
    %14 w!: float[n] = scan (1, %13, 1) (%11) (%10, %12) ()
    body (%15 i: int, %16 w: float[n], %17 u: float[n], %18 c: float)
      %19: int = sub(%15, 1)
      %20: int = add(%15, 1)
      %21 l!: float = get(%17, %19)
      %22 m!: float = get(%17, %15)
      %23 r!: float = get(%17, %20)
      %24: float = mul(2.0, %22)
      %25: float = sub(%23, %24)
      %26: float = add(%25, %21)
      %27: float = mul(%18, %26)
      %28: float = mul(%27, %26)
      %29: float = add(%22, %28)
      %30 w!: float[n] = set(%16, %29, %15)
      give %30
    give %14, %10
  %31 s!: float = scan (0, %3, 1) (0.0) (%7) ()
  body (%32 i: int, %33 s: float, %34 u: float[n])
    %35: float = get(%34, %32)
    %36: float = mul(%35, %35)
    %37 s!: float = add(%33, %36)
    give %37
  give %31
"""

# in place: what is read has been overwritten by the trip before
HEAT_IN_PLACE = """\
function f primal 1 nest array(.)
parameter u (%0 u!: float[n]) nest array(.)
parameter c (%1 c!: float)
parameter steps (%2 steps!: int)
  %3: int = size(%0)
  %6: int = sub(%3, 1)
  %7 u!: float[n] = scan (0, %2, 1) (%0) (%1, %6) ()
  body (%9 t: int, %10 u: float[n], %12 c: float, %13 m: int)
    %14 u!: float[n] = scan (1, %13, 1) (%10) (%12) ()
    body (%15 i: int, %17 u: float[n], %18 c: float)
      %19: int = sub(%15, 1)
      %20: int = add(%15, 1)
      %21 l!: float = get(%17, %19)
      %22 m!: float = get(%17, %15)
      %23 r!: float = get(%17, %20)
      %24: float = mul(2.0, %22)
      %25: float = sub(%23, %24)
      %26: float = add(%25, %21)
      %27: float = mul(%18, %26)
      %28: float = mul(%27, %26)
      %30 u!: float[n] = add_at(%17, %28, %15)
      give %30
    give %14
  give %7
"""

THOMAS = """\
function f primal 1 nest array(.)
parameter a (%0 a!: float[n]) nest array(.)
parameter b (%1 b!: float[n]) nest array(.)
parameter c (%2 c!: float[n]) nest array(.)
parameter d (%3 d!: float[n]) nest array(.)
  %4: int = size(%3)
  %5 p!: float[n] = full(0.0, %4)
  %6 q!: float[n] = full(0.0, %4)
  %7: float = get(%2, 0)
  %8: float = get(%1, 0)
  %9: float = div(%7, %8)
  %10 p!: float[n] = set(%5, %9, 0)
  %11: float = get(%3, 0)
  %12: float = div(%11, %8)
  %13 q!: float[n] = set(%6, %12, 0)
  %14 p!: float[n], %15 q!: float[n] = scan (1, %4, 1) (%10, %13) (%0, %1, %2, %3) ()
  body (%16 i: int, %17 p: float[n], %18 q: float[n], ABCD)
    %23: int = sub(%16, 1)
    %24: float = get(%20, %16)
    %25: float = get(%19, %16)
    %26: float = get(%17, %23)
    %27: float = mul(%25, %26)
    %28 m!: float = sub(%24, %27)
    %29: float = get(%21, %16)
    %30: float = div(%29, %28)
    %31 p!: float[n] = set(%17, %30, %16)
    %32: float = get(%22, %16)
    %33: float = get(%18, %23)
    %34: float = mul(%25, %33)
    %35: float = sub(%32, %34)
    %36: float = div(%35, %28)
    %37 q!: float[n] = set(%18, %36, %16)
    give %31, %37
  %38: int = sub(%4, 2)
  %39 q!: float[n] = scan (%38, -1, -1) (%15) (%14) ()
  body (%40 i: int, %41 q: float[n], %42 p: float[n])
    %43: int = add(%40, 1)
    %44: float = get(%41, %40)
    %45: float = get(%42, %40)
    %46: float = get(%41, %43)
    %47: float = mul(%45, %46)
    %48: float = sub(%44, %47)
    %49 q!: float[n] = set(%41, %48, %40)
    give %49
  give %39
""".replace(
    "ABCD", "%19 a: float[n], %20 b: float[n], %21 c: float[n], %22 d: float[n]"
)

GATHER = """\
function f primal 1 nest .
parameter x (%0 x!: float[n]) nest array(.)
parameter k (%1 k!: int[m]) nest array(.)
  %2: int = size(%1)
  %3 s!: float = scan (0, %2, 1) (0.0) (%0, %1) ()
  body (%4 i: int, %5 s: float, %6 x: float[n], %7 k: int[m])
    %8: int = get(%7, %4)
    %9: float = get(%6, %8)
    %10: float = mul(%9, %9)
    %12: float = mul(%10, %5)
    %13: float = add(%12, %9)
    give %13
  give %3
"""

# neighbours that are in the wrong order change places
BUBBLE = """\
function f primal 1 nest array(.)
parameter x (%0 x!: float[n]) nest array(.)
  %1: int = size(%0)
  %2 x!: float[n] = scan (0, %1, 1) (%0) (%1) ()
  body (%3 i: int, %4 x: float[n], %5 n: int)
    %6: int = sub(%5, 1)
    %7 x!: float[n] = scan (0, %6, 1) (%4) () ()
    body (%8 j: int, %9 x: float[n])
      %10: int = add(%8, 1)
      %11 a!: float = get(%9, %8)
      %12 b!: float = get(%9, %10)
      %13: bool = gt(%11, %12)
      %14 x!: float[n] = branch %13 (%9, %11, %12, %8, %10)
      then (%15 x: float[n], %16 a: float, %17 b: float, %18 j: int, %19 k: int)
        %20 x!: float[n] = set(%15, %17, %18)
        %21: float = mul(%16, 0.5)
        %22 x!: float[n] = set(%20, %21, %19)
        give %22
      else (%23 x: float[n], %24: float, %25: float, %26: int, %27: int)
        give %23
      give %14
    give %7
  give %2
"""

# a loop that an element of an array ends
HALVING = """\
function f primal 1 nest .
parameter x (%0 x!: float[n]) nest array(.)
  %1 x!: float[n], %2 k!: int, %3: int = while (%0, 0) ()
  test (%4 x: float[n], %5 k: int)
    %6: float = get(%4, 0)
    %7: bool = gt(%6, 0.1)
    give %7
  body (%8 x: float[n], %9 k: int)
    %10: float = get(%8, 0)
    %11: float = get(%8, 1)
    %12: float = mul(%10, %11)
    %13: float = sin(%12)
    %14: float = mul(0.5, %13)
    %15 x!: float[n] = set(%8, %14, 0)
    %16 x!: float[n] = add_at(%15, %10, -1)
    %17: int = add(%9, 1)
    give %16, %17
  %18: float = get(%1, 0)
  %19: float = get(%1, -1)
  %20: float = mul(%18, %19)
  give %20
"""

# one step of Heun's rule for n states: arrays of its own in every trip
HEUN = """\
function f primal 1 nest array(.)
parameter y (%0 y!: float[n]) nest array(.)
parameter h (%1 h!: float)
parameter steps (%2 steps!: int)
  %3: int = size(%0)
  %4 y!: float[n] = copy(%0)
  %5 y!: float[n] = scan (0, %2, 1) (%4) (%1, %3) ()
  body (%6 t: int, %7 y: float[n], %8 h: float, %9 m: int)
    %10 k!: float[n] = full(0.0, %9)
    %11 k!: float[n] = scan (0, %9, 1) (%10) (%7) ()
    body (%12 i: int, %13 k: float[n], %14 y: float[n])
      %15: int = sub(%12, 1)
      %16: float = get(%14, %15)
      %17: float = get(%14, %12)
      %18: float = mul(%16, %17)
      %19: float = sin(%18)
      %20 k!: float[n] = set(%13, %19, %12)
      give %20
    %21 y!: float[n] = scan (0, %9, 1) (%7) (%11, %8) ()
    body (%22 i: int, %23 y: float[n], %24 k: float[n], %25 h: float)
      %26: int = sub(%22, 1)
      %27: float = get(%24, %26)
      %28: float = get(%24, %22)
      %29: float = mul(%27, %28)
      %30: float = mul(%25, %29)
      %31 y!: float[n] = add_at(%23, %30, %22)
      give %31
    give %21
  give %5
"""

# LU without pivoting, in place; the product of the diagonal
LU = """\
function f primal 1 nest .
parameter A (%0 A!: float[n, n]) nest array(.)
  %1: int = size(%0)
  %2 A!: float[n, n] = scan (0, %1, 1) (%0) (%1) ()
  body (%3 k: int, %4 A: float[n, n], %5 m: int)
    %6: int = add(%3, 1)
    %7 A!: float[n, n] = scan (%6, %5, 1) (%4) (%3, %5, %6) ()
    body (%8 i: int, %9 A: float[n, n], %10 k: int, %11 m: int, %12 first: int)
      %13: float = get(%9, %8, %10)
      %14: float = get(%9, %10, %10)
      %15 l!: float = div(%13, %14)
      %16 A!: float[n, n] = set(%9, %15, %8, %10)
      %17 A!: float[n, n] = scan (%12, %11, 1) (%16) (%8, %10, %15) ()
      body (%18 j: int, %19 A: float[n, n], %20 i: int, %21 k: int, %22 l: float)
        %23: float = get(%19, %21, %18)
        %24: float = mul(%22, %23)
        %25: float = neg(%24)
        %26 A!: float[n, n] = add_at(%19, %25, %20, %18)
        give %26
      give %17
    give %7
  %27 d!: float = scan (0, %1, 1) (1.0) (%2) ()
  body (%28 i: int, %29 d: float, %30 A: float[n, n])
    %31: float = get(%30, %28, %28)
    %32 d!: float = mul(%29, %31)
    give %32
  give %27
"""

# an array that lasts in one arm and changes in the other, and one that is made in one
ARMS = """\
function f primal 1 nest .
parameter x (%0 x!: float[n]) nest array(.)
parameter t (%1 t!: float)
  %2: int = size(%0)
  %3: bool = gt(%1, 0.0)
  %4: float[n] = copy(%0)
  %5 y!: float[n], %6 s!: float = branch %3 (%4, %0, %1, %2)
  then (%7 y: float[n], %8 x: float[n], %9 t: float, %10 m: int)
    %11: float = get(%8, 0)
    %12: float = mul(%11, %9)
    %13: float[n] = set(%7, %12, 1)
    %14: float[n] = full(%12, %10)
    %15: float[n] = scan (0, %10, 1) (%14) (%8) ()
    body (%16 i: int, %17: float[n], %18 x: float[n])
      %19: float = get(%18, %16)
      %20: float = sin(%19)
      %21: float[n] = set(%17, %20, %16)
      give %21
    %22: float = sum_of(%15)
    %23: float = mul(%22, %22)
    give %13, %23
  else (%24 y: float[n], %25 x: float[n], %26 t: float, %27: int)
    %28: float = get(%25, -1)
    %29: float = exp(%28)
    give %24, %29
  %30: float = get(%5, 1)
  %31: float = get(%5, 0)
  %32: float = mul(%30, %31)
  %33: float = mul(%32, %6)
  give %33
"""

# lists that grow and shrink, pairs of numbers as arrays, and sums of arrays
GROWING = """\
function f primal 1 nest .
parameter x (%0 x!: float[n]) nest array(.)
  %1: int = size(%0)
  %2: float = get(%0, 0)
  %3: float = get(%0, 1)
  %4 p!: float[2] = pack(%2, %3)
  %5: float[2] = copy(%4)
  %6: float = mul(%2, %3)
  %7 p!: float[3] = append(%4, %6)
  %8: float[3] = added(%7, %7)
  %9: float = get(%8, 2)
  %10 p!: float[2] = pop(%7)
  %11: float[2] = added(%10, %5)
  %12: float = get(%11, 1)
  %13: float = sum_of(%11)
  %14: float = mul(%12, %13)
  %15: float[n] = like(%0, %14)
  %16: float = get(%15, 1)
  %17: float = mul(%16, %9)
  give %17
"""

# an array grown trip by trip, and read behind the loop
APPENDING = """\
function f primal 1 nest .
parameter x (%0 x!: float[n]) nest array(.)
  %1: int = size(%0)
  %2: float = get(%0, 0)
  %3 p!: float[1] = pack(%2)
  %4 p!: float[?] = scan (1, %1, 1) (%3) (%0) ()
  body (%5 i: int, %6 p: float[?], %7 x: float[n])
    %8: float = get(%6, -1)
    %9: float = get(%7, %5)
    %10: float = mul(%8, %9)
    %11: float = sin(%10)
    %12 p!: float[?] = append(%6, %11)
    give %12
  %13 s!: float = scan (0, %1, 1) (0.0) (%4) ()
  body (%14 i: int, %15 s: float, %16 p: float[?])
    %17: float = get(%16, %14)
    %18: float = mul(%17, %17)
    %19: float = add(%15, %18)
    give %19
  give %13
"""

N = 4
VECTOR = [0.7, -0.4, 1.3, 0.9]
MATRIX = [
    [2.0, 0.3, -0.2, 0.5],
    [0.1, 1.5, 0.4, -0.3],
    [0.6, -0.7, 1.8, 0.2],
    [-0.4, 0.8, 0.3, 2.2],
]
BIG = [3.0, 2.5, 2.8, 3.1]

PROGRAMS = {
    "dot": (DOT, [VECTOR, BIG]),
    "squares": (SQUARES, [VECTOR]),
    "horner": (HORNER, [VECTOR, 0.8]),
    "prefix": (PREFIX, [VECTOR]),
    "heat": (HEAT, [VECTOR, 0.1, 3]),
    "heat in place": (HEAT_IN_PLACE, [VECTOR, 0.1, 3]),
    "thomas": (THOMAS, [VECTOR, BIG, VECTOR[::-1], [1.0, 2.0, -1.0, 0.5]]),
    "gather": (GATHER, [VECTOR, [0, 2, 2, 1, -1]]),
    "bubble": (BUBBLE, [VECTOR]),
    "halving": (HALVING, [[2.0, 1.7, 0.3, 0.2]]),
    "heun": (HEUN, [VECTOR, 0.1, 3]),
    "lu": (LU, [MATRIX]),
    "then": (ARMS, [VECTOR, 0.8]),
    "else": (ARMS, [VECTOR, -0.8]),
    "growing": (GROWING, [VECTOR]),
    "appending": (APPENDING, [VECTOR]),
}
