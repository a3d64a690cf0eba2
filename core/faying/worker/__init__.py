"""The worker: a warm child process in which everything is computed that takes time.

``python -m faying.worker HANDLE`` serves a connection (`child`); `WorkerProcess` starts, feeds and ends it.
Messages are plain tuples.

To the worker: ``("run", words, target, base, artifacts_folder, project_file, anew)`` with the project as plain
words, the target as (stage, body, item), and whether interrupted analyses begin at their start;
``("ask", words, question, base, artifacts_folder, project_file, False)`` with a
`faying.exporters.questions.Question`; ``("pause",)``; ``("continue",)``; ``("cancel",)``; ``("exit",)``.

From the worker: ``("ready",)`` when it has started; ``("progress", fraction, text, values)``;
``("step", stage, body, item, key, seconds)`` for each outcome; and at the end of a run one of
``("done", key)``, ``("answer", value)``, ``("cancelled",)``, ``("failed", message, hint, traceback)``.
"""

from faying.worker.child import run_worker
from faying.worker.process import Message, WorkerProcess

__all__ = ["Message", "WorkerProcess", "run_worker"]
