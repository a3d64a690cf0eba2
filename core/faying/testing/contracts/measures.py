"""What every measure keeps: a unit, a number at a state, and no answer that depends on who asks."""

from typing import Any, ClassVar

import numpy as np
import pytest

from faying.multibody.assembly import assemble
from faying.multibody.measures import Measure, Observation, dimensions, in_order, measured, measures
from faying.multibody.system_spec import SystemSpec
from faying.params import build
from faying.solvers.integrators import consistent_start
from faying.testing.contracts.members import MemberContract
from faying.units import QUANTITIES

_SYSTEM = {
    "name": "swing",
    "ground": [{"name": "pivot", "position": (0.0, 0.1, 0.0), "rotation": (0.0, 0.0, 0.2)}],
    "parts": [
        {
            "kind": "rigid", "name": "rod", "mass": 1.0, "moments_of_inertia": (1e-3, 1 / 12, 1 / 12),
            "markers": [{"name": "left", "position": (-0.5, 0, 0)}],
            "placement": {"position": (0.5, 0.1, 0.0), "velocity": (0.0, 1.0, 0.0), "spin": (0.0, 0.0, 2.0)},
        },
    ],
    "constraints": [{"kind": "revolute", "name": "pivot", "first": "ground.pivot", "second": "rod.left"}],
    "forces": [
        {"kind": "spring_damper", "name": "strut", "first": "ground.origin", "second": "rod.frame"},
    ],
    "gravity": (0.0, -9.81, 0.0),
}  # fmt: skip
_NAMED = {"kind": "distance", "name": "stretch", "first": "ground.origin", "second": "rod.frame"}


class MeasureContract(MemberContract):
    """A dimension, and a finite value of a swinging bar; those of contacts and flexible parts need own tests."""

    family: ClassVar[Any] = measures

    @pytest.fixture
    def measure(self, member: Measure) -> Measure:
        """The measure that is tried."""
        return member

    def test_its_dimension_is_a_quantity(self, measure: Measure) -> None:
        known = dict.fromkeys(measure.needs(), "length")
        assert measure.dimension(known) in ("", *QUANTITIES)

    def test_it_has_a_value_of_its_state_alone(self, measure: Measure) -> None:
        """Twice the same for one state, with numbers of one size as memory each time."""
        if getattr(measure, "contact", ""):
            pytest.skip("the bar touches nothing")
        if getattr(measure, "part", ""):
            pytest.skip("the bar is rigid")
        others = [build(measures[_NAMED["kind"]], {k: v for k, v in _NAMED.items() if k != "kind"})]
        spec = build(SystemSpec, {**_SYSTEM})
        at = assemble(spec, {})
        v = at.start_velocity()
        state = consistent_start(at.system, 0.0, at.position, v, at.history)
        energies = dict.fromkeys(
            ("kinetic energy", "elastic energy", "potential energy", "total energy"), 1.0
        )
        seen = Observation(at.system, state, at.history, (), lambda: energies)
        members = in_order([*others, measure])
        assert set(dimensions(members)) == {"stretch", measure.name}
        first, second = measured(members, seen), measured(members, seen)
        assert first == second and np.isfinite(list(first.values())).all()
        assert len(measure.memory(seen, first)) == len(measure.memory(seen, second))
