"""Eigenvalues and pseudo-inverses in Fortran, by rotations that make columns
orthogonal, of matrices that stand row by row in lists.
"""

from __future__ import annotations

TURN = """\
! Turn two columns by the angle with this tangent.
pure subroutine ad_turn_{name}(tangent, x, y)
  {number}, intent(in) :: tangent
  {number}, intent(inout) :: x(:), y(:)
  {number} :: old(size(x)), c, s
  old = x
  c = 1 / hypot(1.0_dp, tangent)
  s = tangent * c
  x = c * old - s * y
  y = s * old + c * y
end subroutine ad_turn_{name}
"""

EIGEN = """\
! The eigenvalues of a symmetric matrix, the least first, and the eigenvectors, row by
! row in columns. What is above the diagonal is not read. The first element of each
! vector that is not small among the others is above 0.
pure function ad_eigen_{name}(a, n) result(list)
  type(ad_{name}), intent(in) :: a
  integer(ip), intent(in) :: n
  type(ad_{name}) :: list
  {number} :: left(n, n), own(n, n), one, low, high, gap, least, t, off
  integer(ip) :: i, j, k, p, q, trip
  list = ad_new_{name}(n * (n + 1))
  do j = 1, n
    do i = 1, n
      left(i, j) = a%at(n * (max(i, j) - 1) + min(i, j) - 1)
      own(i, j) = merge(1.0_dp, 0.0_dp, i == j)
    end do
  end do
  one = 0.0_dp
  list%at = ad_nan()
  if (.not. sum(abs(left)) < ad_inf()) return
  do trip = 1, 60
    off = 0.0_dp
    do p = 1, n
      do q = p + 1, n
        one = left(p, q)
        low = left(p, p)
        high = left(q, q)
        gap = high - low
        least = min(abs(low), abs(high))
        off = off + abs(one)
        if (least + abs(one) > least) then
          t = 2 * one / (gap + sign(hypot(gap, 2 * one), gap))
          call ad_turn_{name}(t, own(:, p), own(:, q))
          call ad_turn_{name}(t, left(:, p), left(:, q))
          left(p, p) = low - t * one
          left(q, q) = high + t * one
        end if
        left(p, q) = 0.0_dp
        left(q, p) = 0.0_dp
        left(p, :) = left(:, p)
        left(q, :) = left(:, q)
      end do
    end do
    if (.not. off > 0.0_dp) exit
  end do
  do k = 1, n
    p = 0
    do i = 1, n
      gap = left(k, k) - left(i, i)
      if (gap > 0 .or. (i < k .and. .not. gap < 0)) p = p + 1
    end do
    do i = n, 1, -1
      if (2 * abs(own(i, k)) > maxval(abs(own(:, k)))) one = own(i, k)
    end do
    list%at(p) = left(k, k)
    do j = 1, n
      list%at(n * j + p) = sign(1.0_dp, one) * own(j, k)
    end do
  end do
end function ad_eigen_{name}
"""

INVERTED = """\
! The pseudo-inverse of a matrix with m rows and n columns, which is as if its singular
! values up to `cut` times the largest were 0.
pure function ad_inverted_{name}(a, m, n, cut) result(list)
  type(ad_{name}), intent(in) :: a
  integer(ip), intent(in) :: m, n
  real(dp), intent(in) :: cut
  type(ad_{name}) :: list
  {number} :: lines(max(m, n), min(m, n)), turns(min(m, n), min(m, n))
  {number} :: found(m, n), low, high, both, gap, t, all, size
  integer(ip) :: k, p, q, trip
  logical :: is_done
  list = ad_new_{name}(m * n)
  if (m * n == 0) return
  all = sum(abs(a%at(0:m * n - 1)))
  size = maxval(abs(a%at(0:m * n - 1)))
  list%at = 0 * all ! NaN where there are no numbers
  if (.not. (all > 0.0_dp .and. all < ad_inf())) return
  found = transpose(reshape(a%at(0:m * n - 1), [n, m])) / size
  if (m < n) then
    lines = transpose(found)
  else
    lines = found
  end if
  turns = 0.0_dp
  do k = 1, min(m, n)
    turns(k, k) = 1.0_dp
  end do
  do trip = 1, 60
    is_done = .true.
    do p = 1, min(m, n)
      do q = p + 1, min(m, n)
        low = sum(lines(:, p)**2)
        high = sum(lines(:, q)**2)
        both = sum(lines(:, p) * lines(:, q))
        gap = high - low
        if (abs(both) > epsilon(gap) * sqrt(max(m, n) * low) * sqrt(high)) then
          t = 2 * both / (gap + sign(hypot(gap, 2 * both), gap))
          call ad_turn_{name}(t, lines(:, p), lines(:, q))
          call ad_turn_{name}(t, turns(:, p), turns(:, q))
          is_done = .false.
        end if
      end do
    end do
    if (is_done) exit
  end do
  found = 0.0_dp
  gap = maxval(sum(lines**2, 1))
  do k = 1, min(m, n)
    low = sum(lines(:, k)**2)
    if (.not. sqrt(low) > cut * sqrt(gap)) cycle
    do p = 1, m
      do q = 1, n
        if (m < n) then
          found(p, q) = found(p, q) + turns(p, k) * lines(q, k) / low
        else
          found(p, q) = found(p, q) + lines(p, k) * turns(q, k) / low
        end if
      end do
    end do
  end do
  list%at = reshape(found, [m * n]) / size
end function ad_inverted_{name}
"""
