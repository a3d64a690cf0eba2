"""Contract of loads of preload cases: proportional forces, and closings of existing joints."""

from typing import Any, ClassVar

import numpy as np
import pytest

from faying.errors import ModelError
from faying.project.stage import Target
from faying.reduction.preload_loads import PreloadedBody, PreloadLoad, preload_loads
from faying.testing.contracts.body_loads import UPPER
from faying.testing.contracts.members import MemberContract
from faying.testing.plates import plates_session


class PreloadLoadContract(MemberContract):
    """Tested on two plates; `samples` give a size.

    Attributes:
        sizes: by kind, the parameters in which the action is linear.
    """

    family: ClassVar[Any] = preload_loads
    common: ClassVar[dict[str, Any]] = {"surface": UPPER}
    sizes: ClassVar[dict[str, tuple[str, ...]]] = {}

    @pytest.fixture
    def body(self) -> PreloadedBody:
        """The plates with their joint and two interface nodes."""
        session = plates_session()
        model, skin, matrices = (
            session.compute(Target(stage, "plates")) for stage in ("model", "skin", "matrices")
        )
        nodes = {i.name: int(model.node_set(i.node_set)[0]) for i in session.project.bodies[0].interfaces}
        return PreloadedBody(model, skin, matrices.dofs, nodes, ("lap",))

    def test_the_action_is_on_the_body_and_linear(
        self, kind: str, member: PreloadLoad, body: PreloadedBody
    ) -> None:
        action = member.act(body)
        assert action.forces.shape == (body.dofs.n_dofs,)
        assert set(action.closings) <= set(body.joints)
        assert np.abs(action.forces).max() > 0.0 or any(action.closings.values()), "words give it a size"
        words = member.model_dump()
        twice = {
            name: tuple(2.0 * x for x in words[name]) if isinstance(words[name], tuple) else 2.0 * words[name]
            for name in self.sizes.get(kind, ())
        }
        if twice:
            doubled = self.changed(member, twice).act(body)
            np.testing.assert_allclose(doubled.forces, 2.0 * action.forces, rtol=1e-12)
            for joint, amount in action.closings.items():
                assert doubled.closings[joint] == pytest.approx(2.0 * amount)

    def test_what_is_not_there_is_said(self, member: PreloadLoad, body: PreloadedBody) -> None:
        lost = {
            "surface": {"kind": "deck_surface", "name": "NOWHERE"}, "joint": "NOWHERE", "bolt": "NOWHERE",
            "interface": "NOWHERE",
        }  # fmt: skip
        for name, value in lost.items():
            if name in type(member).model_fields:
                with pytest.raises(ModelError, match="NOWHERE"):
                    self.changed(member, {name: value}).act(body)
