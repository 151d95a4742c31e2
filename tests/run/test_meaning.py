"""Small tricky sources: the output means what the source means, or refuses by name.

`meaning.txt` has one source a case; its last line says what becomes of it: `agrees`
(the values are equal bit for bit), `raises` (both do), or the codes of what is refused.
"""

from __future__ import annotations

import struct
import warnings
from pathlib import Path
from typing import Any

import pytest
from amounts import search
from support import load, run

CASES = (Path(__file__).parent / "meaning.txt").read_text().strip("\n").split("\n---\n")
HEAD = "import math\nimport numpy as np\n"
MARK = "# ad: gradient(value=True)\n"


def _value(text: str, name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = load(text)[name](0.75)
        except Exception:
            return "raises"
    value = found[0] if isinstance(found, tuple) else found
    return "nan" if value != value else struct.pack("d", value)


@pytest.mark.parametrize("case", CASES)
def test_it_means_the_same_or_is_refused(case: str) -> None:
    body, _, wanted = case.rpartition("\n#! ")
    at = ("\n" + body).index("\ndef f(")
    source = HEAD + body[:at] + MARK + body[at:] + "\n"
    result = run(source, **search(source))
    if result.text is None:
        errors = {d.code for d in result.diagnostics if d.severity == "error"}
        assert " ".join(sorted(errors)) == wanted
        return
    value = _value(result.text, "f_value_and_grad")
    assert value == _value(source, "f")
    assert wanted == ("raises" if value == "raises" else "agrees")
