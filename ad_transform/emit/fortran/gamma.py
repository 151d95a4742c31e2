"""The gamma function's relatives in Fortran, as text."""

from __future__ import annotations

GAMMA: dict[str, str] = {
    "factorial": """\
! n! of a whole number that is not below 0.
elemental function ad_factorial(n) result(v)
  real(dp), intent(in) :: n
  real(dp) :: v
  integer(ip) :: k
  v = 1
  do k = 2, nint(n, ip)
    v = v * k
  end do
end function ad_factorial
""",
    "bernoulli": """\
! The Bernoulli number of order 2 k, k from 1 to 8, over (2 k)!, times (2 k + n - 1)!.
elemental function ad_bernoulli(k, n) result(v)
  integer(ip), intent(in) :: k
  real(dp), intent(in) :: n
  real(dp) :: v
  real(dp), parameter :: numbers(8) = [ &
      1 / 6.0_dp, -1 / 30.0_dp, 1 / 42.0_dp, -1 / 30.0_dp, 5 / 66.0_dp, &
      -691 / 2730.0_dp, 7 / 6.0_dp, -3617 / 510.0_dp ]
  v = numbers(k) * ad_factorial(2 * k + n - 1) / ad_factorial(real(2 * k, dp))
end function ad_bernoulli
""",
    "polygamma_drop": """\
! Polygamma of order n at x less that at x + h, both positive.
elemental function ad_polygamma_drop(n, x, h) result(v)
  real(dp), intent(in) :: n, x, h
  real(dp) :: v
  real(dp) :: y, size, step
  logical :: is_even
  integer(ip) :: k
  if (x <= 0.0_dp .or. x + h <= 0.0_dp) then
    v = ad_nan()
    return
  end if
  is_even = mod(nint(n, ip), 2_ip) == 0
  if (x < 1e-6_dp .and. (n + 1) * log(x) < -705.0_dp) then
    v = merge(-ad_inf(), ad_inf(), is_even)
    return
  end if
  v = 0
  y = x
  size = ad_factorial(n)
  do while (min(y, y + h) < 12.0_dp + 1.5_dp * n)
    v = v - size * ad_pow(y, -(n + 1)) * ad_expm1(-(n + 1) * ad_log1p(h / y))
    y = y + 1.0_dp
  end do
  step = ad_log1p(h / y)
  if (n == 0) then
    v = v + step
  else
    v = v - ad_factorial(n - 1) * ad_pow(y, -n) * ad_expm1(-n * step)
  end if
  v = v - 0.5_dp * size * ad_pow(y, -(n + 1)) * ad_expm1(-(n + 1) * step)
  do k = 1, 8
    v = v - ad_bernoulli(k, n) * ad_pow(y, -(2 * k + n)) * ad_expm1(-(2 * k + n) * step)
  end do
  if (is_even) v = -v
end function ad_polygamma_drop
""",
    "digamma": """\
! Digamma function: recurrence up to 10, then the asymptotic series.
elemental function ad_digamma(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  real(dp), parameter :: pi = 3.141592653589793_dp
  real(dp) :: y, rest, shift, r
  y = x
  rest = 0
  if (x <= 0.0_dp) then
    if (x == ad_floor(x)) then
      v = ad_nan()
      return
    end if
    y = 1.0_dp - x
    rest = pi / tan(pi * (x - ad_nearbyint(x)))
  end if
  if (0.7_dp < y .and. y < 3.0_dp) then  ! beside the zero
    v = 1.4616321449683622_dp - y + 9.549995429965697e-17_dp
    v = ad_polygamma_drop(0.0_dp, y, v) - rest
    return
  end if
  shift = 0
  do while (y < 10.0_dp)
    shift = shift + 1.0_dp / y
    y = y + 1.0_dp
  end do
  r = 1.0_dp / (y * y)
  v = r * (1 / 132.0_dp - r * (691 / 32760.0_dp - r / 12))
  v = r * (1 / 252.0_dp - r * (1 / 240.0_dp - v))
  v = r * (1 / 12.0_dp - r * (1 / 120.0_dp - v))
  v = log(y) - 0.5_dp / y - v - shift - rest
end function ad_digamma
""",
    "polygamma": """\
! Derivative of order n >= 1 of digamma; below 0 up to order 60.
elemental function ad_polygamma(n, x) result(v)
  real(dp), intent(in) :: n, x
  real(dp) :: v
  real(dp), parameter :: pi = 3.141592653589793_dp
  real(dp) :: sign, y, rest, c, size, poly(0:63), slope(0:63)
  integer(ip) :: i, k
  sign = merge(-1.0_dp, 1.0_dp, mod(nint(n, ip), 2_ip) == 0)
  if (0.0_dp < x .and. x < 1e-6_dp .and. (n + 1) * log(x) < -705.0_dp) then
    v = sign * ad_inf()
    return
  end if
  y = x
  rest = 0
  if (x <= 0.0_dp) then
    if (x == ad_floor(x) .or. n > 60) then
      v = ad_nan()
      return
    end if
    c = 1.0_dp / tan(pi * (x - ad_nearbyint(x)))
    poly = 0  ! the n-th derivative of cot(t), in cot(t)
    poly(1) = 1
    do i = 1, nint(n, ip)
      slope = 0
      do k = 1, i
        slope(k - 1) = slope(k - 1) - k * poly(k)
        slope(k + 1) = slope(k + 1) - k * poly(k)
      end do
      poly = slope
    end do
    do k = nint(n, ip) + 1, 0, -1
      rest = rest * c + poly(k)
    end do
    rest = ad_pow(pi, n + 1) * rest
    y = 1.0_dp - x
  end if
  v = 0
  size = ad_factorial(n)
  do while (y < 12.0_dp + 1.5_dp * n)
    v = v + ad_pow(y, -(n + 1))
    y = y + 1.0_dp
  end do
  v = v * size
  v = v + (ad_factorial(n - 1) * ad_pow(y, -n) + 0.5_dp * size * ad_pow(y, -(n + 1)))
  do k = 1, 8
    v = v + ad_bernoulli(k, n) * ad_pow(y, -(2 * k + n))
  end do
  v = merge(-sign * (sign * v) - rest, sign * v, x <= 0.0_dp)
end function ad_polygamma
""",
    "stirling": """\
! What Stirling's formula lacks of lgamma, from 10 on.
elemental function ad_stirling(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  real(dp) :: r
  r = 1.0_dp / x / x
  v = r * (1 / 156.0_dp - r * 3617 / 122400)
  v = r * (1 / 1188.0_dp - r * (691 / 360360.0_dp - v))
  v = r * (1 / 360.0_dp - r * (1 / 1260.0_dp - r * (1 / 1680.0_dp - v)))
  v = (1 / 12.0_dp - v) / x
end function ad_stirling
""",
    "betaln": """\
! Logarithm of the beta function of positive numbers (DiDonato & Morris 1992).
elemental function ad_betaln(x, y) result(v)
  real(dp), intent(in) :: x, y
  real(dp) :: v
  real(dp) :: low, high, share
  low = min(x, y)
  high = max(x, y)
  if (.not. low > 0.0_dp) then
    v = ad_nan()
    return
  end if
  if (low < 1e-300_dp) then
    v = ad_log1p(low / high) - log(low)
    return
  end if
  share = low / (low + high)
  if (high < 10.0_dp) then
    v = log(gamma(low) * (gamma(high) / gamma(low + high)))
    return
  end if
  v = ad_stirling(high) - ad_stirling(low + high)
  if (low < 10.0_dp) then
    v = log_gamma(low) + v + low - low * log(low + high)
    v = v + (high - 0.5_dp) * ad_log1p(-share)
  else
    v = v + (ad_stirling(low) + 0.9189385332046728_dp - 0.5_dp * log(high))
    v = v + (low - 0.5_dp) * log(share) + high * ad_log1p(-share)
  end if
end function ad_betaln
""",
}
"""By name without `ad_`."""
