"""Facts about the ways out of a body while it runs, under names of a frame."""

from __future__ import annotations

from ad_transform.ir.nodes import Literal
from ad_transform.read.values.frames import Frame, Promise
from ad_transform.read.values.values import Value

# No source can bind these names.
AWAY = "<away>"  # whether the statements behind are skipped
RESULT = "<result>"  # the result of the function
RETURNED = "<returned>"  # inside a loop: whether the function has returned
BROKEN = "<broken>"  # inside a loop: whether it has been left
CHOSEN = "<chosen>"  # in an arm of an expression: its value

FLAGS = {AWAY: "left", RETURNED: "returned", BROKEN: "stopped"}
"""Names of truth values, with their names in the output."""

TRUE, FALSE = Literal(True), Literal(False)


def lower(frame: Frame) -> None:
    """Lower all flags."""
    for name in FLAGS:
        if name in frame.names:
            frame.bind(name, FALSE)


def flag_of(flag: Value | Promise | None) -> Value:
    """The value of a flag; one that was never raised is down."""
    assert not isinstance(flag, Promise), "flags are joined at once"
    return FALSE if flag is None else flag
