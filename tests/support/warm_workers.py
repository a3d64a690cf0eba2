"""Worker processes that stay warm from window to window. Each one imports for a second, and windows are opened hundreds
of times: the next window goes on with the child of the last one, as one window does from project to project.
"""

from typing import ClassVar

from faying.worker import WorkerProcess


class WarmWorker(WorkerProcess):
    """A worker process that leaves its child to the next one when it is closed; real in all else.

    Children that crashed, were killed or have to be ended are not left to anybody.
    """

    _left: ClassVar[dict[tuple[str, int], list[WorkerProcess]]] = {}

    def start(self) -> None:
        """Start the child if it does not run: one that was left, or a new one."""
        left = self._left.get((self._stages, self._threads), [])
        while left and self.process_id is None:
            one = left.pop()
            if one.process_id is not None:
                self._drop()
                self._process, self._connection, self._errors = one._process, one._connection, one._errors
        super().start()

    def close(self, grace: float = 1.0) -> None:
        """Leave the child, idle, to the next one."""
        if self.busy:
            self.cancel(grace)
            self.wait()
        if self.process_id is None:
            super().close(grace)
            return
        one = WorkerProcess(self._stages, self._threads)
        one._process, one._connection, one._errors = self._process, self._connection, self._errors
        self._process = self._connection = self._errors = None
        self._left.setdefault((self._stages, self._threads), []).append(one)

    @classmethod
    def end_all(cls) -> None:
        """End the children that nobody took."""
        for left in cls._left.values():
            while left:
                left.pop().close()
