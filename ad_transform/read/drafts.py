"""Programs in the making: their statements, and the drafts that they make and use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ad_transform.read.values import (
    Draft,
    DraftAnd,
    DraftApply,
    DraftCall,
    DraftCheck,
    DraftChoice,
    DraftLoop,
    DraftSolve,
    DraftStatement,
    Number,
)


def made(body: Sequence[DraftStatement]) -> Iterator[Draft]:
    """The drafts that a body and its blocks make. Linear."""
    for statement in _walk(body):
        match statement:
            case DraftApply(out) | DraftAnd(out):
                yield out
            case DraftChoice(outs=outs) | DraftCall(outs=outs):
                yield from outs
            case DraftLoop(index=index, carries=carries):
                yield from (d for c in carries for d in (c.param, c.out))
                if index is not None:
                    yield index
            case DraftSolve(params=params, unknowns=unknowns, others=others):
                yield from (*params, *(out for out, _ in (*unknowns, *others)))


def raises(body: Sequence[DraftStatement]) -> bool:
    """Whether something is checked in a body, or in a function that it calls."""
    return any(
        isinstance(s, DraftCheck) or (isinstance(s, DraftCall) and s.raises)
        for s in _walk(body)
    )


def free(body: Sequence[DraftStatement], results: Sequence[Number]) -> Iterator[Draft]:
    """The drafts that a body uses and does not make, in order of use. Linear."""
    inner = set(made(body))
    for number in (*uses(body), *results):
        if isinstance(number, Draft) and number not in inner:
            yield number


def uses(body: Sequence[DraftStatement]) -> Iterator[Draft]:
    """The drafts that a body and its blocks use, as often as they do. Linear."""
    for statement in _walk(body):
        for number in _used(statement):
            if isinstance(number, Draft):
                yield number


def _walk(body: Sequence[DraftStatement]) -> Iterator[DraftStatement]:
    """All statements, those of blocks behind the one that holds them."""
    stack = [iter(body)]
    while stack:
        for statement in stack[-1]:
            yield statement
            inner = _bodies(statement)
            if inner:
                stack += map(iter, reversed(inner))
                break
        else:
            stack.pop()


def _bodies(statement: DraftStatement) -> tuple[list[DraftStatement], ...]:
    match statement:
        case DraftAnd(body=body):
            return (body,)
        case DraftChoice(then=then, orelse=orelse):
            return (then.body, orelse.body)
        case DraftLoop(before=before, test=test, body=body):
            return (before, test, body)
        case DraftSolve(body=body, residual=residual):
            return (body, residual)
    return ()


def _used(statement: DraftStatement) -> Iterable[str | Number]:
    """What a statement itself uses, the results of its blocks included."""
    match statement:
        case DraftApply(_, _, args):
            return args
        case DraftCall(args=args):
            return args
        case DraftCheck(test, message):
            return (test, *message)
        case DraftAnd(_, test, _, _, result):
            return (test, result)
        case DraftChoice(test, then, orelse):
            return (test, *then.results, *orelse.results)
        case DraftLoop(bounds=bounds, carries=carries, result=result):
            tails = (c.end for c in carries if c.end is not None)
            return (*bounds, *(c.start for c in carries), *tails, result)
        case DraftSolve(ends=ends, unknowns=unknowns, others=others):
            return (*ends, *(made for _, made in (*unknowns, *others)))
