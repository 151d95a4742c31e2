"""Equations with square matrices in Fortran, which stand row by row in lists."""

from __future__ import annotations

_PIVOT = """\
    pivot = k
    do i = k + 1, n
      if (abs(left(i, k)) > abs(left(pivot, k))) pivot = i
    end do
    row = left(k, :)
    left(k, :) = left(pivot, :)
    left(pivot, :) = row
"""

SOLVED = f"""\
! What solves a * x = b, by elimination with pivots; NaN where a is singular.
pure function ad_solved_{{name}}(a, b, n, columns) result(x)
  type(ad_{{name}}), intent(in) :: a, b
  integer(ip), intent(in) :: n, columns
  type(ad_{{name}}) :: x
  {{number}} :: left(n, n), right(n, columns), row(n), other(columns), factor
  integer(ip) :: i, j, k, pivot
  left = transpose(reshape(a%at(0:n * n - 1), [n, n]))
  right = transpose(reshape(b%at(0:n * columns - 1), [columns, n]))
  do k = 1, n
{_PIVOT}    other = right(k, :)
    right(k, :) = right(pivot, :)
    right(pivot, :) = other
    do i = k + 1, n
      factor = left(i, k) / left(k, k)
      left(i, k + 1:) = left(i, k + 1:) - factor * left(k, k + 1:)
      right(i, :) = right(i, :) - factor * right(k, :)
    end do
  end do
  do i = n, 1, -1
    do j = 1, columns
      do k = i + 1, n
        right(i, j) = right(i, j) - left(i, k) * right(k, j)
      end do
      right(i, j) = right(i, j) / left(i, i)
    end do
  end do
  x = ad_new_{{name}}(n * columns)
  if (x%size > 0) x%at = reshape(transpose(right), [n * columns])
end function ad_solved_{{name}}
"""

ROOTED = """\
! The lower triangle whose product with its transpose is a; NaN where there is none.
pure function ad_rooted_{name}(a, n) result(x)
  type(ad_{name}), intent(in) :: a
  integer(ip), intent(in) :: n
  type(ad_{name}) :: x
  {number} :: root(n, n)
  integer(ip) :: i, j, k
  root = 0.0_dp
  do i = 1, n
    do j = 1, i
      root(i, j) = a%at((i - 1) * n + j - 1)
      do k = 1, j - 1
        root(i, j) = root(i, j) - root(i, k) * root(j, k)
      end do
      if (i == j) then
        root(i, i) = merge(sqrt(abs(root(i, i))), ad_nan(), root(i, i) >= 0.0_dp)
      else
        root(i, j) = root(i, j) / root(j, j)
      end if
    end do
  end do
  x = ad_new_{name}(n * n)
  if (x%size > 0) x%at = reshape(transpose(root), [n * n])
end function ad_rooted_{name}
"""

MEASURED = f"""\
! The sign of the determinant of a, and the logarithm of its size.
pure function ad_measured_{{name}}(a, n) result(x)
  type(ad_{{name}}), intent(in) :: a
  integer(ip), intent(in) :: n
  type(ad_{{name}}) :: x
  {{number}} :: left(n, n), row(n)
  integer(ip) :: i, k, pivot
  x = ad_new_{{name}}(2_ip)
  x%at = [1.0_dp, 0.0_dp]
  left = transpose(reshape(a%at(0:n * n - 1), [n, n]))
  do k = 1, n
{_PIVOT}    if (left(k, k) == 0.0_dp) then
      x%at = [0.0_dp, -ad_inf()]
      return
    end if
    if ((left(k, k) < 0.0_dp) .eqv. (pivot == k)) x%at(0) = -x%at(0)
    x%at(1) = x%at(1) + log(abs(left(k, k)))
    do i = k + 1, n
      left(i, k + 1:) = left(i, k + 1:) - left(i, k) / left(k, k) * left(k, k + 1:)
    end do
  end do
end function ad_measured_{{name}}
"""

PIVOTING = f"""\
! The order of the rows of a in which elimination finds the largest pivots.
pure function ad_pivoting_{{name}}(a, n) result(x)
  type(ad_{{name}}), intent(in) :: a
  integer(ip), intent(in) :: n
  type(ad_wholes) :: x
  {{number}} :: left(n, n), row(n)
  integer(ip) :: i, k, pivot
  x = ad_new_wholes(n)
  left = transpose(reshape(a%at(0:n * n - 1), [n, n]))
  do k = 1, n
    x%at(k - 1) = k - 1
  end do
  do k = 1, n
{_PIVOT}    i = x%at(k - 1)
    x%at(k - 1) = x%at(pivot - 1)
    x%at(pivot - 1) = i
    do i = k + 1, merge(n, k, left(k, k) /= 0.0_dp)
      left(i, k + 1:) = left(i, k + 1:) - left(i, k) / left(k, k) * left(k, k + 1:)
    end do
  end do
end function ad_pivoting_{{name}}
"""
