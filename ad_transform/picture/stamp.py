"""The line by which a picture is known to be ours, with a hash of all the rest.

It guards against overwriting a picture that somebody else drew, or that was edited by
hand.
"""

from __future__ import annotations

import hashlib
import re
from enum import Enum

_LINE = re.compile(
    r"^(?:<!--|//) Drawn by ad-transform from [^\n]*; sha256:([0-9a-f]{64})(?: -->)?\n",
    re.MULTILINE,
)
_NEAR = 2_000  # characters from the beginning in which it stands


class Standing(Enum):
    """The standing of a file."""

    OURS = "as we drew it"
    EDITED = "edited by hand"
    FOREIGN = "not ours"


def stamped(text: str, source: str, ending: str) -> str:
    """The text with its stamp: in front, but behind the first line of HTML."""
    hashed = hashlib.sha256(text.encode()).hexdigest()
    name = source.replace("--", "-%2D").replace("\n", " ")  # XML forbids `--`
    line = f"Drawn by ad-transform from {name}; sha256:{hashed}"
    if ending == ".dot":
        return f"// {line}\n{text}"
    first, _, rest = text.partition("\n")
    if ending == ".html":
        return f"{first}\n<!-- {line} -->\n{rest}"
    return f"<!-- {line} -->\n{text}"


def standing(text: str) -> Standing:
    """The standing of an existing file, by its text."""
    found = _LINE.search(text, 0, _NEAR)
    if found is None:
        return Standing.FOREIGN
    rest = text[: found.start()] + text[found.end() :]
    same = hashlib.sha256(rest.encode()).hexdigest() == found[1]
    return Standing.OURS if same else Standing.EDITED
