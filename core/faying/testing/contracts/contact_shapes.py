"""Contract of contact shapes: the announced number, finite, suited to a basis, and cancellable."""

from typing import Any, ClassVar

import numpy as np
import pytest

from faying.errors import Cancelled
from faying.progress import CancelFlag, Silent
from faying.project.stage import Target
from faying.reduction.contact_shapes import ContactShapes, SurfaceProblem, contact_shapes
from faying.reduction.extend import extend_basis
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.testing.contracts.members import MemberContract
from faying.testing.plates import plates_session


class ContactShapesContract(MemberContract):
    """Tested on the upper of two plates."""

    family: ClassVar[Any] = contact_shapes

    @pytest.fixture
    def problem(self) -> SurfaceProblem:
        """The plates, and one surface of them."""
        session = plates_session()
        interior: InteriorProblem = session.compute(Target("interior", "plates"))
        model, skin = (session.compute(Target(stage, "plates")) for stage in ("model", "skin"))
        surface = session.project.bodies[0].joints[0].slave.select(model, skin)
        return SurfaceProblem(interior, surface)

    def test_as_many_as_announced_and_fit_for_a_basis(
        self, member: ContactShapes, problem: SurfaceProblem
    ) -> None:
        shapes = member.build(problem, Silent())
        assert shapes.shape[0] == problem.interior.n_dofs
        assert shapes.shape[1] <= member.shape_count(len(problem.places))
        assert np.isfinite(shapes).all()
        nothing = np.zeros((problem.interior.n_dofs, 0))
        components = CraigBampton(vibration_modes=2).build(problem.interior, Silent())
        basis = extend_basis(
            problem.interior, components, nothing, np.zeros(0), more=[("contact shapes", shapes)]
        )
        added = basis.modes[:, components.modes.shape[1] :]
        energies = added.T @ (problem.interior.matrices.stiffness @ added)
        np.testing.assert_allclose(energies, np.eye(added.shape[1]), atol=1e-8)

    def test_what_is_asked_to_stop_stops(self, member: ContactShapes, problem: SurfaceProblem) -> None:
        flag = CancelFlag()
        flag.cancel()
        if member.shape_count(len(problem.places)):
            with pytest.raises(Cancelled):
                member.build(problem, flag)
