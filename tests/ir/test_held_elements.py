"""What an element is already is not stored there."""

import pytest
from programs import program
from support import generate, load

from ad_transform.elementals import TABLE
from ad_transform.ir.evaluate import evaluate
from ad_transform.ir.lists.unseen import without_unseen
from ad_transform.ir.text import format_function
from ad_transform.ir.verify import verify

OWN = """function f primal 0 nest tuple(., .)
parameter x (%1: float[n]) nest array(.)
parameter k (%2: int)
  %3: int = size(%1)
  %4: float[n] = copy(%1)
  %5: float[n] = scan (0, %3, 1) (%4) (%2) ()
  body (%10: int, %12: float[n], %13: int)
    %14: float = get(%12, %10)
    {between}
    %15: float[n] = set({array}, %14, {stored})
    give %15
  %6: float = get(%5, 0)
  %7: float = get(%5, %2)
  give %6, %7
"""
SAME = {"between": "%16: float = mul(%14, 0.5)", "array": "%12", "stored": "%10"}
OTHERS = {
    "another element": {"stored": "%13"},
    "the element changes": {
        "between": "%16: float[n] = add_at(%12, 1.0, %10)",
        "array": "%16",
    },
}


def test_what_an_element_is_already_is_not_stored():
    before = program(OWN.format(**SAME))
    made = without_unseen(before, TABLE)
    verify(made)
    assert "set(" not in format_function(made)
    assert evaluate(made, ([1.0, 2.0], 1)) == (1.0, 2.0)


@pytest.mark.parametrize("name", OTHERS)
def test_what_an_element_is_no_more_is_stored(name):
    before = program(OWN.format(**SAME | OTHERS[name]))
    assert "set(" in format_function(without_unseen(before, TABLE))


def test_no_element_is_stored_to_itself_on_the_way_back():
    text = generate(
        '# ad: gradient\ndef f(v: "Vector[n]"):\n    w = v.copy()\n    s = 0.0\n'
        "    for i in range(len(w) - 1):\n        w[i] = w[i] * w[i + 1]\n"
        "        s = s + w[i] * w[i]\n        w[i + 1] = w[i + 1] + 1.0\n    return s\n"
    )
    assert "w_bar[i_plus_1] = w_bar[i_plus_1]" not in text
    assert list(load(text)["f_grad"]([2.0, 3.0, 0.5])) == [36.0, 26.0, 16.0]
