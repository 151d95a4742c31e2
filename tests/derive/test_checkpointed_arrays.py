"""`# ad: checkpoint(snapshots=k)` above loops that change lists and single elements."""

from __future__ import annotations

import re

import black
import held_loops
import numpy as np
import pytest
from amounts import LONG, search
from support import flat, generate, load, load_generated

KINDS = "jvp", "vjp", "hvp"

# Each has `u`, a vector of run-time length, `k` and a number of steps.
BODIES = {
    **held_loops.BODIES,
    "state in a list": """\
    v = [u[0], u[1], u[2]]
    # ad: checkpoint(snapshots=3)
    for s in range(steps):
        v[0], v[1], v[2] = v[0] + k * v[1], v[1] - k * v[0] * v[2], v[2] * (1.0 - k)
    return v[0] * v[1] + v[2]
""",
    "left": """\
    v = u.copy()
    t = 0.0
    # ad: checkpoint(snapshots=2)
    for s in range(steps):
        j = s % len(v)
        v[j] = v[j] * (1.0 + k)
        t += v[0] * v[1]
        if t > 9.0:
            return t * v[j]
        if v[1] > 1.5:
            continue
        v[1] = v[1] + 0.1 * k
    return t * v[-1]
""",
    "in a loop": """\
    v = u.copy()
    t = 0.0
    for s in range(steps):
        # ad: checkpoint(snapshots=2)
        for q in range(4):
            for i in range(len(v)):
                v[i] = v[i] + 0.1 * k * v[i - 1] * v[i]
        t += v[0] * v[1]
        v[2] = v[2] / (1.0 + v[2])
    return t * v[2]
""",
    "in an arm": """\
    v = u.copy()
    if k > 0.25:
        # ad: checkpoint(snapshots=2)
        for q in range(steps):
            for i in range(len(v)):
                v[i] = v[i] + 0.1 * k * v[i - 1] * v[i]
    else:
        v[0] = k
    v[1] = v[1] * v[0]
    return v[0] * v[1]
""",
    "reads what changes later": """\
    w = [x * 2.0 for x in u]
    y = k
    for s in range(3):
        # ad: checkpoint(snapshots=3)
        for q in range(steps):
            y = y + 0.1 * k * w[q % len(w)] * y
        w[s] = y * 0.1
    return y + w[1]
""",
    "reads in an arm what changes later": """\
    w = [x * 2.0 for x in u]
    y = k
    if k > 0.25:
        # ad: checkpoint(snapshots=3)
        for q in range(steps):
            y = y + 0.1 * k * w[q % len(w)] * y
    w[0] = y * 0.1
    return y + w[1] * w[0]
""",
}
POINTS = [(k, steps) for k in (0.3, 0.2) for steps in (0, 1, 2, 7)]


def head_of(name):
    """The head of a function: gradients, and one of the other kinds or all of them."""
    turn = [*BODIES].index(name) % 3
    kinds = "gradient", *(KINDS if LONG else KINDS[turn : turn + 1])
    mark = ", ".join(f"{kind}(u, k)" for kind in kinds)
    return f'# ad: {mark}\ndef f(u: "Vector[n]", k: float, steps: int):\n'


def source_of(name):
    return f"import numpy as np\n\n\n{head_of(name)}{BODIES[name]}"


KEPT = ("elements", "two_lists", "in an arm", "reads what changes later")


@pytest.mark.parametrize(
    ("name", "options"),
    [*((name, {}) for name in BODIES), *((name, {"inline": "never"}) for name in KEPT)],
)
def test_derivatives_are_those_of_the_plain_loop(name, options):
    source = source_of(name)
    if options:  # the loop is in a function that is kept
        source = source.replace("def f(", "def f(u: 'Vector[n]', k, steps):\n")
        source = re.sub(
            r"# ad: gradient.*\n.*\n.*\n", "def walk(u, k, steps):\n", source
        )
        source += f"\n\n{head_of(name)}    a = walk(u, k, steps)\n"
        source += "    return a * walk(u, k, 2)\n"
    options = options | search(source)
    text = generate(source, **options)
    assert "snapshots" in text
    assert black.format_str(text, mode=black.Mode()) == text
    plain = load_generated(re.sub(r" *# ad: checkpoint.*\n", "", source), **options)
    held = load(text)
    u, seed = np.array([0.4, 0.9, 0.6, 0.7]), np.array([0.5, -1.0, 0.25, 2.0])
    for k, steps in POINTS:
        for kind, seeds in {
            "f_grad": (),
            "f_jvp": (seed, 0.5),
            "f_vjp": (0.7,),
            "f_hvp": (seed, 0.5),
        }.items():
            if kind not in held:
                continue
            args = (u.copy(), k, *seeds, steps)
            got, want = (flat(module[kind](*args)) for module in (held, plain))
            assert got == pytest.approx(want, rel=1e-12, abs=1e-13), (kind, k, steps)
            assert args[0].tolist() == u.tolist()


def test_no_more_states_than_asked_for_are_held():
    text = generate(source_of("elements"))
    module = load(text)
    held = []

    class Watched(list):
        def append(self, state):
            super().append(state)
            held.append(len(self))

    text = re.sub(r"snapshots = \[(.*)\]", r"snapshots = Watched([\1])", text)
    watched = load(f"Watched = None\n{text}")
    watched["Watched"] = Watched
    u = np.linspace(0.2, 0.9, 6)
    for trips in (1, 5, 40):
        got = watched["f_grad"](u, 0.05, trips)
        assert flat(got) == flat(module["f_grad"](u, 0.05, trips))
    assert max(held) == 3 + 1  # and the one that the way back begins with


def test_states_are_not_changed_by_trips_that_start_from_them():
    module = load_generated(source_of("elements"))
    step, seen = module["_f_grad_step"], []

    def watching(v, k):
        before = list(v)
        made = step(v, k)
        assert list(v) == before and made is not v
        seen.append(made)
        return made

    module["_f_grad_step"] = watching
    module["f_grad"](np.linspace(0.2, 0.9, 6), 0.05, 9)
    assert len(seen) > 9
