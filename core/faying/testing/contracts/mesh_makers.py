"""Contract of mesh makers: a valid part with named items that a deck represents completely."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.fem.connectivity import connected_parts
from faying.fem.element_quality import element_quality, smallest_jacobians
from faying.fem.mass_properties import mass_properties
from faying.fem.mesh_makers import MeshMaker, mesh_makers
from faying.fem.readers import read_model
from faying.fem.skin import find_skin, surface_from_deck
from faying.fem.writers import write_model
from faying.testing.contracts.members import MemberContract

_GOOD = 0.3  # least quality of a generated mesh


class MeshMakerContract(MemberContract):
    """By its defaults, or the words of a test: no element inside out, surfaces on the outside, mass, and read back."""

    family: ClassVar[Any] = mesh_makers

    def test_it_says_what_it_makes(self, member: MeshMaker) -> None:
        assert member.advice.endswith(".")
        assert all(name and value for name, value in member.facts())

    def test_elements_are_good_and_hang_together(self, member: MeshMaker) -> None:
        """Its couplings hold together what elements do not, and no node is left over."""
        model = member.model()
        assert np.nanmin(smallest_jacobians(model)) > 0.0  # beams have none
        assert np.nanmin(element_quality(model)) > _GOOD
        part, count = connected_parts(model)
        assert count == 1 and (part == 0).all()

    def test_surfaces_lie_on_the_outside_and_there_is_a_node_to_hold_it_by(self, member: MeshMaker) -> None:
        model = member.model()
        skin = find_skin(model)
        assert model.surfaces and model.couplings
        for name, named in model.surfaces.items():
            assert len(named.elements) or len(named.nodes), name
            assert np.isin(surface_from_deck(model, name, skin).nodes, skin.surface.nodes).all(), name

    def test_its_mass_is_that_of_the_material(self, member: MeshMaker) -> None:
        """Twice as dense is twice as heavy, and the centre stays."""
        one = mass_properties(member.model())
        two = mass_properties(self.changed(member, {"density": 2.0 * member.density}).model())
        np.testing.assert_allclose(two.mass, 2.0 * one.mass, rtol=1e-12)
        np.testing.assert_allclose(two.centre, one.centre, atol=1e-9 * np.ptp(member.model().nodes))

    def test_a_deck_holds_it(self, member: MeshMaker, tmp_path: Path) -> None:
        own, path = member.model(), tmp_path / "made.inp"
        write_model(own, path)
        model, cuts = read_model(path), len(own.bolts)
        # A deck has a further node for the tension of each bolt; the reader cuts its beam again.
        assert len(model.bolts) == cuts and len(model.nodes) == len(own.nodes) + cuts
        np.testing.assert_allclose(model.nodes[: len(own.nodes)], own.nodes, atol=1e-9)
        for block, made in zip(model.blocks, own.blocks, strict=True):
            changed = (block.connectivity != made.connectivity).any(axis=1)
            assert changed.sum() == (cuts if made.element == "beam2" else 0)
        assert set(own.surfaces) <= set(model.surfaces) and model.couplings
