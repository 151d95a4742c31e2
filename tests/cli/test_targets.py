"""`--target c`: two files that are written, checked and kept together."""

import pytest
from command import printed, said

FILES = ["model.py", "model_grad.c", "model_grad.h"]


@pytest.fixture
def written(tool):
    run = tool("model.py", "--target", "c")
    assert run.returncode == 0
    assert said(run) == "wrote model_grad.c\nwrote model_grad.h\n"
    return tool


def test_both_files_stand_beside_the_source(written):
    assert written.names == FILES
    assert "ad-transform model.py -o model_grad.c --target c" in written.read(FILES[1])
    assert "void energy_grad(double x, double k, double grad[2]);" in written.read(
        FILES[2]
    )


@pytest.mark.parametrize("name", FILES[1:])
def test_each_is_checked_and_never_written_over(written, name):
    assert written("model.py", "--target", "c", "--check").returncode == 0
    text = written.read(name)
    written.write(name, text.replace("double", "float"))
    for words in ("--check",), ():
        run = written("model.py", "--target", "c", *words)
        assert run.returncode == 2 - bool(words) and f"{name}: error[AD007]" in said(
            run
        )
    (written.folder / name).unlink()
    assert "AD009" in said(written("model.py", "--target", "c", "--check"))
    written("model.py", "--target", "c")
    assert written.read(name) == text


def test_a_manifest_may_ask_for_it(tool):
    manifest = '[tool.ad-transform]\ntarget = "c"\n[[tool.ad-transform.file]]\n'
    tool.write("pyproject.toml", f'{manifest}source = "model.py"\n')
    assert tool().returncode == 0
    assert set(FILES) <= set(tool.names) and tool("--check").returncode == 0
    assert tool("--target", "math").returncode == 0 and "model_grad.py" in tool.names


def test_a_module_in_fortran_has_no_companion(tool):
    assert tool("model.py", "--target", "fortran").returncode == 0
    assert tool.names == ["model.py", "model_grad.f90"]
    assert "\nmodule model_grad\n" in tool.read("model_grad.f90")
    assert tool("model.py", "--target", "fortran", "--check").returncode == 0


def test_an_orphaned_header_is_found(written):
    written.write("pyproject.toml", "[tool.ad-transform]\n")
    (written.folder / "model.py").rename(written.folder / "other.py")
    run = written(".", "--check", "--target", "c", "--output-format", "concise")
    assert run.returncode == 1
    assert said(run).count("AD013") == 2 and "model_grad.h" in said(run)


@pytest.mark.parametrize(
    ("target", "output", "why"),
    [
        ("c", "model_grad.txt", "end in .c"),
        ("fortran", "model_grad.py", "files of the target math"),
        ("math", "model_grad.f90", "files of the target fortran"),
        ("math", "model_grad.c", "--target c"),
    ],
)
def test_the_ending_tells_the_files_apart(tool, target, output, why):
    run = tool("model.py", "--target", target, "-o", output)
    assert run.returncode == 2 and why in said(run)
    assert tool.names == ["model.py"]


def test_a_mark_cannot_ask_for_it(tool):
    text = tool.read("model.py").replace("# ad: gradient", "# ad: gradient(target=c)")
    tool.write("model.py", text)
    assert "AD022" in said(tool("model.py"))


def test_on_stdout_stands_the_file_alone(tool):
    text = printed(tool("model.py", "--target", "c", "-o", "-"))
    assert "\nvoid energy_grad(double x, double k, double grad[2]) {" in text
    assert tool.names == ["model.py"]
