"""Options of generation as click knows them, and what options do by themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ad_transform.later import later
from ad_transform.options import OPTIONS, Between, Options, Wanted
from ad_transform.run.plan import PROGRAM
from ad_transform.run.session import put
from ad_transform.run.settings import checked, spelled

with later():
    from importlib import metadata

    from ad_transform.run.elementals import page

PATH = click.Path(readable=False)  # for completion; it is read later, or refused

# fmt: off
GENERATION: dict[str, str] = {  # options of generation, and what --help says of them
    "target":      "Language of the output",
    "order":       "Elimination order; auto takes the cheapest code",
    "effort":      "How long to search for better orders",
    "cost":        "What orders are priced by",
    "container":   "What array results are",
    "powers":      "Literal integer powers in the value",
    "line_length": "Longest line of the output",
    "inline":      "Whether calls are written out; auto keeps long text short",
    "unroll":      "Statements up to which loops of known trips are written out",
}
# fmt: on

_Function = TypeVar("_Function", bound=Callable[..., Any])


def generation_options(function: _Function) -> _Function:
    """A decorator: the command takes the options of generation."""
    for name in reversed(GENERATION):
        wanted = OPTIONS[name]
        is_number = isinstance(wanted.fits, Between)
        function = click.option(
            f"--{spelled(name)}",
            name,
            type=int if is_number else str,
            shell_complete=_completed,
            metavar=_metavar(name, wanted),
            callback=_checked,
            help=f"{GENERATION[name]}.  [default: {getattr(Options(), name)}]",
        )(function)
    return function


def _metavar(name: str, wanted: Wanted) -> str:
    """The values of an option, as --help shows them."""
    if isinstance(wanted.fits, Between):
        return f"{wanted.fits.low}..{wanted.fits.high}"
    most = (*wanted.choices[:4], "...") if name == "order" else wanted.choices
    return "|".join((*most, "mul=1,div=4,...") if name == "cost" else most)


def _completed(_: click.Context, parameter: click.Parameter, text: str) -> list[str]:
    """The values of an option that begin so, for the shell."""
    wanted = OPTIONS[str(parameter.name)]
    choices = wanted.choices
    if isinstance(wanted.fits, Between) and wanted.fits.high < 10:
        choices = tuple(map(str, range(wanted.fits.low, wanted.fits.high + 1)))
    return [choice for choice in choices if choice.startswith(text)]


def _checked(_: click.Context, parameter: click.Parameter, value: object) -> object:
    if value is None:
        return None
    try:
        return checked(str(parameter.name), value)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """--version: print it and end."""
    if wanted:
        try:
            put(f"{PROGRAM} {metadata.version(PROGRAM)}\n")
        except metadata.PackageNotFoundError:
            put(f"{PROGRAM}, a checkout that is not installed\n")
        context.exit()


def list_elementals(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """--list-elementals: print the page and end."""
    if wanted:
        put(page())
        context.exit()
