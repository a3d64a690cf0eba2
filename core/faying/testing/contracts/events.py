"""What every event and every action of one keeps."""

import math
from typing import Any, ClassVar

import numpy as np
import pytest

from faying.multibody.assembly import assemble
from faying.multibody.event_actions import EventAction, Moment, event_actions
from faying.multibody.events import Event, events
from faying.multibody.system_spec import SystemSpec
from faying.params import build
from faying.testing.contracts.members import MemberContract

_BAR = {"kind": "rigid", "mass": 1.0, "moments_of_inertia": (1e-3, 1 / 12, 1 / 12),
        "markers": [{"name": "left", "position": (-0.5, 0, 0)}]}  # fmt: skip
_SYSTEM = {
    "name": "swing",
    "parts": [{**_BAR, "name": "rod", "placement": {"position": (0.5, 0, 0), "spin": (0.0, 0.0, 2.0),
                                                    "velocity": (0.0, 1.0, 0.0)}}],
    "constraints": [
        {"kind": "revolute", "name": "pivot", "first": "ground.origin", "second": "rod.left"},
        {"kind": "in_plane", "name": "floor", "first": "ground.origin", "second": "rod.frame", "active": False},
        {"kind": "prescribed_angle", "name": "latch", "first": "ground.origin", "second": "rod.left",
         "amplitude": 0.0, "active": False},
    ],
    "ground": [],
    "forces": [{"kind": "spring_damper", "name": "strut", "first": "ground.origin", "second": "rod.frame"}],
}  # fmt: skip


class EventContract(MemberContract):
    """Times in order, sides that follow from the value, and no happening without a step."""

    family: ClassVar[Any] = events

    @pytest.fixture
    def event(self, member: Event) -> Event:
        """The event that is tried."""
        return member

    def test_given_times_rise(self, event: Event) -> None:
        time = 0.0
        for _ in range(3):
            following = event.next_time(time)
            assert following > time
            if not math.isfinite(following):
                return
            assert event.judge(0, 0.0, time, following)[1]
            time = following

    def test_a_condition_to_be_located_needs_another_side_first(self, event: Event) -> None:
        if not event.is_located:
            pytest.skip("it is not located")
        assert event.needs()
        for value in (1.0, -1.0):
            side, happens = event.judge(0, value, 0.0, 0.0)
            assert not happens and side * value > 0.0
            assert event.judge(side, value, 0.0, 1.0) == (side, False)
        assert any(event.judge(side, -1.0 * side, 0.0, 1.0)[1] for side in (1, -1))


class EventActionContract(MemberContract):
    """It changes no argument, and leaves position, constraints and energies that fit each other."""

    family: ClassVar[Any] = event_actions

    @pytest.fixture
    def action(self, member: EventAction) -> EventAction:
        """The action that is tried."""
        return member

    def test_it_acts_and_tells_so(self, action: EventAction) -> None:
        """Velocities fulfil the active constraints behind it, and energy is never gained without a drive."""
        at = assemble(build(SystemSpec, {**_SYSTEM}), {})
        v = at.start_velocity()
        before = Moment("it", at.independent, 0.0, at.position, v, at.history)
        kept = at.position.copy(), v.copy()
        after = action.act(before)
        np.testing.assert_array_equal(before.q, kept[0])
        np.testing.assert_array_equal(before.v, kept[1])
        assert after.did and all(isinstance(clause, str) and clause for clause in after.did)
        assert action.act(before).did == after.did
        values, rows = after.system.constraints(0.0, after.q, after.history)
        assert np.abs(values).max() < 1e-9
        assert np.abs(rows @ after.v).max() < 1e-9
        energies = [sum(each.system.own_energies(each.q, each.v)) for each in (before, after)]
        assert energies[1] <= energies[0] + 1e-9
        for name in (*action.wakes()[0], *action.wakes()[1]):
            assert name
