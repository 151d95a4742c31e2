"""Statements of compiled languages in lines that are not too long."""

from __future__ import annotations

from ad_transform.emit.width import width

DEEPER = 8
"""Columns that the further lines of a statement stand deeper."""


def broken(text: str, indent: int, limit: int, tail: str = "") -> list[str]:
    """A statement in lines of at most so many columns, if blanks are near enough.

    It is broken in front of the operators that bind least, and behind commas; where no
    place is near, at the next one. `tail` stands behind all lines but the last.
    """
    line, margin = " " * indent + text, " " * (indent + DEEPER)
    found: list[str] = []
    while width(line) > limit:
        start = len(line) - len(line.lstrip())
        end = limit - len(tail)
        places = _places(line, start + (end - start) // 3, end)
        places = places or dict([*_places(line, end - 1, len(line)).items()][:1])
        if not places:
            break
        place = min(places, key=lambda p: (places[p], -p))
        found.append(line[:place].rstrip() + tail)
        line = margin + line[place:].lstrip()
    return [*found, line]


_SIGNS = {
    **dict.fromkeys((" ? ", " : "), 0),
    **dict.fromkeys((" || ", " .or. "), 1),
    **dict.fromkeys((" && ", " .and. "), 2),
    **dict.fromkeys((" + ", " - "), 3),
    **dict.fromkeys((" * ", " / "), 4),
}
"""Signs in front of which a line may be broken, by their tightness."""


def _places(line: str, start: int, end: int) -> dict[int, int]:
    """The columns, between two, where a line may be broken, each with its depth."""
    found: dict[int, int] = {}
    depth, inside = 0, False
    for k, character in enumerate(line[:end]):
        if character == '"' and line[k - 1] != "\\":
            inside = not inside
        elif inside:
            continue
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == " " and k > start:
            sign = next((s for s in _SIGNS if line.startswith(s, k)), "")
            if sign:
                found[k] = 5 * depth + _SIGNS[sign]
            elif line[k - 1] in ",;":
                found[k] = 5 * depth
    return found
