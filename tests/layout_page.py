"""The tables of docs/layout.md: the first sentence of each module, folder by folder.

`python tests/layout_page.py` writes them anew; what stands around them stays.
"""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "layout.md"
PACKAGE = ROOT / "ad_transform"
HEADING = re.compile(r"^##+ `([\w/]+)/`\n", re.M)
HEAD = "| module | idea |\n| --- | --- |\n"
TABLE = re.compile(re.escape(HEAD) + r"(?:\|.*\n)*")


def sentence(path):
    """The first sentence of a module, in one line."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    first = " ".join(text.split("\n\n")[0].split())
    return re.match(r".*?\.(?= [A-Z`]|$)", first)[0]


def folders():
    """The folders of the package that hold modules, as paths in it."""
    inits = PACKAGE.rglob("*/__init__.py")
    return sorted(path.parent.relative_to(PACKAGE).as_posix() for path in inits)


def section(folder):
    """What the page says of a folder behind its heading: its idea and its modules."""
    home = PACKAGE / folder
    modules = sorted(path for path in home.glob("*.py") if path.name != "__init__.py")
    rows = (f"| `{path.name}` | {sentence(path)} |\n" for path in modules)
    return sentence(home / "__init__.py"), HEAD + "".join(rows)


def sections(text):
    """What stands before all headings; and the text behind each, by its folder."""
    first, *rest = HEADING.split(text)
    return first, dict(zip(rest[::2], rest[1::2], strict=True))


def renewed(text):
    """The page with the tables as they have to be."""
    for folder, old in sections(text)[1].items():
        idea, table = section(folder)
        lines = old.split("\n", 2)
        new = TABLE.sub(lambda _, table=table: table, f"\n{idea}\n{lines[2]}", count=1)
        text = text.replace(f"# `{folder}/`\n{old}", f"# `{folder}/`\n{new}")
    return text


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
