"""Objects in C and Fortran: parts under the names of their attributes."""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

import in_c
import in_fortran
from support import flat, load
from targets import Targets

SOURCE = """
from typing import NamedTuple

import numpy as np


class Path(NamedTuple):
    energy: float
    points: "Vector[n]"


class Body(NamedTuple):
    count: int
    mass: float
    place: "Vector[2]"


# ad: gradient, hvp
def weight(path: Path, t: float):
    return path.energy * np.sum(path.points**2) * t


# ad: gradient
def alone(path: Path):
    return path.energy * np.sum(path.points**2)


# ad: jvp, vjp, expand
def scaled(x: "Vector[n]", t: float):
    return Path(t * np.sum(x), t * x), x[0]


# ad: jvp, expand
def solid(x: float, n: int):
    return Body(n, x * x, np.array([x, n * x]))
"""
X = [0.5, -1.25, 2.0]
ARGUMENTS: dict[str, dict[str, Any]] = {
    "weight": {"path": [0.75, X], "t": 1.5},
    "alone": {"path": [0.75, X]},
    "scaled": {"x": X, "t": 0.75},
    "solid": {"x": 1.5, "n": 3},
}
SEEDS: dict[str, Any] = {
    "path_dot": [0.25, [1.0, 0.5, -2.0]],
    "t_dot": -0.5,
    "x_dot": [1.0, 0.5, -2.0],
    "scaled_bar": [[0.25, [1.0, 0.5, -2.0]], 0.125],
}
STORED = {
    "weight_grad": "grad_path_energy grad_path_points grad_t",
    "weight_hvp": "product_path_energy product_path_points product_t",
    "alone_grad": "grad_energy grad_points",
    "scaled_jvp": "value_1_energy value_1_points value_2 "
    "tangent_1_energy tangent_1_points tangent_2",
    "scaled_vjp": "value_1_energy value_1_points value_2 adjoint_x adjoint_t",
    "scaled": "value_1_energy value_1_points value_2",
    "solid_jvp": "value_count value_mass value_place tangent",
    "solid": "value_count value_mass value_place",
}


MADE = Targets(SOURCE)


def check(functions: Any) -> None:
    """See that all give what Python gives."""
    model = ModuleType("model")
    vars(model).update(load(SOURCE))
    own = load(MADE.text("math"), {"model": model})
    for one in MADE.derived:
        names = [p.name for p in one.function.parameters]
        values = ARGUMENTS[one.source] | {
            name: seed if name != "x_dot" or one.source == "scaled" else 0.5
            for name, seed in SEEDS.items()
            if name in names
        }
        parts = {k: flat_once(v) if k.endswith("bar") else v for k, v in values.items()}
        if "path" in values:
            values["path"] = model.Path(*values["path"])
        wanted = flat(own[one.function.name](**values))
        assert functions[one.function.name](parts) == wanted, one.function.name


def flat_once(seed: Any) -> list[Any]:
    return [*seed[0], *seed[1:]]


def test_parts_of_results_have_the_names_of_attributes():
    heads = {
        name: re.findall(r"(\w+)(?:\[\d\])?[,)\n]", text)
        for name, text in re.findall(r"(?m)^\w+ (\w+)(\([^{]*?\)) \{", MADE.text("c"))
    }
    for name, stored in STORED.items():
        own = stored.split()
        assert heads[name][-len(own) :] == own
    assert {"path_dot_energy", "path_dot_points"} <= {*heads["weight_hvp"]}
    assert {"scaled_bar_1_energy", "scaled_bar_2"} <= {*heads["scaled_vjp"]}
    assert "int64_t *value_count" in MADE.text("c")


def test_they_are_those_of_python_in_c(tmp_path):
    (library,) = in_c.compiled([MADE.text("c")], tmp_path)
    check(in_c.functions(library, MADE.flat("c")))


def test_they_are_those_of_python_in_fortran(tmp_path):
    library = in_fortran.compiled(MADE.text("fortran"), tmp_path)
    check(in_fortran.functions(library, "model_grad", MADE.flat("fortran")))
