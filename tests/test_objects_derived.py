"""Models of objects, derived in all kinds, against sixty digits."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import pytest
from amounts import LONG, part, search
from object_models import MODELS, Model, numbers, seeded
from support import exactly, generate, hessian, jacobian, load, load_exact, marked

TURNS = "gradient(value=True)", "vjp", "jacobian"
"""Of kinds that are swept alike each model has one, and all of them with `--long`."""
BENT = part(MODELS, 3)
"""Models whose second derivatives are made too."""
PUSHED = [model for model in MODELS if LONG or model not in BENT]
"""Those that have a tangent of the value, not of the gradient."""

models = pytest.mark.parametrize("model", MODELS, ids=str)
bent_models = pytest.mark.parametrize("model", BENT, ids=str)


@cache
def text(model: Model) -> str:
    """What the model is derived to."""
    kinds = ["gradient", *(TURNS if LONG else [turn(model)])]
    kinds += ["jvp"] if model in PUSHED else []
    kinds += ["hessian, hvp"] if model in BENT else []
    source = marked(model.text, "f", ", ".join(kinds))
    return generate(source, **search(source))


def turn(model: Model) -> str:
    """The kind that a model has in turn."""
    return TURNS[MODELS.index(model) % len(TURNS)]


def having(kind: str) -> tuple[Model, ...]:
    """The models that have such a kind."""
    return tuple(model for model in MODELS if LONG or turn(model) == kind)


@cache
def made(model: Model) -> Any:
    """The derived functions."""
    return load(text(model))


@cache
def plain(model: Model) -> Any:
    """The model as it is written."""
    return load(model.text)


def called(model: Model, suffix: str, **seeds: Any) -> Any:
    """The value of a derived function at the point of the model."""
    source = plain(model)
    given = eval(model.arguments, {**source, **model.values})
    names = dict(zip(inspect.signature(source["f"]).parameters, given, strict=True))
    return made(model)[f"f{suffix}"](**names, **seeds)


@cache
def exact(model: Model) -> Any:
    """The gradient of the model to forty digits."""
    names = list(model.values)
    return jacobian(load_exact(model.text)["flat"], exactly(model.values), names)[0]


@cache
def curved(model: Model) -> Any:
    """The Hessian of the model to forty digits."""
    names = list(model.values)
    return hessian(load_exact(model.text)["flat"], exactly(model.values), names)


def seeds_of(model: Model) -> tuple[dict[str, Any], list[float]]:
    """Seeds in the structure of the gradient, and their numbers."""
    gradient = called(model, "_grad")
    seeds = [1.0 + 0.25 * k for k in range(len(model.values))]
    made = seeded(gradient, list(seeds))
    names = inspect.signature(plain(model)["f"]).parameters
    return dict(zip((f"{name}_dot" for name in names), made, strict=True)), seeds


def near(wanted: Any) -> Any:
    return pytest.approx([float(w) for w in wanted], rel=1e-12, abs=1e-13)


def along(rows: Any, seeds: list[float]) -> list[Any]:
    return [sum(w * s for w, s in zip(row, seeds, strict=True)) for row in rows]


@models
def test_gradients_have_the_structure_of_the_parameters(model):
    assert numbers(called(model, "_grad")) == near(exact(model))


@pytest.mark.parametrize("model", having("gradient(value=True)"), ids=str)
def test_gradients_have_the_value_beside_them(model):
    value, same = called(model, "_value_and_grad")
    gradient = called(model, "_grad")
    assert numbers(same) == near(numbers(gradient))  # what they share may differ
    assert value == plain(model)["flat"](**model.values)


@pytest.mark.parametrize("model", PUSHED, ids=str)
def test_products_take_seeds_of_that_structure(model):
    seeds, given = seeds_of(model)
    value, tangent = called(model, "_jvp", **seeds)
    assert [tangent] == near(along([exact(model)], given))
    assert value == plain(model)["flat"](**model.values)


@pytest.mark.parametrize("model", having("vjp"), ids=str)
def test_adjoints_have_that_structure(model):
    value, adjoint = called(model, "_vjp", f_bar=2.0)
    assert numbers(adjoint) == near([2 * w for w in exact(model)])
    assert value == plain(model)["flat"](**model.values)


@pytest.mark.parametrize("model", having("jacobian"), ids=str)
def test_matrices_have_a_column_for_every_number(model):
    assert numbers(called(model, "_jac")) == near(exact(model))


@bent_models
def test_hessians_have_a_row_for_every_number(model):
    curves = [w for row in curved(model) for w in row]
    assert numbers(called(model, "_hess")) == near(curves)


@bent_models
def test_products_with_the_hessian(model):
    seeds, given = seeds_of(model)
    product = called(model, "_hvp", **seeds)
    assert numbers(product) == near(along(curved(model), given))
