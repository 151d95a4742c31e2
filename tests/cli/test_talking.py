"""Exit codes, formats, flags: how the command behaves as a citizen."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from command import MODEL, ROOT, printed, said

BAD = MODEL.replace("math.sin(x)", "math.frexp(x)")


def test_version_and_help(tool):
    assert printed(tool("--version")).startswith("ad-transform")
    assert "--exit-nonzero-on-write" in printed(tool("--help"))
    assert tool("-h").stdout == tool("--help").stdout


@pytest.mark.parametrize(
    "words",
    [
        ("--chek", "model.py"),
        ("--order", "backwards", "model.py"),
        ("--effort", "9", "model.py"),
        ("--effort", "many", "model.py"),
        ("--output-format", "xml", "model.py"),
        ("--target", "numba", "model.py"),
        ("--graph", "g.png", "model.py"),
        ("--graph", "g.dot", "model.py", "-o", "-"),
        ("--graph", "g.dot", "model.py", "--check"),
        ("--at", "x=1", "model.py"),
        ("--unroll", "-1", "model.py"),
        ("--explain", "--check", "model.py"),
        ("--stdin-filename", "a.py", "model.py"),
        ("-", "-"),
        ("none.py",),
        ("",),
        ("model.py", "-o", ""),
        ("model.py", "--config", ""),
        (".", "-o", "x.py"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_exits_2(tool, words):
    run = tool(*words)
    assert run.returncode == 2
    assert said(run) and not run.stdout
    assert "Traceback" not in said(run)
    assert tool.names == ["model.py"]


def test_near_misses_are_suggested(tool):
    assert "--check" in said(tool("--chek", "model.py"))
    assert "'reverse'" in said(tool("--order", "revers", "model.py"))


def test_a_diagnostic_in_full(tool):
    tool.write("model.py", BAD)
    run = tool("model.py")
    assert run.returncode == 2
    lines = said(run).splitlines()
    assert lines[0].startswith("model.py:6:16: error[AD110]: ")
    assert "    return k * math.frexp(x)" in lines[2]
    assert lines[3].endswith("^" * len("math.frexp(x)")) or "^" in lines[3]
    assert lines[4].strip().startswith("= help: ")


def test_all_formats_on_stderr(tool):
    tool.write("model.py", BAD)
    concise = said(tool("model.py", "--output-format", "concise")).splitlines()
    assert concise[0].startswith("model.py:6:16: error[AD110]: ")
    github = said(tool("model.py", "--output-format", "github")).splitlines()
    assert github[0].startswith("::error title=ad-transform (AD110),file=model.py,")
    (item,) = json.loads(tool("model.py", "--output-format", "json").stderr)
    assert (item["code"], item["line"], item["column"]) == ("AD110", 6, 16)


def test_json_is_one_list_for_all_files(tool):
    tool.write("model.py", BAD)
    tool.write("other.py", "def (:\n")
    run = tool("model.py", "other.py", "none.py", "--output-format", "json")
    paths = [item["path"] for item in json.loads(run.stderr)]
    assert paths == ["model.py", "other.py", "none.py"]


def test_json_of_success_is_an_empty_list(tool):
    assert json.loads(tool("model.py", "--output-format", "json").stderr) == []


def test_all_refusals_at_once(tool):
    tool.write("model.py", BAD + "\n\n" + BAD.replace("energy", "force"))
    assert said(tool("model.py", "--output-format", "concise")).count("AD110") == 2


def test_quiet(tool):
    assert tool("-q", "model.py").stderr == b""
    tool.write("model.py", "x = 1\n")
    assert tool("-q", "model.py", "-o", "x.py").stderr == b""
    tool.write("model.py", BAD)
    assert "AD110" in said(tool("-q", "model.py"))


def test_verbose(tool):
    text = said(tool("-v", "model.py"))
    assert "energy_grad" in text and "operations" in text


def test_the_worst_code_wins(tool):
    tool.write("bad.py", BAD)
    tool.write("other.py")
    assert tool("other.py").returncode == 0
    assert tool("other.py", "model.py", "--check").returncode == 1
    assert tool("model.py", "bad.py", "other.py", "--check").returncode == 2


BROKEN = """\
import sys
from ad_transform.run import modes
def fail(*_): raise RuntimeError("oh")
modes.transform = fail
sys.argv = ["ad-transform", *{words!r}]
from ad_transform.cli import main
sys.exit(main())
"""


def test_an_internal_error_is_3(tool):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for words, traceback in ((["model.py"], False), (["--debug", "model.py"], True)):
        run = subprocess.run(
            [sys.executable, "-c", BROKEN.format(words=words)],
            cwd=tool.folder,
            env=environment,
            capture_output=True,
            check=False,
        )
        assert run.returncode == 3
        assert b"please report" in run.stderr
        assert (b"Traceback" in run.stderr) is traceback


def once_read(pipe, process):
    """The writing end of a pipe, as soon as the process has opened it."""
    while process.poll() is None:
        with suppress(OSError):
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.02)
    raise AssertionError(process.stderr.read())


def test_an_interrupt_is_130(tool):
    os.mkfifo(tool.folder / "pipe.py")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "ad_transform", "pipe.py"]
    # what a shell starts in the background ignores interrupts, and so do its children
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        command, cwd=tool.folder, env=environment, stderr=subprocess.PIPE
    )
    signal.signal(signal.SIGINT, before)
    writer = once_read(tool.folder / "pipe.py", process)
    for _ in range(12):  # a signal just before a read does not interrupt it
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(5)
            break
    else:
        process.kill()
    assert process.returncode == 130
    os.close(writer)
    assert tool.names == ["model.py", "pipe.py"]


def test_a_reader_that_goes_away(tool):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "ad_transform", "model.py", "-o", "-"]
    process = subprocess.Popen(
        command,
        cwd=tool.folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    assert process.wait(30) == 2
    assert process.stderr.read() == b""


@pytest.mark.parametrize("words", [["model.py", "-o", "-"], ["--help"], ["--version"]])
def test_a_full_stdout(tool, words):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with open("/dev/full", "wb") as full:
        run = subprocess.run(
            [sys.executable, "-m", "ad_transform", *words],
            cwd=tool.folder,
            env=environment,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert run.returncode == 2
    assert b"Traceback" not in run.stderr


BRANCHED = """import math
# ad: jacobian
def f(x, y):
    u = math.sin(x * y)
    v = u * u + x
    return u * v, v / y, u - v
"""


def test_explain_as_text(tool):
    run = tool("model.py", "--explain")
    assert run.returncode == 0
    assert "energy_grad: gradient of energy" in printed(run)
    assert tool.names == ["model.py"]


def test_explain_as_json(tool):
    run = tool("model.py", "--explain", "--output-format", "json", "--cost", "fma")
    (figures,) = json.loads(run.stdout)
    assert figures["path"] == "model.py"
    assert figures["name"] == "energy_grad"
    assert figures["value"] is False
    assert figures["function"] == "energy"
    assert figures["kind"] == "gradient"
    assert figures["graph"]["vertices"] == 1
    assert set(figures["orders"]) >= {"forward", "reverse", "markowitz"}
    assert set(figures["emitted"]) >= {"mul", "add", "div", "call", "neg", "total"}
    assert "proven" in figures["chosen"]


def test_explain_prices_orders_by_what_they_would_print(tool):
    def figures(*options):
        run = tool("model.py", "--explain", "--output-format", "json", *options)
        return json.loads(run.stdout)[0]

    tool.write("model.py", BRANCHED)
    auto = figures()
    assert auto["cost"] == "emitted"
    finished = [cost for cost in auto["orders"].values() if cost is not None]
    assert auto["chosen"]["cost"] == min(finished)
    for order in ("forward", "reverse"):
        asked = figures("--order", order)
        assert asked["emitted"]["total"] == auto["orders"][order]


def test_list_elementals_is_the_page(tool):
    page = (ROOT / "docs" / "elementals.md").read_text()
    assert printed(tool("--list-elementals")) == page


def test_names_that_collide(tool):
    tool.write("model.py", MODEL.replace("gradient", "gradient(x), gradient(k)"))
    run = tool("model.py")
    assert run.returncode == 2 and "AD024" in said(run)
    tool.write("model.py", MODEL + "\n\ndef energy_grad(x):\n    return 1.0\n")
    run = tool("model.py")
    assert run.returncode == 2 and "AD025" in said(run)
    tool.write("model.py", MODEL.replace("gradient", "jvp") + "\n\nx_dot = 1.0\n")
    run = tool("model.py")
    assert run.returncode == 2 and "AD025" in said(run)
    named = MODEL.replace("gradient", 'gradient(name="slope")')
    tool.write("model.py", named + "\n\ndef energy_grad(x):\n    return 1.0\n")
    assert tool("model.py").returncode == 0


def test_an_independent_that_does_not_matter_is_a_warning(tool):
    tool.write("model.py", MODEL.replace("k * math", "math"))
    run = tool("model.py")
    assert run.returncode == 0
    assert "warning[AD030]" in said(run)


def test_odd_names(tool):
    tool.write("-m.py")
    assert tool("--", "-m.py").returncode == 0
    assert "ad-transform ./-m.py -o ./-m_grad.py" in tool.read("-m_grad.py")
    tool.write("zwei wörter.py")
    assert tool("zwei wörter.py").returncode == 0
    assert "'zwei wörter.py'" in tool.read("zwei wörter_grad.py")


def test_names_that_no_encoding_can_write(tool):
    name = os.fsdecode(b"bad\xff.py")
    tool.write(name)
    for words in (
        ("--explain",),
        ("--explain", "--output-format", "json"),
        ("--diff",),
        ("-o", "-"),
        ("--graph", "picture.svg"),
        (),
        ("--check", "--diff"),
    ):
        run = tool(name, *words)
        assert run.returncode == 0, (words, said(run))
    run = tool(name, "--explain", "--output-format", "json")
    assert json.loads(run.stdout)[0]["path"] == name


def test_help_starts_without_the_heavy_packages(tool):
    script = (
        "import sys; sys.argv = ['ad-transform', '--help']\n"
        "from ad_transform.cli import main; main()\n"
        "assert not {'libcst', 'numpy', 'ad_transform.read'} & set(sys.modules)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)


def test_a_file_without_marks_does_not_wait_for_libcst(tool):
    script = (
        "import sys; from ad_transform.cli import main\n"
        "main(['model.py'])\n"
        "assert 'ad_transform.read' in sys.modules and 'libcst' not in sys.modules\n"
        "tool = open('model.py', 'a'); tool.write('# ad: gradient\\n'\n"
        "    'def f(x):\\n    return x * x\\n'); tool.close()\n"
        "assert main(['model.py']) == 0\n"
        "import libcst\n"
        "assert libcst.Try.__init__.__qualname__.endswith('first')  # not yet written\n"
    )
    tool.write("model.py", "x = 1.0\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script]
    subprocess.run(command, cwd=tool.folder, env=environment, check=True)


def test_the_tool_never_imports_numpy(tool):
    script = (
        "import sys; sys.argv = ['ad-transform', 'model.py', '--container', 'array']\n"
        "from ad_transform.cli import main\n"
        "assert main() == 0 and 'libcst' in sys.modules\n"
        "assert 'numpy' not in sys.modules and 'black' not in sys.modules\n"
    )
    tool.write("model.py", MODEL.replace("gradient", "gradient, hessian, error"))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script]
    subprocess.run(command, cwd=tool.folder, env=environment, check=True)
