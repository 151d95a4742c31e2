"""Code that computes the same is looked at once, and trees of one form are, too."""

from __future__ import annotations

from dataclasses import replace

import pytest
from amounts import amount
from hypothesis import given, settings
from hypothesis import strategies as st
from support import run

from ad_transform.derive.accumulation import candidates
from ad_transform.derive.accumulation.candidates import Candidates
from ad_transform.derive.accumulation.outcome import Outcome
from ad_transform.derive.factoring import known as known_code
from ad_transform.derive.factoring.known import once
from ad_transform.derive.factoring.polish import polish
from ad_transform.elementals import TABLE
from ad_transform.ir.build import Builder
from ad_transform.ir.count import count_statements
from ad_transform.ir.nodes import Apply, Literal, Var
from ad_transform.ir.simplify import LAWS
from ad_transform.ir.types import FLOAT

X, Y, Z = (Var(FLOAT, name) for name in "xyz")


def code(*rows, last="add", hint=""):
    """The sum of some products, or their difference."""
    made = [Apply(Var(FLOAT), TABLE["mul"], row) for row in rows]
    (a, b), out = (s.out for s in made), Var(FLOAT, hint)
    body = (*made, Apply(out, TABLE[last], (a, b)))
    return Outcome(body, (out,), count_statements(body), "", ())


SAME = [((X, Y), (Y, Z)), ((Y, X), (Y, Z)), ((Z, Y), (X, Y))]
OTHERS = [
    code((X, Y), (Z, Z)),
    code((X, Y), (Y, Literal(2.0))),
    code((X, Y), (Y, Z), last="sub"),
    code((Y, Z), (X, Y), last="sub"),
    code((X, Y), (Y, Z), hint="s"),
]


def halved(calls):
    """A pass that keeps the first statement, and notes what it was given."""

    def made(before):
        calls.append(before)
        return before.after("halve", before.body[:1], before.body[0].outs)

    return made


@pytest.fixture
def long_code(monkeypatch):
    monkeypatch.setattr(known_code, "SHORT", 0)


@pytest.mark.parametrize("rows", SAME)
def test_what_computes_the_same_is_looked_at_once(rows, long_code):
    calls = []
    known = once({}, ("halve",), halved(calls))
    known(code(*SAME[0]))
    after = known(replace(code(*rows), order="reverse"))
    assert len(calls) == 1
    assert after.counts.total == 1
    assert (after.order, after.passes[-1].name) == ("reverse", "halve")


@pytest.mark.parametrize(("rows", "times"), list(zip(SAME, (1, 2, 2), strict=True)))
def test_short_code_is_looked_at_in_every_order(rows, times):
    calls = []
    known = once({}, ("halve",), halved(calls))
    known(code(*SAME[0]))
    known(code(*rows))
    assert len(calls) == times


def test_what_computes_something_else_is_looked_at_again(long_code):
    calls = []
    known = once({}, ("halve",), halved(calls))
    for outcome in (code(*SAME[0]), *OTHERS):
        known(outcome)
    assert len(calls) == 1 + len(OTHERS)


def test_what_gains_nothing_is_given_back_itself():
    known = once({}, (), lambda outcome: outcome)
    known(code(*SAME[0]))
    same = code(*SAME[0])
    assert known(same) is same


def test_other_passes_know_nothing_of_it():
    calls, memory = [], {}
    for name in ("halve", "halve again"):
        once(memory, (name,), halved(calls))(code(*SAME[0]))
    assert len(calls) == 2


TERMS = st.lists(
    st.tuples(
        st.sampled_from([X, Y, Z, Literal(2.0), Literal(3.0)]),
        st.sampled_from([X, Y, Z]),
        st.sampled_from(["add", "sub"]),
    ),
    min_size=2,
    max_size=4,
)


def total(terms):
    b = Builder(TABLE, {})
    first, *rest = terms
    value = b.keep(TABLE["mul"], first[:2])
    for x, y, op in rest:
        value = b.keep(TABLE[op], (value, b.keep(TABLE["mul"], (x, y))))
    return tuple(b.body), (value,)


@given(st.lists(TERMS, min_size=2, max_size=8))
@settings(max_examples=amount(15, 40), deadline=None)
def test_trees_are_polished_as_if_none_had_been_before(sums):
    one = Builder(TABLE, LAWS)
    for terms in sums:
        body, results = total(terms)
        again = polish(one, body, results, 0)
        alone = polish(Builder(TABLE, LAWS), body, results, 0)
        assert count_statements(*again) == count_statements(*alone)
        assert [s.op.name for s in again[0]] == [s.op.name for s in alone[0]]


def test_drafts_are_compared_only_with_those_of_as_many_operations(monkeypatch):
    made, compared, inside = [], [], []
    once_same, once_shape = Candidates._same, candidates._shape

    def same(self, draft):
        made.append(draft.outcome.counts)
        inside.append(None)
        try:
            return once_same(self, draft)
        finally:
            inside.pop()

    def shape(outcome):
        if inside:
            compared.append(outcome.counts)
        return once_shape(outcome)

    monkeypatch.setattr(Candidates, "_same", same)
    monkeypatch.setattr(candidates, "_shape", shape)
    body = (
        "    u = 2.0 * x / y\n    v = u * y - x / u\n    return u * v, v / y, u - v\n"
    )
    run(f"# ad: jacobian\ndef f(x, y):\n{body}")
    assert min(map(made.count, made)) == 1
    assert all(made.count(counts) > 1 for counts in compared)
