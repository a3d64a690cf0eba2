"""A plugin of pytest: notes which functions of the core the tests of each file call, and how long these take.

It writes ``{file: {"seconds": s, "passes": bool, "calls": {module file: [qualified names]}}}`` to the file that the
environment variable MUTANTS_CALLS names. A tracer that is told of calls alone costs a few percent. Of a kernel that
runs as machine code the call is seen, and all kernels that it may call count as called. What other processes call is
not seen.
"""

import json
import os
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from faying.compiled import Kernel

_TARGET = Path(os.environ["MUTANTS_CALLS"])
_CORE = os.environ["MUTANTS_CORE"] + os.sep
_seen: dict[str, set[CodeType]] = defaultdict(set)
_seconds: dict[str, float] = defaultdict(float)
_failed: set[str] = set()
_now: set[CodeType] = set()


def _call(self: Any, *args: Any, **kwargs: Any) -> Any:
    """Return what a kernel returns, from a frame of Python, which the tracer sees."""
    return self.run(*args, **kwargs)


Kernel.__call__ = _call  # type: ignore[method-assign]
_KERNEL = _call.__code__


def _trace(frame: FrameType, _event: str, _arg: Any) -> None:
    _now.add(frame.f_code)
    if frame.f_code is _KERNEL:
        kernel = frame.f_locals["self"]
        if kernel.source.__code__ not in _now:
            _now.update(called.source.__code__ for called in kernel._reached({}))


def pytest_sessionstart() -> None:
    threading.settrace(_trace)
    sys.settrace(_trace)


def pytest_runtest_logstart(nodeid: str) -> None:
    global _now
    _now = _seen[nodeid.partition("::")[0]]
    sys.settrace(_trace)  # a test may have taken it away


def pytest_runtest_logreport(report: Any) -> None:
    file = report.nodeid.partition("::")[0]
    _seconds[file] += report.duration
    if report.failed:
        _failed.add(file)


def pytest_collectreport(report: Any) -> None:
    if report.failed:
        _failed.add(report.nodeid)


def pytest_sessionfinish() -> None:
    sys.settrace(None)
    found: dict[str, Any] = {}
    for file in _seen.keys() | _failed:
        calls: dict[str, set[str]] = defaultdict(set)
        for code in _seen.get(file, ()):
            if code.co_filename.startswith(_CORE):
                calls[code.co_filename.removeprefix(_CORE)].add(code.co_qualname)
        found[file] = {
            "seconds": _seconds[file],
            "passes": file not in _failed,
            "calls": {module: sorted(names) for module, names in calls.items()},
        }
    known = json.loads(_TARGET.read_text()) if _TARGET.exists() else {}
    beside = _TARGET.with_suffix(f".{time.time_ns()}")
    beside.write_text(json.dumps(known | found))
    beside.replace(_TARGET)
