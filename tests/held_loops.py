"""Loops that hold few of their states, over lists and single elements of arrays.

Each has `u`, a vector of run-time length, `k` and a number of steps.
"""

from __future__ import annotations

BODIES = {
    "elements": """\
    v = u.copy()
    # ad: checkpoint(snapshots=3)
    for s in range(steps):
        for i in range(1, len(v) - 1):
            v[i] = v[i] + k * (v[i - 1] - 2.0 * v[i] + v[i + 1]) * v[i]
    return float(np.sum(v * v))
""",
    "two_lists": """\
    old = u.copy()
    new = np.zeros(len(u))
    # ad: checkpoint(snapshots=2)
    for s in range(steps):
        for i in range(1, len(u) - 1):
            new[i] = old[i] + k * (old[i + 1] - 2.0 * old[i] + old[i - 1]) * old[i]
        new[0] = old[0]
        new[-1] = old[-1]
        old, new = new, old
    t = 0.0
    for i in range(len(u)):
        t += old[i] ** 2 + 0.1 * new[i]
    return t
""",
    "history": """\
    hist = [u[0]]
    # ad: checkpoint(snapshots=3)
    for s in range(steps):
        hist.append(hist[-1] + k * np.sin(hist[-1]) * u[s % len(u)])
    return hist[-1] * hist[len(hist) // 2]
""",
    "tested": """\
    v = u.copy()
    trips = 0
    # ad: checkpoint(snapshots=3)
    while trips < steps:
        trips += 1
        for i in range(len(v)):
            v[i] -= k * v[i] ** 2
        if max(v) < 0.2:
            break
    return v[0] * trips + v[-1]
""",
    "nested": """\
    v = u.copy()
    t = 0.0
    # ad: checkpoint(snapshots=2)
    for s in range(steps):
        # ad: checkpoint(snapshots=2)
        for q in range(s % 4):
            v[q % len(v)] += k * v[0] * v[1]
        t += v[0]
    return t * v[2]
""",
    "rows": """\
    rows = [[0.0] * len(u) for _ in range(steps + 1)]
    for i in range(len(u)):
        rows[0][i] = u[i]
    # ad: checkpoint(snapshots=3)
    for s in range(steps):
        for i in range(len(u)):
            rows[s + 1][i] = rows[s][i] + k * rows[s][i - 1] ** 2
    return rows[steps][0] * rows[steps // 2][1]
""",
}
