# ruff: noqa
"""Formulas of engineering, physics, chemistry and finance."""

import math

R_GAS = 8.314462618
BOLTZMANN = 1.380649e-23
SQRT2 = math.sqrt(2.0)


def normal_cdf(x):
    return 0.5 * (1.0 + math.erf(x / SQRT2))


def black_scholes(s, k, t, r, sigma):
    """Price of a European call."""
    d1 = (math.log(s / k) + (r + 0.5 * sigma**2) * t) / (sigma * math.sqrt(t))
    d2 = d1 - sigma * math.sqrt(t)
    return s * normal_cdf(d1) - k * math.exp(-r * t) * normal_cdf(d2)


def van_der_waals(v, t, a, b):
    """Pressure of a real gas."""
    return R_GAS * t / (v - b) - a / v**2


def redlich_kwong_fugacity(t, p, a, b, z):
    """Logarithm of the fugacity coefficient."""
    big_a = a * p / (R_GAS**2 * t**2.5)
    big_b = b * p / (R_GAS * t)
    return z - 1.0 - math.log(z - big_b) - big_a / big_b * math.log1p(big_b / z)


def lennard_jones(x1, y1, z1, x2, y2, z2):
    """Energy of two atoms."""
    epsilon, sigma = 0.997, 3.4
    r2 = (x1 - x2) ** 2 + (y1 - y2) ** 2 + (z1 - z2) ** 2
    s6 = (sigma * sigma / r2) ** 3
    return 4.0 * epsilon * (s6 * s6 - s6)


def morse(r, depth, alpha, r_e):
    return depth * (1.0 - math.exp(-alpha * (r - r_e))) ** 2


def kepler(eccentric, e, mean):
    """Residual of Kepler's equation."""
    return eccentric - e * math.sin(eccentric) - mean


def haversine(lat1, lon1, lat2, lon2):
    p1, p2 = math.radians(lat1), math.radians(lat2)
    dp = p2 - p1
    dl = math.radians(lon2 - lon1)
    a = math.sin(dp / 2) ** 2 + math.cos(p1) * math.cos(p2) * math.sin(dl / 2) ** 2
    return 2 * 6371.0 * math.asin(math.sqrt(a))


def colebrook(f, re, roughness):
    """Residual for the friction factor."""
    return 1.0 / math.sqrt(f) + 2.0 * math.log10(
        roughness / 3.7 + 2.51 / (re * math.sqrt(f))
    )


def arrhenius(t, a, ea):
    return a * math.exp(-ea / (R_GAS * t))


def planck(wavelength, t):
    """Spectral radiance in scaled units."""
    x = 14.387768775 / (wavelength * t)
    return 1.0 / (wavelength**5 * math.expm1(x))


def diode(v, current, r_s, r_sh, n, i_0, i_ph):
    """Residual of the single-diode model of a solar cell."""
    v_t = 0.02585 * n
    junction = v + current * r_s
    return i_ph - i_0 * (math.exp(junction / v_t) - 1.0) - junction / r_sh - current


def pendulum(theta1, theta2, omega1, omega2):
    """Accelerations of a double pendulum of unit masses and rods."""
    g = 9.81
    d = theta1 - theta2
    den = 3.0 - math.cos(2.0 * d)
    a1 = (
        -3.0 * g * math.sin(theta1)
        - g * math.sin(theta1 - 2.0 * theta2)
        - 2.0 * math.sin(d) * (omega2**2 + omega1**2 * math.cos(d))
    ) / den
    a2 = (
        2.0
        * math.sin(d)
        * (2.0 * omega1**2 + 2.0 * g * math.cos(theta1) + omega2**2 * math.cos(d))
        / den
    )
    return omega1, omega2, a1, a2


def lorenz_step(x, y, z, h):
    """One step of Heun's method."""

    def slope(x, y, z):
        return 10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z

    a, b, c = slope(x, y, z)
    d, e, f = slope(x + h * a, y + h * b, z + h * c)
    return x + h / 2 * (a + d), y + h / 2 * (b + e), z + h / 2 * (c + f)


def bicycle(x, y, heading, speed, steer, accel):
    """Kinematic bicycle model, one step."""
    dt, length = 0.05, 2.7
    beta = math.atan(0.5 * math.tan(steer))
    return (
        x + dt * speed * math.cos(heading + beta),
        y + dt * speed * math.sin(heading + beta),
        heading + dt * speed / length * math.cos(beta) * math.tan(steer),
        speed + dt * accel,
    )


def roe_average(rl, ul, pl, rr, ur, pr):
    """Roe's averages of two gas states."""
    gamma = 1.4
    sl, sr = math.sqrt(rl), math.sqrt(rr)
    hl = gamma / (gamma - 1.0) * pl / rl + 0.5 * ul**2
    hr = gamma / (gamma - 1.0) * pr / rr + 0.5 * ur**2
    u = (sl * ul + sr * ur) / (sl + sr)
    h = (sl * hl + sr * hr) / (sl + sr)
    c = math.sqrt((gamma - 1.0) * (h - 0.5 * u * u))
    return u - c, u, u + c


def logistic_loss(w1, w2, b, x1: int, x2: int):
    return math.log1p(math.exp(-(w1 * x1 + w2 * x2 + b)))


def softmax3(a, b, c):
    m = max(a, b, c)
    ea, eb, ec = math.exp(a - m), math.exp(b - m), math.exp(c - m)
    total = ea + eb + ec
    return ea / total, eb / total, ec / total


def gaussian_log_density(x, mu, sigma):
    z = (x - mu) / sigma
    return -0.5 * z * z - math.log(sigma) - 0.5 * math.log(2.0 * math.pi)


def beta_log_density(x, a, b):
    norm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    return norm + (a - 1.0) * math.log(x) + (b - 1.0) * math.log1p(-x)


def annuity(rate, years: int, payment):
    return payment * (1.0 - (1.0 + rate) ** -years) / rate


def quaternion_rotation(w, x, y, z):
    n = math.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = w / n, x / n, y / n, z / n
    return (
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y - z * w),
        2.0 * (x * z + y * w),
    )


def helmholtz3(x1, x2, x3):
    """Griewank's Helmholtz energy for three components."""
    b1, b2, b3 = 0.1, 0.2, 0.3
    bx = b1 * x1 + b2 * x2 + b3 * x3
    xax = 2.0 * (x1 * x1 + x2 * x2 + x3 * x3) + x1 * x2 + x2 * x3
    s = (
        x1 * math.log(x1 / (1 - bx))
        + x2 * math.log(x2 / (1 - bx))
        + x3 * math.log(x3 / (1 - bx))
    )
    r2 = math.sqrt(2.0)
    return s - xax / (2 * r2 * bx) * math.log((1 + (1 + r2) * bx) / (1 + (1 - r2) * bx))


POINTS = {
    "black_scholes": ((100.0, 95.0, 0.75, 0.02, 0.3), (50.0, 60.0, 2.0, 0.05, 0.2)),
    "van_der_waals": ((0.03, 300.0, 0.364, 4.27e-5),),
    "redlich_kwong_fugacity": ((350.0, 1.0e6, 3.3, 3.0e-5, 0.95),),
    "lennard_jones": ((0.0, 0.1, 0.2, 2.0, 2.5, 2.2), (1.0, 2.0, 3.0, 4.5, 1.5, 5.0)),
    "morse": ((1.2, 4.5, 1.9, 0.9), (0.8, 4.5, 1.9, 0.9)),
    "kepler": ((1.1, 0.3, 0.8),),
    "haversine": ((48.1, 11.6, 35.7, 139.7), (-33.9, 18.4, 52.5, 13.4)),
    "colebrook": ((0.02, 1.0e5, 0.001),),
    "arrhenius": ((300.0, 1.0e13, 8.0e4),),
    "planck": ((0.7, 5.8), (2.0, 3.0)),
    "diode": ((0.5, 3.0, 0.02, 50.0, 1.3, 1e-9, 3.2),),
    "pendulum": ((0.3, -0.5, 1.2, -0.7), (2.0, 1.0, 0.0, 0.5)),
    "lorenz_step": ((1.0, 2.0, 3.0, 0.01), (-5.0, 7.0, 20.0, 0.02)),
    "bicycle": ((1.0, 2.0, 0.3, 12.0, 0.1, -1.0),),
    "roe_average": ((1.0, 0.5, 1.0, 0.125, 0.0, 0.1), (1.2, -0.3, 2.0, 0.9, 0.4, 1.5)),
    "logistic_loss": ((0.3, -0.2, 0.1, 2, -1),),
    "softmax3": ((0.3, -0.2, 0.1), (1.0, 3.0, 2.0)),
    "gaussian_log_density": ((0.3, -0.2, 1.5),),
    "beta_log_density": ((0.3, 2.2, 1.5),),
    "annuity": ((0.04, 20, 1000.0),),
    "quaternion_rotation": ((0.9, 0.1, -0.2, 0.3),),
    "helmholtz3": ((0.2, 0.3, 0.4),),
}
