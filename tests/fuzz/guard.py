"""Children that may crash, hang or eat memory: forked from one warm process, many cases each.

The warm process imports and computes nothing: threads that a library starts for a computation are missing in what is
forked after it, where they are waited for, or their memory is used by others (rslab crashed so).
"""

import faulthandler
import json
import os
import pickle
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

Made = TypeVar("Made")

MEMORY = 1_500_000_000  # bytes beyond what the warm process has
SECONDS = 10.0  # of processor time for a case, unless it is given more
_SILENCE = 300.0  # seconds after which a child that uses no processor time counts as hanging
_CASES = 100  # of a child; then a new one takes over

RIGHT, SENTENCE = "right", "sentence"


class WrongAnswerError(AssertionError):
    """Neither a right result nor a sentence."""


@dataclass(frozen=True)
class Verdict:
    """How a case ended: `RIGHT`, `SENTENCE`, or what went wrong; with the sentence, traceback or signal."""

    outcome: str
    detail: str = ""
    seconds: float = 0.0

    @property
    def is_good(self) -> bool:
        """Whether the program behaved."""
        return self.outcome in (RIGHT, SENTENCE)


def run_guarded(
    count: int, case: Callable[[int], str], folder: Path, seconds: float = SECONDS
) -> Iterator[tuple[int, Verdict]]:
    """Yield (number, verdict) of the cases 0 to `count` - 1, run in children.

    Args:
        count: of cases.
        case: runs one and returns the sentence that it ended with, "" for a right result; raises anything else.
        folder: for what the children say.
        seconds: of processor time for a case.
    """
    at = 0
    while at < count:
        stop = min(at + _CASES, count)
        for number, verdict in _run_child(range(at, stop), case, folder, seconds):
            yield number, verdict
            at = number + 1


def made_elsewhere(make: Callable[[], Made]) -> Made:
    """Return what a function makes in a child, which may compute."""
    read, write = os.pipe()
    child = _fork()
    if not child:
        code = 1
        try:
            with os.fdopen(write, "wb") as stream:
                pickle.dump(make(), stream)
            code = 0
        except BaseException:  # noqa: BLE001 - a child must not return
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(write)
    with os.fdopen(read, "rb") as stream:
        made = stream.read()
    if os.waitpid(child, 0)[1]:
        raise RuntimeError("Whole files could not be made; what is printed above says why.")
    found: Made = pickle.loads(made)
    return found


def _fork() -> int:
    """Fork a process that has one thread; return the child's number, 0 in the child.

    Raises:
        RuntimeError: when this process has computed.
    """
    threads = len(list(Path("/proc/self/task").iterdir()))
    if threads > 1:
        raise RuntimeError(f"This process has {threads} threads, which its children would lack.")
    sys.stdout.flush()
    sys.stderr.flush()
    return os.fork()


def _run_child(
    cases: Sequence[int], case: Callable[[int], str], folder: Path, seconds: float
) -> Iterator[tuple[int, Verdict]]:
    """Yield the verdicts of cases until a child ends, be it by the case that it was at."""
    said = folder / "said.txt"
    read, write = os.pipe()
    child = _fork()
    if not child:
        os.close(read)
        _be_child(cases, case, said, write, seconds)
    os.close(write)
    number, done, hangs = cases[0], cases[0] - 1, False
    with os.fdopen(read, "rb") as stream:
        while True:
            if not select.select([stream], [], [], _SILENCE)[0]:
                hangs = True
                os.kill(child, signal.SIGKILL)
            line = stream.readline()
            if not line:
                break
            number, *verdict = json.loads(line)
            if verdict:
                done = number
                yield number, Verdict(*verdict)
    _, status = os.waitpid(child, 0)
    if _has_members(child):
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        yield number, Verdict("process left behind")
    elif done < number or status:
        what = _ending(status, hangs, seconds)
        last = said.read_text("utf-8", "replace")[-8000:] if said.exists() else ""
        yield number, Verdict(what, last)


def _be_child(
    cases: Sequence[int], case: Callable[[int], str], said: Path, write: int, seconds: float
) -> None:
    """Run cases and end the process."""
    os.setsid()
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    file = os.open(said, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(file, stream)
    faulthandler.enable(sys.stderr)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process,
    faulthandler.register(signal.SIGPROF, sys.stderr, chain=True)  # and says where it was
    for number in cases:
        sys.stdout.flush()
        sys.stderr.flush()
        os.ftruncate(file, 0)
        os.write(write, json.dumps([number]).encode() + b"\n")
        signal.setitimer(signal.ITIMER_PROF, seconds)
        begin = time.process_time()
        try:
            sentence = case(number)
            outcome = [SENTENCE if sentence else RIGHT, sentence]
        except WrongAnswerError as error:
            outcome = ["wrong answer", str(error)]
        except MemoryError:
            outcome = ["memory", traceback.format_exc()]
        except BaseException:  # noqa: BLE001 - what nobody caught is what we are looking for
            outcome = ["traceback", traceback.format_exc()]
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        taken = time.process_time() - begin
        os.write(write, json.dumps([number, *outcome, taken]).encode() + b"\n")
    os._exit(0)


def _ending(status: int, hangs: bool, seconds: float) -> str:
    if hangs:
        return f"nothing happened for {_SILENCE:g} s"
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGPROF:
            return f"more than {seconds:g} s"
        return f"crash ({signal.Signals(number).name})"
    return f"ended with {os.waitstatus_to_exitcode(status)}"


def _has_members(group: int) -> bool:
    """Return whether processes of a group are still there."""
    for _ in range(20):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.05)
    return True
