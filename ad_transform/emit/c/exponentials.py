"""Exponentials and logarithms that C lacks: none overflows or loses digits."""

from __future__ import annotations

EXPONENTIALS: dict[str, str] = {
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
}
"""By name without `ad_`."""
