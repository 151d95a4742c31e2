"""The committed examples are what the tool writes, and every model has its output."""

from command import ROOT, Tool, said

MODELS = ROOT / "fixtures" / "models"


def test_the_committed_outputs_are_current():
    run = Tool(ROOT)("--check", "--diff")
    assert run.returncode == 0, said(run)


def test_every_model_has_its_output():
    sources = {p.stem for p in MODELS.glob("*.py") if not p.stem.endswith("_grad")}
    outputs = {p.stem.removesuffix("_grad") for p in MODELS.glob("*_grad.py")}
    assert sources == outputs
