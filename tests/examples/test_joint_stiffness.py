"""Joints of every example are as stiff as those of its FE model: natural frequencies, joints stuck and sliding.

Kind of reference: the FE model of the same equations. Modes of normal contact alone make sheets under bolts too stiff
sideways (flex plates with 40 of them: 2.5 times the stuck frequency of the first mode), which this test refuses.
"""

import numpy as np
import pytest

import faying
from faying.examples import examples
from faying.project.stage import Target

MODES, ALLOWED = 4, 0.01
STUDIES = {
    "friction-bar-convergence": "measures what numbers of modes of normal contact do",
    "friction-bar-dynamics": "measures what numbers of modes of normal contact do",
    "friction-bar-preloaded": "measures what numbers of modes of normal contact do",
    "contact-law-benchmark": "has the body of layered-pendulum with fewer vibration modes, to time contact laws",
    "hertz-static": "has a joint in its unreduced body alone",
}


def jointed(kind):
    return [body for body in examples[kind]().build().bodies if body.contact_joints]


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(kind for kind in examples if kind not in STUDIES and jointed(kind)))
def test_stuck_and_sliding_frequencies_are_those_of_the_fe_model(kind, tmp_path):
    words = examples[kind]().build(quick=True).model_dump()
    session = faying.build(tmp_path, **words)
    for body in jointed(kind):
        quality = session.compute(Target("joint_quality", body.name))
        assert quality.states
        errors = np.nan_to_num(quality.errors[:, :MODES])
        assert np.abs(errors).max() < ALLOWED, dict(
            zip(quality.states, errors.round(4).tolist(), strict=True)
        )


def test_studies_are_examples_with_joints():
    assert all(jointed(kind) for kind in STUDIES)
