"""A step in one kernel is the twin of the stages: from what a step hands on, both give the same."""

from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

from faying.params import build
from faying.progress import Silent
from faying.solvers.integrators import Delegated, State, _step, consistent_start, integrators
from faying.solvers.integrators._step import Carried, Outcome, begin, take_staged_step, take_step
from support.systems import (
    BAR,
    DOWN_Y,
    Ready,
    flexible,
    jointed_plates_model,
    ready,
    slider_crank,
    system_of,
)

pytestmark = pytest.mark.skipif(find_spec("numba") is None, reason="without numba the stages take all steps")
AGREE = 1e-12


def hinged(count: int, **more) -> Ready:
    """Bars in a row, each hinged to the one before."""
    parts = [{**BAR, "name": f"b{k}", "placement": {"position": (k + 0.5, 0, 0)}} for k in range(count)]
    hinges = [
        {"kind": "revolute", "name": f"h{k}", "first": f"b{k - 1}.right" if k else "ground.origin",
         "second": f"b{k}.left"}
        for k in range(count)
    ]  # fmt: skip
    words = {"parts": parts, "constraints": hinges, "gravity": DOWN_Y} | more
    return ready(system_of(**words))


def turning_crank() -> Ready:
    """A crank at constant speed: an angle over many turns is wanted, and a redundant equation left out."""
    drive = {
        "kind": "prescribed_angular_speed",
        "name": "drive",
        "first": "ground.pivot",
        "second": "crank.left",
    }
    return ready(slider_crank(0.3, {**drive, "speed": 40.0, "start": 0.3}))


def elastic() -> Ready:
    """Plates that swing from a ball joint, with a bar on a rod at their end."""
    model = jointed_plates_model()
    model = replace(model, joints=())
    part = {"kind": "flexible", "name": "plates", "body": "plates", "frame": "HOLD"}
    bar = {**BAR, "name": "bar", "placement": {"position": (40.0, 5.0, 0.0)}}
    ends = {"first": "plates.TIP", "second": "bar.left"}
    spec = system_of(
        parts=[part, bar], gravity=(0.0, -9810.0, 0.0),
        constraints=[{"kind": "spherical", "name": "ball", "first": "ground.origin", "second": "plates.HOLD"},
                     {"kind": "spherical", "name": "end", **ends}],
    )  # fmt: skip
    return ready(spec, plates=flexible(model))


def forced() -> Ready:
    """A double pendulum with a spring, a torsion spring, a damped bushing and a load, which Python knows alone."""
    ends = {"first": "ground.origin", "second": "b1.right"}
    return hinged(2, forces=[
        {"kind": "spring_damper", "name": "spring", **ends, "stiffness": 50.0, "damping": 1.0, "free_length": 1.0},
        {"kind": "torsion_spring", "name": "torsion", "first": "ground.origin", "second": "b0.left", "stiffness": 30.0},
        {"kind": "bushing", "name": "bushing", **ends, "stiffness": (1.0, 2.0, 3.0), "damping": (0.1, 0.2, 0.3)},
        {"kind": "point_force", "name": "load", "marker": "b1.right", "force": (1.0, 2.0, 3.0), "following": True},
    ])  # fmt: skip


def geared() -> Ready:
    """Two wheels on parallel pins with a gear between them, which has no terms."""
    wheels = [
        {**BAR, "name": name, "placement": {"position": (x, 0, 0)}, "markers": [{"name": "hub"}]}
        for name, x in (("a", 0.0), ("b", 1.0))
    ]
    pins = [
        {"kind": "revolute", "name": f"pin {name}", "first": f"ground.{name}", "second": f"{name}.hub"}
        for name in "ab"
    ]
    motions = [
        {"first": f"ground.{name}", "second": f"{name}.hub", "factor": k}
        for name, k in (("a", 1.0), ("b", 2.0))
    ]
    gear = {"kind": "coupler", "name": "gear", "motions": motions}
    load = {"kind": "point_force", "name": "load", "marker": "a.hub", "moment": (0.0, 0.0, 1.0)}
    return ready(system_of(
        ground=[{"name": "a"}, {"name": "b", "position": (1.0, 0.0, 0.0)}], parts=wheels,
        constraints=[*pins, gear], forces=[load],
    ))  # fmt: skip


SYSTEMS = {
    "members of Python": forced,
    "a coupler": geared,
    "two bars": lambda: hinged(2),
    "five bars": lambda: hinged(5),
    "a free bar": lambda: hinged(1, constraints=[], gravity=(0.0, 0.0, 0.0)),
    "crank": turning_crank,
    "plates": elastic,
}


def agree(one: Carried, other: Carried, forces: float) -> None:
    """Check that both hand on the same; accelerations and multipliers to a share of the largest."""
    for own, twin, share in (
        (one.state.q, other.state.q, AGREE), (one.state.v, other.state.v, AGREE), (one.state.a, other.state.a, forces),
        (one.state.multipliers, other.state.multipliers, forces), (one.past, other.past, forces),
        (one.unknowns.values, other.unknowns.values, forces),
        (np.hstack([*one.state.history.angles, 0.0]), np.hstack([*other.state.history.angles, 0.0]), AGREE),
    ):  # fmt: skip
        np.testing.assert_allclose(
            own, twin, rtol=0.0, atol=share * (float(np.abs(twin).max(initial=0.0)) or 1.0)
        )
    assert (one.unknowns.times, one.unknowns.points) == (other.unknowns.times, other.unknowns.points)
    assert one.length == pytest.approx(other.length, rel=1e-9)


@pytest.mark.parametrize("kind", ["hht", "generalized_alpha"])
@pytest.mark.parametrize("fixed", [True, False], ids=["fixed", "free"])
@pytest.mark.parametrize("name", SYSTEMS)
def test_a_step_in_one_kernel_is_that_of_the_stages(
    name: str, fixed: bool, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = SYSTEMS[name]()
    largest = 1e-5 if name == "plates" else 2e-3
    method = integrators[kind](fixed_step=fixed, largest_step=largest, tolerance=1e-6)._method(at.system)
    carried = begin(method, consistent_start(at.system, 0.0, at.q, at.v, at.history), 1e-5)
    steps: list[Outcome] = []
    with monkeypatch.context() as patch:
        patch.setattr(_step, "take_staged_step", lambda *_: pytest.fail("The stages had to take a step."))
        for _ in range(60):
            steps.append(take_step(method, steps[-1].carried if steps else carried, None))
    # Stiffness makes forces of what rounding leaves of the coordinates.
    forces = 1e-10 if name == "plates" else 1e-12
    for own in steps:
        staged = take_staged_step(method, carried, None)
        assert (own.accepted, own.effort) == (staged.accepted, staged.effort)
        agree(own.carried, staged.carried, forces)
        carried = own.carried
    assert sum(own.accepted for own in steps) > 40
    assert any(own.effort.jacobians == 0 for own in steps)


def test_contact_wrappers_and_other_schemes_are_left_to_the_stages() -> None:
    bars = hinged(2).system
    assert bars.tables() is not None
    assert Delegated(bars).tables() is None  # a wrapper may change any term
    assert integrators["bdf"]()._method(bars).compiled is None
    part = {"kind": "flexible", "name": "plates", "body": "plates", "frame": "HOLD"}
    jointed = ready(system_of(parts=[part]), plates=flexible(jointed_plates_model()))
    assert jointed.system.tables() is None


def test_a_state_is_never_written_to_again() -> None:
    """Rejected and repeated steps begin where they began; what an output keeps stays as it was."""
    at = hinged(2)
    scheme = build(integrators["hht"], {"tolerance": 1e-7, "largest_step": 0.02, "first_step": 1e-3})
    kept: list[tuple[State, np.ndarray]] = []

    def accepted(before: State, after: State) -> None:
        kept.append((after, np.concatenate([after.q, after.v, after.a, after.multipliers])))

    start = consistent_start(at.system, 0.0, at.q, at.v, at.history)
    report = scheme.integrate(at.system, start, 0.5, accepted, Silent())
    assert report.rejected_by_error
    for state, was in kept:
        np.testing.assert_array_equal(np.concatenate([state.q, state.v, state.a, state.multipliers]), was)
