"""Functions with published elimination counts, arithmetic order included.

Robot arm: forward kinematics of a six-joint arm. Human heart dipole and propane
combustion: MINPACK-2 (Averick, Carter, More & Xue 1992). Lighthouse: Griewank & Walther
2008. Powell: Yoshida 1989, example 2.
"""

import math


def _sin_sum(a, b):
    return math.cos(a) * math.sin(b) + math.sin(a) * math.cos(b)


def _cos_sum(a, b):
    return math.cos(a) * math.cos(b) - math.sin(a) * math.sin(b)


def robot_arm(t1, t2, t3, t4, t5, t6):
    """six joint angles -> x, y, z of the tool and three Tait-Bryan angles"""
    A1, A2, A3, D1, D4, D6 = 175.0, 890.0, 50.0, 575.0, 1035.0, 185.0
    c1 = math.cos(t1)
    c2 = math.cos(t2)
    c4 = math.cos(t4)
    c5 = math.cos(t5)
    c6 = math.cos(t6)
    c23 = _cos_sum(t2, t3)
    s1 = math.sin(t1)
    s2 = math.sin(t2)
    s4 = math.sin(t4)
    s5 = math.sin(t5)
    s6 = math.sin(t6)
    s23 = _sin_sum(t2, t3)
    ax = s5 * (c1 * c23 * c4 + s1 * s4) + c1 * s23 * c5
    ay = s5 * (s1 * c23 * c4 - c1 * s4) + s1 * s23 * c5
    az = s23 * c4 * s5 - c23 * c5
    nz = c6 * (c23 * s5 + s23 * c4 * c5) - s23 * s4 * s6
    oz = -s6 * (c23 * s5 + s23 * c4 * c5) - s23 * s4 * c6
    yaw = math.atan2(ay, ax)
    pitch = math.atan2(math.sqrt(1.0 - az**2), az)
    roll = math.atan2(oz, -nz)
    px = D6 * (s5 * (c1 * c23 * c4 + s1 * s4) + c1 * s23 * c5) + c1 * (
        A1 + A2 * c2 + A3 * c23 + D4 * s23
    )
    py = D6 * (s5 * (s1 * c23 * c4 + c1 * s4) + s1 * s23 * c5) + s1 * (
        A1 + A2 * c2 + A3 * c23 + D4 * s23
    )
    pz = A2 * s2 + D1 + A3 * s23 - D4 * c23 + D6 * (s23 * c4 * s5 - c23 * c5)
    return px, py, pz, yaw, pitch, roll


def heart_dipole(x1, x2, x3, x4, x5, x6, x7, x8):
    r1 = x1 + x2 - 1.0
    r2 = x3 + x4 - 1.0
    r3 = x5 * x1 + x6 * x2 - x7 * x3 - x8 * x4 - 1.0
    r4 = x7 * x1 + x8 * x2 + x5 * x3 + x6 * x4 - 1.0
    da = x5**2 - x7**2
    db = x6**2 - x8**2
    r5 = x1 * da - 2.0 * x3 * x5 * x7 + x2 * db - 2.0 * x4 * x6 * x8 - 1.0
    r6 = x3 * da - 2.0 * x1 * x5 * x7 + x4 * db - 2.0 * x2 * x6 * x8 - 1.0
    ca = x5 * (x5**2 - 3.0 * x7**2)
    cb = x7 * (x7**2 - 3.0 * x5**2)
    cc = x6 * (x6**2 - 3.0 * x8**2)
    cd = x8 * (x8**2 - 3.0 * x6**2)
    r7 = x1 * ca + x3 * cb + x2 * cc + x4 * cd - 1.0
    r8 = x3 * ca - x1 * cb + x4 * cc - x2 * cd - 1.0
    return r1, r2, r3, r4, r5, r6, r7, r8


def propane_combustion(x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11):
    P, R = 40.0, 10.0
    s = math.sqrt(P / x11)
    r1 = x1 + x4 - 3.0
    r2 = 2.0 * x1 + x2 + x4 + x7 + x8 + x9 + 2.0 * x10 - R
    r3 = 2.0 * x2 + 2.0 * x5 + x6 + x7 - 8.0
    r4 = 2.0 * x3 + x9 - 4.0 * R
    r5 = x2 * x4 - x1 * x5
    r6 = math.sqrt(x2 * x4) - math.sqrt(x1) * s * x6
    r7 = math.sqrt(x1 * x2) - math.sqrt(x4) * x7 * s
    r8 = x1 - x4 * x8 * P / x11
    r9 = x1 * math.sqrt(x3) - x4 * x9 * s
    r10 = x1**2 - x4**2 * x10 * P / x11
    r11 = x11 - x1 - x2 - x3 - x4 - x5 - x6 - x7 - x8 - x9 - x10
    return r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11


def lighthouse(nu, gam, om, t):
    """Griewank's lighthouse example"""
    y1 = nu * math.tan(om * t) / (gam - math.tan(om * t))
    return y1, gam * y1


def powell(x1, x2, x3, x4):
    return (
        (x1 + 10 * x2) ** 2
        + 5 * (x3 - x4) ** 2
        + (x2 - 2 * x3) ** 4
        + 10 * (x1 - x4) ** 4
    )
