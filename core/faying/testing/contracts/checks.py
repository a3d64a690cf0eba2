"""Contract of checks: sentences with a hint and a place, and no errors for a good model."""

from pathlib import Path
from typing import Any, ClassVar

from faying.project.checks import CheckedProject, Finding, checks, entity_text
from faying.project.specs import Project
from faying.project.stage import Target
from faying.project.stages import stages
from faying.testing.contracts.members import Contract
from faying.testing.plates import plates_session


class CheckContract(Contract):
    """A check finds no errors in two valid plates, accepts an empty project, and gives the same findings again."""

    family: ClassVar[Any] = checks

    def checked(self) -> CheckedProject:
        """The two plates with all input of checks."""
        session = plates_session()
        return CheckedProject(
            session.project, session.base,
            models={"plates": session.compute(Target("model", "plates"))},
            pairs={("plates", "lap"): session.compute(Target("pairs", "plates", "lap"))},
            with_meshes=True,
        )  # fmt: skip

    def test_a_good_model_has_no_errors(self, kind: str) -> None:
        checked = self.checked()
        found = list(self.family[kind](checked))
        assert not [finding for finding in found if finding.severity == "error"]
        assert list(self.family[kind](checked)) == found
        self.are_sentences(checked, found)

    def test_an_empty_project_is_no_trouble(self, kind: str) -> None:
        checked = CheckedProject(Project(), Path.cwd())
        self.are_sentences(checked, list(self.family[kind](checked)))

    def are_sentences(self, checked: CheckedProject, found: list[Finding]) -> None:
        """Assert that findings have a known severity, a sentence, and a place in the project."""
        for finding in found:
            assert finding.severity in ("error", "warning", "note")
            assert finding.sentence.endswith(".") and len(finding.sentence.split()) > 2
            assert entity_text(checked.project, finding.entity)

    def test_the_stages_that_suffer_are_stages(self, kind: str) -> None:
        assert set(getattr(self.family[kind], "stages", ())) <= set(stages)
