"""`isinstance(x, C)`: decided by the class of a value, where that is known."""

from __future__ import annotations

from collections.abc import Sequence

from ad_transform.diagnostics import Span
from ad_transform.ir.nodes import Container, Literal
from ad_transform.ir.types import BOOL, FLOAT, INT, STR
from ad_transform.read.branches import maybe
from ad_transform.read.containers import keyed
from ad_transform.read.known.grids import is_array
from ad_transform.read.machine.context import Context
from ad_transform.read.objects import objects
from ad_transform.read.values.callables import Dotted
from ad_transform.read.values.classes import Class
from ad_transform.read.values.described import describe
from ad_transform.read.values.storage import Array
from ad_transform.read.values.structured import Dict, Group, Object
from ad_transform.read.values.values import Draft, Special, Value, is_whole

ISINSTANCE = "builtins.isinstance"

_REAL = frozenset({"builtins.int", "builtins.float"})
_NUMBERS = frozenset({"numbers.Number", "numbers.Real"})
_TYPES = {INT: {"builtins.int"}, STR: {"builtins.str"}}
_TYPES[BOOL] = {"builtins.bool", "builtins.int"}
_CONTAINERS = {
    Container.TUPLE: "builtins.tuple",
    Container.LIST: "builtins.list",
    Container.ARRAY: "numpy.ndarray",
}
_KNOWN = {*_REAL, *_NUMBERS, *_CONTAINERS.values(), "builtins.str", "builtins.bool"}
_KNOWN |= {"builtins.dict", "builtins.complex"}


def decided(flat: Context, values: Sequence[Value], span: Span) -> Value:
    """Whether a value is of one of some classes; AD107 where a run decides."""
    value, of = values

    def test(one: Value) -> Value:
        return _decided(flat, one, of, span)

    return maybe.where_given(flat, value, test, span)


def _decided(flat: Context, value: Value, of: Value, span: Span) -> Value:
    asked = of.items if isinstance(of, Group) else (of,)
    classes = [one for one in asked if isinstance(one, Class)]
    names = {one.name for one in asked if isinstance(one, Dotted)}
    found = None
    if len(classes) + len(names) == len(asked) and names <= _KNOWN:
        found = _is_one(value, classes, names)
    if found is not None:
        return Literal(found)
    message = f"what {describe(value)} is an instance of, only a run knows"
    help_ = "ask for `(int, float)`, or for a class of the file"
    return flat.refuse("AD107", message, span, help_)


def _is_one(value: Value, classes: list[Class], names: set[str]) -> bool | None:
    """Whether a value is of one of some classes, or of types of the library."""
    own = objects.class_of(value)
    if own is not None and own.entries:
        return "builtins.dict" in names
    if own is not None:
        is_tuple = isinstance(value, Group) and "builtins.tuple" in names
        is_dict = keyed.is_one(value) and "builtins.dict" in names
        return is_tuple or is_dict or any(one in classes for one in own.line)
    if isinstance(value, Array) or is_array(value) or is_whole(value):
        container = value.cell.container if isinstance(value, Array) else None
        return _CONTAINERS[container or Container.ARRAY] in names
    if isinstance(value, Group):
        return _CONTAINERS[value.container] in names
    if isinstance(value, Dict):
        return "builtins.dict" in names
    if value is Special.NONE:
        return False
    if not isinstance(value, Draft | Literal) or isinstance(value, Object):
        return None
    if isinstance(value, Draft) and value.optional:
        return None
    if value.type in _TYPES:
        numbers = names & _NUMBERS if value.type != STR else set()
        return bool(numbers or names & _TYPES[value.type])
    if value.type != FLOAT or (names & _REAL and not names >= _REAL):
        return (
            True if isinstance(value, Literal) and "builtins.float" in names else None
        )
    return bool(names & (_REAL | _NUMBERS))
