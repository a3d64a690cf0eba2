"""Superelements: a bar cut in two, one half as K and M at the cut, is the uncut bar; what does not fit is a sentence.

Kind: unreduced model (the uncut bar), and contracts of the checks.
"""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import FayingError, ModelError, ReadError
from faying.fem.assembly import assemble, rigid_body_modes
from faying.fem.imported.superelements import SuperelementFiles, with_superelements
from faying.fem.load_vectors import read_load_vectors
from faying.fem.matrix_export import dof_list_of_model
from faying.fem.matrix_files import DofList
from faying.fem.matrix_files.scipy_sparse import write_matrix
from faying.fem.model import Coupling, ElementBlock, FeModel
from faying.fem.writers import write_model
from faying.project.stage import Target
from faying.reduction.body_file import read_body_file, write_body_file
from faying.reduction.body_loads import LoadedBody
from faying.reduction.body_loads.of_superelement import LoadOfSuperelement
from faying.session import read
from faying.session.bodies import reduced_body_file
from faying.solvers.clamped_body import ClampedBody
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


BETA = 3e-5  # s: material damping of the right half


@pytest.fixture
def damped(bar, everything, tmp_path):
    """The right half with its damping β K and two load vectors, of pressure on its end and of weight."""
    _, _, right = bar
    matrices, (dofs, cut) = assemble(right), _cut(right)
    nodes = dofs.nodes.copy()
    nodes[np.setdiff1d(np.arange(len(dofs)), cut)] += _FAR
    own = DofList(nodes, dofs.components)
    write_matrix(tmp_path / "C.npz", BETA * matrices.stiffness, own)
    loads = np.column_stack([_end_load(right, matrices), matrices.mass @ _shift(right, matrices)])
    np.savez(tmp_path / "P.npz", loads=loads, dofs=np.column_stack([own.nodes, own.components]))
    return replace(everything, damping=tmp_path / "C.npz", loads=tmp_path / "P.npz")


def _end_load(model, matrices):
    """Return (n_dofs,) forces of all directions on the right end."""
    forces = np.zeros((len(model.nodes), 3))
    end = model.nodes[:, 0] > 80.0 - 1e-9
    order = np.argsort(model.node_ids[end])  # the same ones whoever counts the nodes
    forces[np.flatnonzero(end)[order]] = np.random.default_rng(5).standard_normal((len(order), 3))
    return np.asarray(matrices.dofs.displacement_rows.T @ forces.ravel())


def _shift(model, matrices):
    return rigid_body_modes(model.nodes, matrices.dofs)[:, 2]


def _uncut(bar):
    """Return (model, K, M, C) of the bar of which the right half alone is damped, dense."""
    whole, _, right = bar
    matrices, half = assemble(whole), assemble(right)
    at = np.searchsorted(whole.node_ids, right.node_ids)
    assert np.array_equal(whole.node_ids[at], right.node_ids)
    rows = (3 * at[:, None] + np.arange(3)).ravel()
    C = np.zeros(matrices.stiffness.shape)
    C[np.ix_(rows, rows)] = BETA * half.stiffness.toarray()
    return whole, matrices, matrices.stiffness.toarray(), matrices.mass.toarray(), C


def test_frequency_response_of_a_damped_bar_cut_in_two_is_that_of_the_uncut_bar(bar, damped):
    """Unreduced reference: the dynamic stiffness of the bar whose right half is damped, held by nothing."""
    _, left, _ = bar
    whole, matrices, K, M, C = _uncut(bar)
    joined = with_superelements(left, assemble(left), [damped])
    rigid = rigid_body_modes(left.nodes, joined.dofs)
    assert abs(joined.damping @ rigid).max() < 1e-9 * abs(joined.damping).max() * abs(left.nodes).max()
    load = _end_load(whole, matrices)
    known = np.isin(whole.node_ids, left.node_ids)
    lowest = _frequencies(assemble(whole))[0] / (2.0 * np.pi)
    for frequency in (0.3 * lowest, lowest, 2.7 * lowest):
        s = 2.0j * np.pi * frequency
        wanted = la.solve(s * s * M + s * C + K, load)[: 3 * len(whole.nodes)].reshape(-1, 3)[known]
        own = (s * s * joined.mass + s * joined.damping + joined.stiffness).toarray()
        found = la.solve(own, joined.load_vectors["rest"][:, 0])[: 3 * len(left.nodes)].reshape(-1, 3)
        np.testing.assert_allclose(found, wanted, atol=1e-8 * abs(wanted).max())
    undamped = la.solve((s * s * joined.mass + joined.stiffness).toarray(), joined.load_vectors["rest"][:, 0])
    missed = undamped[: 3 * len(left.nodes)].reshape(-1, 3) - wanted
    assert abs(missed).max() > 1e-3 * abs(wanted).max()  # the damping counts


def test_load_vectors_are_consistent_loads_on_the_removed_half(bar, damped):
    whole, left, _ = bar
    joined, matrices = with_superelements(left, assemble(left), [damped]), assemble(whole)
    on = LoadedBody(left, None, joined)
    forces = LoadOfSuperelement(name="end", superelement="rest", size=2.0).forces(on)
    resultant = rigid_body_modes(left.nodes, joined.dofs, np.zeros(3)).T @ forces
    wanted = rigid_body_modes(whole.nodes, matrices.dofs, np.zeros(3)).T @ _end_load(whole, matrices)
    np.testing.assert_allclose(resultant, 2.0 * wanted, rtol=1e-8, atol=1e-9 * abs(wanted).max())
    # Weight of the whole bar: of the meshed half by its mass, of the other by the second vector.
    own = sp.block_diag([assemble(left).mass, sp.csr_matrix((joined.dofs.n_dofs - 3 * len(left.nodes),) * 2)])
    weight = own @ _shift(left, joined) + LoadOfSuperelement(
        name="weight", superelement="rest", column=2
    ).forces(on)
    for model, of, load in (
        (left, joined, weight),
        (whole, matrices, matrices.mass @ _shift(whole, matrices)),
    ):
        held = (3 * np.flatnonzero(model.nodes[:, 0] < 1e-9)[:, None] + np.arange(3)).ravel()
        free = np.setdiff1d(np.arange(len(load)), held)
        x = np.zeros(len(load))
        x[free] = la.solve(of.stiffness[free][:, free].toarray(), load[free], assume_a="pos")
        shown = x[: 3 * len(model.nodes)].reshape(-1, 3)
        if model is left:
            found = shown
    np.testing.assert_allclose(
        found, shown[np.isin(whole.node_ids, left.node_ids)], atol=1e-8 * abs(shown).max()
    )
    for words, sentence in (
        ({"superelement": "other"}, "no superelement 'other' with load vectors"),
        ({"superelement": "rest", "column": 3}, "has 2 load vectors, number 3 is wanted"),
    ):
        with pytest.raises(ModelError, match=sentence):
            LoadOfSuperelement(name="no", **words).forces(on)


def test_punched_damping_and_loads_are_the_same_ones(bar, damped, tmp_path):
    """B2GG and P2G of a Nastran deck, and a text of forces; digits of the format."""
    _, left, _ = bar
    with np.load(damped.loads) as archive:
        loads, dofs = archive["loads"], archive["dofs"]
    C = sp.load_npz(damped.damping).tocsc()
    lines = [f"{'DMIG':<8}{'B2GG':<8}{0:>8}{6:>8}{2:>8}{0:>8}"]

    def column(name, node, component, rows, values):
        lines.append(f"{'DMIG*':<8}{name:<16}{node:>16}{component:>16}{'':16}*")
        for row, value in zip(rows, values, strict=True):
            lines.append(f"{'*':<8}{dofs[row, 0]:>16}{dofs[row, 1]:>16}{value:>16.9E}")

    upper = sp.triu(C).tocsc()
    for j in range(upper.shape[1]):
        at = slice(upper.indptr[j], upper.indptr[j + 1])
        column("B2GG", *dofs[j], upper.indices[at], upper.data[at])
    lines.append(f"{'DMIG':<8}{'P2G':<8}{0:>8}{9:>8}{2:>8}{0:>8}{'':8}{2:>8}")
    for j in range(2):
        rows = np.flatnonzero(loads[:, j])
        column("P2G", j + 1, 0, rows, loads[rows, j])
    punched = tmp_path / "rest.pch"
    punched.write_text("\n".join(lines) + "\n")
    text = tmp_path / "forces.txt"
    text.write_text(
        "* node, component, forces\n" + "".join(f"{n}, {c}, {a!r}, {b!r}\n" for (n, c), (a, b) in zip(
            dofs.tolist(), loads.tolist(), strict=True)))  # fmt: skip
    wanted = with_superelements(left, assemble(left), [damped])
    for loaded in (punched, text):
        found = with_superelements(left, assemble(left), [replace(damped, damping=punched, loads=loaded)])
        assert abs(found.damping - wanted.damping).max() < 1e-7 * abs(wanted.damping).max()
        np.testing.assert_allclose(
            found.load_vectors["rest"], wanted.load_vectors["rest"],
            atol=1e-7 * abs(wanted.load_vectors["rest"]).max(),
        )  # fmt: skip


def test_damping_to_the_ground_and_broken_loads_are_sentences(bar, damped, tmp_path):
    _, left, _ = bar
    with np.load(damped.damping) as archive:
        dofs = DofList(*archive["dofs"].T)
    grounded = tmp_path / "grounded.npz"
    write_matrix(grounded, sp.identity(len(dofs), format="csr"), dofs)
    cases = {
        "damping takes energy from rigid body motions": replace(damped, damping=grounded),
        "expected a node, a component and a force": replace(damped, loads=tmp_path / "words.txt"),
        "an array `loads` or `dofs` is missing": replace(damped, loads=grounded.with_name("C.npz")),
        "there are two lines for node 3, component 1": replace(damped, loads=tmp_path / "twice.txt"),
        "the file is not there": replace(damped, loads=tmp_path / "none.txt"),
        "there is no DMIG matrix with entries": replace(damped, loads=tmp_path / "empty.pch"),
        "degrees of freedom that rest_K.npz does not have": replace(damped, loads=tmp_path / "foreign.txt"),
    }
    (tmp_path / "words.txt").write_text("3 1 1.0\n3 up 1.0\n")
    (tmp_path / "twice.txt").write_text("3 1 1.0\n3 1 2.0\n")
    column = f"{'DMIG*':<8}{'P2G':<16}{1:>16}{0:>16}"  # without entries
    (tmp_path / "empty.pch").write_text(f"{'DMIG':<8}{'P2G':<8}{0:>8}{9:>8}{2:>8}\n{column}\n")
    (tmp_path / "foreign.txt").write_text("777777 1 1.0\n")
    for sentence, files in cases.items():
        with pytest.raises(FayingError, match=sentence):
            with_superelements(left, assemble(left), [files])


def test_a_study_with_a_damped_superelement_answers_as_the_uncut_bar(bar, damped, tmp_path):
    """From files to curves: a harmonic load vector, against the dense inverse of the uncut bar, held at its left face;
    and the reduced damping is the projection."""
    whole, left, _ = bar
    face = np.flatnonzero(left.nodes[:, 0] < 1e-9)
    holder = Coupling("HOLD", "kinematic", len(left.nodes), face, (1, 2, 3, 4, 5, 6), np.ones(len(face)))
    number, hold = int(left.node_ids[np.argmax(left.nodes @ [1.0, 0.1, 0.01])]), 5_000
    held_model = replace(
        left, nodes=np.vstack([left.nodes, left.nodes[face].mean(axis=0)]),
        node_ids=np.append(left.node_ids, hold), couplings=(holder,),
    )  # fmt: skip
    write_model(held_model, tmp_path / "left.inp")
    files = {"stiffness_file": damped.stiffness, "mass_file": damped.mass, "damping_file": damped.damping,
             "load_file": damped.loads}  # fmt: skip
    inline = ", ".join(f'{key} = "{path.name}"' for key, path in files.items())
    (tmp_path / "left.toml").write_text(f"""
name = "left"
units = "mm-t-s"
[[bodies]]
name = "bar"
model = {{ path = "left.inp", superelements = [{{ name = "rest", {inline} }}] }}
interfaces = [{{ name = "hold", node = {hold} }}]
loads = [{{ kind = "of_superelement", name = "end", superelement = "rest" }}]
reduction = {{ kind = "craig_bampton", vibration_modes = 40 }}
[[analyses]]
kind = "frequency_response"
name = "shaken"
body = "bar"
support = "hold"
body_loads = [{{ load = "end" }}]
more_points = [{{ name = "cut", number = {number} }}]
lowest_frequency = "200 Hz"
highest_frequency = "9 kHz"
points = 9
""")
    with read(tmp_path / "left.toml") as session:
        reduced, matrices, basis = (
            session.compute(Target(stage, "bar")) for stage in ("body", "matrices", "basis")
        )
        written = reduced_body_file(session.project, session.project.bodies[0], session.compute)
        with closing(session.compute(Target("analysis", "bar", "shaken")).open()) as results:
            at = np.array(results.values)
            found = {
                prefix: results.curve(f"{prefix}cut uy") * np.exp(1j * results.curve(f"{prefix}cut uy phase"))
                for prefix in ("", "full ")
            }
    np.testing.assert_allclose(
        reduced.damping,
        basis.modes.T @ (matrices.damping @ basis.modes),
        atol=1e-9 * abs(reduced.damping).max(),
    )
    _, of_whole, K, M, C = _uncut(bar)
    load = _end_load(whole, of_whole)
    free = np.flatnonzero(np.repeat(whole.nodes[:, 0] > 1e-9, 3))
    row = 3 * int(np.flatnonzero(whole.node_ids == number)[0]) + 1
    exact = np.zeros((len(at), len(K)), complex)
    for i, frequency in enumerate(at):
        s = 2.0j * np.pi * frequency
        exact[i, free] = la.solve((s * s * M + s * C + K)[np.ix_(free, free)], load[free])
    wanted = exact[:, row]
    for prefix, close in (("full ", 1e-3), ("", 0.05)):
        assert np.abs(found[prefix] - wanted).max() < close * np.abs(wanted).max(), prefix
    undamped = la.solve((-((2.0 * np.pi * at[-1]) ** 2) * M + K)[np.ix_(free, free)], load[free])
    assert abs(undamped[np.flatnonzero(free == row)] - wanted[-1]) > 0.02 * abs(wanted[-1])
    # In motion it takes energy; a body written as a file keeps it.
    write_body_file(tmp_path / "bar.npz", written)
    again = read_body_file(tmp_path / "bar.npz")
    np.testing.assert_allclose(again.reduced.damping, reduced.damping, rtol=1e-12)
    np.testing.assert_allclose(again.damping, reduced.damping, rtol=1e-12)
    held = ClampedBody(reduced.clamped_to("hold"), (), lambda time: np.zeros(reduced.n_coordinates))
    rates = np.random.default_rng(2).standard_normal(reduced.n_coordinates)
    assert (
        held.dissipation(rates) == pytest.approx(rates @ reduced.damping @ rates)
        and held.dissipation(rates) > 0.0
    )


@pytest.mark.parametrize(
    ("dofs", "words"),
    [
        (np.array(3), "no row of real numbers for each row of `dofs`"),
        (np.array([3, 4]), "expected n rows of node number and component"),
    ],
)
def test_an_archive_of_loads_says_in_rows_where_they_act(tmp_path, dofs, words):
    np.savez(tmp_path / "P.npz", loads=np.ones((2, 1)), dofs=dofs)
    with pytest.raises(ReadError, match=words):
        read_load_vectors(tmp_path / "P.npz")
