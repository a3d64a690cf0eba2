"""Curves are told apart by what they are, whatever users call its owners; texts of them lead back to them."""

import itertools

import numpy as np
import pytest

from faying.errors import ModelError
from faying.params import build
from faying.progress import Silent
from faying.project import edits
from faying.project.specs import Project
from faying.results.curve_key import CurveKey, curve_text, curve_texts, find_curve
from faying.results.key_results import key_results
from faying.session import Session
from faying.testing.plates import plates, write_plate_deck

SHAKEN = {
    "kind": "frequency_response", "name": "shaken", "body": "plates", "support": "hold", "modal_damping": [0.02],
    "lowest_frequency": 10.0, "highest_frequency": 2000.0, "loads": [{"interface": "tip", "force": [0, 0, 1.0]}],
    "points": 4,
}  # fmt: skip
SWEEP = {
    "kind": "sweep", "name": "many", "analysis": "press",
    "variations": [{"decision": "analyses.press.load_steps", "values": [1, 2]}],
}  # fmt: skip


def words_of(folder, tip="tip"):
    """Return the decisions on two plates without joints, whose loaded node has a name of choice."""
    words = plates(write_plate_deck(folder / "plates.inp")).model_dump(mode="json")
    words["bodies"][0]["joints"] = []
    words["bodies"][0].pop("joint_modes")
    for each in words["bodies"][0]["interfaces"]:
        each["name"] = tip if each["name"] == "tip" else each["name"]
    words["analyses"] = words["analyses"][:1]
    for load in words["analyses"][0]["loads"]:
        load["interface"] = tip if load["interface"] == "tip" else load["interface"]
    return words


def test_a_point_called_full_tip_beside_the_node_tip_keeps_its_own_curve(tmp_path):
    words = words_of(tmp_path)
    words["analyses"] = [{**SHAKEN, "more_points": [{"name": "full tip", "number": 20}]}]
    results = Session(build(Project, words), tmp_path / "artifacts").solve("shaken").results
    point, node = CurveKey("displacement", kind="point", owner="full tip", component="z"), CurveKey(
        "displacement", kind="interface", owner="tip", component="z", full=True
    )  # fmt: skip
    assert curve_text(point) == curve_text(node) == "full tip uz"
    assert np.abs(results.curve(point)).max() < 1e-6 * np.abs(results.curve(node)).max()
    with pytest.raises(ModelError, match="may be one of 2 curves") as told:
        results.curve("full tip uz")
    for key in (point, node):
        assert results.curve_texts[key] in str(told.value)
        np.testing.assert_array_equal(results.curve(results.curve_texts[key]), results.curve(key))


def test_a_loaded_node_called_full_tip_is_among_the_key_results(tmp_path):
    found = []
    for name in ("tip", "full tip"):
        folder = tmp_path / name
        folder.mkdir()
        session = Session(build(Project, words_of(folder, name)), folder / "artifacts")
        results = session.solve("press").results
        numbers = key_results(results, None, {}, "mm-t-s", Silent())
        found.append({each.title.replace("full tip", "tip"): each.value for each in numbers})
    assert found[0] == found[1] and "Displacement of tip along z" in found[0]


def with_a_node_and_a_joint_called_lap(folder):
    words = plates(write_plate_deck(folder / "plates.inp")).model_dump(mode="json")
    for each in words["bodies"][0]["interfaces"]:
        each["name"] = "lap" if each["name"] == "tip" else each["name"]
    for each in words["analyses"][0]["loads"]:
        each["interface"] = "lap" if each["interface"] == "tip" else each["interface"]
    taken = ({"quantity": "lap uz"}, {"quantity": "lap normal force"}, {"quantity": "iterations"})
    words["analyses"] = [words["analyses"][0], {**SWEEP, "responses": taken}]
    return build(Project, words)


def test_a_renamed_joint_takes_its_own_curves_along_and_no_others(tmp_path):
    project = with_a_node_and_a_joint_called_lap(tmp_path)

    def quantities(after):
        return [each.quantity for each in after.analyses[-1].responses]

    joint = edits.rename(("bodies", 0, "joints", 0), "seam")(project)
    assert quantities(joint) == ["lap uz", "seam normal force", "iterations"]
    names = [each.name for each in project.bodies[0].interfaces]
    node = edits.rename(("bodies", 0, "interfaces", names.index("lap")), "end")(project)
    assert quantities(node) == ["end uz", "lap normal force", "iterations"]


def test_texts_lead_back_to_keys_whatever_owners_are_called():
    names = ("tip", "full tip", "tip x", "lap normal force", "rod: lap", "tip ux phase", "a, b (c)", " ")
    keys = [
        CurveKey(quantity, "length", kind, name, component, part=part, full=full)
        for quantity, kind, component in (("displacement", "interface", "x"), ("normal force", "joint", ""))
        for name, part, full in itertools.product(names, ("", "rod"), (False, True))
    ]
    keys += [key.phase for key in keys if key.component]
    texts = curve_texts(keys)
    assert len(set(texts.values())) == len(keys)
    for key, text in texts.items():
        assert find_curve(text, keys, "The run") == key
        assert CurveKey(**key.words()) == key


def test_an_unknown_text_is_told_with_the_nearest():
    keys = [CurveKey("displacement", "length", "interface", "tip", axis) for axis in "xyz"]
    with pytest.raises(ModelError, match=r"Analysis 'run' has no curve 'tip uy2'.*Did you mean 'tip uy'"):
        find_curve("tip uy2", keys, "Analysis 'run'")
