"""Preload cases on the way from a deck to results, in files, under edits and in checks."""

from contextlib import closing

import numpy as np
import pytest

from faying.errors import ModelError, SolveError
from faying.project import edits
from faying.project.checks import CheckedProject, run_checks
from faying.project.memory import Memory
from faying.project.serialization import project_from_dict, project_to_dict
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.project.study import read_study
from faying.testing.plates import plates, write_plate_deck

BODY = Target("body", "plates")
CLOSE = {
    "name": "close",
    "loads": [
        {"kind": "node_force", "interface": "tip", "force": [0, 0, -10.0]},
        {"kind": "node_force", "node_set": "HOLD", "force": [0, 0, 10.0], "moment": [0, -400.0, 0]},
    ],
}
FIT = {"name": "fit", "loads": [{"kind": "interference", "joint": "lap", "amount": 0.001}]}


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    return write_plate_deck(tmp_path_factory.mktemp("deck") / "plates.inp")


@pytest.fixture(scope="module")
def preloaded(deck):
    project = edits.set_value(("bodies", 0, "preloads"), [CLOSE, FIT])(plates(deck))
    for i in (0, 2):
        project = edits.set_value(("analyses", i, "preloads"), ("close",))(project)
        project = edits.set_value(("analyses", i, "loads"), ())(project)
    return project


@pytest.fixture(scope="module")
def computed(preloaded, tmp_path_factory):
    store, memory = ArtifactStore(tmp_path_factory.mktemp("store")), Memory()
    for name in ("press", "full"):
        PIPELINE.run(preloaded, Target("analysis", "plates", name), store, memory=memory)
    return store


def test_a_renamed_case_acts_under_its_new_name(preloaded, computed):
    """Its mode is not solved for again, and is known by the name that the case has now."""
    renamed = edits.rename(("bodies", 0, "preloads", 0), "press")(preloaded)
    preload = Target("preload", "plates")
    assert PIPELINE.key_of(renamed, preload) == PIPELINE.key_of(preloaded, preload)
    body = PIPELINE.run(renamed, BODY, computed, memory=Memory())
    assert set(body.preload_forces) == {"press", "fit"}
    assert renamed.analyses[0].preloads == ("press",)


@pytest.mark.parametrize("name", ["press", "full"])
def test_a_case_that_takes_the_name_of_another_makes_stale_what_it_acts_in(preloaded, name):
    """Its loads are other ones, though the modes of the cases are the same."""
    of_cases = [("bodies", 0, "preloads", i) for i in (0, 1)]
    taken = edits.rename(of_cases[1], "close")(edits.rename(of_cases[0], "old")(preloaded))
    for i in (0, 2):
        taken = edits.set_value(("analyses", i, "preloads"), ("close",))(taken)
    target = Target("analysis", "plates", name)
    assert taken.analyses == preloaded.analyses
    assert PIPELINE.key_of(taken, target) != PIPELINE.key_of(preloaded, target)


def test_preload_modes_are_an_artifact_and_a_group_of_the_basis(preloaded, computed):
    modes = PIPELINE.value(preloaded, Target("preload", "plates"), computed)
    assert modes.names == ("close", "fit") and modes.modes.shape[1] == 2
    body = PIPELINE.value(preloaded, BODY, computed)
    names = [name for name, _ in body.groups]
    assert names == ["free-free modes", "preload modes", "joint modes"]
    assert "preload mode 2" in body.mode_labels()
    np.testing.assert_allclose(body.preload_closings["fit"], [0.001])
    assert set(body.preload_forces) == {"close", "fit"}


def test_reduced_and_unreduced_agree_on_the_mounted_body(preloaded, computed):
    tips = []
    for name in ("press", "full"):
        place = PIPELINE.value(preloaded, Target("analysis", "plates", name), computed)
        with closing(place.open()) as results:
            tips.append(results.curve("tip uz")[-1])
    assert tips[0] == pytest.approx(tips[1], rel=1e-6) and tips[0] < 0.0


def test_projects_without_preloads_have_no_such_stage_and_their_keys_stay(deck, preloaded):
    plain = plates(deck)
    assert not [target for target in PIPELINE.targets(plain) if target.stage == "preload"]
    assert [target for target in PIPELINE.targets(preloaded) if target.stage == "preload"]
    key = PIPELINE.key_of
    for stage in ("interior", "components"):
        assert key(plain, Target(stage, "plates")) == key(preloaded, Target(stage, "plates"))
    for stage in ("joint_problem", "basis", "body"):
        assert key(plain, Target(stage, "plates")) != key(preloaded, Target(stage, "plates"))
    # What is at its default goes without saying.
    recipe = PIPELINE.recipe_of(plain, Target("interior", "plates"))
    assert "components" not in str(recipe.reads)
    assert "preloads" not in str(PIPELINE.recipe_of(plain, Target("analysis", "plates", "press")).reads)


def test_a_preload_depends_on_contact_laws_but_not_on_its_name(preloaded):
    target, key = Target("preload", "plates"), PIPELINE.key_of
    softer = edits.set_value(("bodies", 0, "joints", 0, "contact_law", "stiffness"), 1000.0)(preloaded)
    assert key(softer, target) != key(preloaded, target)
    renamed = edits.rename(("bodies", 0, "preloads", 0), "bolts")(preloaded)
    assert key(renamed, target) == key(preloaded, target)
    assert renamed.analyses[0].preloads == ("bolts",)  # whoever names it follows
    moved = edits.rename(("bodies", 0, "interfaces", 1), "end")(preloaded)
    assert moved.bodies[0].preloads[0].loads[0].interface == "end"
    other = edits.rename(("bodies", 0, "joints", 0), "overlap")(preloaded)
    assert other.bodies[0].preloads[1].loads[0].joint == "overlap"


def test_words_of_a_study_say_preloads_components_and_selections(preloaded):
    project = edits.set_value(("bodies", 0, "interfaces", 1, "components"), (3, 1))(preloaded)
    project = edits.set_value(("bodies", 0, "joint_modes", "derivatives"), {"kind": "preload_related"})(
        project
    )
    words = project_to_dict(project)
    assert words["bodies"][0]["interfaces"][1]["components"] == [1, 3]
    assert project_from_dict(words) == project


def test_checks_name_what_preloads_miss(deck, preloaded):
    assert not [f for f in run_checks(CheckedProject(preloaded, deck.parent)) if f.check == "preload_cases"]
    wrong = edits.set_value(
        ("bodies", 0, "preloads"),
        [
            {"name": "none", "loads": []},
            {"name": "astray", "loads": [{"kind": "node_force", "interface": "nowhere", "force": [1, 0, 0]}]},
            {"name": "loose", "loads": [{"kind": "interference", "joint": "other", "amount": 0.1}]},
        ],
    )(preloaded)
    found = [f for f in run_checks(CheckedProject(wrong, deck.parent)) if f.check == "preload_cases"]
    text = " ".join(f.sentence for f in found)
    assert "'none' has no load" in text
    assert "no interface node called 'nowhere'" in text
    assert "no joint called 'other'" in text
    assert "'press' acts under a preload case 'close', which the body has not" in text
    assert all(f.severity == "error" and f.hint for f in found) and len(found) == 5


@pytest.mark.parametrize("kind", ["free_interface", "guyan", "modal_truncation"])
def test_every_method_runs_with_joint_modes_through_the_stages(deck, tmp_path, kind):
    project = edits.replace_member(("bodies", 0, "reduction"), kind)(plates(deck))
    store = ArtifactStore(tmp_path)
    body = PIPELINE.run(project, BODY, store, memory=Memory())
    assert [name for name, _ in body.groups] == ["free-free modes", "joint modes"]
    scale = 1.0 / np.sqrt(np.diag(body.stiffness))
    assert np.linalg.cond(scale[:, None] * body.stiffness * scale) < 1e12


def test_a_part_that_only_contact_holds_is_named(tmp_path):
    from support.plate_deck import STUDY, write_study

    # The upper plate is coupled to nothing: neither held nor loaded.
    untied = STUDY.replace('name = "plates"\n', 'name = "plates"\nweak_ties = 0.0\n', 1)
    project = read_study(write_study(tmp_path, untied, hold_upper=False, load_upper=False))
    with pytest.raises(SolveError, match=r"can still move: part 'UP' of \d+ elements") as error:
        PIPELINE.run(project, BODY, ArtifactStore(tmp_path / "store"), tmp_path, memory=Memory())
    assert "contact alone" in error.value.hint


@pytest.mark.parametrize("components", [[0, 1], [7]])
def test_components_that_do_not_exist_are_a_sentence(preloaded, components):
    with pytest.raises(ModelError, match="components are numbers from 1 to 6"):
        edits.set_value(("bodies", 0, "interfaces", 1, "components"), components)(preloaded)


def test_preload_modes_do_not_need_a_body_that_its_interface_nodes_hold(preloaded, computed, tmp_path):
    project = preloaded
    for i in (0, 1):
        project = edits.set_value(("bodies", 0, "interfaces", i, "components"), (3,))(project)
    store, memory = ArtifactStore(tmp_path), Memory()
    PIPELINE.run(project, BODY, store, memory=memory)
    found = PIPELINE.value(project, Target("preload", "plates"), store).modes
    held = PIPELINE.value(preloaded, Target("preload", "plates"), computed).modes
    np.testing.assert_allclose(found, held, atol=1e-6 * np.abs(held).max())


def test_derivatives_that_are_zero_are_told_in_the_basis(tmp_path):
    from support.plate_deck import STUDY, write_study

    # Nine tenths of the gap closes nothing.
    text = STUDY.replace("count = 6", "count = 6, amplitudes = [0.9, 2.0]")
    project = read_study(write_study(tmp_path, text, gap=0.05))
    store, memory = ArtifactStore(tmp_path / "store"), Memory()

    def removed(project):
        PIPELINE.run(project, BODY, store, tmp_path, memory=memory)
        return PIPELINE.value(project, Target("basis", "plates"), store, tmp_path).removed

    told = "trial vector derivatives, which are zero"
    assert any(told in sentence for sentence in removed(project))
    # The basis of a method without derivatives says nothing of those that another one computed before.
    words = {"kind": "vibration_modes", "count": 2}
    without = edits.set_value(("bodies", 0, "joint_modes"), words)(project)
    assert not any(told in sentence for sentence in removed(without))


def test_preloads_act_on_a_body_without_preload_modes(preloaded, computed, tmp_path):
    """Without its preload mode the mounted state needs joint modes."""
    place = PIPELINE.value(preloaded, Target("analysis", "plates", "press"), computed)
    with closing(place.open()) as results:
        norm = results.curve("lap gap norm")[-1]
    errors, memory = [], Memory()
    for count in (0, 12):
        words = {"kind": "weighted_pod", "count": count}
        project = edits.set_value(("bodies", 0, "joint_modes"), words)(preloaded)
        project = edits.set_value(("bodies", 0, "preload_modes"), False)(project)
        assert project_from_dict(project_to_dict(project)) == project
        store = ArtifactStore(tmp_path / str(count))
        place = PIPELINE.run(project, Target("analysis", "plates", "press"), store, memory=memory)
        body = PIPELINE.value(project, BODY, store)
        assert "preload modes" not in dict(body.groups) and set(body.preload_forces) == {"close", "fit"}
        with closing(place.open()) as results:
            errors.append(abs(results.curve("lap gap norm")[-1] / norm - 1.0))
    assert errors[0] > 0.05
    assert errors[1] < 0.1 * errors[0]


def test_a_study_can_do_without_preload_modes(preloaded, tmp_path):
    """The preload acts either way; with its mode the mounted body is right without any joint mode (thesis 4.1.2)."""
    words = {
        "kind": "convergence_study", "name": "study", "body": "plates", "support": "hold", "preloads": ["close"],
        "loads": [{"interface": "tip", "force": [0, 0, -1e-6]}], "counts": [0, 12],
        "methods": [{"kind": "weighted_pod"}],
    }  # fmt: skip
    memory, errors = Memory(), {}
    for preload_modes in (True, False):
        study = {**words, "preload_modes": preload_modes}
        project = edits.set_value(("analyses",), [study])(preloaded)
        place = PIPELINE.run(
            project, Target("analysis", "plates", "study"), ArtifactStore(tmp_path), memory=memory
        )
        with closing(place.open()) as results:
            columns, rows = results.table("convergence")
        errors[preload_modes] = np.abs(rows[:2, columns.index("gap norm error")])
    assert errors[True][0] < 1e-3 < 0.05 < errors[False][0]
    assert errors[False][1] < 0.1 * errors[False][0]
