"""Contract of body loads: forces of the right length, proportional to the load, and errors for bad names."""

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.model import DeckLoad
from faying.project.stage import Target
from faying.reduction.body_loads import BodyLoad, LoadedBody, body_loads
from faying.testing.contracts.members import MemberContract
from faying.testing.plates import plates_session

UPPER = {"kind": "deck_surface", "name": "UPPER"}


class BodyLoadContract(MemberContract):
    """Tested on two plates; `samples` give a size, and a target if its defaults have none."""

    family: ClassVar[Any] = body_loads
    common: ClassVar[dict[str, Any]] = {"name": "load", "surface": UPPER}

    @pytest.fixture
    def body(self) -> LoadedBody:
        """The plates."""
        session = plates_session()
        model, skin, matrices = (
            session.compute(Target(stage, "plates")) for stage in ("model", "skin", "matrices")
        )
        forces = np.array([[1.0, 0.0, -2.0, 0.0, 0.0, 0.0]])
        of_deck = DeckLoad(
            "LOAD 5", np.zeros(1, np.int64), forces, (("UPPER", 3.0),), np.zeros(3), np.zeros(0)
        )
        return LoadedBody(replace(model, deck_loads={of_deck.name: of_deck}), skin, matrices)

    def test_forces_are_of_the_body(self, member: BodyLoad, body: LoadedBody) -> None:
        forces = member.forces(body)
        assert forces.shape == (body.matrices.dofs.n_dofs,)
        assert np.isfinite(forces).all()
        assert np.abs(forces).max() > 0.0, "words give it a size"
        np.testing.assert_array_equal(member.forces(body), forces)

    def test_why_it_cannot_act_in_motion_has_no_full_stop(self) -> None:
        """Those who tell it end the sentence; also of members without a sample here."""
        for kind in self.family:
            assert not self.family[kind].not_in_motion.endswith("."), kind

    def test_it_is_drawn_at_nodes_of_the_body(self, member: BodyLoad, body: LoadedBody) -> None:
        for arrow in member.arrows(body.model, body.skin):
            assert 0 <= arrow.node < len(body.model.nodes)
            assert np.linalg.norm(arrow.vector) > 0.0

    def test_what_is_not_there_is_said(self, member: BodyLoad, body: LoadedBody) -> None:
        for name, value in (
            ("surface", {"kind": "deck_surface", "name": "NOWHERE"}),
            ("node_set", "NOWHERE"),
            ("load", "NOWHERE"),
        ):
            if name not in type(member).model_fields:
                continue
            lost = self.changed(member, {name: value})
            with pytest.raises(ModelError, match="NOWHERE"):
                lost.forces(body)
