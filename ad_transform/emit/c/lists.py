"""Lists in C: growing arrays, and the functions that a file needs of them.

A list of numbers is `ad_reals`, `ad_wholes` or `ad_truths`; lists of such lists have
the depth behind the name, as in `ad_reals_2`. What they hold is memory of one call,
given back when it ends (`ad_release`).
"""

from __future__ import annotations

import re

from ad_transform.ir.types import Kind, Type

NUMBERS = {Kind.FLOAT: "double", Kind.INT: "int64_t", Kind.BOOL: "bool"}
_NAMES = {Kind.FLOAT: "reals", Kind.INT: "wholes", Kind.BOOL: "truths"}


def list_name(kind: Kind, depth: int) -> str:
    """`reals`, `reals_2`."""
    return _NAMES[kind] + (f"_{depth}" if depth > 1 else "")


def type_name(type_: Type) -> str:
    """What a value is declared as."""
    if type_.kind is Kind.STR:
        return "const char *"
    depth = len(type_.dims)
    return f"ad_{list_name(type_.kind, depth)}" if depth else NUMBERS[type_.kind]


MEMORY = """\
// The memory of one call: blocks that are given back together; whether it has failed.
typedef struct ad_block {
    struct ad_block *next;
    int64_t filler;
} ad_block;

typedef struct {
    ad_block *blocks;
    bool failed;
} ad_memory;
"""

RELEASE = """\
// Give back all blocks above a mark.
static inline void ad_release(ad_memory *memory, ad_block *mark) {
    while (memory->blocks != mark) {
        ad_block *block = memory->blocks;
        memory->blocks = block->next;
        free(block);
    }
}
"""

SWEEP = """\
// Give back all blocks above a mark but those of some lists.
static inline void ad_sweep(
    ad_memory *memory, const ad_block *mark, int64_t count, const void *const *kept
) {
    ad_block **place = &memory->blocks;
    while (*place != mark) {
        ad_block *block = *place;
        bool stays = false;
        for (int64_t k = 0; k < count; k++) {
            stays = stays || kept[k] == (const void *)(block + 1);
        }
        if (stays) {
            place = &block->next;
        } else {
            *place = block->next;
            free(block);
        }
    }
}
"""

ROOM = """\
// Room for so many items, NULL where there is none.
static inline void *ad_room(ad_memory *memory, int64_t count, size_t size) {
    size_t most = ((size_t)-1 - sizeof(ad_block)) / size;
    size_t wanted = count > 0 ? (size_t)count : 0;
    ad_block *block = NULL;
    if (wanted <= most) {
        block = calloc(1, sizeof(ad_block) + wanted * size);
    }
    if (block == NULL) {
        errno = ENOMEM;
        memory->failed = true;
        return NULL;
    }
    block->next = memory->blocks;
    memory->blocks = block;
    return block + 1;
}
"""

PLACE = """\
// The place of an index that may count from the end.
static inline int64_t ad_place(int64_t index, int64_t size) {
    return index < 0 ? index + size : index;
}
"""

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

_GIVE = """\
// Store all items, row by row; the place behind the last one.
static inline {number} *ad_give_{name}(ad_{name} list, {number} *out) {{
    for (int64_t k = 0; k < list.size; k++) {{
        {give}
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

_TEMPLATES = {
    "type": _TYPE,
    "new": _NEW,
    "push": _PUSH,
    "pack": _PACK,
    "reverse": _REVERSE,
    "full": _FULL,
    "like": _LIKE,
    "copy": _COPY,
    "added": _ADDED,
    "sum": _SUM,
    "max": _MOST,
    "min": _MOST,
    "give": _GIVE,
    "take": _TAKE,
}
"""What there is of each kind of list."""

_NEEDED = re.compile(
    r"\bad_(?:(" + "|".join(_TEMPLATES) + r")_)?((?:reals|wholes|truths)(?:_\d)?)\b"
)


def list_texts(text: str) -> list[str]:
    """The types and functions of lists that a text needs, each behind its own needs."""
    waiting, found = [text], set[tuple[str, str]]()
    while waiting:
        for what, name in _NEEDED.findall(waiting.pop()):
            for one in ((what or "type", name), ("type", name)):
                if one not in found:
                    found.add(one)
                    waiting.append(_text(*one))
    order = list(_TEMPLATES)
    kinds = list(_NAMES.values())

    def key(one: tuple[str, str]) -> tuple[bool, int, int, int]:
        kind, _, depth = one[1].partition("_")
        place = order.index(one[0])
        return (place > 0, int(depth or 1), kinds.index(kind), place)

    return [_text(*one) for one in sorted(found, key=key)]


def memory_texts(text: str) -> list[str]:
    """What a text needs of the memory of a call."""
    parts = [MEMORY] if "ad_memory" in text else []
    parts += [RELEASE] if "ad_release(" in text else []
    parts += [SWEEP] if "ad_sweep(" in text else []
    parts += [ROOM] if "ad_room(" in text else []
    return parts + ([PLACE] if "ad_place(" in text else [])


def _text(what: str, name: str) -> str:
    """A type or a function of one kind of list."""
    word, _, tail = name.partition("_")
    kind = next(k for k, n in _NAMES.items() if n == word)
    depth = int(tail or 1)
    number, below = NUMBERS[kind], list_name(kind, depth - 1)
    deep = depth > 1
    template = _GRID if what == "full" and deep else _TEMPLATES[what]
    lengths = [f"n{k}" for k in range(1, depth)]
    inner = f"ad_take_{below}(memory, from + k * {' * '.join(lengths)}, "
    return template.format(
        name=name,
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
