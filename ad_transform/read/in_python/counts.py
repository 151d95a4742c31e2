"""numpy's functions that count: bins of values, equal values, sums by number."""

from typing import Any

np: Any = None


def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    edges = np.asarray(bins)
    if np.all(edges[1:] >= edges[:-1]):
        return np.searchsorted(edges, x, side="left" if right else "right")
    if not np.all(edges[1:] <= edges[:-1]):
        raise ValueError("bins must be monotonically increasing or decreasing")
    turned = edges[::-1].copy()
    below = np.searchsorted(turned, x, side="left" if right else "right")
    return len(edges) - below


def bincount(x: Any, weights: Any = None, minlength: int = 0) -> Any:
    places = np.asarray(x)
    size = minlength
    if len(places) > 0:
        if np.min(places) < 0:
            raise ValueError("'list' argument must have no negative elements")
        size = max(size, np.max(places) + 1)
    if weights is None:
        ordered = np.sort(places)
        every = np.arange(size)
        below = np.searchsorted(ordered, every)
        return np.searchsorted(ordered, every, side="right") - below
    if len(weights) != len(places):
        raise ValueError("The weights and list don't have the same length.")
    sums = np.zeros(size)
    np.add.at(sums, places, np.asarray(weights))
    return sums


def unique(
    ar: Any, *, return_inverse: bool = False, return_counts: bool = False
) -> Any:
    values = np.ravel(np.asarray(ar))
    ordered = values[np.argsort(values)]
    one = ordered[:-1]
    other = ordered[1:]
    is_new = (one != other) & ((one == one) | (other == other))
    found = np.concatenate((ordered[:1], other[is_new]))
    if not (return_inverse or return_counts):
        return found
    below = np.searchsorted(ordered, found)
    counts = np.searchsorted(ordered, found, side="right") - below
    if not return_inverse:
        return found, counts
    if len(np.shape(ar)) != 1:
        raise ValueError("the inverse is that of a vector")
    inverse = np.searchsorted(found, values)
    if not return_counts:
        return found, inverse
    return found, inverse, counts


def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: bool = False
) -> tuple[Any, Any]:
    values = np.ravel(np.asarray(a))
    edges = evenly(values, bins, range) if isinstance(bins, int) else np.asarray(bins)
    if not np.all(edges[:-1] <= edges[1:]):
        raise ValueError("`bins` must increase monotonically, when an array")
    ordered = np.sort(values)
    below = np.searchsorted(ordered, edges[:-1])
    within = np.searchsorted(ordered, edges[1:], side="right")
    above = np.searchsorted(ordered, edges[1:])
    count = len(edges) - 1
    counts = np.where(np.arange(count) == count - 1, within, above) - below
    if density:
        return counts / np.diff(edges) / np.sum(counts), edges
    return counts, edges


def evenly(values: Any, bins: int, limits: Any) -> Any:
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    if limits is not None:
        low, high = limits
    elif len(values) < 1:
        low, high = 0.0, 1.0
    else:
        low, high = np.min(values), np.max(values)
    if low > high:
        raise ValueError("max must be larger than min in range parameter.")
    if low == high:
        return np.linspace(low - 0.5, high + 0.5, bins + 1)
    return np.linspace(low, high, bins + 1)
