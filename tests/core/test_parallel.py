"""Work in processes beside each other: all values, errors as they were, an end at once, nobody left behind."""

import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
import pytest

from faying.errors import Cancelled, FayingError, ReadError
from faying.linalg.threads import physical_cores
from faying.parallel import run_parallel
from faying.progress import CancelFlag, Silent
from faying.project.made_with import SolversNoted

HERE = Path(__file__).parent
_FOLDERS = [str(HERE), str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(_FOLDERS)}


class AwkwardError(FayingError):
    """An error that cannot be rebuilt from its arguments."""

    def __init__(self, amount):
        super().__init__(f"{amount} is too much.", "Take less.")


def powers(shared, task, progress):
    for k in range(3):
        progress.report(k / 3, f"{task} to the power {k}")
        yield os.getpid(), physical_cores(), shared**k * task


def failing(kind, task, progress):
    if task == 1:
        if kind == "read":
            raise ReadError("deck.inp", 7, "no nodes.", "Look.")
        if kind == "awkward":
            raise AwkwardError(task)
        if kind == "mistake":
            raise ZeroDivisionError("nought")
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.1)
    yield task


def waiting(folder, task, progress):
    progress.report(0.1, "waiting")
    (folder / f"{os.getpid()}").touch()
    time.sleep(60.0)
    yield task


def counting(start, task, progress):
    for k in range(60):
        progress.report(k / 60, f"{k}")
        time.sleep(0.02)
    yield start + task


def results_of(work, shared, tasks, processes, progress=None):
    return list(run_parallel(work, shared, tasks, processes, progress or Silent(), 5))


def has_ended(pid):
    for _ in range(80):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        with suppress(FileNotFoundError, IndexError):
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True  # whoever should collect it has ended too
        time.sleep(0.05)
    return False


def test_all_values_come_and_equal_those_of_one_process():
    shared, tasks = np.array([2.0, 3.0]), [1.0, 2.0, 4.0]
    alone, beside = (results_of(powers, shared, tasks, processes) for processes in (1, 2))
    assert {pid for _, (pid, *_) in alone} == {os.getpid()}
    others = {pid for _, (pid, *_) in beside}
    assert len(others) == 2 and os.getpid() not in others
    assert {cores for _, (_, cores, _) in beside} == {5 // 2}
    for i in range(3):
        both = [[value for number, (*_, value) in found if number == i] for found in (alone, beside)]
        np.testing.assert_array_equal(*both)
    assert all(has_ended(pid) for pid in others)


def test_one_task_needs_no_process():
    assert results_of(powers, 2.0, [3.0], 4)[0][1][0] == os.getpid()


def test_errors_come_back_as_they_were():
    with pytest.raises(ReadError, match=r"deck.inp, line 7: no nodes. Look."):
        results_of(failing, "read", [0, 1], 2)
    with pytest.raises(FayingError, match=r"1 is too much. Take less."):
        results_of(failing, "awkward", [0, 1], 2)
    with pytest.raises(ZeroDivisionError, match="nought") as caught:
        results_of(failing, "mistake", [0, 1], 2)
    assert "in failing" in caught.value.__notes__[0]


def dying(folder, task, progress):
    """Task 1 kills its process each time, task 2 the first time."""
    progress.report(0.0, f"task {task}")
    logging.getLogger("faying.test").warning("task %s", task)
    tries = len(list(folder.glob(f"{task}-*")))
    (folder / f"{task}-{tries}").touch()
    if task == 1 or (task == 2 and tries == 0):
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.05)
    yield 10 * task


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_process_that_dies_costs_its_task_only(tmp_path, caplog):
    found = dict(
        run_parallel(dying, tmp_path, [0, 1, 2, 3, 4], 2, Silent(), lost=lambda task, error: str(error))
    )
    assert {number: found[number] for number in (0, 2, 3, 4)} == {0: 0, 2: 20, 3: 30, 4: 40}
    assert re.search("stopped unexpectedly.*SIGKILL.*fewer modes or processes", found[1])
    # One that may be innocent is tried once more, and that which died alone is not.
    assert len(list(tmp_path.glob("1-*"))) <= 2
    # The log of each process came back.
    assert {"task 0", "task 2", "task 4"} <= {record.getMessage() for record in caplog.records}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_task_that_is_lost_is_a_sentence_after_all_others_have_come():
    came = []
    with pytest.raises(FayingError, match=r"stopped unexpectedly.*SIGKILL.*fewer modes or processes"):
        for number, _ in run_parallel(failing, "die", [0, 1, 2], 2, Silent()):
            came.append(number)
    assert sorted(came) == [0, 2]


def dying_late(folder, task, progress):
    """Task 1 kills its process as soon as task 0 has come, whenever it is tried."""
    if task == 1:
        (folder / f"{os.getpid()}").touch()
        while not (folder / "came").exists():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGKILL)
    yield task


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_process_may_die_while_its_owner_handles_a_value(tmp_path):
    """The next task was handed to processes that were broken, and the run ended with loky's own error."""
    found = {}
    with closing(
        run_parallel(dying_late, tmp_path, [0, 1, 2], 2, Silent(), lost=lambda task, error: str(error))
    ) as run:
        for number, value in run:
            found[number] = value
            if number == 0:
                while not list(tmp_path.iterdir()):
                    time.sleep(0.01)
                (tmp_path / "came").touch()
                assert all(has_ended(int(file.name)) for file in tmp_path.glob("[0-9]*"))
                time.sleep(0.3)  # for the executor to see it
    assert found[0] == 0 and found[2] == 2 and "SIGKILL" in found[1]


def test_no_thread_is_left_behind():
    """Each run left one that waited for processes to connect."""
    before = set(threading.enumerate())
    results_of(powers, 2.0, [1.0, 2.0], 2)
    until = time.monotonic() + 5.0
    while (left := set(threading.enumerate()) - before) and time.monotonic() < until:
        time.sleep(0.01)
    assert not left


def solving(shared, task, progress):
    progress.report(0.1, f"task {task}")
    progress.report(0.2, solver=f"solver {task}", residual=10.0**-task)
    yield task


@pytest.mark.parametrize("processes", [1, 2])
def test_the_solvers_of_tasks_are_noted_whatever_the_number_of_processes(processes):
    """Of tasks in other processes nobody heard which solver they used, and what residual it left."""
    noted = SolversNoted(Silent())
    results_of(solving, None, [3, 4], processes, noted)
    assert noted.names == {"solver 3", "solver 4"} and noted.residual == 1e-3


def nested(shared, task, progress):
    yield from run_parallel(powers, shared, [task, task], 2, progress)


def test_a_task_has_no_processes_of_its_own():
    found = [(i, pid) for i, (_, (pid, *_)) in results_of(nested, 2.0, [1.0, 2.0], 2)]
    assert len({pid for _, pid in found}) <= 2 and len({pid for i, pid in found if i == 0}) == 1


def test_cancelling_ends_processes_that_do_not_listen(tmp_path):
    class WhenBothWait(CancelFlag):
        cancelled_at = 0.0

        def report(self, fraction, text="", **values):
            if len(list(tmp_path.iterdir())) == 2 and not self.cancelled:
                self.cancelled_at = time.monotonic()
                self.cancel()
            super().report(fraction, text, **values)

    progress = WhenBothWait()
    with pytest.raises(Cancelled):
        results_of(waiting, tmp_path, [0, 1, 2], 2, progress)
    assert time.monotonic() - progress.cancelled_at < 30.0  # of the minute that they would sleep
    assert all(has_ended(int(path.name)) for path in tmp_path.iterdir())


def test_leaving_early_ends_the_processes():
    with closing(run_parallel(powers, 2.0, [1.0, 2.0, 3.0], 2, Silent())) as found:
        _, (pid, *_) = next(found)
    assert has_ended(pid)


def test_processes_wait_while_whoever_is_told_waits():
    seen = []

    class PausedOnce:
        def report(self, fraction, text="", **values):
            number = text.split(" ")[0]
            if not number.isdecimal() or (seen and int(number) == seen[-1]):
                return
            if len(seen) == 1:
                time.sleep(1.0)
            seen.append(int(number))

    assert sorted(results_of(counting, 10, [0, 1], 2, PausedOnce())) == [(0, 10), (1, 11)]
    # Fifty steps would have fitted into the pause.
    assert len(seen) > 3 and max(np.diff(seen)) < 30


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_processes_end_with_their_owner(tmp_path):
    code = """
import sys
from pathlib import Path
import test_parallel as here
from faying.progress import Silent
list(here.run_parallel(here.lasting, Path(sys.argv[1]), [0, 1], 2, Silent()))
"""
    owner = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], env=ENVIRONMENT)
    while len(pids := [int(path.name) for path in tmp_path.iterdir()]) < 2:
        assert owner.poll() is None
        time.sleep(0.05)
    owner.kill()
    owner.wait()
    assert all(has_ended(pid) for pid in pids)


def lasting(folder, task, progress):
    (folder / f"{os.getpid()}").touch()
    while True:
        progress.report(0.5, "still there")
        time.sleep(0.02)
    yield task


def test_needs_no_guard_in_a_script(tmp_path):
    """A fork, or a process that imports the script again, would run it twice."""
    script = tmp_path / "script.py"
    script.write_text(
        "import test_parallel as here\nfrom faying.progress import Silent\nprint('once')\n"
        "print(sorted(value for _, (*_, value) in here.run_parallel(here.powers, 2, [1, 10], 2, Silent())))\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        timeout=60,
        env=ENVIRONMENT,
        check=False,
    )
    assert done.stdout == "once\n[1, 2, 4, 10, 20, 40]\n", done.stderr
