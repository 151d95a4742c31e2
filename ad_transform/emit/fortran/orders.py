"""Functions that numpy has, in Fortran: sums in pairs, places in order."""

from __future__ import annotations

PAIRWISE = """\
! The sum of so many items from a place on, added in pairs of halves as numpy adds.
pure recursive function ad_pairwise_{name}(list, first, count) result(total)
  type(ad_{name}), intent(in) :: list
  integer(ip), intent(in) :: first, count
  {number} :: total, r(0:7)
  integer(ip) :: k, last
  if (count < 8) then
    total = 0
    do k = first, first + count - 1
      total = total + list%at(k)
    end do
  else if (count > 128) then
    k = count / 2 - mod(count / 2, 8_ip)
    total = ad_pairwise_{name}(list, first, k)
    total = total + ad_pairwise_{name}(list, first + k, count - k)
  else
    last = count - mod(count, 8_ip)
    r = list%at(first:first + 7)
    do k = 8, last - 1
      r(mod(k, 8_ip)) = r(mod(k, 8_ip)) + list%at(first + k)
    end do
    total = ((r(0) + r(1)) + (r(2) + r(3))) + ((r(4) + r(5)) + (r(6) + r(7)))
    do k = last, count - 1
      total = total + list%at(first + k)
    end do
  end if
end function ad_pairwise_{name}
"""

SORTING = """\
! The places of the items from the least to the largest, of equal ones as they stand;
! NaN comes last.
pure function ad_sorting_{name}(list) result(places)
  type(ad_{name}), intent(in) :: list
  type(ad_wholes) :: places, merged
  integer(ip) :: width, start, middle, end, i, j, k
  logical :: later
  {number} :: x, y
  places = ad_new_wholes(list%size)
  merged = places
  do k = 0, list%size - 1
    places%at(k) = k
  end do
  width = 1
  do while (width < list%size)
    do start = 0, list%size - 1, 2 * width
      middle = min(start + width, list%size)
      end = min(middle + width, list%size)
      i = start
      j = middle
      do k = start, end - 1
        later = i == middle
        if (i < middle .and. j < end) then
          x = list%at(places%at(i))
          y = list%at(places%at(j))
          later = y < x .or. (x /= x .and. y == y)
        end if
        if (later) then
          merged%at(k) = places%at(j)
          j = j + 1
        else
          merged%at(k) = places%at(i)
          i = i + 1
        end if
      end do
    end do
    places%at = merged%at
    width = 2 * width
  end do
end function ad_sorting_{name}
"""

BEHIND = """\
! How many items of a sorted list are not larger than x; NaN is the largest.
pure function ad_behind_{name}(list, x) result(low)
  type(ad_{name}), intent(in) :: list
  {number}, intent(in) :: x
  {number} :: at
  integer(ip) :: low, middle, high
  low = 0
  high = list%size
  do while (low < high)
    middle = low + (high - low) / 2
    at = list%at(middle)
    if (x < at .or. (at /= at .and. x == x)) then
      high = middle
    else
      low = middle + 1
    end if
  end do
end function ad_behind_{name}
"""

BEFORE = """\
! How many items of a sorted list are less than x; NaN is the largest.
pure function ad_before_{name}(list, x) result(low)
  type(ad_{name}), intent(in) :: list
  {number}, intent(in) :: x
  {number} :: at
  integer(ip) :: low, middle, high
  low = 0
  high = list%size
  do while (low < high)
    middle = low + (high - low) / 2
    at = list%at(middle)
    if (at < x .or. (x /= x .and. at == at)) then
      low = middle + 1
    else
      high = middle
    end if
  end do
end function ad_before_{name}
"""

FIND = """\
! Where an item is first in a list, -1 where it is not.
pure function ad_find_{name}(list, x) result(found)
  type(ad_{name}), intent(in) :: list
  {number}, intent(in) :: x
  integer(ip) :: found, k
  found = -1
  do k = 0, list%size - 1
    if (list%at(k) == x) then
      found = k
      return
    end if
  end do
end function ad_find_{name}
"""

BESIDE = """\
! Where two items are first beside each other in two lists, -1 where they are not.
pure function ad_beside_{name}(list, other, x, y) result(found)
  type(ad_{name}), intent(in) :: list, other
  {number}, intent(in) :: x, y
  integer(ip) :: found, k
  found = -1
  do k = 0, list%size - 1
    if (list%at(k) == x .and. other%at(k) == y) then
      found = k
      return
    end if
  end do
end function ad_beside_{name}
"""

AMONG = """\
! Where three items are first beside each other in three lists, -1 where they are not.
pure function ad_among_{name}(list, other, third, x, y, z) result(found)
  type(ad_{name}), intent(in) :: list, other, third
  {number}, intent(in) :: x, y, z
  integer(ip) :: found, k
  found = -1
  do k = 0, list%size - 1
    if (list%at(k) == x .and. other%at(k) == y .and. third%at(k) == z) then
      found = k
      return
    end if
  end do
end function ad_among_{name}
"""
