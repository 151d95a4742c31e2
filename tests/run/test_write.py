"""Writes are whole or nothing, and leave links, modes and neighbours alone."""

import errno
import os
import stat

import pytest

from ad_transform.run.write import write_atomic


def test_a_new_file_has_the_mode_of_any_new_file(tmp_path):
    (tmp_path / "other").touch()
    write_atomic(str(tmp_path / "new"), b"text")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert len(modes) == 1
    assert (tmp_path / "new").read_bytes() == b"text"


def test_mode_bits_are_kept(tmp_path):
    path = tmp_path / "script"
    path.touch()
    path.chmod(0o751)
    write_atomic(str(path), b"text")
    assert stat.S_IMODE(path.stat().st_mode) == 0o751


def test_links_are_followed(tmp_path):
    store = tmp_path / "store"
    store.mkdir()
    (store / "real").write_bytes(b"old")
    link = tmp_path / "link"
    link.symlink_to("store/real")
    write_atomic(str(link), b"new")
    assert link.is_symlink()
    assert (store / "real").read_bytes() == b"new"
    assert os.listdir(store) == ["real"]


def test_a_link_to_nothing_makes_the_file(tmp_path):
    (tmp_path / "link").symlink_to("real")
    write_atomic(str(tmp_path / "link"), b"new")
    assert (tmp_path / "real").read_bytes() == b"new"


def test_a_long_name(tmp_path):
    path = tmp_path / ("n" * 250 + ".py")
    write_atomic(str(path), b"text")
    assert path.read_bytes() == b"text"


@pytest.mark.parametrize("step", ["write", "chmod", "replace"])
@pytest.mark.parametrize("kind", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
def test_a_failure_leaves_everything_as_it_was(tmp_path, monkeypatch, step, kind):
    path = tmp_path / "model_grad.py"
    path.write_bytes(b"old")

    def fail(*_):
        raise kind

    if step == "write":
        monkeypatch.setattr("os.fdopen", lambda *a: Broken(fail, *a))
    else:
        monkeypatch.setattr(f"os.{step}", fail)
    with pytest.raises(type(kind)):
        write_atomic(str(path), b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["model_grad.py"]


class Broken:
    """A stream on a full disk."""

    def __init__(self, fail, handle, *_):
        self.write = fail
        self.handle = handle

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.handle)


def test_a_folder_is_not_a_file(tmp_path):
    with pytest.raises(IsADirectoryError):
        write_atomic(str(tmp_path), b"text")


def test_a_device_stays_one():
    write_atomic("/dev/null", b"text")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_missing_folder(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_atomic(str(tmp_path / "none" / "file"), b"text")


def test_a_temporary_file_takes_the_place_of_none(tmp_path, monkeypatch):
    names = iter([b"one", b"two"])
    monkeypatch.setattr(os, "urandom", lambda _: next(names))
    other = tmp_path / f".ad-transform-{b'one'.hex()}"
    other.write_text("somebody's")
    write_atomic(str(tmp_path / "f.py"), b"x")
    assert (tmp_path / "f.py").read_bytes() == b"x"
    assert other.read_text() == "somebody's"
    assert len(list(tmp_path.iterdir())) == 2
