"""`heapq` and `bisect`, step by step as Python does it: a heap has the same layout."""

from collections.abc import Callable
from typing import Any

Key = Callable[[Any], Any]


def heappush(heap: list[Any], item: Any) -> None:
    heap.append(item)
    rise(heap, 0, len(heap) - 1)


def heappop(heap: list[Any]) -> Any:
    last = heap.pop()
    if len(heap) > 0:
        first = heap[0]
        heap[0] = last
        sink(heap, 0)
        return first
    return last


def heapreplace(heap: list[Any], item: Any) -> Any:
    first = heap[0]
    heap[0] = item
    sink(heap, 0)
    return first


def heappushpop(heap: list[Any], item: Any) -> Any:
    if len(heap) > 0 and heap[0] < item:
        first = heap[0]
        heap[0] = item
        sink(heap, 0)
        return first
    return item


def heapify(heap: list[Any]) -> None:
    for place in range(len(heap) // 2 - 1, -1, -1):
        sink(heap, place)


def rise(heap: list[Any], start: int, place: int) -> None:
    item = heap[place]
    while place > start:
        above = (place - 1) // 2
        parent = heap[above]
        if not item < parent:
            break
        heap[place] = parent
        place = above
    heap[place] = item


def sink(heap: list[Any], place: int) -> None:
    start = place
    end = len(heap)
    item = heap[place]
    below = 2 * place + 1
    while below < end:
        if below + 1 < end and not heap[below] < heap[below + 1]:
            below += 1
        heap[place] = heap[below]
        place = below
        below = 2 * place + 1
    heap[place] = item
    rise(heap, start, place)


def insort_right(items: list[Any], item: Any, *, key: Key | None = None) -> None:
    if key is not None:
        items.insert(right_of(items, key(item), key), item)
        return
    low = 0
    high = len(items)
    while low < high:
        middle = (low + high) // 2
        if item < items[middle]:
            high = middle
        else:
            low = middle + 1
    items.insert(low, item)


def insort_left(items: list[Any], item: Any, *, key: Key | None = None) -> None:
    if key is not None:
        items.insert(left_of(items, key(item), key), item)
        return
    low = 0
    high = len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < item:
            low = middle + 1
        else:
            high = middle
    items.insert(low, item)


def right_of(items: list[Any], wanted: Any, key: Key) -> int:
    low = 0
    high = len(items)
    while low < high:
        middle = (low + high) // 2
        if wanted < key(items[middle]):
            high = middle
        else:
            low = middle + 1
    return low


def left_of(items: list[Any], wanted: Any, key: Key) -> int:
    low = 0
    high = len(items)
    while low < high:
        middle = (low + high) // 2
        if key(items[middle]) < wanted:
            low = middle + 1
        else:
            high = middle
    return low
