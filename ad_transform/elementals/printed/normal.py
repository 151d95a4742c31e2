"""The standard normal distribution and the error function's relatives."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "_horner": '''\
def _horner(x: float, coefficients: tuple[float, ...]) -> float:
    """The polynomial of these coefficients, the highest first."""
    total = 0.0
    for c in coefficients:
        total = total * x + c
    return total
''',
    "_erfcx": '''\
def _erfcx(x: float) -> float:
    """exp(x * x) * erfc(x): Cody's rational approximations (1969) from 0.46875 on."""
    if x < 0.46875:
        h = floor(16.0 * x) / 16.0 if x > -30.0 else x
        square = exp(h * h) * exp((x - h) * (x + h))
        return square * erfc(x)
    if x <= 4.0:
        return _horner(
            x,
            (
                2.15311535474403846e-8,
                5.64188496988670089e-1,
                8.88314979438837594e0,
                6.61191906371416295e1,
                2.98635138197400131e2,
                8.81952221241769090e2,
                1.71204761263407058e3,
                2.05107837782607147e3,
                1.23033935479799725e3,
            ),
        ) / _horner(
            x,
            (
                1.0,
                1.57449261107098347e1,
                1.17693950891312499e2,
                5.37181101862009858e2,
                1.62138957456669019e3,
                3.29079923573345963e3,
                4.36261909014324716e3,
                3.43936767414372164e3,
                1.23033935480374942e3,
            ),
        )
    y = 1.0 / x / x
    r = (
        y
        * _horner(
            y,
            (
                1.63153871373020978e-2,
                3.05326634961232344e-1,
                3.60344899949804439e-1,
                1.25781726111229246e-1,
                1.60837851487422766e-2,
                6.58749161529837803e-4,
            ),
        )
        / _horner(
            y,
            (
                1.0,
                2.56852019228982242e0,
                1.87295284992346725e0,
                5.27905102951428412e-1,
                6.05183413124413191e-2,
                2.33520497626869185e-3,
            ),
        )
    )
    return (0.5641895835477563 - r) / x
''',
    "_mills": '''\
def _mills(x: float) -> float:
    """The upper tail over the density of the standard normal distribution."""
    return 1.2533141373155003 * _erfcx(0.7071067811865476 * x)
''',
    "_norm_pdf": '''\
def _norm_pdf(x: float) -> float:
    """Density of the standard normal distribution; the square is split exactly."""
    if not abs(x) <= 39.0:
        return 0.0 if x == x else x
    h = floor(16.0 * x) / 16.0
    return 0.3989422804014327 * exp(-0.5 * h * h) * exp(-0.5 * (x - h) * (x + h))
''',
    "_ndtr": '''\
def _ndtr(x: float) -> float:
    """Distribution function of the standard normal distribution."""
    if x > -1.0:
        return 0.5 * erfc(-0.7071067811865476 * x)
    return _norm_pdf(x) * _mills(-x)
''',
    "_log_ndtr": '''\
def _log_ndtr(x: float) -> float:
    """Logarithm of the distribution function of the standard normal distribution."""
    if x > 0.0:
        return log1p(-_ndtr(-x))
    if x > -1.0:
        return log(_ndtr(x))
    return log(_mills(-x)) - 0.9189385332046728 - 0.5 * x * x
''',
    "_ndtr_ratio": '''\
def _ndtr_ratio(x: float) -> float:
    """Density over distribution function of the standard normal distribution."""
    if x > 0.0:
        return _norm_pdf(x) / _ndtr(x)
    return 1.0 / _mills(-x) if x > -1e9 else -x
''',
    "_ndtr_excess": '''\
def _ndtr_excess(x: float) -> float:
    """x + density / distribution function: below -2 by Laplace's continued fraction."""
    if not x < -2.0:
        return x + _ndtr_ratio(x)
    terms = 20 + int(300.0 / x / x)
    last = sqrt(0.25 * x * x + terms) - 0.5 * x
    for k in range(terms, 1, -1):
        last = k / last - x
    return 1.0 / last
''',
    "_quantile": '''\
def _quantile(q: float, tail: float) -> float:
    """Standard normal quantile of 0.5 + q, `tail` beyond it: AS 241 (Wichura 1988)."""
    if abs(q) <= 0.425:
        r = 0.180625 - q * q
        return (
            q
            * _horner(
                r,
                (
                    2.5090809287301226727e3,
                    3.3430575583588128105e4,
                    6.7265770927008700853e4,
                    4.5921953931549871457e4,
                    1.3731693765509461125e4,
                    1.9715909503065514427e3,
                    1.3314166789178437745e2,
                    3.3871328727963666080e0,
                ),
            )
            / _horner(
                r,
                (
                    5.2264952788528545610e3,
                    2.8729085735721942674e4,
                    3.9307895800092710610e4,
                    2.1213794301586595867e4,
                    5.3941960214247511077e3,
                    6.8718700749205790830e2,
                    4.2313330701600911252e1,
                    1.0,
                ),
            )
        )
    if tail <= 0.0:
        if tail < 0.0:
            raise ValueError("math domain error")
        return copysign(inf, q)
    r = sqrt(-log(tail))
    if r <= 5.0:
        r -= 1.6
        z = _horner(
            r,
            (
                7.74545014278341407640e-4,
                2.27238449892691845833e-2,
                2.41780725177450611770e-1,
                1.27045825245236838258e0,
                3.64784832476320460504e0,
                5.76949722146069140550e0,
                4.63033784615654529590e0,
                1.42343711074968357734e0,
            ),
        ) / _horner(
            r,
            (
                1.05075007164441684324e-9,
                5.47593808499534494600e-4,
                1.51986665636164571966e-2,
                1.48103976427480074590e-1,
                6.89767334985100004550e-1,
                1.67638483018380384940e0,
                2.05319162663775882187e0,
                1.0,
            ),
        )
    else:
        r -= 5.0
        z = _horner(
            r,
            (
                2.01033439929228813265e-7,
                2.71155556874348757815e-5,
                1.24266094738807843860e-3,
                2.65321895265761230930e-2,
                2.96560571828504891230e-1,
                1.78482653991729133580e0,
                5.46378491116411436990e0,
                6.65790464350110377720e0,
            ),
        ) / _horner(
            r,
            (
                2.04426310338993978564e-15,
                1.42151175831644588870e-7,
                1.84631831751005468180e-5,
                7.86869131145613259100e-4,
                1.48753612908506148525e-2,
                1.36929880922735805310e-1,
                5.99832206555887937690e-1,
                1.0,
            ),
        )
    return copysign(z, q)
''',
    "_ndtri": '''\
def _ndtri(x: float) -> float:
    """Quantile of the standard normal distribution."""
    return _quantile(x - 0.5, x if x < 0.5 else 1.0 - x)
''',
    "_erfinv": '''\
def _erfinv(x: float) -> float:
    """Inverse of erf."""
    return 0.7071067811865476 * _quantile(0.5 * x, 0.5 * (1.0 - abs(x)))
''',
    "_erfcinv": '''\
def _erfcinv(x: float) -> float:
    """Inverse of erfc."""
    return 0.7071067811865476 * _quantile(0.5 * (1.0 - x), 0.5 * min(x, 2.0 - x))
''',
}
