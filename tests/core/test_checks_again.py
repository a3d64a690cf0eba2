"""Checks after a change compute only what the change concerns."""

import pytest

from faying.project import checks as checks_module
from faying.project import edits
from faying.project.checks import CheckedProject, checks, run_checks
from faying.project.memory import Memory
from faying.project.pipeline import Pipeline
from faying.project.specs import BodySpec, InterfaceSpec, ModelSpec, Project
from faying.project.stage import Target
from faying.project.stages import STAGES
from faying.project.store import ArtifactStore
from support.pads_deck import write_pads_deck

PADS = (3, 2)


@pytest.fixture(scope="module")
def pads(tmp_path_factory):
    """A project of six pads on a plate with its model and pairs."""
    folder = tmp_path_factory.mktemp("pads")
    deck = write_pads_deck(folder / "pads.inp", PADS, (12, 8))
    interfaces = tuple(InterfaceSpec(name=name, node_set=name) for name in ("HOLD", "TIP"))
    project = Project(bodies=(BodySpec(name="pads", model=ModelSpec(path=str(deck)), interfaces=interfaces),))
    for number in range(1, PADS[0] * PADS[1] + 1):
        sides = {"master": f"BASE_{number}", "slave": f"PAD_{number}"}
        words = {side: {"kind": "deck_surface", "name": name} for side, name in sides.items()}
        project = edits.add_joint("pads", {"name": f"pad {number}", **words})(project)
    pipeline, store, memory = Pipeline(STAGES), ArtifactStore(folder / "artifacts"), Memory()
    model = pipeline.run(project, Target("model", "pads"), store, memory=memory)
    pairs = {
        ("pads", joint.name): pipeline.run(project, Target("pairs", "pads", joint.name), store, memory=memory)
        for joint in project.bodies[0].joints
    }
    return project, {"pads": model}, pairs, folder


@pytest.fixture
def counted(monkeypatch):
    """Count how often a proposal for the contact stiffness is computed."""
    made, real = [], checks_module.propose_stiffness

    def count(*words):
        made.append(words[3])
        return real(*words)

    monkeypatch.setattr(checks_module, "propose_stiffness", count)
    return made


def test_what_all_loose_parts_share_is_found_once(pads, counted):
    project, models, pairs, folder = pads
    found = list(checks["loose_parts"](CheckedProject(project, folder, models, pairs)))
    assert len(found) == len(pairs) - 1  # the first pad has the node TIP
    assert all("about" in finding.sentence for finding in found)
    assert len(counted) == len(pairs)


def test_a_check_after_a_change_computes_what_the_change_concerns(pads, counted):
    project, models, pairs, folder = pads
    first = CheckedProject(project, folder, models, pairs)
    before = run_checks(first)
    assert len(counted) == len(pairs)
    counted.clear()
    law = ("bodies", 0, "joints", 2, "contact_law", "stiffness")
    softer = edits.set_value(law, 1e-3)(project)
    second = CheckedProject(softer, folder, models, pairs, known=first.made)
    after = run_checks(second)
    assert not counted  # a law has nothing to do with what the mesh proposes
    assert after == run_checks(CheckedProject(softer, folder, models, pairs)) != before
    assert run_checks(CheckedProject(project, folder, models, pairs, known=second.made)) == before
    counted.clear()
    fewer = {name: found for name, found in pairs.items() if name != ("pads", "pad 4")}
    again = edits.set_value(("bodies", 0, "joints", 3, "master", "name"), "BASE_5")(project)
    run_checks(CheckedProject(again, folder, models, fewer, known=second.made))
    assert not counted
    run_checks(CheckedProject(again, folder, models, pairs, known=second.made))
    assert [id(each) for each in counted] == [id(pairs["pads", "pad 4"])]
