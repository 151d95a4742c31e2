"""`-j N`: outcomes of tasks from several processes, in the order of the tasks.

Workers are told the number of a task and answer with its outcome. They ignore the
interrupts of the terminal; whoever started them ends them. A worker that dies takes no
other task with it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

Answer = TypeVar("Answer")
Ask = Callable[[int], Answer]


def processors() -> int:
    """The number of processes that can run at a time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def answers(
    questions: Sequence[int], ask: Ask[Answer], lost: Ask[Answer], jobs: int
) -> Generator[Answer]:
    """`ask` of each question from up to `jobs` processes, in order.

    `lost` is the answer where the process died. Closing the iterator ends them all.
    """
    pool = _Pool(questions, ask, lost)
    try:
        for _ in range(min(jobs, len(questions))):
            pool.hire()
        for question in questions:
            yield pool.answer(question)
    finally:
        pool.end()


def forks() -> bool:
    """Whether processes start as copies of this one."""
    return "fork" in multiprocessing.get_all_start_methods() and (
        sys.platform != "darwin"
    )


class _Pool(Generic[Answer]):
    def __init__(
        self, questions: Sequence[int], ask: Ask[Answer], lost: Ask[Answer]
    ) -> None:
        self.waiting = list(reversed(questions))
        self.ask, self.lost = ask, lost
        self.answered: dict[int, Answer] = {}
        self.workers: dict[Connection, BaseProcess] = {}
        self.asked: dict[Connection, int] = {}

    def hire(self) -> None:
        """Start a worker on the next question."""
        mine, its = multiprocessing.Pipe()
        # a copy of our end in another worker would keep this one from seeing it close
        ours = (mine, *self.workers) if forks() else ()
        worker = _process(_work, (its, ours, self.ask))
        with _no_interrupts():
            worker.start()
        its.close()
        self.workers[mine] = worker
        self._occupy(mine)

    def answer(self, question: int) -> Answer:
        """The answer to a question, as soon as it is there."""
        while question not in self.answered:
            for pipe in wait(list(self.asked)):
                assert isinstance(pipe, Connection)
                self._hear(pipe)
        return self.answered.pop(question)

    def _hear(self, pipe: Connection) -> None:
        question = self.asked.pop(pipe)
        try:
            self.answered[question] = pipe.recv()
        except (EOFError, OSError):
            self.answered[question] = self.lost(question)
            self.workers.pop(pipe).join()
            pipe.close()
            if self.waiting:
                self.hire()
        else:
            self._occupy(pipe)

    def _occupy(self, pipe: Connection) -> None:
        if self.waiting:
            self.asked[pipe] = self.waiting.pop()
            with suppress(OSError):  # it has died: `_hear` will notice
                pipe.send(self.asked[pipe])

    def end(self) -> None:
        """End all workers, at work or not."""
        for worker in self.workers.values():
            worker.terminate()
        for pipe, worker in self.workers.items():
            pipe.close()
            worker.join(_GRACE)
            if worker.is_alive():
                worker.kill()
                worker.join()


def _process(target: Callable[..., None], args: tuple[object, ...]) -> BaseProcess:
    if forks():
        context = multiprocessing.get_context("fork")
        return context.Process(target=target, args=args, daemon=True)
    return multiprocessing.get_context("spawn").Process(
        target=target, args=args, daemon=True
    )


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """An interrupt waits until the worker is there, which never hears of it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_GRACE = 1.0
"""Seconds that a worker has to clear away a file that it is writing."""


def _work(pipe: Connection, others: Sequence[Connection], ask: Ask[object]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    for other in others:
        other.close()
    try:
        while True:
            pipe.send(ask(pipe.recv()))
    except (EOFError, OSError):  # nobody asks any more
        return


def _leave(*_: object) -> None:
    sys.exit(0)
