"""What the tool itself takes, from the command line to the written file."""

import random
import resource
import subprocess
import sys
import time

import pytest
from command import ROOT, Tool
from support import run

LAYER = """\
import math


def layer(x, y, k):
    u = math.sin(x) * y + k
    v = x * x - 0.5 * y
    w = u / (1.0 + v * v)
    return w, u - w
"""  # ten operations


STEP = """\
    a{k} = x * y + {k}.0
    b{k} = math.sin(a{k}) - 0.5 * y
    if b{k} > 0.25:
        x = b{k} * x
        c = a{k} + x
    else:
        c = math.exp(-a{k} * a{k})
    for i in range(n):
        d = c * 0.5 + x * i
        e = d * d - y
        if e > 1.0:
            x = x - 0.1 * e
        else:
            y = y + 0.1 * d * x
    s = s + c * x
    x = x + s / (1.0 + s * s)
"""  # sixteen statements


def structured(statements):
    """A marked function of so many statements with branches and loops."""
    steps = "".join(STEP.format(k=k) for k in range(statements // 16))
    head = "# ad: gradient\ndef f(x: float, y: float, n: int):\n    s = 0.0\n"
    return f"import math\n\n\n{head}{steps}    return s + x * y\n"


def chain(arms):
    """A marked function that is a chain of so many arms."""
    tests = [f"if x < {k}.0:\n        z = x * y + {k}.5\n" for k in range(arms)]
    body = "    el".join(tests) + "    else:\n        z = x\n    return z * z\n"
    return f"# ad: error\ndef f(x: float, y: float):\n    {body}"


CHECKED = """\
    a{k} = x * y + {k}.5
    assert a{k} > 0.0
    x = a{k} / (1.0 + y * a{k})
"""


def checked(statements):
    """A marked function of so many statements, every third of them an assertion."""
    steps = "".join(CHECKED.format(k=k) for k in range(statements // 3))
    return f"# ad: gradient\ndef f(x: float, y: float):\n{steps}    return x\n"


def program(operations):
    """A marked function of so many operations, through inlined calls."""
    calls = [f"    x, y = layer(x, y, {k}.5)" for k in range(operations // 10)]
    lines = (LAYER, "", "# ad: gradient", "def f(x, y):", *calls, "    return x + y")
    return "\n".join(lines) + "\n"


FORMS = (
    "{a} * {b} + {c}",
    "0.5 * {a} - {b} * {c}",
    "{a} / (1.0 + {b} * {b})",
    "math.sin({a}) - {b}",
)  # nine operations


def straight(operations):
    """A marked function of so many operations, written out line by line."""
    numbers = random.Random(0)
    values = [f"x{k}" for k in range(10)]
    lines = ["import math", "", "", "# ad: gradient"]
    lines.append(f"def f({', '.join(f'{x}: float' for x in values)}):")
    for k in range(operations * 4 // 9):
        a, b, c = (numbers.choice(values[-30:]) for _ in range(3))
        lines.append(f"    v{k} = {FORMS[k % 4].format(a=a, b=b, c=c)}")
        values.append(f"v{k}")
    lines.append(f"    return {' + '.join(values[-30:])}")
    return "\n".join(lines) + "\n"


def coupled(variables):
    """A Hessian of a function of so many variables, ten operations for each."""
    names = ", ".join(f"x{k}: float" for k in range(variables))
    terms = [COUPLED.format(k=k, l=(k + 1) % variables) for k in range(variables)]
    head = f"# ad: hessian\ndef f({names}):\n    s = 0.0\n    t = 1.0\n"
    return f"import math\n\n\n{head}{''.join(terms)}    return s\n"


COUPLED = """\
    u = x{k} * x{l} + math.sin(x{k})
    v = u * u - 0.5 * x{l}
    s = s + v / (1.0 + t) * t
    t = t + 0.1 * u
"""


AD = [sys.executable, "-m", "ad_transform"]

MODELS = sorted((ROOT / "fixtures" / "models").glob("*.py"))
SOURCES = [path for path in MODELS if not path.stem.endswith("_grad")]


def seconds(command, **options):
    """The best of three runs, in seconds of the processor."""
    times = []
    for _ in range(3):
        start = spent()
        subprocess.run(command, check=True, capture_output=True, **options)
        times.append(spent() - start)
    return min(times)


def spent():
    """What processes that have ended have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize(
    "source, limit",
    [
        # 0.25 is wanted; 0.44 on a busy machine, of which imports are a half
        pytest.param(program(100), 0.4, id="100 operations"),
        # 1.0 is wanted; 1.2 to 1.5 on an idle machine
        pytest.param(program(10_000), 1.5, id="10,000 operations"),
        # 1.0 is wanted of these, too; 5.0 on a busy machine
        pytest.param(straight(10_000), 6.0, id="10,000 operations, written out"),
        pytest.param(program(100_000), 8.0, id="100,000 operations"),  # 7.4 idle
        pytest.param(structured(1_000), 1.5, id="1,000 structured statements"),
        pytest.param(structured(10_000), 12.0, id="10,000 structured statements"),
        pytest.param(checked(6_000), 8.0, id="6,000 statements with assertions"),
        pytest.param(chain(300), 6.0, id="errors of 300 arms"),
        pytest.param(coupled(20), 3.0, id="Hessian of 20 variables"),  # 2.4 busy
    ],
)
def test_from_source_to_file(tmp_path, request, source, limit):
    tool = Tool(tmp_path)
    tool.write("model.py", source)
    command = [*AD, "model.py", "--force", "--no-cache"]
    took = seconds(command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)})
    print(f"{request.node.name}: {took:.2f} s")
    assert took < limit


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_more_effort_takes_seconds(path, request):
    command = [*AD, str(path), "-o", "-", "--effort", "2", "--no-cache"]
    took = seconds(command, cwd=path.parent, env={"PYTHONPATH": str(ROOT)})
    print(f"{request.node.name}: {took:.2f} s")
    assert took < 8.0  # 5.0 when idle: the robot arm takes 4.5


def test_a_structured_statement_takes_as_long_as_few_straight_ones(request):
    rows = [(structured, 1_600), (program, 4_000)]
    for make, _ in rows:
        of_one(make, 160)  # modules are loaded
    branched, straight = (of_one(make, size) for make, size in rows)
    print(f"{request.node.name}: {branched / straight:.1f}")
    assert branched < 7.0 * straight  # 4.6 to 5.4


def of_one(make, size):
    """Seconds of the processor for one of so many statements; the best of three."""
    source, times = make(size), []
    for _ in range(3):
        start = time.process_time()
        assert run(source).text
        times.append(time.process_time() - start)
    return min(times) / size


def test_a_hundred_thousand_operations_fit_in_a_gigabyte(tmp_path):
    tool = Tool(tmp_path)
    tool.write("model.py", program(100_000))
    largest = (
        "import resource, sys; from ad_transform.cli import main\n"
        "main(['model.py', '--force', '--no-cache'])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    command = [sys.executable, "-c", largest]
    done = subprocess.run(
        command,
        check=True,
        capture_output=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert int(done.stdout) < 1_000_000  # kB


def test_the_marks_cost_nothing():
    script = (
        "import sys, time; before = set(sys.modules); t = time.perf_counter()\n"
        "import ad_transform\n"
        "took = time.perf_counter() - t\n"
        "new = set(sys.modules) - before\n"
        "assert new == {'ad_transform'}, new\n"
        "assert took < 0.01, took\n"
    )
    command = [sys.executable, "-c", script]
    subprocess.run(command, check=True, env={"PYTHONPATH": str(ROOT)})


def test_help_is_quick():
    command = [*AD, "--help"]
    bare = seconds([sys.executable, "-c", "pass"])
    assert seconds(command, env={"PYTHONPATH": str(ROOT)}) < bare + 0.25
