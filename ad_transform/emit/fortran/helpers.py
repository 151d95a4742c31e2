"""Functions that Fortran has not, as text printed into generated modules.

Some are those of the C library, reached by name; the others follow Python's own.
"""

from __future__ import annotations

import textwrap

from ad_transform.emit.fortran.estimates import ESTIMATES
from ad_transform.emit.fortran.exponentials import EXPONENTIALS
from ad_transform.emit.fortran.gamma import GAMMA
from ad_transform.emit.fortran.normal import NORMAL
from ad_transform.emit.fortran.whole_numbers import WHOLE_NUMBERS

C_FUNCTIONS = """
cbrt exp2 expm1 log2 log1p fmod remainder floor ceil trunc nearbyint nextafter fma
""".split()  # noqa: SIM905
"""Functions of the C library that Fortran has no word for, or another meaning."""

_TWO, _THREE = frozenset({"fmod", "remainder", "nextafter"}), frozenset({"fma"})


def _interface(name: str) -> str:
    """The interface of a function of the C library."""
    names = "x, y, z" if name in _THREE else "x, y" if name in _TWO else "x"
    return f"""\
interface
  pure function ad_{name}({names}) bind(c, name="{name}")
    import :: c_double
    real(c_double), value :: {names}
    real(c_double) :: ad_{name}
  end function ad_{name}
end interface
"""


INTERFACES = {name: _interface(name) for name in C_FUNCTIONS}

HELPERS: dict[str, str] = {
    "nan": """\
! Not a number.
pure function ad_nan() result(v)
  real(dp) :: v
  v = ieee_value(1.0_dp, ieee_quiet_nan)
end function ad_nan
""",
    "inf": """\
! Infinity.
pure function ad_inf() result(v)
  real(dp) :: v
  v = ieee_value(1.0_dp, ieee_positive_inf)
end function ad_inf
""",
    "given": """\
! x itself, as a number that is not known before the program runs.
elemental function ad_given(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  v = x
end function ad_given
""",
    "norm": """\
! math.hypot of many numbers as in Python: squares and sums have twice the digits.
pure function ad_norm(x) result(v)
  real(dp), intent(in) :: x(:)
  real(dp) :: v, most, total, lost, part, square, rest
  integer :: k, power
  most = maxval(abs(x))
  if (any(abs(x) > huge(x))) then
    v = ad_inf()
    return
  else if (any(ieee_is_nan(x)) .or. .not. most > 0.0_dp) then
    v = sum(abs(x))
    return
  end if
  power = exponent(most)
  total = 1.0_dp
  lost = 0.0_dp
  do k = 1, size(x)
    part = scale(x(k), -power)
    square = part * part
    rest = total + square
    lost = lost + (ad_fma(part, part, -square) + (square - (rest - total)))
    total = rest
  end do
  v = sqrt(total - 1.0_dp + lost)
  square = v * v
  rest = total - 1.0_dp - square + (lost - ad_fma(v, v, -square))
  v = scale(v + rest / (2.0_dp * v), power)
end function ad_norm
""",
    "isinf": """\
! Whether x is infinite.
elemental function ad_isinf(x) result(v)
  real(dp), intent(in) :: x
  logical :: v
  v = abs(x) > huge(x)
end function ad_isinf
""",
    "pow": """\
! x**y as the C library has it.
elemental function ad_pow(x, y) result(v)
  real(dp), intent(in) :: x, y
  real(dp) :: v
  v = x**y
end function ad_pow
""",
    "mod": """\
! x % y as in Python: the sign is that of y.
elemental function ad_mod(x, y) result(v)
  real(dp), intent(in) :: x, y
  real(dp) :: v
  v = ad_fmod(x, y)
  if (v == 0.0_dp) then
    v = sign(0.0_dp, y)
  else if ((y < 0.0_dp) .neqv. (v < 0.0_dp)) then
    v = v + y
  end if
end function ad_mod
""",
    "floordiv": """\
! x // y as in Python: the floor of the quotient.
elemental function ad_floordiv(x, y) result(v)
  real(dp), intent(in) :: x, y
  real(dp) :: v, rest, below
  rest = ad_fmod(x, y)
  v = (x - rest) / y
  if (rest /= 0.0_dp .and. ((y < 0.0_dp) .neqv. (rest < 0.0_dp))) v = v - 1.0_dp
  if (v == 0.0_dp) then
    v = sign(0.0_dp, x / y)
  else
    below = ad_floor(v)
    v = merge(below + 1.0_dp, below, v - below > 0.5_dp)
  end if
end function ad_floordiv
""",
    "whole_mod": """\
! x % y of whole numbers as in Python: the sign is that of y.
elemental function ad_whole_mod(x, y) result(v)
  integer(ip), intent(in) :: x, y
  integer(ip) :: v
  v = modulo(x, y)
end function ad_whole_mod
""",
    "whole_floordiv": """\
! x // y of whole numbers as in Python: rounded down.
elemental function ad_whole_floordiv(x, y) result(v)
  integer(ip), intent(in) :: x, y
  integer(ip) :: v
  v = (x - modulo(x, y)) / y
end function ad_whole_floordiv
""",
    "whole_pow": """\
! x ** n of whole numbers, cut off towards 0 where n is below 0.
elemental function ad_whole_pow(x, n) result(v)
  integer(ip), intent(in) :: x, n
  integer(ip) :: v
  v = x**n
end function ad_whole_pow
""",
    **WHOLE_NUMBERS,
    "stops": """\
! Where to stop on the way to the last trip, holding the state before each part, at
! most so many: Griewank and Walther (2000), ACM TOMS 26, 19-45.
pure function ad_stops(start, stop, step, most) result(stops)
  integer(ip), intent(in) :: start, stop, step, most
  type(ad_wholes) :: stops
  integer(ip) :: place, last, ahead, free, times
  stops = ad_new_wholes(0_ip)
  place = 0
  last = ad_trips(start, stop, step) - 1
  do while (place < last)
    ahead = last - place
    free = most - stops%size
    if (free > 1) then
      times = 1
      do while (ad_comb(free + times, free) <= ahead)
        times = times + 1
      end do
      ahead = ahead + 1 - ad_comb(free - 1 + times, times)
      ahead = max(1_ip, ahead, ad_comb(free + times - 2, free))
    end if
    place = place + ahead
    call ad_push_wholes(stops, start + place * step)
  end do
end function ad_stops
""",
    "among": """\
! Whether a place is among some.
pure function ad_among(places, place) result(found)
  type(ad_wholes), intent(in) :: places
  integer(ip), intent(in) :: place
  logical :: found
  found = any(places%at(0:places%size - 1) == place)
end function ad_among
""",
    "giving_way": """\
! Which state gives way to the next one of a loop whose end is not known yet, or how
! many there are: Wang, Moin and Iaccarino (2009), SIAM J. Sci. Comput. 31, 2549-2567.
pure subroutine ad_giving_way(levels, most, gone)
  type(ad_wholes), intent(inout) :: levels
  integer(ip), intent(in) :: most
  integer(ip), intent(out) :: gone
  integer(ip) :: highest, k
  if (levels%size + 1 < most) then
    call ad_push_wholes(levels, 0_ip)
    gone = levels%size
    return
  end if
  highest = -1
  do k = levels%size - 1, 0, -1
    if (levels%at(k) < highest) then
      call ad_drop_wholes(levels, k)
      call ad_push_wholes(levels, 0_ip)
      gone = k + 1
      return
    end if
    highest = max(highest, levels%at(k))
  end do
  gone = levels%size
  levels%at(gone - 1) = levels%at(gone - 1) + 1
end subroutine ad_giving_way
""",
    "whole_abs": """\
! abs(x) of a whole number.
elemental function ad_whole_abs(x) result(v)
  integer(ip), intent(in) :: x
  integer(ip) :: v
  v = abs(x)
end function ad_whole_abs
""",
    "whole": """\
! 1 for true, 0 for false.
elemental function ad_whole(x) result(v)
  logical, intent(in) :: x
  integer(ip) :: v
  v = merge(1_ip, 0_ip, x)
end function ad_whole
""",
    "trips": """\
! How many trips a range has.
pure function ad_trips(start, stop, step) result(v)
  integer(ip), intent(in) :: start, stop, step
  integer(ip) :: v
  v = max(0_ip, (stop - start + step - sign(1_ip, step)) / step)
end function ad_trips
""",
    "place": """\
! The place of an index that may count from the end.
elemental function ad_place(index, size) result(v)
  integer(ip), intent(in) :: index, size
  integer(ip) :: v
  v = merge(index + size, index, index < 0_ip)
end function ad_place
""",
    "round_to": """\
! round(x, n) as in Python: the double nearest to the decimal nearest to x.
elemental function ad_round_to(x, n) result(v)
  real(dp), intent(in) :: x, n
  real(dp) :: v, power
  character(700) :: text
  character(20) :: form
  integer :: digits
  v = x
  if (.not. abs(x) <= huge(x) .or. n > 323.0_dp .or. .not. abs(x) > 0.0_dp) return
  write (text, "(es30.17e3)") x
  read (text(27:30), *) digits
  digits = digits + 1 + nint(max(n, -400.0_dp))
  if (n >= 0.0_dp .or. digits > 0) then
    write (form, "(a, i0, a)") merge("(f700. ", "(es700.", n >= 0.0_dp), &
        merge(nint(n), digits - 1, n >= 0.0_dp), ")"
    write (text, form) x
    read (text, *) v
    return
  end if
  write (text, "(a, i0)") "1e", -nint(max(n, -400.0_dp))
  read (text, *) power
  v = sign(merge(power, 0.0_dp, digits == 0 .and. abs(x) > power / 2.0_dp), x)
end function ad_round_to
""",
    **EXPONENTIALS,
    "ulp": """\
! The distance from x to the next double away from 0.
elemental function ad_ulp(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  v = abs(x)
  if (.not. v <= huge(v)) return
  if (v == huge(v)) then
    v = v - ad_nextafter(v, 0.0_dp)
  else
    v = ad_nextafter(v, ad_inf()) - v
  end if
end function ad_ulp
""",
    "larger": """\
! max(x, y) as in Python: x, unless y is larger.
elemental function ad_larger(x, y) result(v)
  real(dp), intent(in) :: x, y
  real(dp) :: v
  v = merge(y, x, y > x)
end function ad_larger
""",
    **NORMAL,
    **GAMMA,
    **ESTIMATES,
}
"""By name without `ad_`."""


def indented(text: str) -> str:
    """A text as it stands in a module."""
    return textwrap.indent(text, "  ")
