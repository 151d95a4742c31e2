"""Exceptions of the user's own classes, imported and raised by what is generated."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from amounts import ANY_ORDER
from support import ORIGIN, generate, load, run

from ad_transform.around import Around
from ad_transform.options import Options
from ad_transform.run.job import transform

HEAD = """
class ModelError(ValueError):
    code = 3

class Far(ModelError, RuntimeError):
    def __str__(self):
        return f"far: {super().__str__()}"

class Own(ValueError):
    def __init__(self, x):
        self.x = x

class Derived(Own):
    pass

class Plain:
    pass

def inverse(x):
    if x > 9.0:
        raise Far("x is %g" % x)
    return 1.0 / x
"""
BODY = """
# ad: {kind}
def f(x: float, n: int):
    if n > 7:
        raise ModelError
    y = 0.0
    for k in range(n):
        if x < k:
            raise ModelError(f"x = {{x:.2f}} is below {{k}}")
        y += inverse(x + k)
    return y
"""


@pytest.mark.parametrize("kind", ["gradient", "vjp", "hessian", "error"])
def test_they_are_raised_as_the_source_does(kind: str) -> None:
    text = HEAD + BODY.format(kind=kind)
    model = load(text)
    made = load(generate(text, **ANY_ORDER), {"model": SimpleNamespace(**model)})
    (name,) = [n for n in made if n.startswith("f_")]
    seed = (1.0,) if kind == "vjp" else ()
    for given in [(0.5, 2), (8.5, 3), (2.0, 9)]:
        with pytest.raises(model["ModelError"]) as wanted:
            model["f"](*given)
        with pytest.raises(model["ModelError"]) as found:
            made[name](given[0], *seed, given[1])
        assert type(found.value) is type(wanted.value)
        assert str(found.value) == str(wanted.value)


def test_they_come_from_their_file() -> None:
    files = {"errors.py": "class ModelError(Exception):\n    pass\n"}
    text = (
        "import errors\n\n# ad: gradient\ndef f(x):\n    if x < 0.0:\n"
        '        raise errors.ModelError("x")\n    return x * x\n'
    )
    around = Around("model.py", lambda path: files.get(path, "").encode() or None)
    result = transform(text.encode(), "model.py", ORIGIN, Options(), around)
    assert result.text is not None, result.diagnostics
    assert "from errors import ModelError" in result.text


@pytest.mark.parametrize("error", ["Own(x)", "Derived(x)", "Plain()", "Unknown(x)"])
def test_others_are_refused(error: str) -> None:
    text = f"{HEAD}\n# ad: gradient\ndef f(x):\n    if x < 0:\n        raise {error}\n"
    found = run(f"{text}    return x\n").diagnostics
    assert [d.code for d in found] == ["AD101"]


def test_a_name_of_the_function_is_none_of_the_file() -> None:
    text = "def f(x, Far):\n    if x < 0:\n        raise Far(x)\n    return x\n"
    found = run(f"{HEAD}\n# ad: gradient(x)\n{text}").diagnostics
    assert [d.code for d in found] == ["AD101"]
