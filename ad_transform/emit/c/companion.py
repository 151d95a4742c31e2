"""The header of a C file: its functions declared, with their comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ad_transform.dataclass import replace
from ad_transform.emit.c.program import program
from ad_transform.emit.header import Style, find

_STYLE = Style("//")
_BEGIN = re.compile(r"(?!static\b|extern\b|typedef\b|struct\b)[A-Za-z_][\w ]*[ *]\w+\(")


def declarations(text: str, name: str) -> str:
    """The header, called `name`, of the file with this text."""
    header = find(text, _STYLE)
    assert header is not None, "what we generate has a header"
    guard = re.sub(r"\W", "_", name).upper()
    guard = f"AD_{guard}" if not guard[:1].isalpha() else guard
    functions = [f"{declaration}\n" for declaration in _declared(text)]
    needs = "\n".join(functions)
    includes = [f"#include <{n}>\n" for n, w in _INCLUDES.items() if w in needs]
    body = "\n".join(
        [
            f"#ifndef {guard}\n#define {guard}\n",
            *(["".join(includes)] if includes else []),
            '#ifdef __cplusplus\nextern "C" {\n#endif\n',
            *functions,
            "#ifdef __cplusplus\n}\n#endif\n",
            "#endif\n",
        ]
    )
    own = replace(header, body=program(body).hash)
    return f"{own.render(_STYLE)}\n{body}"


_INCLUDES = {"stdbool.h": "bool ", "stdint.h": "int64_t "}


def _declared(text: str) -> Iterator[str]:
    """Each function that others may call, declared below its comment."""
    comment: list[str] = []
    head: list[str] = []
    for line in text.split("\n"):
        if head or _BEGIN.match(line):
            head.append(line)
        elif line.startswith("//"):
            comment.append(line)
            continue
        if head and line.endswith("{"):
            whole = "\n".join(head).removesuffix("{").rstrip()
            yield "\n".join([*comment, f"{whole};"])
            head = []
        if not head:
            comment = []
