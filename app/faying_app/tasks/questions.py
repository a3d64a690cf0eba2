"""Questions about results and models that take longer than a frame, answered by a child process of their own.

It is another one than that of the computations, so that results can be looked at while something runs.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from faying.errors import FayingError
from faying.exporters.questions import Question
from faying.project.model_questions import AnyModelQuestion
from faying.project.specs import Project
from faying.worker import WorkerProcess
from faying_app.computed import Computed


@dataclass(frozen=True, eq=False)
class _Asked:
    """A question on its way; `key` identifies it, `workspace` is the folder of the session that asks it."""

    key: Hashable
    question: Question | AnyModelQuestion
    project: Project
    then: Callable[[Any], None]
    workspace: Path


class Questions(QObject):
    """A queue of questions, one at a time. After another project was opened nobody waits for the answers any more.

    `changed` tells that one began, got further or ended; `failed` why one has no answer.
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(
        self,
        computed: Computed,
        store_of: Callable[[], tuple[Path, Path | None]],
        parent: QObject | None = None,
        worker: WorkerProcess | None = None,
    ) -> None:
        super().__init__(parent)
        self._computed, self._store_of = computed, store_of
        self._worker = worker or WorkerProcess(threads=1)
        self._waiting: list[_Asked] = []
        self._current: _Asked | None = None
        self._given_up: set[Hashable] = set()
        self.fraction, self.text = 0.0, ""
        self._timer = QTimer(self, interval=30)
        self._timer.timeout.connect(self._poll)

    @property
    def is_busy(self) -> bool:
        """Whether a question is being answered."""
        return self._current is not None

    @property
    def current(self) -> Question | AnyModelQuestion | None:
        """The question that is being answered."""
        return None if self._current is None else self._current.question

    def ask(self, key: Hashable, question: Question | AnyModelQuestion, then: Callable[[Any], None]) -> bool:
        """Ask unless the same is asked already or was given up; return whether an answer is to come.

        Args:
            key: identifies the question; one with the key of another is not asked again.
            question: about results or a model of the present project.
            then: called with the answer.
        """
        if key in self._given_up:
            return False
        known = [asked.key for asked in (self._current, *self._waiting) if asked is not None]
        if key not in known:
            asked = _Asked(key, question, self._computed.project, then, self._store_of()[0])
            self._waiting.append(asked)
            if self._current is None:
                self._next()
        return True

    def cancel(self) -> None:
        """Give up all questions; they are not asked again until `forgive`."""
        self._given_up |= {asked.key for asked in self._waiting}
        self._waiting.clear()
        if self._current is not None:
            self._given_up.add(self._current.key)
            self._worker.cancel()

    def forgive(self) -> None:
        """Let questions be asked again that failed or were given up: the user wants them."""
        self._given_up.clear()

    def close(self) -> None:
        """End the child."""
        self._timer.stop()
        self._waiting.clear()
        self._worker.close()

    def _next(self) -> None:
        self._waiting = [asked for asked in self._waiting if self._is_wanted(asked)]
        self._current = self._waiting.pop(0) if self._waiting else None
        self.fraction, self.text = 0.0, ""
        if self._current is None:
            self._timer.stop()
        else:
            folder, file = self._store_of()
            asked = self._current
            self._worker.ask(
                asked.project, asked.question, folder, project_file=file, base=self._computed.base
            )
            self._timer.start()
        self.changed.emit()

    def _poll(self) -> None:
        for message in self._worker.poll():
            asked = self._current
            if asked is None:
                return
            match message:
                case ("progress", fraction, text, _values):
                    self.fraction, self.text = fraction, text
                    self.changed.emit()
                case ("answer", value):
                    self._next()
                    if self._is_wanted(asked):
                        asked.then(value)
                case ("cancelled",):
                    self._next()
                case ("failed", sentence, hint, _details):
                    self._given_up.add(asked.key)
                    self._next()
                    if self._is_wanted(asked):
                        self.failed.emit(FayingError(sentence, hint))

    def _is_wanted(self, asked: _Asked) -> bool:
        """Return whether the project that a question is about is still the open one."""
        return asked.workspace == self._store_of()[0]
