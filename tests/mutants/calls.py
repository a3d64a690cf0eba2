"""A plugin of pytest: notes which lines of the core the tests of each file run, and how long processors work for it.

It writes ``{file: {"seconds": s, "passes": bool, "lines": {module file: [marks]}}}`` to the file that the environment
variable MUTANTS_CALLS names; for marks see `mutants.mutations.marks`. The first runs of each function are followed
line by line, and later ones as long as they come upon something new. Of a kernel that runs as machine code the call is
seen: all its lines count, and those of all kernels that it may call. What other processes run is not seen.
"""

import json
import os
import sys
import threading
from collections import defaultdict
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from faying.compiled import Kernel
from mutants.mutations import marks

_TARGET = Path(os.environ["MUTANTS_CALLS"])
_CORE = os.environ["MUTANTS_CORE"] + os.sep
_MOST_RUNS = 300  # of a function that are followed after the last one that came upon a new line
_MOST_LINES = 3000  # of one run that are followed after the last new one


class _Followed:
    """A function while the tests of one file run."""

    def __init__(self, code: CodeType) -> None:
        self.code, self.is_core = code, code.co_filename.startswith(_CORE)
        self.lines = {line for _, _, line in code.co_lines() if line} if self.is_core else set[int]()
        self.left, self._runs, self._old = set(self.lines), 0, 0

    def begin(self) -> Any:
        """Return what follows one run of it; None if nothing new is to be expected."""
        self._runs += 1
        self._old = 0
        return self._follow if self.left and self._runs < _MOST_RUNS else None

    def _follow(self, frame: FrameType, event: str, _arg: Any) -> Any:
        if frame.f_lineno in self.left:
            self.left.discard(frame.f_lineno)
            self._runs = self._old = 0
        elif event == "line":
            self._old += 1
        frame.f_trace_lines = bool(self.left) and self._old < _MOST_LINES
        return self._follow


_seen: dict[str, dict[int, _Followed]] = defaultdict(dict)
_seconds: dict[str, float] = defaultdict(float)
_failed: set[str] = set()
_now: dict[int, _Followed] = {}


def _call(self: Any, *args: Any, **kwargs: Any) -> Any:
    """Return what a kernel returns, from a frame of Python, which the tracer sees."""
    return self.run(*args, **kwargs)


Kernel.__call__ = _call  # type: ignore[method-assign]
_KERNEL = _call.__code__


def _followed(code: CodeType) -> _Followed:
    found = _now.get(id(code))  # which it keeps alive
    if found is None:
        found = _now[id(code)] = _Followed(code)
    return found


def _trace(frame: FrameType, _event: str, _arg: Any) -> Any:
    code = frame.f_code
    if code is _KERNEL:
        kernel = frame.f_locals["self"]
        if id(kernel.source.__code__) not in _now:
            for called in kernel._reached({}):
                _followed(called.source.__code__).left.clear()
        return None
    return _followed(code).begin()


def pytest_sessionstart() -> None:
    threading.settrace(_trace)
    sys.settrace(_trace)


def pytest_deselected(items: list[pytest.Item]) -> None:
    for item in items:  # a file of slow tests alone has been looked at, too, and runs nothing
        _seen.setdefault(item.nodeid.partition("::")[0], {})


def pytest_runtest_logstart(nodeid: str) -> None:
    global _now
    _now = _seen[nodeid.partition("::")[0]]
    sys.settrace(_trace)  # a test may have taken it away


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Any:
    before = _spent()
    answer = yield
    _seconds[item.nodeid.partition("::")[0]] += _spent() - before
    return answer


def _spent() -> float:
    """Return seconds that processors worked for the tests: those that passed tell of others on the machine, too."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def pytest_runtest_logreport(report: Any) -> None:
    if report.failed:
        _failed.add(report.nodeid.partition("::")[0])


def pytest_collectreport(report: Any) -> None:
    if report.failed:
        _failed.add(report.nodeid)


def pytest_sessionfinish() -> None:
    sys.settrace(None)
    found: dict[str, Any] = {}
    modules: dict[str, list[int]] = {}
    for file in _seen.keys() | _failed:
        lines: dict[str, set[int]] = defaultdict(set)
        for followed in _seen.get(file, {}).values():
            if followed.is_core:
                path = followed.code.co_filename
                if path not in modules:
                    modules[path] = marks(Path(path).read_text(encoding="utf-8"))
                lines[path.removeprefix(_CORE)].update(
                    modules[path][line] for line in followed.lines - followed.left
                )
        found[file] = {
            "seconds": _seconds[file],
            "passes": file not in _failed,
            "lines": {module: sorted(found) for module, found in lines.items()},
        }
    _TARGET.write_text(json.dumps(found))
