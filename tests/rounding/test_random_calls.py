"""Estimates of random programs that are cut into functions, all of which are kept.

A few run in the suite, always the same; `AD_TRANSFORM_PROGRAMS=20000` runs so many.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from itertools import islice, pairwise

import pytest
from amounts import amount
from rounding.claims import IMPORTS, MARK, SUFFIXES, Estimators, broken
from rounding.scalar_programs import Program, Use, cases, spelled
from support import load_generated

COUNT = int(os.environ.get("AD_TRANSFORM_PROGRAMS", amount(3, 60)))
BATCH = min(COUNT, 20)


def cut(program: Program, name: str, source: random.Random) -> str:
    """The source of a program whose steps stand in functions, some in each."""
    width, count = program.width, len(program.steps)
    names = [*"xyz"[:width], *(f"t{k}" for k in range(count))]
    inside = sorted(source.sample(range(1, count), min(2, count - 1)))
    texts: list[str] = []
    main = [f"def {name}({', '.join(f'{p}: float' for p in names[:width])}):"]
    for first, last in pairwise([0, *inside, count]):
        steps = program.steps[first:last]
        own = range(width + first, width + last)
        used = {a.index for s in steps for a in s.args if isinstance(a, Use)}
        given = ", ".join(names[k] for k in sorted(used - {*own}))
        later = {
            a.index for s in program.steps[last:] for a in s.args if isinstance(a, Use)
        }
        gives = ", ".join(names[k] for k in sorted({*own} & later) or [own[-1]])
        called = f"{name}_{first}"
        body = [
            f"    {names[k]} = {spelled(program.steps[k - width], names)}" for k in own
        ]
        texts += [f"def {called}({given}):", *body, f"    return {gives}", ""]
        main.append(f"    {gives} = {called}({given})")
    return "\n".join([*texts, f"# ad: {MARK}", *main, f"    return {names[-1]}", ""])


def estimators(programs: Sequence[Program], seed: str) -> list[Estimators]:
    """The four functions of each program, cut into functions that are kept."""
    source = random.Random(seed)
    parts = [cut(p, f"f{k}", source) for k, p in enumerate(programs)]
    space = load_generated("\n\n".join((IMPORTS, *parts)), inline="never")
    return [{s: space[f"f{k}_{s}"] for s in SUFFIXES} for k in range(len(programs))]


@pytest.mark.parametrize("batch", range(max(1, COUNT // BATCH)))
def test_no_claim_is_wrong_of_functions_that_are_called(batch: int) -> None:
    found = list(islice(cases(f"calls {batch}", 6), BATCH))
    own = estimators([case.program for case in found], f"cut {batch}")
    for made, case in zip(own, found, strict=True):
        for point in case.points:
            wrong = list(broken(made, case.program, point))
            assert not wrong, (case.program.source("f"), point, wrong)
