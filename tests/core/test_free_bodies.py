"""Bodies that their interface nodes do not hold: none, one without rotations, several on a line."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg as la

from faying.errors import ModelError, SolveError
from faying.fem.assembly import assemble
from faying.fem.connectivity import loose_parts
from faying.fem.model import ElementBlock, Material
from faying.params import build
from faying.progress import Silent
from faying.project.findings import find_findings
from faying.project.stage import target_of
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.project.study import read_study
from faying.reduction import interior as interior_module
from faying.reduction.basis_quality import measure_basis
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import reduction_methods
from faying.reduction.quality import free_frequencies
from faying.spatial.rotations import rotation_about, rotation_matrix
from support.balls import ball
from support.boxes import box
from support.thrown_brick import write_thrown_brick

BAR = Material("SOFT", 20000.0, 0.3, 1e-4 / (6.0 * 8.0 * 300.0))  # 0.1 kg
NONE = np.zeros(0, np.int64)
WITH_MODES = ("craig_bampton", "free_interface", "modal_truncation")


def _interior(model, nodes=NONE, components=None):
    loose = loose_parts(model, nodes)
    return InteriorProblem(assemble(model, Silent()), model.nodes, nodes, components, loose)


def _on_a_line(model, count):
    """Return nodes along an edge of a box, spread."""
    edge = np.flatnonzero((model.nodes[:, 1] == 0.0) & (model.nodes[:, 2] == 0.0))
    return edge[np.linspace(0, len(edge) - 1, count).astype(int)]


@pytest.fixture(scope="module")
def brick():
    return box("hex8_incompatible", (4, 2, 2), (40.0, 10.0, 8.0), distortion=0.2)


@pytest.fixture(scope="module")
def exact(brick):
    matrices = assemble(brick, Silent())
    values = la.eigh(matrices.stiffness.toarray(), matrices.mass.toarray(), eigvals_only=True)
    assert np.abs(values[:6]).max() < 1e-9 * values[6]
    return np.sqrt(values[6:]) / (2.0 * np.pi)


@pytest.mark.parametrize("kind", WITH_MODES)
def test_a_brick_without_interface_nodes_has_the_modes_of_the_free_brick(brick, exact, kind):
    basis = build(reduction_methods[kind], {"vibration_modes": 10}).build(_interior(brick), Silent())
    np.testing.assert_allclose(basis.frequencies, exact[:10], rtol=1e-8)


def test_a_slender_bar_swings_as_a_beam():
    # Euler and Bernoulli's free beam: 116.3 and 155.1 Hz; these bricks converged to 116.2 and 154.7.
    model = box("hex8_incompatible", (45, 3, 2), (300.0, 8.0, 6.0), BAR)
    basis = reduction_methods["craig_bampton"](vibration_modes=6).build(_interior(model), Silent())
    np.testing.assert_allclose(basis.frequencies[:2], [116.23, 154.80], atol=0.006)
    beam = 4.730041**2 / (2.0 * np.pi * 300.0**2) * np.sqrt(BAR.youngs_modulus / (12.0 * BAR.density))
    np.testing.assert_allclose(basis.frequencies[:2], beam * np.array([6.0, 8.0]), rtol=0.003)


def test_a_ball_twists_as_lamb_says():
    # Torsion of two halves against each other: omega = 2.5011 c_T / R, whatever Poisson's ratio is (Lamb 1882).
    model = ball("hex20", 4, 2, 10.0)
    material = model.materials["STEEL"]
    basis = reduction_methods["modal_truncation"](vibration_modes=10).build(_interior(model), Silent())
    shear_wave = np.sqrt(material.youngs_modulus / (2.6 * material.density))
    expected = 2.50113 * shear_wave / 10.0 / (2.0 * np.pi)
    np.testing.assert_allclose(basis.frequencies[:5], expected, rtol=0.005)
    assert basis.frequencies[5] > 1.01 * expected  # five of a kind; the next is a spheroidal mode


@pytest.mark.parametrize("kind", ("craig_bampton", "free_interface", "guyan"))
@pytest.mark.parametrize("held", ("one", "line"))
def test_statics_between_interface_nodes_that_do_not_hold_the_body(brick, kind, held):
    nodes = _on_a_line(brick, 3) if held == "line" else np.array([5])
    interior = _interior(brick, nodes)
    assert interior.n_held_motions == (5 if held == "line" else 3)
    if held == "one" and kind == "guyan":
        with pytest.raises(ModelError, match="rigid body motions alone"):
            reduction_methods[kind]().build(interior, Silent())
        return
    basis = reduction_methods[kind]().build(interior, Silent())
    modes, stiffness = basis.modes, interior.matrices.stiffness
    assert np.abs(interior.rigid_modes.T @ (interior.matrices.mass @ modes)).max() < 1e-8
    if held == "line":  # forces on three nodes, in balance: exact
        dofs, rigid = interior.interface_dofs, interior.rigid_modes[interior.interface_dofs]
        load = np.zeros(interior.n_dofs)
        load[dofs] = la.null_space(rigid.T)[:, 0]
        work = load @ modes @ np.linalg.solve(modes.T @ (stiffness @ modes), modes.T @ load)
        shape = np.linalg.lstsq(stiffness.toarray(), load)[0]
        assert work == pytest.approx(load @ shape, rel=1e-8)


def test_fixed_interface_modes_of_a_hinged_body(brick):
    interior = _interior(brick, _on_a_line(brick, 3))
    free = np.setdiff1d(np.arange(interior.n_dofs), interior.interface_dofs)
    stiffness, mass = (
        m[free][:, free].toarray() for m in (interior.matrices.stiffness, interior.matrices.mass)
    )
    values = la.eigh(stiffness, mass, eigvals_only=True)
    assert abs(values[0]) < 1e-8 * values[1]  # turns about the line
    basis = reduction_methods["craig_bampton"](vibration_modes=6).build(interior, Silent())
    quality = measure_basis(interior, basis, *free_frequencies(interior, 8, Silent()))
    np.testing.assert_allclose(quality.held_frequencies[:5], np.sqrt(values[1:6]) / (2.0 * np.pi), rtol=1e-6)
    assert (quality.frequency_differences > -1e-9).all()


@pytest.mark.parametrize("nodes", ("none", "one", "line"))
def test_nothing_depends_on_how_free_motions_are_held(brick, nodes, monkeypatch):
    rows = {"none": NONE, "one": np.array([5]), "line": _on_a_line(brick, 3)}[nodes]
    usual = _interior(brick, rows)
    first = {
        k: build(reduction_methods[k], {"vibration_modes": 8}).build(usual, Silent()) for k in WITH_MODES
    }
    choose = interior_module.determinate_supports

    def otherwise(motions, stiffness, allowed):
        middle = np.linalg.norm(brick.nodes - brick.nodes.mean(axis=0), axis=1) < 14.0
        return choose(motions, stiffness, allowed & np.repeat(middle, 3))

    monkeypatch.setattr(interior_module, "determinate_supports", otherwise)
    other = _interior(brick, rows)
    assert not set(other.held_dofs[len(rows) * 3 :]) & set(usual.held_dofs[len(rows) * 3 :])
    for kind in WITH_MODES:
        second = build(reduction_methods[kind], {"vibration_modes": 8}).build(other, Silent())
        np.testing.assert_allclose(second.frequencies, first[kind].frequencies, rtol=1e-9)
        assert second.modes.shape == first[kind].modes.shape
        # The same space: modes of one, seen in the other.
        seen = first[kind].modes.T @ (usual.matrices.mass @ second.modes)
        np.testing.assert_allclose(np.linalg.svd(seen)[1], 1.0, atol=1e-9)


def test_the_order_of_nodes_does_not_matter(brick, exact):
    order = np.random.default_rng(11).permutation(len(brick.nodes))
    back = np.argsort(order)
    block = brick.blocks[0]
    blocks = (replace(block, connectivity=back[block.connectivity]),)
    shuffled = replace(brick, nodes=brick.nodes[order], blocks=blocks, node_sets={})
    basis = reduction_methods["craig_bampton"](vibration_modes=10).build(_interior(shuffled), Silent())
    np.testing.assert_allclose(basis.frequencies, exact[:10], rtol=1e-9)


@pytest.mark.parametrize("rows", (NONE, np.array([2])))
def test_two_loose_pieces_are_refused_by_name(brick, rows):
    block, n = brick.blocks[0], len(brick.nodes)
    small = block.connectivity[:3] + n
    second = ElementBlock(block.element, block.label, np.arange(901, 904), small, block.material)
    model = replace(
        brick,
        nodes=np.concatenate([brick.nodes, brick.nodes + np.array([0.0, 0.0, 50.0])]),
        node_ids=np.arange(1, 2 * n + 1),
        blocks=(block, second),
        element_sets={"LID": np.arange(len(block.ids), len(block.ids) + 3)},
    )
    with pytest.raises(SolveError, match=r"not of one piece.*part 'LID' of 3 elements"):
        _interior(model, rows).prepare(Silent())


def test_a_thrown_brick_of_a_study_flies_and_spins(tmp_path):
    study = write_thrown_brick(tmp_path, duration=0.1, frames=10)
    project, store = read_study(study), ArtifactStore(tmp_path / "store")
    findings = find_findings(project, store, tmp_path, compute=True)
    assert {finding.severity for finding in findings} == {"note"}
    with closing(PIPELINE.run(project, target_of(project.analyses[0]), store, tmp_path).open()) as results:
        time = results.values
        np.testing.assert_allclose(results.curve("brick.frame x"), 100.0 * time, atol=1e-6)
        fallen = 2000.0 * time - 0.5 * 9810.0 * time**2
        np.testing.assert_allclose(results.curve("brick.frame z"), fallen, atol=1e-6 * np.abs(fallen).max())
        total, kinetic = results.curve("total energy"), results.curve("kinetic energy")
        np.testing.assert_allclose(total, total[0], atol=1e-6 * kinetic[0])
        _, axes = results.part("brick").placement(len(time) - 1)
        assert (
            np.abs(axes - rotation_matrix(rotation_about(np.array([0.0, 0.0, 2.0])))).max() < 1e-3
        )  # rad, by the spin


def test_no_trial_vectors_at_all_are_a_sentence(brick):
    with pytest.raises(ModelError, match="nothing deforms the body"):
        reduction_methods["craig_bampton"](vibration_modes=0).build(_interior(brick), Silent())
