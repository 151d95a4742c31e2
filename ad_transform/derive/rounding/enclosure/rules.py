"""The rule by which each form of operation passes intervals of errors on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ad_transform.derive.rounding.enclosure.arithmetic import (
    off,
    power,
    product,
    products,
    quotient,
    root,
    sum,
)
from ad_transform.derive.rounding.enclosure.functions import (
    absolute,
    angle,
    boxed,
    choice,
    lipschitz,
    negated,
    same,
    sign_of,
)
from ad_transform.derive.rounding.enclosure.interval import Given, Interval
from ad_transform.derive.rounding.enclosure.steps import (
    comparison,
    finiteness,
    floored,
    modulo,
    sign,
    step,
    stepped,
    truth,
)
from ad_transform.derive.rounding.largest_errors import Place
from ad_transform.ir.elemental import Box, Elemental, Form

if TYPE_CHECKING:
    from ad_transform.derive.rounding.enclosure.propagation import Propagation

Rule = Callable[["Propagation", Place, Given], Interval]


_RULES: Mapping[Form, Rule] = {
    Form.SUM: sum,
    Form.DIFFERENCE: sum,
    Form.TOTAL: sum,
    Form.OFF: off,
    Form.PRODUCT: product,
    Form.QUOTIENT: quotient,
    Form.ROOT: root,
    Form.POWER: power,
    Form.PRODUCT_SUM: products,
    Form.NEGATION: negated,
    Form.IDENTITY: same,
    Form.MAGNITUDE: absolute,
    Form.CHOICE: choice,
    Form.COPIED_SIGN: sign_of,
    Form.SIGN: sign,
    Form.UNIT_STEP: stepped,
    Form.WHOLE: step,
    Form.WHOLE_QUOTIENT: floored,
    Form.REMAINDER: modulo,
    Form.NONEXPANSIVE: lipschitz,
    Form.ANGLE: angle,
    Form.COMPARISON: comparison,
    Form.TRUTH: truth,
    Form.FINITENESS: finiteness,
}


def rule_of(op: Elemental) -> Rule | None:
    """The rule for the intervals of an operation; None for functions of one argument:
    these have a curve, or nothing is known of them.
    """
    return boxed if isinstance(op.enclosure, Box) else _RULES.get(op.form)
