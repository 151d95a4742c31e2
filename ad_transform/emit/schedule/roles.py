"""Roles: the part that a value without a name plays, in the word that names it.

`sin_x` is the sine of x, `h_sin` that of an expression in the source's statement
`h = ...`; `times_h` and `over_h` are a product with h and a quotient by h in derivative
code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ad_transform.ir.nodes import Apply, Branch, Literal, Open, Operand, Statement, Var
from ad_transform.ir.types import INT
from ad_transform.ir.typing import BLOCKS

_TESTS = ("lt", "le", "gt", "ge", "eq", "ne", "isnan", "isinf", "isfinite", "not")

_CUTS = ("from", "to", "between", "by")
_OF_ARRAYS = {
    "copy": ("own", "copied"),
    "new": ("adopted",),
    "zeros": ("zeros_beside", "zeros_like"),
    "filled": ("filled_rows", "full_like"),
    "indices": ("counted_up",),
    "joined": ("all_joined",),
    "pick": ("pick_both",),
    "part": tuple(f"{whole}_{form}" for whole in ("cut", "columns") for form in _CUTS),
}
"""Words, and the operations on arrays that they are said of."""

# operation                            in the source, in a derivative
_WORDS: dict[str, tuple[str, str]] = {
    "mul": ("prod", "times"),
    "div": ("ratio", "ratio"),
    "add": ("sum", "plus"),
    "sub": ("diff", "diff"),
    "neg": ("neg", "minus"),
    "pack": ("table", "table"),
    "math_pow": ("pow", "pow"),
    **dict.fromkeys(_TESTS, ("test", "test")),
    **dict.fromkeys(("mat_vec", "vec_mat", "mat_mat"), ("prod", "times")),
    **dict.fromkeys(("pairwise", "summed", "sum_of"), ("sum", "sum")),
    **dict.fromkeys(("sum_all", "sum_rows", "sum_columns"), ("sum", "sum")),
    **dict.fromkeys(("max_all", "max_rows", "max_columns"), ("max", "max")),
    **dict.fromkeys(("min_all", "min_rows", "min_columns"), ("min", "min")),
    **dict.fromkeys(("solved_for", "all_solved_for"), ("solved", "solved")),
    **{name: (word, word) for word, names in _OF_ARRAYS.items() for name in names},
}

TESTED = "check"
"""The owner of parts of an assertion."""

OPENED = "kept"
"""The name of a value that is taken from a record, if it has none."""

_JOINT = frozenset({"prod", "ratio", "sum", "diff", "test"})
"""The words of operations that are named after their statement, not their operands."""

_AT_THE_END = {"div": "over", "sub": "minus"}
"""The words of derivative code where the value is a divisor, or is subtracted."""


def role_of(statement: Statement, owner: str) -> str:
    """The name of a part of a value of the source: `cos_phi` if the operand has a name,
    else `h_cos` in the statement `h = ...`.
    """
    role, _ = _words(statement)
    if owner == TESTED and isinstance(statement, Apply):
        return _PARTS.get(statement.op.name, f"{owner}_{role}")
    alone = _alone(statement) or _digits(statement)
    return f"{role}_{alone.lstrip('_')}" if alone else f"{owner}_{role}"


def _alone(statement: Statement) -> str:
    """The name of the only number that a function, a power or a square reads."""
    if not isinstance(statement, Apply) or _words(statement)[0] in _JOINT:
        return ""
    reads = {arg for arg in statement.args if isinstance(arg, Var)}
    if len(reads) != 1:
        return ""
    (read,) = reads
    return "" if read.type.is_array else word(read.hint)


def _digits(statement: Statement) -> str:
    """The short number that a function reads, as in `log_10` and `sqrt_0_5`."""
    if not isinstance(statement, Apply) or len(statement.args) != 1:
        return ""
    (read,) = statement.args
    if not isinstance(read, Literal) or type(read.value) not in (int, float):
        return ""
    digits = repr(read.value).removesuffix(".0")
    short = len(digits) <= 6 and digits.replace(".", "").isdecimal()
    return word(read.name) or (digits.replace(".", "_") if short else "")


def role_beside(statement: Statement, read: Operand | None, name: str) -> str:
    """The name of a value of derivative code; `name` is that of the operand `read`."""
    if type(statement) is Open:
        return OPENED
    word = _words(statement)[1]
    if isinstance(read, Literal):
        name = _digits(statement) or name
    if type(statement) is Apply and read is statement.args[-1]:
        word = _AT_THE_END.get(statement.op.name, word)
    return f"{word}_{name.lstrip('_')}"


def _words(statement: Statement) -> tuple[str, str]:
    if type(statement) is Apply:
        if statement.op.name == "mul" and statement.args[0] is statement.args[1]:
            return "sq", "sq"
        return _WORDS.get(statement.op.name, (statement.op.name,) * 2)
    return ("case", "case") if isinstance(statement, Branch) else ("loop", "sum")


@lru_cache(maxsize=1 << 14)
def word(hint: str) -> str:
    """A hint that can be a name, else nothing."""
    return hint if hint.isidentifier() and hint.strip("_") else ""


def several(name: str) -> str:
    """The name of a list: `x_list` of values called x, `x_lists` of such lists."""
    return f"{name}s" if name.endswith("_list") else f"{name}_list"


# --- what is called after what it is made of ------------------------------------------

_INDICES = {"add": "plus", "sub": "minus", "mod": "mod"}
_PRODUCTS = {"mul": "times", "floordiv": "over"}
_LONG = 20  # columns that a name with a product in it may take
_PLACES = {1: "", 2: "i", 3: "ij"}
_PARTS = {
    "size": "size",
    **dict.fromkeys(("place", "place_beside", "place_among"), "place"),
    "length": "length",
    "width": "width",
    "depth": "depth",
    **dict.fromkeys(("sliced", "sliced_from", "sliced_to"), "part"),
    "backwards": "reversed",
    "pick_row": "row",
    "pick_column": "column",
    **dict.fromkeys((f"pick_{axis}" for axis in ("second", "third")), "part"),
    **dict.fromkeys(("pick_first_second", "pick_first_third"), "line"),
    "pick_second_third": "line",
    **dict.fromkeys(_OF_ARRAYS["part"], "part"),
    **{f"block_{down}_{across}": "part" for down, across in BLOCKS},
}
"""The words for parts of an array, behind its name."""

_ENTRIES = frozenset({*_PARTS, "get", "read"})


def plain_name(statement: Apply, plain: Mapping[Operand, str]) -> str:
    """The plain name of an element, a length or an index: `y_i`, `y_size`, `t_minus_1`,
    `y_size_minus_1`, `k_times_2_plus_1`; empty for anything else, and if an operand has
    no name. `plain` has the plain names of operands.
    """
    operation, args = statement.op.name, statement.args
    if operation in _ENTRIES:
        end = _PARTS.get(operation) or _PLACES.get(len(args), "")
        name = word(args[0].hint) if isinstance(args[0], Var) else ""
        return f"{name}_{end}" if name and end else ""
    if operation not in _INDICES and operation not in _PRODUCTS:
        return ""
    if statement.out.type.is_real or statement.out.type != INT:
        return ""
    if operation in _PRODUCTS:
        return _product(operation, args)
    if isinstance(args[0], Literal):
        return ""
    parts = [_short(arg) or plain.get(arg, "") for arg in args]
    name = f"_{_INDICES[operation]}_".join(parts) if all(parts) else ""
    is_product = any(f"_{sign}_" in name for sign in _PRODUCTS.values())
    return "" if is_product and len(name) > _LONG else name


def _product(operation: str, args: Sequence[Operand]) -> str:
    """The name of a product or quotient of whole numbers: `2 * k` is `k_times_2`; empty
    where there are only numbers.
    """
    if all(isinstance(arg, Literal) for arg in args):
        return ""
    first, *rest = map(_short, args)
    if isinstance(args[0], Literal):
        if operation != "mul":
            return ""
        first, rest = rest[0], [first]
    parts = (first, *rest)
    return f"_{_PRODUCTS[operation]}_".join(parts) if all(parts) else ""


def _short(operand: Operand) -> str:
    """An index that has a name, or a number."""
    if isinstance(operand, Literal):
        whole = type(operand.value) is int and operand.value >= 0
        return word(operand.name) or str(operand.value) if whole else ""
    return word(operand.hint).strip("_")
