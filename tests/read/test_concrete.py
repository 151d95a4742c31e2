"""LibCST's form of a long function is put together from short texts."""

import libcst as cst

from ad_transform.diagnostics import Span
from ad_transform.read.syntax import plain
from ad_transform.read.syntax.concrete import concrete
from ad_transform.read.syntax.source import load

PARTS = """\
    a = x * 2.0
    # above
    b = a  # behind
    if b > 1.0:
        y = sin(a)
        # of the arm, or of what follows
    c = (a +
  b)
# at the margin
    d = '''text
# of the text
'''; e = d
    f = 1 \\

    @decorated
    def g():
        return x
    h = a
    i = b
"""

SOURCE = f"def f(x,\n  y):\n    '''Doc.'''\n{30 * PARTS}    return a  # last\n"


def test_a_long_function_has_the_form_of_its_whole_text(monkeypatch):
    given, parse, source = [], cst.native.parse_module, load(SOURCE.encode())
    monkeypatch.setattr(plain, "runs", lambda *_: ())
    monkeypatch.setattr(
        cst.native, "parse_module", lambda t: given.append(t) or parse(t)
    )
    span = Span(1, 1, len(source.lines) - 1, len("    return a  # last") + 1)
    (form,) = concrete(source, span, source.tree.body[0]).body
    assert max(text.count("\n") for text in given) < 150
    assert form.deep_equals(parse(SOURCE).body[0])
