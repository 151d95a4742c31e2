"""Lists in Fortran: types with an allocatable part, and their operations.

Places count from 0, as in Python.
"""

from __future__ import annotations

from ad_transform.emit.compiled.lists import list_name, needed
from ad_transform.emit.fortran.equations import MEASURED, PIVOTING, ROOTED, SOLVED
from ad_transform.emit.fortran.helpers import indented
from ad_transform.emit.fortran.orders import (
    AMONG,
    BEFORE,
    BEHIND,
    BESIDE,
    FIND,
    PAIRWISE,
    SORTING,
)
from ad_transform.emit.fortran.rotations import EIGEN, INVERTED, TURN
from ad_transform.ir.types import Kind, Type

NUMBERS = {
    Kind.FLOAT: "real(dp)",
    Kind.INT: "integer(ip)",
    Kind.BOOL: "logical",
    Kind.STR: "character(*)",
}


def type_name(type_: Type) -> str:
    """The type of a value in a declaration."""
    return f"type(ad_{list_name(type_)})" if type_.dims else NUMBERS[type_.kind]


_TYPE = """\
type :: ad_{name}
  {item}, allocatable :: at(:)
  integer(ip) :: size = 0
end type ad_{name}
"""

_NEW = """\
! A list of so many items that are not set yet.
pure function ad_new_{name}(size) result(list)
  integer(ip), intent(in) :: size
  type(ad_{name}) :: list
  list%size = max(size, 0_ip)
  allocate (list%at(0:max(list%size - 1, 0_ip)))
end function ad_new_{name}
"""

_PUSH = """\
! list.append(item)
pure subroutine ad_push_{name}(list, item)
  type(ad_{name}), intent(inout) :: list
  {item}, intent(in) :: item
  type(ad_{name}) :: more
  integer(ip) :: k
  if (.not. allocated(list%at)) list = ad_new_{name}(0_ip)
  if (list%size > ubound(list%at, 1, ip)) then
    more = ad_new_{name}(2 * list%size + 8)
    do k = 0, list%size - 1
      more%at(k) = list%at(k)
    end do
    call move_alloc(more%at, list%at)
  end if
  list%at(list%size) = item
  list%size = list%size + 1
end subroutine ad_push_{name}
"""

_DROP = """\
! del list[place:place + 1]
pure subroutine ad_drop_{name}(list, place)
  type(ad_{name}), intent(inout) :: list
  integer(ip), intent(in) :: place
  integer(ip) :: k
  do k = place + 1, list%size - 1
    list%at(k - 1) = list%at(k)
  end do
  if (place < list%size) list%size = list%size - 1
end subroutine ad_drop_{name}
"""

_PACK = """\
! A list of these items.
pure function ad_pack_{name}(items) result(list)
  {item}, intent(in) :: items(0:)
  type(ad_{name}) :: list
  integer(ip) :: k
  list = ad_new_{name}(size(items, kind=ip))
  do k = 0, list%size - 1
    list%at(k) = items(k)
  end do
end function ad_pack_{name}
"""

_REVERSE = """\
! list.reverse()
pure subroutine ad_reverse_{name}(list)
  type(ad_{name}), intent(inout) :: list
  {item} :: first
  integer(ip) :: k
  do k = 0, list%size / 2 - 1
    first = list%at(k)
    list%at(k) = list%at(list%size - 1 - k)
    list%at(list%size - 1 - k) = first
  end do
end subroutine ad_reverse_{name}
"""

_FULL = """\
! [value] * size
pure function ad_full_{name}(value, size{lengths}) result(list)
  {number}, intent(in) :: value
  integer(ip), intent(in) :: size{lengths}
  type(ad_{name}) :: list
  integer(ip) :: k
  list = ad_new_{name}(size)
  do k = 0, list%size - 1
    list%at(k) = {full}
  end do
end function ad_full_{name}
"""

_LIKE = """\
! A list as long as another, filled with a value.
pure function ad_like_{name}(other, value) result(list)
  type(ad_{name}), intent(in) :: other
  {number}, intent(in) :: value
  type(ad_{name}) :: list
  integer(ip) :: k
  list = ad_new_{name}(other%size)
  do k = 0, list%size - 1
    list%at(k) = {like}
  end do
end function ad_like_{name}
"""

_COPY = """\
! A list of its own with the same items.
pure function ad_copy_{name}(other) result(list)
  type(ad_{name}), intent(in) :: other
  type(ad_{name}) :: list
  integer(ip) :: k
  list = ad_new_{name}(other%size)
  do k = 0, list%size - 1
    list%at(k) = other%at(k)
  end do
end function ad_copy_{name}
"""

_ADDED = """\
! The sums of the items of two lists.
pure function ad_added_{name}(x, y) result(list)
  type(ad_{name}), intent(in) :: x, y
  type(ad_{name}) :: list
  integer(ip) :: k
  list = ad_new_{name}(x%size)
  do k = 0, list%size - 1
    list%at(k) = {added}
  end do
end function ad_added_{name}
"""

_SUM = """\
! The sum of all items in their order.
pure function ad_sum_{name}(list) result(total)
  type(ad_{name}), intent(in) :: list
  {number} :: total
  integer(ip) :: k
  total = 0
  do k = 0, list%size - 1
    total = total + {summed}
  end do
end function ad_sum_{name}
"""

_MOST = """\
! The {word} item.
pure function ad_{most}_{name}(list) result(found)
  type(ad_{name}), intent(in) :: list
  {number} :: found
  integer(ip) :: k
  found = list%at(0)
  do k = 1, list%size - 1
    found = merge(list%at(k), found, list%at(k) {sign} found)
  end do
end function ad_{most}_{name}
"""

_LARGEST = """\
! The largest absolute value of the items, 0 where there are none.
pure function ad_largest_{name}(list) result(found)
  type(ad_{name}), intent(in) :: list
  {number} :: found
  integer(ip) :: k
  found = 0
  do k = 0, list%size - 1
    if (k == 0 .or. abs(list%at(k)) > found) found = abs(list%at(k))
  end do
end function ad_largest_{name}
"""

_GIVE = """\
! Store all items.
pure subroutine ad_give_{name}(list, out)
  type(ad_{name}), intent(in) :: list
  {number}, intent(out) :: out({rank})
  integer(ip) :: k
  do k = 0, list%size - 1
    {give}
  end do
end subroutine ad_give_{name}
"""

_TAKE = """\
! An array as a list{of_lists}.
pure function ad_take_{name}(from) result(list)
  {number}, intent(in) :: from({rank})
  type(ad_{name}) :: list
  integer(ip) :: k
  list = ad_new_{name}(size(from, 1, ip))
  do k = 0, list%size - 1
    list%at(k) = {taken}
  end do
end function ad_take_{name}
"""

_TEMPLATES = {
    "type": _TYPE,
    "new": _NEW,
    "push": _PUSH,
    "drop": _DROP,
    "pack": _PACK,
    "reverse": _REVERSE,
    "full": _FULL,
    "like": _LIKE,
    "copy": _COPY,
    "added": _ADDED,
    "sum": _SUM,
    "pairwise": PAIRWISE,
    "sorting": SORTING,
    "behind": BEHIND,
    "before": BEFORE,
    "find": FIND,
    "beside": BESIDE,
    "among": AMONG,
    "solved": SOLVED,
    "rooted": ROOTED,
    "measured": MEASURED,
    "pivoting": PIVOTING,
    "turn": TURN,
    "eigen": EIGEN,
    "inverted": INVERTED,
    "max": _MOST,
    "min": _MOST,
    "largest": _LARGEST,
    "give": _GIVE,
    "take": _TAKE,
}
"""The parts of the support for each kind of list."""


def list_texts(text: str) -> tuple[list[str], list[str]]:
    """The types, and the procedures on lists, that a text needs."""
    made = [(what, indented(part)) for what, part in needed(text, _text)]
    return (
        [part for what, part in made if what == "type"],
        [part for what, part in made if what != "type"],
    )


def _text(what: str, type_: Type) -> str:
    """A type or a procedure of one kind of list."""
    number, depth = NUMBERS[type_.kind], len(type_.dims)
    below = list_name(Type(type_.kind, type_.dims[1:])) if depth > 1 else ""
    lengths = "".join(f", n{k}" for k in range(1, depth))
    rest = ", :" * (depth - 1)
    return _TEMPLATES[what].format(
        name=list_name(type_),
        item=f"type(ad_{below})" if below else number,
        number=number,
        lengths=lengths,
        full=f"ad_full_{below}(value{lengths})" if below else "value",
        like=f"ad_like_{below}(other%at(k), value)" if below else "value",
        added=f"ad_added_{below}(x%at(k), y%at(k))" if below else "x%at(k) + y%at(k)",
        summed=f"ad_sum_{below}(list%at(k))" if below else "list%at(k)",
        most=what,
        word="largest" if what == "max" else "smallest",
        sign=">" if what == "max" else "<",
        rank=":" + rest,
        give=(
            f"call ad_give_{below}(list%at(k), out(k + 1{rest}))"
            if below
            else "out(k + 1) = list%at(k)"
        ),
        of_lists=" of lists" if below else "",
        taken=f"ad_take_{below}(from(k + 1{rest}))" if below else "from(k + 1)",
    )
