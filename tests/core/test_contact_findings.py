"""What is said of contact surfaces, and of contacts between parts."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from faying.fem.model import ElementBlock, FeModel, ShellSection
from faying.params import build
from faying.project import edits
from faying.project.assembled import assembled_system
from faying.project.checks import CheckedProject, Finding, checks, entity_text, run_checks
from faying.project.contact_sides import ContactSide, propose_part_stiffness
from faying.project.specs import Project
from support.boxes import STEEL, box

CHECKS = ("contact_surfaces", "part_contacts", "contact_stiffness", "separation")


def top(name="top", **more):
    return {"name": name, "surface": {"kind": "deck_set", "name": "ZMAX"}, **more}


SYSTEM = {
    "name": "press",
    "parts": [
        {"kind": "flexible", "name": "low", "body": "block"},
        {"kind": "rigid_body", "name": "cap", "body": "fine"},
        {"kind": "rigid", "name": "ball", "contact_surfaces": [{"kind": "sphere", "name": "skin", "radius": 4.0}]},
        {"kind": "rigid", "name": "roll", "contact_surfaces": [{"kind": "cylinder", "name": "side"}]},
    ],
    "ground_surfaces": [{"kind": "plane", "name": "floor"}],
}  # fmt: skip
LAW = {"kind": "linear_penalty", "stiffness": 6e4}
GOOD = {"name": "hit", "master": "ball.skin", "slave": "low.top", "contact_law": LAW}
MODELS = {
    "block": box("hex8", (4, 3, 2), (20.0, 15.0, 8.0)),
    "fine": box("hex8", (12, 9, 1), (20.0, 15.0, 2.0)),
}


TOP, BARE = top(), top(shapes={"kind": "none"})


def project(*contacts, surfaces=(TOP,), fine=(BARE,), **system) -> Project:
    bodies = [
        {"name": name, "model": {"path": f"{name}.inp"}, "contact_surfaces": list(own)}
        for name, own in (("block", surfaces), ("fine", fine))
    ]
    return build(Project, {"bodies": bodies, "systems": [{**SYSTEM, "contacts": list(contacts), **system}]})


def findings(decided, models=MODELS, base=Path(), **more) -> list[Finding]:
    found = run_checks(CheckedProject(decided, base, models, **more))
    return [f for f in found if f.check in CHECKS]


def only(found: list[Finding]) -> Finding:
    assert len(found) == 1, [f.sentence for f in found]
    assert found[0].sentence.endswith(".") and found[0].hint
    return found[0]


def test_nothing_is_said_of_a_good_contact():
    assert not findings(project(GOOD))
    assert not findings(project({**GOOD, "master": "cap.top", "slave": "low.top", "two_pass": 0.5}))
    assert not findings(project(GOOD), models={})
    assert {"contact_surfaces", "part_contacts"} <= set(checks)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"master": "ball.skim"}, r"no surface 'ball.skim'.*Did you mean 'ball.skin'"),
        ({"slave": "block.top"}, r"no surface 'block.top'.*'block' is a body; it is in the system as 'low'"),
        ({"slave": "fine.top"}, r"'fine' is a body; it is in the system as 'cap'"),
        ({"slave": "low.side"}, "There are: ground.floor, low.top, cap.top, ball.skin"),
        ({"master": "low.top"}, "'low.top' is master and slave at once"),
        ({"master": "low.top", "slave": "ball.skin"}, "the ball 'ball.skin' presses.*Make the ball the master"),
        ({"master": "ground.floor", "slave": "roll.side"}, "neither 'ground.floor' nor 'roll.side' is a ball"),
        ({"two_pass": 0.5}, "no second pass"),
    ],
)  # fmt: skip
def test_names_that_mean_nothing_and_sides_that_do_not_go_together(words, said):
    found = only(findings(project({**GOOD, **words}, surfaces=[top(shapes={"kind": "none"})])))
    assert found.entity[:4] == ("systems", 0, "contacts", 0)
    assert re.search(said, f"{found.sentence} {found.hint}")


def test_surfaces_of_two_systems_never_touch():
    other = {"name": "bench", "parts": [{**SYSTEM["parts"][2], "name": "hammer"}]}
    known = project({**GOOD, "master": "hammer.skin"})
    decided = known.model_copy(
        update={"systems": (*known.systems, build(Project, {"systems": [other]}).systems[0])}
    )
    found = only(findings(decided))
    assert (
        found.entity[-1] == "master" and "surface of system 'bench'; only parts of one system" in found.hint
    )


def test_a_flexible_part_may_touch_itself_and_a_rigid_one_does_not():
    bare = {"shapes": {"kind": "none"}}
    end = {"name": "end", "surface": {"kind": "deck_set", "name": "ZMIN"}, **bare}
    within = {**GOOD, "master": "low.end"}
    assert not findings(project(within, surfaces=[TOP, end]))
    rigid = {**GOOD, "master": "cap.end", "slave": "cap.top"}
    told = only(findings(project(rigid, surfaces=[BARE], fine=[BARE, end])))
    assert (
        told.severity == "error" and "'cap', which does not deform and never touches itself" in told.sentence
    )
    # Surfaces that share nodes are told with their share, and once more where it is all of them.
    for name, said, severity in (("XMAX", "20 %", "note"), ("ZMAX", "100 %", "warning")):
        beside = {**end, "surface": {"kind": "deck_set", "name": name}}
        told = only(findings(project(within, surfaces=[TOP, beside])))
        assert (
            told.severity == severity and f"of the slave's nodes {said} belong to the master" in told.sentence
        )


def test_two_contacts_of_the_same_surfaces_press_twice():
    assert "press on each other twice" in only(findings(project(GOOD, {**GOOD, "name": "again"}))).sentence


def test_a_coarse_slave_is_a_remark():
    turned = {**GOOD, "master": "cap.top", "slave": "low.top"}
    found = only(findings(project(turned)))
    assert (
        found.severity == "note"
        and "(5 mm) are 3.0 times as large as the master's (1.7 mm)" in found.sentence
    )
    assert not findings(project({**turned, "master": "low.top", "slave": "cap.top", "contact_law": LAW}))


def test_a_surface_that_finds_nothing_is_told_where_it_is_decided():
    surfaces = [{"name": "top", "surface": {"kind": "deck_set", "name": "LID"}, "shapes": {"kind": "none"}}]
    decided = project(GOOD, surfaces=surfaces)
    found = only(findings(decided))
    assert found.entity == ("bodies", 0, "contact_surfaces", 0) and "LID" in found.sentence
    assert entity_text(decided, found.entity) == "body block, contact surface top"


def test_shapes_that_nobody_uses_are_a_remark():
    assert not findings(project(surfaces=[top(shapes={"kind": "none"})]))
    assert "no contact between parts uses it" in only(findings(project())).sentence
    # A rigid part has no use for them either.
    rigid = {**GOOD, "slave": "cap.top"}
    found = findings(project(rigid, surfaces=[top(shapes={"kind": "none"})], fine=[top()]))
    assert only(found).entity == ("bodies", 1, "contact_surfaces", 0)


def test_too_many_shapes_are_told_with_memory_and_work():
    large = box("hex8", (26, 25, 1), (26.0, 25.0, 1.0))
    decided = project(
        {**GOOD, "contact_law": {**LAW, "stiffness": 1.2e5}},
        surfaces=[top(shapes={"kind": "every_node", "directions": "all"})],
    )
    found = only(findings(decided, {**MODELS, "block": large}))
    assert found.severity == "warning"
    assert "2106 contact shapes: about 0.13 GB" in found.sentence and "3.1e+09 operations" in found.sentence
    assert found.details == ("top: 2106",)
    fewer = project(
        {**GOOD, "contact_law": {**LAW, "stiffness": 1.2e5}},
        surfaces=[top(shapes={"kind": "patches", "count": 40})],
    )
    assert not findings(fewer, {**MODELS, "block": large})  # fmt: skip


def test_normals_and_shells():
    inside = MODELS["block"]
    (block,) = inside.blocks
    turned = block.connectivity[:, [4, 5, 6, 7, 0, 1, 2, 3]]
    wrong = FeModel(
        "wrong", inside.node_ids, inside.nodes, (replace(block, connectivity=turned),),
        inside.node_sets, {}, {}, inside.materials, (),
    )  # fmt: skip
    assert any(
        "point into the body" in f.sentence for f in findings(project(GOOD), {**MODELS, "block": wrong})
    )
    plate = _shell_plate()
    both = only(findings(project(GOOD), {**MODELS, "block": plate}))
    assert both.severity == "error" and "both sides of shells" in both.sentence
    one = [{"name": "top", "surface": {"kind": "grown", "element": 1, "face": 1}}]
    side = only(findings(project(GOOD, surfaces=one), {**MODELS, "block": plate}))
    assert side.severity == "note" and "half a thickness" in side.sentence


def _shell_plate() -> FeModel:
    solid = MODELS["block"]
    (block,) = solid.blocks
    at_top = solid.node_sets["ZMAX"]
    quads = block.connectivity[block.connectivity[:, 4:].min(axis=1) >= 0][:, 4:]
    quads = quads[[set(row) <= set(at_top.tolist()) for row in quads.tolist()]]
    shells = ElementBlock("shell4", "S4", block.ids[: len(quads)], quads, STEEL.name, ShellSection(1.0))
    return FeModel(
        "plate", solid.node_ids, solid.nodes, (shells,), {"ZMAX": at_top}, {}, {}, solid.materials, ()
    )


def test_surface_meshes_from_files(tmp_path):
    def said(text, **words):
        (tmp_path / "s.obj").write_text(text)
        mesh = {"kind": "surface_mesh", "name": "mesh", "path": "s.obj", **words}
        decided = project(GOOD, ground_surfaces=[mesh])
        return [f.sentence for f in findings(decided, base=tmp_path)]

    points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    tetrahedron = points + "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
    assert not said(tetrahedron)
    assert "normals look inward" in said(tetrahedron, flipped=True)[0]
    assert "look to opposite sides" in said(tetrahedron.replace("f 1 3 2", "f 1 2 3"))[0]
    assert not said(points + "f 1 2 3\n")  # open: its normals say which side is outside
    assert "holds no triangles" in said(points)[0]
    assert "cannot be read" in said(tetrahedron, path="t.obj")[0]


def test_a_stiffness_is_proposed_from_both_materials_and_the_slaves_mesh():
    checked = CheckedProject(project(GOOD), Path(), MODELS)
    sides = checked.contact_sides(checked.project.systems[0], checked.project.systems[0].contacts[0])
    proposal = propose_part_stiffness(sides["master"], sides["slave"])
    # The ball is rigid: E* is the block's alone; most of its nodes stand for a whole facet of 5 × 5.
    assert proposal.modulus == pytest.approx(210000.0 / (1.0 - 0.09))
    assert proposal.element_size == pytest.approx(12.5**0.5)
    both = {**GOOD, "master": "low.top", "slave": "low.top"}
    soft = CheckedProject(project(both), Path(), MODELS)
    same = soft.contact_sides(soft.project.systems[0], soft.project.systems[0].contacts[0])
    assert propose_part_stiffness(same["master"], same["slave"]).modulus == pytest.approx(
        proposal.modulus / 2
    )
    assert propose_part_stiffness(sides["master"], sides["master"]) is None
    assert isinstance(sides["master"], ContactSide) and sides["master"].is_formula
    far = only(findings(project({**GOOD, "contact_law": {**LAW, "stiffness": 1.0}})))
    assert (
        far.check == "contact_stiffness" and "Contact 'hit'" in far.sentence and "far softer" in far.sentence
    )


def test_a_surface_that_is_not_there_is_told_once():
    """The system cannot be put together either, for the same reason."""
    parts = [{**SYSTEM["parts"][2], "name": name} for name in ("ball", "other")]
    decided = project(
        {**GOOD, "master": "ball.skim", "slave": "other.skin"}, surfaces=(), fine=(), parts=parts
    )
    (system,) = decided.systems
    at = assembled_system(system, {})
    assert "no surface 'ball.skim'" in at.message
    found = run_checks(CheckedProject(decided, Path(), MODELS, assembled={"press": at}))
    named = [f for f in found if "ball.skim" in f.sentence]
    assert [f.entity for f in named] == [("systems", 0, "contacts", 0, "master")]


def test_damped_modes_want_a_scheme_that_damps_little():
    def found(period=5e-7, contacts=(GOOD,), **integrator):
        parts = [{**SYSTEM["parts"][0], "damped_period": period}, *SYSTEM["parts"][1:]]
        decided = project(*contacts, parts=parts)
        motion = {"kind": "motion", "name": "blow", "system": "press", "integrator": integrator}
        decided = edits.add_analysis(motion)(decided)
        return [f for f in findings(decided) if f.check == "separation"]

    told = only(found(kind="hht"))
    assert "fast modes of 'low' are damped" in told.sentence and "α = −0.05" in told.hint
    assert found(kind="generalized_alpha", spectral_radius=0.2)
    assert not found(kind="hht", alpha=-0.05) and not found(kind="hht", period=0.0)
    assert not found(kind="hht", contacts=()) and found(kind="bdf")


def test_an_overlap_on_shells_asks_for_the_side():
    """The outside of a shell is a choice: what lies on its other side seems to overlap."""
    hit = {"parts": ["ball", "low"], "stored_at_start": 1.0, "overlap": 0.1, "overlapping_nodes": 3,
           "way_out": [0.0, 0.0, -0.1], "most_closed": 3}  # fmt: skip
    reports = {"blow": {"energy_balance": {"turned over": 2.0}, "contacts": {"hit": hit}}}
    one = [{"name": "top", "surface": {"kind": "grown", "element": 1, "face": 2}}]
    motion = edits.add_analysis({"kind": "motion", "name": "blow", "system": "press"})
    for surfaces, model, asks in ((one, _shell_plate(), True), ((TOP,), MODELS["block"], False)):
        decided = motion(project(GOOD, surfaces=surfaces))
        checked = CheckedProject(decided, Path(), {**MODELS, "block": model}, reports=reports)
        (found,) = (f for f in run_checks(checked) if f.check == "contact_runs")
        assert "overlap in contact 'hit' by 0.1 mm" in found.sentence
        assert ("'low.top' is on shells" in found.hint) == asks
