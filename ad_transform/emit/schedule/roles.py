"""Roles: what a value without a name does, in the words that it is called by.

`h_sin` is the sine in the source's statement `h = ...`, `times_h` and `over_h` are a
product with h and a quotient by h in derivative code.
"""

from __future__ import annotations

from ad_transform.ir.nodes import Apply, Branch, Operand, Statement

_TESTS = ("lt", "le", "gt", "ge", "eq", "ne", "isnan", "isinf", "isfinite", "not")

# what it is                           in the source, in a derivative
_WORDS: dict[str, tuple[str, str]] = {
    "mul": ("prod", "times"),
    "div": ("ratio", "ratio"),
    "add": ("sum", "plus"),
    "sub": ("diff", "diff"),
    "neg": ("neg", "minus"),
    "math_pow": ("pow", "pow"),
    **dict.fromkeys(_TESTS, ("test", "test")),
}

_AT_THE_END = {"div": "over", "sub": "minus"}
"""The words of derivative code where the value is a divisor, or is subtracted."""


def role_of(statement: Statement, owner: str) -> str:
    """The name of a part of a value of the source."""
    return f"{owner}_{_words(statement)[0]}"


def role_beside(statement: Statement, read: Operand | None, name: str) -> str:
    """The name of a value of derivative code; `name` is that of what it reads."""
    word = _words(statement)[1]
    if isinstance(statement, Apply) and read is statement.args[-1]:
        word = _AT_THE_END.get(statement.op.name, word)
    return f"{word}_{name}"


def _words(statement: Statement) -> tuple[str, str]:
    if isinstance(statement, Apply):
        if statement.op.name == "mul" and statement.args[0] is statement.args[1]:
            return "sq", "sq"
        return _WORDS.get(statement.op.name, (statement.op.name,) * 2)
    word = "case" if isinstance(statement, Branch) else "loop"
    return word, word
