"""Exponentials and logarithms that Fortran lacks: none overflows or loses digits."""

from __future__ import annotations

EXPONENTIALS: dict[str, str] = {
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
}
"""By name without `ad_`."""
