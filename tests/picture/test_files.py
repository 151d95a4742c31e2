"""The files: well formed, alone, always the same, and known as ours."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from amounts import ANY_ORDER, part
from command import ROOT, Tool
from drawn import SOURCE, pages_of, subjects, text_of

from ad_transform.options import Options
from ad_transform.picture.dot import quoted
from ad_transform.picture.drawing import drawing
from ad_transform.picture.stamp import Standing, stamped, standing
from ad_transform.run.job import draw

MODELS = Path(__file__).parents[2] / "fixtures" / "models"
KINDS = "gradient, jacobian(x, y, value=True), hessian(x), hvp, jvp, vjp, error"
ALL = SOURCE.format(KINDS)
ENDINGS = (".svg", ".html", ".dot")
every_ending = pytest.mark.parametrize("ending", ENDINGS)
NASTY = """\
# ad: gradient
def f(x, été=1.0):
    return max(x, été) * été
"""


NOTHING = "# ad: error\ndef f(x, y):\n    return y\n"


DRAW = """
import sys
from ad_transform.cli import main
for words in sys.argv[1:]:
    assert not main(["model.py", "--graph", *words.split()])
"""


def test_text_does_not_depend_on_hash_seeds(tmp_path):
    tool = Tool(tmp_path)
    tool.write("model.py", SOURCE.format("gradient, jacobian(x), error"))
    asked = {".svg": ["--effort", "0"], ".html": [], ".dot": ["--effort", "0"]}
    drawn = (" ".join([f"other{ending}", *more]) for ending, more in asked.items())
    command = [sys.executable, "-c", DRAW, *drawn]
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=tmp_path, env=env, check=True)
    for ending, more in asked.items():
        assert not tool("model.py", "--graph", f"mine{ending}", *more).returncode
        assert tool.read(f"mine{ending}") == tool.read(f"other{ending}")


@pytest.mark.parametrize("source", [ALL, NASTY], ids=["plain", "nasty"])
def test_svg_is_well_formed_and_alone(source):
    text = text_of(source, ".svg", **ANY_ORDER)
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not {e.tag.rpartition("}")[2] for e in root.iter()} & {"script", "image"}
    _refers_to_nothing(text)


class _Tags(HTMLParser):
    """Checks that tags are closed in order; collects their attributes."""

    VOID = frozenset({"meta", "input"})

    def __init__(self):
        super().__init__()
        self.open = []
        self.seen = []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("source", [ALL, NASTY], ids=["plain", "nasty"])
def test_html_is_balanced_and_alone(source):
    text = text_of(source, ".html", **ANY_ORDER)
    tags = _Tags()
    tags.feed(text)
    assert not tags.open
    names = [tag for tag, _ in tags.seen]
    assert names.count("script") == 1 and not {"link", "img", "iframe"} & {*names}
    for _, attributes in tags.seen:
        assert not {"src", "onclick", "onload"} & attributes.keys()
        assert attributes.get("href", "#").startswith("#")
    _refers_to_nothing(text)


def _refers_to_nothing(text):
    text = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//www|@import|url\(|fetch\(|XMLHttp", text)


def test_a_page_for_every_graph():
    text = text_of(ALL, ".html", **ANY_ORDER)
    count = len(pages_of(ALL, **ANY_ORDER))
    assert count == 9  # second derivatives have two
    assert text.count('<section class="page"') == text.count("<option ") == count
    assert text_of(ALL, ".svg", **ANY_ORDER).count('class="heading"') == count


def test_the_last_frame_says_the_count():
    (page,) = pages_of(SOURCE.format("gradient"))
    text = text_of(SOURCE.format("gradient"), ".html")
    assert f"; {page.multiplications} so far" in text
    assert f'<td class="total">{page.multiplications}</td>' in text


def test_pages_without_steps_can_be_drawn():
    source = SOURCE.format('error(model="enclosure")')
    assert "step 0 of 0" in text_of(source, ".html")


@every_ending
@pytest.mark.parametrize("body", ["y", "2.0", "x", "x * y, 1.0, y", "y, y"])
def test_results_without_a_graph_can_be_drawn(body, ending):
    kinds = "jacobian(x), jvp(x), vjp(x), error"
    if "," not in body:
        kinds += ", gradient(x, value=True), hessian(x), hvp(x)"
    assert text_of(f"# ad: {kinds}\ndef f(x, y):\n    return {body}\n", ending)


# --- dot ------------------------------------------------------------------------------

TOKEN = re.compile(
    r'\s*(?:(?P<comment>//[^\n]*)|(?P<text>"(?:[^"\\]|\\.)*")|(?P<word>\w+)'
    r"|(?P<arrow>->)|(?P<sign>[{}\[\];,=]))"
)


def parsed(text):
    """The nodes and edges of a file in the part of the language that we write."""
    tokens, place = [], 0
    while place < len(text.rstrip()):
        found = TOKEN.match(text, place)
        assert found, text[place : place + 40]
        place = found.end()
        if found.lastgroup != "comment":
            tokens.append(found[0].strip())
    assert tokens[0] == "digraph" and tokens.count("{") == tokens.count("}")
    edges = [(tokens[k - 1], tokens[k + 1]) for k, t in enumerate(tokens) if t == "->"]
    nodes = {
        a for a, b in pairwise(tokens) if b == "[" and re.fullmatch(r"(v|g\d+_)\d+", a)
    }
    return nodes, edges


@pytest.mark.parametrize("source", [ALL, NASTY, SOURCE.format("vjp")])
def test_dot_has_every_vertex_and_edge(source):
    nodes, edges = parsed(text_of(source, ".dot", **ANY_ORDER))
    drawn = pages_of(source, **ANY_ORDER)
    first = [arrow for page in drawn for arrow in page.arrows if not arrow.born]
    assert len(edges) == len(first)
    assert {v for edge in edges for v in edge} <= nodes
    assert len(nodes) >= sum(len(page.vertices) for page in drawn)


@pytest.mark.skipif(
    not shutil.which("dot"), reason="no Graphviz: pip cannot install it"
)
@pytest.mark.parametrize("source", [ALL, NASTY, NOTHING])
def test_graphviz_draws_it(source):
    command = ["dot", "-Tplain"]
    text = text_of(source, ".dot", **ANY_ORDER).encode()
    done = subprocess.run(command, input=text, capture_output=True, check=False)
    assert done.returncode == 0 and not done.stderr
    assert done.stdout.startswith(b"graph")


def test_strings_of_dot_are_quoted():
    assert quoted('a"b\\c') == r'"a\"b\\c"'


@every_ending
def test_any_name_of_a_source_is_written_down(ending):
    name = 'a <b> & "c" --> \\ }.py'
    (subject,) = subjects(NASTY)
    text = drawing([subject], name, ending)
    assert standing(text) is Standing.OURS
    if ending == ".svg":
        assert name in ElementTree.fromstring(text)[0].text
    elif ending == ".html":
        assert "<b>" not in text.partition("<header>")[2].partition("</header>")[0]
    else:
        assert parsed(text)


# --- the stamp ------------------------------------------------------------------------


@every_ending
def test_the_stamp_tells_whose_a_file_is(ending):
    text = stamped("<!DOCTYPE html>\nfirst\nsecond\n", "a--b.py", ending)
    assert standing(text) is Standing.OURS
    assert standing(text.replace("second", "third")) is Standing.EDITED
    assert standing("digraph {}") is Standing.FOREIGN
    assert "--b" not in text


PLAINLY = Options().override(**{"effort": 0} | ANY_ORDER)


def test_all_models_can_be_drawn():
    models = (p for p in MODELS.glob("*.py") if not p.stem.endswith("_grad"))
    for path in part(sorted(models, reverse=True), 5):
        source = path.read_text()
        drawn = draw(source.encode(), path.name, PLAINLY, ".svg")
        assert drawn.text is not None, drawn.diagnostics
        ElementTree.fromstring(drawn.text)
        if "# ad: expand" in source:
            assert "the graph of the emitted code" in drawn.text
