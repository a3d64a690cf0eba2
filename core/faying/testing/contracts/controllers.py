"""What every controller keeps: its states follow their rates, and what it remembers is all that it needs."""

from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from faying.multibody.controllers import Controller, controllers
from faying.testing.contracts.members import MemberContract
from faying.units import QUANTITIES


class ControllerContract(MemberContract):
    """States that follow their rates at constant inputs, poles, and steps from what it remembers alone."""

    family: ClassVar[Any] = controllers

    @pytest.fixture
    def controller(self, member: Controller) -> Controller:
        """The controller that is tried."""
        return member

    def test_its_states_follow_their_rates(self, controller: Controller) -> None:
        random = np.random.default_rng(5)
        states, inputs = random.normal(size=controller.order), random.normal(size=controller.input_count)
        step = 1e-6
        moved = controller.advanced(states, inputs, inputs, step)
        np.testing.assert_allclose(
            (moved - states) / step, controller.rates(states, inputs), rtol=1e-3, atol=1e-3
        )
        np.testing.assert_allclose(controller.advanced(states, inputs, -inputs, 0.0), states, atol=1e-14)

    def test_it_has_a_pole_for_every_state(self, controller: Controller) -> None:
        assert len(controller.poles()) == controller.order
        assert len(controller.first_states(np.ones(controller.input_count))) == controller.order
        assert controller.dimension({}) in ("", *QUANTITIES)
        assert not controller.problem()[0]

    def test_it_goes_on_from_what_it_remembers(self, controller: Controller) -> None:
        """The value of a step again from the same memory; beginning anew at the start; a sample at its time alone."""

        def at(time: float, memory: Any) -> Any:
            return SimpleNamespace(time=time, remembered={} if memory is None else {controller.name: memory})

        values = [dict.fromkeys(controller.needs(), x) for x in (0.3, 0.7, -0.4)]
        first = np.array(controller.memory(at(0.0, None), values[0]))
        assert len(first) == controller.memory_size
        again = controller.of_motion(at(0.0, first), values[0])
        assert again == controller.of_motion(at(0.0, None), values[0])
        second = np.array(controller.memory(at(0.01, first), values[1]))
        assert len(second) == controller.memory_size and np.isfinite(second).all()
        assert controller.of_motion(at(0.01, first), values[1]) == pytest.approx(
            controller.of_motion(at(0.01, second), values[1]), rel=1e-9
        )
        assert controller.next_sample(second) == np.inf
        sampled = self.changed(controller, {"sample_time": 0.02})
        first = np.array(sampled.memory(at(0.0, None), values[0]))
        second = np.array(sampled.memory(at(0.01, first), values[1]))
        held = sampled.of_motion(at(0.01, second), values[2])
        assert held == sampled.of_motion(at(0.0, first), values[0])
        assert sampled.next_sample(second) == pytest.approx(0.02)
        third = sampled.after_sample(at(0.02, second), values[2])
        assert sampled.next_sample(third) == pytest.approx(0.04)
        assert sampled.of_motion(at(0.02, third), values[0]) != held
