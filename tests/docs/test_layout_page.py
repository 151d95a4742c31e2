"""docs/layout.md tells of every module in its folder's table, in the module's words."""

import re

import pytest
from layout_page import PACKAGE, PAGE, ROOT, folders, renewed, section, sections

TEXT = PAGE.read_text(encoding="utf-8")
FIRST, SECTIONS = sections(TEXT)


def test_folders_have_a_section():
    assert sorted(SECTIONS) == folders()


@pytest.mark.parametrize("folder", SECTIONS)
def test_modules_have_a_line_in_the_table_of_their_folder(folder):
    idea, table = section(folder)
    assert SECTIONS[folder].startswith(f"\n{idea}\n")
    assert table in SECTIONS[folder]


def test_to_write_it_anew_changes_nothing():
    assert renewed(TEXT) == TEXT


def test_modules_of_the_package_itself_have_a_line():
    own = {path.name for path in PACKAGE.glob("*.py")} - {"__main__.py"}
    assert own <= set(re.findall(r"`(\w+\.py)`", FIRST))


def test_what_is_named_is_there():
    there = {path.name for path in ROOT.rglob("*.py")} | {"model_grad.py"}
    named = {name.split("/")[-1] for name in re.findall(r"`([\w/]+\.py)`", TEXT)}
    assert named <= there


@pytest.mark.parametrize("folder", SECTIONS)
def test_ideas_are_nouns_of_the_field(folder):
    for line in SECTIONS[folder].splitlines():
        assert not re.match(r"\| .* \| (What|Which|Who|Where|How|When)\b", line)
