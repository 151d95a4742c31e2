"""The gamma function's relatives in C, as text."""

from __future__ import annotations

GAMMA: dict[str, str] = {
    "factorial": """\
// n! of a whole number that is not below 0.
static inline double ad_factorial(int64_t n) {
    double product = 1.0;
    for (int64_t k = 2; k <= n; k++) {
        product *= (double)k;
    }
    return product;
}
""",
    "bernoulli": """\
// The Bernoulli number of order 2 k, k from 1 to 8.
static inline double ad_bernoulli(int64_t k) {
    static const double numbers[] = {
        1.0 / 6.0, -1.0 / 30.0, 1.0 / 42.0, -1.0 / 30.0, 5.0 / 66.0,
        -691.0 / 2730.0, 7.0 / 6.0, -3617.0 / 510.0,
    };
    return numbers[k - 1];
}
""",
    "polygamma_drop": """\
// Polygamma of order n at x less that at x + h, both positive.
static double ad_polygamma_drop(int64_t n, double x, double h) {
    double total = 0.0, size = ad_factorial(n), order = (double)n;
    if (x <= 0.0 || x + h <= 0.0) {
        return NAN;
    }
    if (x < 1e-6 && (order + 1.0) * log(x) < -705.0) {
        return n % 2 == 0 ? -INFINITY : INFINITY;
    }
    while ((x + h < x ? x + h : x) < 12.0 + 1.5 * order) {
        total -= size * pow(x, -(order + 1.0))
                * expm1(-(order + 1.0) * log1p(h / x));
        x += 1.0;
    }
    double step = log1p(h / x);
    if (n == 0) {
        total += step;
    } else {
        total -= ad_factorial(n - 1) * pow(x, -order) * expm1(-order * step);
    }
    total -= 0.5 * size * pow(x, -(order + 1.0)) * expm1(-(order + 1.0) * step);
    for (int64_t k = 1; k <= 8; k++) {
        double m = (double)(2 * k + n);
        double c = ad_bernoulli(k) * ad_factorial(2 * k + n - 1) / ad_factorial(2 * k);
        total -= c * pow(x, -m) * expm1(-m * step);
    }
    return n % 2 == 0 ? -total : total;
}
""",
    "digamma": """\
// Digamma function: recurrence up to 10, then the asymptotic series.
static double ad_digamma(double x) {
    if (x <= 0.0) {
        double t = 3.141592653589793 * (x - nearbyint(x));
        return x == floor(x) ? NAN : ad_digamma(1.0 - x) - 3.141592653589793 / tan(t);
    }
    if (0.7 < x && x < 3.0) {  // beside the zero
        double away = 1.4616321449683622 - x + 9.549995429965697e-17;
        return ad_polygamma_drop(0, x, away);
    }
    double shift = 0.0;
    while (x < 10.0) {
        shift += 1.0 / x;
        x += 1.0;
    }
    double r = 1.0 / (x * x);
    double tail = r * (1.0 / 132.0 - r * (691.0 / 32760.0 - r / 12.0));
    tail = r * (1.0 / 252.0 - r * (1.0 / 240.0 - tail));
    tail = r * (1.0 / 12.0 - r * (1.0 / 120.0 - tail));
    return log(x) - 0.5 / x - tail - shift;
}
""",
    "polygamma": """\
// Derivative of order n >= 1 of digamma, by recurrence and asymptotic series; below 0
// up to order 60.
static double ad_polygamma(int64_t n, double x) {
    double sign = n % 2 == 0 ? -1.0 : 1.0, order = (double)n;
    if (0.0 < x && x < 1e-6 && (order + 1.0) * log(x) < -705.0) {
        return sign * INFINITY;
    }
    if (x <= 0.0) {
        if (x == floor(x) || n > 60) {
            return NAN;
        }
        double c = 1.0 / tan(3.141592653589793 * (x - nearbyint(x)));
        double poly[64] = {0.0, 1.0};  // the n-th derivative of cot(t), in cot(t)
        for (int64_t i = 1; i <= n; i++) {
            double slope[64] = {0.0};
            for (int64_t k = 1; k <= i; k++) {
                slope[k - 1] -= (double)k * poly[k];
                slope[k + 1] -= (double)k * poly[k];
            }
            for (int64_t k = 0; k <= i + 1; k++) {
                poly[k] = slope[k];
            }
        }
        double cot = 0.0;
        for (int64_t k = n + 1; k >= 0; k--) {
            cot = cot * c + poly[k];
        }
        double rest = pow(3.141592653589793, order + 1.0) * cot;
        return -sign * ad_polygamma(n, 1.0 - x) - rest;
    }
    double total = 0.0, size = ad_factorial(n);
    while (x < 12.0 + 1.5 * order) {
        total += pow(x, -(order + 1.0));
        x += 1.0;
    }
    total *= size;
    total += ad_factorial(n - 1) * pow(x, -order) + 0.5 * size * pow(x, -(order + 1.0));
    for (int64_t k = 1; k <= 8; k++) {
        double c = ad_bernoulli(k) * ad_factorial(2 * k + n - 1) / ad_factorial(2 * k);
        total += c * pow(x, -(double)(2 * k + n));
    }
    return sign * total;
}
""",
    "stirling": """\
// What Stirling's formula lacks of lgamma, from 10 on.
static inline double ad_stirling(double x) {
    double r = 1.0 / x / x;
    double tail = r * (1.0 / 156.0 - r * 3617.0 / 122400.0);
    tail = r * (1.0 / 1188.0 - r * (691.0 / 360360.0 - tail));
    tail = r * (1.0 / 360.0 - r * (1.0 / 1260.0 - r * (1.0 / 1680.0 - tail)));
    return (1.0 / 12.0 - tail) / x;
}
""",
    "betaln": """\
// Logarithm of the beta function of positive numbers (DiDonato & Morris 1992).
static double ad_betaln(double x, double y) {
    if (!(x <= y)) {
        double larger = x;
        x = y;
        y = larger;
    }
    if (x < 1e-300) {
        return x > 0.0 ? log1p(x / y) - log(x) : NAN;
    }
    double share = x / (x + y);
    if (y < 10.0) {
        return log(tgamma(x) * (tgamma(y) / tgamma(x + y)));
    }
    double rest = ad_stirling(y) - ad_stirling(x + y);
    if (x < 10.0) {
        return lgamma(x) + rest + x - x * log(x + y) + (y - 0.5) * log1p(-share);
    }
    rest += ad_stirling(x) + 0.9189385332046728 - 0.5 * log(y);
    return rest + (x - 0.5) * log(share) + y * log1p(-share);
}
""",
}
"""By name without `ad_`, each behind those that it calls."""
