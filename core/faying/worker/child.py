"""The worker process: receives an order, runs it, reports the outcome, and stays warm."""

import faulthandler
import importlib
import logging
import os
import queue
import signal
import sys
import threading
import time
import traceback
from contextlib import nullcontext, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any

from faying.child_process import connection_of
from faying.errors import Cancelled, FayingError, ModelError, RefusedError
from faying.linalg.freed_memory import keep_freed_memory
from faying.parallel.task import LogSender

REAL_STAGES = "faying.project.stages:PIPELINE"
INTERRUPTED = 130  # exit code, as in the command line
_INTERVAL = 0.05  # s between progress messages
_ORPHAN_GRACE = 2.0  # s that a run may take to stop after the window has closed


class PipeProgress:
    """A progress that reports through a connection, waits while paused, and raises `Cancelled` when asked to stop.

    Computations report faster than anyone can read. A separate thread sends the latest report twenty times a second,
    so reports cost no time, and the last one before a long silence still arrives.
    """

    def __init__(self, post: "_Post") -> None:
        self._post = post
        self._latest: tuple[Any, ...] | None = None
        self._fresh = threading.Event()
        self._sending = threading.Lock()
        self.cancelled, self._going = threading.Event(), threading.Event()
        self._going.set()
        threading.Thread(target=self._keep_sending, daemon=True).start()

    def report(self, fraction: float, text: str = "", **values: Any) -> None:
        """Record a report for sending; wait or stop when asked to."""
        if self.cancelled.is_set():
            raise Cancelled
        if not self._going.is_set():
            self.flush()
            self._going.wait()
            self.report(fraction, text, **values)
            return
        self._latest = ("progress", float(fraction), text, {k: _plain(v) for k, v in values.items()})
        self._fresh.set()

    def pause(self) -> None:
        """Pause the computation at its next report."""
        self._going.clear()

    def go_on(self) -> None:
        """Continue the computation after a pause."""
        self._going.set()

    def cancel(self) -> None:
        """Make the next report, or a waiting one, raise `Cancelled`."""
        self.cancelled.set()
        self._going.set()

    def begin(self) -> None:
        """Reset cancellation and pause for the next order."""
        self.cancelled.clear()
        self._going.set()

    def flush(self) -> None:
        """Send the report that has not been sent yet."""
        with self._sending:
            latest, self._latest = self._latest, None
            if latest is not None:
                self._post.send(latest)

    def _keep_sending(self) -> None:
        while True:
            self._fresh.wait()
            self._fresh.clear()
            self.flush()
            time.sleep(_INTERVAL)


class _Post:
    """Sends messages from any thread; a closed window is not an error."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._lock = connection, threading.Lock()

    def send(self, message: tuple[Any, ...]) -> None:
        # Nothing is logged here: log records are sent this way, too.
        with self._lock, suppress(OSError):
            self._connection.send(message)


def run_worker(connection: Connection, stages: str = REAL_STAGES) -> None:
    """Serve a connection until it says exit or is closed.

    Args:
        connection: to the process that starts runs.
        stages: location of the `Pipeline`, as "module:name".
    """
    keep_freed_memory()
    post = _Post(connection)
    logger = logging.getLogger("faying")
    logger.setLevel(logging.INFO)
    logger.addHandler(LogSender(lambda record: post.send(("log", record))))
    progress = PipeProgress(post)
    orders: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
    ended = _heed_signals(progress, orders)
    threading.Thread(target=_listen, args=(connection, orders, progress), daemon=True).start()

    # Import the heavy libraries before the first order: this keeps the worker warm.
    module, name = stages.split(":")
    pipeline = getattr(importlib.import_module(module), name)
    importlib.import_module("faying.session")
    memory, answers = importlib.import_module("faying.project.memory").Memory(), _Answers()
    post.send(("ready",))
    while True:
        order = orders.get()
        if order[0] == "exit":
            if ended.is_set():
                sys.exit(INTERRUPTED)
            return
        carry_out = _run if order[0] == "run" else answers.give
        outcome = _outcome(carry_out, pipeline, order[1:], memory, progress, post)
        progress.flush()
        post.send(outcome)


def _heed_signals(progress: PipeProgress, orders: "queue.SimpleQueue[tuple[Any, ...]]") -> threading.Event:
    """Make SIGINT and SIGTERM cancel the computation and end the process; return an event that they set."""
    ended = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        ended.set()
        progress.cancel()
        orders.put(("exit",))

    if threading.current_thread() is threading.main_thread():
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, end)
    return ended


def _listen(
    connection: Connection, orders: "queue.SimpleQueue[tuple[Any, ...]]", progress: PipeProgress
) -> None:
    """Pass orders on; apply cancel, pause and continue, and the end of the other side, at once."""
    while True:
        try:
            order = connection.recv()
        except (EOFError, OSError):
            # The window is gone. Results are flushed with every block of frames; nothing else is lost.
            progress.cancel()
            orders.put(("exit",))
            time.sleep(_ORPHAN_GRACE)
            os._exit(1)
        if order[0] == "cancel":
            progress.cancel()
        elif order[0] == "pause":
            progress.pause()
        elif order[0] == "continue":
            progress.go_on()
        else:
            if order[0] in ("run", "ask"):
                progress.begin()
            orders.put(order)
            if order[0] == "exit":
                return


def _run(pipeline: Any, order: tuple[Any, ...], memory: Any, progress: PipeProgress, post: _Post) -> Any:
    """Compute a target and return the final message."""
    from faying.linalg.room import tried_all_the_same
    from faying.parallel import computing_on
    from faying.project.stage import Target

    *_, restart, cluster, all_the_same = order
    target, session = Target(*order[1]), _session(pipeline, order, memory, progress)

    def on_begin(step: Any) -> None:
        whose = step.target
        post.send(("begin", whose.stage, whose.body, whose.item))

    def on_step(step: Any, seconds: float) -> None:
        whose = step.target
        progress.flush()
        post.send(("step", whose.stage, whose.body, whose.item, step.key, seconds))

    with computing_on(cluster), tried_all_the_same() if all_the_same else nullcontext():
        session.compute(target, restart=restart, on_step=on_step, on_begin=on_begin)
    return ("done", pipeline.key_of(session.project, target, session.base))


def _session(pipeline: Any, order: tuple[Any, ...], memory: Any, progress: PipeProgress) -> Any:
    """Return the session of an order."""
    from faying.project.specs import Project
    from faying.project.store import ArtifactStore
    from faying.session import Session

    words, _, base, folder, below, *_ = order
    store = ArtifactStore(Path(folder), Path(below) if below else None)
    return Session(
        Project.model_validate(words),
        store,
        base=Path(base),
        progress=progress,
        pipeline=pipeline,
        memory=memory,
    )


class _Answers:
    """Answers questions about results and models; caches the slow computations of the last model."""

    def __init__(self) -> None:
        self._model: Any = None
        self._kept: Any = None
        self._skin: Any = None

    def give(
        self, pipeline: Any, order: tuple[Any, ...], memory: Any, progress: PipeProgress, post: _Post
    ) -> Any:
        """Answer and return the final message."""
        from faying.project.model_questions import ModelQuestion, NewMeshQuestion
        from faying.project.stage import Target

        question, session = order[1], _session(pipeline, order, memory, progress)
        if isinstance(question, NewMeshQuestion):
            return ("answer", question.answer(session.body(question.body), progress))
        if isinstance(question, ModelQuestion):
            model = session.value(Target("model", question.body))
            if model is None:
                raise ModelError(
                    f"The model of {question.body!r} has not been read yet.", "Read the deck first."
                )
            skin = self._skin_of(model, progress)
            return ("answer", question.answer(session.body(question.body), model, skin, progress))
        content = session.shown_body(question.analysis, part=question.part, kept=self._kept_of)
        try:
            return ("answer", question.answer(content, progress))
        finally:
            content.context.frames.close()  # type: ignore[attr-defined]

    def _kept_of(self, model: Any) -> Any:
        from faying.results.fields import Kept

        self._turn_to(model)
        self._kept = self._kept or Kept()
        return self._kept

    def _skin_of(self, model: Any, progress: PipeProgress) -> Any:
        from faying.fem.skin import find_skin

        self._turn_to(model)
        if self._skin is None:
            progress.report(0.0, "skin")
            self._skin = find_skin(model)
        return self._skin

    def _turn_to(self, model: Any) -> None:
        """Drop the cache of another model."""
        if model is not self._model:
            self._model, self._kept, self._skin = model, None, None


def _outcome(
    carry_out: Any,
    pipeline: Any,
    order: tuple[Any, ...],
    memory: Any,
    progress: PipeProgress,
    post: _Post,
) -> tuple[Any, ...]:
    """Carry out one order and return its final message."""
    try:
        message: tuple[Any, ...] = carry_out(pipeline, order, memory, progress, post)
        return message
    except Cancelled:
        return ("cancelled",)
    except FayingError as error:
        return (
            "failed",
            error.message,
            error.hint,
            "",
            *(("refused",) if isinstance(error, RefusedError) else ()),
        )
    except MemoryError:
        return (
            "failed",
            "There is not enough memory for this computation.",
            "Close other programs, or ask for fewer modes or a coarser mesh.",
            traceback.format_exc(),
        )
    except Exception as error:  # noqa: BLE001 - the process's boundary: reported, then the next order
        return (
            "failed",
            f"Something went wrong inside Faying: {type(error).__name__}: {error}",
            "Please report it with the details.",
            traceback.format_exc(),
        )


def _plain(value: Any) -> Any:
    item = getattr(value, "item", None)
    return item() if callable(item) and getattr(value, "ndim", 0) == 0 else value


def serve(handle: int, stages: str) -> None:
    """Serve an inherited connection (a file descriptor; on Windows a pipe handle)."""
    faulthandler.enable()  # a crash in native code leaves its stack on stderr
    if sys.platform != "win32":
        os.nice(5)  # the window has priority
    run_worker(connection_of(handle), stages)
