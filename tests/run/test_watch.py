"""Sources that are watched are made again when they change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ad_transform.run import watch as watching
from ad_transform.run.plan import Task


class Ended(Exception):
    """The watch is over."""


def test_a_file_that_changes_while_it_is_read_first_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, beside = tmp_path / "model.py", tmp_path / "materials.py"
    source.write_text("")
    beside.write_text("old")
    task: Any = type("Given", (), {"source": str(source)})()
    read: list[str] = []
    left = iter(range(4))

    def plan() -> list[Task]:
        if next(left, None) is None:
            raise Ended
        return [task]

    def make(_: Any) -> dict[Task, list[str]]:
        read.append(beside.read_text())
        beside.write_text("new")  # before anybody has its stamp
        return {task: [str(beside)]}

    monkeypatch.setattr(watching, "_PAUSE", 0.0)
    with pytest.raises(Ended):
        watching.watch(plan, make)
    assert read[:2] == ["old", "new"]
