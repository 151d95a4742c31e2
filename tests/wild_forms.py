"""What random sources are made of: expressions, tests, lists, items to go over.

In a form {f} is a float, {e} a larger one, {w} a whole number, {t} a test, {u} a list
or vector, {p} a list, {v} and {i} targets, {k} a number, {d} a digit. The number beside
a form is its weight.
"""

from __future__ import annotations

HEAD = '''import itertools
import math

GAIN = 0.7
TABLE = (0.5, -0.25, GAIN, 1.5)
PAIRS = ((0, 0.5), (2, -0.75), (1, 0.125))
PLACES = (0, 2, 1)
RATES = {"one": 0.5, "two": -0.75, "three": GAIN}


def swing(t, depth):
    """Calls itself."""
    if depth <= 0:
        return 0.5 * t
    return math.sin(swing(0.9 * t, depth - 1)) + 0.1 * t


def both(s, t=0.25, *, by=1.0):
    return s * by + t, s - by * t


def scaled(t, law="one", bias: "float | None" = None):
    if bias is None:
        bias = GAIN
    match law:
        case "one" | "uno":
            return t * bias
        case "two":
            return t + bias
    return bias - t


def weighed(xs, t, table):
    total = 0.0
    for k, q in enumerate(xs, 1):
        if q > t:
            total += table["u"] * q / k
        else:
            total -= table["v"]
    return {**table, "w": total}


'''
PARAMETERS = 'a: float, b: float, c: float, n: int, kind: str, x: "Vector[m]"'

SCALARS = (
    ("{f} * {f}", 4),
    ("{f} + {f}", 4),
    ("{f} - {k} * {f}", 4),
    ("-{f} + {k}", 2),
    ("math.sin({f} + {f})", 3),
    ("math.exp(-{f} * {f})", 2),
    ("math.cos({e}) * {f}", 2),
    ("{f} / (1.5 + {f} * {f})", 3),
    ("({f} if {t} else {f})", 2),
    ("({f} if {t} else {f} if {t} else {f})", 1),
    ("abs({f}) - {f}", 1),
    ("max({f}, {k} * {f})", 1),
    ("min({f}, {f}, {k})", 1),
    ("{k} * {w} + {f}", 2),
    ("({f}) ** 2 - {f} ** 3", 1),
    ("{f} ** ({w} % 3)", 1),
    ("abs({f}) ** 1.5", 1),
    ("TABLE[{w} % 4] * {f}", 2),
    ("TABLE[-1 - {w} % 2] + {f}", 1),
    ("(a, b, {f})[{w} % 3]", 1),
    ("sum(q * {f} for q in (a, b, {k}))", 1),
    ("sum({f} * q for q in TABLE[1:])", 1),
    ("sum(math.sin({f} + q) for q in range({w} % 4))", 1),
    ("max(q * {f} for q in (a, {f}, {k}))", 1),
    ("math.prod(0.5 + 0.5 * {f} for _ in range({w} % 3))", 1),
    ("sum([{f}, {k}, {f}][{w} % 2:])", 1),
    ("sum(p * q for p, q in zip(TABLE, (a, b, {f})))", 1),
    ("float({w}) * {f}", 1),
    ("{w} / 4 * {f}", 1),
    ("({f} > {k}) * {f}", 1),
    ("swing({f}, {w} % 3)", 1),
    ("both({f})[1]", 1),
    ("both({f}, by={f})[0]", 1),
    ("scaled({f}, kind)", 1),
    ("scaled({f}, 'two', {f})", 1),
    ("(lambda s, t: s * t - s)({f}, {k})", 1),
    ("(r := {f} * 0.5) + r * r", 1),
    ("{f} % 0.75", 1),
    ("{f} // 0.5 * {f}", 1),
    ("math.hypot({f}, 0.3)", 1),
    ("math.sqrt(1.0 + {f} * {f})", 1),
    ("math.log1p(abs({f}))", 1),
    ("math.atan2({f}, 1.5 + abs({f}))", 1),
    ("math.copysign({f}, {f})", 1),
    ("math.floor({f} * 3.0) * {f}", 1),
    ("sorted((a, {f}, {k}))[{w} % 3]", 1),
    ("sorted([{f}, b, {f}], key=lambda q: 0.3 * q - q * q, reverse=True)[1]", 1),
    ("min((a, {f}, {k}), key=abs)", 1),
    ("sum(q - p * p for p, q in itertools.pairwise((a, {f}, {k})))", 1),
    ("sum(p * q for p, q in itertools.product((a, {k}), (b, {f})))", 1),
    ("list(itertools.accumulate((a, {f}, {k})))[{w} % 3]", 1),
    ("RATES[kind] * {f}", 1),
    ("dict(RATES, one={f})[kind]", 1),
    ("dict(one={f}, two=b).get(kind, {f})", 1),
    ("weighed(x, {k}, dict(u={f}, v={f}))['w']", 1),
    ("sum(dict(zip(RATES, (a, b, {f}))).values())", 1),
)
LISTS = (
    ("{u}[{w} % len({u})]", 4),
    ("{u}[-1]", 2),
    ("{u}[0] * {f}", 1),
    ("0.2 * sum({u})", 1),
    ("0.2 * sum(v * {f} for v in {u})", 1),
    ("0.2 * sum(p * q for p, q in zip({u}, x))", 1),
    ("0.2 * sum(v for v in {u} if v > {k})", 1),
    ("0.1 * sum({u}[1:])", 1),
    ("0.1 * sum({u}[::-1])", 1),
    ("0.1 * len({u}) * {f}", 1),
    ("0.2 * sum(p * q for p, q in itertools.pairwise({u}))", 1),
    ("0.2 * max((v for v in {u} if v > {k}), default={f})", 1),
    ("weighed({u}, {f}, dict(u=b, v={k}))['w']", 1),
)
TESTS = (
    ("{f} > {k}", 5),
    ("{f} < {f}", 4),
    ("{k} < {f} <= {f} + 1.0", 2),
    ("{w} % 2 == 1", 3),
    ("{w} > 1 and {f} > {k}", 2),
    ("not {f} > {k} or {f} > 0.1", 2),
    ("not ({t} and {f} > {k})", 1),
    ("({t}) == ({f} < {k})", 1),
    ("{w}", 1),
    ("not {w}", 1),
    ("{f}", 1),
    ("kind == 'one'", 1),
    ("kind in ('two', 'three')", 1),
    ("{w} in (0, 2, 3)", 1),
    ("(s := {e}) > {k} and s < 2.0", 1),
    ("any(q > {f} for q in TABLE)", 1),
    ("all(q * {f} < 0.5 for q in (a, b))", 1),
    ("{w} != {w}", 1),
    ("1 <= {w} < 3 or {f} >= {k}", 1),
)
WHOLES = (
    ("({w} * 3 + {d}) % 5", 3),
    ("({w} + {d}) // 2", 2),
    ("-{w} % 4", 1),
    ("abs({w} - 2)", 1),
    ("max({w}, {w}) % 5", 1),
    ("min({w}, 3)", 1),
    ("({w} if {t} else {w})", 1),
    ("len(x) % 4", 1),
    ("int({f} * 2.0) % 4", 1),
    ("PLACES[{w} % 3]", 1),
    ("sum(1 for q in (a, b, {f}) if q > {k})", 1),
    ("int({t})", 1),
    ("divmod({w} + 7, 3)[1]", 1),
    ("({w} ** 2) % 5", 1),
)
NEW = (
    "[{f}, {f}]",
    "[0.5] * ({w} % 3 + 1)",
    "[v * {f} for v in (a, b, {k})]",
    "[{f} * q for q in range({w} % 3 + 1)]",
    "[a, *{p}]",
    "list(TABLE)",
    "{p} + [{f}]",
    "{p}.copy()",
    "{p}[::-1]",
    "[v + {k} for v in {p}]",
    "[v if v > {k} else {f} for v in {p}]",
)
RANGES = (
    ("3", 2),
    ("{w} % 4", 3),
    ("{w} % 3 + 1", 2),
    ("1, {w} % 4 + 1", 2),
    ("{w} % 4, -1, -1", 2),
    ("0, 7, {w} % 2 + 2", 2),
    ("2, 2", 1),
    ("5, {w} % 3, -2", 2),
    ("len(x)", 2),
    ("len(x) - 1, -1, -1", 1),
    ("-1, -3, -1", 1),
)
ITEMS = (
    ("{v}", "(a, {e}, 0.5)"),
    ("{v}", "TABLE"),
    ("{v}", "TABLE[{w} % 3:]"),
    ("{v}", "x"),
    ("{v}", "x[::-1]"),
    ("{v}", "x[1:]"),
    ("{i}, {v}", "PAIRS"),
    ("{i}, {v}", "enumerate(x)"),
    ("{i}, {v}", "enumerate((b, {e}), start=1)"),
    ("{i}, {v}", "zip(range(3), TABLE)"),
    ("{v}, r", "zip(x, TABLE)"),
    ("{i}, ({v}, r)", "enumerate(zip(x, reversed(x)))"),
    ("{v}", "reversed((a, b, {e}))"),
    ("{v}", "[{e}, {e}]"),
    ("{v}", "list({p})"),
    ("{i}", "(2, 0, 1)"),
    ("{v}", "(q * q for q in (a, b))"),
    ("{v}, r", "itertools.pairwise(x)"),
    ("{v}, r", "zip((a, {e}), TABLE[2:], strict=True)"),
    ("{v}", "itertools.chain((a, {e}), TABLE[:1])"),
    ("{v}", "sorted((b, {e}))"),
)
