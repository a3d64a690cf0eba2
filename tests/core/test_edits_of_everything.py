"""Edits of one project that has something of everything: new names are followed, what is undone is undone."""

import pytest

from faying.errors import FayingError
from faying.params import build
from faying.project import edits
from faying.project.decisions import bounds_of, decision_name, decision_of, decisions_of
from faying.project.paths import path_text, value_at
from faying.project.serialization import project_from_dict, project_to_dict
from faying.project.specs import Project

TOP, LOW = {"kind": "deck_set", "name": "TOP"}, {"kind": "deck_surface", "name": "LOW"}
UP = {"interface": "tip", "force": (0.0, 0.0, 1.0)}
BODY = {
    "model": {"path": "block.inp"},
    "interfaces": [
        {"name": "hold", "node_set": "floor"},
        {"name": "tip", "node": 7},
        {"name": "foot", "node_set": "foot"},
    ],
    "couplings": [{"name": "foot", "surface": TOP}],
    "supports": [{"name": "floor", "surface": LOW}],
    "bolts": [{"name": "M8", "shank": TOP}],
    "materials": [{"kind": "library", "name": "steel"}],
    "joints": [
        {
            "name": "lap",
            "master": TOP,
            "slave": LOW,
            "contact_law": {"kind": "linear_penalty", "stiffness": "5 GPa/mm"},
            "friction_law": {"kind": "coulomb", "friction_coefficient": 0.2},
            "search": {"distance": "0.5 mm"},
        },
        {"name": "seam", "master": LOW, "slave": TOP, "treatment": "tied"},
    ],
    "contact_surfaces": [{"name": "top", "surface": TOP}, {"name": "low", "surface": LOW}],
    "preloads": [
        {
            "name": "bolts",
            "loads": [
                {"kind": "bolt_force", "bolt": "M8", "force": 9.0},
                {"kind": "interference", "joint": "lap", "amount": 0.01},
            ],
        },
        {"name": "pulled", "loads": [{"kind": "node_force", "interface": "tip", "force": (0, 0, 1)}]},
    ],
    "loads": [{"kind": "gravity", "name": "weight", "acceleration": (0, 0, -9810)}],
    "probes": [{"number": 3, "place": "node", "field": "displacement_z"}],
}
MARKERS = [{"name": "pin", "position": (1.0, 0, 0)}, {"name": "end"}]
RICH = {
    "name": "all",
    "bodies": [{"name": "block", **BODY}, {"name": "other", **BODY}],
    "systems": [
        {
            "name": "press",
            "parts": [
                {
                    "kind": "flexible",
                    "name": "one",
                    "body": "block",
                    "body_loads": [{"load": "weight"}],
                    "markers": [{"name": "seat", "interface": "tip"}],
                },
                {"kind": "flexible", "name": "two", "body": "other"},
                {
                    "kind": "rigid",
                    "name": "crank",
                    "markers": MARKERS,
                    "contact_surfaces": [{"kind": "sphere", "name": "skin", "radius": 4.0}],
                },
            ],
            "ground": [{"name": "wall"}, {"name": "rail"}],
            "ground_surfaces": [{"kind": "plane", "name": "floor"}],
            "constraints": [
                {"kind": "revolute", "name": "hinge", "first": "ground.wall", "second": "crank.pin"},
                {"kind": "spherical", "name": "ball", "first": "one.tip", "second": "crank.end"},
                {"kind": "universal", "name": "cross", "first": "one.tip", "second": "two.hold"},
                {"kind": "fixed", "name": "seated", "first": "one.seat", "second": "ground.wall"},
                {"kind": "cylindrical", "name": "guide", "first": "crank.frame", "second": "ground.rail"},
            ],
            "forces": [
                {"kind": "spring_damper", "name": "spring", "first": "crank.end", "second": "ground.wall"}
            ],
            "contacts": [
                {"name": "hit", "master": "crank.skin", "slave": "one.top"},
                {"name": "slide", "master": "ground.floor", "slave": "two.low"},
            ],
        },
        {
            "name": "bench",
            "parts": [{"kind": "flexible", "name": "one", "body": "block"}],
            "ground": [{"name": "wall"}],
            "constraints": [{"kind": "fixed", "name": "held", "first": "ground.wall", "second": "one.hold"}],
        },
    ],
    "analyses": [
        {
            "kind": "static",
            "name": "press",
            "body": "block",
            "support": "hold",
            "loads": [UP],
            "preloads": ["bolts"],
            "body_loads": [{"load": "weight"}],
            "displacements": [{"interface": "tip", "ux": 0.1}],
        },
        {
            "kind": "static",
            "name": "same",
            "body": "other",
            "support": "hold",
            "loads": [UP],
            "preloads": ["bolts", "pulled"],
        },
        {
            "kind": "steps",
            "name": "row",
            "body": "block",
            "support": "hold",
            "steps": [{"kind": "tighten", "bolt": "M8", "force": 1.0}, {"kind": "load", "loads": [UP]}],
        },
        {"kind": "motion", "name": "run", "system": "press", "duration": 0.1},
        {"kind": "motion", "name": "on", "system": "press", "start_from": "run"},
        {
            "kind": "system_frequency_response",
            "name": "shaken",
            "system": "press",
            "loads": [{"marker": "crank.pin", "force": (0, 0, 1)}, {"marker": "one.tip", "force": (0, 0, 1)}],
        },
        {
            "kind": "system_frequency_response",
            "name": "tapped",
            "system": "bench",
            "loads": [{"marker": "one.tip", "force": (0, 0, 1)}],
        },
        {"kind": "envelope", "name": "worst", "body": "block", "cases": ["press"]},
        {
            "kind": "combination",
            "name": "sum",
            "body": "block",
            "combinations": [{"name": "a", "cases": [{"analysis": "press", "factor": 2.0}]}],
        },
        {
            "kind": "sweep",
            "name": "more",
            "analysis": "press",
            "responses": [{"quantity": "tip uz"}],
            "variations": [
                {"decision": "bodies.block.joints.lap.contact_law.stiffness", "values": [1.0, 2.0]},
                {"decision": "analyses.press.loads.tip.force.z", "values": [3.0, 4.0]},
            ],
        },
    ],
}

LAP, SYSTEM = ("bodies", 0, "joints", 0), ("systems", 0)
# Of each name, how many other places of the project refer to it.
FOLLOWERS = {
    ("bodies", 0): 7, ("bodies", 1): 2, LAP: 2,
    ("bodies", 0, "interfaces", 1): 11, ("bodies", 1, "interfaces", 0): 2,
    ("bodies", 0, "couplings", 0): 1, ("bodies", 0, "supports", 0): 1, ("bodies", 0, "bolts", 0): 2,
    ("bodies", 0, "preloads", 0): 1, ("bodies", 1, "preloads", 1): 1, ("bodies", 0, "loads", 0): 2,
    ("bodies", 0, "contact_surfaces", 0): 1, ("bodies", 1, "contact_surfaces", 1): 1,
    SYSTEM: 3, ("systems", 1): 1,
    (*SYSTEM, "parts", 0): 5, (*SYSTEM, "parts", 2): 6,
    (*SYSTEM, "parts", 2, "markers", 0): 2, (*SYSTEM, "parts", 2, "contact_surfaces", 0): 1,
    (*SYSTEM, "parts", 0, "markers", 0): 1, (*SYSTEM, "ground", 0): 3, (*SYSTEM, "ground_surfaces", 0): 1,
    (*SYSTEM, "constraints", 0): 0, (*SYSTEM, "forces", 0): 0, ("systems", 1, "ground", 0): 1,
    ("analyses", 0): 4, ("analyses", 3): 1,
}  # fmt: skip


@pytest.fixture(scope="module")
def rich() -> Project:
    return build(Project, edits.PlainDict(RICH))


def leaves(words, place: str = "") -> dict[str, object]:
    """Return all values of a project by their places."""
    inner = (
        words.items() if isinstance(words, dict) else enumerate(words) if isinstance(words, list) else None
    )
    if inner is None:
        return {place: words}
    return {key: value for name, part in inner for key, value in leaves(part, f"{place}.{name}").items()}


@pytest.mark.parametrize("path", FOLLOWERS, ids=path_text)
def test_a_new_name_is_followed_everywhere_and_nowhere_else(rich, path):
    old = value_at(rich, (*path, "name"))
    after = edits.rename(path, "fresh")(rich)
    before, now = leaves(project_to_dict(rich)), leaves(project_to_dict(after))
    changed = {place: now[place] for place in now if now[place] != before[place]}
    assert before.keys() == now.keys() and len(changed) == 1 + FOLLOWERS[path], changed
    assert all(str(value).replace("fresh", old) == before[place] for place, value in changed.items())
    assert edits.rename(path, old)(after) == rich


@pytest.mark.parametrize("path", [("bodies", 0), ("analyses", 2), LAP], ids=path_text)
def test_moving_there_and_back_and_removing_a_copy_change_nothing(rich, path):
    last = len(value_at(rich, path[:-1])) - 1
    moved = edits.move(path, last)(rich)
    assert moved != rich and edits.move((*path[:-1], last), path[-1])(moved) == rich
    copied = edits.duplicate(path, "copy")(rich)
    (added,) = [i for i, each in enumerate(value_at(copied, path[:-1])) if each.name == "copy"]
    assert edits.remove((*path[:-1], added))(copied) == rich


def test_surfaces_swapped_twice_are_as_before(rich):
    once = edits.swap_surfaces(LAP)(rich)
    before, after = value_at(rich, LAP), value_at(once, LAP)
    assert (after.master, after.slave) == (before.slave, before.master) and edits.swap_surfaces(LAP)(
        once
    ) == rich


@pytest.mark.parametrize(
    "path", [("bodies", 1), ("systems", 0), ("systems", 1), (*SYSTEM, "parts", 0)], ids=path_text
)
def test_what_is_removed_leaves_a_project_that_can_be_built_again(rich, path):
    after = edits.remove(path)(rich)
    assert project_from_dict(project_to_dict(after)) == after
    assert len(value_at(after, path[:-1])) == len(value_at(rich, path[:-1])) - 1


def test_every_decision_is_found_by_its_name_and_by_its_path(rich):
    found = decisions_of(rich)
    assert len(found) > 300
    for name, each in list(found.items())[::7]:
        assert decision_of(rich, name) == decision_of(rich, path_text(each.path)) == each
        assert decision_name(rich, each.path) == name
        bounds_of(rich, each)
    stiffness = found["bodies.block.joints.lap.contact_law.stiffness"]
    assert (stiffness.value, stiffness.is_number, stiffness.is_whole) == (5000.0, True, False)


def test_names_of_new_things_are_not_taken_yet(rich):
    assert edits.unused_name(rich, ("bodies",), "block") == "block 2"
    assert edits.unused_name(rich, ("bodies",), "new") == "new"
    twice = edits.add_system({"name": "bench 2"})(rich)
    assert edits.unused_name(twice, ("systems",), "bench") == "bench 3"
    with pytest.raises(FayingError):
        edits.rename(("bodies", 0), "other")(rich)
