"""`auto` is the cheapest of the orders that `--explain` lists, and lists them right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from amounts import QUICK, amount, only_long, part
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import corpus, marked, run

from ad_transform.derive.accumulation import race
from ad_transform.derive.accumulation.auto_orders import PLAINEST
from ad_transform.derive.kinds import twice

FORMS = ("{} * {}", "{} + {}", "{} / (2.0 + {} ** 2)", "math.sin({}) * {}")
KINDS = ("gradient", "gradient(value=True)", "jacobian", "hessian", "hvp", "jvp", "vjp")


@st.composite
def programs(draw):
    """A function of three values with one result, and what is asked of it."""
    bound, lines = ["x", "y", "z"], []
    for k in range(draw(st.integers(2, 7))):
        left, right = (draw(st.sampled_from(bound)) for _ in range(2))
        form = draw(st.sampled_from(FORMS))
        lines.append(f"    v{k} = {form.format(left, right)}\n")
        bound.append(f"v{k}")
    kind = draw(st.sampled_from(KINDS))
    body = f"{''.join(lines)}    return {bound[-1]} * {bound[-2]}\n"
    return f"import math\n\n\n# ad: {kind}\ndef f(x, y, z):\n{body}"


MODELS = Path(__file__).parent.parent.parent / "fixtures" / "models"


def derived(source, **options):
    (made,) = run(source, container="tuple", **options).derived
    return made


@settings(
    max_examples=amount(2, 8), deadline=None, suppress_health_check=list(HealthCheck)
)
@given(programs(), st.data())
def test_auto_is_the_cheapest_of_random_programs(source, data):
    auto = derived(source)
    assert auto.counts.total <= min(auto.rivals.values())
    name = data.draw(st.sampled_from(sorted(auto.rivals)))
    assert derived(source, order=name).counts.total == auto.rivals[name]


def test_a_product_lists_orders_that_were_tried_in_both_ways():
    body = "    v = y / (2.0 + z ** 2)\n    return v * (x * x)\n"
    source = f"# ad: hvp\ndef f(x, y, z):\n{body}"
    listed = derived(source).rivals
    for order in part(sorted(listed), 4):
        assert listed[order] == derived(source, order=order).counts.total


@pytest.mark.parametrize("effort", [0, 1])
def test_a_short_function_has_its_plainest_orders_listed(effort):
    source = "# ad: hessian\ndef f(x, y):\n    return x * x * y\n"
    assert derived(source, effort=effort).rivals.keys() >= {"forward", "reverse"}


def test_a_hessian_takes_the_latest_of_equal_vertices_both_times():
    body = "    r = z / x\n    s = math.log(r)\n    t = s * (r**2 / y)\n"
    source = f"import math\n\n\n# ad: hessian\ndef f(x, y, z):\n{body}"
    source += "    return s * z * (t**2 / z)\n"
    auto = derived(source, **QUICK)
    assert (auto.rivals["markowitz-latest"], auto.counts.total) == (36, 31)
    assert derived(source, order="symmetric-markowitz").counts.total == 34


def test_a_product_takes_lengths_of_paths_both_times():
    x = "    x = 14.4 / (w * t)\n"
    body = f"{x}    return 1.0 / (w**5 * math.expm1(x))\n"
    source = f"import math\n\n\n# ad: hvp(value=True)\ndef f(w, t):\n{body}"
    assert derived(source, **QUICK).counts.total == 36


# fmt: off
LONGER = {
    "with_closure": ("hessian(value=True)", 26, "backward-factorisation"),
    "walrus":       ("hvp(value=True)",     41, "d-star"),
    "augmented":    ("hessian",             32, "level-chains"),
}
# fmt: on
"""Of the corpus: their gradients have more than fifteen statements."""


@pytest.mark.parametrize("name", part([*LONGER], 3))
def test_a_longer_gradient_is_differentiated_in_every_order_that_is_near(name):
    kind, total, order = LONGER[name]
    (case,) = (case for case in corpus() if case.name == name)
    source = marked(case.source, name, kind)
    auto = derived(source)
    assert (auto.counts.total, auto.rivals[order]) == (total, total)
    assert derived(source, order=order).counts.total == total


def test_all_short_orders_of_first_derivatives_are_tried():
    """Its drafts have 90 to 119 operations, and the dearest but few lead furthest."""
    (case,) = (case for case in corpus() if case.name == "quaternion_rotation")
    assert derived(marked(case.source, case.name, "jvp")).counts.total == 58


def test_the_highest_effort_finishes_an_order_that_can_be_named(monkeypatch):
    """Effort 1 has 42 operations; the search, which takes long, is left out."""
    order, total = "min-edge-growth", 40
    monkeypatch.setattr(race, "improved", lambda candidates, variant, best, _: best)
    monkeypatch.setattr(twice, "NAMED", (order,))
    (case,) = (case for case in corpus() if case.name == "diode")
    source = marked(case.source, case.name, "hvp")
    auto = derived(source, effort=3)
    assert auto.counts.total == auto.rivals[order] == total
    assert derived(source, order=order).counts.total == total


def test_three_orders_of_long_code_are_finished_without_a_gain():
    """Two cost more than the plainest orders do, the third has a tenth less."""
    (case,) = (case for case in corpus() if case.name == "roe_flux")
    auto = derived(marked(case.source, case.name, "jacobian"))
    assert auto.counts.total == auto.rivals["min-edge-growth"] == 317


@pytest.mark.parametrize(
    ("kind", "total"), [("hessian(value=True)", 150), ("hessian", 102)]
)
def test_orders_are_not_given_up_for_what_sharing_saves(kind, total):
    """The others were held against the best behind sharing, and four that were given
    up ended the race.
    """
    name = "pendulum"
    source = (MODELS / f"{name}.py").read_text(encoding="utf-8")
    auto = derived(marked(re.sub("(?m)^# ad: .*\\n", "", source), name, kind))
    assert auto.counts.total == total


@pytest.mark.parametrize(
    ("name", "total"),
    [pytest.param("robot_arm", 186, marks=only_long), ("propane_combustion", 139)],
)
def test_all_orders_are_tried_of_products_with_several_results(name, total):
    (case,) = (case for case in corpus() if case.name == name)
    auto = derived(marked(case.source, name, "jvp"))
    assert auto.counts.total == total
    assert total < min(auto.rivals[order] for order in PLAINEST if order in auto.rivals)
