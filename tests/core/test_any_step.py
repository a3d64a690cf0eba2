"""A run goes on from any of its steps to the last bit: systems remember nothing, all is in what a step hands over."""

from collections.abc import Callable

import numpy as np
import pytest

from faying.analyses import BodyModel
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce
from faying.packed import pack, unpack
from faying.solvers.clamped_body import ClampedBody
from faying.solvers.integrators import DynamicSystem, State, consistent_start, integrators
from faying.solvers.integrators._newton import Accuracy
from faying.solvers.integrators._step import Carried, Method, begin, contact_inertia, take_step
from faying.solvers.separation import SeparatedSystem
from support.systems import flexible, jointed_plates_model, ready, system_of

STEP = 3e-6
Made = Callable[[], DynamicSystem]  # the system, anew each time


@pytest.fixture(scope="module")
def plates() -> BodyModel:
    return jointed_plates_model()


def held(plates: BodyModel, separated: bool = False) -> tuple[Made, State]:
    """Return the plates clamped, pressed and rubbed, and their start."""
    body = plates.reduced.clamped_to("HOLD")
    load = body.interfaces["TIP"][:3].T @ np.array([40.0, 0.0, -20.0])

    def whole() -> ClampedBody:
        joint = JointForce(
            body.joints[0],
            LinearPenalty(stiffness=5e4),
            Coulomb(friction_coefficient=0.3, sticking_stiffness=1e4, sliding_stiffness=500.0),
        )
        return ClampedBody(body, [joint], lambda time: np.sin(1e5 * time) * load)

    def made() -> DynamicSystem:
        system = whole()
        return SeparatedSystem(system, system.separable_stiffness > 0.0) if separated else system

    rest = np.zeros(body.n_coordinates)
    return made, consistent_start(made(), 0.0, rest, rest, whole().resting_history(rest))


def hinged(plates: BodyModel) -> tuple[Made, State]:
    """Return the same plates as a part of a system, on a hinge."""
    spec = system_of(
        ground=[{"name": "wall", "position": (0, 5, 0)}],
        parts=[{"kind": "flexible", "name": "plates", "body": "plates", "frame": "HOLD"}],
        constraints=[{"kind": "revolute", "name": "hinge", "first": "ground.wall", "second": "plates.HOLD"}],
        forces=[{"kind": "point_force", "name": "push", "marker": "plates.TIP", "force": (40.0, 0, -20.0),
                 "time_history": {"kind": "harmonic", "frequency": 1.6e4}}],
    )  # fmt: skip
    at = ready(spec, plates=flexible(plates))
    history = at.system.resting_history(at.q, at.history)
    return lambda: at.system.without(()), consistent_start(at.system, 0.0, at.q, at.v, history)


def inertia_of(method: Method, carried: Carried):
    state = carried.state
    return contact_inertia(method.system, state.time, state.q, state.history)


@pytest.mark.parametrize("kind", sorted(integrators))
@pytest.mark.parametrize("motion", ["held", "separated", "hinged"])
def test_a_run_goes_on_from_any_step_to_the_last_bit(plates: BodyModel, kind: str, motion: str) -> None:
    """From bytes and on a system that was never asked before: the same next step, matrices and all."""
    made, start = hinged(plates) if motion == "hinged" else held(plates, motion == "separated")
    settings = integrators[kind](tolerance=1e-5, largest_step=STEP)

    def method() -> Method:
        system = made()
        accuracy = Accuracy.of(system, settings.tolerance, settings.iterations)
        return Method(system, settings.scheme(), accuracy, STEP, settings.largest_rotation, False)

    run, updates, seen = method(), 0, set()
    carried = begin(run, start, 1e-6)
    inertia = inertia_of(run, carried)
    for step in range(80):
        outcome = take_step(run, carried, inertia)
        again, other = unpack(pack(carried)), method()
        found = take_step(other, again, inertia_of(other, again))
        assert pack(found.carried) == pack(outcome.carried), f"step {step}"
        carried, inertia = outcome.carried, outcome.inertia
        made_of = carried.matrices.contact
        if motion == "separated" and made_of is not None:
            made_of = made_of[0] or made_of[1]  # of weighted forces, of forces in full
        updates += made_of is not None and made_of[0].updates > 0
        seen |= {bool(pairs.any()) for pairs in carried.state.closed} | {
            bool(pairs.all()) for pairs in carried.state.closed
        }
    # Pairs closed and opened, and Jacobians were made from those before.
    assert seen == {True, False}
    assert updates > 10
