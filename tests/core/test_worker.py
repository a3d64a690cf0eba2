"""The worker process: results, cancel within two seconds, crashes as sentences, and on duty again after each."""

import logging
import os
import signal
import subprocess
import sys
import time

import pytest

from faying.project.stage import Target
from faying.project.store import ArtifactStore
from faying.worker import WorkerProcess
from support.synthetic_stages import PIPELINE, bar

STAGES = "support.synthetic_stages:PIPELINE"
SUM, RUN = Target("sum", "bar"), Target("run", "bar", "swing")


@pytest.fixture(scope="module")
def worker():
    with WorkerProcess(STAGES) as process:
        yield process


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "artifacts"


def _trial(worker, folder, name):
    worker.run(bar(joints=(name,)), Target("trial", "bar", name), folder)


def _until(worker, kind, seconds=20.0):
    """Return all messages up to one that begins with `kind`."""
    messages, end = [], time.monotonic() + seconds
    while not any(m[0] == kind for m in messages):
        assert time.monotonic() < end, messages
        messages += worker.poll(0.1)
    return messages


def _computes(worker, folder, deck):
    worker.run(bar(deck=deck), SUM, folder)
    assert worker.wait()[-1][0] == "done"


def test_a_result_arrives_in_the_store(worker, folder, caplog):
    caplog.set_level(logging.INFO, "faying")
    project = bar(deck="5")
    worker.run(project, RUN, folder)
    messages = worker.wait()
    assert messages[-1] == ("done", PIPELINE.key_of(project, RUN))
    assert [m[1] for m in messages if m[0] == "step"] == ["source", "product", "sum", "run"]
    fractions = [m[1] for m in messages if m[0] == "progress"]
    assert fractions == sorted(fractions) and fractions[-1] == 1.0
    store = ArtifactStore(folder)
    assert PIPELINE.state(project, RUN, store).status == "ready"
    assert not worker.busy and worker.poll() == []
    # Its log is that of its owner.
    assert any(record.getMessage().startswith("sum of bar: ") for record in caplog.records)


def test_it_stays_warm(worker, folder):
    _computes(worker, folder, "5")
    process = worker.process_id
    worker.run(bar(deck="5", count=3), SUM, folder)
    steps = [m[1] for m in worker.wait() if m[0] == "step"]
    assert steps == ["sum"]  # the product is still in its memory
    assert worker.process_id == process


def test_cancel_is_heard(worker, folder):
    _trial(worker, folder, "slow")
    messages = _until(worker, "progress")
    messages += _until(worker, "progress")
    assert any(
        m[0] == "progress" and m[3] == {"step_size": 0.5} for m in messages + _until(worker, "progress")
    )
    process = worker.process_id
    worker.cancel(grace=30.0)
    assert worker.wait()[-1] == ("cancelled",)
    assert worker.process_id == process  # no need to end it
    _computes(worker, folder, "6")


def test_who_does_not_hear_is_ended_after_its_grace(worker, folder):
    _trial(worker, folder, "deaf")
    while not any(m[0] == "progress" and m[2].endswith(": deaf") for m in _until(worker, "progress")):
        pass  # the stage has not begun: it would still hear
    process, began = worker.process_id, time.monotonic()
    worker.cancel(grace=1.0)
    assert worker.wait()[-1] == ("cancelled",)
    assert 1.0 <= time.monotonic() - began < 30.0  # of the minute that it would be deaf
    assert worker.process_id is None
    _computes(worker, folder, "7")
    assert worker.process_id not in (None, process)


def test_a_crash_of_native_code_is_a_sentence(worker, folder):
    _trial(worker, folder, "crash")
    kind, message, hint, details = worker.wait()[-1]
    assert kind == "failed" and "stopped unexpectedly" in message
    if os.name == "posix":
        assert "SIGABRT" in message and "synthetic_stages.py" in details  # the stack at the crash
    assert "project is safe" in hint
    _computes(worker, folder, "8")


def test_failures_are_sentences_and_mistakes_have_a_traceback(worker, folder):
    _trial(worker, folder, "fail")
    assert worker.wait()[-1] == ("failed", "The trial found no solution.", "Try another one.", "")
    process = worker.process_id
    _trial(worker, folder, "mistake")
    kind, message, _, details = worker.wait()[-1]
    assert kind == "failed" and "ZeroDivisionError" in message and "Traceback" in details
    _computes(worker, folder, "9")
    assert worker.process_id == process


def test_what_was_refused_for_want_of_memory_can_be_tried_all_the_same(worker, folder):
    _trial(worker, folder, "crowded")
    kind, message, hint, _, *last = worker.wait()[-1]
    assert (kind, last) == ("failed", ["refused"]) and "7 equations" in message
    assert "mesh more coarsely" in hint and "--despite-errors" not in hint  # a window has a button
    project = bar(joints=("crowded",))
    worker.run(project, Target("trial", "bar", "crowded"), folder, all_the_same=True)
    assert worker.wait()[-1][0] == "done"


def test_killed_from_outside(worker, folder):
    _trial(worker, folder, "slow")
    _until(worker, "progress")
    os.kill(worker.process_id, 9)
    kind, _, hint, _ = worker.wait()[-1]
    assert kind == "failed" and "memory" in hint
    _computes(worker, folder, "10")


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("way", [signal.SIGTERM, signal.SIGINT])
def test_asked_to_end_it_says_cancelled_and_ends(worker, folder, way):
    """As the command line: what is computed is cancelled in peace, the exit code is 130."""
    _trial(worker, folder, "slow")
    _until(worker, "progress")
    process = worker._process
    os.kill(process.pid, way)
    assert worker.wait()[-1] == ("cancelled",)
    assert process.wait(10) == 130
    _computes(worker, folder, "11")


def test_busy_is_busy(worker, folder):
    _trial(worker, folder, "slow")
    with pytest.raises(RuntimeError, match="busy"):
        _trial(worker, folder, "slow")
    worker.cancel()
    assert worker.wait()[-1] == ("cancelled",)


def test_a_late_cancel_does_not_hit_the_next_run(worker, folder):
    worker.cancel()  # nothing runs
    for deck in ("11", "12", "13"):
        worker.run(bar(deck=deck), SUM, folder)
        messages = _until(worker, "step")
        worker.cancel()
        # A quick run may be over already.
        assert [*messages, *worker.wait()][-1][0] in ("done", "cancelled")
    _computes(worker, folder, "14")


def test_cancelling_before_it_has_started(folder):
    with WorkerProcess(STAGES) as process:
        _trial(process, folder, "slow")
        began = time.monotonic()
        process.cancel()
        assert process.wait()[-1] == ("cancelled",)
        assert time.monotonic() - began < 30.0  # of the minute that it would take


def test_closing_ends_a_deaf_run(folder):
    process = WorkerProcess(STAGES)
    _trial(process, folder, "deaf")
    _until(process, "progress")
    process.close(grace=0.3)
    assert process.process_id is None and not process.busy


def test_closing_ends_the_child(folder):
    process = WorkerProcess(STAGES)
    process.start()
    number = process.process_id
    process.close()
    assert process.process_id is None
    if os.name == "posix":
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


@pytest.mark.skipif(os.name != "posix", reason="looks at process numbers as POSIX has them")
def test_the_child_does_not_outlive_a_killed_owner(folder):
    program = f"""
import os, time
from pathlib import Path
from support.synthetic_stages import bar
from faying.project.stage import Target
from faying.worker import WorkerProcess
worker = WorkerProcess({STAGES!r})
worker.run(bar(joints=("deaf",)), Target("trial", "bar", "deaf"), Path({str(folder)!r}))
while not any(m[0] == "progress" for m in worker.poll(0.1)):
    pass
print(worker.process_id, flush=True)
os.kill(os.getpid(), 9)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, timeout=60)
    child, end = int(done.stdout), time.monotonic() + 30.0
    while time.monotonic() < end and _runs(child):
        time.sleep(0.05)
    assert not _runs(child)


def _runs(number: int) -> bool:
    try:
        with open(f"/proc/{number}/stat", "rb") as stream:  # noqa: PTH123 - not a file of ours
            return stream.read().rsplit(b")", 1)[1].split()[0] != b"Z"
    except OSError:
        return False


def test_it_leaves_no_trace_of_the_parents_main(tmp_path, folder):
    """A script without a main guard may start it: the child does not run the script again."""
    script = tmp_path / "script.py"
    script.write_text(
        f"""
import sys
from pathlib import Path
from support.synthetic_stages import bar
from faying.project.stage import Target
from faying.worker import WorkerProcess
print("once")
with WorkerProcess({STAGES!r}) as worker:
    worker.run(bar(deck="5"), Target("sum", "bar"), Path({str(folder)!r}))
    print(worker.wait()[-1][0])
"""
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split() == ["once", "done"], done.stderr


def test_the_real_stages_run_in_it(tmp_path, folder):

    from faying.project.stages import PIPELINE as REAL
    from faying.testing.plates import plates, write_plate_deck

    project, target = plates(write_plate_deck(tmp_path / "plates.inp")), Target("analysis", "plates", "swing")
    with WorkerProcess() as process:
        process.run(project, target, folder, base=tmp_path)
        messages = process.wait()
    assert messages[-1] == ("done", REAL.key_of(project, target))
    results = REAL.value(project, target, ArtifactStore(folder)).open()
    assert results.n_frames == 5 and results.complete
    results.close()


def _until_it_rests(worker):
    """Take what was on its way when a run was told to pause."""
    end = time.monotonic() + 20.0
    while worker.poll(0.5):
        assert time.monotonic() < end


def test_a_pause_holds_a_run_until_it_goes_on_and_a_paused_one_can_be_cancelled(worker, folder):
    worker.run(bar(deck="2000"), RUN, folder)
    _until(worker, "progress")
    worker.pause()
    _until_it_rests(worker)
    waiting = worker.poll(0.5)
    assert [m for m in waiting if m[0] == "progress"] == []
    assert worker.busy
    worker.go_on()
    assert _until(worker, "progress")
    worker.pause()
    _until_it_rests(worker)
    process = worker.process_id
    worker.cancel(grace=30.0)
    assert worker.wait()[-1] == ("cancelled",)
    assert worker.process_id == process  # it listened: it was not killed
    _computes(worker, folder, "7")
