"""What every method of component mode synthesis promises, against the full model of two plates."""

import threading

import numpy as np
import pytest
import scipy.linalg as la

from faying.errors import Cancelled
from faying.params import build
from faying.progress import CancelFlag, Silent
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import _orthogonalised, reduction_methods
from support.plates import jointed_plates

FROM_FILES = {"imported_modes"}  # needs a file; has tests of its own
KINDS = [kind for kind in reduction_methods if kind not in FROM_FILES]
# Statics under interface loads: exact by construction, or not.
EXACT_STATICS = {
    "craig_bampton": True, "free_interface": True, "guyan": True, "modal_truncation": False,
    "dynamic_condensation": True,  # at the centre frequency zero, which is where it is without a decision
    "line_fitting": False, "cms_gram": True,
}  # fmt: skip
FREQUENCIES_OF_THE_FREE_BODY = {"free_interface", "modal_truncation"}


@pytest.fixture(scope="module")
def plates():
    return jointed_plates()


@pytest.fixture(scope="module")
def exact(plates):
    """Elastic frequencies of the full free model, by a dense eigensolver."""
    values = la.eigh(
        plates.matrices.stiffness.toarray(), plates.matrices.mass.toarray(), eigvals_only=True, driver="gvd"
    )
    return np.sqrt(np.maximum(values[6:], 0.0)) / (2.0 * np.pi)


@pytest.fixture(scope="module")
def bases(plates):
    return {k: build(reduction_methods[k], {}).build(plates.interior, Silent()) for k in KINDS}


def test_every_member_is_known_here():
    assert set(KINDS) == set(EXACT_STATICS)


@pytest.mark.parametrize("kind", KINDS)
def test_modes_are_orthonormal_elastic_and_independent(plates, bases, kind):
    basis, K, M = bases[kind], plates.matrices.stiffness, plates.matrices.mass
    phi = basis.modes
    m = phi.shape[1]
    np.testing.assert_allclose(phi.T @ M @ phi, np.eye(m), atol=1e-8)
    squares = (2.0 * np.pi * basis.frequencies) ** 2
    np.testing.assert_allclose(phi.T @ K @ phi, np.diag(squares), atol=1e-7 * squares[-1])
    assert np.abs(plates.interior.rigid_modes.T @ (M @ phi)).max() < 1e-8
    assert basis.groups[0].stop == m and len(basis.groups) == 1
    assert (np.diff(basis.frequencies) > -1e-9).all() and basis.frequencies[0] > 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_frequencies_lie_above_those_of_the_full_model(bases, exact, kind):
    found = bases[kind].frequencies
    assert (found >= exact[: len(found)] * (1.0 - 1e-6)).all()
    if kind in FREQUENCIES_OF_THE_FREE_BODY:
        np.testing.assert_allclose(found[:10], exact[:10], rtol=1e-6)
    else:  # Guyan's inertia is that of static shapes: a quarter off at most on this body
        assert found[0] == pytest.approx(exact[0], rel=0.05 if kind == "craig_bampton" else 0.25)


@pytest.mark.parametrize("kind", KINDS)
def test_statics_under_interface_loads(plates, bases, kind):
    phi, K = bases[kind].modes, plates.matrices.stiffness
    # Opposite forces and the moment that balances them: the free body at rest.
    first, second = plates.interior.interface_dofs[:6], plates.interior.interface_dofs[6:]
    load = np.zeros(K.shape[0])
    load[second[:3]] = [3.0, -2.0, 10.0]
    rigid = plates.interior.rigid_modes
    load[first] -= np.linalg.solve(rigid[first].T, rigid.T @ load)
    assert np.abs(rigid.T @ load).max() < 1e-9 * np.abs(rigid.T[:, second[:3]]).max() * 10.0

    work = load @ phi @ np.linalg.solve(phi.T @ (K @ phi), phi.T @ load)
    exact_work = load @ plates.interior.solve_free(load[:, None])[:, 0]
    free = np.setdiff1d(np.arange(K.shape[0]), first)
    held_work = load[free] @ np.linalg.solve(K[free][:, free].toarray(), load[free])
    assert exact_work == pytest.approx(held_work, rel=1e-8)  # any support gives the same work
    if EXACT_STATICS[kind]:
        assert work == pytest.approx(exact_work, rel=1e-7)
    else:
        assert 0.5 * exact_work < work < exact_work * (1.0 - 1e-6)


def test_free_interface_modes_hold_the_inertia_relief_shapes(plates, bases):
    phi, K = bases["free_interface"].modes, plates.matrices.stiffness
    load = np.zeros((K.shape[0], 1))
    load[plates.interior.interface_dofs[8], 0] = 1.0
    shape = plates.interior.solve_free(load)[:, 0]
    q = phi.T @ (plates.matrices.mass @ shape)
    assert np.linalg.norm(phi @ q - shape) < 1e-7 * np.linalg.norm(shape)


def test_chosen_components_of_an_interface_node_alone_are_held(plates):
    from faying.reduction.interior import InteriorProblem

    nodes = np.array(list(plates.interfaces.values()))
    some = InteriorProblem(plates.matrices, plates.model.nodes, nodes, [(1, 2, 3, 4, 5, 6), (3,)])
    whole = plates.interior
    np.testing.assert_array_equal(some.interface_dofs, whole.interface_dofs[[0, 1, 2, 3, 4, 5, 8]])
    basis = reduction_methods["guyan"]().build(some, Silent())
    assert basis.modes.shape[1] == 1
    # The one elastic shape is exact for the force that it stands for.
    load = np.zeros(some.n_dofs)
    load[whole.interface_dofs[8]] = 1.0
    rigid = some.rigid_modes
    load[whole.interface_dofs[:6]] -= np.linalg.solve(rigid[whole.interface_dofs[:6]].T, rigid.T @ load)
    phi, K = basis.modes, plates.matrices.stiffness
    work = (phi[:, 0] @ load) ** 2 / (phi[:, 0] @ (K @ phi[:, 0]))
    assert work == pytest.approx(load @ whole.solve_free(load[:, None])[:, 0], rel=1e-7)


@pytest.mark.parametrize(
    ("where", "step", "kinds"),
    [
        (InteriorProblem, "constraint_modes", ("craig_bampton", "guyan", "cms_gram", "dynamic_condensation")),
        (InteriorProblem, "solve_free", ("free_interface",)),
        (_orthogonalised, "orthogonalise", KINDS),
    ],
)
def test_long_steps_listen(plates, where, step, kinds, monkeypatch):
    """On large bodies each of them takes seconds; whoever waits stops meanwhile, and the step is left behind."""
    for kind in kinds:
        progress, begun, over = CancelFlag(), threading.Event(), threading.Event()

        def endless(*arguments, begun=begun, over=over):
            begun.set()
            over.wait(60.0)

        def stop(begun=begun, progress=progress):
            begun.wait(60.0)
            progress.cancel()

        with monkeypatch.context() as patch:
            patch.setattr(where, step, endless)
            threading.Thread(target=stop, daemon=True).start()
            with pytest.raises(Cancelled):
                build(reduction_methods[kind], {}).build(plates.interior, progress)
        assert not over.is_set()
        over.set()
