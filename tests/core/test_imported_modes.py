"""Component modes from a file: the same as those that were written, completed statically, and checked."""

from types import SimpleNamespace

import numpy as np
import pytest

from faying.errors import ModelError, ReadError
from faying.fem.matrix_export import dof_list_of_model
from faying.progress import Silent
from faying.project import edits
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.project.study import read_study, write_study
from faying.reduction.methods import _mode_files
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.methods.imported_modes import ImportedModes
from faying.reduction.orthogonal import orthogonalise
from faying.testing.plates import plates as plates_project
from faying.testing.plates import write_plate_deck
from support.plates import jointed_plates, stacked_plates


@pytest.fixture(scope="module")
def plates():
    return jointed_plates()


@pytest.fixture(scope="module")
def labels(plates):
    dofs = dof_list_of_model(stacked_plates(), plates.matrices.dofs)
    return np.stack([dofs.nodes, dofs.components], axis=1)


@pytest.fixture(scope="module")
def written(plates):
    return CraigBampton(vibration_modes=5).build(plates.interior, Silent())


def _read(plates, path, **words):
    return ImportedModes(file=str(path), **words).build(plates.interior, Silent())


def test_modes_come_back(plates, labels, written, tmp_path):
    np.savez(tmp_path / "modes.npz", modes=written.modes, dofs=labels)
    basis = _read(plates, tmp_path / "modes.npz")
    assert basis.removed == () and basis.groups[0].stop == written.modes.shape[1]
    np.testing.assert_allclose(basis.frequencies, written.frequencies, rtol=1e-9)
    signs = np.sign(np.einsum("ij,ij->j", basis.modes, written.modes))
    np.testing.assert_allclose(signs * basis.modes, written.modes, atol=1e-7 * abs(written.modes).max())


def test_list_beside_the_file_and_some_of_the_modes(plates, labels, written, tmp_path):
    np.save(tmp_path / "modes.npy", written.modes[::-1])
    lines = [f"{node},{component}" for node, component in labels[::-1]]
    (tmp_path / "modes_dofs.csv").write_text("\n".join(["node,component", *lines]))
    basis = _read(plates, tmp_path / "modes.npy", count=3)
    np.testing.assert_allclose(basis.frequencies, written.frequencies[:3], rtol=1e-9)


def test_displacements_in_the_decks_order(plates, written, tmp_path):
    """Rotations of the reference nodes are not in such a file; their coupled nodes tell them."""
    nodal = (plates.matrices.dofs.displacement_rows @ written.modes).reshape(-1, 3, written.modes.shape[1])
    np.save(tmp_path / "modes.npy", nodal)
    basis = _read(plates, tmp_path / "modes.npy")
    assert basis.removed == ()
    np.testing.assert_allclose(basis.frequencies, written.frequencies, rtol=1e-9)


def test_each_coupling_tells_the_rotations_of_its_own_reference_node(plates, written, tmp_path):
    """Of the tip's coupled nodes one is left, from which nothing can be told: it moves otherwise, and no other does."""
    model = plates.model
    nodal = (plates.matrices.dofs.displacement_rows @ written.modes).reshape(3 * len(model.nodes), -1)
    labels = np.stack([np.repeat(model.node_ids, 3), np.tile([1, 2, 3], len(model.nodes))], axis=1)
    held, tip = sorted(model.couplings, key=lambda coupling: model.nodes[coupling.reference, 0])
    for dropped in (tip, held):
        kept = ~np.isin(labels[:, 0], model.node_ids[dropped.nodes[1:]])
        np.savez(tmp_path / "modes.npz", modes=nodal[kept], dofs=labels[kept])
        with pytest.raises(ModelError, match=f"node {model.node_ids[dropped.nodes[0]]} moves otherwise"):
            _read(plates, tmp_path / "modes.npz")


def test_nodes_that_the_file_does_not_have_follow_statically(plates, labels, written, tmp_path):
    """Without the six components of the tip's reference node: the plates bend as the other nodes make them."""
    kept = labels[:, 0] != len(plates.model.nodes)
    np.savez(tmp_path / "modes.npz", modes=written.modes[kept, :2], dofs=labels[kept])
    basis = _read(plates, tmp_path / "modes.npz")
    assert basis.removed == ("6 degrees of freedom that are not in modes.npz and follow statically",)
    lower, upper = written.frequencies[:2], basis.frequencies
    assert (upper < 1.2 * lower).all()
    # Statics means: no force on what is not in the file.
    forces = plates.matrices.stiffness @ basis.modes
    assert abs(forces[~kept]).max() < 1e-9 * abs(forces).max()


def test_rigid_and_dependent_modes_are_removed(plates, labels, written, tmp_path):
    modes = np.hstack([written.modes, plates.interior.rigid_modes, written.modes[:, :2] @ [[1.0], [2.0]]])
    np.savez(tmp_path / "modes.npz", modes=modes, dofs=labels)
    basis = _read(plates, tmp_path / "modes.npz")
    assert basis.removed == ("7 directions of rigid body motion or without mass of their own",)
    np.testing.assert_allclose(basis.frequencies, written.frequencies, rtol=1e-7)
    assert abs(plates.interior.rigid_modes.T @ (plates.matrices.mass @ basis.modes)).max() < 1e-7


def _changed(modes, row, column, value):
    modes = modes.copy()
    modes[row, column] = value
    return modes


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda m, d: {"modes": _changed(m, 3, 1, np.nan), "dofs": d},
            "1 of its modes are not finite, such as 2",
        ),
        (
            lambda m, d: {"modes": _changed(m, slice(None), 2, 0.0), "dofs": d},
            "are zero everywhere, such as 3",
        ),
        (lambda m, d: {"modes": m[1:], "dofs": d}, "rows, but their list of degrees of freedom"),
        (lambda m, d: {"modes": m}, "nothing says which nodes the"),
        (lambda m, d: {"shapes": m}, "no array called modes"),
        (lambda m, d: {"modes": m + 1j, "dofs": d}, "expected real numbers"),
        (lambda m, d: {"modes": m[:, :0], "dofs": d}, "holds no modes"),
        (
            lambda m, d: {"modes": m, "dofs": d + np.array([1000, 0])},
            "nodes that the deck does not have, such as 10",
        ),
        (lambda m, d: {"modes": np.eye(len(m)), "dofs": d}, "more than the body has elastic motions"),
        (lambda m, d: {"modes": m.reshape(-1, 3, 1), "dofs": d}, "three displacements of the deck's"),
    ],
)
def test_sentences(change, words, plates, labels, written, tmp_path):
    np.savez(tmp_path / "modes.npz", **change(written.modes, labels))
    with pytest.raises((ModelError, ReadError)) as error:
        _read(plates, tmp_path / "modes.npz")
    assert words in str(error.value) and "modes.npz" in str(error.value)


def test_other_wrong_files(plates, labels, written, tmp_path):
    with pytest.raises(ModelError, match="No file of modes is chosen"):
        ImportedModes().build(plates.interior, Silent())
    with pytest.raises(ReadError, match="is not there"):
        _read(plates, tmp_path / "none.npz")
    (tmp_path / "text.npy").write_text("1 2 3")
    with pytest.raises(ReadError, match="no file of NumPy arrays"):
        _read(plates, tmp_path / "text.npy")
    np.savez(tmp_path / "modes.npz", modes=written.modes, dofs=labels)
    with pytest.raises(ModelError, match="but 900 are requested"):
        _read(plates, tmp_path / "modes.npz", count=900)


@pytest.mark.parametrize("direction", [0, 2])  # the first of all degrees of freedom counts, too
def test_modes_that_contradict_a_coupling(plates, written, tmp_path, direction):
    nodal = (plates.matrices.dofs.displacement_rows @ written.modes).reshape(-1, 3, written.modes.shape[1])
    coupled = stacked_plates().couplings[0].nodes[0]
    nodal[coupled, direction, 4] += abs(nodal[:, :, 4]).max()
    np.save(tmp_path / "modes.npy", nodal)
    with pytest.raises(ModelError, match=rf"in mode 5 node {coupled + 1} moves otherwise"):
        _read(plates, tmp_path / "modes.npy")


def test_a_project_with_modes_from_a_file(tmp_path):
    """Relative names count from the study; the basis stands on the file's contents; statics work on it."""
    deck = write_plate_deck(tmp_path / "plates.inp")
    project, store = plates_project(deck), ArtifactStore(tmp_path / "store")
    own = PIPELINE.run(project, Target("components", "plates"), store)
    model = PIPELINE.run(project, Target("model", "plates"), store)
    dofs = dof_list_of_model(model, PIPELINE.run(project, Target("matrices", "plates"), store).dofs)
    file = tmp_path / "modes.npz"
    np.savez(file, modes=own.modes, dofs=np.stack([dofs.nodes, dofs.components], axis=1))
    changed = edits.set_value(("bodies", 0, "reduction"), {"kind": "imported_modes", "file": "modes.npz"})(
        project
    )
    study = tmp_path / "study.toml"
    write_study(changed, study, tmp_path)
    assert 'file = "modes.npz"' in study.read_text()
    opened = read_study(study)
    assert opened.bodies[0].reduction.file == str(file)
    imported = PIPELINE.run(opened, Target("components", "plates"), store)
    np.testing.assert_allclose(imported.frequencies, own.frequencies, rtol=1e-9)
    results = PIPELINE.run(opened, Target("analysis", "plates", "press"), store).open()
    assert results.complete
    results.close()
    # Under another name the same contents are the same basis; other contents are another one.
    components = Target("components", "plates")
    file.rename(tmp_path / "other.npz")
    renamed = edits.set_value(("bodies", 0, "reduction", "file"), str(tmp_path / "other.npz"))(opened)
    assert PIPELINE.state(renamed, components, store).status == "ready"
    assert PIPELINE.state(opened, components, store).status == "blocked"
    np.savez(file, modes=own.modes[:, :5], dofs=np.stack([dofs.nodes, dofs.components], axis=1))
    assert PIPELINE.state(opened, components, store).status == "stale"


def test_rotations_that_the_deck_does_not_have_are_passed_over(plates, labels, written, tmp_path):
    """Some programs write six components of every node."""
    solid = [(node, component) for node in (1, 5) for component in (4, 5, 6)]
    modes = np.vstack([written.modes, np.full((len(solid), written.modes.shape[1]), 30.0)])
    np.savez(tmp_path / "modes.npz", modes=modes, dofs=np.vstack([labels, solid]))
    basis = _read(plates, tmp_path / "modes.npz")
    np.testing.assert_allclose(basis.frequencies, written.frequencies, rtol=1e-9)


def test_of_results_of_calculix_the_vibrations_count(tmp_path, monkeypatch):
    """Not the static step that they are about."""
    nodes = np.array([1, 2])
    blocks = [
        SimpleNamespace(kind=kind, nodes=nodes, values=np.full((2, 3), value))
        for kind, value in ((0, 9.0), (2, 1.0), (2, 2.0))
    ]
    monkeypatch.setattr(_mode_files, "read_frd", lambda path, name: blocks)
    (tmp_path / "modes.frd").touch()
    modes, dofs = _mode_files.read_modes(tmp_path / "modes.frd", None, nodes)
    assert modes.tolist() == [[1.0, 2.0]] * 6 and dofs.components.tolist() == [1, 2, 3] * 2


def test_directions_are_judged_beside_the_largest(plates, written):
    """One that is a part of 1e-9 is none beside thirty times the same shape, and is one beside a single one."""
    shape, other = written.modes[:, 0], written.modes[:, 1]
    nearly = shape + 10.0**-4.5 * other * np.linalg.norm(shape) / np.linalg.norm(other)
    for copies, left in ((30, 1), (1, 2)):
        vectors = np.stack([*[shape] * copies, nearly], axis=1)
        assert orthogonalise(plates.interior, vectors)[0].shape[1] == left
