"""The real command, run in a folder of its own: helpers of the tests in tests/cli."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from forked import forked

ROOT = Path(__file__).parents[1]

MODEL = """\
import math


# ad: gradient
def energy(x, k=2.0):
    return k * math.sin(x)
"""


@dataclass
class Tool:
    """Calls `ad-transform` in a folder."""

    folder: Path

    def __call__(self, *words, stdin=b"", cwd=None, env=None):
        """A call as of the installed program: in a copy of a process that has imported
        everything, or in a new one where variables are given.
        """
        folder = cwd or self.folder
        words = [*map(str, words)]
        if env is None:
            return forked("ad-transform", words, folder, stdin)
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


def said(run):
    return run.stderr.decode()


def printed(run):
    return run.stdout.decode()
