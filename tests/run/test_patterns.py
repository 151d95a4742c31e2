"""Patterns of paths: what they cover, and what a walk passes over."""

import pytest

from ad_transform.run.outputs import bad_output, output_of
from ad_transform.run.patterns import glob, walk

COVERED = {
    ("*.py", "a.py"): True,
    ("*.py", "b/a.py"): False,
    ("b/*.py", "b/a.py"): True,
    ("**/*.py", "a.py"): True,
    ("**/*.py", "b/c/a.py"): True,
    ("b/**", "b/c/a.py"): True,
    ("b/**/c/*.py", "b/c/a.py"): True,
    ("b/**/c/*.py", "b/x/y/c/a.py"): True,
    ("b/**/c/*.py", "b/x/a.py"): False,
    ("./b/../b/[!x].py", "b/a.py"): True,
    ("?.py", "ab.py"): False,
    ("../d/*.py", "a.py"): True,
}


@pytest.mark.parametrize("case", COVERED, ids=" ".join)
def test_what_a_pattern_covers(case):
    pattern, path = case
    assert glob("/r/d", pattern).covers(f"/r/d/{path}") is COVERED[case]


WITHIN = {
    ("b", "b/c/a.py"): True,
    ("b/", "b/a.py"): True,
    ("b", "bc/a.py"): False,
    ("**/old", "b/old/c/a.py"): True,
    ("old_*.py", "b/old_a.py"): False,
    ("**/old_*.py", "b/old_a.py"): True,
}


@pytest.mark.parametrize("case", WITHIN, ids=" ".join)
def test_what_an_exclusion_covers(case):
    pattern, path = case
    assert glob("/r/d", pattern).covers_within(f"/r/d/{path}") is WITHIN[case]


def test_many_stars_take_no_time():
    pattern = glob("/r", "/".join(["**", "a*a*a*a*a*b"] * 30))
    assert not pattern.covers("/r/" + "/".join(["a" * 40] * 60))


def test_a_walk_is_sorted_and_passes_over_what_is_not_the_users(tmp_path):
    mine = ["a.py", "b/c.py", "b/d/e.py", "z.py"]
    others = [
        ".hidden.py",
        ".venv/x.py",
        "__pycache__/x.py",
        "b/node_modules/x.py",
        "env/pyvenv.cfg",
        "env/lib/x.py",
    ]
    for name in (*mine, *others):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    found = [path.removeprefix(f"{tmp_path}/") for path in walk(str(tmp_path))]
    assert found == mine
    assert [*walk(str(tmp_path), 1)] == [f"{tmp_path}/a.py", f"{tmp_path}/z.py"]


OUTPUTS = {
    None: "/r/src/p/m_grad.py",
    "{stem}_ad.py": "/r/src/p/m_ad.py",
    "gen/{stem}.py": "/r/gen/m.py",
    "gen/{folder}/{stem}.py": "/r/gen/src/p/m.py",
    "./{stem}.py": "/r/m.py",
    "x.py": "/r/x.py",
}


@pytest.mark.parametrize("wanted", OUTPUTS, ids=str)
def test_where_a_source_goes(wanted):
    assert output_of("/r/src/p/m.py", wanted, "/r") == OUTPUTS[wanted]


def test_outputs_that_cannot_be():
    assert bad_output("x.py", several=False) is None
    assert bad_output("x.py", several=True) is not None
    assert bad_output("{name}.py", several=False) is not None
    assert bad_output("{stem.py", several=False) is not None
