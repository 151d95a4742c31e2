"""Functions of whole numbers that Fortran lacks: bits, divisors, ways to choose."""

from __future__ import annotations

WHOLE_NUMBERS: dict[str, str] = {
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
}
"""By name without `ad_`."""
