"""What is endless, deep or enormous is refused, and at once."""

import os

import pytest

from ad_transform.run.files import NotAFile, read_bytes
from ad_transform.run.project import Misconfigured, load

DEEP = {
    "tool.ad-transform." + ".".join("a" * 5000) + " = 1": 1,
    "[tool.ad-transform]\nx = " + "[" * 5000: 2,
    "[tool.ad-transform]\nx = " + "{a=" * 5000: 2,
    "\n[" + ".".join("a" * 5000) + "]": 2,
    "# [[[[\nx = '[[['\n[" + "a." * 40: 3,
}


@pytest.mark.parametrize("text", DEEP, ids=range(len(DEEP)))
def test_deep_toml_is_refused_with_its_place(tmp_path, text):
    path = tmp_path / "pyproject.toml"
    path.write_text(text)
    with pytest.raises(Misconfigured, match="deep") as caught:
        load(str(path))
    span = caught.value.diagnostic.span
    assert span is not None and span.line == DEEP[text]


def test_what_is_only_long_is_no_trouble(tmp_path):
    path = tmp_path / "pyproject.toml"
    dots = 'text = "' + "a.[" * 500 + '"\n# ' + "." * 500
    numbers = "x = [" + "1.5, [2], " * 200 + "]\n"
    path.write_text(f"{dots}\n{numbers}[tool.ad-transform]\n")
    assert not load(str(path)).rules


def test_numbers_of_thousands_of_digits(tmp_path):
    path = tmp_path / "pyproject.toml"
    path.write_text("x = " + "9" * 5000)
    with pytest.raises(Misconfigured, match="not TOML"):
        load(str(path))


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null"])
def test_devices_are_not_read(path):
    with pytest.raises(NotAFile, match="device"):
        read_bytes(path, 10)


def test_a_pipe_that_nobody_feeds_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr("ad_transform.run.files._PATIENCE", 2)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotAFile, match="nobody writes"):
        read_bytes(str(tmp_path / "pipe"), 10)


def test_a_pipe_that_is_fed_is_read():
    reader, writer = os.pipe()
    os.write(writer, b"text")
    os.close(writer)
    assert read_bytes(f"/proc/self/fd/{reader}", 10) == b"text"
    os.close(reader)


def test_a_large_file_is_not_read(tmp_path):
    (tmp_path / "large").write_bytes(b"x" * 11)
    with pytest.raises(OSError, match="larger"):
        read_bytes(str(tmp_path / "large"), 10)
