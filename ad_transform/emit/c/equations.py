"""Equations with square matrices in C, which stand row by row in lists."""

from __future__ import annotations

_PIVOT = """\
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; i++) {{
            pivot = fabs(left.at[i * n + k]) > fabs(left.at[pivot * n + k]) ? i : pivot;
        }}
        for (int64_t j = 0; j < n; j++) {{
            {number} old = left.at[k * n + j];
            left.at[k * n + j] = left.at[pivot * n + j];
            left.at[pivot * n + j] = old;
        }}
"""

SOLVED = (
    """\
// What solves a * x = b, by elimination with pivots; NaN where a is singular.
static inline ad_{name} ad_solved_{name}(
    ad_memory *memory, ad_{name} a, ad_{name} b, int64_t n, int64_t columns
) {{
    ad_{name} left = ad_copy_{name}(memory, a), x = ad_copy_{name}(memory, b);
    if (memory->failed) {{
        return x;
    }}
    for (int64_t k = 0; k < n; k++) {{
"""
    + _PIVOT
    + """\
        for (int64_t j = 0; j < columns; j++) {{
            {number} old = x.at[k * columns + j];
            x.at[k * columns + j] = x.at[pivot * columns + j];
            x.at[pivot * columns + j] = old;
        }}
        for (int64_t i = k + 1; i < n; i++) {{
            {number} factor = left.at[i * n + k] / left.at[k * n + k];
            for (int64_t j = k + 1; j < n; j++) {{
                left.at[i * n + j] -= factor * left.at[k * n + j];
            }}
            for (int64_t j = 0; j < columns; j++) {{
                x.at[i * columns + j] -= factor * x.at[k * columns + j];
            }}
        }}
    }}
    for (int64_t i = n - 1; i >= 0; i--) {{
        for (int64_t j = 0; j < columns; j++) {{
            {number} rest = x.at[i * columns + j];
            for (int64_t k = i + 1; k < n; k++) {{
                rest -= left.at[i * n + k] * x.at[k * columns + j];
            }}
            x.at[i * columns + j] = rest / left.at[i * n + i];
        }}
    }}
    return x;
}}
"""
)

ROOTED = """\
// The lower triangle whose product with its transpose is a; NaN where there is none.
static inline ad_{name} ad_rooted_{name}(ad_memory *memory, ad_{name} a, int64_t n) {{
    ad_{name} root = ad_new_{name}(memory, a.size);
    if (memory->failed) {{
        return root;
    }}
    for (int64_t i = 0; i < n; i++) {{
        for (int64_t j = 0; j <= i; j++) {{
            {number} rest = a.at[i * n + j];
            for (int64_t k = 0; k < j; k++) {{
                rest -= root.at[i * n + k] * root.at[j * n + k];
            }}
            root.at[i * n + j] = i == j ? sqrt(rest) : rest / root.at[j * n + j];
        }}
    }}
    return root;
}}
"""

MEASURED = (
    """\
// The sign of the determinant of a, and the logarithm of its size.
static inline ad_{name} ad_measured_{name}(ad_memory *memory, ad_{name} a, int64_t n) {{
    ad_{name} found = ad_new_{name}(memory, 2), left = ad_copy_{name}(memory, a);
    if (memory->failed) {{
        return found;
    }}
    found.at[0] = 1.0;
    for (int64_t k = 0; k < n; k++) {{
"""
    + _PIVOT
    + """\
        {number} one = left.at[k * n + k];
        if (one == 0.0) {{
            found.at[0] = 0.0;
            found.at[1] = -INFINITY;
            return found;
        }}
        found.at[0] *= (one < 0.0) == (pivot == k) ? -1.0 : 1.0;
        found.at[1] += log(fabs(one));
        for (int64_t i = k + 1; i < n; i++) {{
            {number} factor = left.at[i * n + k] / one;
            for (int64_t j = k + 1; j < n; j++) {{
                left.at[i * n + j] -= factor * left.at[k * n + j];
            }}
        }}
    }}
    return found;
}}
"""
)

PIVOTING = (
    """\
// The order of the rows of a in which elimination finds the largest pivots.
static inline ad_wholes ad_pivoting_{name}(ad_memory *memory, ad_{name} a, int64_t n) {{
    ad_{name} left = ad_copy_{name}(memory, a);
    ad_wholes order = ad_new_wholes(memory, n);
    if (memory->failed) {{
        return order;
    }}
    for (int64_t k = 0; k < n; k++) {{
        order.at[k] = k;
    }}
    for (int64_t k = 0; k < n; k++) {{
"""
    + _PIVOT
    + """\
        int64_t row = order.at[k];
        order.at[k] = order.at[pivot];
        order.at[pivot] = row;
        {number} one = left.at[k * n + k];
        for (int64_t i = k + 1; i < n && one != 0.0; i++) {{
            {number} factor = left.at[i * n + k] / one;
            for (int64_t j = k + 1; j < n; j++) {{
                left.at[i * n + j] -= factor * left.at[k * n + j];
            }}
        }}
    }}
    return order;
}}
"""
)
