"""The laws by which derivative code is simplified: a table, each law its own comment.

A law takes the builder and the arguments of an operation and returns an equal, simpler
value, or None. Laws hold for finite values up to rounding; none is applied to what a
returned primal is computed from. `(x + y) - y` is left alone, and so is `x / x` where
the source does not raise at x = 0.
"""

from __future__ import annotations

from ad_transform.ir.build import Laws, Trait
from ad_transform.ir.exact_values import EXACT
from ad_transform.ir.laws.choices import combine
from ad_transform.ir.laws.comparisons import MIRRORED, number_last, of_shifted
from ad_transform.ir.laws.folding import (
    FOLDED,
    fold,
    fold_at,
    fold_choice,
    fold_magnitude,
    fold_operator,
    fold_power,
    fold_to_the_bit,
)
from ad_transform.ir.laws.magnitudes import mul_sign, mul_sign_of_array
from ad_transform.ir.laws.powers import never_zero, of_one, one_less, power
from ad_transform.ir.laws.products import (
    mul_array,
    mul_constants,
    mul_mask,
    mul_signs,
    mul_unit,
)
from ad_transform.ir.laws.quotients import (
    div_constants,
    div_equals,
    div_multiples,
    div_power_of_two,
    div_signs,
    div_unit,
    mul_equals,
    neg_signs,
)
from ad_transform.ir.laws.roots import conjugates, div_root, mul_root
from ad_transform.ir.laws.signs import compared_with_zero, no_angle
from ad_transform.ir.laws.sums import (
    add_negative_multiple,
    add_signs,
    add_zero,
    collect,
    merge_branches,
    minus_zero,
    nothing,
    sub_negative_multiple,
    sub_signs,
    sub_zero,
    twice,
)
from ad_transform.ir.laws.wholes import picked, where_decided

_LITERAL = int(Trait.LITERAL)
_NEGATED = int(Trait.NEGATED)
_SCALED = int(Trait.SCALED)
_POWER = int(Trait.POWER)
_BRANCH = int(Trait.BRANCH)
_ANY = int(Trait.ANY)
_QUOTIENT = int(Trait.QUOTIENT)
_EQUAL = int(Trait.EQUAL)
_ROOT = int(Trait.ROOT)
_COMPLEMENT = int(Trait.COMPLEMENT)

# fmt: off
LAWS: Laws = {
    "add":      ((_LITERAL, fold("add")), (_LITERAL, add_zero),
                 (_NEGATED, add_signs), (_SCALED, collect(1)), (_EQUAL, twice),
                 (_SCALED, add_negative_multiple), (_BRANCH, combine("add")),
                 (_BRANCH, merge_branches("add"))),
    "sub":      ((_LITERAL, fold("sub")), (_LITERAL, sub_zero),
                 (_NEGATED, sub_signs), (_SCALED, collect(-1)), (_EQUAL, nothing),
                 (_SCALED, sub_negative_multiple), (_BRANCH, combine("sub")),
                 (_BRANCH, merge_branches("sub"))),
    "mul":      ((_LITERAL, fold("mul")), (_LITERAL, mul_unit),
                 (_NEGATED, mul_signs), (_LITERAL, mul_constants),
                 (_SCALED, mul_array), (_QUOTIENT, mul_equals), (_ROOT, mul_root),
                 (_COMPLEMENT, conjugates),
                 (_BRANCH, mul_sign), (_ANY, mul_sign_of_array),
                 (_BRANCH, combine("mul")), (_BRANCH, mul_mask)),
    "div":      ((_LITERAL, fold("div")), (_LITERAL, div_unit),
                 (_LITERAL, div_power_of_two), (_NEGATED, div_signs),
                 (_SCALED, div_constants), (_SCALED, div_multiples),
                 (_ANY, div_equals), (_ROOT, div_root)),
    "neg":      ((_LITERAL, fold("neg")), (_ANY, neg_signs)),
    "abs":      ((_LITERAL, fold_magnitude),),
    "pow":      ((_LITERAL, fold_operator), (_LITERAL, of_one), (_ANY, one_less),
                 (_LITERAL, power)),
    "math_pow": ((_LITERAL, fold_power), (_LITERAL, of_one), (_ANY, one_less),
                 (_LITERAL, power)),
    **{name: ((_LITERAL, fold_choice(beats)), (_ANY, of_shifted(beats)))
       for name, beats in (("max", "gt"), ("max_of", "gt"),
                           ("min", "lt"), ("min_of", "lt"))},
    "where":    ((_ANY, where_decided),),
    "pick":     ((_LITERAL, picked),),
    "minus":    ((_LITERAL, minus_zero),),
    "sqrt":     ((_LITERAL, fold("sqrt")),),
    **{name: ((_LITERAL, fold_at(name)),) for name in EXACT},
    "atan2":    ((_LITERAL, no_angle),),
    "ne":       ((_LITERAL, fold("ne")), (_LITERAL, compared_with_zero("ne")),
                 (_POWER, never_zero)),
    **{name: ((_LITERAL, fold(name)), (_LITERAL, compared_with_zero(name)),
              (_LITERAL, number_last(mirrored)))
       for name, mirrored in MIRRORED.items()},
}
# fmt: on

_TO_THE_BIT = {fold(op): fold_to_the_bit(op) for op in FOLDED}

LAWS_TO_THE_BIT: Laws = {
    op: tuple((traits, _TO_THE_BIT.get(law, law)) for traits, law in laws)
    for op, laws in LAWS.items()
}
"""For estimates of rounding errors: they count on the rounded values of constants."""
