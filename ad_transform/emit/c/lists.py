"""Lists in C: growing arrays, and the functions that a file needs of them.

Their items are memory of one call, given back when it ends (`ad_release`).
"""

from __future__ import annotations

from ad_transform.emit.c.equations import MEASURED, PIVOTING, ROOTED, SOLVED
from ad_transform.emit.c.orders import (
    AMONG,
    BEFORE,
    BEHIND,
    BESIDE,
    FIND,
    PAIRWISE,
    SORTING,
)
from ad_transform.emit.c.rotations import EIGEN, INVERTED, TURN
from ad_transform.emit.compiled.lists import list_name, needed
from ad_transform.ir.types import Kind, Type

NUMBERS = {Kind.FLOAT: "double", Kind.INT: "int64_t", Kind.BOOL: "bool"}


def type_name(type_: Type) -> str:
    """The type of a value in a declaration."""
    if type_.kind is Kind.STR:
        return "const char *"
    return f"ad_{list_name(type_)}" if type_.dims else NUMBERS[type_.kind]


_TYPE = """\
typedef struct {{
    {item} *at;
    int64_t size, room;
}} ad_{name};
"""

_NEW = """\
// A list of so many zeros, or of lists without items.
static inline ad_{name} ad_new_{name}(ad_memory *memory, int64_t size) {{
    ad_{name} list = {{NULL, 0, 0}};
    list.at = ad_room(memory, size, sizeof({item}));
    if (list.at != NULL && size > 0) {{
        list.size = list.room = size;
    }}
    return list;
}}
"""

_PUSH = """\
// list.append(item)
static inline void ad_push_{name}(ad_memory *memory, ad_{name} *list, {item} item) {{
    if (list->size == list->room) {{
        ad_{name} more = ad_new_{name}(memory, 2 * list->room + 8);
        if (more.at == NULL) {{
            return;
        }}
        for (int64_t k = 0; k < list->size; k++) {{
            more.at[k] = list->at[k];
        }}
        more.size = list->size;
        *list = more;
    }}
    list->at[list->size++] = item;
}}
"""

_DROP = """\
// del list[place:place + 1]
static inline void ad_drop_{name}(ad_{name} *list, int64_t place) {{
    for (int64_t k = place + 1; k < list->size; k++) {{
        list->at[k - 1] = list->at[k];
    }}
    list->size -= place < list->size;
}}
"""

_PACK = """\
// A list of these items.
static inline ad_{name} ad_pack_{name}(
    ad_memory *memory, int64_t size, const {item} *items
) {{
    ad_{name} list = ad_new_{name}(memory, size);
    for (int64_t k = 0; k < list.size; k++) {{
        list.at[k] = items[k];
    }}
    return list;
}}
"""

_REVERSE = """\
// list.reverse()
static inline void ad_reverse_{name}(ad_{name} *list) {{
    for (int64_t i = 0, j = list->size - 1; i < j; i++, j--) {{
        {item} first = list->at[i];
        list->at[i] = list->at[j];
        list->at[j] = first;
    }}
}}
"""

_FULL = """\
// [value] * size
static inline ad_{name} ad_full_{name}(
    ad_memory *memory, {number} value, int64_t size
) {{
    ad_{name} list = ad_new_{name}(memory, size);
    for (int64_t k = 0; k < list.size; k++) {{
        list.at[k] = value;
    }}
    return list;
}}
"""

_GRID = """\
// Lists of so many items each, filled with a value.
static inline ad_{name} ad_full_{name}(
    ad_memory *memory, {number} value, int64_t size, {lengths}
) {{
    ad_{name} list = ad_new_{name}(memory, size);
    for (int64_t k = 0; k < list.size; k++) {{
        list.at[k] = ad_full_{below}(memory, value, {given});
    }}
    return list;
}}
"""

_LIKE = """\
// A list as long as another, filled with a value.
static inline ad_{name} ad_like_{name}(
    ad_memory *memory, ad_{name} other, {number} value
) {{
    ad_{name} list = ad_new_{name}(memory, other.size);
    for (int64_t k = 0; k < list.size; k++) {{
        list.at[k] = {like};
    }}
    return list;
}}
"""

_COPY = """\
// A list of its own with the same items.
static inline ad_{name} ad_copy_{name}(ad_memory *memory, ad_{name} other) {{
    ad_{name} list = ad_new_{name}(memory, other.size);
    for (int64_t k = 0; k < list.size; k++) {{
        list.at[k] = {copy};
    }}
    return list;
}}
"""

_ADDED = """\
// The sums of the items of two lists.
static inline ad_{name} ad_added_{name}(
    ad_memory *memory, ad_{name} x, ad_{name} y
) {{
    ad_{name} list = ad_new_{name}(memory, x.size);
    for (int64_t k = 0; k < list.size; k++) {{
        list.at[k] = {added};
    }}
    return list;
}}
"""

_SUM = """\
// The sum of all items in their order.
static inline {number} ad_sum_{name}(ad_{name} list) {{
    {number} total = 0;
    for (int64_t k = 0; k < list.size; k++) {{
        total += {summed};
    }}
    return total;
}}
"""

_MOST = """\
// The {word} item.
static inline {number} ad_{most}_{name}(ad_{name} list) {{
    {number} found = list.at[0];
    for (int64_t k = 1; k < list.size; k++) {{
        found = list.at[k] {sign} found ? list.at[k] : found;
    }}
    return found;
}}
"""

_LARGEST = """\
// The largest absolute value of the items, 0 where there are none.
static inline {number} ad_largest_{name}(ad_{name} list) {{
    {number} found = 0;
    for (int64_t k = 0; k < list.size; k++) {{
        {number} own = list.at[k] < 0 ? -list.at[k] : list.at[k];
        found = k == 0 || own > found ? own : found;
    }}
    return found;
}}
"""

_GIVE = """\
// Store all items, row by row; the place behind the last one.
static inline {number} *ad_give_{name}(ad_{name} list, {number} *out) {{
    for (int64_t k = 0; k < list.size; k++) {{
        {give}
    }}
    return out;
}}
"""

_HAND = """\
// All items, row by row, in memory that is the caller's; NULL where there is none.
static inline {number} *ad_hand_{name}(ad_memory *memory, ad_{name} list, int64_t n) {{
    {number} *out = calloc(n > 0 ? (size_t)n : 1, sizeof({number}));
    if (out == NULL) {{
        errno = ENOMEM;
        memory->failed = true;
    }} else {{
        ad_give_{name}(list, out);
    }}
    return out;
}}
"""

_TAKE = """\
// Numbers that stand row by row as a list{of_lists}.
static inline ad_{name} ad_take_{name}(
    ad_memory *memory, const {number} *from, {sizes}
) {{
    ad_{name} list = ad_new_{name}(memory, n0);
    for (int64_t k = 0; k < list.size; k++) {{
        list.at[k] = {taken};
    }}
    return list;
}}
"""

_STAY = """\
// Let a list of lists and what it holds outlive the next sweep.
static inline void ad_stay_{name}(
    ad_memory *memory, const ad_block *mark, ad_{name} list
) {{
    ad_stay(memory, mark, list.at);
    for (int64_t k = 0; k < list.size; k++) {{
        ad_stay(memory, mark, list.at[k].at);
    }}
}}
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
    "hand": _HAND,
    "take": _TAKE,
    "stay": _STAY,
}
"""The parts of the support for each kind of list."""


def list_texts(text: str) -> list[str]:
    """The types and functions of lists that a text needs, each behind its own needs."""
    return [part for _, part in needed(text, _text)]


def _text(what: str, type_: Type) -> str:
    """A type or a function of one kind of list."""
    number, depth = NUMBERS[type_.kind], len(type_.dims)
    below = list_name(Type(type_.kind, type_.dims[1:]))
    deep = depth > 1
    template = _GRID if what == "full" and deep else _TEMPLATES[what]
    lengths = [f"n{k}" for k in range(1, depth)]
    inner = f"ad_take_{below}(memory, from + k * {' * '.join(lengths)}, "
    return template.format(
        name=list_name(type_),
        below=below,
        number=number,
        item=f"ad_{below}" if deep else number,
        lengths=", ".join(f"int64_t {n}" for n in lengths),
        given=", ".join(lengths),
        like=f"ad_like_{below}(memory, other.at[k], value)" if deep else "value",
        copy=f"ad_copy_{below}(memory, other.at[k])" if deep else "other.at[k]",
        added=(
            f"ad_added_{below}(memory, x.at[k], y.at[k])"
            if deep
            else "x.at[k] + y.at[k]"
        ),
        summed=f"ad_sum_{below}(list.at[k])" if deep else "list.at[k]",
        most=what,
        word="largest" if what == "max" else "smallest",
        sign=">" if what == "max" else "<",
        give=(
            f"out = ad_give_{below}(list.at[k], out);"
            if deep
            else "*out++ = list.at[k];"
        ),
        of_lists=" of lists" if deep else "",
        sizes=", ".join(f"int64_t n{k}" for k in range(depth)),
        taken=f"{inner}{', '.join(lengths)})" if deep else "from[k]",
    )
