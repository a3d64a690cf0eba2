"""Child Python processes with a pipe to this one: starting them, connecting, and why they ended.

Always a fresh interpreter, never a fork: libraries with threads do not survive a fork, and scripts need no
``__main__`` guard.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from multiprocessing.connection import Connection
from typing import IO, Any

from faying.errors import FayingError

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
CORES_VARIABLE = "FAYING_CORES"  # number of cores that a process may use, if not all
_DISK_HINT = "Free some disk space and run again. What was written before can still be read."
_MEMORY_HINT = (
    "The system probably ran out of memory: close other programs, or ask for fewer modes or processes."
)
_HINT = "The project is safe. Run it again; if it happens again, please report it with the details."


def start_child(
    module: str, *words: str, variables: Mapping[str, str], errors: IO[bytes]
) -> tuple["subprocess.Popen[bytes]", Connection]:
    """Return a started ``python -m MODULE HANDLE WORDS…`` and the connection to it; importing takes about a second.

    It has the same module path, and does not receive the terminal's Ctrl-C: its owner decides when it ends. In the
    child, `connection_of` makes a connection from the handle; it is closed when this process ends in any way.

    Args:
        module: a module or package that can be run with ``python -m``.
        words: further arguments.
        variables: environment variables in addition to those of this process.
        errors: file that receives its stdout and stderr.
    """
    ours, theirs = multiprocessing.Pipe()
    handle = theirs.fileno()
    environment = {**os.environ, **variables}
    environment.setdefault(
        "KMP_BLOCKTIME", "0"
    )  # idle threads that spin would take processor time from all others
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    options: dict[str, Any]
    if sys.platform == "win32":
        os.set_handle_inheritable(handle, True)
        startup = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]})
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        options = {"startupinfo": startup, "creationflags": flags}
    else:
        options = {"pass_fds": (handle,), "start_new_session": True}
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", module, str(handle), *words],
        stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, env=environment, **options,
    )  # fmt: skip
    theirs.close()
    return child, ours


def connection_of(handle: int) -> Connection:
    """Return the connection of an inherited handle: a file descriptor; on Windows a pipe handle."""
    if sys.platform == "win32":
        from multiprocessing.connection import PipeConnection

        return PipeConnection(handle)
    return Connection(handle)


def how_it_ended(child: "subprocess.Popen[bytes]", errors: IO[bytes]) -> tuple[FayingError, str]:
    """Return the reason why a child ended unexpectedly, as an error to show, and the end of its output."""
    try:
        code = child.wait(2.0)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        code = -int(signal.SIGTERM)
    errors.seek(0)
    details = errors.read()[-20_000:].decode(errors="replace")
    if "No space left" in details or "errno = 28" in details:
        return FayingError("The disk is full: results could not be written.", _DISK_HINT), details
    if code < 0:
        known = -code in set(signal.Signals)
        how = f"was ended by signal {signal.Signals(-code).name}" if known else "died"
    else:
        how = f"ended with code {code}"
    hint = _MEMORY_HINT if code == -int(getattr(signal, "SIGKILL", 9)) else _HINT
    return FayingError(f"The computation stopped unexpectedly: its process {how}.", hint), details
