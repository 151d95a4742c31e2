"""Functions that call one another, and themselves, hand over needed values alone.

without_zeros    nothing is added to zeros
lean             nothing is given or recorded that nobody reads
with_lengths     of lists that only their length is read of, that is recorded
merged           functions that are alike are one
called_in_place  lists that nobody reads again are changed where they stand
"""

from __future__ import annotations

from ad_transform.derive.calls.added_zeros import without_zeros
from ad_transform.derive.calls.alike_functions import merged
from ad_transform.derive.calls.called_in_place import called_in_place
from ad_transform.derive.calls.recorded_lengths import with_lengths
from ad_transform.derive.calls.unread_records import lean
from ad_transform.ir.nodes import Bundle


def tightened(bundle: Bundle) -> Bundle:
    """The bundle after all passes over calls."""
    return called_in_place(merged(with_lengths(lean(without_zeros(bundle)))))
