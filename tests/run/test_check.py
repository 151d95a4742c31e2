"""The state of an existing output."""

import pytest

from ad_transform.emit.header import Header
from ad_transform.emit.python.program import program
from ad_transform.emit.python.target import LINTERS, PYTHON
from ad_transform.run.check import State, compare

BODY = '''\
import math


def f_grad(x):
    """Gradient of f."""
    # the slope
    return math.cos(x)
'''


def generated(body, source="model.py", options="default"):
    command, made = f"ad-transform {source}", program(body).hash
    header = Header(source, command, options, made, LINTERS)
    return header.render(PYTHON.style) + "\n" + body


def first_format(text):
    """The text as format 1 had it, without a line for linters."""
    lines = text.replace("format=2", "format=1").splitlines(keepends=True)
    return "".join(lines[:3] + lines[4:])


TEXT = generated(BODY)
OTHER = generated(BODY.replace("cos", "exp"))

CASES = {
    "the same": (TEXT, State.CURRENT),
    "none": (None, State.MISSING),
    "crlf": (TEXT.replace("\n", "\r\n"), State.CURRENT),
    "bom": ("\ufeff" + TEXT, State.CURRENT),
    "layout": (TEXT.replace("\n\n\n", "\n\n"), State.RELAID),
    "quotes": (TEXT.replace('"""', "'''"), State.RELAID),
    "a comment less": (TEXT.replace("    # the slope\n", ""), State.REWORDED),
    "other program": (OTHER, State.STALE),
    "other options": (generated(BODY, options="order=reverse"), State.STALE),
    "other source": (generated(BODY, source="a.py"), State.STALE),
    "an older format": (first_format(TEXT), State.STALE),
    "an older format, other program": (first_format(OTHER), State.STALE),
    "an older format, edited": (
        first_format(TEXT).replace("cos", "sin"),
        State.EDITED,
    ),
    "the line for linters gone": (
        TEXT.replace("# flake8: noqa  # pylint: skip-file\n", ""),
        State.STALE,
    ),
    "edited": (TEXT.replace("cos", "sin"), State.EDITED),
    "edited docstring": (TEXT.replace("Gradient of f", "Slope"), State.EDITED),
    "stale and edited": (OTHER.replace("exp", "sin"), State.EDITED),
    "edited to what is due": (OTHER.replace("exp", "cos"), State.STALE),
    "conflict marks": (TEXT + "<<<<<<< HEAD\n", State.EDITED),
    "no header": (BODY, State.FOREIGN),
    "empty": ("", State.FOREIGN),
    "header below code": ("x = 1\n" + TEXT, State.FOREIGN),
    "licence first": ("# (c) us\n#\n" + TEXT, State.RELAID),
}


@pytest.mark.parametrize("name", CASES)
def test_states(name):
    existing, state = CASES[name]
    content = None if existing is None else existing.encode()
    assert compare(content, TEXT, "model.py", PYTHON) is state


def test_bytes_that_are_not_text():
    assert compare(b"\xff" + TEXT.encode(), TEXT, "model.py", PYTHON) is State.FOREIGN


def test_nothing_marked():
    assert compare(TEXT.encode(), None, "model.py", PYTHON) is State.LEFTOVER
    assert compare(TEXT.encode(), None, "other.py", PYTHON) is State.UNWANTED
    assert compare(BODY.encode(), None, "model.py", PYTHON) is State.UNWANTED
    assert compare(None, None, "model.py", PYTHON) is State.UNWANTED
