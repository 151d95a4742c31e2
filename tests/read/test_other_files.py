"""Functions and constants of other files of the project: read, never imported."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from amounts import ANY_ORDER
from support import ORIGIN, flat, load

from ad_transform.around import ALONE, Around
from ad_transform.options import Options
from ad_transform.read import read
from ad_transform.run.job import transform

HEAD = "\n\n# ad: gradient(x)\ndef f(x, k=1.0):\n"


def around(files, own="model.py"):
    """A project held in a dict."""

    def content(path):
        text = files.get(path)
        if path.endswith("/"):
            inside = {p[len(path) :].partition("/")[0] for p in files}
            text = "\n".join(sorted(inside)) if path == "/" else text
        return None if text is None else text.encode()

    return Around(own, content)


def made(source, files, own="model.py"):
    """The generated text; the source must not be refused."""
    options = Options().override(**ANY_ORDER)
    result = transform(source.encode(), own, ORIGIN, options, around(files, own))
    assert result.text is not None, result.diagnostics
    return result.text


def said(source, files, own="model.py"):
    """Code, file, line and message of what is wrong."""
    found = read(source.encode(), own, around(files, own)).diagnostics
    return [(d.code, d.span.path, d.span.line, d.message) for d in found]


def in_python(source, files, own, folder, monkeypatch):
    """What Python makes of the files, imported as it does."""
    for path, text in {**files, own: source}.items():
        place = Path(folder, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    monkeypatch.syspath_prepend(str(folder))
    before = set(sys.modules)
    try:
        name = own.removesuffix(".py").replace("/", ".")
        return __import__(name, fromlist=["f"]).f
    finally:
        for name in set(sys.modules) - before:
            del sys.modules[name]


CONDUCTIVITY = """\
import math
from .units import KELVIN as ZERO, scaled as _scaled

K0 = 16.2  # W/(m K)
SLOPE = math.exp(-6.0) * K0
TABLE = (1.0, math.log(3.0), 2.0)


def conductivity(t, slope=SLOPE):
    return K0 * (1.0 + slope * (t - ZERO)) + TABLE[1] * _own(t)


def _own(t):
    return _scaled(t) + K0
"""
UNITS = """\
from math import sin as sine

KELVIN = 2.7
SCALE = 2.0


def scaled(t, by=2.0 * SCALE):
    return by * sine(t)
"""
PACKAGE = {
    "thermal/__init__.py": "from .units import scaled, KELVIN\n",
    "thermal/materials.py": CONDUCTIVITY,
    "thermal/units.py": UNITS,
    "flat.py": "from thermal.units import sine\nG = 9.81\n\n\ndef g(x):\n"
    "    return G * sine(x)\n",
}
SPELLINGS = [
    ("from .materials import conductivity", "conductivity(x) * x"),
    ("from thermal.materials import conductivity as c", "c(x, slope=k)"),
    ("import thermal.materials", "thermal.materials.conductivity(x)"),
    ("import thermal.materials as m", "m.conductivity(x) + m.K0 * x"),
    ("from . import materials", "materials.conductivity(x) + x * materials.TABLE[1]"),
    ("from thermal import materials as m, KELVIN", "m.conductivity(x) + KELVIN * x"),
    ("from . import scaled", "scaled(x) * scaled(x, k)"),
    ("import thermal", "thermal.scaled(x) + thermal.units.SCALE * x"),
    ("import flat", "flat.g(x) * flat.sine(x)"),
    ("from flat import g, sine as s", "s(g(x))"),
    ("from .materials import SLOPE, K0 as K", "SLOPE * x + K * x * x"),
    ("from .units import *\nfrom .units import scaled", "scaled(x)"),
    ("SCALE = 3.0\nfrom .units import scaled", "scaled(SCALE * x)"),
    ("from .materials import K0\nK1 = 2.0 * K0", "K1 * x * x"),
]


@pytest.mark.parametrize(("imports", "result"), SPELLINGS)
def test_what_is_imported_means_what_it_means_there(
    imports, result, tmp_path, monkeypatch
):
    source = f"{imports}{HEAD}    return {result}\n"
    own = "thermal/model.py"
    text = made(source.replace("gradient(x)", "gradient(x, value=True)"), PACKAGE, own)
    theirs = in_python(source, PACKAGE, own, tmp_path, monkeypatch)
    ours = load(text)["f_value_and_grad"]
    for x in (0.3, 1.7):
        value, slope = ours(x)
        assert value == theirs(x)
        h = 1e-6
        assert slope == pytest.approx((theirs(x + h) - theirs(x - h)) / 2 / h, rel=1e-6)
    assert "thermal" not in text and "flat" not in text.partition("flake8")[0]


def test_a_name_that_is_taken_is_given_another():
    source = (
        "from .materials import conductivity\n\nK0 = 3.0\nTABLE = 4.0\n"
        f"{HEAD}    SCALE = x + K0\n    return conductivity(SCALE) * TABLE\n"
    )
    text = made(source, PACKAGE, "thermal/model.py")
    assert "\nK0_2 = 16.2  # W/(m K)\n" in text
    assert "\nSLOPE = math.exp(-6.0) * K0_2\n" in text
    assert "\nTABLE_2 = (1.0, math.log(3.0), 2.0)\n" in text
    load(text)["f_grad"](1.0)


def test_the_source_calls_a_constant_by_its_own_name():
    source = (
        f"from .materials import SLOPE as steepness{HEAD}    return steepness * x\n"
    )
    text = made(source, PACKAGE, "thermal/model.py")
    assert "\nsteepness = math.exp(-6.0) * K0\n" in text


def test_modules_may_import_each_other():
    files = {"other.py": "import model\n\n\ndef g(x):\n    return model.h(x) * x\n"}
    source = (
        f"import other\n\n\ndef h(x):\n    return 2.0 * x{HEAD}    return other.g(x)\n"
    )
    assert flat(load(made(source, files))["f_grad"](3.0)) == [12.0]


def test_src_is_a_place_where_python_starts():
    files = {"src/pkg/__init__.py": "", "src/pkg/m.py": "def g(x):\n    return x * x\n"}
    source = f"from pkg.m import g{HEAD}    return g(x)\n"
    assert load(made(source, files, "tests/model.py"))["f_grad"](3.0) == 6.0


# --- refusals -----------------------------------------------------------------------

FILES = {
    **PACKAGE,
    "wrong.py": "def g(x):\n    return x +\n",
    "latin.py": "\xff",
    "refused.py": "def g(x):\n    return nothing(x)\n\n\ndef h(x):\n"
    "    return undefined(x)\n",
    "dynamic.py": "def __getattr__(name):\n    return 1.0\n",
    "starred.py": "from flat import *\n",
    "twice.py": "def g(x):\n    return x\n\n\ndef g(x):\n    return x\n\n\nC = 1\n",
    "a.py": "from b import g\n",
    "b.py": "from a import g\n",
    "random.py": "def g(x):\n    return x\n",
    "src/flat.py": "def g(x):\n    return x\n",
    "klass.py": "class Steel:\n    k = 1.0\n\n\ns = Steel()\nK = [1.0]\nK[0] = 2.0\n",
    "setter.py": "import thermal.units\n\nthermal.units.SCALE = 3.0\n\n\ndef g(x):\n"
    "    return thermal.units.scaled(x)\n",
    "cyclic.py": "from model import OWN\n\nC = 2.0 * OWN\n",
}
REFUSED = [
    ("from elsewhere import g", "g(x)", "AD121", "'elsewhere.g' lives outside the"),
    ("from thermal.gone import g", "g(x)", "AD121", "no file of the project has 'the"),
    ("from ...up import g", "g(x)", "AD121", "'up.g' lives outside the project"),
    ("from thermal.units import nothing", "nothing", "AD103", "has no 'nothing'"),
    ("from starred import g", "g(x)", "AD103", "import *` in 'starred.py'"),
    ("from dynamic import g", "g * x", "AD121", "makes 'g' when it is asked for it"),
    ("import thermal.units as u", "u * x", "AD107", "the module 'thermal/units.py' ca"),
    ("from twice import g", "g(x)", "AD108", "more than once in 'twice.py' (lines 1"),
    ("from a import g", "g(x)", "AD121", "is imported in a circle"),
    ("import random", "random.g(x)", "AD108", "the library or the file 'random.py'"),
    ("from klass import Steel", "Steel.j * x", "AD102", "'j' of the class 'Steel'"),
    ("from klass import s", "s.k * x", "AD122", "it holds an object of 'Steel'"),
    ("from flat import g", "g(x)", "AD108", "may be in 'flat.py' or 'src/flat.py'"),
    ("from setter import g", "g(x)", "AD108", "is set or deleted here"),
    ("try:\n    from twice import C\nexcept E:\n    C = 2", "C * x", "AD108", "more"),
]  # fmt: skip


@pytest.mark.parametrize(("imports", "result", "code", "message"), REFUSED)
def test_what_cannot_be_read_is_refused_by_name(imports, result, code, message):
    source = f"{imports}{HEAD}    return {result}\n"
    found = said(source, FILES)
    assert any(c == code and message in text for c, _, _, text in found), found


def test_dicts_and_sets_are_read_beside_files_of_our_name():
    source = (
        "import heapq"
        + HEAD
        + (
            "    d, seen, heap = {}, set(), [2.0 * x, x]\n    heapq.heapify(heap)\n"
            "    for i in range(int(k)):\n        d[i % 2] = d.get(i % 2, 1.0) * x\n"
            "        seen.add(i % 3)\n"
            "    return d[0] + len(seen) * heapq.heappop(heap)\n"
        )
    )
    files = {"ad_transform/__init__.py": "", "ad_transform/read.py": "x = 1\n"}
    slope = load(made(source, files))["f_grad"](0.7, 4.0)
    assert slope == pytest.approx(2.0 * 0.7 + 3.0)


def test_what_is_wrong_in_another_file_is_located_there():
    source = f"import refused, wrong{HEAD}    return refused.g(x) + refused.h(x) + "
    found = said(source + "wrong.g(x)\n", FILES)
    assert [item[:3] for item in found] == [
        ("AD103", "refused.py", 2),
        ("AD103", "refused.py", 6),
        ("AD003", "wrong.py", 2),
    ]


def test_compiled_modules_are_refused_by_name():
    def content(path):
        return (
            b"fast.cpython-312-x86_64-linux-gnu.so\nmodel.py" if path == "/" else None
        )

    source = f"from fast import g{HEAD}    return g(x)\n"
    found = read(source.encode(), "model.py", Around("model.py", content)).diagnostics
    assert [d.message for d in found] == [
        "'fast.g' is compiled: there is no source to read"
    ]


def test_a_source_without_a_place_has_no_other_files():
    source = f"from .m import g{HEAD}    return g(x)\n"
    (found,) = read(source.encode(), "<stdin>", ALONE).diagnostics
    assert found.code == "AD121" and "--stdin-filename" in found.help


def test_a_constant_that_runs_in_a_circle_is_a_number_or_refused():
    source = f"import cyclic\n\nOWN = 2.0{HEAD}    return cyclic.C * x\n"
    assert load(made(source, FILES))["f_grad"](1.0) == 4.0
    source = source.replace("OWN = 2.0", "import math\n\nOWN = math.sin(2.0)")
    assert [item[0] for item in said(source, FILES)] == ["AD122"]


def test_only_what_is_needed_is_looked_at():
    seen = []

    def content(path):
        seen.append(path)
        return {"m.py": b"import far\n\n\ndef g(x):\n    return x\n"}.get(path)

    source = f"import math\nimport far\nfrom m import g{HEAD}    return g(x)\n"
    found = read(source.encode(), "model.py", Around("model.py", content))
    assert not found.diagnostics
    assert not any("far" in path for path in seen)


TABLES = """import numpy as np
X = np.array([0.0, 1.0, 2.0, 4.0])
Y = [1.0, 2.5, 2.0, 3.0]
D = {"a": 2.0, "b": [1.0, 3.0]}
BAD = [1.0, 2.0]
G, W = np.polynomial.legendre.leggauss(3)

class Gauss:
    nodes = np.array([-0.5, 0.5])
    grid = np.linspace(0.0, 1.0, 4)
    pairs = [(1.0, 2.0), (3.0, 4.0)]
    names = {"k": 2.0}

    def total(self, f):
        more = self.names["k"] * np.sum(np.exp(self.grid))
        return sum(f(x) for x in self.nodes) + more

def put():
    BAD[0] = 3.0
"""


def test_tables_of_other_files_and_of_classes_are_constants(tmp_path, monkeypatch):
    source = f"""import numpy as np
import tables
from tables import X, Y, Gauss, D as E
{HEAD}    g = Gauss()
    s = 0.0
    for a, b in g.pairs:
        s += a * x + b
    i = int(k)
    t = np.sum(tables.W * np.exp(tables.G * x))
    t += np.interp(x, X, Y) + np.sum(tables.X * x)
    return t + g.total(lambda t: t * x) + E["b"][1] * x * x + s * Y[i] * X[i]
"""
    source = source.replace("gradient(x)", "gradient(x), jvp(x)")
    text = made(source, {"tables.py": TABLES})
    f = in_python(source, {"tables.py": TABLES}, "model.py", tmp_path, monkeypatch)
    derived = load(text)
    rise = f(0.7 + 1e-6) - f(0.7 - 1e-6)
    assert derived["f_jvp"](0.7, 1.0)[0] == pytest.approx(f(0.7), rel=1e-15)
    assert derived["f_grad"](0.7) == pytest.approx(rise / 2e-6, rel=1e-8)


@pytest.mark.parametrize(
    ("source", "line", "what"),
    [
        (f"from tables import BAD\n{HEAD}    return BAD[0] * x\n", 5, "'BAD'"),
        (
            f"import tables\ndef g():\n    tables.Y[0] = 2.0\n{HEAD}"
            "    return tables.Y[0] * x\n",
            3,
            "'Y'",
        ),
        (
            f"from tables import Y\ndef g():\n    Y.append(2.0)\n{HEAD}"
            "    return Y[0] * x\n",
            3,
            "'Y'",
        ),
        (
            f"from tables import Gauss\ndef g(o):\n    o.pairs.append(2.0)\n{HEAD}"
            "    return Gauss.pairs[0][0] * x\n",
            11,
            "'Gauss.pairs'",
        ),
    ],
)
def test_tables_that_a_file_may_change_are_refused(source, line, what):
    ((code, path, place, message),) = said(source, {"tables.py": TABLES})
    assert (code, path, place) == ("AD122", "tables.py", line)
    assert message.startswith(f"{what} may change")
