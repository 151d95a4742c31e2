"""How fast generated C is, in ratios to what a careful hand writes."""

from __future__ import annotations

import ctypes
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from in_c import compiler
from support import corpus, generate, marked

HAND = Path(__file__).parent / "by_hand.c"
ROE = """
import math


# ad: gradient(value=True)
def roe(rl, ul, pl, rr, ur, pr):
    gamma = 1.4
    sl, sr = math.sqrt(rl), math.sqrt(rr)
    hl = gamma / (gamma - 1.0) * pl / rl + 0.5 * ul**2
    hr = gamma / (gamma - 1.0) * pr / rr + 0.5 * ur**2
    u = (sl * ul + sr * ur) / (sl + sr)
    h = (sl * hl + sr * hr) / (sl + sr)
    c2 = (gamma - 1.0) * (h - 0.5 * u * u)
    c = math.sqrt(c2)
    dp, rcd = pr - pl, sl * sr * c * (ur - ul)
    a1, a3 = (dp - rcd) / (2.0 * c2), (dp + rcd) / (2.0 * c2)
    a2 = rr - rl - dp / c2
    waves = abs(u - c) * a1 + abs(u) * a2 + abs(u + c) * a3
    return 0.5 * (rl * ul + rr * ur) - 0.5 * waves
"""
# Each function over and over, at points that differ by what it has just given.
LOOPS = """
#include <stdint.h>
double roe_value_and_grad(double, double, double, double, double, double, double *);
double roe_by_hand(double, double, double, double, double, double, double *);
void robot_arm_value_and_jac(double, double, double, double, double, double, double *,
                             double *);
void arm_by_hand(const double *, double *, double *);

static double room[42];

#define ROE(name, function) \\
    void name(int64_t n, double *out) { \\
        double x = 1.0; \\
        for (int64_t k = 0; k < n; k++) { \\
            x = 1.0 + 1e-9 * function(x, 0.2, 1.0, 0.5, 0.3, 0.7, out + 1); \\
        } \\
        out[0] = function(1.0, 0.2, 1.0, 0.5, 0.3, 0.7, out + 1); \\
    }
void roe_generated(int64_t n, double *out);
void roe_hand(int64_t n, double *out);
ROE(roe_generated, roe_value_and_grad)
ROE(roe_hand, roe_by_hand)

void arm_generated(int64_t n, double *out);
void arm_hand(int64_t n, double *out);
void arm_generated(int64_t n, double *out) {
    double t = 0.1;
    for (int64_t k = 0; k < n; k++) {
        robot_arm_value_and_jac(t, 0.2, 0.3, 0.4, 0.5, 0.6, room, room + 6);
        t = 0.1 + 1e-12 * room[9];
    }
    robot_arm_value_and_jac(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, out, out + 6);
}
void arm_hand(int64_t n, double *out) {
    double t[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
    for (int64_t k = 0; k < n; k++) {
        arm_by_hand(t, room, room + 6);
        t[0] = 0.1 + 1e-12 * room[9];
    }
    t[0] = 0.1;
    arm_by_hand(t, out, out + 6);
}
"""
TRIPS, ROUNDS, MOST = 20_000, 15, 1.2


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("c")
    (arm,) = (c for c in corpus() if c.name == "robot_arm")
    source = marked(arm.source, "robot_arm", "jacobian(value=True)")
    (folder / "roe.c").write_text(generate(ROE, target="c"))
    (folder / "arm.c").write_text(generate(source, target="c"))
    (folder / "loops.c").write_text(LOOPS)
    files = ["roe.c", "arm.c", "loops.c", str(HAND)]
    command = [compiler(), "-std=c99", "-O2", "-shared", "-fPIC", *files]
    subprocess.run([*command, "-o", "all.so", "-lm"], cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "all.so"))


def timed(function: Any, out: Any) -> float:
    start = time.process_time()
    function(ctypes.c_int64(TRIPS), out)
    return time.process_time() - start


@pytest.mark.parametrize("name, count", [("roe", 7), ("arm", 42)])
def test_within_a_fifth_of_hand_written_c(library, name, count):
    rooms = [(ctypes.c_double * count)() for _ in range(2)]
    calls = [getattr(library, f"{name}_{who}") for who in ("generated", "hand")]
    pairs = list(zip(calls, rooms, strict=True))
    rounds = [[timed(call, room) for call, room in pairs] for _ in range(ROUNDS)]
    assert np.allclose(*rooms, rtol=1e-12, atol=1e-10)
    generated, hand = (min(times) for times in zip(*rounds, strict=True))
    print(f"{name}: {generated / hand:.3f} of the time of hand-written C")
    assert generated / hand <= MOST
