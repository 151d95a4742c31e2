"""docs/papers.md names files, orders and tests that are there."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from ad_transform.derive.kinds.kind_rows import KINDS
from ad_transform.eliminate import ORDERS, PAIRED, SEARCHES

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("| ").split(" | ")]
    for line in TEXT.splitlines()
    if line.startswith("| ") and not line.startswith("| ---")
]
ITEMS = [row for row in ROWS if row[0] != "item"]


@pytest.mark.parametrize("row", ITEMS, ids=lambda row: row[0])
def test_an_item_is_somewhere_or_says_that_it_is_not(row):
    code, *rest = row[1:]
    if code.startswith(("not here", "nothing")):
        return
    for name in re.findall(r"`([\w/]+(?:\.py|/))`", code):
        assert (ROOT / "ad_transform" / name).exists(), name
    assert rest[0]
    for name in re.findall(r"`([\w/]+\.py)`", rest[1]):
        assert (ROOT / "tests" / name).exists(), name


LIBRARY = [row for row in ITEMS if "library" in "".join(row[2:3])]


@pytest.mark.parametrize("row", LIBRARY, ids=lambda row: row[0])
def test_what_the_library_has_is_in_a_module_of_the_row(row):
    places = re.findall(r"`((?:graph|eliminate)/\w+)(?:\.py|/)`", row[1])
    modules = [import_module(f"ad_transform.{p.replace('/', '.')}") for p in places]
    (names,) = re.findall(r"library \(([^)]+)\)", row[2])
    for name in re.findall(r"`(\w+)`", names):
        assert any(hasattr(module, name) for module in modules), name


def test_orders_and_marks_are_there():
    assert set(re.findall(r"--order ([\w-]+)", TEXT)) <= {*ORDERS, *SEARCHES, *PAIRED}
    marks = re.findall(r"marks? ((?:`\w+[^`]*`(?:, )?)+)", TEXT)
    for mark in re.findall(r"`(\w+)", " ".join(marks)):
        assert mark in KINDS


def test_every_search_is_a_row():
    for name in SEARCHES:
        assert f"`--order {name}`" in TEXT
