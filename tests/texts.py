"""Texts that hypothesis makes up."""

from __future__ import annotations

from hypothesis import strategies as st

_LOW, _HIGH = 0xD800, 0xE000
"""Between these are halves of characters, which no file has."""

_CHARACTERS = st.one_of(
    st.integers(0, 0x7F), st.integers(0x80, _LOW - 1), st.integers(_HIGH, 0x10FFFF)
).map(chr)


def texts(most: int) -> st.SearchStrategy[str]:
    """Texts of one to so many characters, any that a file can have.

    `st.text` looks at all the million characters first: ten seconds in a fresh clone.
    """
    return st.lists(_CHARACTERS, min_size=1, max_size=most).map("".join)
