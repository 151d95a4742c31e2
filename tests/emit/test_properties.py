"""What holds of the text of any function: random programs, printed and run."""

from __future__ import annotations

from typing import Any

import black
from amounts import amount
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_programs import CONSTANTS, FLOATS, WITHOUT_HELPERS, functions
from support import flat, load, same_bits
from support_counts import counts_of

from ad_transform.emit.python.function import printed
from ad_transform.emit.python.module import print_module
from ad_transform.ir.count import count
from ad_transform.ir.elemental import Elemental
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.nodes import Function, walk
from ad_transform.ir.types import INT
from ad_transform.ir.verify import verify

MODE = black.Mode(target_versions={black.TargetVersion.PY311})
LENGTHS = st.sampled_from((60, 88, 88, 120))
POINTS = ((0.75, -1.25, 2.0, 0.5), (3.0, 2.0, 0.1, -4.0), (-0.5, 0.0, 1e30, 1.0))


def text_of(function: Function, limit: int = 88) -> str:
    reserved = {function.name, *CONSTANTS}
    one = printed(function, ['    """Doc."""'], reserved, limit)
    constants = {name: repr(value) for name, value in CONSTANTS.items()}
    return print_module([one], constants, None, limit=limit)


def outcome(call: Any) -> list[Any] | None:
    try:
        return flat(call())
    except (ArithmeticError, AssertionError, TypeError, ValueError):
        return None


class ComplexNumber(Exception):
    """A power of a negative base left the language."""


def real(op: Elemental) -> Any:
    def compute(*args: Any) -> Any:
        value = op.compute(*args)
        if isinstance(value, complex):
            raise ComplexNumber
        return value

    return compute


def alike(got: Any, want: Any) -> bool:
    """The same number; a whole one may be a float and the other way round."""
    try:
        return same_bits(float(got), float(want))
    except OverflowError:
        return got == want


relaxed = settings(
    deadline=None, suppress_health_check=list(HealthCheck), max_examples=amount(15, 80)
)


@given(functions(WITHOUT_HELPERS), LENGTHS)
@relaxed
def test_black_leaves_the_text_alone(function, limit):
    text = text_of(function, limit)
    mode = black.Mode(target_versions={black.TargetVersion.PY311}, line_length=limit)
    assert black.format_str(text, mode=mode) == text


@given(functions())
@relaxed
def test_text_computes_what_the_statements_say(function):
    verify(function)
    call = load(text_of(function))[function.name]
    for point in POINTS:
        args = point[: len(function.parameters)]
        try:
            want = outcome(lambda args=args: list(evaluate(function, args, real)))
        except ComplexNumber:
            continue
        got = outcome(lambda args=args: call(*args))
        assert (want is None) == (got is None)
        if want is not None and got is not None:
            assert all(map(alike, got, want)), (got, want)


@given(functions(FLOATS))
@relaxed
def test_text_has_the_operations_of_the_ir(function):
    statements = walk(function.body)
    blocks = [function.block, *(b for s in statements for b in s.blocks)]
    read = {operand for s in statements for operand in s.inputs}
    read.update(result for block in blocks for result in block.results)
    # a length that nobody reads is left out, and so is a whole number made of such
    assume(all(o in read for s in statements for o in s.outs if o.type == INT))
    assert counts_of(text_of(function), function.name) == count(function)
