"""A cluster of dask.distributed: its workers are processes on any machines with the same version of Faying.

The data that all tasks share are sent to each worker once, identified by their hash. When a worker dies, dask gives
its task to another one; a task that has killed several workers is lost.
"""

import logging
import pickle
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from threadpoolctl import ThreadpoolController

from faying.errors import Cancelled, FayingError, MissingDependencyError
from faying.parallel.cluster_address import address_of, who_else_may_use
from faying.parallel.pool import Death, Inbox, Pool
from faying.parallel.task import LogSender, Work, carry_out
from faying.progress import Progress
from faying.version import __version__

try:
    import distributed
except ImportError:  # an extra
    distributed = None

_INTERVAL = 0.5  # s between reports of a task
_PATIENCE = 10.0  # s for the scheduler to answer
_LOOK = 1.0  # s between queries of the number of workers
_WORKERS_HINT = "Start some with: dask worker ADDRESS --nthreads 1"


@contextmanager
def connected(place: str) -> Iterator[Any]:
    """Yield a client of the cluster.

    Args:
        place: address of its scheduler, or the scheduler file.

    Raises:
        MissingDependencyError: when dask.distributed is missing.
        FayingError: when there is no scheduler.
    """
    if distributed is None:
        raise MissingDependencyError(
            "A cluster needs dask.distributed, which is not installed.",
            'Install it: pip install "faying[cluster]".',
        )
    address = address_of(place)
    logging.getLogger("distributed").setLevel(logging.WARNING)  # it logs a lot
    try:
        client = distributed.Client(address, timeout=_PATIENCE, set_as_default=False, heartbeat_interval=5000)
    except (OSError, ValueError, TimeoutError) as error:
        raise FayingError(
            f"No scheduler of dask.distributed answers at {place!r} ({type(error).__name__}).",
            'Start one with "dask scheduler", and give the address that it prints, such as tcp://node7:8786.',
        ) from error
    try:
        yield client
    finally:
        with _quiet("distributed.client", "distributed.batched"), suppress(TimeoutError, OSError):
            client.close(timeout=_PATIENCE)


@contextmanager
def _quiet(*names: str) -> Iterator[None]:
    """Silence loggers in the block, where running tasks are dropped on purpose."""
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def described(place: str) -> str:
    """Return sentences on a cluster's workers, threads and access protection, after a test call on each worker.

    Raises:
        FayingError: when the cluster cannot be used, with the reason.
    """
    with connected(place) as client:
        workers: dict[str, int] = client.nthreads()
        if not workers:
            raise FayingError(f"The scheduler at {place!r} has no workers.", _WORKERS_HINT)
        began = time.perf_counter()
        for name, told in client.run(_same_program, _program(), on_error="return").items():
            if told is not True:
                raise _other_program(name, told)
        seconds = time.perf_counter() - began
    found = (
        f"{len(workers)} worker{'s' * (len(workers) > 1)} with {sum(workers.values())} threads, all with Faying "
        f"{__version__}; they answered in {1e3 * seconds:.0f} ms."
    )
    return f"{found} {who_else_may_use(address_of(place))}".rstrip()


class ClusterPool(Pool):
    """The workers of a cluster.

    Args:
        place: see `connected`.
        shared: data that all tasks need.
        inbox: takes their progress and log messages.
        progress: reports while waiting for workers.

    Raises:
        FayingError: when there is no such cluster, or a worker has another version of the program.
        Cancelled: when asked to stop waiting.
    """

    def __init__(self, place: str, shared: Any, inbox: Inbox, progress: Progress) -> None:
        self._inbox, self._topic = inbox, f"faying-{uuid.uuid4().hex}"
        self._connection = connected(place)
        self._client = self._connection.__enter__()
        try:
            while not self._client.nthreads():
                progress.report(0.0, f"waiting for workers of {place}")
                time.sleep(0.2)
            self._client.subscribe_topic(self._topic, self._hear)
            self._content = pickle.dumps(shared, pickle.HIGHEST_PROTOCOL)
            self._key = sha256(self._content).hexdigest()
            self._scattered: Any = None
            self._given: dict[Future[list[Any]], Any] = {}  # the arguments of each submitted task
            # dask itself gives the task of a dead worker to another one; errors raised by the work are not retried.
            self._executor = self._client.get_executor(pure=False, retries=0)
            self._workers, self._next_look = 1, 0.0
        except BaseException:
            self._connection.__exit__(None, None, None)
            raise

    def capacity(self) -> int:
        """Return how many tasks to submit now: one per worker, two if workers have one thread, so that none idles."""
        if time.monotonic() >= self._next_look:
            with suppress(OSError, TimeoutError):
                threads = self._client.nthreads()
                # A worker with several threads computes one task; its other threads serve linear algebra.
                several = any(count > 1 for count in threads.values())
                self._workers = max(1, len(threads)) * (1 if several else 2)
            self._next_look = time.monotonic() + _LOOK
        return self._workers

    def submit(self, work: Work, number: int, task: Any) -> Future[list[Any]]:
        """Submit a task; the shared data are sent to all workers before the first one."""
        if self._scattered is None:
            try:
                # Under a new name: the release of the lost data travels another way. Under the same name it could reach
                # the scheduler later and take these data with it.
                self._scattered = self._client.scatter(self._content, broadcast=True, hash=False)
            except (OSError, TimeoutError) as error:
                raise FayingError(
                    f"The cluster does not take what its workers need ({error}).",
                    "Look whether its workers are alive, and run again: what is computed stays.",
                ) from error
        words = (self._key, self._scattered, number, task, self._topic, _program())
        found: Future[list[Any]] = self._executor.submit(_call, work, *words)
        self._given[found] = self._scattered
        return found

    def death(self, future: Future[list[Any]]) -> Death | None:
        """Return the `Death` of a task that killed several workers, or whose data or scheduler were lost."""
        given = self._given.pop(future, None)
        try:
            error = future.exception()
        except CancelledError:
            # Unless they were already sent again for another task that lost the same data.
            if given is self._scattered:
                self._scattered = None
            lost = FayingError(
                "The cluster has lost a task several times.", "Look into the log of its scheduler."
            )
            return Death(lost, "nobody")
        if isinstance(error, distributed.scheduler.KilledWorker):
            died = FayingError(
                "The computation stopped unexpectedly: the workers of the cluster that tried it died.",
                "They probably ran out of memory: give each more, or look into their logs.",
            )
            died.add_note(str(error))
            return Death(died, "task")
        return None

    def waits_for(self) -> str:
        """Return the progress text while no worker has reported yet."""
        return "waiting for workers"

    def close(self) -> None:
        """End running tasks at their next progress report, and disconnect."""
        with suppress(Exception):  # the scheduler may be gone
            self._client.run(_stop, self._topic, on_error="ignore")
        with suppress(Exception):
            self._executor.shutdown(wait=False)
        self._connection.__exit__(None, None, None)

    def _hear(self, event: tuple[float, dict[str, Any]]) -> None:
        """Put a progress or log message of a worker into the inbox."""
        message = event[1]
        if "log" in message:
            self._inbox.put(("log", logging.makeLogRecord(message["log"])))
        else:
            self._inbox.put(
                (
                    "progress",
                    *(message[part] for part in ("number", "fraction", "text", "values")),
                    lambda: None,
                )
            )


@cache
def _program() -> str:
    """Return a digest of all sources of Faying's core, or of its version without sources."""
    root = Path(__file__).parents[1]
    found = sha256(__version__.encode())
    for path in sorted(root.rglob("*.py")):
        found.update(path.relative_to(root).as_posix().encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def _other_program(name: str, told: object) -> FayingError:
    if told is False:
        return FayingError(
            f"Worker {name} has another version of Faying than this process.",
            "Install the same version for all workers, and start them again.",
        )
    return FayingError(
        f"Worker {name} cannot use Faying ({told}).", "Start it where Faying is installed: dask worker …"
    )


# The rest runs in the workers.

_stopped: set[str] = set()
_contents: dict[str, Any] = {}
_loading = threading.Lock()


@cache
def _thread_pools() -> ThreadpoolController:
    """Return the libraries with their own threads; cached, since finding them takes longer than a short task."""
    return ThreadpoolController()


def _same_program(digest: str) -> bool:
    return _program() == digest


def _stop(topic: str) -> None:
    _stopped.add(topic)


def _call(
    work: Work, key: str, content: bytes, number: int, task: Any, topic: str, program: str
) -> list[Any]:
    """Return all values of a task."""
    worker = distributed.get_worker()
    if _program() != program:
        raise _other_program(worker.address, False)

    def load() -> Any:
        with _loading:
            if key not in _contents:
                _contents.clear()
                _contents[key] = pickle.loads(content)
        return _contents[key]

    def tell(number: int, fraction: float, text: str, values: dict[str, Any]) -> None:
        if topic in _stopped:
            raise Cancelled
        worker.log_event(topic, {"number": number, "fraction": fraction, "text": text, "values": values})

    def send(record: logging.LogRecord) -> None:
        kept = ("name", "msg", "levelno", "levelname", "created", "process")
        worker.log_event(topic, {"log": {name: getattr(record, name) for name in kept}})

    with _thread_pools().limit(limits=worker.state.nthreads), _logging_to(send):
        return carry_out(work, load, number, task, tell, _INTERVAL)


@contextmanager
def _logging_to(send: Callable[[logging.LogRecord], None]) -> Iterator[None]:
    """Send Faying's log records of this thread."""
    here, handler = threading.get_ident(), LogSender(send)
    handler.addFilter(lambda record: record.thread == here)
    logger = logging.getLogger("faying")
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
