"""The normal distribution and the error function's relatives in C, as text."""

from __future__ import annotations

NORMAL: dict[str, str] = {
    "horner": """\
// The polynomial of these coefficients, the highest first.
static inline double ad_horner(double x, int64_t count, const double *c) {
    double total = 0.0;
    for (int64_t k = 0; k < count; k++) {
        total = total * x + c[k];
    }
    return total;
}
""",
    "erfcx": """\
// exp(x * x) * erfc(x): Cody's rational approximations (1969) from 0.46875 on.
static double ad_erfcx(double x) {
    if (x < 0.46875) {
        double h = x > -30.0 ? floor(16.0 * x) / 16.0 : x;
        return exp(h * h) * exp((x - h) * (x + h)) * erfc(x);
    }
    if (x <= 4.0) {
        static const double p[] = {
            2.1531153547440383e-08, 0.5641884969886701, 8.883149794388377,
            66.11919063714163, 298.6351381974001, 881.952221241769,
            1712.0476126340707, 2051.0783778260716, 1230.3393547979972,
        };
        static const double q[] = {
            1.0, 15.744926110709835, 117.6939508913125,
            537.1811018620099, 1621.3895745666903, 3290.7992357334597,
            4362.619090143247, 3439.3676741437216, 1230.3393548037495,
        };
        return ad_horner(x, 9, p) / ad_horner(x, 9, q);
    }
    static const double p[] = {
        0.016315387137302097, 0.30532663496123236, 0.36034489994980445,
        0.12578172611122926, 0.016083785148742275, 0.0006587491615298378,
    };
    static const double q[] = {
        1.0, 2.568520192289822, 1.8729528499234673,
        0.5279051029514285, 0.06051834131244132, 0.0023352049762686918,
    };
    double y = 1.0 / x / x;
    double r = y * ad_horner(y, 6, p) / ad_horner(y, 6, q);
    return (0.5641895835477563 - r) / x;
}
""",
    "mills": """\
// The upper tail over the density of the standard normal distribution.
static inline double ad_mills(double x) {
    return 1.2533141373155003 * ad_erfcx(0.7071067811865476 * x);
}
""",
    "ndtr": """\
// Distribution function of the standard normal distribution.
static inline double ad_ndtr(double x) {
    if (x > -1.0) {
        return 0.5 * erfc(-0.7071067811865476 * x);
    }
    return ad_norm_pdf(x) * ad_mills(-x);
}
""",
    "log_ndtr": """\
// Logarithm of the distribution function of the standard normal distribution.
static inline double ad_log_ndtr(double x) {
    if (x > 0.0) {
        return log1p(-ad_ndtr(-x));
    }
    if (x > -1.0) {
        return log(ad_ndtr(x));
    }
    return log(ad_mills(-x)) - 0.9189385332046728 - 0.5 * x * x;
}
""",
    "ndtr_ratio": """\
// Density over distribution function of the standard normal distribution.
static inline double ad_ndtr_ratio(double x) {
    if (x > 0.0) {
        return ad_norm_pdf(x) / ad_ndtr(x);
    }
    return x > -1e9 ? 1.0 / ad_mills(-x) : -x;
}
""",
    "ndtr_excess": """\
// x + density / distribution function: below -2 by Laplace's continued fraction.
static inline double ad_ndtr_excess(double x) {
    if (!(x < -2.0)) {
        return x + ad_ndtr_ratio(x);
    }
    int64_t terms = 20 + (int64_t)(300.0 / x / x);
    double last = sqrt(0.25 * x * x + (double)terms) - 0.5 * x;
    for (int64_t k = terms; k > 1; k--) {
        last = (double)k / last - x;
    }
    return 1.0 / last;
}
""",
    "quantile": """\
// Standard normal quantile of 0.5 + q, `tail` beyond it: AS 241 (Wichura 1988).
static double ad_quantile(double at, double tail) {
    if (fabs(at) <= 0.425) {
        static const double p[] = {
            2509.0809287301227, 33430.57558358813, 67265.7709270087,
            45921.95393154987, 13731.69376550946, 1971.5909503065513,
            133.14166789178438, 3.3871328727963665,
        };
        static const double q[] = {
            5226.495278852854, 28729.085735721943, 39307.89580009271,
            21213.794301586597, 5394.196021424751, 687.1870074920579,
            42.31333070160091, 1.0,
        };
        double r = 0.180625 - at * at;
        return at * ad_horner(r, 8, p) / ad_horner(r, 8, q);
    }
    if (tail <= 0.0) {
        return tail < 0.0 ? NAN : copysign(INFINITY, at);
    }
    double r = sqrt(-log(tail));
    if (r <= 5.0) {
        static const double p[] = {
            0.0007745450142783414, 0.022723844989269184, 0.2417807251774506,
            1.2704582524523684, 3.6478483247632045, 5.769497221460691,
            4.630337846156546, 1.4234371107496835,
        };
        static const double q[] = {
            1.0507500716444169e-09, 0.0005475938084995345, 0.015198666563616457,
            0.14810397642748008, 0.6897673349851, 1.6763848301838038,
            2.053191626637759, 1.0,
        };
        r -= 1.6;
        return copysign(ad_horner(r, 8, p) / ad_horner(r, 8, q), at);
    }
    static const double p[] = {
        2.0103343992922881e-07, 2.7115555687434876e-05, 0.0012426609473880784,
        0.026532189526576124, 0.29656057182850487, 1.7848265399172913,
        5.463784911164114, 6.657904643501103,
    };
    static const double q[] = {
        2.0442631033899397e-15, 1.421511758316446e-07, 1.8463183175100548e-05,
        0.0007868691311456133, 0.014875361290850615, 0.1369298809227358,
        0.599832206555888, 1.0,
    };
    r -= 5.0;
    return copysign(ad_horner(r, 8, p) / ad_horner(r, 8, q), at);
}
""",
    "ndtri": """\
// Quantile of the standard normal distribution.
static inline double ad_ndtri(double x) {
    return ad_quantile(x - 0.5, x < 0.5 ? x : 1.0 - x);
}
""",
    "erfinv": """\
// Inverse of erf.
static inline double ad_erfinv(double x) {
    return 0.7071067811865476 * ad_quantile(0.5 * x, 0.5 * (1.0 - fabs(x)));
}
""",
    "erfcinv": """\
// Inverse of erfc.
static inline double ad_erfcinv(double x) {
    double tail = 2.0 - x < x ? 2.0 - x : x;
    return 0.7071067811865476 * ad_quantile(0.5 * (1.0 - x), 0.5 * tail);
}
""",
}
"""By name without `ad_`, each behind those that it calls."""
