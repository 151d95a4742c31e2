"""The pure job: bytes in, text or diagnostics out, and nothing else."""

import ast

import pytest

from ad_transform.emit.python import module
from ad_transform.options import Options
from ad_transform.run.job import transform
from ad_transform.run.printing import BrokenPromise, Origin

ORIGIN = Origin("model.py", "ad-transform model.py -o model_grad.py")


def made(source, **options):
    return transform(source.encode(), "model.py", ORIGIN, Options(**options))


def marked(body, mark="gradient"):
    return f"import math\n\n\n# ad: {mark}\ndef f(x, y=2.0):\n    return {body}\n"


def codes(result):
    return [item.code for item in result.diagnostics]


def test_the_text_defines_what_was_asked_for():
    result = made(marked("x * y", "gradient, hvp(value=True), jvp(x, name='slope')"))
    tree = ast.parse(result.text)
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert names == ["f_grad", "f_value_and_hvp", "slope"]
    assert [one.function.name for one in result.derived] == names


def test_options_of_the_mark_win():
    by_mark = made(marked("x * y", "jacobian(container='tuple')"))
    by_call = made(marked("x * y", "jacobian"), container="tuple")
    assert "numpy" not in by_mark.text
    assert by_mark.text.splitlines()[3:] == by_call.text.splitlines()[3:]


def test_a_refused_source_has_no_text():
    result = made(
        marked("x * zeta(y)") + marked("x * eta(y)").replace("def f", "def g")
    )
    assert result.text is None and result.refused
    assert codes(result) == ["AD103", "AD103"]


@pytest.mark.parametrize(
    "mark, code",
    [("gradient(x), gradient(y)", "AD024"), ("gradient(name='math')", "AD025")],
)
def test_collisions(mark, code):
    result = made(marked("x * y", mark))
    assert result.text is None and codes(result) == [code]


@pytest.mark.parametrize("kind", ["jvp", "hvp"])
def test_seeds_that_collide(kind):
    as_parameter = f"# ad: {kind}(x)\ndef f(x, x_dot):\n    return x * x_dot\n"
    as_global = marked("x * y", f"{kind}(x)") + "\n\nx_dot = 1.0\n"
    assert codes(made(as_parameter)) == codes(made(as_global)) == ["AD025"]


@pytest.mark.parametrize("name", ["f(_digamma, x)", "f(x)"])
def test_helpers_that_are_hidden(name):
    constant = "_digamma = 2.0\n\n\n"
    body = f"# ad: gradient(x)\ndef {name}:\n    return math.lgamma(x) * _digamma\n"
    assert codes(made(f"import math\n\n{constant}{body}")) == ["AD025"]


def test_a_warning_does_not_forbid():
    result = made(marked("x * x"))
    assert result.text and codes(result) == ["AD030"]


def test_what_is_linear_has_no_second_derivatives():
    body = "s = 0.0\n    for v in x:\n        s += v\n    return s"
    text = f'# ad: hessian\ndef f(x: "Vector[n]"):\n    {body}\n'
    (warning,) = made(text).diagnostics
    assert warning.message == (
        "the gradient of 'f' does not depend on 'x': its second derivatives are zero"
    )


@pytest.mark.parametrize(
    "body",
    ["x ** 1e400", "x ** math.inf", "x ** math.nan", "2.0 ** 1e400 * x", "x ** 10**20"],
)
def test_exponents_without_bounds(body):
    assert made(marked(body)).text


def test_a_broken_promise_is_noticed(monkeypatch):
    monkeypatch.setattr(module, "print_module", lambda *_: "def other():\n    pass\n")
    with pytest.raises(BrokenPromise, match="f_grad"):
        made(marked("x * y"))
    monkeypatch.setattr(module, "print_module", lambda *_: "def (:\n")
    with pytest.raises(BrokenPromise, match="no program"):
        made(marked("x * y"))
