"""Definitions of constants and defaults as text, for the output.

Names are those of the output: functions of `numpy` that `math` has are printed as those
of `math`, everything of the file under its own name.
"""

from __future__ import annotations

import re

import libcst as cst

from ad_transform.elementals import CONSTANTS, recognise
from ad_transform.ir.elemental import PYTHON, Elemental
from ad_transform.ir.nodes import Literal
from ad_transform.later import later
from ad_transform.read.constants.laying_out import Rename, lay_out
from ad_transform.read.constants.spelling import value_text
from ad_transform.read.known.grids import holds_array
from ad_transform.read.project.elsewhere import Home
from ad_transform.read.project.module import Module
from ad_transform.read.project.physics import PREFIX, defined
from ad_transform.read.syntax.concrete import Concrete
from ad_transform.read.syntax.names import Bound
from ad_transform.read.values.callables import Dotted, FileFunction
from ad_transform.read.values.values import Value

with later():
    from ad_transform.read.library.library_calls import is_known

_LONGEST = 60
"""The most characters of a definition that is copied; a longer one becomes a number."""

MOST = 1000
"""The most characters of any definition: Python reads it, and people do."""

_OLDEST = (3, 11)
"""The oldest Python for outputs, and for their `math`."""


def definition_text(
    module: Module,
    form: Concrete,
    node: cst.BaseExpression,
    value: Value,
    path: tuple[tuple[int, int], ...] = (),
) -> str:
    """A definition or default as black writes it, or else its number.

    With a `path` it is an item of the expression. The text is empty if there is no
    number either.
    """

    node = form.whole(node)
    if not isinstance(node, cst.Tuple):
        node = node.with_changes(lpar=(), rpar=())
    rename = Rename(lambda name: spelled(module, name), form.pieces)
    text = _copied(node, rename)
    if text and path:
        is_plain = isinstance(node, cst.Name | cst.Call | cst.Subscript)
        text = text if is_plain else f"({text})"
        text += "".join(f"[{at}]" for at, _ in path)
    if isinstance(value, Literal) and not 0 < len(text) <= _LONGEST:
        return value_text(value.value)
    return text if len(text) <= MOST else ""


def _copied(node: cst.BaseExpression, rename: Rename) -> str:
    try:
        return lay_out(node, rename)
    except KeyError:
        return ""


def spelled(module: Module, name: str) -> str:
    """The spelling of a dotted name in the output; KeyError without one."""
    home = module.elsewhere.home(module, name)
    if isinstance(home, Home) and home.dotted:
        if home.module.is_source:
            raise KeyError(name)  # its definition stands behind those of other files
        return spelled(home.module, home.dotted)
    value = module.values.get(name.partition(".")[0])
    if value is not None and holds_array(value):
        raise KeyError(name)  # the output holds a list
    value = module.values.get(name)
    if name in module.own:
        return module.own[name]
    if isinstance(value, FileFunction):
        return _copied_function(value.module, value.name)
    qualified = value.name if isinstance(value, Dotted) else module.meaning(name)
    if defined(qualified) is not None:
        first, _, rest = name.partition(".")
        own = module.library(qualified, rest.rpartition(".")[2] or name, first)
        assert isinstance(own, Literal)
        return own.name or value_text(own.value)
    if qualified == f"{PREFIX}pi":
        qualified = "math.pi"
    if qualified in CONSTANTS:
        text = CONSTANTS[qualified][0] or repr(CONSTANTS[qualified][1])
    elif qualified:
        text = _function(qualified)
    else:
        return _copied_function(module, name)
    if text.startswith("math.") and not module.has_math:
        raise KeyError(name)  # `math` is something else in this file
    return text


def _function(qualified: str) -> str:
    """The name of a library function in the output; KeyError without one."""
    module, _, name = qualified.partition(".")
    row = recognise(qualified)
    if isinstance(row, Elemental):
        plain = rf"((?:math\.)?[a-z]\w*)\({', '.join(map(re.escape, row.parameters))}\)"
        match = re.fullmatch(plain, row.spelling(PYTHON))
        if match is not None and row.since <= _OLDEST:
            return match[1]
    if module == "builtins" and is_known(qualified):
        return name
    if module == "math" and is_known(qualified) and name != "sumprod":
        return qualified
    raise KeyError(qualified)


def _copied_function(module: Module, name: str) -> str:
    """The name of a function of the file that the output gets a copy of."""
    found = module.names.at_runtime(name)
    if len(found) != 1 or found[0].bound is not Bound.FUNCTION:
        raise KeyError(name)
    if not module.definitions.copy(name):
        raise KeyError(name)
    return module.own[name]
