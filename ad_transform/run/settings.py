"""Options of generation as texts and TOML values: names, checks, suggestions.

The command line and pyproject.toml share these checks, so that an option means the same
at every level (CONTRACT.md, rule 5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from ad_transform.options import CHOICES, RANGES, Options, weights_of

Settings = Mapping[str, object]  # field names of Options and what a level sets them to

NAMES = tuple(field.name for field in fields(Options))


def spelled(name: str) -> str:
    """The name of an option as the command line and pyproject.toml spell it."""
    return name.replace("_", "-")


LATER: dict[str, tuple[str, ...]] = {
    "target": ("numpy", "numba", "c", "fortran"),
}

KEYS: dict[str, str] = {spelled(name): name for name in NAMES}


def checked(name: str, value: object) -> object:
    """`value` if the option takes it; raises ValueError with a sentence if not."""
    if name in RANGES:
        low, high = RANGES[name]
        if type(value) is not int or not low <= value <= high:
            raise ValueError(
                f"{spelled(name)} is a whole number from {low} to {high}, "
                f"not {shown(value)}"
            )
        return value
    if not isinstance(value, str):
        raise ValueError(f"{spelled(name)} is a text, not {shown(value)}")
    if value in LATER.get(name, ()):
        raise ValueError(f"{spelled(name)} {shown(value)} is not supported yet")
    if name == "cost" and "=" in value:
        weights_of(value)
        return value
    choices = choices_of(name)
    if value not in choices:
        raise ValueError(
            f"{spelled(name)} is {listed(choices)}, not {shown(value)}"
            f"{suggestion(value, choices)}"
        )
    return value


def choices_of(name: str) -> tuple[str, ...]:
    """The texts that an option may be."""
    if name != "order":
        return CHOICES[name]
    from ad_transform.eliminate import ORDERS  # noqa: PLC0415  few name an order

    return ("auto", *ORDERS)


def layered(*levels: Settings) -> Options:
    """The options that the levels make together, the weakest level first."""
    merged: dict[str, object] = {}
    for level in levels:
        merged.update(level)
    return Options().override(**merged)


def as_arguments(options: Options) -> tuple[str, ...]:
    """Command-line words that give `options`; the defaults need none."""
    default = Options()
    words: list[str] = []
    for name in NAMES:
        value = getattr(options, name)
        if value != getattr(default, name):
            words += [f"--{spelled(name)}", str(value).replace(" ", "")]
    return tuple(words)


def suggestion(word: str, known: tuple[str, ...]) -> str:
    """`; did you mean 'x'?` for the nearest of the known words, or nothing."""
    import difflib  # noqa: PLC0415  only errors need it

    close = difflib.get_close_matches(word, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def shown(value: object) -> str:
    """A value of a configuration, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def listed(words: tuple[str, ...]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last
