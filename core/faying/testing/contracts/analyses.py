"""Contract of analyses: complete, self-describing results, and none from a cancelled run."""

from pathlib import Path
from typing import Any, ClassVar

import pytest

from faying.analyses import Analysis, analyses
from faying.errors import Cancelled
from faying.params import build
from faying.progress import CancelFlag
from faying.project.specs import Project
from faying.project.stage import target_of
from faying.results.results import Results
from faying.session import Session
from faying.testing.contracts.members import Contract
from faying.testing.plates import plates, write_plate_deck


class AnalysisContract(Contract):
    """Tested on two plates.

    Attributes:
        samples: by kind, parameters in addition to body and support.
        others: by kind, analyses on which it builds, in the form of a study file.
    """

    family: ClassVar[Any] = analyses
    samples: ClassVar[dict[str, dict[str, Any]]] = {}
    others: ClassVar[dict[str, list[dict[str, Any]]]] = {}
    common: ClassVar[dict[str, Any]] = {
        "body": "plates", "support": "hold", "loads": [{"interface": "tip", "force": [0.0, 0.0, -5.0]}],
    }  # fmt: skip

    @pytest.fixture
    def project(self, kind: str, tmp_path: Path) -> Project:
        """The plates with one analysis of the kind, called "tried"."""
        chosen = self.family[kind]
        common = {name: value for name, value in self.common.items() if name in chosen.model_fields}
        words = {"kind": kind, "name": "tried"} | chosen.example() | common | self.samples.get(kind, {})
        first = plates(write_plate_deck(tmp_path / "plates.inp"))
        others = [{**self.common, **other} for other in self.others.get(kind, [])]
        return build(Project, first.model_dump() | {"analyses": [*others, words]})

    @pytest.fixture
    def session(self, project: Project, tmp_path: Path) -> Session:
        """A session of the project, in which nothing is computed."""
        return Session(project, tmp_path / "artifacts")

    @pytest.fixture
    def analysis(self, session: Session) -> Analysis:
        """The tested analysis."""
        found: Analysis = session.project.analysis("tried")
        return found

    def test_it_says_whose_it_is_and_what_it_follows(self, analysis: Analysis, session: Session) -> None:
        names = {each.name for each in session.project.analyses}
        assert analysis.owner == "plates"
        assert set(analysis.predecessors()) <= names
        assert analysis.stage in (
            "analysis",
            "motion",
        )  # a sweep varies another analysis and has separate tests
        assert analysis.title

    def test_its_results_are_complete_and_say_what_they_are(
        self, analysis: Analysis, session: Session
    ) -> None:
        target = target_of(analysis)
        results = session.compute(target).open()
        assert isinstance(results, Results)
        assert results.complete
        assert results.body == "plates"
        assert results.n_frames == len(results.values) > 0
        assert all(results.label(frame) for frame in range(results.n_frames))
        assert results.report
        assert session.state(target).status == "ready"

    def test_a_stopped_run_is_not_complete(self, analysis: Analysis, session: Session) -> None:
        flag = CancelFlag()
        flag.cancel()
        with pytest.raises(Cancelled):
            session.pipeline.run(session.project, target_of(analysis), session.store, progress=flag)
        assert session.state(target_of(analysis)).status in ("missing", "partial")
