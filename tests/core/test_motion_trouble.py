"""A system in trouble says what it is: the force that is not a number, the joint whose pairs swap."""

import numpy as np
import pytest

from faying.courses import Course
from faying.errors import SolveError
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.interface import JointForce
from faying.multibody.forces.point_force import PointForce
from faying.multibody.parts.rigid import RigidPart
from faying.multibody.system import MultibodySystem
from faying.progress import Silent
from faying.solvers.integrators import consistent_start
from faying.solvers.integrators.hht import Hht
from faying.solvers.trouble import MovedJoint, restless_pairs


class Rows:
    """Three pairs over one coordinate."""

    normal, tangential = np.ones((3, 1)), np.zeros((3, 2, 1))
    weights, initial_gaps = np.ones(3), np.array([-1.0, 0.5, 2.0])


def test_a_force_that_is_not_a_number_is_named_and_earlier_steps_are_kept():
    class Gust(Course):
        def factor(self, time):
            return np.nan if time > 0.02 else 1.0

    ball = RigidPart("ball", 1.0, np.eye(3))
    gust = PointForce(name="gust", marker="ball.frame", force=(1.0, 0.0, 0.0)).model_copy(
        update={"course": Gust.model_construct()}
    )
    system = MultibodySystem([ball], forces=[gust])
    q = ball.placed(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))
    start = consistent_start(system, 0.0, q, np.zeros(7), system.initial_history())
    seen = []
    with pytest.raises(SolveError, match=r"force 'gust' is not a number at t = 0\.02"):
        Hht(first_step=1e-3, largest_step=1e-3).integrate(
            system, start, 1.0, lambda before, after: seen.append(after.time), Silent()
        )
    assert seen[-1] == pytest.approx(0.02, rel=1e-3)


def test_the_joint_whose_pairs_open_and_close_is_named_with_them():
    joint = JointForce(Rows(), LinearPenalty(stiffness=1.0))
    told = restless_pairs([MovedJoint("bar: lap", joint, np.zeros(1), np.array([-1.0]))])
    assert told == "joint 'bar: lap' opens and closes at 1 pair (1)"
    assert restless_pairs([MovedJoint("bar: lap", joint, np.zeros(1), np.array([0.1]))]) == ""
