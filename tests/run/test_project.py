"""pyproject.toml: what it may say, and what it is told when it says something else."""

import pytest

from ad_transform.run.outputs import default_output
from ad_transform.run.project import (
    Entry,
    Misconfigured,
    Project,
    Rule,
    load,
    locate,
)


def write(folder, text, name="pyproject.toml"):
    path = folder / name
    path.write_text(text)
    return str(path)


def test_settings_and_manifest(tmp_path):
    path = write(
        tmp_path,
        '[tool.ad-transform]\norder = "reverse"\nline-length = 79\n'
        '[[tool.ad-transform.file]]\nsource = "src/a.py"\noutput = "gen/a.py"\n'
        'container = "tuple"\n'
        '[[tool.ad-transform.file]]\nsource = "b.py"\n',
    )
    here = str(tmp_path)
    project = load(path)
    assert project == Project(
        path,
        {"order": "reverse", "line_length": 79},
        (
            Rule(
                (f"{here}/src/a.py",),
                output="gen/a.py",
                settings={"container": "tuple"},
            ),
            Rule((f"{here}/b.py",)),
        ),
        folder=here,
    )
    assert [*project.entries_of(f"{here}/src/a.py")] == [
        Entry(f"{here}/src/a.py", f"{here}/gen/a.py", {"container": "tuple"})
    ]
    assert [*project.entries_of(f"{here}/b.py")] == [
        Entry(f"{here}/b.py", f"{here}/b_grad.py", {}, usual=True)
    ]


WRONG = {
    '[tool.ad-transform]\nordr = "reverse"': "did you mean 'order'?",
    "[tool.ad-transform]\nline_length = 79": "did you mean 'line-length'?",
    '[tool.ad-transform]\norder = "backward"': "not 'backward'; known: auto, forward",
    "[tool.ad-transform]\norder = 3": "order is the name of an order, not 3",
    '[tool.ad-transform]\ntarget = "numba"': "'numba' is not supported yet",
    "[tool.ad-transform]\neffort = 4": "effort is a whole number from 0 to 3, not 4",
    "[tool.ad-transform]\neffort = true": "effort is a whole number",
    '[tool.ad-transform]\ncost = "fna"': "did you mean 'fma'?",
    "[tool.ad-transform]\nfile = 3": "not a list of tables",
    '[[tool.ad-transform.files]]\nsource = "a.py"': "did you mean 'file'?",
    '[[tool.ad-transform.file]]\noutput = "a.py"': "has no source",
    "[[tool.ad-transform.file]]\nsource = 3": "source of [[tool.ad-transform.file]] is",
    '[[tool.ad-transform.file]]\nsource = "a"\nsuorce = ""': "did you mean 'source'?",
    '[[tool.ad-transform.file]]\nsource = "a.py"\n'
    '[[tool.ad-transform.file]]\nsource = "./a.py"': "have the output 'a_grad.py'",
    '[[tool.ad-transform.file]]\nsource = "a\\u0000"': "is a path, not",
    '[[tool.ad-transform.file]]\nsource = ["a.py", 3]': "is a path, not 3",
    "[[tool.ad-transform.file]]\nsource = []": "is empty",
    '[[tool.ad-transform.file]]\nsource = "*.py"\noutput = "x.py"': "one output",
    '[[tool.ad-transform.file]]\nsource = "a"\noutput = "{name}"': "knows {stem}",
    "[tool.ad-transform]\nexclude = 3": "exclude of [tool.ad-transform] is a path",
    "[tool.black]": "there is no [tool.ad-transform]",
    "[tool]\nad-transform = 1": "is not a table",
    "tool = 3": "there is no [tool.ad-transform]",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_said(tmp_path, text):
    with pytest.raises(Misconfigured) as caught:
        load(write(tmp_path, text))
    assert WRONG[text] in str(caught.value)
    assert caught.value.diagnostic.code == "AD008"


def test_a_syntax_error_has_its_place(tmp_path):
    with pytest.raises(Misconfigured) as caught:
        load(write(tmp_path, "[tool.ad-transform]\norder = reverse\n"))
    span = caught.value.diagnostic.span
    assert span is not None and (span.line, span.column) == (2, 9)


PLACES = {
    "[tool.black]\norder = 1\n[tool.ad-transform]\n\nodrer = 1": (5, 1, 6),
    '[tool.ad-transform]\n  "effort" = 9 # effort = 1': (2, 3, 11),
    "[tool.ad-transform]\nfile = 3": (2, 1, 5),
    '[[tool.ad-transform.file]]\nsource = "a"\n[[ tool.ad-transform.file ]]': (
        3,
        1,
        29,
    ),
    '[[tool.ad-transform.file]]\nsource = "a"\noutput = "./a"': (3, 1, 7),
    '[[tool.ad-transform.file]]\nsource = "a"\n\n[[tool.ad-transform.file]] # x\n'
    'source = "b"\neffort = 7': (6, 1, 7),
    '[[tool.ad-transform.file]]\nsource = "a"\noutput = "-"': (3, 1, 7),
}


@pytest.mark.parametrize("text", PLACES)
def test_a_wrong_key_has_its_place_and_a_way_out(tmp_path, text):
    with pytest.raises(Misconfigured) as caught:
        load(write(tmp_path, text))
    span = caught.value.diagnostic.span
    assert span is not None
    assert (span.line, span.column, span.end_column) == PLACES[text]
    assert caught.value.diagnostic.help


def test_a_key_written_inline_has_none(tmp_path):
    with pytest.raises(Misconfigured) as caught:
        load(write(tmp_path, "tool.ad-transform.odrer = 1"))
    assert caught.value.diagnostic.span is None


def test_bytes_that_are_not_text(tmp_path):
    path = tmp_path / "pyproject.toml"
    path.write_bytes(b"# \xff\n")
    with pytest.raises(Misconfigured, match="UTF-8"):
        load(str(path))


def test_a_missing_file(tmp_path):
    with pytest.raises(Misconfigured, match="cannot be read"):
        load(str(tmp_path / "none.toml"))


def test_the_nearest_table_counts(tmp_path):
    outer = write(tmp_path, "[tool.ad-transform]\n")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    write(tmp_path / "a", "[tool.black]\n")
    assert locate(str(inner)) == outer


def test_the_search_ends_at_the_repository(tmp_path):
    write(tmp_path, "[tool.ad-transform]\n")
    (tmp_path / "a" / ".git").mkdir(parents=True)
    assert locate(str(tmp_path / "a")) is None


@pytest.mark.parametrize(
    "source, output",
    {
        "model.py": "model_grad.py",
        "a/b.c.py": "a/b.c_grad.py",
        "a": "a_grad.py",
    }.items(),
)
def test_default_output(source, output):
    assert default_output(source) == output
