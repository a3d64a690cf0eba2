"""The real way from a small deck to results through the pipeline, and what a user may do wrong on it."""

from pathlib import Path

import numpy as np
import pytest

from faying.errors import FayingError
from faying.project import edits
from faying.project.deck import deck_digest, has_changed, with_digests
from faying.project.file import open_project, save_project
from faying.project.file_names import with_file_names
from faying.project.memory import Memory
from faying.project.stage import Target, target_of
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.testing import StageContract
from faying.testing.plates import plates, write_plate_deck

BODY, PAIRS = Target("body", "plates"), Target("pairs", "plates", "lap")
PRESS, SWING = Target("analysis", "plates", "press"), Target("analysis", "plates", "swing")


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    return write_plate_deck(tmp_path_factory.mktemp("deck") / "plates.inp")


@pytest.fixture(scope="module")
def computed(deck, tmp_path_factory):
    """The project with everything computed: (project, store)."""
    project, store = plates(deck), ArtifactStore(tmp_path_factory.mktemp("store"))
    memory = Memory()
    for analysis in project.analyses:
        PIPELINE.run(project, Target("analysis", "plates", analysis.name), store, memory=memory)
    return project, store


class TestStages(StageContract):
    pass


def needed(project):
    """Return the targets of all analyses, and all that goes into them."""
    found, waiting = set(), [target_of(analysis) for analysis in project.analyses]
    while waiting:
        target = waiting.pop()
        if target not in found:
            found.add(target)
            waiting += PIPELINE.stages[target.stage].needs(project, target).values()
    return found


def test_the_whole_way(computed):
    project, store = computed
    states = PIPELINE.states(project, store)
    unasked = {target for target, state in states.items() if state.status == "missing"}
    assert unasked == set(states) - needed(project)  # what no analysis needs
    assert {"full_modes", "quality"} <= {target.stage for target in unasked}
    assert {state.status for target, state in states.items() if target not in unasked} == {"ready"}
    pairs, body = PIPELINE.value(project, PAIRS, store), PIPELINE.value(project, BODY, store)
    assert len(pairs) == 15 and pairs.weights.sum() == pytest.approx(400.0)
    assert body.joints[0].normal.shape == (15, body.n_coordinates)
    assert body.total_mass == pytest.approx(2 * 40 * 10 * 2 * 7.85e-9)
    results = PIPELINE.value(project, SWING, store).open()
    assert results.n_frames == 5 and results.frame_of_reference == "hold"
    results.close()


def test_what_each_decision_makes_stale(computed):
    project, store = computed

    def stale(edit):
        states = PIPELINE.states(edit(project), store)
        return {" ".join(p for p in (t.stage, t.item) if p) for t, s in states.items() if s.status == "stale"}

    joint = ("bodies", 0, "joints", 0)
    results = {"analysis press", "analysis swing", "analysis full"}
    assert stale(edits.set_value((*joint, "contact_law", "stiffness"), 1000.0)) == results
    assert stale(edits.set_value(("analyses", 1, "duration"), 2e-4)) == {"analysis swing"}
    reduced = results - {"analysis full"}  # which knows nothing of joint modes
    assert stale(edits.set_value(("bodies", 0, "joint_modes", "count"), 3)) == {"basis", "body", *reduced}
    assert stale(edits.set_value(("bodies", 0, "joint_modes"), {"kind": "pod"})) == {
        "basis",
        "body",
        *reduced,
    }
    other = {"kind": "coulomb", "friction_coefficient": 0.123}
    assert stale(edits.set_value((*joint, "friction_law"), other)) == {
        "analysis swing"
    }  # statics are without
    # Pairs tie parts that only contact holds, so component modes depend on them, unless nothing is to be tied.
    searched = edits.set_value((*joint, "search", "angle"), 30.0)
    assert stale(searched) == {"pairs lap", "components", "basis", "body", *results}
    assert stale(edits.set_value(("name",), "another")) == set()
    assert stale(edits.rename(("analyses", 0), "pressed")) == set()
    assert stale(edits.rename(("bodies", 0), "sheets")) == set()
    renamed = edits.rename(joint, "overlap")(project)
    assert PIPELINE.state(renamed, Target("basis", "plates"), store).status == "ready"


@pytest.mark.parametrize("analysis", ["press", "full"])
def test_joints_that_exchange_names_and_laws_make_their_analyses_stale(deck, analysis):
    """The law of each name is the same, but it acts between other surfaces."""
    joint = plates(deck).bodies[0].joints[0].with_(friction_law=None)
    soft = joint.contact_law.with_(stiffness=0.1 * joint.contact_law.stiffness)
    swapped = joint.with_(master=joint.slave, slave=joint.master)

    def key(one, other):
        joints = joint.with_(**one), swapped.with_(**other)
        project = edits.set_value(("bodies", 0, "joints"), joints)(plates(deck))
        return PIPELINE.key_of(project, Target("analysis", "plates", analysis))

    hard, weak = {"name": "a"}, {"name": "c", "contact_law": soft}
    assert key(hard, weak) != key(weak, hard)


def test_the_project_file_holds_all_that_a_viewer_needs_without_the_deck(computed, tmp_path):
    project, store = computed
    path = tmp_path / "plates.faying"
    save_project(path, project, "", store, PIPELINE.reached(project, store))
    opened = open_project(path).project
    elsewhere = tmp_path / "without decks" / Path(opened.bodies[0].model.path).name
    gone = with_file_names(opened, lambda name: str(elsewhere))
    fresh = ArtifactStore(tmp_path / "fresh", below=path)
    for stage in ("model", "basis", "body"):
        assert PIPELINE.value(gone, Target(stage, "plates"), fresh) is not None
    for target in (PAIRS, PRESS, SWING):
        assert PIPELINE.state(gone, target, fresh).status == "ready"
    before, after = PIPELINE.value(project, BODY, store), PIPELINE.value(gone, BODY, fresh)
    np.testing.assert_array_equal(before.displacements, after.displacements)
    # Of a deck that somebody chooses instead nothing is known.
    for chosen in ("typo.inp", elsewhere.name):
        other = edits.set_value(("bodies", 0, "model", "path"), str(tmp_path / chosen))(gone)
        assert PIPELINE.state(other, PRESS, fresh).status == "blocked"
    # From there it goes on: another law needs no deck.
    other = edits.set_value(("bodies", 0, "joints", 0, "contact_law", "stiffness"), 1000.0)(gone)
    results = PIPELINE.run(other, PRESS, fresh).open()
    assert results.complete
    results.close()


def test_a_changed_deck_makes_everything_stale(tmp_path):
    deck = write_plate_deck(tmp_path / "plates.inp")
    project, store = with_digests(plates(deck), tmp_path), ArtifactStore(tmp_path / "store")
    PIPELINE.run(project, PAIRS, store)
    assert not has_changed(project.bodies[0], tmp_path)
    write_plate_deck(deck, divisions=6)
    assert has_changed(project.bodies[0], tmp_path)
    state = PIPELINE.state(project, PAIRS, store)
    assert state.status == "stale" and "deck" in state.why[0]
    assert len(PIPELINE.run(project, PAIRS, store)) == 21


@pytest.mark.parametrize(
    ("deck", "main", "part"),
    [
        ("main.inp", '*INCLUDE, INPUT="part.inc"', "*INCLUDE,INPUT=deep.inc"),
        ("main.inp", "*NODE, NSET=ALL, INPUT=part.inc", "*INCLUDE, INPUT=deep.inc"),
        ("main.inp", "*INCLUDE, INPUT=part.inc", "*ELEMENT, TYPE=C3D8, INPUT=deep.inc"),
        ("main.bdf", "INCLUDE 'part.inc'", "INCLUDE deep.inc"),
    ],
)
def test_a_changed_include_counts(tmp_path, deck, main, part):
    (tmp_path / deck).write_text(f"{main}\n")
    (tmp_path / "part.inc").write_text(f"{part}\n")
    (tmp_path / "deep.inc").write_text("** one\n")
    before = deck_digest(tmp_path / deck)
    assert deck_digest(tmp_path / deck) == before
    (tmp_path / "deep.inc").write_text("** two, longer\n")
    changed = deck_digest(tmp_path / deck)
    assert changed != before
    # What an included file includes by now counts, too.
    (tmp_path / "part.inc").write_text(f"{part}\n{part.replace('deep', 'new')}\n")
    (tmp_path / "new.inc").write_text("** new\n")
    assert (more := deck_digest(tmp_path / deck)) != changed
    (tmp_path / "new.inc").write_text("** new, longer\n")
    assert deck_digest(tmp_path / deck) != more


@pytest.mark.parametrize(
    ("change", "target", "words"),
    [
        (edits.set_value(("bodies", 0, "model", "path"), "/no/such.inp"), BODY, "deck of body 'plates' is not there"),
        (edits.set_value(("bodies", 0, "interfaces", 0, "node_set"), "NONE"), BODY,
         "Interface node 'hold' of body 'plates': the deck has no node set 'NONE'"),
        (edits.set_value(("bodies", 0, "interfaces", 0, "node_set"), "HOLD_FACE"), BODY, "holds 12 nodes"),
        (edits.set_values(("bodies", 0, "interfaces", 0), {"node_set": "", "node": 0}), BODY, "names no node"),
        (edits.set_values(("bodies", 0, "interfaces", 0), {"node_set": "", "node": 987}), BODY, "no node 987"),
        (edits.set_values(("bodies", 0), {"interfaces": (), "reduction": {"kind": "guyan"}}), BODY,
         "nothing deforms the body"),
        (edits.set_value(("bodies", 0, "joints", 0, "master", "name"), "NONE"), PAIRS,
         "Joint 'lap', master surface"),
        (edits.set_value(("bodies", 0, "joints", 0, "slave", "name"), "LOWER"), PAIRS, "Joint 'lap'"),
        (edits.set_value(("analyses", 0, "support"), "nowhere"), PRESS, "no interface node called 'nowhere'"),
    ],
)  # fmt: skip
def test_what_a_user_may_do_wrong_is_a_sentence(deck, tmp_path, change, target, words):
    with pytest.raises(FayingError) as caught:
        PIPELINE.run(change(plates(deck)), target, ArtifactStore(tmp_path))
    assert words in str(caught.value)


def test_blocked_is_told_without_computing(tmp_path):
    project = plates(tmp_path / "none.inp")
    state = PIPELINE.state(project, BODY, ArtifactStore(tmp_path / "store"))
    assert state.status == "blocked" and "is not there" in state.why[0]


def test_a_body_without_joints_is_reduced_too(deck, tmp_path):
    project = edits.remove(("bodies", 0, "joints", 0))(plates(deck))
    body = PIPELINE.run(project, BODY, ArtifactStore(tmp_path))
    assert body.joints == ()
