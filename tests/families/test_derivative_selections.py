"""Which derivatives take part: every selection against a count or a formula written out."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import orth, subspace_angles

from faying.errors import ModelError
from faying.params import build
from faying.progress import Silent
from faying.reduction.derivative_selections import ModalContact, derivative_selections
from faying.reduction.derivative_selections.modal_virtual_work import ModalVirtualWork
from faying.reduction.joint_modes import joint_mode_methods
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.problem import JointModeProblem
from faying.testing import DerivativeSelectionContract
from support.derivatives import all_derivatives
from support.plates import jointed_plates


@pytest.fixture(scope="module")
def plates():
    return jointed_plates()


def problem_of(plates, **more):
    components = CraigBampton(vibration_modes=4).build(plates.interior, Silent())
    pairs = plates.pairs
    return JointModeProblem(
        plates.interior, components, plates.gap, pairs.weights, pairs.initial_gaps, **more
    )


def subject(n_preloads=0, seed=0):
    rng = np.random.default_rng(seed)
    m, pairs = 5, 30
    r = m + n_preloads
    return ModalContact(
        m, n_preloads, rng.normal(size=(r, 8)), rng.normal(size=(pairs, r)), np.ones(pairs), np.zeros(pairs)
    )


class TestDerivativeSelections(DerivativeSelectionContract):
    pass


def test_numbers_of_the_thesis():
    some = subject(n_preloads=2)
    p, m = 2, 5
    assert derivative_selections["all"]().choose(some).sum() == (m + p) ** 2
    assert derivative_selections["self"]().choose(some).sum() == m + p
    assert derivative_selections["preload_related"]().choose(some).sum() == p * p + 2 * p * m  # eq. 3.70


def test_preload_related_needs_preload_modes():
    with pytest.raises(ModelError, match="no preload mode"):
        derivative_selections["preload_related"]().choose(subject())


@pytest.mark.parametrize("kind", ["modal_interaction", "modal_virtual_work"])
def test_a_larger_share_takes_more_and_all_of_it_everything(kind):
    some = subject()
    masks = [derivative_selections[kind](share=share).choose(some) for share in (0.2, 0.6, 0.9, 1.0)]
    for fewer, more in pairwise(masks):
        assert (more | fewer == more).all() and more.sum() > fewer.sum()
    assert masks[-1].all()


def test_modal_virtual_work_takes_the_largest_work_first():
    some = subject()
    best = ModalVirtualWork(share=1e-9).choose(some)
    assert best.sum() == 1
    ((i, j),) = np.argwhere(best)

    def work(i, j):
        amplitude = np.abs(some.amplitudes[i]).max()
        return max(
            abs(sum(
                w * g[j] * s * amplitude * g[i]
                for w, g in zip(some.weights, some.gaps, strict=True) if s * amplitude * g[i] < 0
            ))
            for s in (1, -1)
        )  # fmt: skip

    everything = {(a, b): work(a, b) for a in range(5) for b in range(5)}
    assert max(everything, key=everything.get) == (i, j)


def test_selecting_before_the_solves_saves_right_hand_sides_and_changes_no_derivative(plates):
    problem = problem_of(plates)
    every = problem.derivatives(Silent())
    own = problem.derivatives(Silent(), build(derivative_selections["self"], {}))
    m = problem.components.modes.shape[1]
    assert len(own.compliance) <= 2 * m and len(own.compliance) < len(every.compliance)
    assert len(own.labels) + own.dropped == 2 * m and len(every.labels) + every.dropped == 2 * m * m
    assert (own.labels[:, 0] == own.labels[:, 1]).all()
    keys = [tuple(label) for label in every.labels]
    theirs, ours = all_derivatives(every), all_derivatives(own)
    for k, label in enumerate(own.labels):
        same, mine = theirs[:, keys.index(tuple(label))], ours[:, k]
        assert np.linalg.norm(mine - same) < 1e-6 * np.linalg.norm(same)


@pytest.mark.parametrize("method", ["weighted_pod", "pod", "pod_of_forces"])
def test_methods_take_a_selection(plates, method):
    problem = problem_of(plates)
    chosen = build(joint_mode_methods[method], {"count": 200, "derivatives": {"kind": "self"}})
    modes, values = chosen.build(problem, Silent())
    m = problem.components.modes.shape[1]
    assert 0 < modes.shape[1] <= 2 * m and len(values) <= 2 * m


def test_deflections_of_an_open_joint_close_it_step_by_step():
    plates = jointed_plates(gap=0.05)
    problem = problem_of(plates)
    once = problem.derivatives(Silent(), amplitudes=(2.0,))
    several = problem.derivatives(Silent(), amplitudes=(1.1, 2.0, 8.0))
    assert len(once.labels) < len(several.labels) < 3 * len(once.labels)  # equal sets of pairs count once
    # Every derivative of the one amplitude is among those of the several.
    theirs, ours = all_derivatives(several), all_derivatives(once)
    for k in range(0, ours.shape[1], 5):
        distance = np.linalg.norm(theirs - ours[:, [k]], axis=0).min()
        assert distance < 1e-5 * np.linalg.norm(ours[:, k])
    # Below the gap nothing closes.
    with pytest.raises(ModelError, match="No trial vector"):
        problem.derivatives(Silent(), amplitudes=(0.5,))


def test_deflections_must_be_positive():
    with pytest.raises(ModelError, match="positive"):
        build(joint_mode_methods["weighted_pod"], {"amplitudes": [0.0, 2.0]})


def test_without_gaps_the_deflections_do_not_matter(plates):
    problem = problem_of(plates)
    assert len(problem.derivatives(Silent(), amplitudes=(1.0, 4.0)).labels) == len(
        problem.derivatives(Silent()).labels
    )


def test_derivatives_that_close_nothing_are_told():
    problem = problem_of(jointed_plates(gap=0.05))
    found = problem.derivatives(Silent(), amplitudes=(0.9, 1.1))  # the first closes no pair at all
    assert found.dropped >= 200 - 100
    assert problem.remarks == (
        f"{found.dropped} of {found.dropped + len(found.labels)} trial vector derivatives, which are zero: "
        "their directions close no pair",
    )


def test_trial_vectors_that_move_both_surfaces_alike_close_nothing():
    """Of a mirror-symmetric joint half of them leave round-off in the gaps, whose signs are no closed pairs."""
    plates = jointed_plates(upper=(4, 2, 1), lower=(4, 2, 1), tied_tip=True)
    problem = problem_of(plates)
    motions = (plates.matrices.dofs.displacement_rows @ problem.trial_vectors).reshape(-1, 3, 10)
    below, above = np.split(np.arange(len(plates.model.nodes) - 2), 2)
    by_place = [
        np.lexsort(plates.model.nodes[side].T * [[1], [1], [z]]) for side, z in ((below, -1), (above, 1))
    ]
    lower, upper = below[by_place[0]], above[by_place[1]]
    mirrored = motions[upper] * np.array([1.0, 1.0, -1.0])[:, None]
    apart = np.abs(motions[lower] - mirrored).max(axis=(0, 1)) < 1e-6 * np.abs(mirrored).max(axis=(0, 1))
    assert 0 < apart.sum() < 10  # these open or close the joint, the others bend the plates as one

    found = problem.derivatives(Silent())
    assert set(found.labels[:, 0]) == set(found.labels[:, 1]) == set(np.flatnonzero(apart))
    assert found.dropped + len(found.labels) == 2 * 10**2


def test_round_off_of_trial_vectors_does_not_turn_joint_modes(plates):
    """The plates are mirror images along their length: on the line between, half of the gaps are round-off."""
    first = problem_of(plates)
    exact = first.components.modes
    noise = np.random.default_rng(5).uniform(-1e-11, 1e-11, exact.shape) * np.abs(exact).max(axis=0)
    other = problem_of(plates)
    other.components = replace(first.components, modes=exact + noise)
    method = build(joint_mode_methods["weighted_pod"], {"count": 12})
    modes, again = (orth(method.build(problem, Silent())[0]) for problem in (first, other))
    assert np.rad2deg(subspace_angles(modes, again)).max() < 1e-3
