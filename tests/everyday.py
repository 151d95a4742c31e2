# ruff: noqa
"""Models as engineers write them: the subjects of one-line edits (see `edits`)."""

import math

import numpy as np

R = 8.314462618
MU = 3.986004418e14
J2 = 1.08262668e-3
RE = 6378137.0
UT = 0.02585


def arrhenius(T, A, Ea):
    """Rate of a reaction of second order."""
    k = A * math.exp(-Ea / (R * T))
    c = 0.8 * math.exp(-0.01 * T)
    return k * c**2


def hill(S, vmax, Km, n):
    """Michaelis-Menten kinetics with cooperation and inhibition."""
    s = S / Km
    sn = s**n
    bound = sn / (1.0 + sn)
    inhibition = 1.0 + S / 40.0
    return vmax * bound / inhibition


def j2_potential(x, y, z):
    """Gravity of the flattened earth."""
    r2 = x**2 + y**2 + z**2
    r = math.sqrt(r2)
    sin2 = z**2 / r2
    k = 1.5 * J2 * RE**2 / r2
    return -MU / r * (1.0 - k * (sin2 - 1.0 / 3.0))


def bubble_pressure(T, x1, a12, a21):
    """Antoine's equation with Margules' activities."""
    x2 = 1.0 - x1
    p1 = 10.0 ** (8.20417 - 1642.89 / (T + 230.3))
    p2 = 10.0 ** (8.07131 - 1730.63 / (T + 233.426))
    g1 = math.exp(x2**2 * (a12 + 2.0 * (a21 - a12) * x1))
    g2 = math.exp(x1**2 * (a21 + 2.0 * (a12 - a21) * x2))
    return x1 * g1 * p1 + x2 * g2 * p2


def student_t(y, mu, log_sigma, nu):
    """Log-likelihood of one observation."""
    sigma = math.exp(log_sigma)
    z = (y - mu) / sigma
    half = 0.5 * (nu + 1.0)
    norm = math.lgamma(half) - math.lgamma(0.5 * nu) - 0.5 * math.log(math.pi * nu)
    return norm - log_sigma - half * math.log1p(z**2 / nu)


def rotate(qw, qx, qy, qz, vx, vy, vz):
    """A vector rotated by a quaternion."""
    n = math.sqrt(qw**2 + qx**2 + qy**2 + qz**2)
    w, x, y, z = qw / n, qx / n, qy / n, qz / n
    tx = 2.0 * (y * vz - z * vy)
    ty = 2.0 * (z * vx - x * vz)
    tz = 2.0 * (x * vy - y * vx)
    rx = vx + w * tx + (y * tz - z * ty)
    ry = vy + w * ty + (z * tx - x * tz)
    rz = vz + w * tz + (x * ty - y * tx)
    return rx, ry, rz


def peng_robinson(T, v, Tc, pc, omega):
    """Pressure of a real gas."""
    kappa = 0.37464 + 1.54226 * omega - 0.26992 * omega**2
    alpha = (1.0 + kappa * (1.0 - math.sqrt(T / Tc))) ** 2
    a = 0.45724 * R**2 * Tc**2 / pc * alpha
    b = 0.0778 * R * Tc / pc
    return R * T / (v - b) - a / (v**2 + 2.0 * b * v - b**2)


def ekv_current(vg, vd, vs, kp, vt0):
    """Drain current of a MOSFET from weak to strong inversion."""
    n = 1.35
    vp = (vg - vt0) / n
    xf = math.log1p(math.exp((vp - vs) / (2.0 * UT)))
    xr = math.log1p(math.exp((vp - vd) / (2.0 * UT)))
    spec = 2.0 * n * kp * UT**2
    clm = 1.0 + 0.05 * (vd - vs)
    return spec * (xf**2 - xr**2) * clm


def tyre(alpha, fz, camber):
    """Pacejka's magic formula."""
    dfz = (fz - 4000.0) / 4000.0
    C = 1.3
    D = fz * (1.0 - 0.1 * dfz) * (1.0 - 0.4 * camber**2)
    K = 80000.0 * math.sin(2.0 * math.atan(fz / 6000.0))
    B = K / (C * D)
    E = 0.4 - 0.3 * dfz
    sh = 0.003 + 0.001 * dfz - 0.05 * camber
    x = alpha + sh
    bx = B * x
    return D * math.sin(C * math.atan(bx - E * (bx - math.atan(bx))))


def double_pendulum(th1, th2, w1, w2):
    """Accelerations of both bobs."""
    g, m1, m2, l1, l2 = 9.81, 1.2, 0.8, 1.0, 0.7
    d = th1 - th2
    den = 2.0 * m1 + m2 - m2 * math.cos(2.0 * d)
    n1 = -g * (2.0 * m1 + m2) * math.sin(th1) - m2 * g * math.sin(th1 - 2.0 * th2)
    n2 = 2.0 * math.sin(d) * m2 * (w2**2 * l2 + w1**2 * l1 * math.cos(d))
    a1 = (n1 - n2) / (l1 * den)
    n3 = w1**2 * l1 * (m1 + m2) + g * (m1 + m2) * math.cos(th1)
    a2 = 2.0 * math.sin(d) * (n3 + w2**2 * l2 * m2 * math.cos(d)) / (l2 * den)
    return a1, a2


def weibull(shape, scale, t1, t2, t3):
    """Log-likelihood of two failures and a censored unit."""
    z1, z2, z3 = t1 / scale, t2 / scale, t3 / scale
    l1 = math.log(shape / scale) + (shape - 1.0) * math.log(z1) - z1**shape
    l2 = math.log(shape / scale) + (shape - 1.0) * math.log(z2) - z2**shape
    return l1 + l2 - z3**shape


def thermistor(resistance, a, b, c):
    """Steinhart and Hart's temperature and its squared deviation from 25 degrees."""
    lr = math.log(resistance)
    kelvin = 1.0 / (a + b * lr + c * lr**3)
    deviation = kelvin - 298.15
    return deviation**2


def logistic_step(y, r, K):
    return r * y * (1.0 - y / K)


def logistic_rk4(y0, r, K, h):
    """Two steps of Runge and Kutta."""
    y = y0
    for_k1 = logistic_step(y, r, K)
    for_k2 = logistic_step(y + 0.5 * h * for_k1, r, K)
    for_k3 = logistic_step(y + 0.5 * h * for_k2, r, K)
    for_k4 = logistic_step(y + h * for_k3, r, K)
    return y + h / 6.0 * (for_k1 + 2.0 * for_k2 + 2.0 * for_k3 + for_k4)


def cdf(x):
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def call(S, K, r, sigma, T, q):
    """A European call with dividends."""
    vol = sigma * math.sqrt(T)
    forward = S * math.exp((r - q) * T)
    d1 = math.log(forward / K) / vol + 0.5 * vol
    d2 = d1 - vol
    return math.exp(-r * T) * (forward * cdf(d1) - K * cdf(d2))


def beam(x, P, w, EI, L):
    """Deflection under a force and a distributed load."""
    a = 0.4 * L
    b = L - a
    force = P * b * x / (6.0 * L * EI) * (L**2 - b**2 - x**2)
    load = w * x / (24.0 * EI) * (L**3 - 2.0 * L * x**2 + x**3)
    return force + load


def seir(S, E, I, beta, sigma, gamma):
    """Rates of an epidemic."""
    N = 1000.0
    infected = beta * S * I / N
    onset = sigma * E
    recovered = gamma * I
    return -infected, infected - onset, onset - recovered, recovered


def spline(x, c0, c1, c2, c3):
    """A cubic with a knot, squared distance to a datum."""
    u = (x - 1.5) / 0.7
    poly = c0 + u * (c1 + u * (c2 + u * c3))
    bend = max(x - 2.0, 0.0) ** 3
    model = poly + 0.3 * c3 * bend
    return (model - 2.25) ** 2


def argon(x1, y1, z1, x2, y2, z2):
    """Energy of two atoms."""
    eps, sig = 0.0103, 3.4
    dx, dy, dz = x1 - x2, y1 - y2, z1 - z2
    r2 = dx**2 + dy**2 + dz**2
    s2 = sig**2 / r2
    s6 = s2**3
    return 4.0 * eps * (s6**2 - s6)


def arm3(t1, t2, t3):
    """Place and direction of the hand of an arm."""
    l1, l2, l3 = 1.0, 0.8, 0.5
    a = t1
    b = a + t2
    c = b + t3
    px = l1 * math.cos(a) + l2 * math.cos(b) + l3 * math.cos(c)
    py = l1 * math.sin(a) + l2 * math.sin(b) + l3 * math.sin(c)
    return px, py, c


def great_circle(lat1, lon1, lat2, lon2):
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    dphi = phi2 - phi1
    dlam = math.radians(lon2 - lon1)
    h = (
        math.sin(dphi / 2) ** 2
        + math.cos(phi1) * math.cos(phi2) * math.sin(dlam / 2) ** 2
    )
    return 2.0 * RE * math.asin(math.sqrt(h))


def membrane(V, m, h, n):
    """Currents of Hodgkin and Huxley."""
    gNa, gK, gL = 120.0, 36.0, 0.3
    iNa = gNa * m**3 * h * (V - 50.0)
    iK = gK * n**4 * (V + 77.0)
    iL = gL * (V + 54.4)
    an = 0.01 * (V + 55.0) / (1.0 - math.exp(-(V + 55.0) / 10.0))
    bn = 0.125 * math.exp(-(V + 65.0) / 80.0)
    return -(iNa + iK + iL), an * (1.0 - n) - bn * n


def impedance(freq, res, ind, cap):
    """Magnitude of a series circuit."""
    omega = 2.0 * math.pi * freq
    reactance = omega * ind - 1.0 / (omega * cap)
    return math.sqrt(res**2 + reactance**2)


def solar_cell(v, i, iph, i0, rs, rsh, nvt):
    """Residual of the one-diode model."""
    vj = v + i * rs
    diode = i0 * (math.exp(vj / nvt) - 1.0)
    leak = vj / rsh
    return iph - diode - leak - i


def battery(soc, current, temp):
    """Terminal voltage, a polynomial for the open circuit."""
    ocv = 3.0 + soc * (1.2 + soc * (-2.1 + soc * (2.4 - 0.9 * soc)))
    r0 = 0.015 * math.exp(1500.0 * (1.0 / temp - 1.0 / 298.15))
    rct = 0.02 / (0.1 + soc)
    return ocv - current * (r0 + rct)


def vehicle_power(v, a, grade, mass):
    """Power at the wheels."""
    drag = 0.5 * 1.2 * 0.3 * 2.2 * v**2
    theta = math.atan(grade)
    roll = mass * 9.81 * 0.01 * math.cos(theta)
    climb = mass * 9.81 * math.sin(theta)
    inertia = 1.05 * mass * a
    return (drag + roll + climb + inertia) * v


def tiny_net(x1, x2, w11, w12, w21, w22, b1, b2, v1, v2):
    """Squared error of two hidden neurons."""
    h1 = math.tanh(w11 * x1 + w12 * x2 + b1)
    h2 = math.tanh(w21 * x1 + w22 * x2 + b2)
    out = v1 * h1 + v2 * h2
    return 0.5 * (out - 1.0) ** 2


def bateman(t, ka, ke, V, dose):
    """A drug's concentration after an oral dose."""
    f = 0.9
    scale = f * dose * ka / (V * (ka - ke))
    rise = math.exp(-ke * t)
    fall = math.exp(-ka * t)
    conc = scale * (rise - fall)
    return conc


def nelson_siegel(b0, b1, b2, tau):
    """Squared errors of three yields."""
    x1, x2, x3 = 1.0 / tau, 5.0 / tau, 10.0 / tau
    s1, s2, s3 = math.exp(-x1), math.exp(-x2), math.exp(-x3)
    l1, l2, l3 = (1.0 - s1) / x1, (1.0 - s2) / x2, (1.0 - s3) / x3
    e1 = b0 + b1 * l1 + b2 * (l1 - s1) - 0.021
    e2 = b0 + b1 * l2 + b2 * (l2 - s2) - 0.027
    e3 = b0 + b1 * l3 + b2 * (l3 - s3) - 0.031
    return e1**2 + e2**2 + e3**2


def hubble(z, om, w):
    matter = om * (1.0 + z) ** 3
    dark = (1.0 - om) * (1.0 + z) ** (3.0 * (1.0 + w))
    return math.sqrt(matter + dark)


def distance_modulus(z, h0, om, w):
    """Simpson's rule for the luminosity distance."""
    dz = z / 4.0
    e1 = 4.0 / hubble(dz, om, w)
    e2 = 2.0 / hubble(2.0 * dz, om, w)
    e3 = 4.0 / hubble(3.0 * dz, om, w)
    e4 = 1.0 / hubble(z, om, w)
    integral = dz / 3.0 * (1.0 + e1 + e2 + e3 + e4)
    dl = (1.0 + z) * integral * 299792.458 / h0
    return 5.0 * math.log10(dl) + 25.0


def cross(ax, ay, az, bx, by, bz):
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


def triangle(ax, ay, az, bx, by, bz):
    """Area and angle between two edges."""
    cx, cy, cz = cross(ax, ay, az, bx, by, bz)
    double = math.sqrt(cx**2 + cy**2 + cz**2)
    dot = ax * bx + ay * by + az * bz
    angle = math.atan2(double, dot)
    return 0.5 * double * angle


def heston_variance(kappa, theta, xi, v0, T):
    decay = math.exp(-kappa * T)
    mean = theta + (v0 - theta) * decay
    first = v0 * xi**2 * decay / kappa * (1.0 - decay)
    second = theta * xi**2 / (2.0 * kappa) * (1.0 - decay) ** 2
    return first + second + mean**2


def wing(alpha, mach, aspect, sweep):
    """Drag of a wing."""
    beta = math.sqrt(1.0 - mach**2)
    slope = 2.0 * math.pi * aspect / (2.0 + math.sqrt(4.0 + (aspect * beta) ** 2))
    cl = slope * alpha * math.cos(sweep)
    oswald = 1.78 * (1.0 - 0.045 * aspect**0.68) - 0.64
    cdi = cl**2 / (math.pi * aspect * oswald)
    cd0 = 0.02 + 0.003 * mach**2
    return cd0 + cdi


def heat_exchanger(th, tc, mh, mc, U, A):
    """Heat that a counterflow exchanger transfers."""
    ch, cc = 4180.0 * mh, 2100.0 * mc
    ratio = cc / ch
    ntu = U * A / cc
    e = math.exp(-ntu * (1.0 - ratio))
    eff = (1.0 - e) / (1.0 - ratio * e)
    return eff * cc * (th - tc)


def rocket(m0, mdot, ve, t, g):
    """Speed and height of a rocket."""
    m = m0 - mdot * t
    ratio = math.log(m0 / m)
    speed = ve * ratio - g * t
    height = ve * (t - m / mdot * ratio) - 0.5 * g * t**2
    return speed, height


def gaussian2d(x, y, x0, y0, sx, sy, rho):
    u = (x - x0) / sx
    v = (y - y0) / sy
    q = 1.0 - rho**2
    expo = (u**2 - 2.0 * rho * u * v + v**2) / (2.0 * q)
    norm = 2.0 * math.pi * sx * sy * math.sqrt(q)
    return math.exp(-expo) / norm
