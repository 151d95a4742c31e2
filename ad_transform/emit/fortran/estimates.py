"""Exact parts of error estimates in Fortran: sums, rounding errors of products."""

from __future__ import annotations

ESTIMATES: dict[str, str] = {
    "fsum": """\
! The sum of all terms, rounded once; NaN where it overflows on the way.
pure function ad_fsum(first, terms) result(total)
  real(dp), intent(in) :: first, terms(:)
  real(dp) :: total, every(size(terms) + 1)
  real(dp) :: parts(64), special, lost, x, y, rest
  integer :: count, kept, j, k
  every = [first, terms]
  count = 0
  special = 0.0_dp
  do k = 1, size(every)
    x = every(k)
    if (.not. ieee_is_finite(x)) then
      special = special + x
      cycle
    end if
    kept = 0
    do j = 1, count
      y = parts(j)
      total = x + y
      rest = merge(x - (total - y), y - (total - x), abs(x) < abs(y))
      if (rest /= 0.0_dp) then
        kept = kept + 1
        parts(kept) = rest
      end if
      x = total
    end do
    if (.not. ieee_is_finite(x)) then
      total = ad_nan()
      return
    end if
    count = kept
    if (x /= 0.0_dp) then
      count = count + 1
      parts(count) = x
    end if
  end do
  total = special
  if (special /= 0.0_dp .or. count == 0) return
  total = parts(count)
  count = count - 1
  lost = 0.0_dp
  do while (count > 0 .and. lost == 0.0_dp)
    x = total
    y = parts(count)
    total = x + y
    lost = y - (total - x)
    count = count - 1
  end do
  if (count == 0 .or. lost == 0.0_dp) return
  if ((lost < 0.0_dp) .eqv. (parts(count) < 0.0_dp)) then
    x = total + 2.0_dp * lost  ! half way: what is left decides
    if (x - total == 2.0_dp * lost) total = x
  end if
end function ad_fsum
""",
    "total": """\
! The sum rounded once; no number where it overflows on the way.
pure function ad_total(terms) result(v)
  real(dp), intent(in) :: terms(:)
  real(dp) :: v
  v = ad_fsum(0.0_dp, terms)
end function ad_total
""",
    "largest": """\
! The largest magnitude.
pure function ad_largest(values) result(v)
  real(dp), intent(in) :: values(:)
  real(dp) :: v
  integer :: k
  v = abs(values(1))
  do k = 2, size(values)
    v = merge(abs(values(k)), v, abs(values(k)) > v)
  end do
end function ad_largest
""",
    "are_doubles": """\
! Whether all are doubles: numbers of Python may be something else.
pure function ad_are_doubles(values) result(v)
  real(dp), intent(in) :: values(:)
  logical :: v
  v = size(values) >= 0
end function ad_are_doubles
""",
    "sum_error": """\
! The rounding error of a sum, exactly, however it was computed.
pure function ad_sum_error(total, terms) result(v)
  real(dp), intent(in) :: total, terms(:)
  real(dp) :: v
  v = ad_inf()
  if (.not. (abs(total) <= 1e300_dp .and. all(abs(terms) <= 1e300_dp))) return
  v = -ad_fsum(-total, terms)
end function ad_sum_error
""",
    "sum_radius": """\
! Radius of a sum of shifts.
pure function ad_sum_radius(radii, centers) result(v)
  real(dp), intent(in) :: radii(:), centers(:)
  real(dp) :: v, slack
  integer :: k
  v = 0.0_dp
  if (all(radii == 0.0_dp) .and. count(centers /= 0.0_dp) < 2) return
  do k = 1, size(radii)
    v = v + radii(k)
  end do
  slack = 0.0_dp
  do k = 1, size(centers)
    slack = slack + abs(centers(k))
  end do
  slack = slack * (real(size(centers), dp) * 2.0_dp**(-52))
  v = (v + slack) * (1.0_dp + real(size(radii), dp) * 2.0_dp**(-48))
  v = v + 2.0_dp**(-1000) * 2.0_dp**(-70)
end function ad_sum_radius
""",
    "remainder_of": """\
! x * y - z exactly, for a product close to z.
elemental function ad_remainder_of(x, y, z) result(v)
  real(dp), intent(in) :: x, y, z
  real(dp) :: v
  v = ad_fma(x, y, -z)
end function ad_remainder_of
""",
}
"""By name without `ad_`."""
