"""A child process that makes a deck, as its owner sees it. No Qt; the window polls it from a timer."""

import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any

from faying.child_process import how_it_ended, start_child


class MeshProcess:
    """Makes one deck; for its messages see `faying.worker.mesh_child`.

    Args:
        what: kind of a part, or a CAD file.
        to: deck to write; the caller has asked whether to replace an existing one.
        units: of the deck and of the numbers.
        parameters: of the part or file.
    """

    def __init__(self, what: str, to: Path, units: str, parameters: Mapping[str, Any]) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child
        self._process: subprocess.Popen[bytes]
        self._connection: Connection
        self._process, self._connection = start_child(
            "faying.worker.mesh_child", variables={}, errors=self._errors
        )
        self._connection.send((what, str(to.absolute()), units, dict(parameters)))

    def poll(self) -> tuple[Any, ...] | None:
        """Return the next message; None when there is none yet."""
        try:
            return self._connection.recv() if self._connection.poll() else None
        except (EOFError, OSError):
            error, _ = how_it_ended(self._process, self._errors)
            return "failed", error.message, error.hint

    def cancel(self) -> None:
        """Ask it to stop."""
        with suppress(OSError):
            self._connection.send("cancel")

    def close(self) -> None:
        """Close the connection; the child ends without its owner."""
        self._connection.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(2.0)
        self._errors.close()
