"""The frame of an HTML file that needs no other file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ad_transform.picture.svg import style


def document(
    title: str, sheets: Sequence[str], body: Iterable[str], scripts: Sequence[str]
) -> str:
    """The text of a file; sheets and scripts are files of this package."""
    head = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{''.join(map(style, sheets))}</style>",
        "</head>",
        "<body>",
    ]
    script = f"<script>\n{''.join(map(style, scripts))}</script>"
    return "\n".join([*head, *body, script, "</body>", "</html>", ""])
