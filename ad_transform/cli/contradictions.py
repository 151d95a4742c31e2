"""Options that do not go together; each raises Misuse with a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.run.plan import STDIO, Arguments, Misuse


def refuse_beside_emit(arguments: Arguments, other: object) -> None:
    """--emit is a mode of its own, and writes no file."""
    if other:
        raise Misuse("--emit prints, and goes with no other mode")
    if arguments.output not in (None, STDIO):
        raise Misuse("--emit prints on stdout; drop -o")


def refuse_beside_watch(arguments: Arguments, other: object) -> None:
    """--watch is a mode of its own, and writes files."""
    if other or STDIO in (*arguments.sources, arguments.output):
        raise Misuse(
            "--watch writes files; it goes with no other mode, stdin or stdout"
        )


def refuse_beside_page(
    arguments: Arguments, page: Mapping[str, str], other: bool
) -> None:
    """--graph and --report write one file, the page."""
    option, *others = page
    if others:
        raise Misuse("--graph and --report are written one at a time")
    if other:
        raise Misuse(f"{option} goes with none of --check, --diff and --explain")
    if arguments.output is not None:
        raise Misuse(f"{option} FILE names the only file that is written; drop -o")


def refuse_contradictions(
    arguments: Arguments,
    explain: bool,
    compare: bool,
    at: str | None,
    page: Mapping[str, str],
) -> None:
    """Refuse options that only another mode takes, and modes without their file."""
    if at is not None and not (explain or page):
        raise Misuse("--at goes with --explain, --graph and --report")
    if explain and compare:
        raise Misuse("--explain goes with neither --check nor --diff")
    if compare and arguments.output == STDIO:
        raise Misuse("--check and --diff compare with a file, which -o - is not")
    if compare and STDIO in arguments.sources and not arguments.stdin_filename:
        raise Misuse("--check and --diff of stdin need --stdin-filename")
