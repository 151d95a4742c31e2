# ruff: noqa
"""Models as a numerical engineer writes them without thinking of any tool."""

import math

import numpy as np
from scipy.stats import norm

R = 8.314462618
G = 9.80665
SIGMA = 5.670374419e-8
LOW = (2.344331, 7.980521e-3, -1.947815e-5, 2.015721e-8, -7.376118e-12, -917.935173)
HIGH = (3.337279, -4.940247e-5, 4.994568e-7, -1.795664e-10, 2.002554e-14, -950.158922)
DATA = ((0.0, 1.1), (1.0, 1.9), (2.0, 3.2), (3.5, 4.4))


def nasa_cp(T):
    """Heat capacity over R by two polynomials."""
    a = LOW if T < 1000.0 else HIGH
    return a[0] + T * (a[1] + T * (a[2] + T * (a[3] + T * a[4])))


def nasa_gibbs(T, p):
    if T < 200.0 or T > 6000.0:
        raise ValueError(f"temperature {T} out of range")
    if T < 1000.0:
        a1, a2, a3, a4, a5, a6 = LOW
    else:
        a1, a2, a3, a4, a5, a6 = HIGH
    h = a1 + a2 * T / 2 + a3 * T**2 / 3 + a4 * T**3 / 4 + a5 * T**4 / 5 + a6 / T
    s = a1 * math.log(T) + a2 * T + a3 * T**2 / 2 + a4 * T**3 / 3 + a5 * T**4 / 4
    return R * T * (h - s + math.log(p / 101325.0))


def friction_factor(Re, eps):
    if Re <= 0:
        raise ValueError("Reynolds number must be positive")
    if Re < 2300:
        return 64.0 / Re
    f = 0.02
    for _ in range(30):
        rhs = -2.0 * math.log10(eps / 3.7 + 2.51 / (Re * math.sqrt(f)))
        new = 1.0 / rhs**2
        if abs(new - f) < 1e-14:
            break
        f = new
    return f


def option_price(S, K, T, r, vol, kind: str = "call"):
    d1 = (math.log(S / K) + (r + 0.5 * vol**2) * T) / (vol * math.sqrt(T))
    d2 = d1 - vol * math.sqrt(T)
    if kind == "call":
        return S * norm.cdf(d1) - K * math.exp(-r * T) * norm.cdf(d2)
    elif kind == "put":
        return K * math.exp(-r * T) * norm.sf(d2) - S * norm.sf(d1)
    raise ValueError(kind)


def kepler(M, e):
    E = M if e < 0.8 else math.pi
    for _ in range(50):
        dE = (E - e * math.sin(E) - M) / (1.0 - e * math.cos(E))
        E -= dE
        if abs(dE) < 1e-14:
            break
    else:
        raise RuntimeError("no convergence")
    return E


def spline_force(x, k1, k2):
    """Five regions."""
    if x < -2.0:
        return -k1 * 2.0 + k2 * (x + 2.0)
    elif x < -1.0:
        return k1 * x
    elif x <= 1.0:
        return k1 * x**3
    elif x < 2.0:
        return k1 * x
    else:
        return k1 * 2.0 + k2 * (x - 2.0)


def beam_deflection(x, a, P, L, EI):
    b = L - a
    R1 = P * b / L
    w = R1 * x**3 / 6 - R1 * x * (L**2 - b**2) / 6
    if x > a:
        w -= P * (x - a) ** 3 / 6
    return w / EI


def lennard_jones(r, eps, sig, cutoff: float = 3.0):
    if r > cutoff * sig:
        return 0.0 * eps
    s6 = (sig / r) ** 6
    return 4 * eps * (s6 * s6 - s6)


def fresnel(n1, n2, theta):
    s = n1 / n2 * math.sin(theta)
    if s > 1.0:
        return 1.0
    ct, ci = math.sqrt(1 - s * s), math.cos(theta)
    rs = (n1 * ci - n2 * ct) / (n1 * ci + n2 * ct)
    rp = (n1 * ct - n2 * ci) / (n1 * ct + n2 * ci)
    return 0.5 * (rs * rs + rp * rp)


def vtrap(x, y):
    return y * (1 - x / y / 2) if abs(x / y) < 1e-6 else x / (math.exp(x / y) - 1)


def hodgkin_huxley(V, m, h, n):
    am = 0.1 * vtrap(-(V + 40.0), 10.0)
    an = 0.01 * vtrap(-(V + 55.0), 10.0)
    ina = 120.0 * m**3 * h * (V - 50.0)
    ik = 36.0 * n**4 * (V + 77.0)
    return ina + ik + 0.3 * (V + 54.387), am * (1 - m) - 4.0 * m, an * (1 - n)


def solar_cell(V, Il, I0, Rs):
    I = Il
    for _ in range(40):
        e = math.exp((V + I * Rs) / 0.0259)
        f = Il - I0 * (e - 1.0) - I
        df = -I0 * e * Rs / 0.0259 - 1.0
        I, old = I - f / df, I
        if abs(I - old) < 1e-12:
            break
    return I * V


def battery_voltage(soc, current, T):
    coefficients = [3.1, 1.8, -4.2, 6.1, -3.0]
    ocv = 0.0
    for c in reversed(coefficients):
        ocv = ocv * soc + c
    r = 0.05 * math.exp(0.03 * (25.0 - T)) if T < 25.0 else 0.05
    return ocv - r * current


def residuals(a, b):
    """Sum of squares over data."""
    return sum((a + b * t - y) ** 2 for t, y in DATA)


def huber(a, b, delta):
    total = 0.0
    for t, y in DATA:
        r = abs(a + b * t - y)
        total += 0.5 * r * r if r <= delta else delta * (r - 0.5 * delta)
    return total


def poisson_loglik(a, b):
    total = 0.0
    for k, c in enumerate((3, 5, 4)):
        rate = math.exp(a + b * k)
        total += c * math.log(rate) - rate - math.lgamma(c + 1)
    return total


def simpson(a, b, n: int):
    h = (b - a) / n
    s = math.exp(-a * a) + math.exp(-b * b)
    for i in range(1, n):
        x = a + i * h
        s += (4 if i % 2 else 2) * math.exp(-x * x)
    return s * h / 3


def present_value(rate, growth, years: int):
    flow = 100.0
    return sum(flow * (1 + growth) ** t / (1 + rate) ** t for t in range(1, years + 1))


def internal_rate(c0, c1, c2):
    lo, hi = 0.0, 1.0
    for _ in range(60):
        mid = 0.5 * (lo + hi)
        npv = c0 + c1 / (1 + mid) + c2 / (1 + mid) ** 2
        if npv > 0:
            lo = mid
        else:
            hi = mid
    r = 0.5 * (lo + hi)
    f = c0 + c1 / (1 + r) + c2 / (1 + r) ** 2
    return r + f / (c1 / (1 + r) ** 2 + 2 * c2 / (1 + r) ** 3)


def rocket(thrust, mdot, mass, steps: int):
    v, y, dt = 0.0, 0.0, 0.5
    for _ in range(steps):
        if y < 0.0:
            break
        drag = 0.001 * v * abs(v)
        acc = (thrust - drag) / mass - G
        v += acc * dt
        y += v * dt
        mass -= mdot * dt
    return y


def bouncing(v0, e, n: int):
    h, t = 0.0, 0.0
    for bounce in range(n):
        if v0 < 0.1:
            return t
        t += 2 * v0 / G
        v0 *= e
    return t


def bateman(t, ka, ke, dose):
    if abs(ka - ke) < 1e-9:
        return dose * ka * t * math.exp(-ka * t)
    return dose * ka / (ka - ke) * (math.exp(-ke * t) - math.exp(-ka * t))


def nelson_siegel(t, b0, b1, b2, tau):
    x = t / tau
    f = (1 - math.exp(-x)) / x if x > 1e-8 else 1.0
    return b0 + b1 * f + b2 * (f - math.exp(-x))


def drag_coefficient(Re):
    if Re < 0.1:
        return 24 / Re
    if Re < 1000:
        return 24 / Re * (1 + 0.15 * Re**0.687)
    return 0.44


def terminal_velocity(d, rho, mu):
    v = 0.1
    for _ in range(100):
        cd = drag_coefficient(1000.0 * v * d / mu)
        new = math.sqrt(4 * G * d * (rho - 1000.0) / (3 * cd * 1000.0))
        if abs(new - v) < 1e-13:
            return new
        v = new
    return v


def saturation(x, limit):
    return float(np.where(x > limit, limit + 0.1 * (x - limit), x))


def tiny_net(x, w1, w2, b):
    hidden = [math.tanh(w * x + b) for w in (w1, w2, w1 - w2)]
    return sum(v * h for v, h in zip((1.0, -0.5, w2), hidden))


def bubble_point(x1, T):
    def antoine(A, B, C):
        return 10 ** (A - B / (T + C))

    gammas = [math.exp(0.8 * (1 - x) ** 2) for x in (x1, 1 - x1)]
    sats = [antoine(8.07, 1730.6, 233.4), antoine(8.20, 1642.9, 230.3)]
    return sum(x * g * p for x, g, p in zip((x1, 1 - x1), gammas, sats))


def thermistor(r, units: str = "K"):
    ln = math.log(r / 1e4)
    T = 1 / (1 / 298.15 + ln / 3950.0)
    return T if units == "K" else T - 273.15 if units == "C" else T * 1.8 - 459.67


def seir(beta, gamma, days: int):
    S, E, I, peak = 0.99, 0.0, 0.01, 0.0
    for day in range(days):
        new = beta * S * I
        S, E, I = S - new, E + new - 0.2 * E, I + 0.2 * E - gamma * I
        peak = max(peak, I)
    return peak


def tax(income, rate):
    brackets = [(0.0, 0.1), (10.0, 0.2), (40.0, 0.37)]
    total = 0.0
    for (lower, r), upper in zip(brackets, [10.0, 40.0, math.inf]):
        if income <= lower:
            break
        total += (min(income, upper) - lower) * (r + rate)
    return total


def tank_level(level, valve, hours: int, pump: bool = True):
    for hour in range(hours):
        inflow = 0.8 if pump and level < 2.0 else 0.0
        outflow = valve * math.sqrt(2 * G * level) if level > 0 else 0.0
        level += 0.1 * (inflow - outflow)
        if level > 3.0:
            level = 3.0
    return level


def wind_power(v, rho):
    match int(v // 5):
        case 0:
            return 0.0 * v
        case 1 | 2:
            return 0.5 * rho * v**3
        case _:
            return 0.5 * rho * 15.0**3 if v < 25 else 0.0 * rho


def adaptive_decay(k, y, tol: float = 1e-3):
    t, h = 0.0, 0.1
    while t < 1.0:
        if t + h > 1.0:
            h = 1.0 - t
        full = y * (1 - k * h)
        half = y * (1 - 0.5 * k * h) ** 2
        if abs(half - full) < tol or h < 1e-4:
            t, y = t + h, half
            h *= 1.5
        else:
            h *= 0.5
    return y


def gust(v, scale: float | None = None):
    if scale is None:
        scale = 0.1 * v
    return scale * v * v


def speed(points: int, a, b):
    return math.sqrt(sum((a * math.cos(k) - b) ** 2 for k in range(points)))


def _sine(x):
    return math.sin(x)


def _parabola(x):
    return x * (2.0 - x)


def _ramp(x):
    return 0.5 * x


PROFILES = {"sine": _sine, "parabola": _parabola, "ramp": lambda x: 0.5 * x}


def midpoint(g, a, b, n):
    h = (b - a) / n
    return h * sum(g(a + (k + 0.5) * h) for k in range(n))


def profile_area(a, b, kind: str = "sine", n: int = 4):
    """A profile by its name, given to a rule."""
    return midpoint(PROFILES[kind], a, b, n) * PROFILES[kind](b)


def chosen_flux(p, q, upwind: bool, n: int = 3):
    """A function that an `if` decides, another one that a function picks."""
    if upwind:
        flux = _parabola
    elif p > q:
        flux = _sine if q > 0.4 else _ramp
    else:
        flux = math.exp
    total = 0.0
    for k in range(n):
        total += flux(p + 0.1 * k) * _picked(k, q)(q)
    return total


def _picked(k, q):
    if k % 2 == 0:
        return _ramp
    return _sine if q > 0.3 else math.cos


def thermostat(T, power, loss):
    """States that are texts."""
    state, mode = "heat", "quick"
    used = 0.0
    for k in range(12):
        if state == "heat":
            T += power * (1.5 if mode == "quick" else 0.5)
            used += T * power
        elif state == "idle":
            T -= loss * T
        else:
            raise ValueError(state)
        if T > 2.0:
            state, mode = "idle", "slow"
        elif T < 1.2:
            state = "heat"
    return T * used if state == "idle" else T + used


def _roots(a, b, c):
    """Real roots, None where there are none."""
    disc = b * b - 4.0 * a * c
    if disc < 0.0:
        return None
    s = math.sqrt(disc)
    return (-b - s) / (2.0 * a), (-b + s) / (2.0 * a)


def ray_sphere(px, dx, r):
    """Where a ray first meets one of some spheres."""
    nearest, hit = None, None
    for k in range(4):
        found = _roots(1.0 + dx * dx, 2.0 * (px - k), (px - k) ** 2 - r * r)
        if found is None:
            continue
        near, far = found
        t = near if near > 0.0 else far
        if t > 0.0 and (nearest is None or t < nearest):
            nearest, hit = t, k
    if nearest is None:
        return px - r
    return nearest * dx + hit


def peak_to_peak(a, w, damping, n: int = 40):
    """The mean distance of maxima, by three neighbours."""
    before = last = None
    where, total, count = None, 0.0, 0
    for k in range(n):
        y = a * math.exp(-damping * k) * math.sin(w * k)
        if before is not None and last is not None and last > before and last >= y:
            if where is not None:
                total += (k - 1 - where) * last
                count += 1
            where = k - 1
        before, last = last, y
    return total / count if count else last


def bracket(c, low, step, limit: float = 9.0):
    """Steps until the sign changes, then one of the secant."""
    side, x, last = None, low, None
    while True:
        y = x * x * x - c
        if side is not None and (y > 0.0) != side:
            break
        if x > limit:
            return x - c
        x, side, last = x + (step if side is None else 1.1 * step), y > 0.0, (x, y)
    x0, y0 = last
    return x0 - y0 * (x - x0) / (y - y0)


def latch(x, y, n: int = 6):
    """A value that is set, read once and dropped again."""
    held = None
    out = 0.0
    for k in range(n):
        if held is None:
            if x * k > y:
                held = x * k * k
        else:
            out += held * y
            held = None if k % 2 else held * 0.5
    if not (held is None):
        out += held
    best = None if out > 100.0 else out
    assert best is not None
    return best * x


def _residual(x, c):
    return x * math.exp(x) - c


def brent_like(c, a=0.0, b=2.0):
    """Bisection and secant, whichever is inside."""
    fa, fb = _residual(a, c), _residual(b, c)
    best = None
    for it in range(60):
        x = b - fb * (b - a) / (fb - fa)
        if not (min(a, b) < x < max(a, b)):
            x = 0.5 * (a + b)
        fx = _residual(x, c)
        if best is None or abs(fx) < abs(best[1]):
            best = (x, fx)
        if abs(fx) < 1e-13:
            break
        if (fx > 0) == (fb > 0):
            b, fb = x, fx
        else:
            a, fa = x, fx
    return best[0]


def bessel_j(x, n: int = 2, start: int = 24):
    """Miller's backward recurrence."""
    above, here, total, found = 0.0, 1e-30, 0.0, None
    for k in range(start, 0, -1):
        above, here = here, 2.0 * k / x * here - above
        if k - 1 == n:
            found = here
        if (k - 1) % 2 == 0:
            total += here if k == 1 else 2.0 * here
    return found / total


def events(v, angle, drag=0.1):
    """A ball that bounces: steps until it falls below the floor, found by a secant."""
    x, y, vx, vy = 0.0, 0.0, v * math.cos(angle), v * math.sin(angle)
    h, bounces = 0.05, 0
    state = "fly"
    for step in range(200):
        x1, y1 = x + h * vx, y + h * vy
        vx1, vy1 = vx - h * drag * vx, vy - h * (9.81 + drag * vy)
        if y1 < 0.0 and vy1 < 0.0:
            s = y / (y - y1)
            x, y = x + s * (x1 - x), 0.0
            vx, vy = 0.8 * vx1, -0.6 * vy1
            bounces += 1
            state = "stop" if bounces >= 2 else "fly"
        else:
            x, y, vx, vy = x1, y1, vx1, vy1
        if state == "stop":
            break
    return x


def knapsack(v1, v2, v3, cap: int = 7):
    values, weights = [v1, v2, v3], (3, 4, 2)
    table = [0.0] * (cap + 1)
    for v, w in zip(values, weights):
        for c in range(cap, w - 1, -1):
            table[c] = max(table[c], table[c - w] + v)
    return table[cap]


def givens(a, b, c, d, x, y):
    """Least squares of three rows by Givens rotations."""
    R = [[a, b], [c, d], [x, y]]
    rhs = [1.0, 2.0, 3.0]
    for j in range(2):
        for i in range(2, j, -1):
            r = math.hypot(R[i - 1][j], R[i][j])
            if r == 0.0:
                continue
            cs, sn = R[i - 1][j] / r, R[i][j] / r
            for k in range(2):
                u, v = R[i - 1][k], R[i][k]
                R[i - 1][k], R[i][k] = cs * u + sn * v, cs * v - sn * u
            u, v = rhs[i - 1], rhs[i]
            rhs[i - 1], rhs[i] = cs * u + sn * v, cs * v - sn * u
    x1 = rhs[1] / R[1][1]
    return (rhs[0] - R[0][1] * x1) / R[0][0] + x1


UNITS = {"m": 1.0, "cm": 0.01, "ft": 0.3048}
SCALES = {"C": lambda t: t + 273.15, "F": lambda t: (t - 32.0) / 1.8 + 273.15}


def buoyancy(depth, temperature, unit: str = "ft", scale: str = "F"):
    if unit not in UNITS:
        raise ValueError(f"unknown unit {unit}")
    T = SCALES[scale](temperature)
    rho = 1000.0 * (1.0 - 2e-4 * (T - 277.0) ** 2 / T)
    return rho * 9.81 * depth * UNITS[unit]


def monte_carlo(s, vol, strike):
    draws = (0.31, -1.2, 0.05, 0.77, -0.4)
    payoffs = []
    for z in draws:
        path = s * math.exp(vol * z - 0.5 * vol * vol)
        if path > strike:
            payoffs.append(path - strike)
    return sum(payoffs) / len(draws) if payoffs else 0.0


def rk45(rate, y, end):
    """Heun and Euler with steps that are rejected."""
    t, h, rejected = 0.0, 0.3, 0
    rhs = _logistic if rate > 0.5 else _linear
    while True:
        if t >= end:
            break
        h = min(h, end - t)
        k1 = rhs(y, rate)
        k2 = rhs(y + h * k1, rate)
        error = abs(0.5 * h * (k2 - k1))
        if error > 1e-2:
            h *= 0.5
            rejected += 1
            if rejected > 50:
                raise RuntimeError("too many")
            continue
        y += 0.5 * h * (k1 + k2)
        t += h
        if error < 1e-3:
            h *= 2.0
    return y


def _logistic(y, r):
    return r * y * (1.0 - y)


def _linear(y, r):
    return -r * y


def _adapted(g, a, fa, b, fb, eps):
    m = 0.5 * (a + b)
    fm, h = g(m), 0.25 * (b - a)
    whole = (b - a) / 6.0 * (fa + 4.0 * fm + fb)
    left = (m - a) / 6.0 * (fa + 4.0 * g(a + h) + fm)
    right = (b - m) / 6.0 * (fm + 4.0 * g(b - h) + fb)
    if abs(left + right - whole) <= 15.0 * eps:
        return left + right
    return _adapted(g, a, fa, m, fm, 0.5 * eps) + _adapted(g, m, fm, b, fb, 0.5 * eps)


def adaptive_area(k, b):
    """Adaptive quadrature of functions that know of numbers around them."""
    shift = 0.5 * k

    def decay(t):
        return math.exp(-k * t * t) + shift

    first = _adapted(decay, 0.0, decay(0.0), b, decay(b), 1e-5)
    k = 2.0 * k
    wave = lambda t: math.sin(k * t)
    return first * _adapted(wave, 0.1, wave(0.1), b, wave(b), 1e-5)


# fmt: off
POINTS = {
    "nasa_cp": [(300.0,), (1500.0,)],
    "nasa_gibbs": [(400.0, 2e5), (2000.0, 1e5)],
    "friction_factor": [(1200.0, 1e-4), (1e5, 1e-4)],
    "option_price": [(100.0, 95.0, 0.5, 0.03, 0.2), (100.0, 95.0, 0.5, 0.03, 0.2, "put")],
    "kepler": [(1.2, 0.3), (0.3, 0.9)],
    "spline_force": [(-2.5, 1.5, 0.5), (-1.5, 1.5, 0.5), (0.5, 1.5, 0.5), (1.5, 1.5, 0.5), (3.0, 1.5, 0.5)],
    "beam_deflection": [(0.5, 1.0, 100.0, 3.0, 2e4), (2.0, 1.0, 100.0, 3.0, 2e4)],
    "lennard_jones": [(1.2, 0.5, 1.0, 3.0), (3.5, 0.5, 1.0, 2.5)],
    "fresnel": [(1.0, 1.5, 0.6), (1.5, 1.0, 1.2)],
    "hodgkin_huxley": [(-65.0, 0.05, 0.6, 0.32), (-40.0, 0.5, 0.4, 0.6)],
    "solar_cell": [(0.5, 3.0, 1e-9, 0.02)],
    "battery_voltage": [(0.5, 2.0, 15.0), (0.5, 2.0, 40.0)],
    "residuals": [(1.0, 0.9)],
    "huber": [(1.0, 0.5, 0.3)],
    "poisson_loglik": [(1.0, 0.2)],
    "simpson": [(0.0, 1.5, 8)],
    "present_value": [(0.05, 0.02, 10)],
    "internal_rate": [(-100.0, 60.0, 70.0)],
    "rocket": [(2500.0, 5.0, 150.0, 12)],
    "bouncing": [(3.0, 0.7, 20), (3.0, 0.9, 4)],
    "bateman": [(2.0, 1.2, 0.3, 5.0), (2.0, 0.3, 0.3, 5.0)],
    "nelson_siegel": [(5.0, 0.03, -0.02, 0.01, 2.0)],
    "terminal_velocity": [(1e-3, 2500.0, 1e-3)],
    "saturation": [(2.0, 1.0), (0.5, 1.0)],
    "tiny_net": [(0.5, 0.3, -0.7, 0.1)],
    "bubble_point": [(0.4, 350.0)],
    "thermistor": [(5e3,), (5e3, "C"), (5e3, "F")],
    "seir": [(0.9, 0.3, 40)],
    "tax": [(5.0, 0.01), (25.0, 0.01), (90.0, 0.01)],
    "tank_level": [(1.0, 0.05, 10), (2.5, 0.01, 5, False)],
    "wind_power": [(3.0, 1.2), (8.0, 1.2), (20.0, 1.2), (30.0, 1.2)],
    "adaptive_decay": [(2.0, 1.5, 1e-3)],
    "speed": [(5, 1.5, 0.3)],
    "adaptive_area": [(1.3, 1.7), (0.7, 2.0)],
    "rk45": [(0.9, 0.2, 2.0), (0.4, 1.0, 2.0)],
    "monte_carlo": [(100.0, 0.3, 95.0), (100.0, 0.3, 500.0)],
    "buoyancy": [(3.0, 50.0), (2.0, 15.0, "m", "C")],
    "givens": [(1.0, 2.0, 0.5, -1.0, 0.3, 0.7)],
    "knapsack": [(1.0, 1.7, 0.9), (2.0, 0.3, 0.4)],
    "events": [(9.0, 0.7, 0.1), (5.0, 1.1, 0.05)],
    "bessel_j": [(1.7,), (3.2, 1)],
    "brent_like": [(1.2, 0.0, 2.0), (2.5, 0.1, 1.9)],
    "ray_sphere": [(0.4, 0.2, 0.5), (2.7, 0.3, 0.4), (-9.0, 0.5, 0.1)],
    "peak_to_peak": [(1.0, 0.7, 0.02), (1.0, 0.05, 0.02)],
    "bracket": [(2.0, 0.1, 0.3, 9.0), (2.0, 0.1, 0.3, 0.5)],
    "latch": [(0.7, 1.1), (0.3, 0.5, 9)],
    "profile_area": [(0.2, 1.3), (0.2, 1.3, "parabola"), (0.1, 0.7, "ramp", 3)],
    "chosen_flux": [(0.7, 0.2, True), (0.7, 0.2, False), (0.7, 0.5, False), (0.3, 0.5, False)],
    "thermostat": [(0.9, 0.2, 0.1), (1.9, 0.3, 0.2)],
}
# fmt: on
