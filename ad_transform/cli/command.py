"""The command: its words become tasks and a mode, which are performed."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from ad_transform.cli.contradictions import (
    refuse_beside_emit,
    refuse_beside_page,
    refuse_beside_watch,
    refuse_contradictions,
)
from ad_transform.cli.options import (
    GENERATION,
    PATH,
    generation_options,
    list_elementals,
    print_version,
)
from ad_transform.dataclass import replace
from ad_transform.later import later
from ad_transform.run.batch import CANNOT, DONE, NOT_CURRENT, Batch, Mode, Outcome
from ad_transform.run.colour import paint_for
from ad_transform.run.plan import PROGRAM, Arguments, Misuse, Task, plan, scopes_of
from ad_transform.run.report import FORMATS, Finding
from ad_transform.run.session import Voice, perform, say
from ad_transform.run.toml import Misconfigured

with later():
    from ad_transform.ir.held import every_pass
    from ad_transform.run import init, modes, picture
    from ad_transform.run.attribution import explainer
    from ad_transform.run.emission import emitter
    from ad_transform.run.modes import EXPLAIN
    from ad_transform.run.parallel import processors
    from ad_transform.run.upkeep import strays, tracking
    from ad_transform.run.watch import watch


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("sources", metavar="[SRC]...", nargs=-1, type=PATH)
@click.option(
    "-o", "--output", type=PATH, metavar="FILE", help="With one SRC; '-' is stdout."
)
@click.option("--check", is_flag=True, help="Write nothing; 1 if not current.")
@click.option("--diff", is_flag=True, help="Write nothing; unified diff on stdout.")
@click.option("--explain", is_flag=True, help="Write nothing; figures on stdout.")
@click.option("--force", is_flag=True, help="Overwrite what is not ours or was edited.")
@click.option("--exit-nonzero-on-write", is_flag=True, help="Exit 1 if it wrote.")
@click.option("--stdin-filename", metavar="NAME", help="What SRC '-' is called.")
@generation_options
@click.option("--graph", metavar="FILE", help="Only draw, into .html, .svg or .dot.")
@click.option(
    "--emit",
    type=click.Choice(("ir", "graph", "sequence")),
    help="Write nothing; programs, graphs or steps on stdout.",
)
@click.option("--report", metavar="FILE", help="Only report, line by line, into .html.")
@click.option("--at", metavar="VALUES", help='Figures at a point: "x=1e-8, y=2".')
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
    callback=list_elementals,
    help="Print the functions with a derivative.",
)
@click.option("--config", metavar="FILE", help="Read this, not pyproject.toml.")
@click.option("--output-format", type=click.Choice(FORMATS), default="full")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@click.option("-v", "--verbose", is_flag=True, help="Say what was made.")
@click.option(
    "--debug",
    is_flag=True,
    help="Verify after every pass; traceback of internal errors.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_version,
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
    if debug:
        _verify_all()
    settings = {name: others[name] for name in GENERATION if others[name] is not None}
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
        refuse_contradictions(arguments, explain, compare, at, page)
        if page:
            refuse_beside_page(arguments, page, explain or compare or watch)
        if emit is not None:
            refuse_beside_emit(arguments, explain or compare or watch or page)
        if watch:
            refuse_beside_watch(arguments, explain or compare)
        tasks = _planned(arguments)
        if page:
            drawer = _drawer(page, tasks, force, after_write, at)
    except Misuse as error:
        raise click.UsageError(str(error)) from None
    except Misconfigured as wrong:
        finding = Finding(os.path.relpath(wrong.path), wrong.diagnostic)
        voice.findings([finding])
        return CANNOT
    writer = modes.Writer(force, after_write)
    mode = _explainer(at) if explain else modes.COMPARISONS.get((check, diff), writer)
    if emit is not None:
        mode = _emitter(emit)
    if drawer is not None:
        tasks, mode = tasks[:1], drawer  # several outputs of one source
    batch = Batch(
        tasks, mode, caching=not (no_cache or debug), jobs=jobs or _processors()
    )
    if check:
        return _checked_project(arguments, batch, voice)
    if watch:
        _watch(arguments, batch, voice)
    if exit_nonzero_on_write and not sources and os.environ.get("PRE_COMMIT"):
        return _hooked(batch, voice)
    return perform(batch, voice)


def _verify_all() -> None:
    """Verify every program after every pass until the command ends."""
    click.get_current_context().with_resource(every_pass())


def _hooked(batch: Batch, voice: Voice) -> int:
    """Inside pre-commit, whose second run finds all written and nothing added."""
    return perform(batch, voice, tracking(batch.tasks).reviewed)


def _processors() -> int:
    return processors()


def _checked_project(arguments: Arguments, batch: Batch, voice: Voice) -> int:
    """--check, of a whole project where no files are named."""
    scopes = scopes_of(arguments)
    if not scopes:
        return perform(batch, voice)
    review = tracking(batch.tasks).reviewed
    return perform(batch, voice, review, strays(scopes, batch))


def _planned(arguments: Arguments) -> tuple[Task, ...]:
    try:
        return plan(arguments)
    except OSError as error:  # the folder of the call is gone
        raise Misuse(f"{error.filename or '.'}: {error.strerror or error}") from None


def _explainer(at: str | None) -> Mode:
    if at is None:
        return EXPLAIN
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
    makers = {"--graph": picture.drawer, "--report": picture.reporter}
    ((option, file),) = page.items()
    return makers[option](file, tasks, force, after_write, at)


def _emitter(form: str) -> Mode:
    return emitter(form)


def _watch(arguments: Arguments, batch: Batch, voice: Voice) -> None:
    """Make changed sources again, until an interrupt."""

    def replanned() -> tuple[Task, ...]:
        try:
            return _planned(arguments)
        except Misconfigured as wrong:  # while it is being edited
            voice.findings([Finding(os.path.relpath(wrong.path), wrong.diagnostic)])
        except Misuse as error:
            voice.talk(f"{PROGRAM}: {error}")
        return ()

    def make(tasks: Sequence[Task]) -> dict[Task, list[str]]:
        read: dict[Task, list[str]] = {}

        def noted(task: Task, outcome: Outcome) -> Outcome:
            read[task] = [os.path.join(task.root or "", path) for path in outcome.read]
            return outcome

        perform(replace(batch, tasks=tuple(tasks)), voice, noted)
        return read

    gc.enable()  # this is no short run
    voice.talk("watching; Ctrl-C ends it")
    watch(replanned, make)


def _initialised(arguments: Arguments, voice: Voice, other: object) -> int:
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
