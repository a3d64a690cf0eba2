"""The worker process as its owner sees it: start, run, cancel, poll. No Qt; the window polls it from a timer."""

import logging
import os
import subprocess
import tempfile
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any

from faying.child_process import THREAD_VARIABLES, how_it_ended, start_child
from faying.exporters.questions import Question
from faying.project.model_questions import AnyModelQuestion
from faying.project.specs import Project
from faying.project.stage import Target
from faying.worker.child import REAL_STAGES

Message = tuple[Any, ...]
_ENDS = ("done", "answer", "cancelled", "failed")


class WorkerProcess:
    """One warm child process; it runs one order at a time and is started again if it has died.

    Args:
        stages: location of its `Pipeline`, as "module:name".
        threads: of its numerical libraries; by default half of the processors, at least one.
            Variables set by the user (``OMP_NUM_THREADS`` …) take precedence.
    """

    def __init__(self, stages: str = REAL_STAGES, threads: int | None = None) -> None:
        self._stages = stages
        self._threads = threads or max((os.cpu_count() or 2) // 2, 1)
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._errors: IO[bytes] | None = None
        self._deadline: float | None = None
        self.busy = False

    @property
    def process_id(self) -> int | None:
        """Number of the running child; None without one."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def start(self) -> None:
        """Start the child if it does not run; return at once, while the child imports for about a second."""
        if self.process_id is not None:
            return
        self._drop()
        variables = {name: os.environ.get(name, str(self._threads)) for name in THREAD_VARIABLES}
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child
        self._process, self._connection = start_child(
            "faying.worker", self._stages, variables=variables, errors=self._errors
        )

    def run(
        self, project: Project, target: Target, artifacts_folder: Path, *,
        project_file: Path | None = None, base: Path | None = None, restart: bool = False, cluster: str = "",
        all_the_same: bool = False,
    ) -> None:  # fmt: skip
        """Start a run; its messages come from `poll`.

        Args:
            project: frozen for the run.
            target: stage, body and item to compute.
            artifacts_folder: of the workspace.
            project_file: file on which the store is based, or None.
            base: folder of relative deck paths; the current one by default.
            restart: whether interrupted analyses restart from the beginning instead of from their last frame.
            cluster: where points of studies are computed, as in `faying.parallel.computing_on`.
            all_the_same: whether to try computations that are refused for lack of memory.

        Raises:
            RuntimeError: when it is busy.
        """
        words = (target.stage, target.body, target.item)
        self._order(
            "run", project, words, artifacts_folder, project_file, base, restart, cluster, all_the_same
        )

    def ask(
        self, project: Project, question: Question | AnyModelQuestion, artifacts_folder: Path, *,
        project_file: Path | None = None, base: Path | None = None,
    ) -> None:  # fmt: skip
        """Ask a question about results or a model; arguments and errors as for `run`."""
        self._order("ask", project, question, artifacts_folder, project_file, base)

    def _order(
        self, kind: str, project: Project, what: Any, folder: Path, file: Path | None, base: Path | None,
        restart: bool = False, cluster: str = "", all_the_same: bool = False,
    ) -> None:  # fmt: skip
        if self.busy:
            raise RuntimeError("the worker is busy")
        self.start()
        assert self._connection is not None
        order = (
            kind,
            project.model_dump(mode="json"),
            what,
            str((base or Path.cwd()).absolute()),
            str(folder),
            str(file) if file else None,
            restart,
            cluster,
            all_the_same,
        )
        self.busy, self._deadline = True, None
        with suppress(BrokenPipeError, ConnectionError):  # it has just died: the next poll reports it
            self._connection.send(order)

    def cancel(self, grace: float = 1.5) -> None:
        """Ask the run to stop; if it has not stopped within the grace time (s), `poll` ends the process."""
        if not self.busy or self._deadline is not None:
            return
        self._deadline = time.monotonic() + grace
        self._tell("cancel")

    def pause(self) -> None:
        """Ask the run to wait at its next step; memory and results so far are kept, the processor is free."""
        self._tell("pause")

    def go_on(self) -> None:
        """Continue a paused run."""
        self._tell("continue")

    def _tell(self, word: str) -> None:
        if self.busy and self._connection is not None:
            with suppress(BrokenPipeError, ConnectionError):  # as in `run`
                self._connection.send((word,))

    def poll(self, timeout: float = 0.0) -> list[Message]:
        """Return the messages since the last poll, waiting up to `timeout` seconds for the first one.

        See the package's docstring for the messages. A run always ends with exactly one of "done",
        "answer", "cancelled", "failed", even when the child has crashed or had to be killed.
        """
        messages: list[Message] = []
        until = time.monotonic() + timeout
        while self._connection is not None:
            wait = until - time.monotonic() if not messages else 0.0
            if self._deadline is not None:
                wait = min(wait, self._deadline - time.monotonic())
            message = self._receive(max(wait, 0.0))
            if message is None:
                if self._deadline is not None and time.monotonic() >= self._deadline:
                    self._kill()
                    messages.append(self._ended(("cancelled",)))
                elif not messages and time.monotonic() < until and self._connection is not None:
                    continue
                break
            if message[0] == "log":
                logging.getLogger(message[1].name).handle(message[1])
                continue
            messages.append(message)
            if message[0] in _ENDS:
                self._ended(message)
        return messages

    def wait(self) -> list[Message]:
        """Return all messages up to the end of the run."""
        messages: list[Message] = []
        while self.busy:
            messages += self.poll(0.2)
        return messages

    def close(self, grace: float = 1.0) -> None:
        """End the child and cancel a running order."""
        if self.busy:
            self.cancel(grace)
            self.wait()
        if self._connection is not None:
            self._connection.close()  # the child ends when the other side is closed
        if self._process is not None:
            try:
                self._process.wait(grace)
            except subprocess.TimeoutExpired:
                self._kill()
        self._drop()

    def __enter__(self) -> "WorkerProcess":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _receive(self, wait: float) -> Message | None:
        """Return the next message or None; the end of the child becomes the end of the run."""
        assert self._connection is not None
        try:
            return self._connection.recv() if self._connection.poll(wait) else None
        except (EOFError, OSError):
            pass
        was_busy, asked_to_stop = self.busy, self._deadline is not None
        sentence = self._how_it_ended()
        self._drop()
        if not was_busy:
            return None
        if asked_to_stop:
            return ("cancelled",)
        return sentence

    def _how_it_ended(self) -> Message:
        assert self._process is not None and self._errors is not None
        error, details = how_it_ended(self._process, self._errors)
        return ("failed", error.message, error.hint, details)

    def _ended(self, message: Message) -> Message:
        self.busy, self._deadline = False, None
        return message

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._drop()

    def _drop(self) -> None:
        """Close the connection and files of a child process that has ended."""
        if self._connection is not None:
            self._connection.close()
        if self._errors is not None and (self._process is None or self._process.poll() is not None):
            self._errors.close()
        self._connection = self._errors = self._process = None
