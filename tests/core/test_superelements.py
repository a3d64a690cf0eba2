"""Superelements: a bar cut in two, one half as K and M at the cut, is the uncut bar; what does not fit is a sentence.

Kind: unreduced model (the uncut bar), and contracts of the checks.
"""

from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import ModelError
from faying.fem.assembly import assemble, rigid_body_modes
from faying.fem.imported.superelements import SuperelementFiles, with_superelements
from faying.fem.matrix_export import dof_list_of_model
from faying.fem.matrix_files import DofList
from faying.fem.matrix_files.scipy_sparse import write_matrix
from faying.fem.model import ElementBlock, FeModel
from support.boxes import box
from support.matrix_writers import WRITERS

_FAR = 100_000  # added to the numbers of nodes that the deck does not have


def _part(model: FeModel, keep: np.ndarray) -> FeModel:
    """Return some elements of a box, with the nodes that they have."""
    (block,) = model.blocks
    used = np.unique(block.connectivity[keep])
    new = np.full(len(model.nodes), -1)
    new[used] = np.arange(len(used))
    own = ElementBlock(
        block.element, block.label, block.ids[keep], new[block.connectivity[keep]], block.material
    )
    return FeModel("part", model.node_ids[used], model.nodes[used], (own,), materials=model.materials)


@pytest.fixture(scope="module")
def bar():
    """(whole, left half, right half) of a bar of bricks."""
    whole = box("hex8_incompatible", (8, 2, 2), (80.0, 10.0, 12.0))
    middle = whole.nodes[whole.blocks[0].connectivity].mean(axis=1)[:, 0]
    return whole, _part(whole, middle < 40.0), _part(whole, middle > 40.0)


def _condensed(matrices, kept):
    """Return dense (K, M) by Guyan over the kept dofs."""
    K, M = matrices.stiffness.toarray(), matrices.mass.toarray()
    rest = np.setdiff1d(np.arange(len(K)), kept)
    follow = -la.solve(K[np.ix_(rest, rest)], K[np.ix_(rest, kept)], assume_a="sym")
    lift = np.zeros((len(K), len(kept)))
    lift[kept, np.arange(len(kept))], lift[rest] = 1.0, follow
    return [0.5 * (a + a.T) for a in (lift.T @ K @ lift, lift.T @ M @ lift)]


def _cut(model):
    """Return (dof list, positions of the dofs on the cut) of a half."""
    dofs = dof_list_of_model(model, assemble(model).dofs)
    on_cut = model.node_ids[np.abs(model.nodes[:, 0] - 40.0) < 1e-9]
    return dofs, np.flatnonzero(np.isin(dofs.nodes, on_cut))


def _files(folder, stiffness, mass, dofs, name="rest"):
    paths = folder / f"{name}_K.npz", folder / f"{name}_M.npz"
    for path, matrix in zip(paths, (stiffness, mass), strict=True):
        write_matrix(path, sp.csr_matrix(matrix), dofs)
    return SuperelementFiles(name, *paths)


@pytest.fixture
def boundary(bar, tmp_path):
    """The right half at the nodes of the cut alone."""
    _, _, right = bar
    dofs, cut = _cut(right)
    K, M = _condensed(assemble(right), cut)
    return _files(tmp_path, K, M, DofList(dofs.nodes[cut], dofs.components[cut]))


@pytest.fixture
def everything(bar, tmp_path):
    """The right half with all nodes, those beyond the cut under numbers that the deck does not have: sparse."""
    _, _, right = bar
    matrices, (dofs, cut) = assemble(right), _cut(right)
    beyond = np.setdiff1d(np.arange(len(dofs)), cut)
    nodes = dofs.nodes.copy()
    nodes[beyond] += _FAR
    return _files(tmp_path, matrices.stiffness, matrices.mass, DofList(nodes, dofs.components))


def _statics(model, matrices):
    """Return displacements (n, 3) of a half or of the bar, clamped at its left end, under forces on the cut."""
    rows = lambda at: (3 * np.flatnonzero(at)[:, None] + np.arange(3)).ravel()  # noqa: E731
    held, cut = rows(model.nodes[:, 0] < 1e-9), rows(np.abs(model.nodes[:, 0] - 40.0) < 1e-9)
    load = np.zeros(matrices.dofs.n_dofs)
    load[cut] = np.random.default_rng(3).standard_normal(len(cut))
    free = np.setdiff1d(np.arange(len(load)), held)
    x = np.zeros_like(load)
    x[free] = la.solve(matrices.stiffness[free][:, free].toarray(), load[free], assume_a="pos")
    return x[: 3 * len(model.nodes)].reshape(-1, 3)


def _frequencies(matrices):
    values = la.eigh(matrices.stiffness.toarray(), matrices.mass.toarray(), eigvals_only=True)
    return np.sqrt(values[6:26])


@pytest.mark.parametrize("kind", ["boundary", "everything"])
def test_statics_of_a_bar_cut_in_two_are_those_of_the_uncut_bar(bar, kind, request):
    whole, left, _ = bar
    joined = with_superelements(left, assemble(left), [request.getfixturevalue(kind)])
    found = _statics(left, joined)
    wanted = _statics(whole, assemble(whole))[np.isin(whole.node_ids, left.node_ids)]
    np.testing.assert_allclose(found, wanted, atol=1e-8 * abs(wanted).max())
    alone = _statics(left, assemble(left))
    assert abs(alone - wanted).max() > 1e-3 * abs(wanted).max()  # the rest counts


def test_frequencies_with_coordinates_of_its_own_are_those_of_the_uncut_bar(bar, everything):
    whole, left, _ = bar
    joined = with_superelements(left, assemble(left), [everything])
    np.testing.assert_allclose(_frequencies(joined), _frequencies(assemble(whole)), rtol=1e-8)
    rigid = rigid_body_modes(left.nodes, joined.dofs)
    assert abs(joined.stiffness @ rigid).max() < 1e-9 * abs(joined.stiffness).max() * abs(left.nodes).max()
    total = rigid[:, 0] @ (joined.mass @ rigid[:, 0])
    assert total == pytest.approx(
        80.0 * 10.0 * 12.0 * left.materials[left.blocks[0].material].density, rel=1e-9
    )
    assert abs(joined.stiffness - joined.stiffness.T).max() == 0.0


@pytest.mark.parametrize("kind", list(WRITERS))
def test_every_format_brings_the_same_superelement(bar, kind, boundary, tmp_path):
    """Matrices of the whole right half, with its numbers beyond the cut above those of the deck."""
    _, left, right = bar
    far = np.where(np.abs(right.nodes[:, 0] - 40.0) < 1e-9, 0, _FAR)
    renumbered = replace(right, node_ids=right.node_ids + far)
    folder = tmp_path / kind
    folder.mkdir()
    files = SuperelementFiles("rest", *WRITERS[kind](folder, renumbered, assemble(renumbered)))
    found = _statics(left, with_superelements(left, assemble(left), [files]))
    wanted = _statics(left, with_superelements(left, assemble(left), [boundary]))
    np.testing.assert_allclose(found, wanted, atol=(1e-5 if kind == "nastran" else 1e-9) * abs(wanted).max())


def test_two_superelements_meet_at_their_cut(bar, tmp_path):
    """The middle of the bar meshed, both ends as superelements; and no mass file: stiffness alone."""
    whole, _, _ = bar
    middle = whole.nodes[whole.blocks[0].connectivity].mean(axis=1)[:, 0]
    inner, far = _part(whole, (middle > 20.0) & (middle < 60.0)), _part(whole, middle > 60.0)
    files = []
    for name, part, place in (("near", _part(whole, middle < 20.0), 20.0), ("far", far, 60.0)):
        matrices = assemble(part)
        dofs = dof_list_of_model(part, matrices.dofs)
        nodes = dofs.nodes.copy()
        outside = ~np.isin(nodes, part.node_ids[np.abs(part.nodes[:, 0] - place) < 1e-9])
        nodes[outside] += _FAR
        files.append(
            _files(tmp_path, matrices.stiffness, matrices.mass, DofList(nodes, dofs.components), name)
        )
    joined = with_superelements(inner, assemble(inner), files)
    np.testing.assert_allclose(_frequencies(joined), _frequencies(assemble(whole)), rtol=1e-8)
    light = with_superelements(inner, assemble(inner), [replace(each, mass=None) for each in files])
    rigid = rigid_body_modes(inner.nodes, light.dofs)[:, :1]
    own = assemble(inner).mass
    assert (rigid.T @ light.mass @ rigid).item() == pytest.approx(float(own.sum()) / 3.0, rel=1e-9)


def _changed(files, change):
    """Return the files with K and M (dense) and dofs (n, 2) changed by a function."""
    with np.load(files.stiffness) as archive:
        dofs = archive["dofs"].copy()
    matrices = [sp.load_npz(path).toarray() for path in (files.stiffness, files.mass)]
    stiffness, mass, dofs = change(*matrices, dofs)
    return _files(files.stiffness.parent, stiffness, mass, DofList(dofs[:, 0], dofs[:, 1]), "rest")


def _turned(K, M, dofs):
    local = np.kron(np.eye(len(K) // 3), [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    return local.T @ K @ local, local.T @ M @ local, dofs


def _held(K, M, dofs):
    return K + np.diag(np.full(len(K), 1e-2 * K[0, 0])), M, dofs


def _negative(K, M, dofs):
    values, vectors = la.eigh(K)
    values[7] *= -1.0
    return (vectors * values) @ vectors.T, M, dofs


def _with_rotation(K, M, dofs):
    grown = [la.block_diag(a, [[a[0, 0]]]) for a in (K, M)]
    return *grown, np.vstack([dofs, [dofs[0, 0], 4]])


def _one_direction(K, M, dofs):
    return K, M * np.where(dofs[:, 1] == 2, 1.5, 1.0)[:, None] * np.where(dofs[:, 1] == 2, 1.5, 1.0), dofs


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_turned, "a rigid body turn costs energy.*local coordinates"),
        (_held, "a rigid body shift costs energy.*it is held"),
        (_negative, "its stiffness is not positive"),
        (_with_rotation, "rotations at nodes that have none in the mesh"),
        (_one_direction, "its mass is .* along x, y and z, expected a positive one"),
    ],
)
def test_what_is_no_superelement_of_the_mesh_is_a_sentence(bar, boundary, change, words):
    _, left, _ = bar
    with pytest.raises(ModelError, match=words) as caught:
        with_superelements(left, assemble(left), [_changed(boundary, change)])
    assert str(caught.value).startswith("Superelement 'rest': ")


def test_nodes_that_are_not_there_twice_there_or_meshed_are_a_sentence(bar, boundary, everything, tmp_path):
    whole, left, _ = bar
    matrices = assemble(left)
    with pytest.raises(ModelError, match="'again': it is at the same nodes as the superelement 'rest'"):
        with_superelements(left, matrices, [boundary, replace(boundary, name="again")])
    with pytest.raises(ModelError, match=r"all nodes of .* elements of the mesh .* is meshed as well"):
        inner = WRITERS["scipy"](tmp_path, left, matrices)
        with_superelements(left, matrices, [SuperelementFiles("left", *inner)])
    with pytest.raises(ModelError, match="nodes that the mesh does not have"):
        few = _part(whole, whole.nodes[whole.blocks[0].connectivity].mean(axis=1)[:, 0] < 20.0)
        few = replace(few, node_ids=np.append(few.node_ids[:-1], 999_999))
        with_superelements(few, assemble(few), [boundary])


def test_mass_and_units_are_remarked(bar, boundary):
    _, left, _ = bar
    matrices = assemble(left)
    assert with_superelements(left, matrices, [boundary]).remarks == ()
    heavy = with_superelements(left, matrices, [replace(boundary, expected_mass=1.0)])
    assert len(heavy.remarks) == 1 and "expected were 1" in heavy.remarks[0]
    metres = _changed(boundary, lambda K, M, dofs: (K * 1e3, M * 1e3, dofs))
    (remark,) = with_superelements(left, matrices, [metres]).remarks
    assert "times as stiff as the mesh" in remark and "same units" in remark
