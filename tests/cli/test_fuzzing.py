"""Any configuration and any command line: an exit code of ours, and soon."""

import contextlib
import io
import os
import random

import pytest
from command import MODEL

from ad_transform.cli import main

WORDS = (
    *("model.py", "plain.py", "none.py", ".", "sub", "*.py", "**", "[", "-", "--", ""),
    *("--check", "--diff", "--explain", "--force", "--exit-nonzero-on-write", "-q"),
    *("-v", "--init", "--no-cache", "-j", "0", "2", "-1", "-o", "out.py", "/dev/zero"),
    *("--order", "reverse", "auto", "--effort", "1", "--cost", "fma", "mul=1,div=4"),
    *("--container", "tuple", "--line-length", "79", "--target", "math", "--unroll"),
    *("--emit", "ir", "graph", "sequence", "--graph", "g.svg", "--at", "x=1", "x=("),
    *("--config", "pyproject.toml", "sub", "pipe", "--stdin-filename", "\udcff", "é"),
    *("--output-format", "json", "github", "concise", "--version", "--help", "a" * 300),
    *("../..", "--report", "r.html", "model.py/x", "loop.py", "{stem}", "--debug"),
)

KEYS = (
    *("order", "effort", "cost", "container", "target", "line-length", "exclude"),
    *("file", "source", "output", "x", '"a b"', "a.b.c", "tool", '""', "powers"),
)

VALUES = (
    *('"reverse"', "1", "true", "-0.0", "nan", '"fma"', "[]", "{}", '"*.py"', '"."'),
    *('["model.py", "*"]', '"{stem}_d.py"', '"../x.py"', '"\\u0000"', "[[[[]]]]", "x"),
    *("1979-05-27", "99" * 50, '"' + "a" * 5000 + '"', "{a = {b = 1}}", '"[!"', "2,"),
    *('"**/**/**"', '"/"', '"~"', "'''\n'''", '"model.py"', '"out.py"', "inf", "0x"),
)

HEADS = (
    *("[tool.ad-transform]", "[[tool.ad-transform.file]]", "[tool]", "[tool.black]"),
    *("[tool.ad-transform.file]", "[[tool.ad-transform]]", "[", "]]", "", "\ufeff"),
    *("[[tool.ad-transform.file.x]]", "[project]", "[" * 50, "\0", "a." * 40 + "b=1"),
)


def configuration(chance):
    lines = []
    for _ in range(chance.randint(0, 8)):
        lines.append(chance.choice(HEADS[:2] * 4 + HEADS))
        for _ in range(chance.randint(0, 3)):
            lines.append(f"{chance.choice(KEYS)} = {chance.choice(VALUES)}")
    return "\n".join(lines)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    work = tmp_path / "work"
    (work / "sub").mkdir(parents=True)
    (work / "model.py").write_text("# ad: gradient\ndef f(x):\n    return x * x\n")
    (work / "sub" / "model.py").write_text(MODEL)
    (work / "plain.py").write_text("x = 1\n")
    (work / "loop.py").symlink_to(work / "loop.py")
    monkeypatch.chdir(work)
    return work


def called(words):
    """The exit code of one call with nothing on stdin; whatever it prints goes."""
    out = io.TextIOWrapper(io.BytesIO(), errors="surrogateescape")
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(io.StringIO()) as err,
        open(os.devnull) as nothing,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("sys.stdin", nothing)
        return main(words), err.getvalue()


@pytest.mark.parametrize("seed", range(int(os.environ.get("FUZZ", "4"))))
def test_codes_are_0_1_or_2(folder, seed):
    chance = random.Random(seed)
    for _ in range(25):
        config = configuration(chance)
        (folder / "pyproject.toml").write_text(config)
        words = [chance.choice(WORDS) for _ in range(chance.choice((0, 0, 1, 2, 3, 5)))]
        code, text = called(words)
        assert code in (0, 1, 2), (config, words, text)
        assert "Traceback" not in text and "internal error" not in text
