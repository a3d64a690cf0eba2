"""Contract of mesh checks: no findings for a good mesh, existing numbers, reproducible findings."""

from typing import Any, ClassVar

import numpy as np
import pytest

from faying.fem.model_checks import CheckedModel, ModelFinding, model_checks
from faying.project.stage import Target
from faying.testing.contracts.members import Contract
from faying.testing.plates import plates_session


class ModelCheckContract(Contract):
    """Tested on two stacked plates, with and without a joint between them."""

    family: ClassVar[Any] = model_checks

    @pytest.fixture
    def checked(self) -> CheckedModel:
        """The plates and their joint."""
        session = plates_session()
        model, skin = (session.compute(Target(stage, "plates")) for stage in ("model", "skin"))
        joint = session.project.bodies[0].joints[0]
        sides = joint.master.select(model, skin), joint.slave.select(model, skin)
        return CheckedModel(model, skin, {"lap": sides})

    def found(self, kind: str, checked: CheckedModel) -> list[ModelFinding]:
        """Return the findings of the check, held to sentences and to what the mesh has."""
        found = list(self.family[kind](checked))
        for finding in found:
            assert finding.severity in ("error", "warning", "note")
            assert finding.sentence.endswith(".")
            assert (finding.nodes >= 0).all() and (finding.nodes < len(checked.model.nodes)).all()
            assert (finding.elements >= 0).all()
            assert (finding.elements < sum(len(b.ids) for b in checked.model.blocks)).all()
        return found

    def test_a_good_mesh_gives_no_alarm(self, kind: str, checked: CheckedModel) -> None:
        assert not [f for f in self.found(kind, checked) if f.severity != "note"]

    def test_it_says_the_same_again_and_changes_nothing(self, kind: str, checked: CheckedModel) -> None:
        alone = CheckedModel(checked.model, checked.skin)
        nodes = checked.model.nodes.copy()
        first, second = self.found(kind, alone), self.found(kind, alone)
        assert [f.sentence for f in first] == [f.sentence for f in second]
        np.testing.assert_array_equal(checked.model.nodes, nodes)
