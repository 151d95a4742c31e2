"""The real command, run in a folder of its own: helpers of the tests in tests/cli."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]

MODEL = """\
import math


# ad: gradient
def energy(x, k=2.0):
    return k * math.sin(x)
"""


@dataclass
class Tool:
    """Calls `python -m ad_transform` in a folder."""

    folder: Path

    def __call__(self, *words, stdin=b"", **options):
        command = [sys.executable, "-m", "ad_transform", *map(str, words)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("env", {})}
        return subprocess.run(
            command,
            cwd=options.pop("cwd", self.folder),
            input=stdin,
            env=environment,
            capture_output=True,
            check=False,
            timeout=120,
            **options,
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
