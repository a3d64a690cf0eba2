"""Contract of stages, on a small computed project."""

from typing import Any, ClassVar

import pytest

from faying.project.memory import Memory
from faying.project.specs import Project
from faying.project.stage import Stage, Target
from faying.project.stages import stages
from faying.session import Session
from faying.testing.contracts.members import Contract
from faying.testing.plates import plates_session


class StageContract(Contract):
    """A stage follows its needs, its key depends only on decisions, and its outcome is restored from the store.

    For a stage that needs more than the two plates, override `session`.
    """

    family: ClassVar[Any] = stages

    @pytest.fixture
    def session(self) -> Session:
        """Two plates in contact, with a static, a transient and an unreduced analysis."""
        return plates_session()

    @pytest.fixture
    def stage(self, kind: str) -> Stage[Any]:
        """The tested stage."""
        made: Stage[Any] = self.family[kind]()
        return made

    @pytest.fixture
    def targets(self, kind: str, session: Session) -> tuple[Target, ...]:
        """Its targets in the session; none skips the test."""
        found = session.pipeline.targets_of(session.project, kind)
        if not found:
            pytest.skip("the project has no such target")
        return found

    def test_it_says_what_it_is(self, kind: str, stage: Stage[Any]) -> None:
        """Name, title, place, share of the time."""
        assert stage.name == kind
        assert stage.title
        assert stage.weight > 0.0
        assert stage.per in ("body", "joint", "analysis", "motion", "sweep")
        assert stage.keeps in ("artifact", "memory", "results")

    def test_it_comes_after_what_it_needs(
        self, stage: Stage[Any], session: Session, targets: tuple[Target, ...]
    ) -> None:
        """Each need is a target of a stage before it, or of itself; no two stages have the same place."""
        assert [name for name, each in self.family.items() if each.order == stage.order] == [stage.name]
        for target in targets:
            for need in stage.needs(session.project, target).values():
                least = self.family[need.stage].order
                assert least <= stage.order, f"{need.stage} has order {least}: what needs it has a larger one"

    def test_decisions_alone_make_its_key(self, session: Session, targets: tuple[Target, ...]) -> None:
        """A project that was written down and read again has the same keys."""
        again = Project.model_validate(session.project.model_dump(mode="json"))
        for target in targets:
            keys = {
                session.pipeline.key_of(project, target, session.base) for project in (session.project, again)
            }
            assert len(keys) == 1

    def test_its_outcome_survives_the_store(
        self, stage: Stage[Any], session: Session, targets: tuple[Target, ...]
    ) -> None:
        """What is read back is of the kind that was computed, and nothing has to be computed again."""
        value = session.compute(targets[0])
        assert value is not None
        if stage.keeps != "memory":
            session.memory = Memory()
            assert session.state(targets[0]).status == "ready"
            assert type(session.value(targets[0])) is type(value)
