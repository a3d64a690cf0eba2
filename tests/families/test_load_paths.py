"""A new kind of step and a new static analysis are one class each: they run, continue, and are in files at once."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from faying.analyses import BodyModel, analyses
from faying.analyses.statics.fe_structure import FeStructure
from faying.analyses.statics.path_run import run_path
from faying.analyses.statics.reduced_structure import ReducedStructure
from faying.analyses.statics.settings import HeldStatics
from faying.analyses.step_kinds import LoadingStep, Step, step_kinds
from faying.analyses.step_kinds.load import LoadChange
from faying.errors import Cancelled
from faying.params import build, parameter
from faying.progress import Progress
from faying.project.specs import Project
from faying.session import Session
from faying.testing import StepContract
from faying.testing.plates import plates, write_plate_deck

PRESS = {"interface": "tip", "force": [0.0, 0.0, -5.0]}
HELD = {"body": "plates", "support": "hold"}


class Proof(LoadingStep):
    """Loads go beyond their size, then back to it."""

    title: ClassVar[str] = "Proof load"
    factor: float = parameter(1.5, title="Factor", gt=1.0, meaning="Of the loads, on the way.")

    @property
    def segments(self) -> tuple[tuple[float, ...], ...]:
        return (0.0, self.factor), (0.0, 1.0)

    def describe(self) -> str:
        return "proof load"


class ThereAndBack(HeldStatics):
    """Loads come, and half of them goes."""

    title: ClassVar[str] = "There and half back"
    needs_matrices: ClassVar[bool] = True
    unreduced: bool = parameter(False, title="Unreduced", meaning="Whether on the FE model.")

    def path_steps(self) -> tuple[Step, ...]:
        half = [load.with_(force=tuple(0.5 * each for each in load.force)) for load in self.loads]
        return LoadChange(loads=self.loads), LoadChange(loads=tuple(half))

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        structure = FeStructure(self, body) if self.unreduced else ReducedStructure(self, body)
        return run_path(self, structure, target, progress)


class TestProof(StepContract):
    kinds: ClassVar = ("proof",)

    @pytest.fixture(autouse=True)
    def with_members(self, members: None) -> None:
        """It is tried as those of the program are."""


@pytest.fixture
def members():
    for family, kind, member in ((step_kinds, "proof", Proof), (analyses, "there_and_back", ThereAndBack)):
        family.discover()
        family.register(kind)(member)
    yield
    del step_kinds._members["proof"], analyses._members["there_and_back"]


def session_of(folder: Path, *more: dict[str, Any]) -> Session:
    words = plates(write_plate_deck(folder / "plates.inp")).model_dump(mode="json")
    return Session(build(Project, words | {"analyses": more}), folder / "artifacts")


def test_a_new_step_goes_beyond_its_load_and_back(members, tmp_path):
    steps = [{"kind": "proof", "loads": [PRESS]}, {"kind": "load"}]
    again = {"kind": "steps", "name": "load", **HELD, "steps": [{"kind": "load", "loads": [PRESS]}]}
    session = session_of(tmp_path, {"kind": "steps", "name": "proof", **HELD, "steps": steps}, again)
    results = session.solve("proof").results
    assert [each["what"] for each in results.report["steps"]] == ["proof load", "unload"]
    forces = results.curve("tip force z")
    assert forces.min() == pytest.approx(-7.5) and forces[results.values == 2.0] == pytest.approx(-5.0)
    assert forces[-1] == pytest.approx(0.0, abs=1e-12)
    # Without slip the state under the load is that of the load alone.
    alone = session.solve("load").results.curve("tip uz")[-1]
    assert results.curve("tip uz")[results.values == 2.0] == pytest.approx(alone, rel=0.05)


@pytest.mark.parametrize("unreduced", [False, True])
def test_a_new_analysis_continues_where_it_was_stopped(members, tmp_path, unreduced):
    words = {
        "kind": "there_and_back", "name": "it", **HELD, "loads": [PRESS], "load_steps": 3, "unreduced": unreduced,
    }  # fmt: skip
    results = session_of(tmp_path, words).solve("it").results
    np.testing.assert_allclose(results.values, np.arange(1, 7) / 3)
    motion = results.curve("tip uz")
    assert motion[-1] == pytest.approx(0.5 * motion[2], rel=0.1)

    class Stop:
        def report(self, fraction: float, text: str = "", **values: Any) -> None:
            if "load step 3" in text:
                raise Cancelled

    other = tmp_path / "other"
    other.mkdir()
    again = session_of(other, words)
    with pytest.raises(Cancelled):
        Session(again.project, other / "artifacts", progress=Stop()).solve("it")
    np.testing.assert_allclose(again.solve("it").results.curve("tip uz"), motion, rtol=1e-6)
