"""Functions that C has not, as text printed into generated files.

Each has the name of its key behind `ad_`. Those of Python's numbers follow CPython's
own; the others are the helpers of `elementals.printed` in C.
"""

from __future__ import annotations

from ad_transform.emit.c.estimates import ESTIMATES
from ad_transform.emit.c.exponentials import EXPONENTIALS
from ad_transform.emit.c.gamma import GAMMA
from ad_transform.emit.c.normal import NORMAL
from ad_transform.emit.c.whole_numbers import WHOLE_NUMBERS

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
// math.hypot of many numbers as in Python: squares and sums have twice the digits.
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
// x ** n of whole numbers, cut off towards 0 where n is below 0.
static inline int64_t ad_whole_pow(int64_t x, int64_t n) {
    int64_t power = n < 0 && x != 1 && x != -1 ? 0 : 1;
    n = n < 0 ? -n : n;
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
    **WHOLE_NUMBERS,
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
    **EXPONENTIALS,
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
