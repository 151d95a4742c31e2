"""Files that the system does not let us read or write, and how to go on."""

import os

import pytest
from command import MODEL, said

from ad_transform.cli import main
from ad_transform.run import batch, files
from ad_transform.run.modes import not_written


@pytest.fixture
def closed(monkeypatch, tmp_path):
    """A folder with `model.py` and `secret.py`, which nobody may read."""
    for name in ("model.py", "secret.py"):
        (tmp_path / name).write_text(MODEL)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    may, read = os.access, files.read_bytes

    def access(path, mode, **others):
        return not str(path).endswith("secret.py") and may(path, mode, **others)

    def read_bytes(path, largest):
        if path.endswith("secret.py"):
            raise PermissionError(13, "Permission denied", path)
        return read(path, largest)

    monkeypatch.setattr(os, "access", access)
    monkeypatch.setattr(batch, "read_bytes", read_bytes)
    return tmp_path


@pytest.mark.parametrize("words", [("secret.py", "model.py"), (".",)], ids=str)
def test_a_closed_source_does_not_hold_up_the_others(closed, capfd, words):
    assert main(list(words)) == 2
    told = capfd.readouterr().err
    assert "secret.py: error[AD001]: cannot be read: Permission denied" in told
    assert "= help: ask for the right to read it" in told
    assert (closed / "model_grad.py").exists()


@pytest.mark.parametrize(
    ("error", "way_out"),
    [
        (PermissionError(13, "Permission denied"), "the right to write into 'shut'"),
        (IsADirectoryError(21, "Is a directory"), "name a file in it: shut/a.py/"),
        (FileNotFoundError(2, "No such file"), "make the folder 'shut' first"),
    ],
)
def test_what_cannot_be_written_has_a_way_out(error, way_out):
    (finding,) = not_written("shut/a.py", error).findings
    assert finding.diagnostic.code == "AD005" and way_out in finding.diagnostic.help


def test_no_folder_is_to_be_made_that_is_there(tmp_path):
    output = str(tmp_path / "a.py")
    (finding,) = not_written(output, FileNotFoundError(2, "No such file")).findings
    assert not finding.diagnostic.help


def test_a_link_to_nothing_says_where_it_leads(tool):
    (tool.folder / "link.py").symlink_to("nowhere.py")
    run = tool("link.py")
    assert run.returncode == 2
    assert "it is a link to 'nowhere.py', which is not there" in said(run)


def test_a_call_without_sources_says_what_to_name(tool):
    assert "or list the marked ones by --init" in said(tool())
