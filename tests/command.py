"""The real command, run in a folder of its own: helpers of the tests in tests/cli."""

import os
import subprocess
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import libcst.native
from forked import forked
from support import generate

import ad_transform
from ad_transform.cli import main

ROOT = Path(__file__).parents[1]

# What the command imports only where it needs it is imported once for all copies.
assert libcst.native
for module in walk_packages(ad_transform.__path__, "ad_transform."):
    if not module.name.endswith("__main__"):
        import_module(module.name)

MODEL = """\
import math


# ad: gradient
def energy(x, k=2.0):
    return k * math.sin(x)
"""

generate(MODEL)  # What a first derivation looks up serves all copies, too.


@dataclass
class Tool:
    """Calls `ad-transform` in a folder."""

    folder: Path

    def __call__(self, *words, stdin=b"", cwd=None, env=None):
        """A call as of the installed program: in a copy of this process, which has
        imported everything, or in a new one where variables are given.
        """
        folder = cwd or self.folder
        words = [*map(str, words)]
        if env is None:
            return forked(lambda: run(words), folder, stdin)
        return subprocess.run(
            [sys.executable, "-m", "ad_transform", *words],
            cwd=folder,
            input=stdin,
            env={**os.environ, "PYTHONPATH": str(ROOT), **env},
            capture_output=True,
            check=False,
            timeout=120,
        )

    def write(self, name, text=MODEL):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, name):
        return (self.folder / name).read_text()

    @property
    def names(self):
        """What stands in the folder, sorted."""
        return sorted(os.listdir(self.folder))


def run(words):
    """The command in this process, as with these words; the exit code."""
    sys.argv[1:] = words
    return main()


def said(run):
    return run.stderr.decode()


def printed(run):
    return run.stdout.decode()
