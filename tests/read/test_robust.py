"""Nothing but a reading leaves `read`, whatever goes in; size costs what it must."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from amounts import amount, only_long
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import agree, codes, function, marked, ops

from ad_transform.ir.verify import verify
from ad_transform.read import Reading, read

CORPUS = sorted((Path(__file__).parents[1] / "corpus").glob("*.py"))
REFUSALS = (Path(__file__).parent / "refusals.txt").read_text().split("---\n")
SOURCES = [path.read_text() for path in CORPUS] + REFUSALS


def _survives(source: bytes) -> Reading:
    found = read(source, "model.py")
    if not any(d.severity == "error" for d in found.diagnostics):
        for request in found.requests:
            verify(request.function)
    return found


# --- files --------------------------------------------------------------------------

F = marked("return x * y")


@pytest.mark.parametrize(
    "source",
    [
        b"\xef\xbb\xbf" + F.encode(),
        F.replace("\n", "\r\n").encode(),
        F.replace("\n", "\r").encode(),
        F.replace("    ", "\t").encode(),
        b"\x0c\n" + F.encode() + b"\x0c",
        F.rstrip("\n").encode(),
        ("# coding: latin-1\ns = 'é'\n" + F).encode("latin-1"),
        ("# -*- coding: cp1252 -*-\n# €\n" + F).encode("cp1252"),
        b"#!/usr/bin/python\n" + F.encode(),
    ],
)
def test_layouts_of_files(source: bytes) -> None:
    assert [r.kind for r in _survives(source).requests] == ["gradient"]


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (b"s = '\xff'\n", "AD002"),
        (b"\n\n\ns = '\xff'\n", "AD002"),
        (b"# coding: nonsense\n", "AD002"),
        (b"# coding: rot13\n", "AD002"),
        (b"# coding: undefined\n", "AD002"),
        (b"x = \x00\n", "AD003"),
        (b"def f(:\n", "AD003"),
        (b"return 1\n", "AD003"),
        (b"def f(x, x): pass\n", "AD003"),
        (b"x = (\n", "AD003"),
        (b"if x:\npass\n", "AD003"),
        (f"x = {'-' * 9999}1\n".encode(), "AD004"),
        (f"x = {'9' * 5000}\n".encode(), "AD003"),
    ],
)
def test_files_that_cannot_be_read(source: bytes, code: str) -> None:
    assert [d.code for d in _survives(source).diagnostics] == [code]


def test_a_syntax_error_stands_where_python_says() -> None:
    (said,) = read("é = (1,\n".encode(), "m.py").diagnostics
    assert said.message == "'(' was never closed"
    assert said.span is not None
    assert (said.span.line, said.span.column) == (1, 5)


def test_a_null_byte_has_a_place() -> None:
    (said,) = read(b"x = 1\ny = \x00\n", "m.py").diagnostics
    assert said.span is not None and said.help
    assert (said.span.line, said.span.column) == (2, 5)


def test_an_empty_file() -> None:
    assert _survives(b"") == Reading()


# --- depth and size -----------------------------------------------------------------

POINT = (0.7, -1.3)
DEEP = amount(12_000, 30_000)
"""Parts that are more than the frames that Python has (read/__init__.py)."""


@pytest.mark.parametrize(
    "expression",
    [
        " + ".join(["x * y"] * 2000),
        "(x + " * 150 + "y" + ")" * 150,
        "abs(" * 90 + "x" + ")" * 90,
        "-" * 2001 + "x",
        " ** ".join(["1.0"] * 90) + " * x",
        "max(" + ", ".join(["x", "y"] * 200) + ")",
        "sum([" + ", ".join(["x"] * 500) + "])",
        "x + (\n" + " +\n".join(["y * x"] * 300) + "\n)",
        "x" + " * y" * 500 + " - é",
    ],
)
def test_deep_expressions(expression: str) -> None:
    agree(marked(f"é = x\nreturn {expression}"), POINT)


def test_thousands_of_terms() -> None:
    source = marked(f"return {' + '.join(['x'] * DEEP)}")
    if sys.version_info < (3, 12):  # later parsers of CPython refuse it themselves
        assert len(ops(function(source))) == DEEP - 1
    else:
        assert codes(source) in ([], ["AD004"])


@only_long
def test_forty_thousand_terms_do_not_kill() -> None:
    assert codes(marked(f"return {' + '.join(['x'] * 40_000)}")) in ([], ["AD004"])


@pytest.mark.parametrize(
    "body",
    [
        f"return {'(' * 250}x{')' * 250}",
        f"g = {'lambda: ' * 300}x\nreturn x",
        f"assert {' < '.join(['x'] * 300)}\nreturn x",
        f"assert {'x > 0 and (' * 80}x > 0{')' * 80}\nreturn x",
        f"return x{'.a' * 5000}",
        f"return x{'(1)' * 2000}",
        f"return x{'[0]' * 2000}",
        f"return {'[' * 150}x{']' * 150}",
        f"return x * {'0x' + 'f' * 5000}",
        "t = x\n" + "t = (t, x)\n" * 60 + "return t",
        f"assert {' and '.join(['x > 0'] * DEEP)}\nreturn x",
        f"import {'.'.join(['a'] * DEEP)}\nreturn x",
        f"from {'.'.join(['a'] * DEEP)} import b\nreturn x",
        f"return [a {'for a in x ' * DEEP}]",
        f"s = {' '.join(['b'] * 2)}\ng: {'+'.join(['a'] * DEEP)} = s\nreturn x",
    ],
)
def test_too_deep_is_said(body: str) -> None:
    assert codes(marked(body))


def test_deep_signatures() -> None:
    deep = " + ".join(["1"] * 2000)
    assert codes(marked("return x", f"x, y: {deep}")) == ["AD104"]
    assert codes(f"# ad: gradient\n@({deep})\ndef f(x):\n    return x\n") == ["AD026"]
    assert function(marked("return x", f"x, y={deep}")).parameters[1].default == "2000"


def test_calls_inside_calls() -> None:
    chain = "def g0(a):\n    return a * 2\n" + "".join(
        f"def g{k}(a):\n    return g{k - 1}(a) + 1.0\n" for k in range(1, 180)
    )
    assert len(ops(function(chain + marked("return g179(x)")))) == 180
    deeper = "".join(f"def g{k}(a):\n    return g{k - 1}(a)\n" for k in range(180, 300))
    assert codes(chain + deeper + marked("return g299(x)")) == ["AD004"]


def _calls(source: str) -> int:
    """How many calls a reading makes."""
    count = 0

    def noted(_: object, event: str, __: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(noted)
    try:
        read(source.encode(), "model.py")
    finally:
        sys.setprofile(None)
    return count


def test_a_loop_behind_many_costs_what_the_first_one_does() -> None:
    loop = "for i in range(n):\n    x = x * y + i\n    y = y - x\n"
    sources = [marked(loop * k + "return x", "x, y, n: int") for k in (20, 40, 80)]
    _calls(sources[0])  # what a first reading imports
    few, more, most = map(_calls, sources)
    assert most - more < 2.1 * (more - few)


# --- fuzz ---------------------------------------------------------------------------


def _mutated(text: str, rng: random.Random) -> str:
    """A text with a few pieces moved, doubled, dropped or exchanged."""
    pieces = [
        "(", ")", "[", "]", ":", ",", "=", ":=", "*", "**", "@", "-", "\n", "    ", "#",
        "# ad: ", "x", "f", "return ", "lambda ", "if ", " and ", "not ", "yield ", "{",
        "def ", "'", '"', "f'{", "1", "0.5", "1j", ".", "import ", "for ", "é", "\t",
        "await ", "*x", "None", "print", "global x\n", "assert ", "del ", ";", "\\\n",
    ]  # fmt: skip
    for _ in range(rng.randrange(1, 5)):
        at, to = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        to = min(to, at + rng.randrange(12))
        choice = rng.randrange(3)
        new = ["", rng.choice(pieces), text[at:to] * 2][choice]
        text = text[:at] + new + text[to:]
    return text


@settings(max_examples=amount(100, 300), deadline=None)
@given(st.integers(0, 2**32))
def test_mutated_sources(seed: int) -> None:
    rng = random.Random(seed)
    source = rng.choice(SOURCES)
    if "# ad:" not in source:
        source = source.replace("\ndef ", "\n# ad: gradient\ndef ")
    _survives(_mutated(source, rng).encode())


@settings(max_examples=amount(100, 200), deadline=None)
@given(st.lists(st.sampled_from("# ad:graientxy(),=true\"'1.5-\n*é"), max_size=60))
def test_any_mark_text(letters: list[str]) -> None:
    _survives(f"# ad: {''.join(letters)}\n{F}".encode())


@settings(max_examples=amount(100, 200), deadline=None)
@given(st.binary(max_size=80))
def test_any_bytes(source: bytes) -> None:
    _survives(source)
