"""Independent pieces of work beside each other, in processes that are started for them and ended with them."""

import os
import pickle
import subprocess
import sys
import tempfile
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import IO, Any

from faying.child_process import (
    CORES_VARIABLE,
    THREAD_VARIABLES,
    connection_of,
    how_it_ended,
    start_child,
)
from faying.errors import FayingError
from faying.progress import PartialProgress, Progress

_INTERVAL = 0.1  # s between reports

Work = Callable[[Any, Any, Progress], Iterator[Any]]


def run_parallel(
    work: Work, shared: Any, pieces: Sequence[Any], processes: int, progress: Progress, cores: int = 1
) -> Generator[tuple[int, Any]]:
    """Yield (number of the piece, value) for all that the work yields, as it comes.

    A process takes the next piece when it is done with one, and keeps `shared` with whatever that has computed
    meanwhile. Reports of a process are answered, so that all of them wait while this one is paused. To be closed
    (`contextlib.closing`) by a caller that may leave early: the processes end at once then, as they do when one of
    them fails, or whoever waits says stop.

    Args:
        work: (shared, piece, progress) -> values; a function at the top of a module.
        shared: what all pieces need; it and the pieces must survive pickling.
        pieces: not needed by each other.
        processes: at most so many; one, or a single piece, is worked off in this process.
        progress: told of all pieces together.
        cores: of this machine that all processes together may use.

    Raises:
        Cancelled: when asked to stop.
        Exception: what the work raised in its process, with the trace from there as a note.
        FayingError: when a process died.
    """
    processes = min(processes, len(pieces))
    if processes < 2:
        for i, piece in enumerate(pieces):
            part = PartialProgress(progress, i / len(pieces), (i + 1) / len(pieces))
            yield from ((i, value) for value in work(shared, piece, part))
        return
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="faying-"))
        content = Path(folder) / "shared"
        with content.open("wb") as file:
            pickle.dump(shared, file, pickle.HIGHEST_PROTOCOL)
        waiting = deque(enumerate(pieces))
        team = [
            stack.enter_context(_Process(max(1, cores // processes), work, content)) for _ in range(processes)
        ]
        fractions, texts = [0.0] * len(pieces), [""] * len(pieces)

        def report() -> None:
            running = sorted(one.piece for one in team if one.piece >= 0)
            beside = f" (and {len(running) - 1} beside it)" if len(running) > 1 else ""
            text = f"{texts[running[0]]}{beside}" if running and texts[running[0]] else "starting processes"
            progress.report(sum(fractions) / len(pieces), text)

        for one in team:
            one.take(*waiting.popleft())
        while busy := {one.connection: one for one in team if one.piece >= 0}:
            report()
            for connection in wait(list(busy), _INTERVAL):
                one = busy[connection]  # type: ignore[index]
                match one.hear():
                    case ("progress", fraction, text):
                        fractions[one.piece], texts[one.piece] = fraction, text
                        report()  # which may wait for the end of a pause, and the process with it
                        one.send(("go on",))
                    case ("value", value):
                        yield one.piece, value
                    case ("failed", error, trace):
                        error.add_note(trace)
                        raise error
                    case ("done",):
                        fractions[one.piece] = 1.0
                        one.take(*waiting.popleft() if waiting else (-1, None))


class _Process:
    """One process; `piece` is the number of what it works at, -1 when it is idle."""

    def __init__(self, cores: int, work: Work, content: Path) -> None:
        variables = dict.fromkeys((*THREAD_VARIABLES, CORES_VARIABLE), str(cores))
        self.piece = -1
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._child: subprocess.Popen[bytes]
        self._child, self.connection = start_child(
            "faying.parallel", variables=variables, errors=self._errors
        )
        self.send((work, content))

    def __enter__(self) -> "_Process":
        return self

    def __exit__(self, *error: object) -> None:
        # It holds nothing that anybody would miss.
        self._child.kill()
        self._child.wait()
        self.connection.close()
        self._errors.close()

    def take(self, number: int, piece: Any) -> None:
        """Begin with a piece."""
        self.piece = number
        if number >= 0:
            self.send(piece)

    def send(self, message: Any) -> None:
        """Send; that it died is said when it is heard the next time."""
        with suppress(BrokenPipeError, ConnectionError):
            self.connection.send(message)

    def hear(self) -> tuple[Any, ...]:
        """Return its next message.

        Raises:
            FayingError: when it is not there any more.
        """
        try:
            message: tuple[Any, ...] = self.connection.recv()
        except (EOFError, OSError):
            error, details = how_it_ended(self._child, self._errors)
            error.add_note(details)
            raise error from None
        return message


class _Owner:
    """Where the pieces come from, as a process sees it, and its progress: reports now and then, waits for the answer.

    It raises `_OwnerEnded` when there is nobody to answer.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection, self._next = connection, 0.0

    def report(self, fraction: float, text: str = "", **values: Any) -> None:
        """Report if the last time was long enough ago."""
        if time.monotonic() >= self._next:
            self.send(("progress", fraction, text))
            self.hear()
            self._next = time.monotonic() + _INTERVAL

    def send(self, message: Any) -> None:
        try:
            self._connection.send(message)
        except OSError as error:
            raise _OwnerEnded from error

    def hear(self) -> Any:
        try:
            return self._connection.recv()
        except (EOFError, OSError) as error:
            raise _OwnerEnded from error


class _OwnerEnded(BaseException):  # no Exception: nothing that the work does about errors may take it for one
    pass


def _serve(owner: _Owner) -> None:
    """Work off pieces until nobody is there any more."""
    work, content = owner.hear()
    with content.open("rb") as file:
        shared = pickle.load(file)
    while True:
        piece = owner.hear()
        try:
            for value in work(shared, piece, owner):
                owner.send(("value", value))
        except Exception as error:  # noqa: BLE001 - raised again where the piece came from
            owner.send(("failed", _portable(error), traceback.format_exc()))
        else:
            owner.send(("done",))


def _portable(error: Exception) -> Exception:
    """Return the error, or one that says the same and survives pickling."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 - whatever its class thinks of being rebuilt
        if isinstance(error, FayingError):
            return FayingError(error.message, error.hint)
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


if __name__ == "__main__":
    with suppress(_OwnerEnded):
        _serve(_Owner(connection_of(int(sys.argv[1]))))
    os._exit(0)  # without waiting for threads that nobody waits for any more
