"""Functions that C has not, as text printed into generated files.

Each has the name of its key behind `ad_`. Those of Python's numbers follow CPython's
own; the others are the helpers of `elementals.printed` in C.
"""

from __future__ import annotations

from ad_transform.emit.c.estimates import ESTIMATES
from ad_transform.emit.c.gamma import GAMMA
from ad_transform.emit.c.normal import NORMAL

HELPERS: dict[str, str] = {
    "mod": """\
// x % y as in Python: the sign is that of y.
static inline double ad_mod(double x, double y) {
    double rest = fmod(x, y);
    if (rest == 0.0) {
        return copysign(0.0, y);
    }
    return (y < 0.0) != (rest < 0.0) ? rest + y : rest;
}
""",
    "floordiv": """\
// x // y as in Python: the floor of the quotient.
static inline double ad_floordiv(double x, double y) {
    double rest = fmod(x, y);
    double quotient = (x - rest) / y;
    if (rest != 0.0 && (y < 0.0) != (rest < 0.0)) {
        quotient -= 1.0;
    }
    if (quotient == 0.0) {
        return copysign(0.0, x / y);
    }
    double below = floor(quotient);
    return quotient - below > 0.5 ? below + 1.0 : below;
}
""",
    "norm": """\
// math.hypot of many numbers as in Python: squares and their sum have twice the digits.
static double ad_norm(int64_t count, const double *x) {
    double most = 0.0, total = 1.0, lost = 0.0, nans = 0.0;
    int power = 0;
    for (int64_t k = 0; k < count; k++) {
        if (isinf(x[k])) {
            return INFINITY;
        }
        nans += x[k] - x[k];
        most = fabs(x[k]) > most ? fabs(x[k]) : most;
    }
    if (isnan(nans) || most == 0.0) {
        return nans + most;
    }
    (void)frexp(most, &power);
    for (int64_t k = 0; k < count; k++) {
        double part = ldexp(x[k], -power), square = part * part;
        double sum = total + square;
        lost += fma(part, part, -square) + (square - (sum - total));
        total = sum;
    }
    double root = sqrt(total - 1.0 + lost), square = root * root;
    double rest = total - 1.0 - square + (lost - fma(root, root, -square));
    return ldexp(root + rest / (2.0 * root), power);
}
""",
    "whole_mod": """\
// x % y of whole numbers as in Python: the sign is that of y.
static inline int64_t ad_whole_mod(int64_t x, int64_t y) {
    int64_t rest = x % y;
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}
""",
    "whole_floordiv": """\
// x // y of whole numbers as in Python: rounded down.
static inline int64_t ad_whole_floordiv(int64_t x, int64_t y) {
    int64_t quotient = x / y;
    return x % y != 0 && (x < 0) != (y < 0) ? quotient - 1 : quotient;
}
""",
    "whole_pow": """\
// x ** n of whole numbers, n not below 0.
static inline int64_t ad_whole_pow(int64_t x, int64_t n) {
    int64_t power = 1;
    for (; n > 0; n /= 2) {
        power = n % 2 != 0 ? power * x : power;
        x = n > 1 ? x * x : x;
    }
    return power;
}
""",
    "trips": """\
// How many trips a range has.
static inline int64_t ad_trips(int64_t start, int64_t stop, int64_t step) {
    if (step == 0 || (step > 0 ? start >= stop : start <= stop)) {
        return 0;
    }
    return (stop - start + step - (step > 0 ? 1 : -1)) / step;
}
""",
    "round_to": """\
// round(x, n) as in Python: the double nearest to the decimal nearest to x.
static inline double ad_round_to(double x, int64_t n) {
    char text[700];
    if (!isfinite(x) || n > 323 || x == 0.0) {
        return x;
    }
    if (n >= 0) {
        snprintf(text, sizeof text, "%.*f", (int)n, x);
        return strtod(text, NULL);
    }
    int64_t digits = snprintf(text, sizeof text, "%.0f", trunc(fabs(x)));
    if (digits + n > 0) {
        snprintf(text, sizeof text, "%.*e", (int)(digits + n - 1), x);
        return strtod(text, NULL);
    }
    snprintf(text, sizeof text, "1e%d", (int)digits);
    double whole = strtod(text, NULL);
    return copysign(digits + n == 0 && fabs(x) > whole / 2.0 ? whole : 0.0, x);
}
""",
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
    "stops": """\
// Where to stop on the way to the last trip, holding the state before each part, at
// most so many: Griewank and Walther (2000), ACM TOMS 26, 19-45.
static inline ad_wholes ad_stops(
    ad_memory *memory, int64_t start, int64_t stop, int64_t step, int64_t most
) {
    ad_wholes stops = {NULL, 0, 0};
    int64_t place = 0, last = ad_trips(start, stop, step) - 1;
    while (place < last && !memory->failed) {
        int64_t ahead = last - place, free = most - stops.size;
        if (free > 1) {
            int64_t times = 1;
            while (ad_comb(free + times, free) <= ahead) {
                times++;
            }
            int64_t least = ad_comb(free + times - 2, free);
            ahead += 1 - ad_comb(free - 1 + times, times);
            ahead = ahead > least ? ahead : least;
            ahead = ahead > 1 ? ahead : 1;
        }
        place += ahead;
        ad_push_wholes(memory, &stops, start + place * step);
    }
    return stops;
}
""",
    "among": """\
// Whether a place is among some, which stand in the order of a range.
static inline bool ad_among(ad_wholes places, int64_t place) {
    int64_t low = 0, high = places.size;
    while (low < high) {
        int64_t middle = low + (high - low) / 2, there = places.at[middle];
        if (there == place) {
            return true;
        }
        if ((there < place) == (places.at[0] <= places.at[places.size - 1])) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return false;
}
""",
    "giving_way": """\
// Which state gives way to the next one of a loop whose end is not known yet, or how
// many there are: Wang, Moin and Iaccarino (2009), SIAM J. Sci. Comput. 31, 2549-2567.
static inline int64_t ad_giving_way(
    ad_memory *memory, ad_wholes *levels, int64_t most
) {
    if (levels->size + 1 < most) {
        ad_push_wholes(memory, levels, 0);
        return levels->size;
    }
    int64_t highest = -1;
    for (int64_t k = levels->size - 1; k >= 0; k--) {
        if (levels->at[k] < highest) {
            ad_drop_wholes(levels, k);
            ad_push_wholes(memory, levels, 0);
            return k + 1;
        }
        highest = highest > levels->at[k] ? highest : levels->at[k];
    }
    levels->at[levels->size - 1]++;
    return levels->size;
}
""",
    "whole_abs": """\
// abs(x) of a whole number.
static inline int64_t ad_whole_abs(int64_t x) {
    return x < 0 ? -x : x;
}
""",
    "ulp": """\
// The distance from x to the next double away from 0.
static inline double ad_ulp(double x) {
    x = fabs(x);
    double next = nextafter(x, INFINITY);
    return isfinite(x) ? (isinf(next) ? x - nextafter(x, 0.0) : next - x) : x;
}
""",
    "logaddexp": """\
// Logarithm of exp(x) + exp(y) without overflow.
static inline double ad_logaddexp(double x, double y) {
    if (x == y) {
        return x + log(2.0);
    }
    return (x > y ? x : y) + log1p(exp(-fabs(x - y)));
}
""",
    "expit": """\
// Logistic function without overflow.
static inline double ad_expit(double x) {
    if (x >= 0.0) {
        return 1.0 / (1.0 + exp(-x));
    }
    double power = exp(x);
    return power / (1.0 + power);
}
""",
    "expit_slope": """\
// Derivative of the logistic function.
static inline double ad_expit_slope(double x) {
    double power = exp(-fabs(x));
    return power / (1.0 + power) / (1.0 + power);
}
""",
    "log_expit": """\
// Logarithm of the logistic function without overflow.
static inline double ad_log_expit(double x) {
    return (0.0 < x ? 0.0 : x) - log1p(exp(-fabs(x)));
}
""",
    "xlogy": """\
// x * log(y), 0 where x is 0.
static inline double ad_xlogy(double x, double y) {
    return x == 0.0 && y == y ? 0.0 : x * log(y);
}
""",
    "entr": """\
// -x * log(x), 0 at 0 and -inf below.
static inline double ad_entr(double x) {
    if (x <= 0.0) {
        return x == 0.0 ? 0.0 : -INFINITY;
    }
    return -(x * log(x));
}
""",
    "norm_pdf": """\
// Density of the standard normal distribution; the square is split exactly.
static inline double ad_norm_pdf(double x) {
    if (!(fabs(x) <= 39.0)) {
        return x == x ? 0.0 : x;
    }
    double h = floor(16.0 * x) / 16.0;
    return 0.3989422804014327 * exp(-0.5 * h * h) * exp(-0.5 * (x - h) * (x + h));
}
""",
    "exprel": """\
// (exp(x) - 1) / x, 1 at 0.
static inline double ad_exprel(double x) {
    if (x > 700.0) {
        double half = exp(0.5 * (x < 1400.0 ? x : 1400.0));
        return x < 720.0 ? half / x * half : INFINITY;
    }
    return x != 0.0 ? expm1(x) / x : 1.0;
}
""",
    "larger": """\
// max(x, y) as in Python: x, unless y is larger.
static inline double ad_larger(double x, double y) {
    return y > x ? y : x;
}
""",
    **NORMAL,
    **GAMMA,
    **ESTIMATES,
}
"""By name without `ad_`, each behind those that it calls."""
