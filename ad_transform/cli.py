"""The command line. click lives here and nowhere else.

Exit codes are pure (CONTRACT.md, rule 21): click's own exits are turned into ours, so
that 1 always means "not current".
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from ad_transform.options import CHOICES, RANGES, Options
from ad_transform.run.batch import (
    CANNOT,
    DONE,
    INTERNAL,
    INTERRUPTED,
    NOT_CURRENT,
    Batch,
    Mode,
)
from ad_transform.run.plan import STDIO, Arguments, Misuse, Task, plan, scopes_of
from ad_transform.run.project import Misconfigured
from ad_transform.run.report import FORMATS, Finding
from ad_transform.run.session import Voice, drop_stdout, flushed, perform, put, say
from ad_transform.run.settings import checked, spelled

PROGRAM = "ad-transform"


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    gc.disable()  # a short run that keeps what it makes: collecting is half its time
    try:
        return flushed(_run(words))
    except BrokenPipeError:  # who read stdout has gone: nothing to say, nothing done
        drop_stdout()
        return CANNOT
    except OSError as error:
        drop_stdout()
        say(f"{PROGRAM}: stdout: {error.strerror or error}")
        return CANNOT
    finally:
        if words is None:
            gc.freeze()  # the process ends, and what it made needs no last look
        gc.enable()


def _run(words: Sequence[str] | None) -> int:
    try:
        code = command.main(words, PROGRAM, standalone_mode=False)
        return code if isinstance(code, int) else DONE
    except click.ClickException as error:
        error.show()
        return CANNOT
    except (click.Abort, KeyboardInterrupt):
        say("interrupted")
        return INTERRUPTED
    except SystemExit:  # click's way with a broken pipe
        return CANNOT
    except OSError:
        raise
    except Exception as error:
        say(f"{PROGRAM}: internal error, please report it: {error!r}")
        if "--debug" in (sys.argv if words is None else words):
            import traceback  # noqa: PLC0415  slow

            say(traceback.format_exc().rstrip())
        return INTERNAL


# --- options --------------------------------------------------------------------------

# fmt: off
_GENERATION: dict[str, str] = {  # options of generation, and what --help says of them
    "target":      "",
    "order":       "Elimination order; auto takes the cheapest code",
    "effort":      "How long to search for better orders",
    "cost":        "What orders are priced by",
    "container":   "What array results are",
    "powers":      "Literal integer powers in the value",
    "line_length": "Longest line of the output",
}
# fmt: on

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _generation_options(function: _Function) -> _Function:
    for name in reversed(_GENERATION):
        if name == "target":  # there is one so far
            function = click.option("--target", callback=_checked, hidden=True)(
                function
            )
            continue
        texts = CHOICES.get(name, ("auto", "forward", "reverse", "markowitz", "..."))
        if name == "cost":
            texts = (*texts, "mul=1,div=4,...")
        span = "..".join(map(str, RANGES.get(name, ())))
        function = click.option(
            f"--{spelled(name)}",
            name,
            type=int if name in RANGES else str,
            metavar=span or "|".join(texts),
            callback=_checked,
            help=f"{_GENERATION[name]}.  [default: {getattr(Options(), name)}]",
        )(function)
    return function


def _checked(_: click.Context, parameter: click.Parameter, value: object) -> object:
    if value is None:
        return None
    try:
        return checked(str(parameter.name), value)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _later(_: click.Context, parameter: click.Parameter, value: object) -> None:
    if value is not None:
        raise click.UsageError(f"{parameter.opts[0]} is not supported yet")


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib import metadata  # noqa: PLC0415  slow

        try:
            put(f"{PROGRAM} {metadata.version(PROGRAM)}\n")
        except metadata.PackageNotFoundError:
            put(f"{PROGRAM}, a checkout that is not installed\n")
        context.exit()


def _list_elementals(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from ad_transform.run.elementals import page  # noqa: PLC0415  only here

        put(page())
        context.exit()


# --- the command ----------------------------------------------------------------------


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("sources", metavar="[SRC]...", nargs=-1)
@click.option("-o", "--output", metavar="FILE", help="With one SRC; '-' is stdout.")
@click.option("--check", is_flag=True, help="Write nothing; 1 if not current.")
@click.option("--diff", is_flag=True, help="Write nothing; unified diff on stdout.")
@click.option("--explain", is_flag=True, help="Write nothing; figures on stdout.")
@click.option("--force", is_flag=True, help="Overwrite what is not ours or was edited.")
@click.option("--exit-nonzero-on-write", is_flag=True, help="Exit 1 if it wrote.")
@click.option("--stdin-filename", metavar="NAME", help="What SRC '-' is called.")
@_generation_options
@click.option("--graph", metavar="FILE", help="Only draw, into .html, .svg or .dot.")
@click.option("--report", metavar="FILE", help="Only report, line by line, into .html.")
@click.option("--at", metavar="VALUES", help='Figures at a point: "x=1e-8, y=2".')
@click.option("--unroll", metavar="N", callback=_later, hidden=True)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(0),
    default=1,
    metavar="N",
    help="Processes for many files; 0 is one per processor.  [default: 1]",
)
@click.option("--no-cache", is_flag=True, help="Make everything anew.")
@click.option(
    "--list-elementals",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_elementals,
    help="Print the functions with a derivative.",
)
@click.option("--config", metavar="FILE", help="Read this, not pyproject.toml.")
@click.option("--output-format", type=click.Choice(FORMATS), default="full")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@click.option("-v", "--verbose", is_flag=True, help="Say what was made.")
@click.option("--debug", is_flag=True, help="Traceback of internal errors.")
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Print the version.",
)
def command(
    *,
    sources: tuple[str, ...],
    output: str | None,
    check: bool,
    diff: bool,
    explain: bool,
    force: bool,
    exit_nonzero_on_write: bool,
    stdin_filename: str | None,
    at: str | None,
    graph: str | None,
    report: str | None,
    config: str | None,
    output_format: str,
    jobs: int,
    no_cache: bool,
    quiet: bool,
    verbose: bool,
    debug: bool,
    **others: Any,
) -> int:
    """Write the derivatives of the marked functions of Python files.

    Each SRC goes to a file beside it, model.py to model_grad.py; SRC '-' is stdin and
    goes to stdout. Without SRC: every [[tool.ad-transform.file]] of pyproject.toml.
    """
    settings = {name: others[name] for name in _GENERATION if others[name] is not None}
    arguments = Arguments(sources, output, stdin_filename, config, settings)
    voice = Voice(output_format, quiet, verbose, debug)
    after_write = NOT_CURRENT if exit_nonzero_on_write else DONE
    pages = {"--graph": graph, "--report": report}
    page = {option: file for option, file in pages.items() if file is not None}
    drawer: Mode | None = None
    try:
        _refuse_contradictions(arguments, explain, check or diff, at, page)
        if page:
            _refuse_beside_page(arguments, page, explain or check or diff)
        tasks = _planned(arguments)
        if page:
            drawer = _drawer(page, tasks, force, after_write, at)
    except Misuse as error:
        raise click.UsageError(str(error)) from None
    except Misconfigured as wrong:
        finding = Finding(os.path.relpath(wrong.path), wrong.diagnostic)
        voice.findings([finding])
        return CANNOT
    from ad_transform.run import modes  # noqa: PLC0415  loads LibCST

    writer = modes.Writer(force, after_write)
    mode = _explainer(at) if explain else modes.COMPARISONS.get((check, diff), writer)
    if drawer is not None:
        tasks, mode = tasks[:1], drawer  # several outputs of one source
    batch = Batch(tasks, mode, caching=not no_cache, jobs=jobs or _processors())
    if check:
        return _checked_project(arguments, batch, voice)
    if exit_nonzero_on_write and not sources and os.environ.get("PRE_COMMIT"):
        return _hooked(batch, voice)
    return perform(batch, voice)


def _hooked(batch: Batch, voice: Voice) -> int:
    """Inside pre-commit, whose second run finds all written and nothing added."""
    from ad_transform.run.upkeep import tracking  # noqa: PLC0415  only here

    return perform(batch, voice, tracking(batch.tasks).reviewed)


def _processors() -> int:
    from ad_transform.run.parallel import processors  # noqa: PLC0415  rarely needed

    return processors()


def _checked_project(arguments: Arguments, batch: Batch, voice: Voice) -> int:
    """--check, of a whole project where no files are named."""
    scopes = scopes_of(arguments)
    if not scopes:
        return perform(batch, voice)
    from ad_transform.run.upkeep import strays, tracking  # noqa: PLC0415  only here

    review = tracking(batch.tasks).reviewed
    return perform(batch, voice, review, strays(scopes, batch))


def _planned(arguments: Arguments) -> tuple[Task, ...]:
    try:
        return plan(arguments)
    except OSError as error:  # the folder of the call is gone
        raise Misuse(f"{error.filename or '.'}: {error.strerror or error}") from None


def _explainer(at: str | None) -> Mode:
    if at is None:
        from ad_transform.run.modes import EXPLAIN  # noqa: PLC0415  loads LibCST

        return EXPLAIN
    from ad_transform.run.attribution import explainer  # noqa: PLC0415  slow

    try:
        return explainer(at)
    except Misuse as error:
        raise click.UsageError(str(error)) from None


def _drawer(
    page: Mapping[str, str],
    tasks: tuple[Task, ...],
    force: bool,
    after_write: int,
    at: str | None,
) -> Mode:
    from ad_transform.run import picture  # noqa: PLC0415  only here

    makers = {"--graph": picture.drawer, "--report": picture.reporter}
    ((option, file),) = page.items()
    return makers[option](file, tasks, force, after_write, at)


def _refuse_beside_page(
    arguments: Arguments, page: Mapping[str, str], other: bool
) -> None:
    option, *others = page
    if others:
        raise Misuse("--graph and --report are written one at a time")
    if other:
        raise Misuse(f"{option} goes with none of --check, --diff and --explain")
    if arguments.output is not None:
        raise Misuse(f"{option} FILE names the only file that is written; drop -o")


def _refuse_contradictions(
    arguments: Arguments,
    explain: bool,
    compare: bool,
    at: str | None,
    page: Mapping[str, str],
) -> None:
    if at is not None and not (explain or page):
        raise Misuse("--at goes with --explain, --graph and --report")
    if explain and compare:
        raise Misuse("--explain goes with neither --check nor --diff")
    if compare and arguments.output == STDIO:
        raise Misuse("--check and --diff compare with a file, which -o - is not")
    if compare and STDIO in arguments.sources and not arguments.stdin_filename:
        raise Misuse("--check and --diff of stdin need --stdin-filename")
