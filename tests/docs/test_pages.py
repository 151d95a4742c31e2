"""Every code block of README.md and docs/ runs.

A page is a session in one folder. A block whose first line is `# NAME.py` (or .toml,
.yaml) is that file, that line included; any other Python block is a program; in a
`console` block the lines behind `$ ` are commands, and what follows each is what it
prints, where `...` stands for anything. Blocks marked `sh` set up environments: .ci/run
executes those of README.md.
"""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from forked import forked

from ad_transform.run.elementals import page

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (\S+\.(?:py|toml|yaml|yml|gitattributes))$")
# Examples of diagnostics of sources, which tests/test_errors_page.py runs.
SHOWN_ELSEWHERE = re.compile(r"^(Fails|Works):\n\n```python\n.*?^```$", re.M | re.S)
PLAIN = re.compile(r"[^|&;<>*?$`~]*")
SAME = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass
class Session:
    """A folder in which the blocks of a page run, one after the other."""

    folder: Path
    needs: tuple[str, ...] = ()

    def run(self, command):
        """What commands print that are joined by `&&`, the first perhaps a `cd`."""
        printed, folder = b"", self.folder
        for part in command.split(" && "):
            if part.startswith("cd "):
                folder /= part.removeprefix("cd ")
                continue
            done = self.part(part, folder)
            printed += done.stdout
            if done.returncode:
                break
        return printed.decode()

    def part(self, command, folder):
        """What becomes of a command; a call of the tool needs no shell."""
        call, _, rest = command.partition(" | ")
        if not (call.startswith("ad-transform") and PLAIN.fullmatch(call)):
            return self.shell(command, folder)
        words = shlex.split(call)[1:]
        done = forked("ad-transform", words, folder, merged=not rest)
        return self.shell(rest, folder, done.stdout) if rest else done

    def shell(self, command, folder, given=b""):
        environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{folder}"}
        environment["PATH"] = f"{self.folder / 'bin'}:{environment['PATH']}"
        return subprocess.run(
            command,
            shell=True,
            cwd=folder,
            input=given,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=120,
        )

    def python(self, text):
        named = FILE.match(text.partition("\n")[0])
        if named:
            return self.write(named[1], text)
        done = forked("python", text, self.folder, needs=self.needs, merged=True)
        assert done.returncode == 0, done.stdout.decode()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"))

    def console(self, text):
        for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            printed = self.run(command)
            same = doctest.OutputChecker().check_output(expected, printed, SAME)
            assert same, f"$ {command}\n{printed}"

    def toml(self, text):
        tomllib.loads(text)
        self.python(text)

    def yaml(self, text):
        yaml.safe_load(text)
        named = FILE.match(text.partition("\n")[0])
        if named:
            self.write(named[1], text)

    def nothing(self, text):
        """Text that is not for a computer, or not for this test."""


RUNNERS = {
    "python": Session.python,
    "console": Session.console,
    "toml": Session.toml,
    "yaml": Session.yaml,
    "sh": Session.nothing,
    "text": Session.nothing,
}


NEEDS = {
    "guide-scipy.md": ("scipy.optimize", "scipy.integrate"),
    "guide-marks.md": ("scipy.sparse",),
    "guide-numba.md": ("numba",),
}
"""What the programs of a page import, once for all of them; numba is in `bench`."""


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_blocks_of_a_page_run(path, tmp_path):
    needs = ("numpy", *NEEDS.get(path.name, ()))
    for module in needs:
        pytest.importorskip(module)
    (tmp_path / ".git").mkdir()
    session = Session(tmp_path, needs)
    shutil.copytree(ROOT / "fixtures", tmp_path / "fixtures")
    session.write("bin/ad-transform", f'exec {sys.executable} -m ad_transform "$@"\n')
    session.write("bin/python", f'exec {sys.executable} "$@"\n')
    for program in (tmp_path / "bin").iterdir():
        program.chmod(0o755)
    for language, block in FENCE.findall(SHOWN_ELSEWHERE.sub("", path.read_text())):
        RUNNERS[language](session, block)


def test_the_page_of_elementals_is_printed_from_the_table():
    assert (ROOT / "docs" / "elementals.md").read_text() == page()
