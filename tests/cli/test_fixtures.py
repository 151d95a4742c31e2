"""Every model of the fixtures has its output; `ad-transform --check`, a step of
`.ci/run`, tells whether these are current.
"""

from command import ROOT

MODELS = ROOT / "fixtures" / "models"


def test_every_model_has_its_output():
    sources = {p.stem for p in MODELS.glob("*.py") if not p.stem.endswith("_grad")}
    outputs = {p.stem.removesuffix("_grad") for p in MODELS.glob("*_grad.py")}
    assert sources == outputs
