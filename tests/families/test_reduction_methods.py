"""What every method of component mode synthesis promises, against the full model of two plates."""

import threading
from typing import ClassVar

import numpy as np
import pytest
import scipy.linalg as la

from faying.errors import Cancelled
from faying.params import build
from faying.progress import CancelFlag, Silent
from faying.reduction.interior import InteriorProblem
from faying.reduction.methods import _orthogonalised, reduction_methods
from faying.testing import ReductionMethodContract
from support.plates import jointed_plates

# Statics under interface loads: exact by construction, or not.
EXACT_STATICS = {
    "craig_bampton": True, "free_interface": True, "guyan": True, "modal_truncation": False,
    "dynamic_condensation": True,  # at the centre frequency zero, which is where it is without a decision
    "line_fitting": False, "cms_gram": True,
}  # fmt: skip
KINDS = tuple(EXACT_STATICS)
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


class TestReductionMethods(ReductionMethodContract):
    without = ("imported_modes",)  # needs a file; has tests of its own
    exact_statics: ClassVar[dict[str, bool]] = EXACT_STATICS


@pytest.mark.parametrize("kind", KINDS)
def test_frequencies_are_near_those_of_the_full_model(bases, exact, kind):
    found = bases[kind].frequencies
    if kind in FREQUENCIES_OF_THE_FREE_BODY:
        np.testing.assert_allclose(found[:10], exact[:10], rtol=1e-6)
    else:  # Guyan's inertia is that of static shapes: a quarter off at most on this body
        assert found[0] == pytest.approx(exact[0], rel=0.05 if kind == "craig_bampton" else 0.25)


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
