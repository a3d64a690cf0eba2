"""Systems of pairs that differ little: with the factor of an earlier one, and exactly."""

import numpy as np

from faying.progress import Silent
from faying.solvers.compliances import Compliances
from faying.solvers.kept_factor import Differing, KeptFactor

COUNT = 30  # pairs


def _system(pairs, components, compliance, tangents):
    """Return the arguments of `KeptFactor.solve` but for the right-hand side, and I − T W over the components."""
    spread = (3 * pairs[:, None] + np.arange(3)).ravel()
    places = np.searchsorted(spread, components)
    w = compliance[np.ix_(spread, components)]
    blocks = np.zeros((len(spread), len(spread)))
    for i, block in enumerate(tangents):
        blocks[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = block
    rows = np.abs(tangents).max(axis=2) > 0.0
    return Differing(pairs, components, places, w.T.copy()), rows, np.eye(len(places)) - (blocks @ w)[places]


def test_later_systems_take_the_factor_of_the_first():
    random = np.random.default_rng(2)
    half = random.normal(size=(3 * COUNT, 3 * COUNT))
    compliance = half @ half.T / (3 * COUNT) + np.eye(3 * COUNT)
    pairs = np.arange(0, COUNT, 2)
    tangents = -0.3 * np.eye(3) + 0.02 * random.normal(size=(len(pairs), 3, 3))
    components = (3 * pairs[:, None] + np.arange(3)).ravel()
    kept = KeptFactor()
    for change, exact, made, accuracy in (
        (0, False, 1, 1e-12), (1, False, 1, 1e-3), (2, False, 1, 1e-3), (0, True, 2, 1e-12),
    ):  # fmt: skip
        now, own, which = tangents.copy(), pairs, components
        if change == 1:  # two pairs open, one has no difference any more
            now[:2] *= -0.5
            now[3] = 0.0
        elif change == 2:  # fewer pairs, with two components each
            now, own, which = now[1:], pairs[1:], np.setdiff1d(components[3:], 3 * pairs + 2)
            now[:, 2] = 0.0
        of, rows, matrix = _system(own, which, compliance, now)
        right = random.normal(size=len(which))
        wanted = np.linalg.solve(matrix, right)
        found = kept.solve(of, now, right, rows, exact=exact)
        assert np.linalg.norm(found - wanted) < accuracy * np.linalg.norm(wanted)
        assert kept.factorisations == made


def test_a_system_far_from_the_first_is_factored():
    random = np.random.default_rng(3)
    pairs, components = np.arange(COUNT), np.arange(3 * COUNT)
    kept = KeptFactor()
    for made in (1, 2):
        half = random.normal(size=(3 * COUNT, 3 * COUNT))
        tangents = 3.0 * random.normal(size=(COUNT, 3, 3))
        of, rows, matrix = _system(pairs, components, half @ half.T, tangents)
        right = random.normal(size=3 * COUNT)
        np.testing.assert_allclose(
            matrix @ kept.solve(of, tangents, right, rows, exact=False), right, atol=1e-6
        )
        assert kept.factorisations == made


def test_compliances_are_made_once():
    w, made = np.random.default_rng(4).normal(size=(12, 12)), []

    def answers(components):
        made.extend(components.tolist())
        return w[:, components]

    kept = Compliances(12, answers)
    for asked in ([3, 1], [1, 8], [0, 3, 11]):
        kept.keep(np.array(asked), Silent())
        forces = np.arange(1.0, len(asked) + 1)
        np.testing.assert_allclose(kept.moved(np.array(asked), forces), w[:, asked] @ forces)
        np.testing.assert_array_equal(kept.among(np.array(asked), np.array([2, 5])), w[[2, 5]][:, asked].T)
    assert made == [3, 1, 8, 0, 11] and kept.count == 5
