# ruff: noqa
"""Functions with loops: counted, tested, nested, left early."""

import math


def power_sum(x, y, n: int):
    s = 0.0
    for k in range(n):
        s += x**k * y
    return s


def van_der_pol(mu, x, v, n: int):
    """Runge-Kutta steps."""
    h = 0.1
    for _ in range(n):
        k1, l1 = v, mu * (1.0 - x * x) * v - x
        a, b = x + 0.5 * h * k1, v + 0.5 * h * l1
        k2, l2 = b, mu * (1.0 - a * a) * b - a
        x, v = x + h * k2, v + h * l2
    return x, v


def newton(a, x):
    for _ in range(50):
        dx = (x * x - a) / (2.0 * x)
        x = x - dx
        if abs(dx) < 1e-12:
            break
    return x * a


def kepler(mean, e):
    guess = mean
    while True:
        step = (guess - e * math.sin(guess) - mean) / (1.0 - e * math.cos(guess))
        guess -= step
        if abs(step) < 1e-13:
            return guess * e


def bisection(c, scale):
    low, high = 0.0, 2.0
    for _ in range(12):
        middle = 0.5 * (low + high)
        if middle * middle < c:
            low = middle
        else:
            high = middle
    return scale * (low + (c - low * low) / (2.0 * high))


def adaptive(rate, y, end):
    """Steps that halve or grow with the error."""
    t, h = 0.0, 0.5
    while t < end:
        h = min(h, end - t)
        slope = -rate * y
        middle = -rate * (y + 0.5 * h * slope)
        error = abs(h * (middle - slope))
        if error > 0.2:
            h = 0.5 * h
            continue
        y, t = y + h * middle, t + h
        if error < 0.05:
            h = 2.0 * h
    return y * t


def triangle(x, y, n: int):
    s = y
    for i in range(n):
        for j in range(i):
            s = s * 0.5 + x * math.sin(j * y)
        s += 0.25 * i
    return s


def first_above(x, y, n: int):
    for k in range(n):
        x = x + y * math.cos(x)
        if x > 2.0:
            return x * k
    else:
        y = y * y
    return x * y


def skipped(x, y, n: int):
    s = 0.0
    for k in range(1, 3 * n, 2):
        if k % 3 == 0:
            continue
        s += math.sin(k * x) / k
        if s > y:
            s = s * x
            break
    return s * y


def int_first(x, n: int):
    s = 0
    p = 1
    for k in range(n):
        p = p * x
        s = s + p
    return s


def backwards(x, y, n: int):
    for k in range(n, 0, -1):
        y = math.tanh(x * y + 1.0 / k)
    return y


def in_arms(x, y, n: int):
    if x > 1.0:
        for _ in range(n):
            x = 0.5 * (x + y / x)
    elif n > 2:
        while y > 0.5:
            y = y * x
    return x * y


def helper(t, m: int):
    for i in range(m):
        if t > 3.0:
            return t * i
        t = t * 1.5
    return t


def helped(x, y, n: int):
    s = 0.0
    for k in range(n):
        s = s + helper(x * y, k) * y
    return s


def agm(a, b):
    while abs(a - b) > 1e-15:
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return a


def backwards_by_steps(x, y, n: int):
    for k in reversed(range(5, -(2 * n), -2)):
        y = y * x + k
    return y


def mixed(x, y, n: int):
    best, place = x, 0
    for k in range(n):
        value = math.sin(x + k) * y
        if value > best:
            best, place = value, k
    return best + place * x


def found_or_raised(m, e, n: int):
    """Its end is the `else` of a loop, which raises."""
    x, total = m, 0.0
    for j in range(50):
        step = (x - e * math.sin(x) - m) / (1.0 - e * math.cos(x))
        x -= step
        if abs(step) < 1e-13:
            total += x * (j < n)
            if j >= n:
                return x * e + total
    else:
        raise RuntimeError("no convergence")


# fmt: off
POINTS = {
    "power_sum": [(0.75, 2.0, 4), (0.5, 1.5, 0)],
    "van_der_pol": [(1.5, 0.5, 0.25, 7), (0.5, -1.0, 1.0, 1)],
    "newton": [(2.0, 1.0), (0.5, 3.0)],
    "kepler": [(1.5, 0.3)],
    "bisection": [(2.0, 1.5)],
    "adaptive": [(1.5, 2.0, 2.25), (0.25, 1.0, 1.0)],
    "triangle": [(0.5, 1.5, 5), (0.5, 1.5, 1)],
    "first_above": [(0.5, 0.75, 9), (0.5, 0.25, 3)],
    "skipped": [(0.5, 1.0, 4), (0.5, 0.3, 4)],
    "int_first": [(1.5, 4), (0.5, 1)],
    "backwards": [(0.5, 1.5, 5)],
    "backwards_by_steps": [(0.5, 1.5, 2), (0.5, 1.5, -3)],
    "in_arms": [(1.5, 2.0, 4), (0.5, 2.1, 3), (0.5, 0.25, 1)],
    "helped": [(1.5, 0.75, 4), (2.5, 1.5, 3)],
    "agm": [(2.0, 1.0)],
    "mixed": [(0.3, 1.5, 6)],
    "found_or_raised": [(1.5, 0.3, 3), (1.5, 0.3, 9)],
}
# fmt: on
