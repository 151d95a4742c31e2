"""Eigenvalues and pseudo-inverses in C, by rotations that make columns orthogonal, of
matrices that stand row by row in lists.
"""

from __future__ import annotations

TURN = """\
// Turn two rows by the angle with this tangent.
static inline void ad_turn_{name}(
    {number} tangent, {number} *x, {number} *y, int64_t size
) {{
    {number} c = 1.0 / hypot(1.0, tangent), s = tangent * c;
    for (int64_t k = 0; k < size; k++) {{
        {number} old = x[k];
        x[k] = c * old - s * y[k];
        y[k] = s * old + c * y[k];
    }}
}}
"""

EIGEN = """\
// The eigenvalues of a symmetric matrix, the least first, and the eigenvectors, row by
// row in columns. What is above the diagonal is not read. The first element of each
// vector that is not small among the others is above 0.
static inline ad_{name} ad_eigen_{name}(ad_memory *memory, ad_{name} a, int64_t n) {{
    ad_{name} found = ad_new_{name}(memory, n * (n + 1));
    ad_{name} rows = ad_copy_{name}(memory, a), turns = ad_new_{name}(memory, n * n);
    if (memory->failed) {{
        return found;
    }}
    {number} *left = rows.at, *own = turns.at, all = 0.0;
    for (int64_t i = 0; i < n; i++) {{
        own[i * n + i] = 1.0;
        for (int64_t j = 0; j <= i; j++) {{
            left[j * n + i] = left[i * n + j];
            all += fabs(left[i * n + j]);
        }}
    }}
    for (int64_t k = 0; k < found.size && !(all < INFINITY); k++) {{
        found.at[k] = NAN;
    }}
    for (int64_t trip = 0; trip < 60 && all < INFINITY; trip++) {{
        {number} off = 0.0;
        for (int64_t p = 0; p < n; p++) {{
            for (int64_t q = p + 1; q < n; q++) {{
                {number} one = left[p * n + q], low = left[p * n + p];
                {number} high = left[q * n + q], gap = high - low;
                {number} least = fabs(low) < fabs(high) ? fabs(low) : fabs(high);
                off += fabs(one);
                if (least + fabs(one) > least) {{
                    {number} t = 2.0 * one;
                    t /= gap + copysign(hypot(gap, t), gap);
                    ad_turn_{name}(t, own + p * n, own + q * n, n);
                    ad_turn_{name}(t, left + p * n, left + q * n, n);
                    left[p * n + p] = low - t * one;
                    left[q * n + q] = high + t * one;
                }}
                left[p * n + q] = left[q * n + p] = 0.0;
                for (int64_t k = 0; k < n; k++) {{
                    left[k * n + p] = left[p * n + k];
                    left[k * n + q] = left[q * n + k];
                }}
            }}
        }}
        if (!(off > 0.0)) {{
            break;
        }}
    }}
    for (int64_t k = 0; k < n && all < INFINITY; k++) {{
        {number} value = left[k * n + k], largest = 0.0, sign = 0.0;
        int64_t place = 0;
        for (int64_t i = 0; i < n; i++) {{
            {number} other = left[i * n + i], x = fabs(own[k * n + i]);
            place += other < value || (i < k && !(other > value));
            largest = x > largest ? x : largest;
        }}
        found.at[place] = value;
        for (int64_t i = n - 1; i >= 0; i--) {{
            {number} x = own[k * n + i];
            sign = 2.0 * fabs(x) > largest ? copysign(1.0, x) : sign;
        }}
        for (int64_t i = 0; i < n; i++) {{
            found.at[n + i * n + place] = sign * own[k * n + i];
        }}
    }}
    return found;
}}
"""

INVERTED = """\
// The pseudo-inverse of a matrix with m rows and n columns, which is as if its singular
// values up to `cut` times the largest were 0.
static inline ad_{name} ad_inverted_{name}(
    ad_memory *memory, ad_{name} a, int64_t m, int64_t n, double cut
) {{
    ad_{name} found = ad_new_{name}(memory, m * n);
    ad_{name} lines = ad_new_{name}(memory, m * n);
    int64_t count = m < n ? m : n, length = m < n ? n : m;
    ad_{name} turns = ad_new_{name}(memory, count * count);
    if (memory->failed) {{
        return found;
    }}
    {number} all = 0.0, size = 0.0, largest = 0.0;
    for (int64_t k = 0; k < found.size; k++) {{
        all += fabs(a.at[k]);
        size = fabs(a.at[k]) > size ? fabs(a.at[k]) : size;
    }}
    for (int64_t k = 0; k < found.size && !(0.0 < all && all < INFINITY); k++) {{
        found.at[k] = 0.0 * all; // NaN where these are no numbers
    }}
    if (!(0.0 < all && all < INFINITY)) {{
        return found;
    }}
    for (int64_t k = 0; k < found.size; k++) {{
        lines.at[m < n ? k : k % n * m + k / n] = a.at[k] / size;
    }}
    for (int64_t k = 0; k < count; k++) {{
        turns.at[k * count + k] = 1.0;
    }}
    bool is_done = false;
    for (int64_t trip = 0; trip < 60 && !is_done; trip++) {{
        is_done = true;
        for (int64_t p = 0; p < count; p++) {{
            for (int64_t q = p + 1; q < count; q++) {{
                {number} *x = lines.at + p * length, *y = lines.at + q * length;
                {number} low = 0.0, high = 0.0, both = 0.0;
                for (int64_t k = 0; k < length; k++) {{
                    low += x[k] * x[k];
                    high += y[k] * y[k];
                    both += x[k] * y[k];
                }}
                {number} gap = high - low, least = sqrt(length * low) * sqrt(high);
                if (fabs(both) > 0x1p-52 * least) {{
                    {number} t = 2.0 * both;
                    t /= gap + copysign(hypot(gap, t), gap);
                    ad_turn_{name}(t, x, y, length);
                    ad_turn_{name}(
                        t, turns.at + p * count, turns.at + q * count, count
                    );
                    is_done = false;
                }}
            }}
        }}
    }}
    for (int64_t again = 0; again < 2; again++) {{
        for (int64_t k = 0; k < count; k++) {{
            const {number} *x = lines.at + k * length, *y = turns.at + k * count;
            {number} square = 0.0;
            for (int64_t i = 0; i < length; i++) {{
                square += x[i] * x[i];
            }}
            if (again == 0) {{
                largest = square > largest ? square : largest;
            }} else if (sqrt(square) > cut * sqrt(largest)) {{
                for (int64_t i = 0; i < m * n; i++) {{
                    {number} one = m < n ? x[i / m] * y[i % m] : y[i / m] * x[i % m];
                    found.at[i] += one / square / size;
                }}
            }}
        }}
    }}
    return found;
}}
"""
