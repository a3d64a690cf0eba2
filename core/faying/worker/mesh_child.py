"""``python -m faying.worker.mesh_child HANDLE``: make one deck and report the outcome, without blocking the window.

It receives ``(what, to, units, parameters)``, as for `faying.session.meshes.mesh`. It sends
``("progress", fraction, text)`` and at the end ``("done", sentence)``, ``("cancelled",)`` or
``("failed", message, hint)``. Any message received meanwhile, or the end of its owner, cancels it.
"""

import sys
from multiprocessing.connection import Connection
from typing import Any

from faying.child_process import connection_of
from faying.errors import Cancelled, FayingError
from faying.session.meshes import mesh


class _Report:
    """A progress that reports through a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def report(self, fraction: float, text: str = "", **values: Any) -> None:
        """Send a report; raise `Cancelled` when asked to stop, or when the owner is gone."""
        try:
            if self._connection.poll():
                raise Cancelled
            self._connection.send(("progress", fraction, text))
        except (EOFError, OSError):
            raise Cancelled from None


def serve(handle: int) -> None:
    """Make one deck."""
    connection = connection_of(handle)
    what, to, units, parameters = connection.recv()
    answer: tuple[str, ...]
    try:
        made = mesh(what, to, units=units, replace=True, progress=_Report(connection), **parameters)
        facts = "; ".join(f"{name}: {value}" for name, value in made.facts)
        answer = ("done", " ".join([f"{facts}.", *made.left_out]))
    except Cancelled:
        answer = ("cancelled",)
    except FayingError as error:
        answer = ("failed", error.message, error.hint)
    connection.send(answer)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
