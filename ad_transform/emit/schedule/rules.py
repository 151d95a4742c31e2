"""Rules of scheduling, one for each kind of statement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from ad_transform.emit.schedule.arm_lists import Begin, Keep, TakeBack
from ad_transform.emit.schedule.scheduler import Schedule
from ad_transform.emit.schedule.statements import (
    apply,
    begin,
    call,
    check,
    keep,
    opened,
    record,
    said,
    take,
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
    **cast(dict[type[Statement], Schedule], {Begin: begin, Keep: keep, TakeBack: take}),
}
# fmt: on
