"""The places of the states that a loop run back holds: binomial checkpointing."""

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
    "_giving_way": '''\
def _giving_way(levels: list[int], most: int) -> int:
    """Which state gives way to the next one of a loop whose end is not known yet.

    `levels` are those of the states behind the first; the number of states where none
    has to. Wang, Moin and Iaccarino (2009), SIAM J. Sci. Comput. 31, 2549-2567.
    """
    if len(levels) + 1 < most:
        levels.append(0)
        return len(levels)
    highest = -1
    for k in reversed(range(len(levels))):
        if levels[k] < highest:
            del levels[k]
            levels.append(0)
            return k + 1
        highest = max(highest, levels[k])
    levels[-1] += 1
    return len(levels)
''',
}
