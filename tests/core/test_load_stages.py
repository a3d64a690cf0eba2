"""Loads of a body on the way from a deck to results: stages and keys, contact, errors, checks, renaming."""

from contextlib import closing

import numpy as np
import pytest

from faying.errors import ModelError
from faying.project import edits
from faying.project.checks import CheckedProject, run_checks
from faying.project.memory import Memory
from faying.project.serialization import project_from_dict, project_to_dict
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.testing.plates import plates, write_plate_deck

BODY = Target("body", "plates")
TOP = {"kind": "grown", "element": 9, "face": 1}
PRESS = {"kind": "pressure", "name": "press", "surface": TOP, "pressure": 0.05}
WEIGHT = {"kind": "gravity", "name": "weight", "acceleration": [0.0, 0.0, -9810.0]}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """The plates pressed on each other from above, by the reduced body and by the FE model."""
    deck = write_plate_deck(tmp_path_factory.mktemp("deck") / "plates.inp")
    project = edits.set_value(("bodies", 0, "loads"), [PRESS, WEIGHT])(plates(deck))
    for i in (0, 2):
        project = edits.set_value(("analyses", i, "loads"), ())(project)
        project = edits.set_value(("analyses", i, "body_loads"), [{"load": "press"}])(project)
    return project


@pytest.fixture(scope="module")
def computed(loaded, tmp_path_factory):
    store, memory = ArtifactStore(tmp_path_factory.mktemp("store")), Memory()
    for name in ("press", "full"):
        PIPELINE.run(loaded, Target("analysis", "plates", name), store, memory=memory)
    return store


def results(project, store, name):
    return PIPELINE.value(project, Target("analysis", "plates", name), store).open()


def test_load_modes_are_a_group_of_the_basis_and_come_before_joint_modes(loaded, computed):
    body = PIPELINE.value(loaded, BODY, computed)
    assert [name for name, _ in body.groups] == ["free-free modes", "load modes", "joint modes"]
    assert body.loads.names == ("press", "weight")
    assert np.abs(body.loads.missed).max() < 1e-12 * PIPELINE.value(loaded, BODY, computed).stiffness.max()


def test_a_jointed_body_under_pressure_is_near_the_fe_model_and_tells_how_near(loaded, computed):
    body = PIPELINE.value(loaded, BODY, computed).clamped_to("hold")
    with (
        closing(results(loaded, computed, "press")) as reduced,
        closing(results(loaded, computed, "full")) as full,
    ):
        found, exact = body.displacements @ reduced.coordinates(-1), full.displacement(-1)
        estimate, told = reduced.report["error_estimate"], reduced.report["load_error"]
    assert np.abs(exact).max() > 1e-4
    # The load's own mode makes both exact, up to round-off.
    assert np.linalg.norm(found - exact) < 1e-8 * np.linalg.norm(exact)
    assert estimate["motion"] < 1e-8 and told < 1e-6
    bare = edits.set_value(("bodies", 0, "load_modes"), False)(loaded)
    PIPELINE.run(bare, Target("analysis", "plates", "press"), computed, memory=Memory())
    body = PIPELINE.value(bare, BODY, computed).clamped_to("hold")
    with closing(results(bare, computed, "press")) as reduced:
        missed = body.displacements @ reduced.coordinates(-1) - exact
        estimate, told = reduced.report["error_estimate"], reduced.report["load_error"]
    error = np.linalg.norm(missed) / np.linalg.norm(exact)
    assert error > 1e-5 and estimate["motion"] == pytest.approx(error, rel=0.01)
    assert told > 1e-3


def test_without_load_modes_the_run_tells_and_a_finding_says_so(loaded, computed):
    rough = edits.set_value(("bodies", 0, "load_modes"), False)(loaded)
    few = {"kind": "craig_bampton", "vibration_modes": 0}
    rough = edits.set_value(("bodies", 0, "reduction"), few)(rough)
    rough = edits.set_value(("bodies", 0, "joints"), ())(rough)
    PIPELINE.run(rough, Target("analysis", "plates", "press"), computed, memory=Memory())
    with closing(results(rough, computed, "press")) as found:
        told = found.report["load_error"]
    assert told > 0.1  # measured: 0.14
    checked = CheckedProject(rough, computed.folder, reports={"press": {"load_error": told}})
    (finding,) = [f for f in run_checks(checked) if f.check == "body_loads"]
    assert finding.severity == "warning" and "Let load modes be trial vectors" in finding.hint


def test_a_correction_on_the_fe_model_knows_the_loads(loaded, computed):
    words = {
        "kind": "fe_correction",
        "name": "corrected",
        "body": "plates",
        "corrects": "press",
        "accuracy": 1e-8,
    }
    project = edits.add_analysis(words)(loaded)
    PIPELINE.run(project, Target("analysis", "plates", "corrected"), computed, memory=Memory())
    with (
        closing(results(project, computed, "corrected")) as corrected,
        closing(results(loaded, computed, "full")) as full,
    ):
        found, exact = corrected.displacement(-1), full.displacement(-1)
        assert corrected.curve("press factor")[-1] == 1.0
    assert np.linalg.norm(found - exact) < 1e-3 * np.linalg.norm(exact)  # friction went its own way


def test_a_load_follows_its_history_in_motion_over_time(loaded, computed):
    """Slowly applied a load bends the body as in statics, and half of it half as much."""
    project = edits.set_value(("bodies", 0, "joints"), ())(loaded)
    ramp = {"kind": "table", "points": [[0.0, 0.0], [0.05, 1.0], [0.1, 0.0]]}
    words = {
        "kind": "transient", "name": "slow", "body": "plates", "support": "hold", "duration": 0.05, "frames": 4,
        "body_loads": [{"load": "press", "factor": 2.0, "time_history": ramp}],
    }  # fmt: skip
    project = edits.add_analysis(words)(project)
    memory = Memory()
    for name in ("press", "slow"):
        PIPELINE.run(project, Target("analysis", "plates", name), computed, memory=memory)
    with (
        closing(results(project, computed, "press")) as static,
        closing(results(project, computed, "slow")) as slow,
    ):
        assert slow.curve("press factor") == pytest.approx([0.0, 0.5, 1.0, 1.5, 2.0])
        tip = static.curve("tip uz")[-1]
        assert slow.curve("tip uz")[1:] == pytest.approx(tip * np.array([0.5, 1.0, 1.5, 2.0]), rel=0.02)
        assert slow.report["load_error"] < 1e-6


def test_only_what_the_loads_touch_gets_other_keys(loaded):
    plain = edits.set_value(("bodies", 0, "loads"), ())(loaded)
    for i in (0, 2):
        plain = edits.set_value(("analyses", i, "body_loads"), ())(plain)
    more = edits.set_value(("bodies", 0, "loads", 0, "pressure"), 0.1)(loaded)
    for name, same_without, same_with_more in (
        ("components", True, True), ("load_modes", None, False), ("basis", False, False), ("body", False, False),
    ):  # fmt: skip
        key = PIPELINE.key_of(loaded, Target(name, "plates"))
        if same_without is not None:
            assert (PIPELINE.key_of(plain, Target(name, "plates")) == key) is same_without, name
        assert (PIPELINE.key_of(more, Target(name, "plates")) == key) is same_with_more, name
    # An unreduced analysis that applies none does not go out of date with the loads.
    for project in (plain, edits.set_value(("bodies", 0, "loads"), (WEIGHT,))(plain)):
        keys = [PIPELINE.key_of(p, Target("analysis", "plates", "full")) for p in (plain, project)]
        assert keys[0] == keys[1]


def test_responses_to_loads_are_other_ones_where_the_interface_nodes_are_held(loaded):
    def key(reduction):
        project = edits.set_value(("bodies", 0, "reduction"), reduction)(loaded)
        return PIPELINE.key_of(project, Target("load_modes", "plates"))

    free, held = (
        {"kind": "free_interface", "vibration_modes": 6},
        {"kind": "craig_bampton", "vibration_modes": 6},
    )
    assert key(free) != key(held)
    # How many vibration modes there are besides makes no difference.
    assert key({**free, "vibration_modes": 7}) == key(free)
    assert key({**held, "vibration_modes": 7}) == key(held)


def test_a_renamed_load_is_followed(loaded):
    renamed = edits.rename(("bodies", 0, "loads", 0), "lid")(loaded)
    assert renamed.bodies[0].loads[0].name == "lid"
    assert [acting.load for acting in renamed.analyses[0].body_loads] == ["lid"]


def test_loads_come_back_from_plain_words(loaded):
    assert project_from_dict(project_to_dict(loaded)) == loaded


def test_what_does_not_fit_is_a_finding(loaded, computed):
    wrong = edits.set_value(("analyses", 0, "body_loads"), [{"load": "wind"}])(loaded)
    wrong = edits.set_value(("bodies", 0, "loads", 0, "surface"), {"kind": "deck_surface", "name": "LID"})(
        wrong
    )
    model = PIPELINE.value(loaded, Target("model", "plates"), computed)
    found = run_checks(CheckedProject(wrong, computed.folder, models={"plates": model}))
    sentences = [f.sentence for f in found if f.check == "body_loads"]
    assert "Load 'press': The deck has no surface called 'LID'." in sentences
    assert "Analysis 'press' applies a load 'wind', which body 'plates' has not." in sentences
    other = edits.add_body(
        {"name": "lid", "model": {"path": "lid.inp"}, "loads": [{**WEIGHT, "name": "wind"}]}
    )(wrong)
    found = run_checks(CheckedProject(other, computed.folder))
    assert any(f.sentence.endswith("it is one of body 'lid'.") for f in found)
    with pytest.raises(ModelError, match="has no load called 'wind'"):
        PIPELINE.run(
            edits.set_value(("analyses", 0, "body_loads"), [{"load": "wind"}])(loaded),
            Target("analysis", "plates", "press"), computed, memory=Memory(),
        )  # fmt: skip
