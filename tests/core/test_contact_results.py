"""Motions of systems whose parts touch: what is stored of it, and that a run goes on where it was left.

Kinds of reference: Coulomb's law, momentum, the run that nobody interrupted.
"""

import json
import math
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from faying.analyses import BodyModel, SystemModel, analyses
from faying.cli.commands.info import _touches
from faying.errors import Cancelled, ModelError
from faying.fem.skin import find_skin
from faying.fem.surface import part_of_surface
from faying.multibody.contacts.surface import surface_of_body
from faying.params import build
from faying.progress import Silent
from faying.project import edits
from faying.project.checks import CheckedProject, run_checks
from faying.project.specs import Project
from faying.project.store import ArtifactStore
from faying.results.field import FieldContext
from faying.results.formula import find_field
from faying.results.mode_shapes import ModeShapes
from faying.results.names import path_of
from faying.results.results import Results
from faying.results.run_tables import RUN_TABLES, RunColumn, cell_texts, without_round_off
from support.flexible_bodies import solid_box
from support.systems import system_of

MASS, MU, G, ANGLE = 2e-3, 0.3, 9810.0, np.arctan(0.45)
AREA = 4 * 25.0  # of four corners, without the sides, which do not face the floor
SLAB = """v -5 -5 -0.5\nv 5 -5 -0.5\nv 5 5 -0.5\nv -5 5 -0.5\nv -5 -5 0.5\nv 5 -5 0.5\nv 5 5 0.5\nv -5 5 0.5
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"""
RUB = {
    "name": "rub", "master": "ground.floor", "slave": "slab.skin", "reach": 2.0,
    "contact_law": {"kind": "linear_penalty", "stiffness": 500.0},
    "friction_law": {"kind": "coulomb", "friction_coefficient": MU, "sticking_stiffness": 1e4},
}  # fmt: skip


class StopAfter(Silent):
    def __init__(self, count):
        self.left = count

    def report(self, fraction, text="", **values):
        self.left -= "steps" in values
        if self.left < 0:
            raise Cancelled


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("slab")
    (place / "slab.obj").write_text(SLAB)
    return place


@pytest.fixture(scope="module")
def spec(folder):
    """A slab that hovers over a rough plane on which its weight is turned by more than the angle of friction."""
    slab = {
        "kind": "rigid", "name": "slab", "mass": MASS,
        "moments_of_inertia": (MASS * 101 / 12, MASS * 101 / 12, MASS * 200 / 12),
        "placement": {"position": (0.0, 0.0, 0.5 - MASS * G * np.cos(ANGLE) / AREA / 500.0)},
        "contact_surfaces": [{"kind": "surface_mesh", "name": "skin", "path": str(folder / "slab.obj")}],
    }  # fmt: skip
    return system_of(
        parts=[slab], ground_surfaces=[{"kind": "plane", "name": "floor"}], contacts=[RUB],
        gravity=(G * np.sin(ANGLE), 0.0, -G * np.cos(ANGLE)),
    )  # fmt: skip


def slide_analysis(spec, **more):
    integrator = {"kind": "hht", "first_step": 1e-4, "largest_step": 5e-4, "tolerance": 1e-4}
    words = {
        "name": "slide",
        "system": spec.name,
        "duration": 0.01,
        "frames": 10,
        "integrator": integrator,
        **more,
    }
    return build(analyses["motion"], words)


def slide(spec, start=None, **more):
    analysis = slide_analysis(spec, **more)
    return lambda target, progress: analysis.run(SystemModel(spec, {}, start), target, progress)


@pytest.fixture(scope="module")
def whole(spec, folder):
    slide(spec)(folder / "whole.h5", Silent())
    return Results(folder / "whole.h5")


def test_forces_of_a_sliding_slab_are_those_of_coulomb(whole):
    weight = MASS * G * np.cos(ANGLE)
    late = slice(3, None)
    np.testing.assert_allclose(whole.curve("rub normal force")[late], weight, rtol=1e-3)
    np.testing.assert_allclose(whole.curve("rub friction force")[late], MU * weight, rtol=1e-3)
    np.testing.assert_allclose(whole.curve("rub force x")[late], -MU * weight, rtol=1e-3)
    np.testing.assert_allclose(whole.curve("rub closed nodes")[late], 4.0)
    np.testing.assert_allclose(whole.curve("rub smallest gap")[late], -weight / AREA / 500.0, rtol=0.2)
    # Friction pulls at half the slab's height, so that pressure moves ahead by that much.
    ahead = whole.curve("rub centre x") - whole.curve("slab.frame x")
    assert ahead[late].mean() == pytest.approx(0.5 * MU, rel=0.2)  # it rocks a little
    names = ("force x", "impulse z", "smallest gap")
    assert [whole.curve_key(f"rub {name}").dimension for name in names] == ["force", "impulse", "length"]


def test_impulse_is_change_of_momentum(whole):
    """But for frames that lie within steps, where velocities are interpolated."""
    time = whole.values
    for axis, pull in (("x", G * np.sin(ANGLE)), ("z", -G * np.cos(ANGLE))):
        gained = MASS * (whole.curve(f"slab.frame v{axis}") - pull * time)
        np.testing.assert_allclose(
            whole.curve(f"rub impulse {axis}"), gained, atol=1e-6 * MASS * G * time[-1]
        )


def test_fields_and_forces_of_a_frame_belong_together(whole):
    at = "surfaces", "slab", "skin", "rub"
    pressure, gap = (whole.named(path_of(*at, name), -1) for name in ("pressure", "gap"))
    assert pressure.shape == gap.shape == (8,)
    np.testing.assert_allclose(pressure, 500.0 * np.maximum(-gap, 0.0), rtol=1e-12)
    # Four corners below and above; each stands for what its side and two of those beside it give.
    force = whole.named(path_of("contacts", "rub", "force"), -1)
    moment = whole.named(path_of("contacts", "rub", "moment"), -1)
    np.testing.assert_allclose(force[2], whole.curve("rub normal force")[-1], rtol=1e-12)
    np.testing.assert_allclose(
        moment[1], -whole.curve("rub centre x")[-1] * force[2] + 0.0 * force[0], rtol=1e-3
    )
    stress = whole.named(path_of(*at, "friction_stress"), -1)
    np.testing.assert_allclose(
        np.linalg.norm(stress[pressure > 0.0], axis=1), MU * pressure[pressure > 0.0], rtol=1e-6
    )
    slip = whole.named(path_of(*at, "slip"), -1)
    np.testing.assert_allclose(
        np.linalg.norm(slip[pressure > 0.0], axis=1), whole.curve("slab.frame x")[-1], rtol=0.05
    )


def test_an_interrupted_run_ends_as_if_it_had_never_been(spec, whole, tmp_path):
    store, key, run = ArtifactStore(tmp_path), "k" * 8, slide(spec)
    for stop in (6, 9):
        with pytest.raises(Cancelled):
            run(store.begin_results(key), StopAfter(stop))
    run(store.begin_results(key), Silent())
    store.complete_results(key)
    found = store.results(key).open()
    assert found.n_frames == whole.n_frames
    for name in (
        "slab.frame x",
        "slab.frame z",
        "rub friction force",
        "rub impulse x",
        "rub restitution",
        "slab momentum x",
        "friction work",
    ):
        np.testing.assert_array_equal(found.curve(name), whole.curve(name))


@pytest.mark.skipif(os.name == "nt", reason="signals of processes")
def test_a_killed_run_keeps_its_frames_and_goes_on(spec, whole, tmp_path):
    """By SIGKILL between two steps in contact: nothing can be tidied up, and what was written is all there is."""
    program = """
import json, os, signal, sys
from pathlib import Path
from faying.analyses import SystemModel, analyses
from faying.multibody.system_spec import SystemSpec
from faying.params import build
from faying.project.store import ArtifactStore
from faying.progress import Silent
from faying.results import writer

writer._FLUSH_INTERVAL = 0.0  # as of a run that takes seconds for a frame
folder, words, left = json.loads(sys.argv[1])

class Killed(Silent):
    def report(self, fraction, text="", **values):
        global left
        left -= "steps" in values
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

store = ArtifactStore(Path(folder))
analysis = build(analyses["motion"], {k: v for k, v in words["analysis"].items() if k != "kind"})
analysis.run(SystemModel(build(SystemSpec, words["system"]), {}, None), store.begin_results("k" * 8), Killed())
"""
    words = {
        "system": spec.model_dump(mode="json"),
        "analysis": slide_analysis(spec).model_dump(mode="json"),
    }
    store, key = ArtifactStore(tmp_path), "k" * 8
    asked = json.dumps([str(tmp_path), words, 15])
    done = subprocess.run([sys.executable, "-c", program, asked], timeout=120, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert 0 < store.results(key).reached[1] < whole.n_frames
    slide(spec)(store.begin_results(key), Silent())
    store.complete_results(key)
    found = store.results(key).open()
    assert len(found.report["went_on_at"]) == 1
    for name in ("slab.frame x", "rub friction force", "rub impulse x", "slab momentum x", "friction work"):
        np.testing.assert_array_equal(found.curve(name), whole.curve(name))


def test_a_motion_goes_on_from_a_frame_with_friction_as_it_was(spec, whole, tmp_path):
    slide(spec, whole, start_from="slide", start_frame=6, duration=0.004, frames=4)(
        tmp_path / "on.h5", Silent()
    )
    found = Results(tmp_path / "on.h5")
    np.testing.assert_allclose(found.values, whole.values[6:], rtol=1e-12)
    for name in ("rub friction force", "slab.frame vx", "rub normal force"):
        np.testing.assert_allclose(found.curve(name), whole.curve(name)[6:], rtol=2e-3)


def test_pressure_and_friction_are_fields_of_the_slaves_body(tmp_path):
    model, _, _, body = solid_box(vibration_modes=2)
    skin = find_skin(model)
    body = replace(body, surfaces={"bottom": part_of_surface(skin.surface, skin.normals[:, 2] < -0.9)})
    part = {
        "kind": "flexible", "name": "box", "body": "box",
        "placement": {"position": (0.0, 0.0, -1e-4), "velocity": (500.0, 0.0, 0.0)},
    }  # fmt: skip
    contacts = [{**RUB, "slave": "box.bottom"}]
    spec = system_of(parts=[part], ground_surfaces=[{"kind": "plane", "name": "floor"}], contacts=contacts)
    words = {"name": "m", "system": spec.name, "duration": 2e-6, "frames": 2,
             "integrator": {"kind": "hht", "first_step": 1e-6, "largest_step": 1e-6, "fixed_step": True}}  # fmt: skip
    system = SystemModel(spec, {"box": BodyModel("box", body, (), {})})
    build(analyses["motion"], words).run(system, tmp_path / "m.h5", Silent())
    results = Results(tmp_path / "m.h5")
    context = FieldContext(results.part("box"), body, {}, {}, model=model)
    pressure, gap, slip, stress = (
        find_field(kind).evaluate(context, "", 1)
        for kind in ("part_pressure", "part_gap", "part_slip", "part_friction_stress")
    )
    below = body.surfaces["bottom"].nodes
    assert set(np.flatnonzero(~np.isnan(pressure))) == set(below)
    np.testing.assert_allclose(pressure[below], 500.0 * np.maximum(-gap[below], 0.0), rtol=1e-9)
    areas = surface_of_body(body.surfaces["bottom"], body).areas
    assert areas @ pressure[below] == pytest.approx(results.curve("rub normal force")[1], rel=1e-9)
    assert areas @ stress[below] == pytest.approx(results.curve("rub friction force")[1], rel=1e-9)
    np.testing.assert_allclose(slip[below][pressure[below] > 0.0], 5e-4, rtol=0.05)
    plain = FieldContext(results.part("box"), body, {}, {})
    assert find_field("part_slip").refusal(plain) is None
    with pytest.raises(ModelError, match="No other part touches this body"):
        find_field("part_pressure").evaluate(replace(plain, frames=ModeShapes(body, ("one",), (1.0,))), "", 0)


def test_two_passes_share_the_force(folder):
    """Of two slabs that overlap by one corner each, every pass finds the same depth, at its own slave's node."""
    skin = {"kind": "surface_mesh", "name": "skin", "path": str(folder / "slab.obj")}
    slabs = [
        {
            "kind": "rigid",
            "name": name,
            "contact_surfaces": [skin],
            "placement": {"position": (0.0, 0.0, height)},
        }
        for name, height in (("low", 0.0), ("high", 0.99))
    ]

    def facing(slave, node):
        facets = slice(*slave.nodal_facets.starts[node : node + 2])
        upright = np.abs(slave.nodal_facets.normals[facets, 2]) > 0.9
        return slave.nodal_facets.areas[facets][upright].sum()

    def force(share, friction=None):
        touch = {
            **RUB,
            "master": "low.skin",
            "slave": "high.skin",
            "two_pass": share,
            "friction_law": friction,
        }
        system = system_of(parts=slabs, contacts=[touch]).build({})
        q = np.concatenate([[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], [2.0, 3.0, 0.99, 1.0, 0.0, 0.0, 0.0]])
        names = [(contact.name, contact.slave_part, contact.share) for contact in system.contacts.members]
        pressure = 500.0 * 0.01
        corners = {"high": 0, "low": 6}  # those that lie inside of the other slab
        expected = sum(
            c.share * pressure * facing(c.slave, corners[c.slave_part])
            for c in system.contacts.members
            if not c.name.endswith("(edges)")
        )
        # Two edges cross two others, of facets 10 and 1 wide.
        expected += 2.0 * pressure * 0.25 * 5.5**2
        force = system.contact(q, system.initial_history(), 0.0, jacobian=False).force
        assert force[9] == pytest.approx(expected, rel=1e-6)
        assert force[2] == pytest.approx(-force[9], rel=1e-12)
        return names

    edges = ("rub (edges)", "high", 1.0)
    assert force(0.0) == [("rub", "high", 1.0), ("rub (corners)", "low", 1.0), edges]
    assert force(0.25) == [("rub", "high", 0.75), edges, ("rub (exchanged)", "low", 0.25)]
    assert [each[:2] for each in force(1.0)] == [
        ("rub (exchanged)", "low"), ("rub (exchanged) (corners)", "high"), ("rub (exchanged) (edges)", "low"),
    ]  # fmt: skip
    both = {**RUB, "master": "low.skin", "slave": "high.skin", "two_pass": 0.5}
    with pytest.raises(ModelError, match=r"'rub \(exchanged\)' has the name of the second pass"):
        system_of(parts=slabs, contacts=[both, {**both, "name": "rub (exchanged)", "two_pass": 0.0}]).build(
            {}
        )


def test_what_overlaps_at_the_start_or_never_touches_is_told(spec, whole):
    words = {"name": "slide", "system": spec.name, "duration": 0.01}
    project = build(Project, {"systems": [spec.model_dump()], "analyses": [{"kind": "motion", **words}]})

    def said(report):
        checked = CheckedProject(project, Path(), reports={"slide": report})
        return [f for f in run_checks(checked) if f.check == "contact_runs"]

    sunk = MASS * G * np.cos(ANGLE) / AREA / 500.0
    start = whole.report["contacts"]["rub"]
    assert start["overlap"] == pytest.approx(sunk, rel=1e-6) and start["overlapping_nodes"] == 4
    np.testing.assert_allclose(start["way_out"], [0.0, 0.0, sunk], atol=1e-12)
    assert start["most_closed"] == 4 and said(whole.report) == []  # the weight alone brings that about
    deep = {**start, "overlap": 0.5, "stored_at_start": 0.5 * whole.report["energy_balance"]["turned over"]}
    (found,) = said({**whole.report, "contacts": {"rub": deep}})
    assert "'ground' and 'slab' overlap in contact 'rub' by 0.5 mm at 4 nodes" in found.sentence
    assert "50 %" in found.sentence and "along z" in found.hint
    # Ground stands still; the slab goes up, as a step on the project.
    remedy = found.remedy
    assert remedy.label == "Move 'slab' out of 'ground'"
    moved = edits.set_value(remedy.path, remedy.value)(project)
    was, now = (p.systems[0].parts[-1].placement.position for p in (project, moved))
    np.testing.assert_allclose(np.subtract(now, was), deep["way_out"], atol=1e-8)
    # Where the slave cannot be moved the master goes the other way.
    (found,) = said({**whole.report, "contacts": {"rub": {**deep, "parts": ["slab", "ground"]}}})
    assert found.remedy.label == "Move 'slab' out of 'ground'"
    np.testing.assert_allclose(np.subtract(found.remedy.value, was), np.negative(deep["way_out"]), atol=1e-8)
    (found,) = said({**whole.report, "contacts": {"rub": {**start, "most_closed": 0}}})
    assert "never touch" in found.sentence
    # Edges that cross count as a touch of the contact that they complete.
    none, edges = {**start, "most_closed": 0}, {**start, "completes": "rub"}
    assert said({**whole.report, "contacts": {"rub": none, "rub (edges)": edges}}) == []
    open_ones = {"rub": none, "rub (edges)": {**edges, "most_closed": 0}}
    (found,) = said({**whole.report, "contacts": open_ones})
    assert "never touch in contact 'rub'." in found.sentence


def test_touches_have_a_table_and_a_line():
    """What runs report of them: one strong touch, and a contact that never closed."""
    strongest = {
        "begins": 1e-3, "ends": 1.2e-3, "impulse": 0.048, "peak_force": 484.0, "approach_speed": 300.0,
        "separation_speed": 189.0, "restitution": 0.63,
    }  # fmt: skip
    contacts = {
        "hit": {"parts": ["rod", "ball"], "most_closed": 69, "touches": 1, "strongest_touch": strongest},
        "miss": {"parts": ["rod", "cap"], "most_closed": 0, "touches": 0, "strongest_touch": {}},
    }
    title, make = RUN_TABLES["touches"]
    table = make(SimpleNamespace(report={"contacts": contacts}))
    heads = [column.head("mm-t-s") for column in table]
    assert title == "Touches" and {"Impulse [N·s]", "Peak force [N]", "Contact time [s]"} <= set(heads)
    hit, miss = (dict(zip(heads, row, strict=True)) for row in cell_texts(table))
    assert (hit["Contact time [s]"], hit["Restitution"], hit["Parts"]) == ("0.0002", "0.63", "rod and ball")
    assert miss["Touches"] == "0" and miss["Impulse [N·s]"] == ""
    assert make(SimpleNamespace(report={})) == ()
    told = _touches("hit", contacts["hit"], "mm-t-s")
    assert "1 touch ended, at most 69 nodes" in told and "impulse 0.048 N·s, in 0.0002 s, peak 484 N" in told
    assert _touches("miss", contacts["miss"], "mm-t-s").endswith("0 touches ended, at most 0 nodes closed")


def test_the_run_itself_reports_what_the_table_tells(whole):
    found = whole.report["contacts"]["rub"]
    assert {"parts", "most_closed", "touches", "strongest_touch"} <= set(found)


def test_round_off_next_to_the_largest_of_its_quantity_is_zero_in_tables():
    table = (
        RunColumn("Mode", "", "", [1.0, 2.0]),
        RunColumn("Damping ratio", "", "", [8.4e-41, math.nan]),
        RunColumn("Force", "force", "", [-0.0, 13183.4]),
        RunColumn("Where", "", "", ["tip", "hold"]),
    )
    assert [list(c.values) for c in without_round_off(table)][1][0] == 0.0
    assert cell_texts(table, 4) == [["1", "0", "0", "tip"], ["2", "", "13183", "hold"]]
