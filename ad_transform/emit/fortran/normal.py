"""The normal distribution and the error function's relatives in Fortran, as text."""

from __future__ import annotations

NORMAL: dict[str, str] = {
    "horner": """\
! The polynomial of these coefficients, the highest first.
pure function ad_horner(x, c) result(v)
  real(dp), intent(in) :: x, c(:)
  real(dp) :: v
  integer(ip) :: k
  v = 0
  do k = 1, size(c, kind=ip)
    v = v * x + c(k)
  end do
end function ad_horner
""",
    "norm_pdf": """\
! Density of the standard normal distribution; the square is split exactly.
elemental function ad_norm_pdf(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  real(dp) :: h
  if (.not. abs(x) <= 39.0_dp) then
    v = merge(0.0_dp, x, x == x)
    return
  end if
  h = ad_floor(16.0_dp * x) / 16.0_dp
  v = 0.3989422804014327_dp * exp(-0.5_dp * h * h) * exp(-0.5_dp * (x - h) * (x + h))
end function ad_norm_pdf
""",
    "erfcx": """\
! exp(x * x) * erfc(x): Cody's rational approximations (1969) from 0.46875 on.
elemental function ad_erfcx(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  real(dp), parameter :: p(9) = [ &
      2.1531153547440383e-08_dp, 0.5641884969886701_dp, 8.883149794388377_dp, &
      66.11919063714163_dp, 298.6351381974001_dp, 881.952221241769_dp, &
      1712.0476126340707_dp, 2051.0783778260716_dp, 1230.3393547979972_dp ]
  real(dp), parameter :: q(9) = [ &
      1.0_dp, 15.744926110709835_dp, 117.6939508913125_dp, &
      537.1811018620099_dp, 1621.3895745666903_dp, 3290.7992357334597_dp, &
      4362.619090143247_dp, 3439.3676741437216_dp, 1230.3393548037495_dp ]
  real(dp), parameter :: r(6) = [ &
      0.016315387137302097_dp, 0.30532663496123236_dp, 0.36034489994980445_dp, &
      0.12578172611122926_dp, 0.016083785148742275_dp, 0.0006587491615298378_dp ]
  real(dp), parameter :: s(6) = [ &
      1.0_dp, 2.568520192289822_dp, 1.8729528499234673_dp, &
      0.5279051029514285_dp, 0.06051834131244132_dp, 0.0023352049762686918_dp ]
  real(dp) :: h, y
  if (x < 0.46875_dp) then
    h = merge(ad_floor(16.0_dp * x) / 16.0_dp, x, x > -30.0_dp)
    v = exp(h * h) * exp((x - h) * (x + h)) * erfc(x)
  else if (x <= 4.0_dp) then
    v = ad_horner(x, p) / ad_horner(x, q)
  else
    y = 1.0_dp / x / x
    v = (0.5641895835477563_dp - y * ad_horner(y, r) / ad_horner(y, s)) / x
  end if
end function ad_erfcx
""",
    "mills": """\
! The upper tail over the density of the standard normal distribution.
elemental function ad_mills(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  v = 1.2533141373155003_dp * ad_erfcx(0.7071067811865476_dp * x)
end function ad_mills
""",
    "ndtr": """\
! Distribution function of the standard normal distribution.
elemental function ad_ndtr(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  if (x > -1.0_dp) then
    v = 0.5_dp * erfc(-0.7071067811865476_dp * x)
  else
    v = ad_norm_pdf(x) * ad_mills(-x)
  end if
end function ad_ndtr
""",
    "log_ndtr": """\
! Logarithm of the distribution function of the standard normal distribution.
elemental function ad_log_ndtr(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  if (x > 0.0_dp) then
    v = ad_log1p(-ad_ndtr(-x))
  else if (x > -1.0_dp) then
    v = log(ad_ndtr(x))
  else
    v = log(ad_mills(-x)) - 0.9189385332046728_dp - 0.5_dp * x * x
  end if
end function ad_log_ndtr
""",
    "ndtr_ratio": """\
! Density over distribution function of the standard normal distribution.
elemental function ad_ndtr_ratio(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  if (x > 0.0_dp) then
    v = ad_norm_pdf(x) / ad_ndtr(x)
  else if (x > -1e9_dp) then
    v = 1.0_dp / ad_mills(-x)
  else
    v = -x
  end if
end function ad_ndtr_ratio
""",
    "ndtr_excess": """\
! x + density / distribution function: below -2 by Laplace's continued fraction.
elemental function ad_ndtr_excess(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  integer(ip) :: k, terms
  if (.not. x < -2.0_dp) then
    v = x + ad_ndtr_ratio(x)
    return
  end if
  terms = 20 + int(300.0_dp / x / x, ip)
  v = sqrt(0.25_dp * x * x + terms) - 0.5_dp * x
  do k = terms, 2, -1
    v = k / v - x
  end do
  v = 1.0_dp / v
end function ad_ndtr_excess
""",
    "quantile": """\
! Standard normal quantile of 0.5 + x, `tail` beyond it: AS 241 (Wichura 1988).
elemental function ad_quantile(x, tail) result(v)
  real(dp), intent(in) :: x, tail
  real(dp) :: v
  real(dp), parameter :: a(8) = [ &
      2509.0809287301227_dp, 33430.57558358813_dp, 67265.7709270087_dp, &
      45921.95393154987_dp, 13731.69376550946_dp, 1971.5909503065513_dp, &
      133.14166789178438_dp, 3.3871328727963665_dp ]
  real(dp), parameter :: b(8) = [ &
      5226.495278852854_dp, 28729.085735721943_dp, 39307.89580009271_dp, &
      21213.794301586597_dp, 5394.196021424751_dp, 687.1870074920579_dp, &
      42.31333070160091_dp, 1.0_dp ]
  real(dp), parameter :: c(8) = [ &
      0.0007745450142783414_dp, 0.022723844989269184_dp, 0.2417807251774506_dp, &
      1.2704582524523684_dp, 3.6478483247632045_dp, 5.769497221460691_dp, &
      4.630337846156546_dp, 1.4234371107496835_dp ]
  real(dp), parameter :: d(8) = [ &
      1.0507500716444169e-09_dp, 0.0005475938084995345_dp, 0.015198666563616457_dp, &
      0.14810397642748008_dp, 0.6897673349851_dp, 1.6763848301838038_dp, &
      2.053191626637759_dp, 1.0_dp ]
  real(dp), parameter :: e(8) = [ &
      2.0103343992922881e-07_dp, 2.7115555687434876e-05_dp, 0.0012426609473880784_dp, &
      0.026532189526576124_dp, 0.29656057182850487_dp, 1.7848265399172913_dp, &
      5.463784911164114_dp, 6.657904643501103_dp ]
  real(dp), parameter :: f(8) = [ &
      2.0442631033899397e-15_dp, 1.421511758316446e-07_dp, 1.8463183175100548e-05_dp, &
      0.0007868691311456133_dp, 0.014875361290850615_dp, 0.1369298809227358_dp, &
      0.599832206555888_dp, 1.0_dp ]
  real(dp) :: r
  if (abs(x) <= 0.425_dp) then
    r = 0.180625_dp - x * x
    v = x * ad_horner(r, a) / ad_horner(r, b)
    return
  end if
  if (tail <= 0.0_dp) then
    v = merge(ad_nan(), sign(ad_inf(), x), tail < 0.0_dp)
    return
  end if
  r = sqrt(-log(tail))
  if (r <= 5.0_dp) then
    r = r - 1.6_dp
    v = sign(ad_horner(r, c) / ad_horner(r, d), x)
  else
    r = r - 5.0_dp
    v = sign(ad_horner(r, e) / ad_horner(r, f), x)
  end if
end function ad_quantile
""",
    "ndtri": """\
! Quantile of the standard normal distribution.
elemental function ad_ndtri(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  v = ad_quantile(x - 0.5_dp, merge(x, 1.0_dp - x, x < 0.5_dp))
end function ad_ndtri
""",
    "erfinv": """\
! Inverse of erf.
elemental function ad_erfinv(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  v = 0.7071067811865476_dp * ad_quantile(0.5_dp * x, 0.5_dp * (1.0_dp - abs(x)))
end function ad_erfinv
""",
    "erfcinv": """\
! Inverse of erfc.
elemental function ad_erfcinv(x) result(v)
  real(dp), intent(in) :: x
  real(dp) :: v
  v = merge(2.0_dp - x, x, 2.0_dp - x < x)
  v = 0.7071067811865476_dp * ad_quantile(0.5_dp * (1.0_dp - x), 0.5_dp * v)
end function ad_erfcinv
""",
}
"""By name without `ad_`."""
