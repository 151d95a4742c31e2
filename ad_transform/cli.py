"""The command line. click lives here and nowhere else.

Exit codes are pure (CONTRACT.md, rule 21): click's own exits are turned into ours, so
that 1 always means "not current".
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
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
from ad_transform.run.colour import paint_for
from ad_transform.run.plan import STDIO, Arguments, Misuse, Task, plan, scopes_of
from ad_transform.run.report import FORMATS, Finding
from ad_transform.run.session import Voice, drop_stdout, flushed, perform, put, say
from ad_transform.run.settings import checked, choices_of, spelled
from ad_transform.run.toml import Misconfigured

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
    except SystemExit as end:  # click's way with a broken pipe and with completion
        return CANNOT if end.code else DONE
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
            shell_complete=_completed,
            metavar=span or "|".join(texts),
            callback=_checked,
            help=f"{_GENERATION[name]}.  [default: {getattr(Options(), name)}]",
        )(function)
    return function


def _completed(_: click.Context, parameter: click.Parameter, text: str) -> list[str]:
    """What an option may be, for the shell."""
    name = str(parameter.name)
    choices = [str(k) for k in range(RANGES[name][0], 4)] if name == "effort" else []
    if name not in RANGES:
        choices = list(choices_of(name))
    return [choice for choice in choices if choice.startswith(text)]


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


_PATH = click.Path()  # for completion; what is there is looked at later


# --- the command ----------------------------------------------------------------------


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("sources", metavar="[SRC]...", nargs=-1, type=_PATH)
@click.option(
    "-o", "--output", type=_PATH, metavar="FILE", help="With one SRC; '-' is stdout."
)
@click.option("--check", is_flag=True, help="Write nothing; 1 if not current.")
@click.option("--diff", is_flag=True, help="Write nothing; unified diff on stdout.")
@click.option("--explain", is_flag=True, help="Write nothing; figures on stdout.")
@click.option("--force", is_flag=True, help="Overwrite what is not ours or was edited.")
@click.option("--exit-nonzero-on-write", is_flag=True, help="Exit 1 if it wrote.")
@click.option("--stdin-filename", metavar="NAME", help="What SRC '-' is called.")
@_generation_options
@click.option("--graph", metavar="FILE", help="Only draw, into .html, .svg or .dot.")
@click.option(
    "--emit",
    type=click.Choice(("ir", "graph", "sequence")),
    help="Write nothing; programs, graphs or steps on stdout.",
)
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
@click.option("--watch", is_flag=True, help="Make whatever changes, until Ctrl-C.")
@click.option(
    "--init", is_flag=True, help="Write the manifest of the marked files, and hooks."
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
    emit: str | None,
    watch: bool,
    init: bool,
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
    paint = paint_for(sys.stderr, os.environ)
    voice = Voice(output_format, quiet, verbose, debug, paint)
    compare = check or diff
    if init:
        return _initialised(arguments, voice, watch or compare or explain)
    after_write = NOT_CURRENT if exit_nonzero_on_write else DONE
    pages = {"--graph": graph, "--report": report}
    page = {option: file for option, file in pages.items() if file is not None}
    drawer: Mode | None = None
    try:
        _refuse_contradictions(arguments, explain, compare, at, page)
        if page:
            _refuse_beside_page(arguments, page, explain or compare or watch)
        if emit is not None:
            _refuse_beside_emit(arguments, explain or compare or watch or page)
        if watch:
            _refuse_beside_watch(arguments, explain or compare)
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
    if emit is not None:
        mode = _emitter(emit)
    if drawer is not None:
        tasks, mode = tasks[:1], drawer  # several outputs of one source
    batch = Batch(tasks, mode, caching=not no_cache, jobs=jobs or _processors())
    if check:
        return _checked_project(arguments, batch, voice)
    if watch:
        _watch(arguments, batch, voice)
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


def _emitter(form: str) -> Mode:
    from ad_transform.run.emission import emitter  # noqa: PLC0415  only here

    return emitter(form)


def _watch(arguments: Arguments, batch: Batch, voice: Voice) -> None:
    """Make what changes, until an interrupt."""
    from ad_transform.run.watch import watch  # noqa: PLC0415  only here

    def replanned() -> tuple[Task, ...]:
        try:
            return _planned(arguments)
        except Misconfigured as wrong:  # while it is being edited
            voice.findings([Finding(os.path.relpath(wrong.path), wrong.diagnostic)])
        except Misuse as error:
            voice.talk(f"{PROGRAM}: {error}")
        return ()

    def make(tasks: Sequence[Task]) -> None:
        perform(replace(batch, tasks=tuple(tasks)), voice)

    gc.enable()  # this is no short run
    voice.talk("watching; Ctrl-C ends it")
    watch(replanned, make)


def _initialised(arguments: Arguments, voice: Voice, other: object) -> int:
    from ad_transform.run import init  # noqa: PLC0415  only here

    if other or arguments.sources or arguments.output or arguments.config:
        raise click.UsageError("--init stands alone, in the folder of the project")
    try:
        for line in init.start(os.curdir):
            voice.talk(line)
    except init.Nothing as nothing:
        say(f"{PROGRAM}: {nothing}")
    except Misconfigured as wrong:
        voice.findings([Finding(os.path.relpath(wrong.path), wrong.diagnostic)])
    except OSError as error:
        say(f"{PROGRAM}: {error.filename}: {error.strerror}")
    else:
        return DONE
    return CANNOT


def _refuse_beside_emit(arguments: Arguments, other: object) -> None:
    if other:
        raise Misuse("--emit prints, and goes with no other mode")
    if arguments.output not in (None, STDIO):
        raise Misuse("--emit prints on stdout; drop -o")


def _refuse_beside_watch(arguments: Arguments, other: object) -> None:
    if other or STDIO in (*arguments.sources, arguments.output):
        raise Misuse(
            "--watch writes files; it goes with no other mode, stdin or stdout"
        )


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
