"""The command line. click lives here and nowhere else.

Exit codes are pure (CONTRACT.md, rule 21): click's own exits are turned into ours, so
that 1 always means "not current".
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from ad_transform.later import at_rest, later

with at_rest():
    import click

    from ad_transform.cli.command import command
    from ad_transform.run.batch import CANNOT, DONE, INTERNAL, INTERRUPTED
    from ad_transform.run.plan import PROGRAM
    from ad_transform.run.session import drop_stdout, flushed, say

with later():
    import traceback


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
            say(traceback.format_exc().rstrip())
        return INTERNAL
