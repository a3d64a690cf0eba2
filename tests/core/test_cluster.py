"""Studies on a cluster of dask.distributed: the same numbers, whoever computes them and whoever dies meanwhile."""

import json
import os
import queue
import subprocess
import sys
import time
from concurrent.futures import CancelledError
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

from faying.analyses.convergence_study import TABLE
from faying.cli import main
from faying.errors import Cancelled, FayingError
from faying.parallel import cluster, computing_on, run_parallel
from faying.parallel.cluster_address import who_else_may_use
from faying.progress import CancelFlag, Silent
from faying.project import edits
from faying.project.stage import Target
from faying.project.stages import analysis as stage_of_bodies
from faying.project.stages import sweep as sweep_stage
from faying.session import Session
from faying.testing.plates import plates, write_plate_deck

distributed = pytest.importorskip("distributed")
STUDY = {
    "kind": "convergence_study", "name": "modes", "body": "plates", "support": "hold", "counts": [0, 2, 4],
    "loads": [{"interface": "tip", "force": [0.0, 0.0, 5.0]}], "both_signs": True,
    "methods": [
        {"kind": "weighted_pod"}, {"kind": "equilibrium_snapshots"}, {"kind": "pod"}, {"kind": "vibration_modes"},
    ],
}  # fmt: skip


def powers(shared, task, progress):
    progress.report(0.5, f"task {task}")
    if task < 0:
        raise FayingError("That is below zero.", "Take more.")
    yield shared**task


def lasting(shared, task, progress):
    for k in range(300):
        progress.report(k / 300, f"step {k}")
        time.sleep(0.1)
    yield task


def slow(shared, task, progress):
    time.sleep(1.0)
    yield task


@pytest.fixture(scope="module")
def threads():
    """Scheduler and worker in this process."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
    ) as found:
        yield found.scheduler_address


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """A scheduler that shares its core with many others takes long to answer."""
    monkeypatch.setattr(cluster, "_PATIENCE", 120.0)


def is_whole(file):
    """Return whether a scheduler has written its file to the end; on a busy machine it is seen before."""
    try:
        return "address" in json.loads(file.read_text())
    except (FileNotFoundError, ValueError):
        return False


@contextmanager
def started(folder, workers):
    """Give a scheduler file and the workers, each a process that was started from the command line."""
    file = folder / "scheduler.json"
    here = [*(str(path) for path in list(Path(__file__).parents)[:3]), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(here)}

    def start(*words):
        log = (folder / f"{words[0]}-{len(processes)}.log").open("w")
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words, "--scheduler-file", str(file)],
            env=environment, cwd=folder, stdout=log, stderr=log,
        )  # fmt: skip

    processes = []
    try:
        processes.append(start("scheduler", "--port", "0", "--dashboard-address", ":0"))
        while not is_whole(file):
            assert processes[0].poll() is None
            time.sleep(0.05)
        for _ in range(workers):
            processes.append(start("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"))
        with distributed.Client(scheduler_file=str(file)) as client:
            client.wait_for_workers(workers, timeout=300)
        yield file, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def processes(tmp_path_factory):
    """Scheduler file of two workers, processes of their own, which no test ends."""
    with started(tmp_path_factory.mktemp("cluster"), 2) as (file, _):
        yield file


def test_a_cluster_gives_the_same_values_and_errors(threads):
    assert "2 workers with 2 threads" in cluster.described(threads)
    with computing_on(threads):
        found = dict(run_parallel(powers, 2.0, [0, 1, 2, 3, 4, 5], 1, Silent()))
        assert found == {i: 2.0**i for i in range(6)}
        with pytest.raises(FayingError, match=r"below zero\. Take more\.") as caught:
            list(run_parallel(powers, 2.0, [-1], 1, Silent()))
    assert "in powers" in caught.value.__notes__[0]


def test_progress_comes_back_and_cancelling_ends_tasks_at_their_next_report(threads):
    class OnceSeen(CancelFlag):
        def report(self, fraction, text="", **values):
            if text.startswith("step"):
                self.cancel()
            super().report(fraction, text, **values)

    began = time.monotonic()
    with computing_on(threads), pytest.raises(Cancelled):
        list(run_parallel(lasting, None, [0], 1, OnceSeen()))
    with computing_on(threads):  # the workers are free again
        assert list(run_parallel(powers, 2.0, [3], 1, Silent())) == [(0, 8.0)]
    assert time.monotonic() - began < 20.0  # of thirty that the task would have taken


def test_data_that_a_cluster_lost_are_sent_once_more_and_under_another_name(threads, monkeypatch):
    pool, sent = cluster.ClusterPool(threads, 2.0, queue.SimpleQueue(), Silent()), []
    with closing(pool):
        scatter = pool._client.scatter
        monkeypatch.setattr(
            pool._client, "scatter", lambda *words, **more: sent.append(scatter(*words, **more)) or sent[-1]
        )
        lost = [pool.submit(slow, number, number) for number in range(2)]
        pool._client.cancel(sent[:], force=True)
        for future in lost:
            with pytest.raises(CancelledError):
                future.exception(timeout=60)
        # That the second one is lost is heard when the data are on their way again.
        assert pool.death(lost[0]).blames == "nobody"
        again = [pool.submit(powers, 0, 3)]
        assert pool.death(lost[1]).blames == "nobody"
        again.append(pool.submit(powers, 1, 4))
        assert [future.result(timeout=60) for future in again] == [[8.0], [16.0]]
        assert [pool.death(future) for future in again] == [None, None]
    assert len(sent) == 2 and sent[0].key != sent[1].key


def test_a_cluster_that_is_none_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "_PATIENCE", 0.3)
    cases = {
        "tcp://127.0.0.1:9": "No scheduler of dask.distributed answers",
        "carrier-pigeon://coop": "No scheduler of dask.distributed answers",
        "nonsense": "neither the address of a scheduler nor a scheduler file",
        str(tmp_path / "none.json"): "neither the address of a scheduler nor a scheduler file",
        str(tmp_path / "broken.json"): "neither the address of a scheduler nor a scheduler file",
    }
    (tmp_path / "broken.json").write_text("[]")
    for place, sentence in cases.items():
        with pytest.raises(FayingError, match=sentence):
            cluster.described(place)
    monkeypatch.setattr(cluster, "distributed", None)
    with pytest.raises(FayingError, match="not installed"):
        cluster.described("tcp://127.0.0.1:9")


def test_another_program_is_refused(threads, monkeypatch):
    monkeypatch.setattr(cluster, "_same_program", other_program)
    with pytest.raises(FayingError, match="another version of Faying"):
        cluster.described(threads)


def other_program(digest):
    return False


def table_of(session):
    with closing(session.results("modes")) as results:
        return results.table(TABLE)[1]


@pytest.fixture
def project(tmp_path):
    deck = write_plate_deck(tmp_path / "plates.inp", divisions=16)
    return edits.add_analysis(STUDY)(plates(deck))


@pytest.mark.slow
def test_a_study_completes_when_a_worker_is_killed_in_its_middle(project, tmp_path):
    """Workers are processes of their own, started from the command line; the store is out of their reach."""
    target = Target("analysis", "plates", "modes")
    alone = Session(edits.set_value(("analyses", len(project.analyses) - 1, "processes"), 1)(project))
    alone.compute(target)
    with started(tmp_path, 2) as (file, workers):

        class Killer:
            texts = ()

            def report(self, fraction, text="", **values):
                self.texts = (*self.texts, text)
                if "weighted" in text.lower() and workers[0].poll() is None:
                    workers[0].kill()
                    workers[0].wait(timeout=300)

        killer = Killer()
        session = Session(project, progress=killer)
        with computing_on(str(file)):
            session.compute(target)
        assert any("weighted" in text.lower() for text in killer.texts)  # when it was killed
        assert workers[0].poll() is not None and workers[1].poll() is None
    # Which pieces a worker computed before decides what it has kept and in which order it sums: errors, differences of
    # nearly equal numbers, agree to fewer digits than motions.
    np.testing.assert_allclose(table_of(session), table_of(alone), rtol=1e-6, atol=1e-9)


def transitions(file):
    """Return how many times a scheduler has moved a task on."""
    with distributed.Client(scheduler_file=str(file)) as client:
        return client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.transition_log))


@pytest.mark.slow
def test_the_command_line_computes_on_a_cluster(processes, project, tmp_path, monkeypatch, capsys):
    study = tmp_path / "plates.toml"
    Session(project).save(study)
    with monkeypatch.context() as patch:
        patch.setattr(cluster, "_PATIENCE", 0.3)
        assert main(["run", str(study), "--cluster", "tcp://127.0.0.1:9"]) == 1
    assert "No scheduler of dask.distributed answers" in capsys.readouterr().err
    before = transitions(processes)
    assert main(["run", str(study), "--cluster", str(processes)]) == 0
    assert transitions(processes) > before
    # All is there: nobody is asked.
    assert main(["run", str(study), "--cluster", "tcp://127.0.0.1:9"]) == 0


LISTENING = """
import sys
import psutil
from faying.parallel import computing_on, run_parallel
from faying.progress import Silent

def ports(shared, task, progress):
    yield opened(psutil.Process()) + (opened(psutil.Process().parent()) if shared else [])

def opened(process):
    return [c.laddr for c in process.net_connections("inet") if c.status == psutil.CONN_LISTEN]

found = [sorted(run_parallel(ports, True, [0, 1], 2, Silent()))]
with computing_on(sys.argv[1]):
    for _ in run_parallel(ports, False, [0, 1], 2, Silent()):
        found.append(opened(psutil.Process()))
print(found)
"""


@pytest.mark.slow
def test_a_run_listens_at_no_port_neither_here_nor_with_a_cluster(processes):
    done = subprocess.run(
        [sys.executable, "-c", LISTENING, processes], capture_output=True, text=True, timeout=300, check=True
    )
    assert done.stdout == "[[(0, []), (1, [])], [], []]\n"


def test_a_cluster_that_others_may_use_is_told():
    for address in ("tcp://node7:8786", "tcp://192.168.1.5:8786", "ucx://node7:8786"):
        assert address in who_else_may_use(address) and "not protected" in who_else_may_use(address)
    for address in ("tcp://127.0.0.1:8786", "tcp://[::1]:8786", "tcp://localhost:8786", "tls://node7:8786"):
        assert who_else_may_use(address) == ""


def test_the_command_line_warns_of_a_cluster_that_others_may_use(project, tmp_path, capsys):
    study = tmp_path / "plates.toml"
    Session(project).save(study)
    main(["run", str(study), "--until", "pairs", "--cluster", "tcp://192.0.2.1:8786"])
    assert "warning tcp://192.0.2.1:8786 is not protected" in capsys.readouterr().err


@pytest.mark.slow
def test_load_cases_of_an_envelope_are_computed_beside_each_other(threads, tmp_path, monkeypatch):
    base = plates(write_plate_deck(tmp_path / "plates.inp"))
    static = base.analyses[0]
    cases = tuple(
        static.with_(name=f"case {i}", loads=({"interface": "tip", "force": (0.0, 0.0, force)},))
        for i, force in enumerate((-5.0, -2.0, 4.0))
    )
    base = base.with_(analyses=cases)
    project = edits.add_analysis(
        {"kind": "envelope", "name": "worst", "body": "plates", "cases": [case.name for case in cases]}
    )(base)
    handed = []
    original = stage_of_bodies.run_parallel

    def counted(work, shared, tasks, *more):
        handed.append(len(tasks))
        return original(work, shared, tasks, *more)

    monkeypatch.setattr(stage_of_bodies, "run_parallel", counted)
    curves, target = {}, Target("analysis", "plates", "worst")
    for place in ("", threads):
        session = Session(project)
        with computing_on(place):
            session.compute(target)
        with closing(session.results("worst")) as results:
            curves[place] = results.curve("tip uz")
    assert handed == [3]  # on the cluster alone: here they take less time than processes to start
    assert len(set(curves[""])) == 3
    np.testing.assert_allclose(curves[threads], curves[""], rtol=1e-9)


@pytest.mark.slow
def test_points_of_a_sweep_travel_with_what_they_share(processes, project, monkeypatch):
    """Workers get decks and artifacts by key; the folder of the store and that of the deck are out of their reach."""
    force = "analyses.press.loads.tip.force.z"
    sweep = {
        "kind": "sweep", "name": "stiffer", "analysis": "press", "responses": [{"quantity": "tip uz", "name": "tip"}],
        "variations": [{"decision": force, "lowest": -5.0, "highest": "5 N", "count": 4}],
    }  # fmt: skip
    project, target = edits.add_analysis(sweep)(project), Target("sweep", "", "stiffer")
    tables, carry, seen = {}, sweep_stage.carried, []
    monkeypatch.setattr(sweep_stage, "carried", lambda *given: seen.append(carry(*given)) or seen[-1])
    for place in ("", str(processes)):
        session = Session(project)
        with computing_on(place):
            session.compute(target)
        with closing(session.results("stiffer")) as results:
            heads, rows = results.table("sweep")
            tables[place] = rows[:, heads.index("tip")]
            assert not results.report["not_computed"]
    (copies,) = seen  # on the cluster alone
    assert len(copies.artifacts) >= 3 and set(copies.artifacts) == set(copies.recipes)
    assert [Path(name).name for name in copies.files] == ["plates.inp"]
    assert len(set(tables[""])) == 4
    np.testing.assert_allclose(tables[str(processes)], tables[""], rtol=1e-12)


@pytest.mark.slow
def test_snapshot_equilibria_and_blocks_of_frequencies_are_computed_by_workers(
    processes, project, monkeypatch
):
    """Joint modes and curves are the same ones; each block is handed to workers of their own processes."""
    body = project.bodies[0].with_(joint_modes={"kind": "equilibrium_snapshots", "count": 4})
    shaken = {
        "kind": "frequency_response", "name": "shaken", "body": "plates", "support": "hold", "full": False,
        "loads": [{"interface": "tip", "force": [0.0, 0.0, 1.0]}], "modal_damping": [0.01], "points": 20,
        "lowest_frequency": 100.0, "highest_frequency": 3000.0, "equilibrium": "down",
    }  # fmt: skip
    down = {
        "kind": "static", "name": "down", "body": "plates", "support": "hold",
        "loads": [{"interface": "tip", "force": [0.0, 0.0, -5.0]}],
    }  # fmt: skip
    project = edits.add_analysis(shaken)(edits.add_analysis(down)(project.with_(bodies=(body,))))
    handed = []
    original = cluster.ClusterPool.submit
    monkeypatch.setattr(
        cluster.ClusterPool,
        "submit",
        lambda self, work, *given: handed.append(work.__module__) or original(self, work, *given),
    )
    found = {}
    for place in ("", str(processes)):
        session = Session(project)
        with computing_on(place):
            stiffness = session.compute(Target("body", "plates")).stiffness
            session.compute(Target("analysis", "plates", "shaken"))
        with closing(session.results("shaken")) as results:
            found[place] = stiffness, results.curve("tip uz")
    assert handed.count("faying.reduction.condensed") > 16  # several rounds of blocks
    assert 1 < handed.count("faying.analyses.harmonics.frequency_blocks") <= 16
    for one, other in zip(found[""], found[str(processes)], strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-6, atol=1e-9 * np.abs(one).max())


@pytest.mark.slow
def test_hundreds_of_short_points(processes):
    """Each takes about 0.01 s, start and return included; the bound leaves room for a busy machine."""
    with computing_on(str(processes)):
        began = time.monotonic()
        found = dict(run_parallel(powers, 1.0, list(range(300)), 1, Silent()))
        seconds = time.monotonic() - began
    assert found == dict.fromkeys(range(300), 1.0)
    assert seconds < 100.0
