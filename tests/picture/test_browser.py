"""The page in a real browser, where there is one."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest
from drawn import SOURCE, alive, pages_of, text_of

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--dump-dom",
]
pytestmark = pytest.mark.skipif(
    BROWSER is None, reason="no browser: it is no package that pip could install"
)


class Shown(HTMLParser):
    """The edges that are shown, as pairs of vertices, and what the output says."""

    def __init__(self) -> None:
        super().__init__()
        self.edges: set[tuple[str, str]] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        classes = (found.get("class") or "").split()
        if "edge" in classes and not {"off", "ghost"} & {*classes}:
            self.edges.add((found["data-u"], found["data-w"]))


def opened(folder, step: int) -> str:
    """The document of the page with this step in its address, after the scripts."""
    path = folder / "page.html"
    path.write_text(text_of(SOURCE.format("gradient"), ".html"))
    profile = f"--user-data-dir={folder / 'profile'}"
    done = subprocess.run(
        [BROWSER, *FLAGS, profile, f"file://{path}#step={step}"],
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    if not done.stdout:
        pytest.skip("the browser does not start here")
    return done.stdout


@pytest.mark.parametrize("step", [0, 4, 8])
def test_a_frame_shows_the_edges_that_are_there(step, tmp_path):
    (page,) = pages_of(SOURCE.format("gradient"))
    text = opened(tmp_path, step)
    shown = Shown()
    shown.feed(text)
    there = alive(page.arrows, step)
    assert shown.edges == {(str(a.source), str(a.target)) for a in there}
    assert re.search(rf"<output>step {step} of {len(page.stages)}</output>", text)
