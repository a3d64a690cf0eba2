"""Contract of step kinds: segments with an end, declared loads, a short description for the report."""

from typing import Any, ClassVar

from faying.analyses.step_kinds import Step, step_kinds
from faying.testing.contracts.members import MemberContract


class StepContract(MemberContract):
    """A step says what it does, once or several times."""

    family: ClassVar[Any] = step_kinds
    common: ClassVar[dict[str, Any]] = {"loads": [{"interface": "tip", "force": [0.0, 0.0, 5.0]}]}

    def test_it_says_what_it_does(self, member: Step) -> None:
        assert member.describe()
        assert member.with_(name="first").name == "first"

    def test_it_has_segments_of_two_factors(self, member: Step) -> None:
        assert member.repetitions >= 1
        assert member.segments
        assert all(len(segment) == 2 for segment in member.segments)
        assert member.least_steps >= 0

    def test_it_brings_the_loads_that_it_is_given(self, member: Step) -> None:
        assert len(member.own_loads) == len(getattr(member, "loads", ()))
        assert bool(member.own_loads) or member.tightening is not None or not hasattr(member, "loads")
