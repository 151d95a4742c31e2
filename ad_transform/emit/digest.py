"""The hash of a text.

`hashlib` loads OpenSSL, which takes a hundred times as long as to hash a file of ours.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

from ad_transform.later import later

with later():
    import hashlib

_BUILT_IN = ("_sha2", "_sha256")  # of Python 3.12, and of those before
"""The modules of Python's own implementation, if it was built with one."""


def sha256(text: str) -> str:
    """The digits of the hash of a text in UTF-8. Linear."""
    digits: str = _made()(text.encode()).hexdigest()
    return digits


@cache
def _made() -> Any:
    for name in _BUILT_IN:
        with suppress(ImportError):
            return import_module(name).sha256
    return hashlib.sha256
