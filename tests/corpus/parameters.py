# ruff: noqa
"""Parameters of every kind; several outputs in every nesting; module constants."""

import math
from typing import Final

G = 6.674e-11
TWO_PI = 2.0 * math.pi
LIMIT: Final = 1_000.0
ORDER = 3
WEIGHTS_SUM = 0.5 + 0.25 * (1.0 / 3.0)
NEGATIVE = -0.125
NAME = "unit"


def defaults(x, y=2.0, z=-1.5):
    return x * y + z * z * x


def keyword_only(x, *, y, z=0.5):
    return x * y * y - z * x


def positional_only(x, y, /, z):
    return x / y + y / z


def mixed(x, /, y=1.5, *, k: float = 0.25, n: int = 3):
    return (x - k) ** n * y


def int_parameter(x: float, n: int) -> float:
    return x**n + n * x


def int_only_as_factor(n: int, x: float) -> float:
    half = n / 2
    return half * x * x + (n + 1) * x


def int_factors(x: float, n: int):
    return n * x + (n + 1) * x


def bool_parameter(x: float, flag: bool) -> float:
    return x * flag + x * x * (1 - flag)


def string_parameter(x: float, name: str) -> float:
    return x * x + 0.5 * x


def module_constants(x, r):
    return G * x / (r * r) + TWO_PI * r / LIMIT + WEIGHTS_SUM * x**ORDER


def negative_constant(x):
    return NEGATIVE * x * x - NEGATIVE * math.exp(NEGATIVE * x)


def one_of_a_tuple(x):
    return (x * x,)


def pair(x, y):
    return x * y, x / y


def nested_outputs(x, y):
    return (x * y, (x + y, y * y)), math.sin(x)


def list_output(x, y):
    return [x * x, y * x, y]


def constant_outputs(x, y):
    return x * y, 1.0, 2.5 * 2, y


def parameter_outputs(x, y):
    return x, y, x


def repeated_outputs(x, y):
    p = x * y
    return p, p * p, p


def identity(x):
    return x


def constant_slope(x, y):
    return 3.0 * x - y


def one_used(x, y, z):
    return y * y, z * y


def integers_around(x):
    return (2 * x + 3) ** 2 / 4 - 5 // 2 * x + 7 % 4 * x * x


def unused_int(x, n: int, y):
    return x * y


POINTS = {
    "defaults": ((1.3, -0.7, 0.4), (3.0, 2.0, 1.0)),
    "keyword_only": ((1.3, -0.7, 0.4), (3.0, 2.0, 1.0)),
    "positional_only": ((1.3, -0.7, 0.4), (3.0, 2.0, 1.0)),
    "mixed": ((1.3, -0.7, 0.4, 3), (3.0, 2.0, 1.0, 5)),
    "int_parameter": ((1.3, 3), (-0.7, 4), (2.0, 1), (2.0, 0), (-1.5, -2)),
    "int_only_as_factor": ((3, 1.3), (-4, 0.5)),
    "int_factors": ((1.3, 3), (-0.7, -2)),
    "bool_parameter": ((1.3, True), (-0.7, False)),
    "string_parameter": ((1.3, "a"),),
    "module_constants": ((1.3, -0.7), (3.0, 2.0)),
    "negative_constant": ((1.3,), (-0.7,)),
    "one_of_a_tuple": ((1.3,), (-0.7,)),
    "pair": ((1.3, -0.7), (3.0, 2.0)),
    "nested_outputs": ((1.3, -0.7), (3.0, 2.0)),
    "list_output": ((1.3, -0.7), (3.0, 2.0)),
    "constant_outputs": ((1.3, -0.7), (3.0, 2.0)),
    "parameter_outputs": ((1.3, -0.7), (3.0, 2.0)),
    "repeated_outputs": ((1.3, -0.7), (3.0, 2.0)),
    "identity": ((1.3,), (-0.7,)),
    "constant_slope": ((1.3, -0.7), (3.0, 2.0)),
    "one_used": ((1.3, -0.7, 0.4), (3.0, 2.0, 1.0)),
    "integers_around": ((1.3,), (-0.7,)),
    "unused_int": ((1.3, 2, -0.7),),
}
