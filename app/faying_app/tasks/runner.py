"""The task runner: one queue of computations, worked off in a child process that the window polls."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from PySide6.QtCore import QObject, QTimer, Signal

from faying.errors import FayingError, RefusedError
from faying.project.specs import Project
from faying.project.stage import Target
from faying.worker import WorkerProcess
from faying_app.computed import Computed

TaskState = Literal["waiting", "running", "paused", "stopping", "done", "cancelled", "failed"]
Done = Callable[["Task"], None]


@dataclass(eq=False)
class Task:
    """Something that is computed, or was.

    Attributes:
        label: what it is, for people.
        targets: what is computed, in this order.
        project: frozen when it was asked for; later edits do not touch it.
        base: folder from which its relative paths count.
        workspace: folder of the session that asked for it; after another project was opened it is another one.
        done: called at the end, unless another project was opened meanwhile.
        restart: whether interrupted analyses begin at their start.
        all_the_same: whether to run even what is estimated to need more memory than there is.
        state: how far it got.
        fraction, text, values: as last reported.
        steps: (title, seconds) of finished steps.
        error: why it failed, and `details` for whoever wants to see the traceback.
    """

    label: str
    targets: list[Target]
    project: Project
    base: Path
    workspace: Path
    done: Done | None = None
    restart: bool = False
    all_the_same: bool = False
    state: TaskState = "waiting"
    fraction: float = 0.0
    text: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    steps: list[tuple[str, float]] = field(default_factory=list)
    error: FayingError | None = None
    details: str = ""
    began: float = 0.0
    ended: float = 0.0
    paused: float = 0.0
    rested: float = 0.0
    at: int = 0

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.state in ("done", "cancelled", "failed")

    @property
    def seconds(self) -> float:
        """Seconds that it has run, without pauses."""
        if not self.began:
            return 0.0
        return (self.ended or self.paused or time.monotonic()) - self.began - self.rested

    @property
    def remaining(self) -> float | None:
        """Estimated seconds to its end; None while that would be a guess."""
        if self.state == "running" and "seconds_left" in self.values:
            return float(self.values["seconds_left"])
        if self.state != "running" or self.fraction < 0.03 or self.seconds < 2.0:
            return None
        return self.seconds * (1.0 - self.fraction) / self.fraction


class TaskRunner(QObject):
    """Runs tasks one after the other. All signals come in the window's thread.

    `paused` tells of a pause's begin and of its end.
    """

    began = Signal(object)
    progressed = Signal(object)
    ended = Signal(object)
    paused = Signal(object)

    def __init__(
        self, computed: Computed, store_of: Callable[[], tuple[Path, Path | None]],
        parent: QObject | None = None, worker: WorkerProcess | None = None,
        cluster: Callable[[], str] = lambda: "",
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._computed, self._store_of, self._cluster = computed, store_of, cluster
        self._worker = worker or WorkerProcess()
        self._waiting: list[Task] = []
        self._current: Task | None = None
        self.log: list[Any] = []
        self._keys: dict[Target, str] = {}
        self._begun: Target | None = None
        self._timer = QTimer(self, interval=30)
        self._timer.timeout.connect(self._poll)

    @property
    def is_busy(self) -> bool:
        """Whether something is being computed."""
        return self._current is not None

    @property
    def current(self) -> Task | None:
        """The running task, None without one."""
        return self._current

    def warm_up(self) -> None:
        """Start the child ahead of the first task, so that it need not wait for its imports."""
        self._worker.start()

    def run(
        self,
        label: str,
        targets: list[Target],
        project: Project,
        done: Done | None = None,
        *,
        restart: bool = False,
        all_the_same: bool = False,
    ) -> Task:
        """Queue targets of a project; `done(task)` is called at the end, however it ends.

        It is not called when another project was opened meanwhile.

        Interrupted analyses go on from their last frame, with `restart` they begin at their start. With `all_the_same`
        a run is tried even if it is estimated to need more memory than there is.
        """
        base, workspace = self._computed.base, self._store_of()[0]
        task = Task(label, list(targets), project, base, workspace, done, restart, all_the_same)
        self.log.append(task)
        del self.log[:-50]
        self._waiting.append(task)
        if self._current is None:
            self._next()
        return task

    def cancel(self) -> None:
        """Stop what runs, and forget what waits."""
        for task in self._waiting:
            self._finish(task, "cancelled")
        self._waiting.clear()
        if self._current is not None and self._current.state in ("running", "paused"):
            self._end_pause(self._current)
            self._current.state, self._current.text = "stopping", "stopping"
            self.progressed.emit(self._current)
            self._worker.cancel()

    def pause(self) -> None:
        """Let what runs wait at its next step."""
        if self._current is not None and self._current.state == "running":
            self._current.state, self._current.paused = "paused", time.monotonic()
            self._worker.pause()
            self.paused.emit(self._current)

    def go_on(self) -> None:
        """Let a paused task continue."""
        if self._current is not None and self._current.state == "paused":
            self._end_pause(self._current)
            self._current.state = "running"
            self._worker.go_on()
            self.paused.emit(self._current)

    @staticmethod
    def _end_pause(task: Task) -> None:
        if task.paused:
            task.rested += time.monotonic() - task.paused
            task.paused = 0.0

    def close(self) -> None:
        """End the child; what runs is cancelled."""
        self._timer.stop()
        self._waiting.clear()
        self._worker.close()

    def _next(self) -> None:
        self._current = self._waiting.pop(0) if self._waiting else None
        if self._current is None:
            self._timer.stop()
            self._computed.set_running(frozenset())
            return
        task = self._current
        task.state, task.began = "running", time.monotonic()
        self.began.emit(task)
        self._timer.start()  # before the order: if that fails, the task has ended, and the timer too
        self._order(task)

    def _order(self, task: Task) -> None:
        """Send the task's present target to the child."""
        target = task.targets[task.at]
        folder, file = self._store_of()
        try:
            plan = self._computed.pipeline.plan(task.project, target, self._computed.store, task.base)
        except FayingError as error:
            task.error = error
            self._end("failed")
            return
        self._keys, self._begun = {step.target: step.key for step in plan if not step.ready}, None
        for key in self._keys.values():
            self._computed.set_failure(key, "")
        self._computed.set_running(frozenset(self._keys.values()))
        self._worker.run(
            task.project,
            target,
            folder,
            project_file=file,
            base=task.base,
            restart=task.restart,
            cluster=self._cluster(),
            all_the_same=task.all_the_same,
        )

    def _poll(self) -> None:
        for message in self._worker.poll():
            task = self._current
            if task is None:
                return
            match message:
                case ("progress", fraction, text, values):
                    task.fraction = (task.at + fraction) / len(task.targets)
                    task.text = text if task.state != "stopping" else task.text
                    task.values = values or task.values
                    self.progressed.emit(task)
                case ("begin", stage, body, item):
                    self._begun = Target(stage, body, item)
                case ("step", stage, body, item, _key, seconds):
                    task.steps.append((f"{stage} {item or body}", seconds))
                    self._keys.pop(Target(stage, body, item), None)
                    self._computed.set_running(frozenset(self._keys.values()))
                    self._computed.refresh()
                case ("done", *_):
                    if task.state == "stopping":  # it had ended before the child heard of it
                        self._end("cancelled")
                        continue
                    task.at += 1
                    if task.at < len(task.targets):
                        self._order(task)
                        if task.state == "paused":  # it was asked for after the last step of the one before
                            self._worker.pause()
                    else:
                        self._end("done")
                case ("cancelled",):
                    self._end("cancelled")
                case ("failed", sentence, hint, details, *refused):
                    kind = RefusedError if refused else FayingError
                    task.error, task.details = kind(sentence, hint), details
                    # Not simply the first key left: what the child has in memory is never reported as a step.
                    failed = self._begun or next(iter(self._keys), None)
                    if failed in self._keys:
                        self._computed.set_failure(self._keys[failed], sentence, hint)
                    self._end("failed")

    def _end(self, state: TaskState) -> None:
        task, self._current = self._current, None
        assert task is not None
        self._computed.set_running(frozenset())
        self._computed.refresh()
        self._finish(task, state)
        if self._current is None:  # else what followed has begun another one
            self._next()

    def _finish(self, task: Task, state: TaskState) -> None:
        self._end_pause(task)
        task.state, task.ended = state, time.monotonic()
        if state == "done":
            task.fraction = 1.0
        if not task.began:
            task.began = task.ended
        self.ended.emit(task)
        if task.done is not None and self._store_of()[0] == task.workspace:
            task.done(task)
