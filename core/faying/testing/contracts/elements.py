"""Contract of element kinds: only rigid motions are strain-free; mass; closed faces."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest
import scipy.linalg as la

from faying.fem import element_topology as topology
from faying.fem.couplings import cross_matrices
from faying.fem.elasticity import anisotropic_material, engineering_stiffness
from faying.fem.elements import ElementKind, element_kinds
from faying.fem.facets import facet_kind
from faying.fem.model import BeamSection, Material, Section, ShellSection
from faying.spatial.rotations import rotation_about, rotation_matrix
from faying.testing.contracts.members import Contract

STEEL = Material("STEEL", 210000.0, 0.3, 7.85e-9)
_WOOD = anisotropic_material(
    "WOOD", "orthotropic",
    engineering_stiffness((12e3, 900.0, 500.0), (0.4, 0.35, 0.3), (800.0, 700.0, 60.0)), 5e-10,
)  # fmt: skip
_AXES = rotation_matrix(rotation_about(np.array([0.3, 0.2, -0.5])))
_BEAM = BeamSection(12.0, 20.0, 7.0, 15.0, (0.0, 1.0, 0.0), 0.85)
_SHELL = ShellSection(0.2, 0.05)


def undistorted_nodes(kind: str) -> np.ndarray:
    """Return (n_nodes, 3) nodes of the reference element of its shape functions; for a beam a slightly curved one."""
    member: Any = element_kinds[kind]
    if kind == "pyramid13":
        # Its local coordinates are collapsed, its shape is not.
        return topology.midside_coordinates(topology.PYRAMID_CORNERS, topology.PYRAMID_EDGES)
    if member.is_shell:
        return np.column_stack([member.facet.node_coordinates, np.zeros(member.n_nodes)])
    if not member.rotations:
        return np.asarray(member.polynomials.nodes)
    straight = np.linspace([0.0, 0.0, 0.0], [4.0, 1.0, 2.0], member.n_nodes)
    return np.asarray(
        straight + (np.arange(member.n_nodes) == 1)[:, None] * (member.n_nodes == 3) * [0.1, 0.3, -0.2]
    )


def rigid_motions(member: type[ElementKind], nodes: np.ndarray) -> np.ndarray:
    """Return (d, 6) dofs of three translations and three rotations about the origin."""
    blocks = [np.hstack([np.eye(3), arm]) for arm in cross_matrices(nodes)]
    if member.rotations:
        blocks = [np.vstack([b, np.hstack([np.zeros((3, 3)), np.eye(3)])]) for b in blocks]
    return np.vstack(blocks)


class ElementContract(Contract):
    """Only rigid motions are strain-free; mass is positive and matches the volume; faces close the element.

    Attributes:
        nodes: by kind, (n_nodes, 3) nodes of an undistorted element, where `undistorted_nodes` does not know them.
        silent: by kind, number of zero-energy modes other than rigid motions, due to reduced integration.
    """

    family: ClassVar[Any] = element_kinds
    nodes: ClassVar[dict[str, Sequence[Sequence[float]]]] = {}
    silent: ClassVar[dict[str, int]] = {}

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Run each test for each kind that has stiffness and mass."""
        if "kind" in metafunc.fixturenames:
            real = tuple(kind for kind, member in self.family.items() if not member.is_outline)
            metafunc.parametrize("kind", self.kinds or real)

    @pytest.fixture
    def element(self, kind: str) -> type[ElementKind]:
        """The tested kind."""
        found: type[ElementKind] = self.family[kind]
        return found

    @pytest.fixture
    def undistorted(self, kind: str) -> np.ndarray:
        """(n_nodes, 3) of one element."""
        return np.asarray(self.nodes[kind], float) if kind in self.nodes else undistorted_nodes(kind)

    @pytest.fixture
    def distorted(self, undistorted: np.ndarray) -> np.ndarray:
        """(3, n_nodes, 3) of three elements."""
        return undistorted + np.random.default_rng(1).uniform(-0.08, 0.08, (3, *undistorted.shape))

    @pytest.fixture
    def section(self, element: type[ElementKind]) -> Section | None:
        """Section for beams and shells."""
        return _SHELL if element.is_shell else _BEAM if element.rotations else None

    def test_it_says_what_it_is(self, kind: str, element: type[ElementKind], undistorted: np.ndarray) -> None:
        """Labels that no other kind has, and as many nodes everywhere."""
        others = {label for name, other in self.family.items() if name != kind for label in other.labels}
        assert element.labels and not others & set(element.labels)
        assert undistorted.shape == (element.n_nodes, 3)
        assert sorted(element.vtk_order) == list(range(element.n_nodes))
        assert len(element.faces) == len(element.facets)

    def test_stiffness_is_symmetric_and_knows_just_the_rigid_motions(
        self, kind: str, element: type[ElementKind], distorted: np.ndarray, section: Section | None
    ) -> None:
        for nodes, K in zip(distorted, element.stiffness(distorted, STEEL, section), strict=True):
            assert np.abs(K - K.T).max() <= 1e-14 * np.abs(K).max()
            rigid = la.orth(rigid_motions(element, nodes))
            assert rigid.shape[1] == 6
            assert np.abs(K @ rigid).max() <= 1e-13 * np.abs(K).max()
            values = la.eigvalsh(K)
            assert (values > -1e-12 * values[-1]).all()
            assert (values > 1e-9 * values[-1]).sum() == len(K) - 6 - self.silent.get(kind, 0)

    def test_each_element_is_computed_by_itself_and_in_proportion(
        self, element: type[ElementKind], distorted: np.ndarray, section: Section | None
    ) -> None:
        """Several at once are as each alone; twice the modulus or density gives twice the matrix."""
        heavy = replace(STEEL, youngs_modulus=2.0 * STEEL.youngs_modulus, density=2.0 * STEEL.density)
        for make in (element.stiffness, element.mass):
            found = make(distorted, STEEL, section)
            size = np.abs(found).max()
            for k in range(len(distorted)):
                np.testing.assert_allclose(
                    make(distorted[k : k + 1], STEEL, section)[0], found[k], rtol=0, atol=1e-13 * size
                )
            np.testing.assert_allclose(
                make(distorted, heavy, section), 2.0 * found, rtol=0, atol=1e-13 * size
            )

    def test_a_turned_and_moved_element_is_as_stiff(
        self, element: type[ElementKind], distorted: np.ndarray, section: Section | None
    ) -> None:
        """K' = R K Rᵀ, of an orthotropic material whose axes turn with it too, and the mass stays."""
        turn = rotation_matrix(rotation_about(np.array([0.4, -0.3, 0.8])))
        turned_section = section
        if isinstance(section, BeamSection):
            x, y, z = turn @ np.array(section.direction)
            turned_section = replace(section, direction=(float(x), float(y), float(z)))
        moved = distorted @ turn.T + [3.0, -2.0, 5.0]
        dofs = element.n_nodes * (2 if element.rotations else 1)
        R = np.kron(np.eye(dofs), turn)
        both = ((distorted, section, np.eye(3)), (moved, turned_section, turn))
        for material in (STEEL, STEEL if isinstance(section, BeamSection) else _WOOD):
            K, turned = (
                element.stiffness(x, material, s, np.stack([_AXES @ back.T] * len(x))) for x, s, back in both
            )
            np.testing.assert_allclose(turned, R @ K @ R.T, rtol=0, atol=1e-11 * np.abs(K).max())
        M, carried = (element.mass(x, STEEL, s) for x, s in ((distorted, section), (moved, turned_section)))
        if element.rotations:
            M = R @ M @ R.T
        np.testing.assert_allclose(carried, M, rtol=0, atol=1e-11 * np.abs(M).max())

    def test_mass_is_positive_and_that_of_a_solids_volume(
        self, element: type[ElementKind], undistorted: np.ndarray, section: Section | None
    ) -> None:
        from scipy.spatial import ConvexHull

        M = element.mass(undistorted[None], STEEL, section)[0]
        assert np.abs(M - M.T).max() <= 1e-14 * np.abs(M).max()
        assert la.eigvalsh(M)[0] > 0.0
        if element.rotations:
            rigid = rigid_motions(element, undistorted)
            totals = np.diag(rigid.T @ M @ rigid)[:3]
            np.testing.assert_allclose(totals, totals[0], rtol=1e-12)
        else:
            volume = ConvexHull(undistorted).volume
            np.testing.assert_allclose(M.sum(), STEEL.density * volume, rtol=1e-12)

    def test_faces_point_outward_and_close_the_element(
        self, element: type[ElementKind], undistorted: np.ndarray, distorted: np.ndarray
    ) -> None:
        if element.rotations:
            pytest.skip("beams have no faces, shells two sides")
        for nodes in (undistorted, *distorted):
            centre, closed = nodes.mean(axis=0), np.zeros(3)
            for face, name in zip(element.faces, element.facets, strict=True):
                facet, points = facet_kind(name), nodes[list(face)]
                normal = facet.normals(points[None], *facet.centre)[0]
                assert normal @ (facet.shape(*facet.centre) @ points - centre) > 0.0
                a, b, c = (points[facet.triangles[:, i]] for i in range(3))
                closed += np.cross(b - a, c - a).sum(axis=0)
            # Faces share their edges, so the flat pieces of those with triangles close exactly.
            if "tri" in element.facets[0] or nodes is undistorted:
                np.testing.assert_allclose(closed, 0.0, atol=1e-14)

    def test_midside_nodes_of_faces_lie_on_their_edges(
        self, element: type[ElementKind], undistorted: np.ndarray
    ) -> None:
        for face, name in zip(element.faces, element.facets, strict=True):
            for edge in facet_kind(name).edges:
                if len(edge) == 3:
                    start, end, middle = undistorted[[face[i] for i in edge]]
                    np.testing.assert_allclose(middle, (start + end) / 2, rtol=0, atol=1e-15)
