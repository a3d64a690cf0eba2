"""The worker: a warm child process for all computations that take time.

``python -m faying.worker HANDLE`` serves a connection (`child`); `WorkerProcess` starts, feeds and ends it.
Messages are plain tuples.

To the worker: ``("run", words, target, base, artifacts_folder, project_file, restart, cluster, all_the_same)`` with the
project as plain words, the target as (stage, body, item), whether interrupted analyses restart from the beginning,
where points of studies are computed, and whether to try computations that are refused for lack of memory;
``("ask", words, question, base, artifacts_folder, project_file, False, "", False)`` with a
`faying.exporters.questions.Question`; ``("pause",)``; ``("continue",)``; ``("cancel",)``; ``("exit",)``.

From the worker: ``("ready",)`` when it has started; ``("progress", fraction, text, values)``;
``("begin", stage, body, item)`` before each computation and ``("step", stage, body, item, key, seconds)`` for its
outcome; ``("log", record)`` for its log records, which the owner's `WorkerProcess` puts into its own log; and at the
end of a run one of ``("done", key)``, ``("answer", value)``, ``("cancelled",)``,
``("failed", message, hint, traceback)``, followed by "refused" for a computation that was not begun but can be tried
despite the reason.
"""

from faying.worker.child import run_worker
from faying.worker.process import Message, WorkerProcess

__all__ = ["Message", "WorkerProcess", "run_worker"]
