"""Curves of harmonic balance that continue one another, of the oscillator with one slider."""

import numpy as np
import pytest

import faying
from faying.errors import FayingError
from faying.examples import examples

NAME = "swept"
FURTHER = {"lowest_frequency": 0.1, "highest_frequency": 0.26}


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """The example's project as words, and a folder in which its curve is computed once."""
    words = examples["jenkins-oscillator"]().build(quick=True).model_dump()
    words["analyses"] = [each for each in words["analyses"] if each["name"] == NAME]
    return words, tmp_path_factory.mktemp("artifacts")


def solved(swept, **changes):
    """Return the curve of the example, or the one that continues it with other parameters."""
    words, folder = swept
    first = words["analyses"][0]
    if not changes:
        return faying.build(folder, **words).solve(NAME)
    continued = {**first, "name": "continued", "start_from": NAME, **changes}
    return faying.build(folder, **{**words, "analyses": [first, continued]}).solve("continued")


def response(found):
    return found.curve("point ux") * np.exp(1j * found.curve("point ux phase"))


def test_a_curve_goes_on_past_its_end_and_back_before_its_beginning(swept):
    """The continued curves end where that of the longer range does, with the same motion."""
    first = solved(swept)
    whole = solved(swept, start_from="", **FURTHER)
    on = solved(swept, levels=[7.0], **FURTHER)
    back = solved(swept, start_frame=0, way="back", **FURTHER)
    for found, at in ((on, -1), (back, 0)):
        assert found.values[[0, -1]] == pytest.approx([first.values[at], whole.values[at]], rel=1e-6)
        assert response(found)[-1] == pytest.approx(response(whole)[at], rel=1e-6)
        assert (found.curve("load level") == 1.0).all() and found.report["largest_imbalance"] < 1e-6


def test_finer_steps_find_more_points_of_the_same_curve(swept):
    """From the largest response, where the slider slides, to the end of the range."""
    first = solved(swept)
    peak = int(np.argmax(first.curve("point ux")))
    usual, fine = (solved(swept, start_frame=peak, finer=factor) for factor in (1.0, 5.0))
    assert fine.curve("point ux")[0] == pytest.approx(first.curve("point ux")[peak], rel=1e-3)
    assert fine.n_frames > 1.5 * usual.n_frames
    assert response(fine)[-1] == pytest.approx(response(first)[-1], rel=1e-6)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"stiffness_damping": 0.5}, "differs from it in “"),
        ({"start_frame": 5000}, "There is no point 5000"),
        ({"backbone": True, "levels": [1.0, 2.0]}, "a backbone needs two"),
        ({"equilibrium": NAME, "start_from": "", "preloads": []}, "takes 'swept' for a static equilibrium"),
    ],
)
def test_what_is_no_point_of_the_curve_cannot_be_continued(swept, changes, sentence):
    with pytest.raises(FayingError, match=sentence):
        solved(swept, **changes)
