"""One call of the tool: products to stdout, talk to stderr, and the exit code."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import chain

from ad_transform.dataclass import dataclass
from ad_transform.derive.progress import listening
from ad_transform.later import later
from ad_transform.run.batch import CANNOT, DONE, PASSED_OVER, Batch, Outcome
from ad_transform.run.colour import Paint, plain
from ad_transform.run.plan import Task
from ad_transform.run.progress import on_stderr
from ad_transform.run.report import Finding, render

with later():
    from ad_transform.run.explanation import as_json, as_text


@dataclass(frozen=True, slots=True)
class Voice:
    """The amount and the format of talk on stderr."""

    output_format: str = "full"
    quiet: bool = False
    verbose: bool = False
    debug: bool = False
    paint: Paint = plain

    @property
    def json(self) -> bool:
        """Whether stderr and --explain are for machines."""
        return self.output_format == "json"

    def talk(self, *lines: str) -> None:
        """Lines for people; JSON keeps stderr to itself."""
        if not self.quiet and not self.json:
            say(*lines)

    def findings(self, findings: Sequence[Finding]) -> None:
        """Diagnostics; under --quiet only errors."""
        heard = [f for f in findings if f.is_error or not self.quiet]
        if heard or self.json:
            say(render(heard, self.output_format, self.paint))


Review = Callable[[Task, Outcome], Outcome]


def perform(
    batch: Batch,
    voice: Voice,
    review: Review = lambda _, outcome: outcome,
    strays: Iterable[Outcome] = (),
) -> int:
    """Run the tasks and tell of each as it comes; the worst exit code.

    `review` has the last word on each, `strays` are told behind them.
    """
    outcomes = []
    heard = not (voice.quiet or voice.json)
    with on_stderr(heard=heard) as progress, listening(progress.doing):
        made = batch.run(progress.begin)
        for outcome in chain(map(review, batch.tasks, made), strays):
            progress.clear()
            _tell(outcome, voice)
            outcomes.append(outcome)
    _tell_all(outcomes, voice)
    return max((outcome.code for outcome in outcomes), default=DONE)


def _tell(outcome: Outcome, voice: Voice) -> None:
    if not voice.json:
        voice.findings(outcome.findings)
    if outcome.trace:
        say(outcome.talk)
        if voice.debug:
            say(outcome.trace.rstrip())
    elif outcome.talk:
        voice.talk(outcome.talk)
    if voice.verbose:
        voice.talk(*outcome.details)
    put(outcome.product)


def _tell_all(outcomes: Sequence[Outcome], voice: Voice) -> None:
    """Write the parts for the end alone: lists in JSON, figures, the summary."""
    if voice.json:
        voice.findings([f for outcome in outcomes for f in outcome.findings])
    objects = [figures for outcome in outcomes for figures in outcome.objects]
    explained = any(outcome.tally == "explained" for outcome in outcomes)
    if explained:
        put(as_json(objects) if voice.json else as_text(objects))
    if not outcomes:
        voice.talk("nothing is marked there: write `# ad: gradient` above a function")
    spoken = any(o.talk or o.findings for o in outcomes)
    if len(outcomes) > 1 or not spoken:
        voice.talk(*_summary(outcomes))


_UNCOUNTED = frozenset({"printed", "explained", PASSED_OVER})


def _summary(outcomes: Iterable[Outcome]) -> tuple[str, ...]:
    """`2 files: 1 written, 1 current`, or nothing where nothing was to be written."""
    tallies = Counter(o.tally for o in outcomes if o.tally not in _UNCOUNTED)
    total = tallies.total()
    if not total:
        return ()
    parts = ", ".join(f"{count} {tally}" for tally, count in tallies.items())
    return (f"{total} file{'s' if total > 1 else ''}: {parts}",)


# --- the streams ----------------------------------------------------------------------


def say(*lines: str) -> None:
    """Lines on stderr; nobody listening is no failure."""
    with suppress(OSError, ValueError, AttributeError):
        for line in lines:
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def put(product: str) -> None:
    """Text on stdout, as UTF-8 with `\\n` everywhere; raises OSError."""
    if not product:
        return
    if sys.stdout is None:
        raise OSError(0, "standard output is closed")
    sys.stdout.flush()
    sys.stdout.buffer.write(product.encode(errors="backslashreplace"))
    sys.stdout.buffer.flush()


def flushed(code: int) -> int:
    """`code`, or 2 where stdout did not take all; Python's own exit would be 120."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        drop_stdout()
        return max(code, CANNOT)
    return code


def drop_stdout() -> None:
    """Let buffered output go nowhere, so that the exit is quiet."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
