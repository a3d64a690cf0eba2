"""Independent tasks of work in parallel: in processes of this machine, or on a cluster.

`run_parallel` hands the tasks to a `concurrent.futures.Executor` and yields their results. The executor is not part
of a project, since no result depends on it: processes of this machine (`faying.parallel.processes`), or the cluster of
`computing_on` (`faying.parallel.cluster`). Progress and log messages of a task arrive while it runs. A process that
dies loses only the task that it was computing.
"""

import logging
import queue
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from typing import Any, Literal

from faying.errors import FayingError
from faying.parallel.pool import Inbox, Pool
from faying.parallel.task import Work, is_task
from faying.progress import PartialProgress, Progress

__all__ = ["Lost", "Work", "computing_on", "run_parallel", "where_computed"]

Lost = Callable[[Any, FayingError], Any]
_INTERVAL = 0.1  # s between checks for cancellation
_MAX_TRIES = 4  # of a task whose process died while several ran, or that a cluster lost
_place: ContextVar[str] = ContextVar("faying_place", default="")
_log = logging.getLogger(__name__)


@contextmanager
def computing_on(cluster: str) -> Iterator[None]:
    """Compute the tasks of studies and sweeps in the block on a cluster of dask.distributed.

    Args:
        cluster: address of its scheduler ("tcp://node7:8786"), or the scheduler file that it wrote; "" for processes
            of this machine.
    """
    token = _place.set(cluster.strip())
    try:
        yield
    finally:
        _place.reset(token)


def where_computed() -> str:
    """Return the address of the cluster that computes tasks, "" for this machine."""
    return "" if is_task() else _place.get()


def run_parallel(
    work: Work, shared: Any, tasks: Sequence[Any], processes: int, progress: Progress, cores: int = 1,
    *, lost: Lost | None = None,
) -> Generator[tuple[int, Any]]:  # fmt: skip
    """Yield (number of the task, value) for all values of the work, as the tasks end.

    A process keeps its copy of `shared`, including its caches, from one task to the next. A caller that may stop early
    must close the generator (`contextlib.closing`): running tasks are then ended at once (on a cluster at their next
    progress report), as they are when a task fails or the run is cancelled. Processes of this machine wait while
    `progress` is paused; a cluster receives no further tasks meanwhile.

    When a process dies, all tasks that were running are tried again, one at a time. A task that kills its process
    again is lost; all others are computed.

    Args:
        work: (shared, task, progress) -> values; a function at the top of a module.
        shared: data that all tasks need; the data and the tasks must be picklable.
        tasks: independent of each other.
        processes: greatest number on this machine; with one, or a single task, the work runs in this process. A
            cluster uses all of its workers.
        progress: reports all tasks together.
        cores: of this machine that all processes together may use.
        lost: (task, error) -> value for a task whose process died; without it the error is raised after all other
            tasks have ended.

    Raises:
        Cancelled: when asked to stop.
        Exception: the error of the work, with its traceback from the other process as a note.
        FayingError: when a task was lost, or there is no such cluster.
    """
    place, processes = where_computed(), min(processes, len(tasks))
    if not tasks or is_task() or (processes < 2 and not place):
        for i, task in enumerate(tasks):
            part = PartialProgress(progress, i / len(tasks), (i + 1) / len(tasks))
            yield from ((i, value) for value in work(shared, task, part))
        return
    inbox: Inbox = queue.SimpleQueue()
    with ExitStack() as stack:
        pool: Pool
        if place:
            from faying.parallel.cluster import ClusterPool  # an extra

            pool = ClusterPool(place, shared, inbox, progress)
        else:
            from faying.parallel.processes import ProcessPool

            pool = ProcessPool(processes, cores, shared, inbox)
        stack.callback(pool.close)
        yield from _Run(work, tasks, pool, inbox, progress).values(lost)


class _Run:
    """State of a run: the tasks that wait, run, are tried again, or have ended."""

    def __init__(
        self, work: Work, tasks: Sequence[Any], pool: Pool, inbox: Inbox, progress: Progress
    ) -> None:
        self._work, self._tasks, self._pool = work, tasks, pool
        self._inbox, self._progress = inbox, progress
        self._waiting = deque(range(len(tasks)))
        self._suspects: deque[int] = deque()  # ran when a process died; tried again, one at a time
        self._alone = -1  # the suspect that is running; -1 for none
        self._running: dict[Future[list[Any]], int] = {}
        self._tries, self._begun = [0] * len(tasks), set[int]()
        self._fractions, self._texts = [0.0] * len(tasks), [""] * len(tasks)
        self._ended = 0

    def values(self, lost: Lost | None) -> Generator[tuple[int, Any]]:
        first: FayingError | None = None
        while self._waiting or self._suspects or self._running:
            self._hand_out()
            self._report()
            for future in self._ended_ones():
                number = self._running.pop(future)
                error = self._error_of(future, number)
                if error is None:
                    self._fractions[number] = 1.0
                    self._ended += 1
                    yield from ((number, value) for value in future.result())
                elif error != "again":
                    self._fractions[number] = 1.0
                    self._ended += 1
                    _log.warning("a task was lost: %s", error)
                    if lost is not None:
                        yield number, lost(self._tasks[number], error)
                    first = first or error
        if first is not None and lost is None:
            raise first

    def _hand_out(self) -> None:
        if self._suspects or self._alone in self._running.values():
            if not self._running:
                self._alone = self._suspects.popleft()
                self._submit(self._alone)
            return
        while self._waiting and len(self._running) < self._pool.capacity():
            self._submit(self._waiting.popleft())

    def _submit(self, number: int) -> None:
        self._tries[number] += 1
        self._begun.discard(number)
        future = self._pool.submit(self._work, number, self._tasks[number])
        self._running[future] = number
        future.add_done_callback(lambda done: self._inbox.put(("done", done)))

    def _ended_ones(self) -> list[Future[list[Any]]]:
        """Return the futures that end within 0.1 s; handle progress and log messages meanwhile."""
        until, ended = time.monotonic() + _INTERVAL, list[Future[list[Any]]]()
        while (left := until - time.monotonic()) > 0.0 and not ended:
            with suppress(queue.Empty):
                self._take(self._inbox.get(timeout=left), ended)
            while not self._inbox.empty():
                self._take(self._inbox.get(), ended)
        return ended

    def _take(self, message: tuple[Any, ...], ended: list[Future[list[Any]]]) -> None:
        match message:
            case ("done", future):
                if future in self._running:
                    ended.append(future)
            case ("progress", number, fraction, text, values, go_on):
                self._fractions[number], self._texts[number] = fraction, text
                self._report(values)  # may wait until a pause ends, and the process with it
                go_on()
            case ("begun", number):
                self._begun.add(number)
            case ("log", record):
                logging.getLogger(record.name).handle(record)

    def _error_of(self, future: Future[list[Any]], number: int) -> FayingError | Literal["again"] | None:
        """Return the error of a lost task, "again" if it is retried, None on success; raise the work's own error."""
        death = self._pool.death(future)
        if death is None:
            future.result()  # raises
            return None
        if death.blames == "task" or number == self._alone or self._tries[number] >= _MAX_TRIES:
            return death.error
        # A task that was submitted but had not started cannot have killed the process.
        suspect = death.blames == "somebody" and number in self._begun
        (self._suspects if suspect else self._waiting).append(number)
        return "again"

    def _report(self, values: dict[str, Any] | None = None) -> None:
        running, count = sorted(self._running.values()), len(self._tasks)
        beside = f" (and {len(running) - 1} beside it)" if len(running) > 1 else ""
        told = next((self._texts[number] for number in running if self._texts[number]), "")
        text = f"{told}{beside}" if told else self._pool.waits_for()
        done = f", {self._ended} of {count} done" if count > self._pool.capacity() else ""
        self._progress.report(sum(self._fractions) / count, f"{text}{done}", **(values or {}))
