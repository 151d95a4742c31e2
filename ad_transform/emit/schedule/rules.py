"""How each kind of statement is scheduled."""

from __future__ import annotations

from collections.abc import Mapping

from ad_transform.emit.schedule.scheduler import Schedule
from ad_transform.emit.schedule.statements import (
    apply,
    call,
    check,
    opened,
    record,
    said,
)
from ad_transform.ir.nodes import (
    Apply,
    Branch,
    Call,
    Check,
    Open,
    Print,
    Record,
    Scan,
    Statement,
    While,
)
from ad_transform.later import later

with later():
    from ad_transform.emit.schedule.branches import branch
    from ad_transform.emit.schedule.loops import scan
    from ad_transform.emit.schedule.whiles import loop

# fmt: off
RULES: Mapping[type[Statement], Schedule] = {
    Apply:  apply,
    Branch: branch,
    Call:   call,
    Check:  check,
    Print:  said,
    Open:   opened,
    Record: record,
    Scan:   scan,
    While:  loop,
}
# fmt: on
