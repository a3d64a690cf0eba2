"""A pool of processes of this machine (loky): fresh interpreters, killed with the run. Scripts need no `main` guard.

Each process reports over its own connection, which breaks when either side dies. So no process is orphaned, and the
owner never waits for a dead one.
"""

import logging
import os
import pickle
import re
import signal
import tempfile
import threading
from concurrent.futures import BrokenExecutor, CancelledError, Future
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any

from loky import ProcessPoolExecutor

from faying.child_process import CORES_VARIABLE, THREAD_VARIABLES
from faying.errors import FayingError
from faying.parallel.pool import Death, Inbox, Pool
from faying.parallel.task import LogSender, Work, carry_out

_INTERVAL = 0.1  # s between reports
_MEMORY_HINT = (
    "The system probably ran out of memory: close other programs, or ask for fewer modes or processes."
)
_HINT = "The project is safe. Run it again; if it happens again, please report it."


class ProcessPool(Pool):
    """Processes that are started for one run, read the shared data from a file, and end with the pool.

    Args:
        processes: number of processes.
        cores: number of cores that all of them together may use.
        shared: data that all tasks need.
        inbox: takes their progress and log messages.
    """

    def __init__(self, processes: int, cores: int, shared: Any, inbox: Inbox) -> None:
        self._processes, self._inbox = processes, inbox
        self._folder = tempfile.TemporaryDirectory(prefix="faying-")
        self._shared = Path(self._folder.name) / "shared"
        with self._shared.open("wb") as file:
            pickle.dump(shared, file, pickle.HIGHEST_PROTOCOL)
        self._environment = {
            **dict.fromkeys((*THREAD_VARIABLES, CORES_VARIABLE), str(max(1, cores // processes))),
            # Idle threads that spin would take processor time from all others.
            "KMP_BLOCKTIME": os.environ.get("KMP_BLOCKTIME", "0"),
            "PYTHONSAFEPATH": "1",  # modules in the current folder must not replace the library's
            "LOKY_MAX_MEMORY_LEAK_SIZE": "1e18",  # data that a process keeps between tasks are not a leak
        }
        self._key = os.urandom(32)
        self._listener = Listener(authkey=self._key, backlog=processes)
        self._closed = False
        threading.Thread(target=self._accept, daemon=True).start()
        self._executor: ProcessPoolExecutor | None = None

    def capacity(self) -> int:
        """Return the number of processes, so that the tasks running at a process's death are known."""
        return self._processes

    def submit(self, work: Work, number: int, task: Any) -> Future[list[Any]]:
        """Submit a task, to new processes after a death.

        The old ones may have died before anyone looked at their futures, or while none of them ran.
        """
        try:
            return self._submit(work, number, task)
        except BrokenExecutor:
            self._end()
            return self._submit(work, number, task)

    def _submit(self, work: Work, number: int, task: Any) -> Future[list[Any]]:
        if self._executor is None:
            level = logging.getLogger("faying").getEffectiveLevel()
            self._executor = ProcessPoolExecutor(
                self._processes, env=self._environment,
                initializer=_begin, initargs=(self._listener.address, self._key, level),
            )  # fmt: skip
        found: Future[list[Any]] = self._executor.submit(_call, work, str(self._shared), number, task)
        return found

    def death(self, future: Future[list[Any]]) -> Death | None:
        """Return the `Death` of a task if its process died; its executor is then broken and takes no more tasks."""
        try:
            error = future.exception()
        except CancelledError:
            return None
        if not isinstance(error, BrokenExecutor):
            return None
        if isinstance(error.__cause__, pickle.PicklingError):
            raise error
        return Death(_sentence(str(error)), "somebody")

    def waits_for(self) -> str:
        """Return the progress text while the processes start, for about a second."""
        return "starting processes"

    def close(self) -> None:
        """Kill the processes: they hold no unsaved results."""
        self._end()
        self._closed = True
        with suppress(OSError):
            Client(
                self._listener.address
            ).close()  # closing a socket does not wake a thread that waits in accept()
        self._listener.close()
        self._folder.cleanup()

    def _end(self) -> None:
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=True, kill_workers=True)

    def _accept(self) -> None:
        """Accept connections from processes until the pool is closed."""
        while not self._closed:
            try:
                connection = self._listener.accept()
            except (AuthenticationError, EOFError, ConnectionError):
                continue  # another program, or a process that died just now
            except OSError:
                return
            threading.Thread(target=self._hear, args=(connection,), daemon=True).start()

    def _hear(self, connection: Connection) -> None:
        """Put the messages of a process into the inbox until its connection ends."""

        def go_on() -> None:
            with suppress(OSError):
                connection.send(("go on",))

        while True:
            try:
                message = connection.recv()
            except (EOFError, OSError):
                connection.close()
                return
            self._inbox.put((*message, go_on) if message[0] == "progress" else message)


def _sentence(told: str) -> FayingError:
    """Return an error that says how processes died, from loky's text on their exit codes."""
    codes = re.findall(r"(SIG\w+)\(|EXIT\((\d+)\)", told)
    names = sorted({name for name, _ in codes if name})
    how = f"was ended by signal {names[0]}" if names else "died"
    if codes and not names:
        how = f"ended with code {codes[0][1]}"
    hint = _MEMORY_HINT if "SIGKILL" in names else _HINT
    error = FayingError(f"The computation stopped unexpectedly: its process {how}.", hint)
    error.add_note(told)
    return error


# The rest runs in the processes.


class _Owner:
    """Connection to the owner of the run; it answers each report, so that tasks wait while the run is paused."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._sending = connection, threading.Lock()
        self._answered = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def report(self, number: int, fraction: float, text: str, values: dict[str, Any]) -> None:
        """Send a progress report and wait for the answer."""
        self._answered.clear()
        self.send(("progress", number, fraction, text, values))
        self._answered.wait()

    def send(self, message: Any) -> None:
        with self._sending:
            try:
                self._connection.send(message)
            except OSError:
                os._exit(0)

    def _listen(self) -> None:
        while True:
            try:
                self._connection.recv()
            except (EOFError, OSError):
                os._exit(0)  # the owner is gone
            self._answered.set()


_owner: list[_Owner] = []
_content: list[tuple[str, Any]] = []


def _begin(address: Any, key: bytes, level: int) -> None:
    """Connect to the owner."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the owner decides
    _owner.append(_Owner(Client(address, authkey=key)))  # type: ignore[arg-type]
    logger = logging.getLogger("faying")
    logger.addHandler(LogSender(lambda record: _owner[0].send(("log", record))))
    logger.setLevel(level)


def _call(work: Work, shared: str, number: int, task: Any) -> list[Any]:
    """Return all values of a task."""

    def load() -> Any:
        if not _content or _content[0][0] != shared:
            with Path(shared).open("rb") as file:
                _content[:] = [(shared, pickle.load(file))]
        return _content[0][1]

    _owner[0].send(("begun", number))
    return carry_out(work, load, number, task, _owner[0].report, _INTERVAL)
