"""Contract of reduction methods, compared with the full model of two plates."""

from typing import Any, ClassVar

import numpy as np
import pytest
import scipy.linalg as la

from faying.errors import Cancelled
from faying.progress import CancelFlag, Silent
from faying.project.stage import Target
from faying.reduction.basis import ReductionBasis
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import ReductionMethod, reduction_methods
from faying.testing.contracts.members import MemberContract
from faying.testing.plates import plates_session


class ReductionMethodContract(MemberContract):
    """Modes are orthonormal, elastic, independent, stiffer than the full model; computing them can be cancelled.

    Attributes:
        exact_statics: by kind, whether the response to forces at the interface nodes is exact; for other kinds it is
            exact with constraint modes, and too stiff otherwise.
    """

    family: ClassVar[Any] = reduction_methods
    exact_statics: ClassVar[dict[str, bool]] = {}

    @pytest.fixture
    def interior(self) -> InteriorProblem:
        """The two plates, held at both interface nodes."""
        interior: InteriorProblem = plates_session().compute(Target("interior", "plates"))
        return interior

    @pytest.fixture
    def basis(self, member: ReductionMethod, interior: InteriorProblem) -> ReductionBasis:
        """The member's modes of the plates."""
        return member.build(interior, Silent())

    def test_modes_are_orthonormal_elastic_and_independent(
        self, interior: InteriorProblem, basis: ReductionBasis
    ) -> None:
        K, M, phi = interior.matrices.stiffness, interior.matrices.mass, basis.modes
        m = phi.shape[1]
        np.testing.assert_allclose(phi.T @ M @ phi, np.eye(m), atol=1e-8)
        squares = (2.0 * np.pi * basis.frequencies) ** 2
        np.testing.assert_allclose(phi.T @ K @ phi, np.diag(squares), atol=1e-7 * squares[-1])
        assert np.abs(interior.rigid_modes.T @ (M @ phi)).max() < 1e-8
        assert basis.groups[0].stop == m and len(basis.groups) == 1
        assert (np.diff(basis.frequencies) > -1e-9).all() and basis.frequencies[0] > 0.0

    def test_frequencies_lie_above_those_of_the_full_model(
        self, interior: InteriorProblem, basis: ReductionBasis
    ) -> None:
        """Rayleigh: a basis can only stiffen the body."""
        K, M = interior.matrices.stiffness.toarray(), interior.matrices.mass.toarray()
        values = la.eigh(K, M, eigvals_only=True)[6:]
        exact = np.sqrt(np.maximum(values, 0.0)) / (2.0 * np.pi)
        assert (basis.frequencies >= exact[: len(basis.frequencies)] * (1.0 - 1e-6)).all()

    def test_statics_under_interface_loads(
        self, kind: str, member: ReductionMethod, interior: InteriorProblem, basis: ReductionBasis
    ) -> None:
        """Forces at one interface node, and at the other what balances them: the free body at rest."""
        phi, K, rigid = basis.modes, interior.matrices.stiffness, interior.rigid_modes
        first, second = interior.interface_dofs[:6], interior.interface_dofs[6:]
        load = np.zeros(K.shape[0])
        load[second[:3]] = [3.0, -2.0, 10.0]
        load[first] -= np.linalg.solve(rigid[first].T, rigid.T @ load)
        assert np.abs(rigid.T @ load).max() < 1e-9 * np.abs(rigid.T[:, second[:3]]).max() * 10.0

        work = load @ phi @ np.linalg.solve(phi.T @ (K @ phi), phi.T @ load)
        exact = load @ interior.solve_free(load[:, None])[:, 0]
        free = np.setdiff1d(np.arange(K.shape[0]), first)
        held = load[free] @ np.linalg.solve(K[free][:, free].toarray(), load[free])
        assert exact == pytest.approx(held, rel=1e-8)  # the work is independent of the support
        if self.exact_statics.get(kind, member.has_constraint_modes):
            assert work == pytest.approx(exact, rel=1e-7)
        else:
            assert 0.0 < work < exact * (1.0 + 1e-9)

    def test_what_is_asked_to_stop_stops(self, member: ReductionMethod, interior: InteriorProblem) -> None:
        flag = CancelFlag()
        flag.cancel()
        with pytest.raises(Cancelled):
            member.build(interior, flag)
