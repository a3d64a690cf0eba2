"""Decisions about contact between parts: words, names that follow, surfaces that are found by name."""

import numpy as np
import pytest

from faying.errors import ModelError
from faying.multibody.contacts.rigid_shapes import RigidPlane, RigidSphere
from faying.params import build
from faying.project import edits
from faying.project.document import Document
from faying.project.journal import write_script
from faying.project.serialization import project_from_dict, project_to_dict
from faying.project.specs import Project

SURFACE = {"name": "end", "surface": {"kind": "deck_surface", "name": "TOP"}}


def made(*steps) -> Project:
    project = Project()
    for step in (
        edits.add_body({"name": "rod", "model": {"path": "rod.inp"}}),
        edits.add_contact_surface("rod", SURFACE),
        edits.add_system({"name": "strike"}),
        edits.add_part("strike", {"kind": "flexible", "name": "bar", "body": "rod"}),
        edits.add_part("strike", {"kind": "rigid", "name": "ball"}),
        edits.add_rigid_surface("strike", "ball", {"kind": "sphere", "name": "skin", "radius": "15 mm"}),
        edits.add_rigid_surface("strike", "ground", {"kind": "plane", "name": "floor"}),
        edits.add_contact("strike", {"name": "hit", "master": "ball.skin", "slave": "bar.end", "reach": "0.2 mm"}),
        edits.add_contact("strike", {"name": "rest", "master": "ground.floor", "slave": "bar.end"}),
        *steps,
    ):  # fmt: skip
        project = step(project)
    return project


def named(project: Project) -> list[tuple[str, str]]:
    return [(contact.master, contact.slave) for contact in project.systems[0].contacts]


def test_words_with_units_become_numbers_and_come_back():
    project = made()
    system = project.systems[0]
    assert system.parts[1].contact_surfaces[0].radius == 15.0
    assert system.contacts[0].reach == pytest.approx(0.2)
    assert system.contacts[0].friction_law is None and system.contacts[0].two_pass == 0.0
    assert project.bodies[0].contact_surfaces[0].shapes.kind == "every_node"
    assert project_from_dict(project_to_dict(project)) == project


def test_projects_from_before_open():
    words = made().model_dump(mode="json")
    del words["bodies"][0]["contact_surfaces"]
    system = words["systems"][0]
    del system["contacts"], system["ground_surfaces"], system["parts"][1]["contact_surfaces"]
    old = build(Project, words)
    assert old.bodies[0].contact_surfaces == () and old.systems[0].contacts == ()
    assert old.systems[0].ground_surfaces == () and old.systems[0].parts[1].contact_surfaces == ()


def test_new_names_are_followed():
    project = made(
        edits.rename(("bodies", 0, "contact_surfaces", 0), "tip"),
        edits.rename(("systems", 0, "parts", 0), "stick"),
        edits.rename(("systems", 0, "parts", 1, "contact_surfaces", 0), "outside"),
        edits.rename(("systems", 0, "ground_surfaces", 0), "table"),
        edits.rename(("bodies", 0), "shaft"),
    )
    assert named(project) == [("ball.outside", "stick.tip"), ("ground.table", "stick.tip")]
    surfaces = {"shaft": ["tip"]}
    assert set(project.systems[0].surface_names(surfaces)) == {"ground.table", "ball.outside", "stick.tip"}


def test_curves_of_contacts_parts_and_their_bodies_that_a_sweep_takes_are_followed():
    taken = ("hit force x", "hit again force x", "bar: end uz", "bar momentum z", "ball momentum z")
    project = made(
        edits.add_interface("rod", {"name": "end", "node_set": "END"}),
        edits.add_contact("strike", {"name": "hit again", "master": "ball.skin", "slave": "bar.end"}),
        edits.add_analysis({"kind": "motion", "name": "blow", "system": "strike"}),
        edits.add_analysis({
            "kind": "sweep", "name": "reaches", "analysis": "blow", "responses": [{"quantity": q} for q in taken],
            "variations": [{"decision": "systems.strike.contacts.hit.reach", "values": [0.1]}],
        }),
        edits.rename(("systems", 0, "contacts", 0), "strike"),
        edits.rename(("systems", 0, "parts", 0), "stick"),
        edits.rename(("bodies", 0, "interfaces", 0), "tip"),
    )  # fmt: skip
    names = tuple(each.quantity for each in project.analysis("reaches").responses)
    assert names == (
        "strike force x", "hit again force x", "stick: tip uz", "stick momentum z", "ball momentum z",
    )  # fmt: skip


def test_markers_and_surfaces_of_one_name_are_two_things():
    project = made(
        edits.add_marker("strike", "ball", {"name": "skin"}),
        edits.add_force("strike", {"kind": "point_force", "name": "push", "marker": "ball.skin"}),
        edits.rename(("systems", 0, "parts", 1, "contact_surfaces", 0), "outside"),
    )
    assert project.systems[0].forces[0].marker == "ball.skin"
    again = edits.rename(("systems", 0, "parts", 1, "markers", 0), "tip")(project)
    assert again.systems[0].forces[0].marker == "ball.tip"
    assert named(again)[0][0] == "ball.outside"
    # Another body's surface of the same name stays.
    other = edits.add_body({"name": "cup", "model": {"path": "c.inp"}, "contact_surfaces": [SURFACE]})(
        project
    )
    assert named(edits.rename(("bodies", 1, "contact_surfaces", 0), "rim")(other)) == named(project)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (edits.add_contact_surface("rod", SURFACE), "used twice"),
        (edits.add_contact_surface("rod", {**SURFACE, "name": "a.b"}), "name"),
        (edits.add_rigid_surface("strike", "ball", {"kind": "plane", "name": "skin"}), "used twice"),
        (edits.add_rigid_surface("strike", "bar", {"kind": "plane", "name": "p"}), "is flexible"),
        (edits.add_rigid_surface("strike", "leg", {"kind": "plane", "name": "p"}), "no part called 'leg'"),
        (edits.add_contact("strike", {"name": "hit", "master": "a.b", "slave": "c.d"}), "used twice"),
        (edits.add_contact("strike", {"name": "x", "master": "a.b", "slave": "c.d", "two_pass": 2}), "two_pass"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(step, said):
    with pytest.raises(ModelError, match=said):
        made(step)


def test_surfaces_are_found_by_name():
    gone = [edits.remove(("systems", 0, "contacts", 0))] * 2
    system = made(*gone, edits.remove(("systems", 0, "parts", 0))).systems[0]
    parts = system.build({}).parts
    number, ball = system.surface("ball.skin", parts, {}, "contact 'hit'")
    assert number == 1 and isinstance(ball, RigidSphere) and ball.radius == 15.0
    number, floor = system.surface("ground.floor", parts, {}, "contact 'rest'")
    assert number == 0 and isinstance(floor, RigidPlane)
    np.testing.assert_array_equal(floor.normal, [0, 0, 1])
    with pytest.raises(ModelError, match=r"no surface 'ball.skim'.*contact 'hit'.*Did you mean 'ball.skin'"):
        system.surface("ball.skim", parts, {}, "contact 'hit'")
    with pytest.raises(ModelError, match=r"There are: ground.floor, ball.skin"):
        system.surface("nothing", parts, {}, "contact 'hit'")


def test_a_contact_with_new_surfaces_is_one_step_that_a_script_repeats():
    document = Document(made())
    faces = [
        ("rod", {"name": f"face {k}", "surface": {"kind": "grown", "element": k, "face": 1}}) for k in (1, 2)
    ]
    words = {"name": "new", "master": "ball.skin", "slave": "bar.face 2"}
    document.apply("Add contact", edits.add_contact("strike", words, faces))
    assert [s.name for s in document.project.bodies[0].contact_surfaces] == ["end", "face 1", "face 2"]
    around = {}
    exec(write_script(document.history), around)
    assert around["project"] == document.project
    document.undo()
    assert document.project == made()
