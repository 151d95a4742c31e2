"""The cache: what it gives back, and that it never matters."""

import os

import pytest

from ad_transform.diagnostics import Diagnostic, Span
from ad_transform.run import cache as module
from ad_transform.run.cache import FOLDER, Cache
from ad_transform.run.made import Made, _parsed, _written


@pytest.fixture
def cache(tmp_path):
    return Cache(str(tmp_path))


def entries(cache):
    return sorted(set(os.listdir(cache.folder)) - {".gitignore", "CACHEDIR.TAG"})


def test_what_was_put_is_got(cache):
    assert cache.get(b"a", b"b") is None
    cache.put("text\n\udcff é".encode("utf-8", "replace").decode(), b"a", b"b")
    assert cache.get(b"a", b"b") == "text\n? é"
    assert cache.has(b"a", b"b")
    assert cache.get(b"ab", b"") is None and cache.get(b"a", b"b", b"") is None


def test_git_and_backups_keep_away(cache):
    cache.put("text", b"a")
    with open(os.path.join(cache.folder, ".gitignore")) as stream:
        assert stream.read() == "*\n"
    with open(os.path.join(cache.folder, "CACHEDIR.TAG")) as stream:
        assert stream.read().startswith("Signature: 8a477f597d28d172789f06886806bc55")
    assert cache.folder.endswith(FOLDER)


@pytest.mark.parametrize("damage", [b"", b"\n", b"x\ntext", b"\xff" * 100])
def test_a_damaged_entry_is_none(cache, damage):
    cache.put("text", b"a")
    (name,) = entries(cache)
    path = os.path.join(cache.folder, name)
    with open(path, "wb") as stream:
        stream.write(damage)
    assert cache.get(b"a") is None
    cache.put("text", b"a")
    assert cache.get(b"a") == "text"


def test_other_code_has_other_entries(cache, monkeypatch):
    cache.put("text", b"a")
    monkeypatch.setattr(module, "fingerprint", lambda: b"other")
    assert cache.get(b"a") is None


def test_a_cache_that_cannot_be_written_is_none(tmp_path):
    (tmp_path / FOLDER).write_text("a file in its place")
    cache = Cache(str(tmp_path))
    cache.put("text", b"a")
    assert cache.get(b"a") is None


def test_it_does_not_grow_for_ever(cache, monkeypatch):
    monkeypatch.setattr(module, "_MOST", 20)
    # an entry whose name begins with 0 lets the oldest go: the names stay the same
    monkeypatch.setattr(module, "fingerprint", lambda: b"code")
    for k in range(200):
        cache.put("text", b"%d" % k)
    assert len(entries(cache)) < 100


def test_all_that_was_made_comes_back():
    said = (
        Diagnostic("AD030", "m", Span(1, 2, 3, 4), "h"),
        Diagnostic("AD010", "\udcff"),
    )
    for made in (Made("text", said, ("a", "b")), Made(None)):
        assert _parsed(_written(made)) == made


@pytest.mark.parametrize(
    "text",
    ["", "[]", "3", "[1, 2, 3]", '["", [["AD999", "", null, ""]], []]', "[" * 10000],
)
def test_what_was_not_made_does_not(text):
    assert _parsed(text) is None
