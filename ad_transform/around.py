"""The files around a source: those of its project, as bytes."""

from __future__ import annotations

from collections.abc import Callable

from ad_transform.dataclass import dataclass


def _nothing(path: str) -> bytes | None:
    return None


@dataclass(frozen=True, slots=True)
class Around:
    """The place of a source in its project, and a way to look at other files.

    Paths lead from the root of the project, with `/` between the parts; `own` is that
    of the source, empty where it has no place. `content` gives the bytes of a file,
    None where there is none; of a folder (`lib/`) the names in it, one a line.
    """

    own: str = ""
    content: Callable[[str], bytes | None] = _nothing


ALONE = Around()
"""Nothing around: a source from stdin without a name."""
