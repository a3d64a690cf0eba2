"""Contract of joint-mode methods, on the joint of two plates."""

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest
import scipy.linalg as la

from faying.errors import Cancelled
from faying.progress import CancelFlag, Silent
from faying.project.stage import Target
from faying.reduction.extend import extend_basis
from faying.reduction.joint_modes import JointModeMethod, joint_mode_methods
from faying.reduction.problem import JointModeProblem
from faying.testing.contracts.members import MemberContract
from faying.testing.plates import plates_session


class JointModeMethodContract(MemberContract):
    """The requested number of modes, zero at interface nodes, independent of component modes, the best first.

    Tests of the number of modes are skipped for methods without such a number.
    """

    family: ClassVar[Any] = joint_mode_methods

    @pytest.fixture
    def problem(self) -> JointModeProblem:
        """The two plates with their component modes and pairs."""
        return _posed()

    @pytest.fixture
    def counted(self, member: JointModeMethod) -> JointModeMethod:
        """The tested method, if it has a number of modes."""
        if not member.parameters_for(1):
            pytest.skip("it is asked for no number of modes")
        return member

    def test_number_is_respected(self, counted: JointModeMethod, problem: JointModeProblem) -> None:
        for count in (0, 1, 6):
            modes, _ = counted.with_count(count).build(problem, Silent())
            assert modes.shape == (problem.interior.n_dofs, count)

    def test_interface_nodes_stay_at_rest(self, member: JointModeMethod, problem: JointModeProblem) -> None:
        modes, _ = member.build(problem, Silent())
        assert modes.shape[1] and np.abs(modes[problem.interior.interface_dofs]).max() == 0.0

    def test_more_modes_hold_the_fewer_ones(
        self, counted: JointModeMethod, problem: JointModeProblem
    ) -> None:
        few, many = (counted.with_count(count).build(problem, Silent())[0] for count in (3, 6))
        np.testing.assert_allclose(few, many[:, :3], atol=1e-9 * np.abs(many).max())

    def test_modes_are_new_directions_beside_the_component_modes(
        self, counted: JointModeMethod, problem: JointModeProblem
    ) -> None:
        modes, values = counted.with_count(6).build(problem, Silent())
        basis = extend_basis(problem.interior, problem.components, modes, values)
        assert basis.modes.shape[1] == problem.components.modes.shape[1] + 6
        K = problem.interior.matrices.stiffness
        scaled = basis.modes / np.sqrt(np.einsum("ij,ij->j", basis.modes, K @ basis.modes))
        assert la.eigvalsh(scaled.T @ (K @ scaled))[0] > 1e-9

    def test_singular_values_descend(self, member: JointModeMethod, problem: JointModeProblem) -> None:
        _, values = member.build(problem, Silent())
        assert (np.diff(values) <= 0.0).all() and (values >= 0.0).all()

    def test_what_is_asked_to_stop_stops(self, member: JointModeMethod) -> None:
        """On a problem that nothing is kept of yet."""
        asked = _posed()
        fresh = JointModeProblem(
            asked.interior, asked.components, asked.gap_rows, asked.weights, asked.initial_gaps,
            slip_rows=asked.slip_rows, training=asked.training,
        )  # fmt: skip
        flag = CancelFlag()
        flag.cancel()
        with pytest.raises(Cancelled):
            member.with_count(3).build(fresh, flag)


def _posed() -> JointModeProblem:
    """Return the problem of the two plates, with what methods are trained on."""
    session = plates_session()
    problem: JointModeProblem = session.compute(Target("joint_problem", "plates"))
    return replace(problem, training=session.compute(Target("training", "plates")))
