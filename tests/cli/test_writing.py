"""Files written, left alone, refused; the header; stdin and stdout."""

import os
import stat
import subprocess
import sys

import pytest
from command import MODEL, ROOT, printed, said


def test_the_default_output_stands_beside_the_source(tool):
    run = tool("model.py")
    assert run.returncode == 0
    assert tool.names == ["model.py", "model_grad.py"]
    assert "wrote model_grad.py" in said(run)
    assert run.stdout == b""
    assert "def energy_grad(x: float, k: float = 2.0)" in tool.read("model_grad.py")


def test_the_header(tool):
    tool.write("src/model.py")
    (tool.folder / "gen").mkdir()
    tool("src/model.py", "-o", "gen/m.py", "--container", "tuple")
    first, second, third, fourth, blank, *_ = tool.read("gen/m.py").splitlines()
    assert "../src/model.py" in first
    assert "ad-transform ../src/model.py -o m.py --container tuple" in second
    assert "format=2 options=container=tuple body=sha256:" in third
    assert fourth == "# flake8: noqa  # pylint: skip-file"
    assert blank == ""


def test_ruff_leaves_the_output_alone(tool):
    tool("model.py")
    before = tool.read("model_grad.py")
    # PGH004 is about the line that says so
    rules = "--isolated --no-cache --select ALL --ignore PGH004 --fix model_grad.py"
    command = [sys.executable, "-m", "ruff", "check", *rules.split()]
    assert subprocess.call(command, cwd=tool.folder) == 0
    assert tool.read("model_grad.py") == before


def test_the_command_of_the_header_regenerates(tool):
    tool.write("src/a model.py")
    (tool.folder / "gen").mkdir()
    tool("src/a model.py", "-o", "gen/m.py", "--order", "reverse")
    before = tool.read("gen/m.py")
    command = before.splitlines()[1].partition("ad-transform ")[2]
    line = f"{sys.executable} -m ad_transform {command} --exit-nonzero-on-write"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    code = subprocess.call(line, shell=True, cwd=tool.folder / "gen", env=environment)
    assert code == 0
    assert tool.read("gen/m.py") == before


def test_nothing_is_written_twice(tool):
    tool("model.py")
    path = tool.folder / "model_grad.py"
    os.utime(path, ns=(1, 1))
    inode = path.stat().st_ino
    run = tool("model.py", "--exit-nonzero-on-write")
    assert run.returncode == 0
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (1, inode)


def test_exit_nonzero_on_write(tool):
    assert tool("model.py", "--exit-nonzero-on-write").returncode == 1
    assert tool("model.py", "--exit-nonzero-on-write").returncode == 0


def test_stdout(tool):
    run = tool("model.py", "-o", "-")
    assert run.returncode == 0
    assert tool.names == ["model.py"]
    tool("model.py")
    assert printed(run) == tool.read("model_grad.py")


def test_stdin(tool):
    run = tool("-", stdin=MODEL.encode())
    assert run.returncode == 0
    assert "<stdin>" in printed(run).splitlines()[0]
    assert "def energy_grad" in printed(run)


def test_stdin_with_a_name(tool):
    run = tool("-", "--stdin-filename", "model.py", stdin=MODEL.encode())
    tool("model.py")
    assert printed(run) == tool.read("model_grad.py")


def test_stdin_into_a_file(tool):
    assert tool("-", "-o", "out.py", stdin=MODEL.encode()).returncode == 0
    assert "<stdin>" in tool.read("out.py")


def test_a_hand_edited_file_is_kept(tool):
    tool("model.py")
    path = tool.folder / "model_grad.py"
    path.write_text(path.read_text().replace("cos(x)", "sin(x)"))
    edited = path.read_text()
    tool.write("model.py", MODEL.replace("sin", "tan"))
    run = tool("model.py")
    assert run.returncode == 2
    assert "AD007" in said(run) and "--force" in said(run)
    assert path.read_text() == edited
    assert tool("model.py", "--force").returncode == 0
    assert path.read_text() != edited


def test_a_file_of_somebody_else_is_kept(tool):
    tool.write("model_grad.py", "x = 1\n")
    run = tool("model.py")
    assert run.returncode == 2
    assert "AD006" in said(run)
    assert tool.read("model_grad.py") == "x = 1\n"
    assert tool("model.py", "--force").returncode == 0


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"def (:\n"])
def test_a_file_that_is_not_python_is_kept(tool, content):
    tool.write("model_grad.py", content)
    assert tool("model.py").returncode == 2
    assert (tool.folder / "model_grad.py").read_bytes() == content


def test_a_stale_file_is_renewed(tool):
    tool("model.py")
    tool.write("model.py", MODEL.replace("sin", "exp"))
    assert tool("model.py").returncode == 0
    assert "exp(x)" in tool.read("model_grad.py")


def test_the_source_is_no_output(tool):
    run = tool("model.py", "-o", "./model.py", "--force")
    assert run.returncode == 2
    assert tool.read("model.py") == MODEL
    (tool.folder / "link.py").symlink_to("model.py")
    assert tool("model.py", "-o", "link.py", "--force").returncode == 2
    assert tool.read("model.py") == MODEL


def test_another_source_is_no_output(tool):
    tool.write("model_grad.py", MODEL)
    run = tool("model.py", "model_grad.py", "--force")
    assert run.returncode == 2
    assert tool.read("model_grad.py") == MODEL


def test_a_generated_file_may_be_given_by_a_glob(tool):
    tool("model.py")
    run = tool("model.py", "model_grad.py")
    assert run.returncode == 0
    assert "AD011" in said(run)
    assert tool.names == ["model.py", "model_grad.py"]


def test_a_link_into_a_folder_that_is_missing_says_which(tool):
    (tool.folder / "link.py").symlink_to("nowhere/real.py")
    run = tool("model.py", "-o", "link.py")
    assert run.returncode == 2
    assert "make the folder 'nowhere' first" in said(run)


def test_a_link_and_its_mode_survive(tool):
    tool.write("store/real.py", "")
    (tool.folder / "store/real.py").chmod(0o640)
    (tool.folder / "model_grad.py").symlink_to("store/real.py")
    assert tool("model.py", "--force").returncode == 0
    assert (tool.folder / "model_grad.py").is_symlink()
    assert stat.S_IMODE((tool.folder / "store/real.py").stat().st_mode) == 0o640
    assert "energy_grad" in tool.read("store/real.py")


def test_a_refused_source_writes_nothing(tool):
    tool.write("model.py", MODEL.replace("sin", "frexp"))
    run = tool("model.py")
    assert run.returncode == 2
    assert tool.names == ["model.py"]


FULL_DISK = """\
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
sys.argv = ["ad-transform", "model.py"]
sys.dont_write_bytecode = True
from ad_transform.cli import main
sys.exit(main())
"""


def test_a_full_disk_damages_nothing(tool):
    tool.write("model_grad.py", "old\n")
    tool.write("model.py", MODEL)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    (tool.folder / "model_grad.py").unlink()
    command = [sys.executable, "-c", FULL_DISK]
    run = subprocess.run(
        command, cwd=tool.folder, env=environment, capture_output=True, check=False
    )
    assert run.returncode == 2
    assert b"AD005" in run.stderr
    assert tool.names == ["model.py"]


def test_a_missing_folder(tool):
    run = tool("model.py", "-o", "none/model.py")
    assert run.returncode == 2
    assert "AD005" in said(run)


def test_a_folder_as_output(tool):
    (tool.folder / "out").mkdir()
    run = tool("model.py", "-o", "out")
    assert run.returncode == 2
    assert "AD005" in said(run)


def test_devices_as_output(tool):
    assert tool("model.py", "-o", "/dev/null").returncode == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_the_same_text_for_every_hash_seed(tool):
    texts = {
        tool("model.py", "-o", "-", env={"PYTHONHASHSEED": seed}).stdout
        for seed in ("0", "1", "2")
    }
    assert len(texts) == 1


def test_crlf_and_bom_in_the_source(tool):
    tool.write("model.py", b"\xef\xbb\xbf" + MODEL.replace("\n", "\r\n").encode())
    tool("model.py")
    content = (tool.folder / "model_grad.py").read_bytes()
    assert b"\r" not in content and not content.startswith(b"\xef")


def test_a_user_s_comments_follow_the_source(tool):
    noted = MODEL.replace(
        "    return", "    # the spring\n    s = math.sin(x)\n    return"
    )
    noted = noted.replace("math.sin(x)\n\n", "s\n\n")
    tool.write("model.py", noted.replace("k * math.sin(x)", "k * s * s"))
    tool("model.py")
    assert "# the spring" in tool.read("model_grad.py")
    tool.write("model.py", tool.read("model.py").replace("the spring", "the coil"))
    tool("model.py")
    assert "# the coil" in tool.read("model_grad.py")


def test_a_source_with_the_name_of_a_library_is_not_run(tool):
    names = ("random.py", "tempfile.py", "click.py", "libcst.py", "difflib.py")
    for name in names:
        tool.write(name, MODEL + "\nraise SystemExit('this was run')\n")
    run = tool(*names)
    assert run.returncode == 0, said(run)
