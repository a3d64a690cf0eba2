"""Matrices of another program on a deck's mesh: what they lack, what they have too much, and what does not fit."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg as la
import scipy.sparse as sp

from faying.errors import ModelError, ReadError
from faying.fem.assembly import assemble
from faying.fem.bolt_cuts import with_cut_bolt
from faying.fem.elements import element_kinds
from faying.fem.imported import imported_matrices
from faying.fem.matrix_export import dof_list_of_model, write_matrices
from faying.fem.matrix_files import DofList, read_matrix
from faying.fem.matrix_files.scipy_sparse import write_matrix
from faying.fem.model import Coupling, ElementBlock, PointMass, ShellSection
from faying.fem.readers import read_model
from faying.project import edits
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.testing.plates import plates, write_plate_deck
from support.boxes import box
from support.matrix_writers import WRITERS, write_abaqus

DECKS = Path(__file__).parents[1] / "decks" / "imported"


def _all_coupled(kind="kinematic"):
    nodes = np.arange(9)
    return Coupling("END", kind, 45, nodes, (1, 2, 3, 4, 5, 6), np.ones(9))


def _beam(*couplings):
    extra = ((0.0, 0.5, 0.5),) if couplings else ()
    return box("hex8_incompatible", (4, 2, 2), (4.0, 1.0, 1.0), couplings=couplings, extra_nodes=extra)


def _frequencies(matrices, count=12):
    """Return squared circular frequencies, of a mass that may be singular and with constraints taken out."""
    stiffness, mass = matrices.stiffness.toarray(), matrices.mass.toarray()
    if matrices.constraints.shape[0]:
        free = la.null_space(matrices.constraints.toarray())
        stiffness, mass = free.T @ stiffness @ free, free.T @ mass @ free
    shift = 1e-6 * np.trace(stiffness) / np.trace(mass)
    inverse = la.eigh(mass, stiffness + shift * mass, eigvals_only=True)[::-1][:count]
    return 1.0 / inverse - shift


def _written(folder, dofs, stiffness, mass):
    """Write entries [(node, component)], K, M and return the paths."""
    labels = DofList(*np.array(dofs, np.int64).T.copy())
    paths = folder / "K.npz", folder / "M.npz"
    for path, matrix in zip(paths, (stiffness, mass), strict=True):
        write_matrix(path, sp.csr_matrix(matrix), labels)
    return paths


def _labels(model, matrices):
    dofs = dof_list_of_model(model, matrices.dofs)
    return list(zip(dofs.nodes.tolist(), dofs.components.tolist(), strict=True))


def test_nodes_that_the_other_program_eliminated_follow_the_decks_coupling(tmp_path):
    model = _beam(_all_coupled())
    ours = assemble(model)
    imported = imported_matrices(model, *write_matrices(tmp_path, model, ours)[:2])
    assert abs(imported.dofs.transformation - ours.dofs.transformation).max() == 0.0


def _zero_modes(stiffness, mass, constraints):
    free = la.null_space(constraints.toarray()) if constraints.shape[0] else np.eye(stiffness.shape[0])
    stiffness, mass = (free.T @ (matrix @ free) for matrix in (stiffness, mass))
    values = la.eigh(stiffness, mass + 1e-9 * np.trace(mass) * np.eye(len(mass)), eigvals_only=True)
    return int((values < 1e-7 * np.median(values)).sum())


def _cut_rod():
    """Return a rod that is cut by a bolt."""
    rod = _beam()
    centres = rod.nodes[rod.blocks[0].connectivity].mean(axis=1)
    elements = np.flatnonzero((centres[:, 0] > 1.0) & (centres[:, 0] < 2.0))
    face = next(
        at for at, nodes in enumerate(element_kinds["hex8"].faces)
        if np.allclose(rod.nodes[rod.blocks[0].connectivity[elements[0]][list(nodes)], 0], 2.0)
    )  # fmt: skip
    return with_cut_bolt(rod, "M8", elements, np.full(len(elements), face))


def test_a_cut_bolt_keeps_its_constraints_in_other_programs(tmp_path):
    """A rod cut by a bolt moves as a body in six ways, and its cut opens in one."""
    cut = _cut_rod()
    paths = write_matrices(tmp_path, cut, assemble(cut))
    stiffness, mass, constraints = (sp.load_npz(path) for path in paths)
    assert constraints.shape[1] == stiffness.shape[0] == len(np.load(paths[2])["dofs"])
    assert _zero_modes(stiffness, mass, constraints) == 7
    assert _zero_modes(stiffness, mass, constraints[:0]) > 7
    # Where the reference node only follows, nothing is demanded of the others.
    only_follows = _beam(_all_coupled("distributing"))
    written = write_matrices(tmp_path, only_follows, assemble(only_follows))
    assert sp.load_npz(written[2]).shape[0] == 0


@pytest.mark.parametrize("kind", ["distributing", "cut bolt"])
def test_exported_matrices_come_back_with_their_constraints(kind, tmp_path):
    """A body whose distributing coupling carries a mass, and a rod cut by a bolt: the same frequencies."""
    if kind == "distributing":
        mass = PointMass("MASS", 45, 2e-8, np.zeros((3, 3)), np.zeros(3))
        model = replace(_beam(_all_coupled("distributing")), point_masses=(mass,))
    else:
        model = _cut_rod()
    ours = assemble(model)
    paths = write_matrices(tmp_path, model, ours)
    assert sp.load_npz(paths[2]).shape[0] > 0
    imported = imported_matrices(model, *paths[:2])
    assert "constraints were read from constraints.npz" in imported.remarks[0]
    assert (
        la.null_space(imported.constraints.toarray()).shape == la.null_space(ours.constraints.toarray()).shape
    )
    np.testing.assert_allclose(_frequencies(imported)[7:], _frequencies(ours)[7:], rtol=1e-7)


def test_constraints_of_other_matrices_are_refused(tmp_path):
    model = _cut_rod()
    paths = write_matrices(tmp_path, model, assemble(model))
    write_matrix(paths[2], sp.csr_matrix([[1.0, -1.0]]), DofList(np.array([1, 99]), np.array([1, 1])))
    with pytest.raises(ModelError, match=r"constraints beside stiffness.npz have node 99, component 1"):
        imported_matrices(model, *paths[:2])
    paths[2].write_text("no archive")
    with pytest.raises(ReadError, match="no sparse matrix of SciPy"):
        imported_matrices(model, *paths[:2])


@pytest.mark.parametrize("kind", ["kinematic", "distributing"])
def test_a_coupling_that_the_other_program_did_not_know_is_applied(kind, tmp_path):
    free, coupled = _beam(), _beam(_all_coupled(kind))
    imported = imported_matrices(coupled, *write_matrices(tmp_path, free, assemble(free))[:2])
    assert imported.dofs.n_dofs == assemble(coupled).dofs.n_dofs
    np.testing.assert_allclose(_frequencies(imported)[6:], _frequencies(assemble(coupled))[6:], rtol=1e-8)


def test_lagrange_multipliers_become_constraints(tmp_path):
    """As Abaqus writes a distributing coupling: internal nodes of negative number, K indefinite."""
    model = _beam(_all_coupled("distributing"))
    ours = assemble(model)
    count = ours.constraints.shape[0]
    stiffness = sp.bmat([[ours.stiffness, 7e5 * ours.constraints.T], [7e5 * ours.constraints, None]])
    mass = sp.block_diag([ours.mass, sp.csr_matrix((count, count))])
    labels = _labels(model, ours) + [(-1, c + 1) for c in range(count)]
    imported = imported_matrices(model, *_written(tmp_path, labels, stiffness, mass))
    assert "Lagrange multipliers" in imported.remarks[0]
    assert imported.constraints.shape == ours.constraints.shape
    np.testing.assert_allclose(_frequencies(imported)[6:], _frequencies(ours)[6:], rtol=1e-8)


def _with_spring(matrix, first, second, value):
    """Return the matrix with a spring between two dofs."""
    size = matrix.shape[0]
    rows, columns = [first, second, first, second], [first, second, second, first]
    return matrix + sp.csr_matrix(([value, value, -value, -value], (rows, columns)), shape=(size, size))


def test_internal_dofs_without_mass_are_condensed(tmp_path):
    """A spring in series through an internal node of negative number is half as stiff."""
    model = _beam()
    ours = assemble(model)
    labels = _labels(model, ours)
    inner, first = len(labels), labels.index((1, 1))

    def series(second):
        larger = sp.block_diag([ours.stiffness, [[0.0]]], format="csr")
        return _with_spring(_with_spring(larger, first, inner, 8e4), second, inner, 8e4)

    mass = sp.block_diag([ours.mass, [[0.0]]])
    # On one line along x the spring is in balance; across it would resist a turn.
    along, across = labels.index((37, 1)), labels.index((45, 1))
    imported = imported_matrices(model, *_written(tmp_path, [*labels, (-1, 1)], series(along), mass))
    assert imported.dofs.n_dofs == len(labels) and "condensed exactly" in imported.remarks[0]
    wanted = _with_spring(ours.stiffness, first, along, 4e4)
    assert abs(imported.stiffness - wanted).max() < 1e-9 * abs(wanted).max()
    with pytest.raises(ModelError, match="resists a rigid body turn"):
        imported_matrices(model, *_written(tmp_path, [*labels, (-1, 1)], series(across), mass))


def test_held_components_get_their_stiffness_back(tmp_path):
    """Abaqus puts 1e36 on the diagonal and leaves the rest of the row; rotations of a reference node too."""
    model = _beam(_all_coupled())
    ours = assemble(model)
    labels = _labels(model, ours)
    held = [i for i, (node, _) in enumerate(labels) if node in (46, 20)]
    assert len(held) == 9
    stiffness = ours.stiffness.tolil()
    for i in held:
        stiffness[i, i] = 1e36
    imported = imported_matrices(model, *_written(tmp_path, labels, stiffness, ours.mass))
    assert "9 components are held" in imported.remarks[0]
    assert abs(imported.stiffness - ours.stiffness).max() < 1e-11 * abs(ours.stiffness).max()


@pytest.mark.parametrize("name", ["calculix_free", "calculix_rigid", "calculix_distributing"])
def test_matrices_that_calculix_wrote(name):
    """Two bricks with incompatible modes: nine internal dofs each, which have mass in CalculiX (version 2.20).

    Frequencies to which incompatible modes contribute nothing by their mass are those of our own elements; the others
    are lower. The rigid face's rotations are a further node that CalculiX made up; the reference node of a distributing
    coupling is not in its matrices at all.
    """
    model = read_model(DECKS / f"{name}.inp")
    imported = imported_matrices(model, DECKS / f"{name}.sti", DECKS / f"{name}.mas")
    ours = assemble(model)
    rotations = len(imported.dofs.rotation_nodes)
    assert rotations == (name != "calculix_free")
    assert imported.constraints.shape[0] == (6 if name == "calculix_distributing" else 0)
    frequencies = [np.sqrt(_frequencies(m, 20)[6:]) / (2 * np.pi) for m in (imported, ours)]
    assert (frequencies[0][:8] <= frequencies[1][:8] * (1 + 1e-9)).all()
    # Two modes, torsion and one more, that have no incompatible part at all: the digits of the file.
    for value in (884237.449, 1768474.898):
        assert all(np.abs(f / value - 1.0).min() < 1e-9 for f in frequencies)
    # Statics knows no mass: held at one end and pulled at the other, both give the same displacements.
    shapes = [_pulled(model, m) for m in (imported, ours)]
    np.testing.assert_allclose(shapes[0], shapes[1], atol=1e-9 * abs(shapes[1]).max())


def _pulled(model, matrices):
    """Return nodal displacements with nodes 9 and 11 held and 3 loaded in all directions."""
    transformation = matrices.dofs.transformation
    rows = np.array([3 * model.node_row(n) + c for n in (9, 11) for c in range(3)] + [3 * model.node_row(12)])
    held = transformation[rows].indices
    inner = np.setdiff1d(np.flatnonzero(matrices.stiffness.diagonal()), held)
    load = transformation[3 * model.node_row(3) + np.arange(3)].T @ np.ones(3)
    answer = np.zeros(matrices.dofs.n_dofs)
    answer[inner] = np.linalg.solve(matrices.stiffness[inner][:, inner].toarray(), load[inner])
    return matrices.dofs.displacement_rows @ answer


def test_a_file_typed_by_hand():
    """A truss with a bar of two springs in series through the node -1, and a held component."""
    with pytest.raises(ReadError, match="C3D4H"):
        read_model(DECKS / "tetrahedron.inp")
    model = read_model(DECKS / "tetrahedron.inp", outlines=True)
    imported = imported_matrices(model, DECKS / "tetrahedron_STIF1.mtx", DECKS / "tetrahedron_MASS1.mtx")
    assert [word for r in imported.remarks for word in ("held", "condensed") if word in r] == [
        "held",
        "condensed",
    ]
    assert imported.dofs.n_dofs == 12
    # The springs of 2 in series are one of 1, along x from node 1 to node 2; so is the held bar along y.
    stiffness = imported.dofs.displacement_rows @ imported.stiffness @ imported.dofs.displacement_rows.T
    np.testing.assert_allclose(stiffness[:3, :6].toarray()[:2], [[1, 0, 0, -1, 0, 0], [0, 1, 0, 0, 0, 0]])
    values = np.linalg.eigvalsh(imported.stiffness.toarray())
    assert abs(values[:6]).max() < 1e-12 and values[6] > 0.1
    shifts = np.tile(np.eye(3), (4, 1))
    np.testing.assert_allclose(shifts.T @ imported.mass @ shifts, 2.0 * np.eye(3), rtol=1e-12)


def _with_a_sheet(model):
    """A sheet of twenty times the bricks' mass, apart from them."""
    corners = np.array([[5.0, 0.0, 0.0], [25.0, 0.0, 0.0], [25.0, 20.0, 0.0], [5.0, 20.0, 0.0]])
    n = len(model.nodes)
    sheet = ElementBlock("shell4", "S4", np.array([1000]), n + np.arange(4)[None], "STEEL", ShellSection(0.2))
    return replace(
        model, node_ids=np.append(model.node_ids, 1000 + np.arange(4)), nodes=np.vstack([model.nodes, corners]),
        blocks=(*model.blocks, sheet),
    )  # fmt: skip


def _with_a_weight(model):
    """A point mass of ten thousand times the bricks', at a node of theirs."""
    return replace(model, point_masses=(PointMass("W", 0, 4e-4, np.zeros((3, 3)), np.zeros(3)),))


@pytest.mark.parametrize("heavier", [_with_a_sheet, _with_a_weight])
def test_sheets_and_point_masses_count(heavier, tmp_path):
    """The mass of the solids alone was expected, and sound matrices of such a body were refused."""
    model = heavier(_beam())
    ours = assemble(model)
    labels = _labels(model, ours)
    imported = imported_matrices(model, *_written(tmp_path, labels, ours.stiffness, ours.mass))
    assert imported.remarks == ()
    with pytest.raises(ModelError, match=r"imported mass is .* a factor of 1e\+03, which looks like g or mm"):
        imported_matrices(model, *_written(tmp_path, labels, ours.stiffness, 1e3 * ours.mass))


class TestWhatDoesNotFit:
    """Each sentence names the file or the node, and what to do."""

    @pytest.fixture
    def parts(self):
        model = _beam()
        ours = assemble(model)
        return model, _labels(model, ours), ours.stiffness.tolil(), ours.mass.tolil()

    def refused(self, folder, model, labels, stiffness, mass, words):
        with pytest.raises(ModelError, match=words) as error:
            imported_matrices(model, *_written(folder, labels, stiffness, mass))
        assert error.value.hint.endswith(".")

    def test_nodes_of_another_mesh(self, parts, tmp_path):
        model, labels, stiffness, mass = parts
        far = type(model)("", 10 * model.node_ids, model.nodes, ())
        self.refused(tmp_path, far, labels, stiffness, mass, "nodes that the mesh does not have: 1, 2, 3")
        larger = box("hex8", (12, 2, 2), (12.0, 1.0, 1.0))
        self.refused(
            tmp_path, larger, labels, stiffness, mass, r"62% of its nodes are not in them, such as 46, 47, 48"
        )

    def test_a_node_of_another_number(self, parts, tmp_path):
        model, labels, stiffness, mass = parts
        strange = [(node if node != 7 else 1000, c) for node, c in labels]
        imported = imported_matrices(model, *_written(tmp_path, strange, stiffness, mass))
        assert "1 of 45 nodes (2.22%) are not in the imported matrices" in imported.remarks[0]
        np.testing.assert_allclose(
            _frequencies(imported)[6:], _frequencies(assemble(model))[6:], rtol=1e-9
        )  # it still has its stiffness and mass

    def test_indefinite(self, parts, tmp_path):
        model, labels, stiffness, mass = parts
        stiffness[4, 4] = -1.0
        self.refused(tmp_path, model, labels, stiffness, mass, "indefinite: node 2, component 2 has -1")
        stiffness[4, 4] = 1.0
        self.refused(tmp_path, model, labels, stiffness, mass, "indefinite: node 1, .* but 4748 between them")

    def test_entries_that_got_lost(self, parts, tmp_path):
        model, labels, stiffness, mass = parts
        i, j = 0, int(stiffness[0].toarray()[0, 1:].argmax()) + 1
        stiffness[i, j] = stiffness[j, i] = 0.0
        self.refused(tmp_path, model, labels, stiffness, mass, "resists a rigid body shift of the mesh at 2 ")

    def test_held_with_the_row_gone(self, parts, tmp_path):
        model, labels, stiffness, mass = parts
        stiffness[3, :] = 0.0
        stiffness[:, 3] = 0.0
        stiffness[3, 3] = 1e36
        self.refused(
            tmp_path, model, labels, stiffness, mass, "held in K.npz, and their stiffness is lost.*node 2"
        )

    @pytest.mark.parametrize("component", [1, 4])
    def test_held_within_the_other_program(self, parts, component, tmp_path):
        """How a component moves that is none of a node of the mesh nobody knows, so its stiffness is lost."""
        model, labels, stiffness, mass = parts
        n = len(labels)
        wider = sp.lil_matrix((n + 1, n + 1))
        wider[:n, :n] = stiffness
        wider[3, n] = wider[n, 3] = -5.0
        wider[3, 3] += 5.0
        wider[n, n] = 1e36
        self.refused(
            tmp_path, model, [*labels, (-1, component)], wider, sp.block_diag([mass, [[0.0]]]),
            "1 components are held in K.npz, and their stiffness is lost.*node -1",
        )  # fmt: skip

    def test_held_and_left_out(self, parts, tmp_path):
        model, labels, stiffness, mass = parts
        keep = np.arange(9, len(labels))
        matrices = [m.tocsr()[keep][:, keep] for m in (stiffness, mass)]
        self.refused(tmp_path, model, labels[9:], *matrices, "resists a rigid body shift")

    def test_rows_of_other_nodes(self, parts, tmp_path):
        model, labels, stiffness, mass = parts
        self.refused(
            tmp_path, model, [*labels[3:], *labels[:3]], stiffness, mass, "lies elsewhere|other nodes"
        )

    def test_swapped(self, parts, tmp_path):
        model, labels, stiffness, mass = parts
        self.refused(tmp_path, model, labels, mass, stiffness, "resists|mass")

    @pytest.mark.parametrize(
        ("factors", "words"),
        [((1.0, 1e12), "mass is .* a factor of 1e\\+12, which looks like t/mm³ against kg/m³"),
         ((1e6, 1.0), "stiffness is 1e\\+06 times .* N/mm² against N/m²")],
    )  # fmt: skip
    def test_units(self, parts, factors, words, tmp_path):
        model, labels, stiffness, mass = parts
        self.refused(tmp_path, model, labels, factors[0] * stiffness, factors[1] * mass, words)

    def test_other_density_is_a_remark(self, parts, tmp_path):
        model, labels, stiffness, mass = parts
        imported = imported_matrices(model, *_written(tmp_path, labels, stiffness, 1.1 * mass))
        assert len(imported.remarks) == 1 and "(+10.0%)" in imported.remarks[0]

    def test_mass_where_nothing_holds(self, parts, tmp_path):
        model, labels, stiffness, mass = parts
        model = box("hex8", (4, 2, 2), (4.0, 1.0, 1.0), extra_nodes=((9.0, 0.0, 0.0),))
        more = [*labels, (46, 1)]
        matrices = sp.block_diag([stiffness, [[0.0]]]), sp.block_diag([mass, [[1.0]]])
        self.refused(tmp_path, model, more, *matrices, "mass but no stiffness, the first is node 46")

    def test_a_mass_of_more_nodes(self, parts, tmp_path):
        model, labels, stiffness, mass = parts
        paths = _written(tmp_path, labels, stiffness, mass)
        write_matrix(
            paths[0], stiffness.tocsr()[3:][:, 3:], DofList(*np.array(labels[3:], np.int64).T.copy())
        )
        with pytest.raises(
            ModelError, match=r"M.npz has 3 degrees of freedom that K.npz does not have.*node 1,"
        ):
            imported_matrices(model, *paths)

    def test_calculix_with_beams(self, tmp_path):
        (tmp_path / "a.sti").write_text("1 1 2.0\n2 2 2.0\n")
        (tmp_path / "a.dof").write_text("7.1\n7.1\n")
        with pytest.raises(ReadError, match="beams and shells"):
            read_matrix(tmp_path / "a.sti")


def test_element_types_without_a_formulation(tmp_path):
    """C3D8H has the shape of a brick; connectors have none and are left out; both need imported matrices."""
    deck = write_plate_deck(tmp_path / "plates.inp")
    known = read_model(deck)
    text = deck.read_text().replace("C3D8I", "C3D8H")
    last = int(known.element_ids[-1])
    connector = f"*ELEMENT, TYPE=CONN3D2, ELSET=LINKS\n{last + 1}, 1, 2\n*ELSET, ELSET=ALL\nLINKS, PLATE1\n"
    deck.write_text(text.replace("*SOLID SECTION", f"{connector}*SOLID SECTION", 1))
    with pytest.raises(ReadError, match="'C3D8H' are not known here"):
        read_model(deck)
    model = read_model(deck, outlines=True)
    assert [b.label for b in model.blocks] == ["C3D8H"] and len(model.element_ids) == len(known.element_ids)
    assert len(model.element_sets["ALL"]) == len(known.element_sets["PLATE1"])
    assert any(
        "CONN3D2" in text and "1 elements of a type that is not taken over" in text
        for _, text in model.unread
    )
    np.testing.assert_array_equal(model.surfaces["LOWER"].elements, known.surfaces["LOWER"].elements)
    with pytest.raises(ModelError, match="C3D8H have no formulation here"):
        assemble(model)


@pytest.mark.parametrize("kind", list(WRITERS))
def test_a_project_on_imported_matrices_gives_the_same_results(kind, tmp_path):
    """From files to contact: the same component frequencies and static contact solution as our own elements."""
    deck = write_plate_deck(tmp_path / "plates.inp")
    own, store = plates(deck), ArtifactStore(tmp_path / "store")
    model = read_model(deck)
    stiffness, mass = WRITERS[kind](tmp_path, model, assemble(model))
    # Our formulation must not be needed: the other program's element type is not known here.
    foreign = tmp_path / "foreign.inp"
    foreign.write_text(deck.read_text().replace("C3D8I", "C3D8H"))
    files = {"path": str(foreign), "stiffness_file": str(stiffness), "mass_file": str(mass)}
    imported = edits.set_values(("bodies", 0, "model"), files)(own)
    bodies = [PIPELINE.run(project, Target("body", "plates"), store) for project in (own, imported)]
    digits = (
        1e-4 if kind == "nastran" else 1e-9
    )  # ten digits of K: bending stores a 1e-5th of what they cancel from
    np.testing.assert_allclose(bodies[1].frequencies, bodies[0].frequencies, rtol=digits)
    ends = []
    for project in (own, imported):
        results = PIPELINE.run(project, Target("analysis", "plates", "press"), store).open()
        body = PIPELINE.value(project, Target("body", "plates"), store).clamped_to("hold")
        ends.append(body.displacements @ results.coordinates(results.n_frames - 1))
        results.close()
    np.testing.assert_allclose(ends[1], ends[0], atol=digits * abs(ends[0]).max())


def test_the_results_stand_on_the_files_contents(tmp_path):
    deck = write_plate_deck(tmp_path / "plates.inp")
    model = read_model(deck)
    ours = assemble(model)
    stiffness, mass = write_abaqus(tmp_path, model, ours)
    files = {"stiffness_file": stiffness.name, "mass_file": mass.name}
    project = edits.set_values(("bodies", 0, "model"), {"path": deck.name, **files})(plates(deck))
    store, body = ArtifactStore(tmp_path / "store"), Target("body", "plates")
    PIPELINE.run(project, body, store, tmp_path)
    assert PIPELINE.state(project, body, store, tmp_path).status == "ready"
    other = tmp_path / "moved"
    other.mkdir()
    for path in (deck, stiffness, mass):
        shutil.copy(path, other / path.name)
    assert PIPELINE.state(project, body, store, other).status == "ready"
    (other / mass.name).write_text(mass.read_text() + "** another line\n")
    assert PIPELINE.state(project, body, store, other).status == "stale"
    (other / mass.name).unlink()
    assert PIPELINE.state(project, body, store, other).status == "blocked"
