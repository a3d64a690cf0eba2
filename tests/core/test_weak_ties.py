"""A plate that only lies on another one: refused by name, or tied weakly, with an influence that is measured."""

from contextlib import closing

import numpy as np
import pytest

from faying.errors import SolveError
from faying.joints.kinematics import sparse_rows
from faying.joints.ties import surface_stiffness, weakly_tied
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
    with pytest.raises(SolveError, match="element set UP") as refused:
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


def test_ties_resist_motion_of_the_surfaces_alone():
    plates = jointed_plates()
    rows = sparse_rows(plates.pairs, plates.matrices.dofs)
    tied = weakly_tied(plates.matrices, [rows], 1e-3)
    added = tied.stiffness - plates.matrices.stiffness
    assert np.abs(added @ plates.interior.rigid_modes).max() < 1e-9 * np.abs(added).max()
    spring = 1e-3 * surface_stiffness(plates.matrices.stiffness, rows.normal, rows.weights)
    motion = np.random.default_rng(1).standard_normal(plates.matrices.dofs.n_dofs)
    gaps, slips = rows.normal @ motion, (rows.tangential @ motion).reshape(-1, 2)
    energy = spring * rows.weights @ (gaps**2 + (slips**2).sum(axis=1))
    assert motion @ (added @ motion) == pytest.approx(energy)
    assert tied.remarks
