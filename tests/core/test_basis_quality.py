"""Measures of a whole basis against dense algebra on the full model, and as a stage of the pipeline."""

import json
from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg as la

from faying.cli import main
from faying.errors import SolveError
from faying.fem.assembly import assemble, rigid_body_modes
from faying.fem.writers import write_model
from faying.progress import Silent
from faying.project import edits
from faying.project.memory import Memory
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.reduction import quality
from faying.reduction.basis_quality import measure_basis
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.methods.guyan import Guyan
from faying.reduction.methods.modal_truncation import ModalTruncation
from faying.testing import plates as jointed_deck
from support.plates import jointed_plates, stacked_plates

HERTZ = 1.0 / (2.0 * np.pi)


@pytest.fixture(scope="module")
def plates():
    return jointed_plates()


@pytest.fixture(scope="module")
def full(plates):
    return quality.free_frequencies(plates.interior, 6, Silent())


def measured(plates, full, method):
    return measure_basis(plates.interior, method.build(plates.interior, Silent()), *full)


@pytest.fixture(scope="module")
def craig_bampton(plates, full):
    return measured(plates, full, CraigBampton(vibration_modes=8))


def test_free_frequencies_lie_above_the_full_ones_and_modes_agree(craig_bampton, plates, full):
    found = craig_bampton
    assert (found.frequency_differences > -1e-8).all() and found.frequency_differences[:4].max() < 0.02
    assert np.diag(found.assurance)[:4].min() > 0.99
    assert found.assurance.max() < 1.0 + 1e-9
    worse = measured(plates, full, Guyan())
    count = len(worse.reduced_frequencies)
    assert worse.frequency_differences.max() > 10 * found.frequency_differences[:count].max()
    assert worse.assurance.shape == (6, min(count, 6))


def test_held_modes_are_those_of_the_full_model(craig_bampton, plates):
    """Craig-Bampton holds the fixed-interface modes themselves: frequencies and effective masses come back."""
    inner, mass = plates.interior.interior_dofs, plates.matrices.mass
    K, M = plates.matrices.stiffness[inner][:, inner].toarray(), mass[inner][:, inner].toarray()
    squares, shapes = la.eigh(K, M)
    np.testing.assert_allclose(craig_bampton.held_frequencies, np.sqrt(squares[:8]) * HERTZ, rtol=1e-6)

    modes = np.zeros((plates.matrices.dofs.n_dofs, 8))
    modes[inner] = shapes[:, :8]
    nodes, dofs = plates.model.nodes, plates.matrices.dofs
    unit = rigid_body_modes(nodes, dofs)
    rotation_about_z = np.asarray(unit[:, 5] @ (mass @ unit[:, :3])) / (unit[:, 0] @ (mass @ unit[:, 0]))
    centre = np.array([rotation_about_z[1], -rotation_about_z[0], 0.0])
    centre[2] = (unit[:, 4] @ (mass @ unit[:, 0])) / (unit[:, 0] @ (mass @ unit[:, 0]))
    about_centre = rigid_body_modes(nodes, dofs, centre)
    expected = quality.effective_masses(modes, mass, about_centre)
    np.testing.assert_allclose(
        craig_bampton.held_masses / craig_bampton.body_masses,
        expected / np.diag(about_centre.T @ (mass @ about_centre)),
        atol=1e-8,
    )


def test_masses_are_those_of_the_bricks(craig_bampton):
    """Two plates 40 × 10 × 2 of steel, one on the other: a block of 40 × 10 × 4."""
    mass = 7.85e-9 * 40.0 * 10.0 * 4.0
    np.testing.assert_allclose(craig_bampton.body_masses[:3], mass, rtol=1e-9)
    about_z = mass * (40.0**2 + 10.0**2) / 12.0
    # The coupled end faces carry a nodal rule's mass, which is a little more about the axis than the block's.
    assert craig_bampton.body_masses[5] == pytest.approx(about_z, rel=0.01)
    shares = craig_bampton.mass_shares.sum(axis=0)
    assert (shares[:3] < 1.0).all() and shares[2] > 0.5


def test_conditions(craig_bampton, plates):
    basis = CraigBampton(vibration_modes=8).build(plates.interior, Silent())
    mass = basis.modes.T @ (plates.matrices.mass @ basis.modes)
    scale = 1.0 / np.sqrt(np.diag(mass))
    assert craig_bampton.mass_condition == pytest.approx(np.linalg.cond(scale[:, None] * mass * scale))
    assert craig_bampton.stiffness_condition >= 1.0


def loose_plates():
    """Return stacked plates of which each hangs at an interface node of its own, and the rows of these."""
    model = stacked_plates()
    held, loaded = model.couplings
    below = np.isin(held.nodes, model.blocks[0].connectivity)
    held = replace(held, nodes=held.nodes[below], weights=held.weights[below])
    return replace(model, couplings=(held, loaded)), np.array([held.reference, loaded.reference])


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_parts_that_only_touch_are_compared_in_their_elastic_modes():
    """Each plate hangs at an interface node of its own: held they are a body, free they fly apart."""
    model, interfaces = loose_plates()
    interior = InteriorProblem(assemble(model, Silent()), model.nodes, interfaces)
    assert CraigBampton(vibration_modes=4).build(interior, Silent()).modes.shape[1] == 10
    assert interior.loose_motions.shape[1] == 6
    found = quality.free_frequencies(interior, 6, Silent())
    matrices = interior.matrices
    squares = la.eigh(matrices.stiffness.toarray(), matrices.mass.toarray(), eigvals_only=True)
    assert (np.sqrt(np.maximum(squares[:12], 0.0)) * HERTZ < 1e-3 * found[0][0]).all()
    np.testing.assert_allclose(found[0], np.sqrt(squares[12:18]) * HERTZ, rtol=1e-6)
    measures = measure_basis(interior, CraigBampton(vibration_modes=20).build(interior, Silent()), *found)
    assert (measures.frequency_differences > -1e-8).all() and measures.frequency_differences[:4].max() < 0.05
    assert np.diag(measures.assurance)[:4].min() > 0.99
    # A basis of free modes would lack how the parts move apart.
    with pytest.raises(SolveError, match="not of one piece"):
        ModalTruncation(vibration_modes=4).build(interior, Silent())


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_quality_of_parts_that_only_touch(tmp_path, capsys):
    model, interfaces = loose_plates()
    write_model(model, tmp_path / "plates.inp")
    nodes = ", ".join(f'{{ name = "{i}", node = {model.node_ids[i]} }}' for i in interfaces)
    (tmp_path / "plates.toml").write_text(
        'name = "Plates"\nunits = "mm-t-s"\n[[bodies]]\nname = "plates"\nmodel = { path = "plates.inp" }\n'
        f'interfaces = [{nodes}]\nreduction = {{ kind = "craig_bampton", vibration_modes = 20 }}\n'
    )
    assert main(["quality", str(tmp_path / "plates.toml"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert found["stiffness_condition"] is None or found["stiffness_condition"] > 1e9
    assert found["highest_frequency"] >= max(found["reduced_frequencies"])
    assert found["admissible_step"] == pytest.approx(1.0 / (20.0 * found["highest_frequency"]))
    assert max(found["frequency_differences"][:4]) < 0.05 and min(found["assurance"][:4]) > 0.99


def test_another_number_of_joint_modes_measures_anew_but_keeps_the_full_modes(tmp_path):
    project = jointed_deck.plates(jointed_deck.write_plate_deck(tmp_path / "plates.inp"))
    store, memory, target = ArtifactStore(tmp_path / "store"), Memory(), Target("quality", "plates")
    first = PIPELINE.run(project, target, store, memory=memory)
    more = edits.set_value(("bodies", 0, "joint_modes", "count"), 9)(project)
    assert PIPELINE.state(more, target, store).status == "stale"
    done = []
    second = PIPELINE.run(
        more, target, store, memory=memory, on_step=lambda step, _: done.append(step.target.stage)
    )
    assert done == ["basis", "quality"]
    np.testing.assert_array_equal(first.full_frequencies, second.full_frequencies)
    count = len(first.reduced_frequencies)
    assert (second.frequency_differences[:count] <= first.frequency_differences + 1e-9).all()
    # It goes with the project file; the full modes are too large for that.
    kept = {recipe.stage for recipe in PIPELINE.reached(more, store)}
    assert "quality" in kept and "full_modes" not in kept
