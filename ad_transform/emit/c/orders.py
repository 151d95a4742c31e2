"""Functions that numpy has, in C: sums in pairs, places in order."""

from __future__ import annotations

PAIRWISE = """\
// The sum of so many items from a place on, added in pairs of halves as numpy adds.
static {number} ad_pairwise_{name}(ad_{name} list, int64_t first, int64_t count) {{
    const {number} *at = list.at + first;
    if (count < 8) {{
        {number} total = 0;
        for (int64_t k = 0; k < count; k++) {{
            total += at[k];
        }}
        return total;
    }}
    if (count > 128) {{
        int64_t half = count / 2 - count / 2 % 8;
        {number} low = ad_pairwise_{name}(list, first, half);
        return low + ad_pairwise_{name}(list, first + half, count - half);
    }}
    {number} r[8];
    for (int64_t k = 0; k < 8; k++) {{
        r[k] = at[k];
    }}
    int64_t last = count - count % 8;
    for (int64_t k = 8; k < last; k++) {{
        r[k % 8] += at[k];
    }}
    {number} total = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (int64_t k = last; k < count; k++) {{
        total += at[k];
    }}
    return total;
}}
"""

SORTING = """\
// The places of the items from the least to the largest, of equal ones as they stand;
// NaN comes last.
static inline ad_wholes ad_sorting_{name}(ad_memory *memory, ad_{name} list) {{
    ad_wholes places = ad_new_wholes(memory, list.size);
    ad_wholes merged = ad_new_wholes(memory, list.size);
    if (memory->failed) {{
        return places;
    }}
    const {number} *at = list.at;
    for (int64_t k = 0; k < places.size; k++) {{
        places.at[k] = k;
    }}
    for (int64_t width = 1; width < merged.size; width *= 2) {{
        for (int64_t start = 0; start < merged.size; start += 2 * width) {{
            int64_t middle = start + width, end = middle + width;
            middle = middle < merged.size ? middle : merged.size;
            end = end < merged.size ? end : merged.size;
            for (int64_t k = start, i = start, j = middle; k < end; k++) {{
                bool later = i == middle;
                if (i < middle && j < end) {{
                    {number} x = at[places.at[i]], y = at[places.at[j]];
                    later = !(x <= y) && y <= INFINITY;
                }}
                merged.at[k] = places.at[later ? j++ : i++];
            }}
        }}
        ad_wholes old = places;
        places = merged;
        merged = old;
    }}
    return places;
}}
"""

BEHIND = """\
// How many items of a sorted list are not larger than x; NaN is the largest.
static inline int64_t ad_behind_{name}(ad_{name} list, {number} x) {{
    int64_t low = 0, high = list.size;
    while (low < high) {{
        int64_t middle = low + (high - low) / 2;
        {number} at = list.at[middle];
        if (!(at <= x) && x <= INFINITY) {{
            high = middle;
        }} else {{
            low = middle + 1;
        }}
    }}
    return low;
}}
"""

BEFORE = """\
// How many items of a sorted list are less than x; NaN is the largest.
static inline int64_t ad_before_{name}(ad_{name} list, {number} x) {{
    int64_t low = 0, high = list.size;
    while (low < high) {{
        int64_t middle = low + (high - low) / 2;
        {number} at = list.at[middle];
        if (!(x <= at) && at <= INFINITY) {{
            low = middle + 1;
        }} else {{
            high = middle;
        }}
    }}
    return low;
}}
"""

FIND = """\
// Where an item is first in a list, -1 where it is not.
static inline int64_t ad_find_{name}(ad_{name} list, {number} x) {{
    for (int64_t k = 0; k < list.size; k++) {{
        if (list.at[k] == x) {{
            return k;
        }}
    }}
    return -1;
}}
"""

BESIDE = """\
// Where two items are first beside each other in two lists, -1 where they are not.
static inline int64_t ad_beside_{name}(
    ad_{name} list, ad_{name} other, {number} x, {number} y
) {{
    for (int64_t k = 0; k < list.size; k++) {{
        if (list.at[k] == x && other.at[k] == y) {{
            return k;
        }}
    }}
    return -1;
}}
"""

AMONG = """\
// Where three items are first beside each other in three lists, -1 where they are not.
static inline int64_t ad_among_{name}(
    ad_{name} list, ad_{name} other, ad_{name} third, {number} x, {number} y, {number} z
) {{
    for (int64_t k = 0; k < list.size; k++) {{
        if (list.at[k] == x && other.at[k] == y && third.at[k] == z) {{
            return k;
        }}
    }}
    return -1;
}}
"""
