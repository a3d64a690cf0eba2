"""Curves of gears in mesh: what involute gears do, on a coarse pair of three teeth each."""

from contextlib import closing
from math import atan, cos, pi, radians, tan
from xml.etree import ElementTree

import numpy as np
import pytest

from faying.cli import main
from faying.errors import FayingError
from faying.examples.gear_pair import BASE_RADII, FORCE, PITCH, RATIO, gear, pair_parameters
from faying.exporters.flank_picture import flank_picture
from faying.fem.writers import write_model
from faying.multibody.contacts.spec import PartContactSpec
from faying.params import build
from faying.project.assembled import assembled_system
from faying.project.checks import CheckedProject, checks
from faying.project.specs import Project
from faying.project.stage import Target
from faying.results.run_tables import RUN_TABLES, RunColumn
from faying.session import Session

MESH = {"modelled_teeth": 3, "tooth_elements": 4, "rim_elements": 2, "fillet_elements": 2}
SHARE = 0.6  # of a pitch: from two pairs of teeth in contact to one, and back to two
FRAMES = 8
LITTLE = 1e-4  # of a pitch: no node comes or goes


def project(folder, width_elements=1, of_mesh=None, **gears):
    """Return the words of a coarse pair, with other decisions on its gears; `of_mesh` of each wheel's mesh."""
    bodies = []
    for wheel, flank, teeth in (("pinion", 22, (2, 3)), ("wheel", 19, (1, 2))):
        more = (of_mesh or {}).get(wheel, {})
        made = gear(wheel, **MESH, flank_elements=flank, width_elements=width_elements, **more)
        write_model(made.model(), folder / f"{wheel}.inp")
        flanks = [{"kind": "deck_surface", "name": f"TOOTH_{tooth}_LEFT"} for tooth in teeth]
        bodies.append({
            "name": wheel, "model": {"path": str(folder / f"{wheel}.inp")},
            "interfaces": [{"name": "axis", "node_set": "AXIS"}],
            "reduction": {"kind": "craig_bampton", "vibration_modes": 1},
            "contact_surfaces": [{"name": "flanks", "surface": {"kind": "combined", "parts": flanks}}],
        })  # fmt: skip
    system = pair_parameters("pair", "{}", 2)
    system["contacts"][0]["gears"] |= gears
    turning = {"kind": "quasi_static", "name": "mesh", "system": "pair", "duration": SHARE, "frames": FRAMES}
    a_little = {**turning, "name": "a little", "duration": LITTLE, "frames": 4}
    words = {"name": "gears", "bodies": bodies, "systems": [system], "analyses": [turning, a_little]}
    return build(Project, words)


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gears")
    return Session(project(folder), folder / "artifacts")


@pytest.fixture(scope="module")
def run(session):
    with closing(session.compute(Target("motion", "pair", "mesh")).open()) as results:
        yield results


def of(run, name):
    return run.curve(f"mesh {name}")


def test_the_error_is_what_the_wheel_is_ahead_of_the_ratio(run):
    """Definition: r_b (φ₂ + φ₁ z₁/z₂), with angles that the constraints count."""
    pinion, wheel = (np.unwrap(run.curve(f"axle of the {name} angle")) for name in ("pinion", "wheel"))
    ahead = BASE_RADII["wheel"] * (wheel - wheel[0] + (pinion - pinion[0]) / RATIO)
    assert pinion[-1] - pinion[0] == pytest.approx(SHARE * PITCH)
    np.testing.assert_allclose(of(run, "transmission error"), ahead, atol=1e-9)
    assert np.ptp(ahead) > 1e-3  # mm: one pair gives way more than two
    names = ("transmission error", "deflection", "flank 1 pressure")
    assert [run.curve_key(f"mesh {name}").dimension for name in names] == ["length", "length", "stress"]


def test_shares_are_those_of_the_flanks_and_one_pair_carries_all_in_between(run):
    shares = np.array([of(run, f"flank {k} share") for k in (1, 2)])
    np.testing.assert_allclose(shares.sum(axis=0), 1.0, atol=1e-12)
    np.testing.assert_array_equal((shares > 0.0).sum(axis=0), of(run, "flanks in contact"))
    assert of(run, "flanks in contact")[0] == 2.0 and of(run, "flanks in contact")[-1] == 1.0
    np.testing.assert_allclose(shares[1, -1], 1.0)


def test_the_force_is_torque_over_base_radius_and_torques_have_the_ratio(run):
    """Statics; on facets of half a millimetre the line of action swings by a per cent."""
    np.testing.assert_allclose(of(run, "normal force"), FORCE, rtol=0.03)
    np.testing.assert_allclose(of(run, "torque ratio"), RATIO, rtol=0.03)
    assert of(run, "torque ratio").mean() == pytest.approx(RATIO, rel=0.01)


def test_the_drive_s_work_is_the_brake_s_and_what_is_stored(session):
    """Virtual work: T₁ dφ₁ + T₂ dφ₂ = dU, at every moment, wherever facets point; by Simpson's rule."""
    with closing(session.compute(Target("motion", "pair", "a little")).open()) as run:
        pinion, wheel = (np.unwrap(run.curve(f"axle of the {name} angle")) for name in ("pinion", "wheel"))
        stored = run.curve("elastic energy") + run.curve("mesh stored energy")
        drive = run.curve("drive moment z")
    whole = pinion[-1] - pinion[0]
    done = float(np.array([1.0, 4.0, 2.0, 4.0, 1.0]) @ drive) / 12.0 * whole
    braked = FORCE * BASE_RADII["wheel"] * (wheel[-1] - wheel[0])
    assert np.ptp(stored) > 1e-5 * abs(done)  # else a ratio alone would do
    assert done + braked == pytest.approx(stored[-1] - stored[0], abs=1e-6 * abs(done))
    # With the ratio of the teeth in place of how fast the wheel really turns it would not.
    assert abs(whole / RATIO + wheel[-1] - wheel[0]) > 1e-5 * abs(whole)


def test_flanks_touch_a_base_pitch_apart_and_move_along_the_path_of_contact(run):
    """Involutes: pairs follow each other by π m cos α, and go r_b Δφ in a while; but for a row."""
    row = 0.8  # mm
    paths = [of(run, f"flank {k} path") for k in (1, 2)]
    both = of(run, "flanks in contact") == 2.0
    apart = np.abs(paths[1] - paths[0])[both]
    assert apart.mean() == pytest.approx(2.0 * pi * BASE_RADII["wheel"] / 37, abs=row)
    moved = paths[1][-1] - paths[1][0]
    assert abs(moved) == pytest.approx(BASE_RADII["pinion"] * SHARE * PITCH, abs=row)


def test_flanks_are_unrolled_with_their_largest_pressures(run):
    """The tip of the wheel touches where √(r_a² − r_b²) − r_b tan α on the path of contact says."""
    title, make = RUN_TABLES["flanks"]
    columns = {column.title: np.array(column.values) for column in make(run)}
    assert title == "Flanks" and set(columns["Contact"]) == {"mesh"}
    for flank in (1, 2):
        own = columns["Flank"] == flank
        largest = columns["Largest pressure"][own]
        assert largest.max() == of(run, f"flank {flank} pressure").max()
        assert len(set(columns["Width"][own])) == 2 and np.ptp(columns["Width"][own]) == pytest.approx(20.0)
        base, tip = BASE_RADII["wheel"], 0.5 * 5.0 * 39
        assert columns["Path of contact"][own].max() == pytest.approx(
            np.sqrt(tip**2 - base**2) - base * np.tan(np.radians(20.0)), rel=1e-6
        )
        roll = columns["Roll angle"][own] * base - columns["Path of contact"][own]
        np.testing.assert_allclose(roll, base * np.tan(np.radians(20.0)), rtol=1e-9)
        # Where a node is pressed most is where the flank is said to touch then, but for a row.
        most = int(largest.argmax())
        path = np.interp(columns["At"][own][most], run.values, of(run, f"flank {flank} path"))
        assert columns["Path of contact"][own][most] == pytest.approx(path, abs=0.8)


def test_unrolled_flanks_are_drawn_a_rectangle_for_each_node(run):
    table = RUN_TABLES["flanks"][1](run)
    drawing = ElementTree.fromstring(flank_picture(table, "mm-t-s"))
    name = "{http://www.w3.org/2000/svg}"
    colours = [each.get("fill") for each in drawing.iter(f"{name}rect")]
    nodes, flanks, bar = len(table[0].values), 2, 40
    assert (
        len(colours) == nodes + flanks + bar + 2
    )  # with the paper, and a frame round each flank and the bar
    assert "#67001f" in colours  # of the node with the largest pressure
    texts = [each.text for each in drawing.iter(f"{name}text")]
    largest = max(next(column for column in table if column.title == "Largest pressure").values)
    assert any(f"{largest:.4g} N/mm² at most" in text for text in texts)
    # For a dark window what carries nothing has its background, and the largest is the brightest.
    night = ElementTree.fromstring(flank_picture(table, "mm-t-s", dark=True))
    at_night = [each.get("fill") for each in night.iter(f"{name}rect")]
    assert len(at_night) == len(colours) and "#fef0b4" in at_night and at_night[0] == "#1b1e24"
    assert night.get("color") != drawing.get("color")
    with pytest.raises(FayingError, match="No flank of gears was pressed"):
        flank_picture((), "mm-t-s")


@pytest.mark.parametrize("width", [[7.0, 7.0], [0.0, 0.0], [7.0, 7.0 + 1e-15]])
def test_a_flank_of_one_row_of_nodes_fills_its_drawing(width):
    columns = (
        ("Contact", ("c", "c")),
        ("Flank", (1.0, 1.0)),
        ("Path of contact", (0.0, 1.0)),
        ("Width", width),
    )
    table = tuple(
        RunColumn(title, "", "", values) for title, values in (*columns, ("Largest pressure", (1.0, 2.0)))
    )
    drawing = ElementTree.fromstring(flank_picture(table, "mm-t-s"))
    name = "{http://www.w3.org/2000/svg}"
    _paper, first, second, frame, *_ = drawing.iter(f"{name}rect")
    assert float(first.get("height")) == float(second.get("height")) == float(frame.get("height"))
    assert [each.text for each in drawing.iter(f"{name}text")].count(f"{width[0]:g}") >= 1


def test_the_drawing_and_the_table_are_exported(session, run, tmp_path):
    path = tmp_path / "gears.faying"
    session.save(path)
    words = ["export", str(path), "--analysis", "mesh", "--table", "flanks", "--to"]
    assert main([*words, str(tmp_path / "flanks.svg")]) == 0
    assert main([*words, str(tmp_path / "flanks.csv")]) == 0
    rows = (tmp_path / "flanks.csv").read_text().splitlines()
    assert rows[0].split(",")[2] == "Path of contact [mm]" and len(rows) == 1 + 2 * 20 * 2
    assert ElementTree.parse(tmp_path / "flanks.svg").getroot().tag.endswith("svg")


@pytest.mark.slow  # a pair with five elements across its width
def test_helical_teeth_push_along_their_axes_and_touch_along_oblique_lines(tmp_path):
    """F_n = T / (r_b cos β_b) and F_a = T tan β / r (ISO 21771): 2439 and 595 N."""
    lean, across = radians(15.0), radians(20.0)
    rack = {
        "module": 5.0 * cos(lean), "pressure_angle": atan(tan(across) * cos(lean)), "addendum": 1.0 / cos(lean),
        "dedendum": 1.25 / cos(lean),
    }  # fmt: skip
    sides = {"pinion": {**rack, "helix_angle": lean}, "wheel": {**rack, "helix_angle": -lean}}
    of_helix = Session(project(tmp_path, 5, sides), tmp_path / "artifacts")
    with closing(of_helix.compute(Target("motion", "pair", "mesh")).open()) as run:
        base_lean = atan(tan(lean) * cos(across))
        np.testing.assert_allclose(of(run, "normal force"), FORCE / cos(base_lean), rtol=0.02)
        np.testing.assert_allclose(np.abs(of(run, "force z")), FORCE * tan(base_lean), rtol=0.02)
        columns = {c.title: np.array(c.values) for c in RUN_TABLES["flanks"][1](run)}
    # At one moment nodes touch farther along the path on one side of the wheel than on the other.
    pressed = columns["At"] == 0.0
    assert pressed.sum() > 4
    slope = np.polyfit(
        columns["Width"][pressed], columns["Path of contact"][pressed] % (pi * 5.0 * cos(across)), 1
    )[0]
    assert slope == pytest.approx(-tan(base_lean), rel=0.5)


def test_stiffness_is_force_over_what_undeformed_flanks_overlap(run):
    """Kind: published, ISO 6336-1: 1/q' = 15.9 N/(mm µm) of a pair; the mesh is coarse."""
    stiffness, force, deflection = (of(run, name) for name in ("stiffness", "normal force", "deflection"))
    np.testing.assert_allclose(stiffness * deflection, force)
    single = of(run, "flanks in contact") == 1.0
    assert stiffness[single].mean() / 20.0 == pytest.approx(15.9e3, rel=0.25)
    assert stiffness[~single].mean() > 1.2 * stiffness[single].mean()


def findings(at, gears=None, axle=(0.0, 0.0, 0.0), **placed):
    """Return what the check of gears finds with other decisions on them, or the wheel or its axle placed otherwise.

    Before them there is a contact without gears, whose name begins with theirs.
    """
    words = at.project.model_dump(mode="json")
    system = words["systems"][0]
    contact = system["contacts"][0]
    system["contacts"].insert(0, {**contact, "name": f"{contact['name']} of others", "gears": {}})
    contact["gears"] |= gears or {}
    system["parts"][1]["placement"] |= placed
    system["ground"][1] |= {"position": placed.get("position", (137.5, 0.0, 0.0)), "rotation": axle}
    changed = build(Project, words)
    bodies, models = (
        {name: at.compute(Target(what, name)) for name in BASE_RADII} for what in ("body", "model")
    )
    assembled = {"pair": assembled_system(changed.systems[0], bodies)}
    return list(checks["gears"](CheckedProject(changed, at.base, models, assembled=assembled)))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"master_axis": "wheel.axis"}, "need a marker on 'pinion' that defines its axis"),
        ({"slave_axis": ""}, "need a marker on 'wheel' that defines its axis; none is given"),
        ({"module": 6.0}, "nearer to each other than their base circles allow"),
    ],
)
def test_gears_that_are_none_are_refused(words, sentence, session):
    (found,) = findings(session, gears=words)
    assert found.severity == "error" and sentence in found.sentence


def test_two_passes_are_refused():
    words = pair_parameters("pair", "{}")["contacts"][0] | {"two_pass": 0.5}
    with pytest.raises(FayingError, match="curves of gears are those of one pass"):
        build(PartContactSpec, words)


def test_one_gear_alone_is_refused():
    words = pair_parameters("pair", "{}")["contacts"][0]
    words["gears"] |= {"slave_teeth": 0}
    with pytest.raises(FayingError, match="gears mesh in pairs: give the numbers of teeth of both"):
        build(PartContactSpec, words)


def test_axes_that_are_not_parallel_are_refused(session):
    (found,) = findings(session, axle=(0.0, 0.2, 0.0), rotation=(0.0, 0.2, 0.0))
    assert found.severity == "error" and "are at 11.5° to each other" in found.sentence


def test_the_check_tells_overlap_gears_that_never_touch_and_wrong_turns(session):
    assert not findings(session)
    (near,) = findings(session, position=(136.5, 0.0, 0.0))
    assert near.severity == "error" and "the teeth overlap by" in near.sentence
    overlap = float(near.sentence.partition("overlap by ")[2].split()[0])
    assert overlap == pytest.approx(1.0 * np.sin(np.radians(20.0)), rel=0.25)  # Δa sin α, analytical
    assert "137.5 mm apart" in near.hint
    (far,) = findings(session, position=(150.0, 0.0, 0.0))
    assert (
        "never touch: their tips are 50 and 97.5 mm from their axes, which are 150 mm apart" in far.sentence
    )
    (turned,) = findings(session, rotation=(0.0, 0.0, 0.5))
    assert "no teeth are within 2.5 mm" in turned.sentence


def test_normals_that_jump_are_remarked(session):
    words = session.project.model_dump(mode="json")
    for body in words["bodies"]:
        body["contact_surfaces"][0]["surface"] = {"kind": "deck_surface", "name": "ROOTS"}
    models = {name: session.compute(Target("model", name)) for name in ("pinion", "wheel")}
    checked = CheckedProject(build(Project, words), session.base, models)
    found = list(checks["gears"](checked))
    assert len(found) == 2 and all(f.severity == "note" for f in found)
    assert "the normals of facets jump by more than 20°" in found[0].sentence


def test_shapes_on_all_flanks_are_told_with_their_number_and_memory(tmp_path):
    model = gear("pinion", modelled_teeth=0, flank_elements=14, width_elements=3).model()
    surface = {"name": "flanks", "surface": {"kind": "deck_surface", "name": "FLANKS"}}
    body = {"name": "pinion", "model": {"path": "pinion.inp"}, "contact_surfaces": [surface]}
    checked = CheckedProject(build(Project, {"bodies": [body]}), tmp_path, {"pinion": model})
    (found,) = [f for f in checks["contact_surfaces"](checked) if f.severity == "warning"]
    assert "up to 2160 contact shapes: about" in found.sentence and "GB" in found.sentence
