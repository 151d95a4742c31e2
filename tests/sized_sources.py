"""Sources of any size: what their derivatives cost should grow as they do."""

from __future__ import annotations

import random


def pair_potential(atoms: int, kind: str) -> str:
    """The energy of all pairs of atoms in space."""
    names = [f"{axis}{i}: float" for i in range(atoms) for axis in "xyz"]
    pairs = [_PAIR.format(i=i, j=j) for i in range(atoms) for j in range(i)]
    return _marked(kind, names, ["    e = 0.0\n", *pairs], "e")


_PAIR = """\
    dx = x{i} - x{j}
    dy = y{i} - y{j}
    dz = z{i} - z{j}
    s = 1.0 / (dx * dx + dy * dy + dz * dz)
    t = s * s * s
    e = e + t * (t - 1.0)
"""


def lennard_jones(atoms: int, kind: str) -> str:
    """The same with powers of distances."""
    names = [f"{axis}{i}: float" for i in range(atoms) for axis in "xyz"]
    pairs = [_POWERS.format(i=i, j=j) for i in range(atoms) for j in range(i)]
    return _marked(kind, names, ["    e = 0.0\n", *pairs], "e")


_POWERS = """\
    dx = x{i} - x{j}
    dy = y{i} - y{j}
    dz = z{i} - z{j}
    square = dx**2 + dy**2 + dz**2
    s = (1.0 / square) ** 3
    e = e + 4.0 * (s * s - s)
"""


def runge_kutta(steps: int, kind: str) -> str:
    """So many steps for Van der Pol's oscillator, one after the other."""
    names = [f"{name}: float" for name in ("x", "y", "mu", "h")]
    return _STEP + _marked(kind, names, ["    x, y = step(x, y, mu, h)\n"] * steps, "x")


_STEP = """\
def slope(x, y, mu):
    return y, mu * (1.0 - x * x) * y - x


def step(x, y, mu, h):
    a, b = slope(x, y, mu)
    c, d = slope(x + 0.5 * h * a, y + 0.5 * h * b, mu)
    p, q = slope(x + 0.5 * h * c, y + 0.5 * h * d, mu)
    r, s = slope(x + h * p, y + h * q, mu)
    x = x + h / 6.0 * (a + 2.0 * (c + p) + r)
    return x, y + h / 6.0 * (b + 2.0 * (d + q) + s)


"""


def predator_prey(steps: int, kind: str) -> str:
    """So many steps for predators and prey by the midpoint rule."""
    return _of_prey(_MIDPOINT, steps, kind)


_MIDPOINT = """\
def step(x, y, a, b, c, d, h):
    u = x + 0.5 * h * (a * x - b * x * y)
    v = y + 0.5 * h * (d * x * y - c * y)
    return x + h * (a * u - b * u * v), y + h * (d * u * v - c * v)


"""


def prey_by_runge_kutta(steps: int, kind: str) -> str:
    """So many steps for predators and prey by the method of Runge and Kutta."""
    return _of_prey(_RUNGE_KUTTA, steps, kind)


_RUNGE_KUTTA = """\
def slope(x, y, a, b, c, d):
    return a * x - b * x * y, d * x * y - c * y


def step(x, y, a, b, c, d, h):
    k1, l1 = slope(x, y, a, b, c, d)
    k2, l2 = slope(x + 0.5 * h * k1, y + 0.5 * h * l1, a, b, c, d)
    k3, l3 = slope(x + 0.5 * h * k2, y + 0.5 * h * l2, a, b, c, d)
    k4, l4 = slope(x + h * k3, y + h * l3, a, b, c, d)
    x = x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return x, y + h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4)


"""


def plain_steps(steps: int, kind: str) -> str:
    """So many plain steps for predators and prey."""
    return _of_prey(_PLAIN_STEP, steps, kind)


_PLAIN_STEP = """\
def step(x, y, a, b, c, d, h):
    u = x + h * (a * x - b * x * y)
    v = y + h * (d * x * y - c * y)
    return u, v


"""


def _of_prey(step: str, steps: int, kind: str) -> str:
    names = [f"{name}: float" for name in ("x", "y", "a", "b", "c", "d", "h")]
    call = "    x, y = step(x, y, a, b, c, d, h)\n"
    return step + _marked(kind, names, [call] * steps, "x")


def network(species: int, kind: str) -> str:
    """Rates of change of species by twice as many reactions of two to one."""
    rng = random.Random(species)
    names = [f"c{i}: float" for i in range(species)]
    rates = [f"c{i}" for i in range(species)]
    lines = []
    for r in range(2 * species):
        i, j, k = rng.sample(range(species), 3)
        lines.append(f"    r{r} = {1 + r % 7}.5 * c{i} * c{j}\n")
        for place, sign in ((i, "-"), (j, "-"), (k, "+")):
            rates[place] += f" {sign} r{r}"
    return _marked(kind, names, lines, ", ".join(rates))


def exits(count: int, head: str, loop: str, names: tuple[str, str, str]) -> str:
    """A loop that a `return`, `break` or `continue` may leave at so many places.

    `names` are those of the first value, of its factor, and of the value that decides.
    """
    start, factor, test = names
    lines = ["import math", "", "", head, f"    s = {start}", f"    {loop}"]
    for k in range(count):
        way = ("return s * 1.5", "break", "continue")[k % 3]
        lines += [
            f"        if s > {k + 1.5}:",
            f"            s = s * {factor} + {k}.25",
            f"            if {test} > {k + 2.0}:",
            f"                {way}",
            f"        s = s + math.sin(s * {factor} + {k}.0)",
        ]
    return "\n".join([*lines, f"    return s * {factor}", ""])


def _marked(kind: str, names: list[str], lines: list[str], result: str) -> str:
    head = f"# ad: {kind}\ndef f({', '.join(names)}):\n"
    return f"{head}{''.join(lines)}    return {result}\n"
