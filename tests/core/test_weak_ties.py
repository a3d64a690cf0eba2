"""A plate that only lies on another one: refused by name, or tied weakly, with an influence that is measured."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from faying.errors import SolveError
from faying.fem.assembly import rigid_body_modes
from faying.fem.skin import surface_from_deck
from faying.joints.kinematics import sparse_rows
from faying.joints.pairing import find_contact_pairs
from faying.joints.search import SearchSpec
from faying.joints.ties import surface_stiffness, tie_rows, weakly_tied
from faying.progress import Silent
from faying.project.checks import CheckedProject, run_checks
from faying.project.memory import Memory
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.project.study import read_study
from support.plate_deck import STUDY, write_study
from support.plates import jointed_plates


def loose_plates(folder, ties=0.0):
    chosen = "" if ties is None else f"weak_ties = {ties}\n"
    text = STUDY.replace('name = "plates"\n', f'name = "plates"\n{chosen}', 1)
    return read_study(write_study(folder, text, hold_upper=False, load_upper=False))


def tip_deflection(folder, ties: float | None) -> float:
    store = ArtifactStore(folder / "store")
    target = Target("analysis", "plates", "press")
    with closing(
        PIPELINE.run(loose_plates(folder, ties), target, store, folder, memory=Memory()).open()
    ) as found:
        return float(found.curve("tip uz")[-1])


def test_without_ties_the_loose_part_is_named(tmp_path):
    with pytest.raises(SolveError, match="part 'UP'") as refused:
        tip_deflection(tmp_path, 0.0)
    assert "weak ties" in refused.value.hint


def test_weak_ties_hold_the_part_and_change_little(tmp_path):
    """The lower plate bends away under the upper one, which carries nothing. Kind of reference: analytical."""
    alone = (
        -20.0 * 40.0**3 / (3 * 210_000.0 * 10.0 * 2.0**3 / 12)
    )  # F L³/(3 E I); a wide plate is a little stiffer
    weak, twice = tip_deflection(tmp_path, 1e-6), tip_deflection(tmp_path, 2e-6)
    assert weak == pytest.approx(alone, rel=0.1)
    assert twice == pytest.approx(weak, rel=0.01)
    assert abs(tip_deflection(tmp_path, 1e-2)) < 0.8 * abs(weak)  # strong ties do carry


def test_a_part_that_only_contact_holds_is_tied_by_default(tmp_path):
    """As a bolt in its hole; nothing is tied where every part is held."""
    assert tip_deflection(tmp_path, None) == pytest.approx(tip_deflection(tmp_path, 1e-5), rel=1e-9)
    target, store = Target("matrices", "plates"), ArtifactStore(tmp_path / "other")
    assert PIPELINE.run(loose_plates(tmp_path, None), target, store, tmp_path).remarks
    held = read_study(write_study(tmp_path))
    assert held.bodies[0].weak_ties is None
    assert not PIPELINE.run(held, target, store, tmp_path).remarks


PRESS = """
[[analyses]]
kind = "unreduced_static"
name = "press, unreduced"
body = "plates"
support = "hold"
loads = [{ interface = "tip", force = [0.0, 0.0, -100.0], moment = [0.0, -2000.0, 0.0] }]

[[analyses]]
kind = "transient"
name = "drop"
body = "plates"
support = "hold"
duration = 6e-4
frames = 12
loads = [{ interface = "tip", force = [0.0, 0.0, -100.0], moment = [0.0, -2000.0, 0.0], time_history = HAVERSINE }]
"""


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    """Runs of a plate that only ties hold, 2 mm over the other one, and is pressed down in its middle."""
    folder = tmp_path_factory.mktemp("closed")
    text = (STUDY + PRESS).replace("-20.0]", "-100.0], moment = [0.0, -2000.0, 0.0]")
    text = text.replace("load_steps = 3", "friction = false")
    text = text.replace("HAVERSINE", '{ kind = "haversine", rise_time = 2e-4 }')
    text = text.replace('name = "plates"\n', 'name = "plates"\nweak_ties = 1e-7\n', 1)
    study = read_study(write_study(folder, text, hold_upper=False, gap=2.0))
    store, runs = ArtifactStore(folder / "store"), {}
    for name in ("press", "press, unreduced", "drop"):
        with closing(PIPELINE.run(study, Target("analysis", "plates", name), store, folder).open()) as found:
            curves = {k: found.curve(f"lap {k} force") for k in ("tie", "normal")}
            runs[name] = curves, dict(found.report)
    return study, folder, runs


@pytest.mark.parametrize("name", ["press", "press, unreduced"])
def test_ties_and_contact_carry_the_load_together(closed, name):
    """Kind of reference: analytical, the equilibrium of the loose plate."""
    curves, report = closed[2][name]
    ties, contact = curves["tie"][-1], curves["normal"][-1]
    assert ties > 5.0
    assert ties + contact == pytest.approx(100.0, rel=1e-3)  # the ties pull a little sideways
    assert report["tie_shares"]["lap"] == pytest.approx(ties / 100.0, rel=1e-3)


def test_what_ties_carry_in_motion_is_measured(closed):
    curves, report = closed[2]["drop"]
    ties = curves["tie"]
    assert ties[0] == 0.0 and ties.max() > 5.0
    whole = max((ties + curves["normal"]).max(), 100.0)
    assert report["tie_shares"]["lap"] == pytest.approx(ties.max() / whole)


def test_ties_that_carry_much_are_a_finding(closed):
    study, folder, runs = closed
    reports = {name: report for name, (_, report) in runs.items()}
    found = [f for f in run_checks(CheckedProject(study, folder, reports=reports)) if f.check == "tie_shares"]
    assert {f.entity for f in found} == {("analyses", 0), ("analyses", 1), ("analyses", 2)}
    share = 100.0 * reports["press"]["tie_shares"]["lap"]
    assert f"joint 'lap' carry {share:.2g} % of its load" in found[0].sentence


@pytest.mark.parametrize("pairs_at", ["nodes", "integration_points"])
def test_ties_of_an_open_joint_leave_rigid_motions_alone(pairs_at):
    """Contact rows do not: a rotation moves the slave, which lies off the master, sideways."""
    plates = jointed_plates(gap=2.0)
    if pairs_at != "nodes":
        surfaces = [surface_from_deck(plates.model, name) for name in ("LOWER", "UPPER")]
        search = SearchSpec(pairs_at=pairs_at)
        plates = replace(plates, pairs=find_contact_pairs(plates.model.nodes, *surfaces, search, Silent()))
    dofs, nodes = plates.matrices.dofs, plates.model.nodes
    rigid, contact = rigid_body_modes(nodes, dofs, nodes.mean(axis=0)), sparse_rows(plates.pairs, dofs)
    assert np.abs(contact.tangential @ rigid).max() == pytest.approx(2.0)
    rows = tie_rows(plates.pairs, nodes, dofs)
    assert np.abs(rows @ rigid).max() < 1e-9
    np.testing.assert_array_equal(rows[::3].toarray(), contact.normal.toarray())
    tied = weakly_tied(plates.matrices, nodes, [plates.pairs], 1e-3)
    added = tied.stiffness - plates.matrices.stiffness
    assert np.abs(added @ rigid).max() < 1e-9 * np.abs(added).max()
    assert np.abs(tied.tie_forces[0] @ rigid).max() < 1e-9 * np.abs(tied.tie_forces[0]).max()
    # What one side feels the other one feels, in force and moment.
    assert np.abs(rigid.T @ added).max() < 1e-9 * np.abs(added).max()


def test_ties_resist_motion_of_the_surfaces_alone():
    plates = jointed_plates()
    rows = sparse_rows(plates.pairs, plates.matrices.dofs)
    tied = weakly_tied(plates.matrices, plates.model.nodes, [plates.pairs], 1e-3)
    added = tied.stiffness - plates.matrices.stiffness
    assert np.abs(added @ plates.interior.rigid_modes).max() < 1e-9 * np.abs(added).max()
    spring = 1e-3 * surface_stiffness(plates.matrices.stiffness, rows.normal, rows.weights)
    motion = np.random.default_rng(1).standard_normal(plates.matrices.dofs.n_dofs)
    gaps, slips = rows.normal @ motion, (rows.tangential @ motion).reshape(-1, 2)
    energy = spring * rows.weights @ (gaps**2 + (slips**2).sum(axis=1))
    assert motion @ (added @ motion) == pytest.approx(energy)
    assert tied.remarks
