"""Options of generation as the command line and pyproject.toml spell them."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.emit.targets import target_of
from ad_transform.options import NAMES, Options, fault, remedy

Settings = Mapping[str, object]  # field names of Options and what a level sets them to


def spelled(name: str) -> str:
    """The name of an option as the command line and pyproject.toml spell it."""
    return name.replace("_", "-")


KEYS: dict[str, str] = {spelled(name): name for name in NAMES}


def checked(name: str, value: object) -> object:
    """`value` if the option takes it; raises ValueError with a sentence if not."""
    wrong = fault(name, value, spelled(name))
    if wrong:
        help_ = remedy(name, value)
        raise ValueError(f"{wrong}; {help_}" if help_ else wrong)
    return value


def layered(*levels: Settings) -> Options:
    """The options that the levels make together, the weakest level first."""
    merged: dict[str, object] = {}
    for level in levels:
        merged.update(level)
    return Options().override(**merged)


def ending_of(settings: Settings) -> str:
    """The ending of the names of outputs."""
    return target_of(layered(settings)).ending


def as_arguments(options: Options) -> tuple[str, ...]:
    """Command-line words that give `options`; the defaults need none."""
    default = Options()
    words: list[str] = []
    for name in NAMES:
        value = getattr(options, name)
        if value != getattr(default, name):
            words += [f"--{spelled(name)}", str(value).replace(" ", "")]
    return tuple(words)
