"""Where a loop that is run back holds its states: binomial checkpointing."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "_stops": '''\
def _stops(trips: range, most: int) -> list[int]:
    """Where to stop on the way to the last trip, holding the state before each part.

    At most so many states are held. No way back runs fewer trips again: Griewank and
    Walther (2000), ACM TOMS 26, 19-45.
    """
    stops: list[int] = []
    place, last = 0, len(trips) - 1
    while place < last:
        ahead, free = last - place, most - len(stops)
        if free > 1:
            times = 1
            while comb(free + times, free) <= ahead:
                times += 1
            ahead += 1 - comb(free - 1 + times, times)
            ahead = max(1, ahead, comb(free + times - 2, free))
        place += ahead
        stops.append(trips[place])
    return stops
''',
}
