"""Edits: pure, checked, and names that are referred to are followed."""

import pytest

from faying.errors import ModelError
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.project import edits
from faying.project.paths import path_text, value_at
from faying.project.specs import Project
from support.synthetic_stages import bar

JOINT = ("bodies", 0, "joints", 0)


@pytest.fixture
def project():
    made = bar(joints=("upper", "lower"))
    for name, node in (("HOLD", 1), ("TIP", 2)):
        made = edits.add_interface("bar", {"name": name, "node": node})(made)
    load = {"interface": "TIP", "force": [0.0, 0.0, 100.0]}
    return edits.set_value(("analyses", 0, "loads"), [load])(made)


def test_set_value_deep_inside_returns_a_new_project(project):
    path = (*JOINT, "contact_law", "stiffness")
    after = edits.set_value(path, 123.0)(project)
    assert value_at(after, path) == 123.0 and value_at(project, path) == 50_000.0
    assert after.bodies[0].joints[1] is project.bodies[0].joints[1]


@pytest.mark.parametrize(
    ("text", "value"), [("40 kN/mm^3", 40_000.0), ("1e13 Pa/m", 10_000.0), ("123.5", 123.5), (7, 7.0)]
)
def test_units_are_converted_where_a_quantity_is_declared(project, text, value):
    path = (*JOINT, "contact_law", "stiffness")
    assert value_at(edits.set_value(path, text)(project), path) == pytest.approx(value)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (edits.set_value((*JOINT, "contact_law", "stiffness"), "3 kg"), "is not a contact stiffness"),
        (edits.set_value((*JOINT, "contact_law", "stiffness"), float("nan")), "finite"),
        (edits.set_value((*JOINT, "contact_law", "hardness"), 1.0), "no parameter"),
        (edits.set_value(("bodies", 4, "name"), "x"), r"nothing at bodies\[4\]"),
        (edits.set_value((*JOINT, "search", "angle"), 120.0), "less than or equal to 90"),
        (edits.set_value(("units",), "inch"), "mm-t-s"),
        (edits.rename((*JOINT,), "lower"), "used twice"),
        (edits.rename((*JOINT,), ""), "at least 1 character"),
        (edits.rename((*JOINT, "search"), "x"), "has no name"),
        (edits.add_body({"name": "other"}), "'model' is missing"),
        (edits.add_joint("beam", {"name": "x"}), "no body called 'beam'"),
        (edits.add_analysis({"name": "x"}), "lacks its kind"),
        (edits.add_analysis({"kind": "magic"}), "no analysis called 'magic'"),
        (edits.replace_member((*JOINT, "contact_law"), "magic"), "no contact law called 'magic'"),
        (edits.replace_member((*JOINT, "search"), "magic"), "no kinds"),
        (edits.set_value((*JOINT, "contact_law"), Coulomb()), "not a contact law"),
        (edits.remove(()), "cannot be removed"),
        (edits.remove((*JOINT, "contact_law")), "contact_law"),
        (edits.move((*JOINT, "search"), 0), "not an entry"),
        (edits.swap_surfaces(()), "The project has no master and slave surface"),
        (edits.share_laws(("bodies", 0)), r"bodies\[0\] has no contact law"),
        (edits.swap_surfaces(("bodies", 0)), r"bodies\[0\] has no master and slave surface"),
        (edits.duplicate(("bodies", 0, "interfaces", 0, "components", 1), "x"), "has no name"),
    ],
)
def test_what_is_not_allowed_is_a_sentence_and_changes_nothing(project, edit, words):
    before = project.model_dump()
    with pytest.raises(ModelError, match=words) as caught:
        edit(project)
    assert caught.value.message.endswith(".")
    assert project.model_dump() == before


def test_axes_of_a_constraint_of_a_part_that_is_gone_are_a_sentence():
    hinge = {"kind": "revolute", "name": "hinge", "first": "gone.pin", "second": "ground.pin"}
    project = edits.add_system({"name": "arm", "constraints": [hinge]})(Project())
    pose = {"rotation": (0.0, 0.0, 0.0), "position": (0.0, 0.0, 0.0)}
    with pytest.raises(ModelError, match=r"'arm' has no part called 'gone'.*ground"):
        edits.set_axes("arm", "hinge", {"first": pose})(project)


def test_renaming_an_interface_is_followed_by_supports_and_loads(project):
    after = edits.rename(("bodies", 0, "interfaces", 1), "load point")(project)
    after = edits.rename(("bodies", 0, "interfaces", 0), "mounting")(after)
    assert after.analyses[0].support == "mounting"
    assert after.analyses[0].loads[0].interface == "load point"


def test_renaming_an_analysis_is_followed_by_samplings_and_a_joint_by_sweeps(project):
    name, twin = project.analyses[0].name, {**project.bodies[0].model_dump(mode="json"), "name": "twin"}
    project = edits.add_body(twin)(edits.set_value((*JOINT, "sampling", "analyses"), [name])(project))
    sweep = {
        "kind": "sweep", "name": "sweep", "analysis": name,
        "variations": [{"decision": "bodies.bar.weak_ties", "values": [1e-4, 1e-5]}],
        "responses": [{"quantity": "pressure", "joint": "upper"}],
    }  # fmt: skip
    project = edits.add_analysis(sweep)(project)
    after = edits.rename(("analyses", 0), "pressed")(project)
    assert after.bodies[0].joints[0].sampling.analyses == ("pressed",)
    assert after.analyses[1].analysis == "pressed"
    assert edits.rename(JOINT, "top")(after).analyses[1].responses[0].joint == "top"
    assert edits.rename(("bodies", 1, "joints", 0), "top")(after).analyses == after.analyses


def test_renaming_materials_and_superelements_is_followed_in_their_body(project):
    steel = {"kind": "isotropic", "name": "steel", "youngs_modulus": 210e3, "density": 7.85e-9}
    element = {"name": "rest", "stiffness_file": "rest.mtx"}
    words = {
        "materials": [steel, {**steel, "element_set": "B"}], "strengths": [{"material": "steel"}],
        "loads": [{"kind": "of_superelement", "name": "wind", "superelement": "rest"}],
    }  # fmt: skip
    project = edits.set_values(("bodies", 0), words)(project)
    project = edits.set_value(("bodies", 0, "model", "superelements"), [element])(project)
    after = edits.rename(("bodies", 0, "model", "superelements", 0), "frame")(project)
    assert after.bodies[0].loads[0].superelement == "frame"
    # A name that another one still has stays.
    after = edits.rename(("bodies", 0, "materials", 0), "S355")(after)
    assert after.bodies[0].strengths[0].material == "steel"
    after = edits.rename(("bodies", 0, "materials", 1), "S235")(after)
    assert after.bodies[0].strengths[0].material == "S235"


def test_renaming_follows_only_in_analyses_of_that_body(project):
    twin = edits.duplicate(("bodies", 0), "twin")(project)
    after = edits.rename(("bodies", 1, "interfaces", 0), "other")(twin)
    assert after.analyses[0].support == "HOLD"
    assert edits.rename(("bodies", 0), "beam")(twin).analyses[0].body == "beam"


def test_a_member_hands_on_what_the_next_one_declares_alike(project):
    at = (*JOINT, "contact_law")
    after = edits.set_value((*at, "stiffness"), 123.0)(project)
    law = edits.replace_member(at, "quadratic_linear")(after).bodies[0].joints[0].contact_law
    assert (law.kind, law.stiffness) == ("quadratic_linear", 123.0)
    after = edits.set_value(("bodies", 0, "joint_modes"), {"kind": "pod", "count": 7})(project)
    modes = edits.replace_member(("bodies", 0, "joint_modes"), "weighted_pod")(after).bodies[0].joint_modes
    assert (modes.kind, modes.count) == ("weighted_pod", 7)


def test_replace_member_takes_defaults_and_keeps_what_has_none(project):
    after = edits.set_value((*JOINT, "contact_law", "stiffness"), 1.0)(project)
    after = edits.replace_member((*JOINT, "contact_law"), "linear_penalty")(after)
    assert after.bodies[0].joints[0].contact_law == LinearPenalty()
    after = edits.replace_member((*JOINT, "friction_law"), "coulomb")(after)
    assert after.bodies[0].joints[0].friction_law == Coulomb()
    after = edits.replace_member((*JOINT, "friction_law"), None)(after)
    assert after.bodies[0].joints[0].friction_law is None
    after = edits.replace_member(("analyses", 0), "transient")(after)
    assert (after.analyses[0].kind, after.analyses[0].name, after.analyses[0].support) == (
        "transient", "swing", "HOLD",
    )  # fmt: skip


def test_remove_move_duplicate_swap(project):
    names = [j.name for j in edits.move((*JOINT,), 1)(project).bodies[0].joints]
    assert names == ["lower", "upper"]
    assert [j.name for j in edits.remove(JOINT)(project).bodies[0].joints] == ["lower"]
    assert edits.remove(("bodies", 0))(project).analyses == ()
    assert [j.name for j in edits.duplicate(JOINT, "middle")(project).bodies[0].joints] == [
        "upper", "middle", "lower",
    ]  # fmt: skip
    swapped = edits.swap_surfaces(JOINT)(project).bodies[0].joints[0]
    assert (swapped.master.name, swapped.slave.name) == ("B", "A")
    assert edits.swap_surfaces(JOINT)(edits.swap_surfaces(JOINT)(project)) == project


def test_laws_are_shared_by_all_joints_with_contact(project):
    """A tied joint keeps its own: it has no contact."""
    own = edits.set_value((*JOINT, "contact_law", "stiffness"), 12345.0)(project)
    lower = ("bodies", 0, "joints", 1)
    shared = edits.share_laws(JOINT)(own)
    assert {j.contact_law for j in shared.bodies[0].joints} == {own.bodies[0].joints[0].contact_law}
    assert {j.friction_law for j in shared.bodies[0].joints} == {own.bodies[0].joints[0].friction_law}
    tied = edits.set_value((*lower, "treatment"), "tied")(own)
    assert edits.share_laws(JOINT)(tied).bodies[0].joints[1] == tied.bodies[0].joints[1]


def test_set_values_is_all_or_nothing(project):
    search = (*JOINT, "search")
    after = edits.set_values(search, {"distance": "0.5 cm", "angle": 30.0})(project)
    assert value_at(after, search).distance == pytest.approx(5.0)
    with pytest.raises(ModelError):
        edits.set_values(search, {"distance": 1.0, "angle": 300.0})(project)


def test_unused_name(project):
    assert edits.unused_name(project, ("bodies", 0, "joints"), "joint") == "joint"
    assert edits.unused_name(project, ("bodies", 0, "joints"), "upper") == "upper 2"


def test_paths_read_like_code():
    assert path_text((*JOINT, "search", "angle")) == "bodies[0].joints[0].search.angle"
    assert Project().name == value_at(Project(), ("name",))


def test_bolts_are_tightened_together_in_one_case(project):
    shank = {"kind": "deck_surface", "name": "SHANK"}
    body = project.bodies[0].name
    for name, force in (("left", 500.0), ("right", None), ("third", 20.0)):
        project = edits.add_bolt(body, {"name": name, "shank": shank}, "bolts", force)(project)
    (case,) = project.bodies[0].preloads
    assert [(load.bolt, load.force) for load in case.loads] == [
        ("left", 500.0),
        ("right", 500.0),
        ("third", 20.0),
    ]
    assert [bolt.name for bolt in project.bodies[0].bolts] == ["left", "right", "third"]
    loose = edits.add_bolt(body, {"name": "loose", "shank": shank}, "others")(project)
    assert loose.bodies[0].preloads[1].loads[0].force == 0.0
    assert edits.add_bolt(body, {"name": "cut alone", "shank": shank})(project).bodies[0].preloads == (case,)
