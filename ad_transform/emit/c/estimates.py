"""Exact parts of error estimates in C: sums, rounding errors of products."""

from __future__ import annotations

ESTIMATES: dict[str, str] = {
    "fsum": """\
// The sum of all terms, rounded once; NaN where it overflows on the way.
static inline double ad_fsum(double first, int64_t count, const double *terms) {
    double parts[64], special = 0.0, lost = 0.0;
    int size = 0;
    for (int64_t k = -1; k < count; k++) {
        double x = k < 0 ? first : terms[k];
        int kept = 0;
        if (!isfinite(x)) {
            special += x;
            continue;
        }
        for (int j = 0; j < size; j++) {
            double y = parts[j];
            double sum = x + y;
            double rest = fabs(x) < fabs(y) ? x - (sum - y) : y - (sum - x);
            if (rest != 0.0) {
                parts[kept++] = rest;
            }
            x = sum;
        }
        if (!isfinite(x)) {
            return NAN;
        }
        size = kept;
        if (x != 0.0) {
            parts[size++] = x;
        }
    }
    if (special != 0.0) {
        return special;
    }
    double total = size > 0 ? parts[--size] : 0.0;
    while (size > 0 && lost == 0.0) {
        double x = total, y = parts[--size];
        total = x + y;
        lost = y - (total - x);
    }
    if (size > 0 && ((lost < 0.0) == (parts[size - 1] < 0.0)) && lost != 0.0) {
        double more = total + 2.0 * lost;  // half way: what is left decides
        total = more - total == 2.0 * lost ? more : total;
    }
    return total;
}
""",
    "total": """\
// The sum rounded once; no number where it overflows on the way.
static inline double ad_total(int64_t count, const double *terms) {
    return ad_fsum(0.0, count, terms);
}
""",
    "largest": """\
// The largest magnitude.
static inline double ad_largest(int64_t count, const double *values) {
    double found = fabs(values[0]);
    for (int64_t k = 1; k < count; k++) {
        found = fabs(values[k]) > found ? fabs(values[k]) : found;
    }
    return found;
}
""",
    "are_doubles": """\
// Whether all are doubles: numbers of Python may be something else.
static inline bool ad_are_doubles(int64_t count, const double *values) {
    (void)values;
    return count >= 0;
}
""",
    "sum_error": """\
// The rounding error of a sum, exactly, however it was computed.
static inline double ad_sum_error(double total, int64_t count, const double *terms) {
    for (int64_t k = -1; k < count; k++) {
        if (!(fabs(k < 0 ? total : terms[k]) <= 1e300)) {
            return INFINITY;
        }
    }
    return -ad_fsum(-total, count, terms);
}
""",
    "sum_radius": """\
// Radius of a sum of shifts.
static inline double ad_sum_radius(
    int64_t count, const double *radii, int64_t others, const double *centers
) {
    double sum = 0.0, slack = 0.0;
    int64_t nonzero = 0;
    bool any = false;
    for (int64_t k = 0; k < count; k++) {
        any = any || radii[k] != 0.0;
        sum += radii[k];
    }
    for (int64_t k = 0; k < others; k++) {
        nonzero += centers[k] != 0.0;
        slack += fabs(centers[k]);
    }
    if (!any && nonzero < 2) {
        return 0.0;
    }
    slack *= (double)others * 0x1p-52;
    return (sum + slack) * (1.0 + (double)count * 0x1p-48) + 0x1p-1070;
}
""",
    "remainder_of": """\
// x * y - z exactly, for a product close to z.
static inline double ad_remainder_of(double x, double y, double z) {
    return fma(x, y, -z);
}
""",
}
"""By name without `ad_`, each behind those that it calls."""
