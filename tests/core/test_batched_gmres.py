"""Many systems by GMRES at once: against direct solutions, and where the preconditioner is exact or singular."""

import numpy as np
import scipy.sparse as sp

from faying.linalg.batched_gmres import batched_gmres


def _chain(n: int) -> sp.csr_matrix:
    return sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n)).tocsr()


def test_each_column_has_a_matrix_of_its_own() -> None:
    """Matrices that differ from the preconditioner in three unsymmetric entries are solved in a few steps."""
    n, random = 60, np.random.default_rng(0)
    stiffness = _chain(n)
    inverse = np.linalg.inv(stiffness.toarray())
    changes = []
    for _ in range(4):
        change = np.zeros((n, n))
        at = random.choice(n, 3, replace=False)
        change[at, random.choice(n, 3)] = -0.4
        change[at, at] += 1.0
        changes.append(change)
    right = random.standard_normal((n, 4))
    tries: list[np.ndarray] = []

    def apply(x: np.ndarray) -> np.ndarray:
        tries.append(x)
        return stiffness @ x + np.column_stack([c @ v for c, v in zip(changes, x.T, strict=True)])

    x, errors = batched_gmres(apply, lambda b: inverse @ b, right, 1e-10, 20)

    for k, change in enumerate(changes):
        np.testing.assert_allclose(
            x[:, k], np.linalg.solve(stiffness.toarray() + change, right[:, k]), rtol=1e-7
        )
    assert (errors <= 1e-10).all()
    assert len(tries) <= 8


def test_an_exact_preconditioner_takes_one_step() -> None:
    """With P = A⁻¹ the first guess is the solution; a column of zeros stays zero."""
    stiffness = _chain(20)
    inverse = np.linalg.inv(stiffness.toarray())
    right = np.column_stack([np.ones(20), np.zeros(20)])

    x, errors = batched_gmres(lambda v: stiffness @ v, lambda b: inverse @ b, right, 1e-12, 5)

    np.testing.assert_allclose(x[:, 0], inverse @ right[:, 0], rtol=1e-12)
    assert not x[:, 1].any()
    assert (errors <= 1e-12).all()


def test_few_steps_leave_an_error_that_is_returned() -> None:
    """Fewer steps than directions that differ: the error is that of the preconditioned residual in the energy."""
    n = 40
    stiffness, change = _chain(n), sp.diags(np.r_[np.linspace(1.0, 50.0, 20), np.zeros(20)])
    inverse = np.linalg.inv(stiffness.toarray())
    right = np.random.default_rng(1).standard_normal((n, 1))

    x, errors = batched_gmres(lambda v: (stiffness + change) @ v, lambda b: inverse @ b, right, 1e-10, 4)

    left = right - (stiffness + change) @ x
    assert errors[0] > 1e-3
    np.testing.assert_allclose(
        errors[0], np.sqrt((left.T @ inverse @ left) / (right.T @ inverse @ right))[0, 0], rtol=1e-6
    )
