"""docs/layout.md names every module in the part of its folder, and none besides."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "layout.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "ad_transform"
FIRST, *PARTS = re.split(r"^Inside `(\w+)/`", TEXT, flags=re.M)
PART = {"": FIRST, **dict(zip(PARTS[::2], PARTS[1::2], strict=True))}
# Folders that the page tells of as a whole.
AS_ONE = ("elementals/printed/", "ir/laws/", "derive/rounding/enclosure/")
AS_ONE = (*AS_ONE, "emit/fortran/")


def named(text):
    return {name.split("/")[-1] for name in re.findall(r"`([\w/]+\.py)`", text)}


def modules(folder):
    """The names of the modules in a folder of the package; of the package, its own."""
    inside = (PACKAGE / folder).rglob("*.py") if folder else PACKAGE.glob("*.py")
    places = (path.relative_to(PACKAGE).as_posix() for path in inside)
    told = (p for p in places if not p.startswith(AS_ONE))
    return {p.split("/")[-1] for p in told} - {"__init__.py", "__main__.py"}


@pytest.mark.parametrize("folder", PART)
def test_modules_have_a_line_in_the_part_of_their_folder(folder):
    assert modules(folder) - named(PART[folder]) == set()


def test_folders_have_a_part():
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders == PART.keys() - {""}


def test_what_has_a_line_is_there():
    assert named(TEXT) - {path.name for path in ROOT.rglob("*.py")} == set()
