"""`statistics`: means, medians and spreads, by sums as `math.fsum` has them."""

import math
from collections.abc import Iterable


def fmean(data: Iterable[float], weights: Iterable[float] | None = None) -> float:
    if weights is not None:
        return weighted(list(data), list(weights))
    values = list(data)
    if len(values) < 1:
        raise ValueError("fmean requires at least one data point")
    return math.fsum(values) / len(values)


def weighted(values: list[float], weights: list[float]) -> float:
    if len(values) != len(weights):
        raise ValueError("data and weights must be the same length")
    total = math.fsum(weights)
    if total == 0.0:
        raise ValueError("sum of weights must be non-zero")
    return math.fsum([values[k] * weights[k] for k in range(len(values))]) / total


def mean(data: Iterable[float]) -> float:
    values = list(data)
    if len(values) < 1:
        raise ValueError("mean requires at least one data point")
    return math.fsum(values) / len(values)


def median(data: Iterable[float]) -> float:
    values = sorted(data)
    if len(values) < 1:
        raise ValueError("no median for empty data")
    middle = len(values) // 2
    if len(values) % 2 == 1:
        return values[middle]
    return (values[middle - 1] + values[middle]) / 2


def median_low(data: Iterable[float]) -> float:
    values = sorted(data)
    if len(values) < 1:
        raise ValueError("no median for empty data")
    return values[(len(values) - 1) // 2]


def median_high(data: Iterable[float]) -> float:
    values = sorted(data)
    if len(values) < 1:
        raise ValueError("no median for empty data")
    return values[len(values) // 2]


def variance(data: Iterable[float], xbar: float | None = None) -> float:
    values = list(data)
    if len(values) < 2:
        raise ValueError("variance requires at least two data points")
    return squares(values, xbar) / (len(values) - 1)


def pvariance(data: Iterable[float], mu: float | None = None) -> float:
    values = list(data)
    if len(values) < 1:
        raise ValueError("pvariance requires at least one data point")
    return squares(values, mu) / len(values)


def stdev(data: Iterable[float], xbar: float | None = None) -> float:
    values = list(data)
    if len(values) < 2:
        raise ValueError("stdev requires at least two data points")
    return root(squares(values, xbar) / (len(values) - 1))


def pstdev(data: Iterable[float], mu: float | None = None) -> float:
    values = list(data)
    if len(values) < 1:
        raise ValueError("pstdev requires at least one data point")
    return root(squares(values, mu) / len(values))


def root(square: float) -> float:
    """As that of numpy, it has the derivative 0 at 0."""
    return math.sqrt(square) if square > 0.0 else 0.0


def squares(values: list[float], centre: float | None) -> float:
    """The mean in two parts: equal values have none of its rounding error."""
    if centre is not None:
        return math.fsum([(v - centre) ** 2 for v in values])
    first = math.fsum(values) / len(values)
    rest = math.fsum([v - first for v in values]) / len(values)
    return math.fsum([((v - first) - rest) ** 2 for v in values])
