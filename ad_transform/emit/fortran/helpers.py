"""Functions that Fortran has not, as text printed into generated modules.

Some are those of the C library, reached by name; the others follow Python's own.
"""

from __future__ import annotations

import textwrap

from ad_transform.emit.fortran.estimates import ESTIMATES
from ad_transform.emit.fortran.gamma import GAMMA
from ad_transform.emit.fortran.normal import NORMAL

C_FUNCTIONS = """
cbrt exp2 expm1 log2 log1p fmod remainder floor ceil trunc nearbyint nextafter fma
""".split()  # noqa: SIM905
"""Functions of the C library that Fortran has no word for, or another meaning."""

_TWO, _THREE = frozenset({"fmod", "remainder", "nextafter"}), frozenset({"fma"})


def _interface(name: str) -> str:
    """How a function of the C library is declared."""
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
    "norm": """\
! math.hypot of many numbers as in Python: squares and their sum have twice the digits.
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
! x ** n of whole numbers, n not below 0.
elemental function ad_whole_pow(x, n) result(v)
  integer(ip), intent(in) :: x, n
  integer(ip) :: v
  v = x**n
end function ad_whole_pow
""",
    "comb": """\
! How many ways there are to choose k of n.
elemental function ad_comb(n, k) result(ways)
  integer(ip), intent(in) :: n, k
  integer(ip) :: ways, i, least
  least = min(k, n - k)
  ways = merge(0_ip, 1_ip, least < 0)
  do i = 1, least
    if (ways > huge(ways) / (n - least + i)) then
      ways = huge(ways)
      return
    end if
    ways = ways * (n - least + i) / i
  end do
end function ad_comb
""",
    "whole_rising": """\
! (first + 1) * ... * (first + count), over 1 * ... * count if so; 0 where it is not
! defined, the largest whole number where it is larger.
elemental function ad_whole_rising(first, count, over) result(v)
  integer(ip), intent(in) :: first, count
  logical, intent(in) :: over
  integer(ip) :: v, k
  v = merge(0_ip, 1_ip, first < 0 .or. count < 0)
  do k = 1, merge(count, 0_ip, v > 0)
    if (v > huge(v) / (first + k)) then
      v = huge(v)
      return
    end if
    v = v * (first + k) / merge(k, 1_ip, over)
  end do
end function ad_whole_rising
""",
    "rising": """\
! The same as a float; NaN where it is not defined.
elemental function ad_rising(first, count, over) result(v)
  integer(ip), intent(in) :: first, count
  logical, intent(in) :: over
  real(dp) :: v, low, factor, by, product, rest
  integer(ip) :: k
  v = merge(0.0_dp, 1.0_dp, first < 0)
  low = 0
  do k = 1, merge(count, 0_ip, first >= 0)
    factor = real(first + k, dp)
    by = merge(real(k, dp), 1.0_dp, over)
    product = v * factor
    if (.not. product < ad_inf()) then
      v = ad_inf()
      return
    end if
    rest = ad_fma(v, factor, -product) + low * factor
    v = product / by
    low = (ad_fma(-v, by, product) + rest) / by
  end do
  v = merge(ad_nan(), v + low, count < 0 .or. first + count < 0)
end function ad_rising
""",
    "bit_and": """\
! The bits of x and y.
elemental function ad_bit_and(x, y) result(v)
  integer(ip), intent(in) :: x, y
  integer(ip) :: v
  v = iand(x, y)
end function ad_bit_and
""",
    "bit_or": """\
! The bits of x or y.
elemental function ad_bit_or(x, y) result(v)
  integer(ip), intent(in) :: x, y
  integer(ip) :: v
  v = ior(x, y)
end function ad_bit_or
""",
    "bit_xor": """\
! The bits of x exclusive or y.
elemental function ad_bit_xor(x, y) result(v)
  integer(ip), intent(in) :: x, y
  integer(ip) :: v
  v = ieor(x, y)
end function ad_bit_xor
""",
    "shift_left": """\
! x * 2**y; 0 where y is below 0 or no bit is left.
elemental function ad_shift_left(x, y) result(v)
  integer(ip), intent(in) :: x, y
  integer(ip) :: v
  v = merge(0_ip, shiftl(x, min(max(y, 0_ip), 63_ip)), y < 0 .or. y > 63)
end function ad_shift_left
""",
    "shift_right": """\
! x / 2**y, rounded down; 0 where y is below 0.
elemental function ad_shift_right(x, y) result(v)
  integer(ip), intent(in) :: x, y
  integer(ip) :: v
  v = merge(0_ip, shifta(x, min(max(y, 0_ip), 63_ip)), y < 0)
end function ad_shift_right
""",
    "gcd": """\
! The greatest common divisor.
elemental function ad_gcd(x, y) result(v)
  integer(ip), intent(in) :: x, y
  integer(ip) :: v, other, rest
  v = x
  other = y
  do while (other /= 0)
    rest = mod(v, other)
    v = other
    other = rest
  end do
  v = abs(v)
end function ad_gcd
""",
    "lcm": """\
! The least common multiple.
elemental function ad_lcm(x, y) result(v)
  integer(ip), intent(in) :: x, y
  integer(ip) :: v
  v = merge(0_ip, abs(x / max(1_ip, ad_gcd(x, y)) * y), x == 0)
end function ad_lcm
""",
    "whole_root": """\
! The whole part of a square root; 0 where there is none.
elemental function ad_whole_root(n) result(v)
  integer(ip), intent(in) :: n
  integer(ip) :: v
  v = int(sqrt(real(max(n, 0_ip), dp)), ip)
  do while (v > 0)
    if (v <= n / v) exit
    v = v - 1
  end do
  do while (v < n)
    if (v + 1 > n / (v + 1)) exit
    v = v + 1
  end do
end function ad_whole_root
""",
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
    "logaddexp": """\
! Logarithm of exp(x) + exp(y) without overflow.
elemental function ad_logaddexp(x, y) result(v)
  real(dp), intent(in) :: x, y
  real(dp) :: v
  if (x == y) then
    v = x + log(2.0_dp)
  else
    v = merge(x, y, x > y) + ad_log1p(exp(-abs(x - y)))
  end if
end function ad_logaddexp
""",
    "expit": """\
! Logistic function without overflow.
elemental function ad_expit(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  if (x >= 0.0_dp) then
    v = 1.0_dp / (1.0_dp + exp(-x))
  else
    v = exp(x) / (1.0_dp + exp(x))
  end if
end function ad_expit
""",
    "expit_slope": """\
! Derivative of the logistic function.
elemental function ad_expit_slope(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  v = exp(-abs(x))
  v = v / (1.0_dp + v) / (1.0_dp + v)
end function ad_expit_slope
""",
    "log_expit": """\
! Logarithm of the logistic function without overflow.
elemental function ad_log_expit(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  v = merge(0.0_dp, x, 0.0_dp < x) - ad_log1p(exp(-abs(x)))
end function ad_log_expit
""",
    "xlogy": """\
! x * log(y), 0 where x is 0.
elemental function ad_xlogy(x, y) result(v)
  real(dp), intent(in) :: x, y
  real(dp) :: v
  v = merge(0.0_dp, x * log(y), x == 0.0_dp .and. y == y)
end function ad_xlogy
""",
    "entr": """\
! -x * log(x), 0 at 0 and -inf below.
elemental function ad_entr(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  if (x <= 0.0_dp) then
    v = merge(0.0_dp, -ad_inf(), x == 0.0_dp)
  else
    v = -(x * log(x))
  end if
end function ad_entr
""",
    "exprel": """\
! (exp(x) - 1) / x, 1 at 0.
elemental function ad_exprel(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  if (x > 700.0_dp) then
    v = exp(0.5_dp * min(x, 1400.0_dp))
    v = merge(v / x * v, ad_inf(), x < 720.0_dp)
  else
    v = merge(ad_expm1(x) / x, 1.0_dp, x /= 0.0_dp)
  end if
end function ad_exprel
""",
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
