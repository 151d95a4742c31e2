"""Functions of whole numbers that C lacks: bits, divisors, ways to choose."""

from __future__ import annotations

WHOLE_NUMBERS: dict[str, str] = {
    "comb": """\
// How many ways there are to choose k of n.
static inline int64_t ad_comb(int64_t n, int64_t k) {
    int64_t ways = 1;
    k = k < n - k ? k : n - k;
    for (int64_t i = 1; i <= k; i++) {
        if (ways > INT64_MAX / (n - k + i)) {
            return INT64_MAX;
        }
        ways = ways * (n - k + i) / i;
    }
    return k < 0 ? 0 : ways;
}
""",
    "whole_rising": """\
// (first + 1) * ... * (first + count), over 1 * ... * count if so; 0 where it is not
// defined, the largest whole number where it is larger.
static inline int64_t ad_whole_rising(int64_t first, int64_t count, bool over) {
    int64_t product = first < 0 || count < 0 ? 0 : 1;
    for (int64_t k = 1; k <= count && product > 0; k++) {
        int64_t by = over ? k : 1;
        if (product > INT64_MAX / (first + k)) {
            return INT64_MAX;
        }
        product = product * (first + k) / by;
    }
    return product;
}
""",
    "rising": """\
// The same as a float; NaN where it is not defined.
static inline double ad_rising(int64_t first, int64_t count, bool over) {
    double high = first < 0 ? 0.0 : 1.0, low = 0.0;
    for (int64_t k = 1; k <= count && high > 0.0 && high < INFINITY; k++) {
        double factor = (double)(first + k), by = over ? (double)k : 1.0;
        double product = high * factor;
        double rest = fma(high, factor, -product) + low * factor;
        high = product / by;
        low = (fma(-high, by, product) + rest) / by;
    }
    return count < 0 || first + count < 0 ? NAN : high < INFINITY ? high + low : high;
}
""",
    "bit_and": """\
// x & y, a name for it.
static inline int64_t ad_bit_and(int64_t x, int64_t y) {
    return x & y;
}
""",
    "bit_or": """\
// x | y, a name for it.
static inline int64_t ad_bit_or(int64_t x, int64_t y) {
    return x | y;
}
""",
    "bit_xor": """\
// x ^ y, a name for it.
static inline int64_t ad_bit_xor(int64_t x, int64_t y) {
    return x ^ y;
}
""",
    "shift_left": """\
// x * 2**y; 0 where y is below 0 or no bit is left.
static inline int64_t ad_shift_left(int64_t x, int64_t y) {
    return y < 0 || y > 63 ? 0 : (int64_t)((uint64_t)x << y);
}
""",
    "shift_right": """\
// x / 2**y, rounded down; 0 where y is below 0.
static inline int64_t ad_shift_right(int64_t x, int64_t y) {
    if (y < 0) {
        return 0;
    }
    int64_t places = y > 63 ? 63 : y;
    return x < 0 ? -1 - ((-1 - x) >> places) : x >> places;
}
""",
    "gcd": """\
// The greatest common divisor.
static inline int64_t ad_gcd(int64_t x, int64_t y) {
    while (y != 0) {
        int64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x < 0 ? -x : x;
}
""",
    "lcm": """\
// The least common multiple.
static inline int64_t ad_lcm(int64_t x, int64_t y) {
    int64_t product = x == 0 ? 0 : x / ad_gcd(x, y) * y;
    return product < 0 ? -product : product;
}
""",
    "whole_root": """\
// The whole part of a square root; 0 where there is none.
static inline int64_t ad_whole_root(int64_t n) {
    int64_t root = n > 0 ? (int64_t)sqrt((double)n) : 0;
    while (root > 0 && root > n / root) {
        root--;
    }
    while (n > 0 && root + 1 <= n / (root + 1)) {
        root++;
    }
    return root;
}
""",
}
"""By name without `ad_`."""
