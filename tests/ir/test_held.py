"""When the law is checked: small programs always, every pass where it is asked."""

from __future__ import annotations

import pytest
from programs import BRANCHING, STRAIGHT, program

from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.ir import held as module
from ad_transform.ir.count import Counts
from ad_transform.ir.held import SMALL, every_pass, held, held_body
from ad_transform.ir.nodes import Block, Function
from ad_transform.ir.statement_law import CHECKS
from ad_transform.ir.verify import LawBroken


@pytest.fixture
def unasked(monkeypatch):
    monkeypatch.setattr(module, "_asked", [])


def broken(size):
    """A function that binds its first value twice, and so many more statements."""
    head, body = STRAIGHT.split("  %2 a!", 1)[0], "  give %1\n"
    lines = "".join(f"  %{k}: float = add(%{k - 1}, %0)\n" for k in range(2, size + 2))
    block = program(head + lines + body).block
    twice = Block(block.params, (*block.body, block.body[0]), block.results)
    whole = program(STRAIGHT)
    return Function("f", whole.parameters, twice, whole.nest)


def lawful_parameters(function):
    parameters = tuple(
        type(p)(p.name, (v,))
        for p, v in zip(function.parameters, function.block.params, strict=True)
    )
    return Function("f", parameters, function.block, function.nest)


@pytest.mark.usefixtures("unasked")
def test_small_programs_are_always_verified():
    with pytest.raises(LawBroken):
        held(lawful_parameters(broken(SMALL - 1)))
    large = lawful_parameters(broken(SMALL))
    assert held(large) is large
    with every_pass(), pytest.raises(LawBroken):
        held(large)


@pytest.mark.usefixtures("unasked")
def test_drafts_are_verified_where_it_is_asked():
    block = broken(3).block
    held_body(block.body, block.results)
    with every_pass(), pytest.raises(LawBroken):
        held_body(block.body, block.results)


def test_every_draft_is_verified_where_it_is_asked():
    block = broken(3).block
    with every_pass(), pytest.raises(LawBroken, match="bound twice"):
        Outcome(block.body, block.results, Counts(), "", ())


def over(function, body):
    """The function with another body."""
    block = Block(function.block.params, tuple(body), function.results)
    return Function(function.name, function.parameters, block, function.nest)


@pytest.fixture
def asked():
    with every_pass():
        yield


@pytest.mark.usefixtures("asked")
def test_what_a_pass_leaves_as_it_was_is_verified_once(monkeypatch):
    checked = []
    for kind, check in CHECKS.items():
        monkeypatch.setitem(CHECKS, kind, lambda s, c=check: (checked.append(s), c(s)))
    function = program(BRANCHING)
    held(function)
    assert checked
    known = len(checked)
    held(over(function, function.body))
    assert len(checked) == known
    first, *rest = function.body
    new = first.binding(first.outs)
    held(over(function, (new, *rest)))
    assert checked[known:] == [new]


@pytest.mark.parametrize("when", ["asked", "unasked"])
def test_a_function_that_a_pass_gives_back_is_not_looked_at_again(
    when, request, monkeypatch
):
    request.getfixturevalue(when)
    looked = []
    monkeypatch.setattr("ad_transform.ir.verify._function", looked.append)
    function = program(BRANCHING)
    held(held(function))
    assert looked == [function]
    other = over(function, function.body)
    held(other)
    assert looked == [function, other]


def test_what_is_known_is_lawful_only_where_it_stands():
    function = program(BRANCHING)
    first, *rest = held(function).body
    for body in (rest, (first, first, *rest), (*rest[:1], first, *rest[1:])):
        with pytest.raises(LawBroken):
            held(over(function, body))
    held(function)
