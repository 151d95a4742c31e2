"""Constants whose product leaves the range of floats stay apart, as in the source."""

from __future__ import annotations

import pytest
from amounts import ANY_ORDER
from support import generate, load

from ad_transform.ir.decimals import product, quotient, total

HEAD = "from math import cos, sin\n\nBIG = 1e200\n\n\n# ad: {kind}\n"
# fmt: off
SOURCES = {
    "a quotient": ("z = 1e200 / x\nreturn 1e200 * z", 1e250),
    "a name": ("z = BIG * sin(x) * sin(x)\nreturn BIG * z", 1e-180),
    "small ones": ("z = 1e-200 * x\nreturn 1e-200 * z", 1e200),
    "a divisor": ("z = x / 1e200\nreturn z / 1e200", 1e250),
    "sums": ("return 1e308 * x * x + 1e308 * x * x", 1e-9),
    "squares": ("z = 1e160 * x\nreturn z * z * 1e-20", 1e-150),
    "a power": ("return 1e-20 * (1e160 * x) ** 2", 1e-160),
    "many": ("z = x\nfor k in range(5):\n    z = 1e-100 * z * z\nreturn z", 1e99),
    "denormal": ("z = 1e-160 * cos(x)\nreturn 1e-160 * z * 1e200", 0.5),
}
# fmt: on


def generated(body: str, kind: str):
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    text = f"{HEAD.format(kind=kind)}def f(x: float):\n{lines}\n"
    namespace: dict = {}
    exec(text, namespace)
    return load(generate(text, **ANY_ORDER)), namespace["f"]


@pytest.mark.parametrize("name", SOURCES)
def test_a_value_is_that_of_the_source_and_its_slope_is_finite(name):
    body, x = SOURCES[name]
    module, f = generated(body, "gradient(value=True)")
    value, slope = module["f_value_and_grad"](x)
    h = 1e-6 * x
    assert value == f(x)
    assert slope == pytest.approx((f(x + h) / h - f(x - h) / h) / 2, rel=1e-6)


def test_a_product_that_no_float_holds_raises():
    for c, d in ((1e200, 1e200), (-1e200, 1e200), (1e-200, 1e-200), (1e-160, 1e-150)):
        with pytest.raises(OverflowError):
            product(c, d)
        with pytest.raises(OverflowError):
            quotient(c, 1 / d)
    with pytest.raises(OverflowError):
        total(1e308, 1e308)
    assert product(0.0, 1e200) == 0.0
    assert product(1e200, float("inf")) == float("inf")
