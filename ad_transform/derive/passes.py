"""The passes over whole functions: in front of a derivation, behind it, and before they
run. Each brings loops and branches nearer to the form in which one would write them;
straight code goes by most of them.

The order of those behind a derivation matters:

    powers lower_powers, known_logs    slopes of powers that are there; log(exp(x))
    loops  threaded, without_steady    branches on one test are one; carries that stay
           merged, computed_once       values that are computed twice, also in an arm
           added_to_all, same_lengths  numbers added to all elements; lengths, copies
           appended                    lists that get an item in each trip
           read_at_once, filled        elements stored anew, or all of one number
           not_filled_again            numbers stored where the list has them
           without_unseen              elements stored unseen
           moved_out, told             values that all trips compute alike, in front;
                                       lists as long as others, made by their length
           fused, read_at_index        loops back in loops forth; last items of lists
           without_unkept, one_sum     elements for one trip alone; sums of sums
           one_for_all, moved_out      records that are the same in all trips, in front
           read_back                   records that are elements of a list
           common_factors              factors that terms of such sums have in common
           parts_read_back             records that finished arrays have
           lowered                     whole arrays as numpy has them
    arms   retested                    numbers that earlier branches gave
           guarded, conditional        quotients, and terms that are 0 in the other
                                       arm, go into the arms
           threaded, merged            arms that are alone now, each value made once
           nothing_added               sums with a 0, as arms know now
           own_sums                    sums of values of one branch
           signed, multiples           signs and numbers, where all is in place; signs
                                       in straight code with arrays, too
           alike_arms                  arms that give the same numbers are one
    lists  in_place, told              elements changed in place, lengths of new lists
           listed_once, numbered       lists that are records; numbers for tests
           in_trips_that_leave         loops back that are for one trip alone
           zeros_at_once               zeros, where all derivatives are 0
           known_trips                 facts of loops back on trips that have not left
           joined, gathered            branches on one test: one raises, or all end
           forwards                    other loops that only add
           next_records                values that the next trip records as well
           added_once, into_rows       elements stored that were 0, or in a matrix
           copied, exchanged           copies; elements exchanged back as forth
           upwards                     ranges down that are run backwards
           rooms_late                  the places where lists begin
           arms_again                  values that arms make again rather than record
    last   asked                       whether an item is in a list, not where
"""

from __future__ import annotations

from ad_transform.dataclass import replace
from ad_transform.derive.constants.hoist import hoisted
from ad_transform.derive.sweep.body import merged
from ad_transform.derive.wholes.lowered import lowered
from ad_transform.derive.wholes.parts_read_back import parts_read_back
from ad_transform.elementals import TABLE
from ad_transform.ir.blocks.dissolve import dissolved
from ad_transform.ir.blocks.inner import each_block, is_same, with_body
from ad_transform.ir.blocks.live import live
from ad_transform.ir.constants import as_real
from ad_transform.ir.held import held
from ad_transform.ir.lists.in_place import in_place
from ad_transform.ir.lists.told import told
from ad_transform.ir.loops.listed import listed_once
from ad_transform.ir.loops.recorded import recorded_once
from ad_transform.ir.nodes import Function, Literal, Scan
from ad_transform.later import later

with later():
    from ad_transform.derive.trips.fused import forwards, fused
    from ad_transform.derive.trips.last_trips import without_last_trips
    from ad_transform.derive.trips.leaving import in_trips_that_leave
    from ad_transform.derive.trips.numbered_arms import numbered
    from ad_transform.ir.arms.alike_arms import alike_arms
    from ad_transform.ir.arms.arms_again import arms_again
    from ad_transform.ir.arms.checked_first import checked_first
    from ad_transform.ir.arms.computed_once import computed_once
    from ad_transform.ir.arms.conditional import conditional
    from ad_transform.ir.arms.gathered import gathered
    from ad_transform.ir.arms.guarded import guarded
    from ad_transform.ir.arms.joined import joined
    from ad_transform.ir.arms.known_logs import known_logs
    from ad_transform.ir.arms.lower_powers import lower_powers
    from ad_transform.ir.arms.only_zeros import zeros_at_once
    from ad_transform.ir.arms.retested import retested
    from ad_transform.ir.arms.threaded import threaded
    from ad_transform.ir.arms.told_tests import told_tests
    from ad_transform.ir.lists.added_once import added_once
    from ad_transform.ir.lists.added_to_all import added_to_all
    from ad_transform.ir.lists.appended import appended
    from ad_transform.ir.lists.asked import asked
    from ad_transform.ir.lists.copied import copied
    from ad_transform.ir.lists.exchanged import exchanged
    from ad_transform.ir.lists.filled import filled
    from ad_transform.ir.lists.filled_again import not_filled_again
    from ad_transform.ir.lists.into_rows import into_rows
    from ad_transform.ir.lists.last_items import read_at_index
    from ad_transform.ir.lists.looked_up import looked_up
    from ad_transform.ir.lists.read_at_once import read_at_once
    from ad_transform.ir.lists.rooms import rooms_late
    from ad_transform.ir.lists.same_lengths import same_lengths
    from ad_transform.ir.lists.unkept import without_unkept
    from ad_transform.ir.lists.unseen import without_unseen
    from ad_transform.ir.loops.directions import downwards, upwards
    from ad_transform.ir.loops.equal_carries import without_equal_carries
    from ad_transform.ir.loops.invariant import moved_out, variables_moved_out
    from ad_transform.ir.loops.known_trips import known_trips
    from ad_transform.ir.loops.next_records import next_records
    from ad_transform.ir.loops.one_for_all import one_for_all
    from ad_transform.ir.loops.one_sum import one_sum
    from ad_transform.ir.loops.read_back import read_back
    from ad_transform.ir.loops.steady import without_steady
    from ad_transform.ir.loops.sunk import sunk
    from ad_transform.ir.loops.tripless import without_tripless
    from ad_transform.ir.sums.common_factors import common_factors
    from ad_transform.ir.sums.multiples import multiples
    from ad_transform.ir.sums.nothing_added import nothing_added
    from ad_transform.ir.sums.own_sums import own_sums
    from ad_transform.ir.sums.signed import signed

_REACH = 16
"""Operations between two branches on one test that become one."""


def straightened(function: Function) -> Function:
    """The function with less in its loops. Values that nobody needs go first: a value
    merged with one of them would lose its name.
    """
    if _has_blocks(function):
        function = without_tripless(function)
    body = live(function.body, function.results)
    needed = replace(function, block=with_body(function.block, body))
    needed = downwards(copied(needed, TABLE))
    if _has_blocks(needed):
        needed = computed_once(variables_moved_out(sunk(needed)))
        needed = told_tests(looked_up(told_tests(checked_first(needed)), TABLE))
    return in_place(needed, TABLE)


def _has_blocks(function: Function) -> bool:
    return any(statement.blocks for statement in function.body)


def formed(function: Function, target: str) -> Function:
    """A derived function as it is to be written for a target."""
    derived = _formed(function, returns=target == "math")
    if target == "math":  # other targets are not imported
        derived = hoisted(derived)
    return held(_in_floats(derived))


def formed_to_be_called(function: Function) -> Function:
    """A function that derived ones call as it is to be written."""
    return held(_in_floats(_formed(function)))


def _formed(function: Function, *, returns: bool = False) -> Function:
    """The function as it is written; with `returns` in the arms of its last branch."""
    derived = function
    if _has_blocks(function):
        derived = held(known_logs(held(lower_powers(function, TABLE))))
        derived = _loops(derived)
    derived = held(lowered(held(parts_read_back(derived))))
    if _has_blocks(derived):
        derived = _arms(derived, returns=returns)
    elif any(
        param.type.is_array for param in derived.block.params
    ):  # numbers have none left
        derived = held(signed(derived, TABLE))
    made = _lists(derived)
    return held(asked(made, TABLE))


def alike_once(function: Function) -> Function:
    """The function with equal carries of loops as one, and with values that are equal
    by that computed once.
    """
    made = without_equal_carries(function)
    if made is function:
        return function
    block = merged(made.block)
    body = live(block.body, block.results)
    return replace(made, block=replace(block, body=body))


def _loops(function: Function) -> Function:
    derived = held(without_steady(held(threaded(function, _REACH))))
    derived = replace(derived, block=merged(derived.block))
    derived = held(computed_once(derived))
    derived = held(same_lengths(added_to_all(derived, TABLE)))
    derived = held(appended(derived, TABLE))
    derived = held(filled(read_at_once(derived, TABLE), TABLE))
    derived = held(without_unseen(held(not_filled_again(derived)), TABLE))
    moved = held(moved_out(derived))
    still = moved is derived  # nothing moves later unless something else changes
    derived = held(told(moved, TABLE))
    derived = held(one_sum(_fused(derived), TABLE))
    derived = held(one_for_all(derived))
    if not still or derived is not moved:
        made = held(moved_out(derived))
        derived = derived if made is derived else held(without_unkept(made, TABLE))
    derived = held(_read_back(derived))
    return held(common_factors(derived, TABLE))


def _fused(function: Function) -> Function:
    """The function with loops back fused into loops forth. Inner loops follow once
    items of lists are read at their index. A value that a trip stores for itself alone
    is then no list.
    """
    derived = held(fused(function))
    made = read_at_index(derived)
    made = derived if made is derived else fused(held(made))
    return without_unkept(held(made), TABLE)


def _read_back(function: Function) -> Function:
    """The function without records of values that lists hold. Its places are counted,
    so that more stores turn out to be seen by nobody.
    """
    made = held(read_back(function, TABLE))
    return made if made is function else without_unseen(made, TABLE)


def _arms(function: Function, *, returns: bool) -> Function:
    derived = held(retested(function, TABLE))
    derived = held(conditional(held(guarded(derived)), TABLE))
    derived = held(_threaded(derived, returns=returns))
    derived = held(nothing_added(derived, TABLE))
    derived = held(own_sums(derived, TABLE))
    return held(alike_arms(held(multiples(signed(derived, TABLE), TABLE))))


def _threaded(function: Function, *, returns: bool) -> Function:
    """The function with branches threaded; a value that two arms compute, in a trip
    forth and in the trip back beside it, is computed once.
    """
    made = threaded(function, _REACH, returns=returns)
    if made is function or Scan not in made.block.kinds:
        return made
    return each_block(made, merged)


def _lists(function: Function) -> Function:
    derived = held(told(in_place(function, TABLE), TABLE))
    derived = held(listed_once(derived))
    if not _has_blocks(derived):
        return derived
    derived = held(zeros_at_once(held(in_trips_that_leave(derived)), TABLE))
    derived = held(retested(held(known_trips(derived)), TABLE))
    derived = held(numbered(_without_last_trips(derived)))
    derived = held(forwards(gathered(held(joined(derived)))))
    derived = held(next_records(derived))
    derived = held(into_rows(added_once(derived, TABLE), TABLE))
    derived = held(exchanged(copied(derived, TABLE), TABLE))
    return held(arms_again(held(rooms_late(upwards(derived, TABLE)))))


def _without_last_trips(function: Function) -> Function:
    """The function with last trips in front of their loops: adjoints that are 0 in all
    others are not added to.
    """
    made = without_last_trips(function)
    if made is function:
        return made
    return held(signed(nothing_added(held(made), TABLE), TABLE))


def as_it_runs(function: Function) -> Function:
    """The function as it runs: the statements that solve an equation in its place."""
    made = dissolved(function)
    if made is function:
        return function
    block = merged(made.block)  # orders of derivatives may share slopes
    block = replace(block, body=live(block.body, block.results))
    # a stand-in for a value may have been recorded beside it
    return held(recorded_once(replace(made, block=block)))


def _in_floats(function: Function) -> Function:
    """The function with floats for whole numbers in the results of its derivative."""
    results = tuple(
        as_real(r) if k >= function.primal and isinstance(r, Literal) else r
        for k, r in enumerate(function.results)
    )
    if is_same(results, function.results):
        return function
    return replace(function, block=replace(function.block, results=results))
