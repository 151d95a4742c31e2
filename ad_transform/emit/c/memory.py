"""The memory of a call in C: blocks that are given back when it ends."""

from __future__ import annotations

MEMORY = """\
// The memory of one call: blocks that are given back together; whether it has failed.
typedef struct ad_block {
    struct ad_block *next;
    int64_t stays;
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
// Give back all blocks above a mark but those of some lists, and those that stay.
static inline void ad_sweep(
    ad_memory *memory, const ad_block *mark, int64_t count, const void *const *kept
) {
    ad_block **place = &memory->blocks;
    while (*place != mark) {
        ad_block *block = *place;
        bool stays = block->stays != 0;
        block->stays = 0;
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

STAY = """\
// Let a block above a mark outlive the next sweep.
static inline void ad_stay(
    ad_memory *memory, const ad_block *mark, const void *at
) {
    ad_block *block = memory->blocks;
    while (block != mark && (const void *)(block + 1) != at) {
        block = block->next;
    }
    if (block != mark) {
        block->stays = 1;
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


def memory_texts(text: str) -> list[str]:
    """The parts of the memory of a call that a text needs."""
    parts = [MEMORY] if "ad_memory" in text else []
    parts += [RELEASE] if "ad_release(" in text else []
    parts += [SWEEP] if "ad_sweep(" in text else []
    parts += [STAY] if "ad_stay(" in text else []
    parts += [ROOM] if "ad_room(" in text else []
    return parts + ([PLACE] if "ad_place(" in text else [])
