"""Library functions that take any number of arguments, and keywords beside them."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.ir.nodes import Literal
from ad_transform.read.containers import (
    defaults,
    keyed,
)
from ad_transform.read.iterables import (
    iterables,
    walks,
)
from ad_transform.read.lists import (
    deques,
    heaps,
    lookups,
    orderings,
    sets,
)
from ad_transform.read.lists.orderings import Rule
from ad_transform.read.machine import stored

# fmt: off
RULES: Mapping[str, tuple[Rule, tuple[str, ...] | None]] = {
    "builtins.sorted": (orderings.sorted_,        ("key", "reverse")),
    "builtins.min":    (orderings.extreme("min"), ("key", "default")),
    "builtins.max":    (orderings.extreme("max"), ("key", "default")),
    "builtins.dict":   (keyed.dict_,              None),
    "builtins.dict.fromkeys": (keyed.from_keys,  ()),
    "collections.defaultdict": (defaults.made,   None),
    "collections.OrderedDict": (keyed.dict_,     None),
    "collections.Counter": (keyed.counter,       None),
    "collections.deque": (deques.made,           ("maxlen",)),
    "builtins.set":    (sets.made,               ()),
    "builtins.frozenset": (sets.made,            ()),
    "builtins.zip":    (walks.zip_,               ("strict",)),
    "itertools.zip_longest":  (walks.zip_longest,  ("fillvalue",)),
    "itertools.pairwise":     (walks.pairwise,     ()),
    "itertools.chain":        (walks.chain,        ()),
    "heapq.nsmallest": (heaps.first(Literal(False)), ("key",)),
    "heapq.nlargest":  (heaps.first(Literal(True)),  ("key",)),
    "ad_transform.read.in_python.lists.place_in": (lookups.place_in, ()),
    "ad_transform.read.in_python.lists.stored": (stored.note, ()),
    "ad_transform.read.in_python.lists.is_stored": (stored.is_known, ()),
    "ad_transform.read.in_python.lists.last_stored": (stored.value_of, ()),
    "ad_transform.read.in_python.lists.items": (iterables.alongside, ()),
    "itertools.accumulate":   (walks.accumulate,   ("func", "initial")),
}
# fmt: on
"""The rule of each function, and its keywords, None for any. A function that `rules`
has, too, is taken from here where keywords are given.
"""
