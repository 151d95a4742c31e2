# ruff: noqa
"""Calls that are inlined: functions of the file, lambdas, nested functions."""

import math

SCALE = 2.5


def square(t):
    return t * t


def norm2(a, b=1.0):
    """The squared length."""
    return square(a) + square(b)


def both(a, b):
    return a * b, a + b


def weighted(x, *, weight=0.5, shift=0.0):
    return weight * x + shift * x * x


def scaled(x):
    return SCALE * x


def triple(x):
    u, v = both(x, x + 1.0)
    return u, v, u * v


def checked(x):
    assert x == x, "not a number"
    return math.sqrt(1.0 + x * x)


def positional(x, y):
    return norm2(x, y) * norm2(y)


def by_keyword(x, y):
    return norm2(b=x, a=y * x) + norm2(a=y)


def keyword_only(x, y):
    return weighted(x, weight=y) + weighted(y, shift=x)


def several_results(x, y):
    p, s = both(x, y)
    q, _ = both(s, p)
    return p * q - s


def nested_calls(x, y):
    return square(norm2(square(x), scaled(y))) / 10.0


def tuple_passed_on(x):
    a, b, c = triple(x)
    return a + b * c


def used_as_a_whole(x, y):
    pair = both(x, y)
    return pair[0] / pair[1]


def with_lambda(x, y):
    cube = lambda t: t * t * t  # noqa: E731
    return cube(x) - cube(y - x)


def with_closure(x, y):
    k = x * y

    def inner(t, u=2.0):
        return t * k + u

    return inner(x) * inner(y, u=k)


def local_shadows_global(x, y):
    square = lambda t: t + 1.0  # noqa: E731
    return square(x) * norm2(y)


def with_assert(x, y):
    assert y > 0.0, f"y is {y}"
    r = checked(x)
    assert r >= 1.0
    return r * math.log(y)


def with_print(x):
    y = x * x
    print("half way", y)
    return math.sin(y)


def twice_the_same(x, y):
    return checked(x * y) * checked(x * y) + checked(y)


def deep(x):
    return a1(x)


def a1(x):
    return a2(x) * x


def a2(x):
    return a3(x) + x


def a3(x):
    return math.exp(-x) * x


POINTS = {
    "positional": ((1.3, -0.7), (3.0, 2.0)),
    "by_keyword": ((1.3, -0.7), (3.0, 2.0)),
    "keyword_only": ((1.3, -0.7), (3.0, 2.0)),
    "several_results": ((1.3, -0.7), (3.0, 2.0)),
    "nested_calls": ((1.3, -0.7), (3.0, 2.0)),
    "tuple_passed_on": ((1.3,), (-0.7,)),
    "used_as_a_whole": ((1.3, -0.7), (3.0, 2.0)),
    "with_lambda": ((1.3, -0.7), (3.0, 2.0)),
    "with_closure": ((1.3, -0.7), (3.0, 2.0)),
    "local_shadows_global": ((1.3, -0.7), (3.0, 2.0)),
    "with_assert": ((1.3, 0.7), (3.0, 2.0)),
    "with_print": ((1.3,), (-0.7,)),
    "twice_the_same": ((1.3, -0.7), (3.0, 2.0)),
    "deep": ((1.3,), (-0.7,)),
}
