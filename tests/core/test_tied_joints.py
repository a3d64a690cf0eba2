"""A joint that is treated as tied, from a study to findings, report and keys."""

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from faying.errors import FayingError, ModelError
from faying.fem.ties import TieSpec
from faying.project import edits
from faying.project.findings import find_findings
from faying.project.memory import Memory
from faying.project.specs import BodySpec, JointSpec, Project
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.project.study import read_study
from support.plate_deck import STUDY, write_study

TREATMENT = ("bodies", 0, "joints", 0, "treatment")
PRESS, PAIRS = Target("analysis", "plates", "press"), Target("pairs", "plates", "lap")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("tied")
    write_study(found, STUDY.replace("load_steps = 3", "load_steps = 1\nerror_estimate = false"))
    return found


@pytest.fixture(scope="module")
def contact(folder: Path) -> Project:
    return read_study(folder / "plates.toml")


@pytest.fixture(scope="module")
def store(folder: Path) -> ArtifactStore:
    return ArtifactStore(folder / "store")


@pytest.fixture(scope="module")
def memory() -> Memory:
    return Memory()


def tied(project: Project) -> Project:
    return edits.set_value(TREATMENT, "tied")(project)


def deflection(project: Project, store: ArtifactStore, memory: Memory, folder: Path) -> float:
    with closing(PIPELINE.run(project, PRESS, store, folder, memory=memory).open()) as found:
        return float(found.curve("tip uz")[-1])


def test_a_tied_joint_has_no_pairs_and_no_joint_modes(
    contact: Project, store: ArtifactStore, memory: Memory, folder: Path
) -> None:
    project = tied(contact)
    apart, together = (deflection(p, store, memory, folder) for p in (contact, project))
    # Two plates of 2 mm on each other are up to four times as stiff as one glued of 4 mm.
    assert 0.2 < together / apart < 0.9
    body = PIPELINE.run(project, Target("body", "plates"), store, folder, memory=memory)
    assert body.joints == () and [name for name, _ in body.groups] == [
        name for name, _ in PIPELINE.run(contact, Target("body", "plates"), store, folder, memory=memory).groups
        if name != "joint modes"
    ]  # fmt: skip
    assert PAIRS in PIPELINE.targets(contact) and PAIRS not in PIPELINE.targets(project)
    with pytest.raises(ModelError, match="'lap' of body 'plates' is tied and has no contact pairs"):
        PIPELINE.run(project, PAIRS, store, folder, memory=memory)


def test_all_joints_are_tied_by_one_choice(
    contact: Project, store: ArtifactStore, memory: Memory, folder: Path
) -> None:
    one_by_one, at_once = tied(contact), edits.set_value(("bodies", 0, "joints_tied"), True)(contact)
    assert PIPELINE.key_of(one_by_one, PRESS, folder) == PIPELINE.key_of(at_once, PRESS, folder)


def test_a_joint_with_contact_keeps_its_key_whatever_its_tie_says(contact: Project, folder: Path) -> None:
    """And what a tied joint says of contact does not count for its own."""
    changed = edits.set_value(("bodies", 0, "joints", 0, "tie"), TieSpec(distance=3.0))(contact)
    for stage in ("model", "matrices", "basis", "body"):
        target = Target(stage, "plates")
        recipe = PIPELINE.recipe_of(contact, target, folder)
        assert recipe.key == PIPELINE.key_of(changed, target, folder)
        assert "ties" not in recipe.reads if isinstance(recipe.reads, dict) else True
    project = tied(contact)
    assert PIPELINE.key_of(tied(changed), PRESS, folder) != PIPELINE.key_of(project, PRESS, folder)
    # What it carries is told under its name.
    named = edits.set_value(("bodies", 0, "joints", 0, "name"), "another")(project)
    for stage, same in (("basis", True), ("body", False)):
        keys = {PIPELINE.key_of(each, Target(stage, "plates"), folder) for each in (named, project)}
        assert (len(keys) == 1) == same
    for path, value in ((("contact_law", "stiffness"), 9.0), (("search", "angle"), 11.0)):
        other = edits.set_value(("bodies", 0, "joints", 0, *path), value)(project)
        assert PIPELINE.key_of(other, PRESS, folder) == PIPELINE.key_of(project, PRESS, folder)


def test_findings_name_loose_and_over_constrained_nodes(
    contact: Project, store: ArtifactStore, memory: Memory, folder: Path
) -> None:
    found = find_findings(tied(contact), store, folder, memory=memory)
    # Both ends of the slave surface are coupled to reference nodes already.
    told = [f for f in found if f.check == "ties"]
    assert [f.severity for f in told] == ["warning", "warning"]
    assert (
        "tied nodes are moved by the coupling 'C_HOLD' too, which counts for them: nodes " in told[0].sentence
    )
    assert len(told[0].details) == 5 and not [f for f in found if f.severity == "error"]


def test_a_tie_that_finds_nothing_is_a_sentence_and_the_model_stays(tmp_path: Path) -> None:
    project = tied(read_study(write_study(tmp_path, gap=0.5)))
    store, memory = ArtifactStore(tmp_path / "store"), Memory()
    model = PIPELINE.run(project, Target("model", "plates"), store, tmp_path, memory=memory)
    assert len(model.nodes) and not len(model.ties[0].nodes)
    (told,) = [f for f in find_findings(project, store, tmp_path, memory=memory) if f.check == "ties"]
    assert told.severity == "error" and told.entity == ("bodies", 0, "joints", 0)
    assert "none of the" in told.sentence and "nearest nodes are 0.5 mm apart" in told.sentence
    with pytest.raises(
        FayingError, match=r"Joint 'lap', which is tied: none of the .* nearest nodes are 0\.5 mm apart"
    ):
        PIPELINE.run(project, PRESS, store, tmp_path, memory=memory)
    wider = edits.set_value(("bodies", 0, "joints", 0, "tie", "distance"), 0.6)(project)
    assert np.isfinite(deflection(wider, store, memory, tmp_path))


def test_old_words_of_joints_and_bodies_mean_contact() -> None:
    side = {"kind": "deck_surface", "name": "A"}
    body = BodySpec.model_validate({
        "name": "b", "model": {"path": "a.inp"}, "joints": [{"name": "j", "master": side, "slave": side}]
    })  # fmt: skip
    assert not body.tied_joints and body.contact_joints == body.joints
    assert JointSpec.model_fields["treatment"].default == "contact"
