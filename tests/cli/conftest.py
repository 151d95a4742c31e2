"""The fixture of all tests of the command."""

import pytest
from command import Tool


@pytest.fixture
def tool(tmp_path):
    """A tool in a folder with `model.py`, outside any project."""
    (tmp_path / ".git").mkdir()  # the search for a pyproject.toml ends here
    folder = tmp_path / "work"
    folder.mkdir()
    made = Tool(folder)
    made.write("model.py")
    return made
