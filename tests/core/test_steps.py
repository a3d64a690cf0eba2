"""Steps in a row: bolts tightened and locked, working loads, loops of friction; against springs and the FE model."""

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from faying.analyses.statics.bolts import require_lockable
from faying.analyses.step_kinds.cycle import Cycle
from faying.errors import Cancelled, ModelError
from faying.exporters import export_content
from faying.exporters.systems import shown_content
from faying.params import build
from faying.progress import Silent
from faying.project.checks import CheckedProject, run_checks
from faying.project.memory import Memory
from faying.project.specs import Project
from faying.project.stage import Target
from faying.project.stages import PIPELINE
from faying.project.store import ArtifactStore
from faying.results.table_file import table_text
from support.clamps import (
    BEAM,
    HALF,
    LENGTH,
    MODULUS,
    SHANK_AREA,
    SIDE,
    SLEEVE_AREA,
    STIFFER,
    clamp_body,
    write_blocks,
    write_clamp,
)

CONTACT, PRELOAD, PULL = 1e5, 3000.0, 1000.0
GROWTH, WARMING = 12e-6, 100.0
# The clamp as springs: shank with both seats, sleeve with the joint in its middle.
SEATS = 1.0 / (MODULUS * SHANK_AREA / LENGTH), 1.0 / (CONTACT * SLEEVE_AREA)
BOLT_PATH = 1.0 / (SEATS[0] + 2.0 * SEATS[1])
SLEEVE_PATH = 1.0 / (LENGTH / (MODULUS * SLEEVE_AREA) + SEATS[1])
FACTOR = BOLT_PATH / (BOLT_PATH + SLEEVE_PATH)


def tighten(bolt, **words):
    return {"kind": "tighten", "bolt": bolt, **words}


def load(node, force, moment=(0.0, 0.0, 0.0)):
    return {"kind": "load", "loads": [{"interface": node, "force": force, "moment": moment}]}


class Clamp:
    """A project on a deck, with its store."""

    def __init__(self, folder: Path, project: Project):
        self.project, self.store, self.memory = project, ArtifactStore(folder / "store"), Memory()
        self.body = project.bodies[0].name

    def results(self, name, progress=None):
        target = Target("analysis", self.body, name)
        PIPELINE.run(self.project, target, self.store, memory=self.memory, progress=progress or Silent())
        return self.store.results(PIPELINE.key_of(self.project, target, Path.cwd())).open()

    def bolts(self, name):
        self.results(name).close()
        return export_content(self.project, self.store, name, memory=self.memory).bolt_table()


@pytest.fixture(scope="module")
def clamp(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clamp")
    rows = {
        "pulled": [
            tighten("BOLT", force=PRELOAD), load("pull", [0, 0, PULL]), load("pull", [0, 0, PULL], [0, 1500.0, 0]),
            {"kind": "load"},
        ],
        "turned": [tighten("bolt", angle=0.1, pitch=0.5), tighten("bolt", angle=0.1, pitch=0.5)],
        "warmed": [
            tighten("BOLT", force=PRELOAD), {"kind": "load", "body_loads": [{"load": "warm shank", "factor": 0.5}]},
            {"kind": "load", "body_loads": [{"load": "lid"}]}, {"kind": "load"},
        ],
    }  # fmt: skip
    common = {"body": "clamp", "support": "hold"}
    analyses = [
        {"kind": kind, "name": prefix + name, **common, "steps": steps}
        for name, steps in rows.items()
        for prefix, kind in (("", "steps"), ("full ", "unreduced_steps"))
    ]
    loose = [tighten("bolt", angle=0.1, pitch=0.5), tighten("bolt")]
    analyses.append({"kind": "steps", "name": "loosened", **common, "steps": loose})
    preloads = [{"name": "tight", "loads": [{"kind": "bolt_force", "bolt": "bolt", "force": PRELOAD}]}]
    pull = [{"interface": "pull", "force": [0, 0, PULL]}]
    analyses += [
        {"kind": kind, "name": kind, **common, "preloads": ["tight"], "loads": pull}
        for kind in ("static", "unreduced_static")
    ]
    warm = {
        "kind": "temperature",
        "name": "warm shank",
        "of_sets": [{"element_set": "SHANK", "change": WARMING}],
    }
    lid = {"kind": "node_force", "name": "lid", "node_set": "PULL_NODES", "force": [0, 0, PULL]}
    body = clamp_body(write_clamp(folder / "clamp.inp"), CONTACT, preloads=preloads, loads=[warm, lid])
    body["materials"] = [
        {"kind": "isotropic", "element_set": name, "name": name, "youngs_modulus": modulus, "poisson_ratio": 0.0,
         "density": 7.85e-9, "expansion": GROWTH}
        for name, modulus in (("HEAD", STIFFER * MODULUS), ("SHANK", MODULUS), ("SLEEVE", MODULUS))
    ]  # fmt: skip
    grows = {"kind": "table", "points": [(0.0, 0.0), (1e-4, 1.0)]}
    systems = [{
        "name": "bench",
        "ground": [{"name": "foot"}],
        "parts": [{"kind": "flexible", "name": "part", "body": "clamp", "frame": "hold", "preloads": ["tight"],
                   "stiffness_damping": 1e-5}],
        "constraints": [{"kind": "fixed", "name": "mount", "first": "ground.foot", "second": "part.hold"}],
        "forces": [{"kind": "point_force", "name": "crane", "marker": "part.pull", "force": [0, 0, PULL],
                    "time_history": grows}],
    }]  # fmt: skip
    analyses.append({
        "kind": "motion", "name": "moved", "system": "bench", "duration": 1.2e-4, "frames": 3, "from_equilibrium": True,
        "integrator": {"kind": "hht", "separate_modes": True, "first_step": 1e-5},
    })  # fmt: skip
    return Clamp(folder, build(Project, {"bodies": [body], "systems": systems, "analyses": analyses}))


def test_a_locked_bolt_takes_its_share_of_the_working_load(clamp):
    for name, close in (("full pulled", 2e-4), ("pulled", 1e-2)):
        found = clamp.results(name)
        force, clamped = found.curve("bolt axial force"), found.curve("faying normal force")
        assert force[0] == pytest.approx(PRELOAD, rel=1e-9) and force[-1] == pytest.approx(PRELOAD, rel=1e-6)
        assert (force[1] - PRELOAD) / PULL == pytest.approx(FACTOR, rel=close)
        assert found.report["bolt_forces"]["bolt"] == [force.min(), force.max()]
        # Head, nut, cut and joint are in balance; weak ties take a ten thousandth.
        for seat in ("head", "nut"):
            np.testing.assert_allclose(found.curve(f"{seat} normal force"), force, rtol=3e-4)
        outside = np.array([0.0, PULL, PULL, 0.0])
        np.testing.assert_allclose(force - clamped, outside, atol=1e-3)
        np.testing.assert_allclose(found.curve("pull force z"), outside, atol=1e-9)
        # Loads that are gone have given back what they took: nothing slides here.
        assert abs(found.curve("external work")[-1]) < 1e-6 * found.curve("external work").max()


def test_the_table_of_bolts_says_load_factor_clamp_load_and_reserves(clamp):
    (full,), (reduced,) = clamp.bolts("full pulled"), clamp.bolts("pulled")
    # Frames after the pull have the moment besides, which changes no sums.
    assert full.preload == pytest.approx(PRELOAD) and full.smallest == pytest.approx(PRELOAD)
    assert full.largest == pytest.approx(PRELOAD + FACTOR * PULL, rel=1e-4)
    assert full.working_load == pytest.approx(PULL, rel=1e-4)
    assert full.load_factor == pytest.approx(FACTOR, rel=1e-3)
    assert full.clamp_load == pytest.approx(PRELOAD, rel=1e-6)
    assert full.residual_clamp == pytest.approx(PRELOAD - (1 - FACTOR) * PULL, rel=1e-4)
    assert full.separation_reserve == pytest.approx(full.residual_clamp / PRELOAD, rel=1e-4)
    assert full.gaping == 0.0 and full.slipping == 0.0 and math.isnan(full.slip_reserve)
    assert full.proof == pytest.approx(580.0 * 8.78 / full.largest, rel=2e-3)
    for name in ("load_factor", "largest", "residual_clamp", "yielding"):
        assert getattr(reduced, name) == pytest.approx(getattr(full, name), rel=0.02), name
    (held,) = clamp.bolts("static")
    assert held.largest == held.preload == PRELOAD and held.load_factor == pytest.approx(0.0, abs=1e-6)
    assert held.residual_clamp == pytest.approx(PRELOAD - PULL, rel=1e-4)


def test_bolts_of_a_part_in_motion_have_their_table_too(clamp):
    """Pulled slowly it is the static analysis: the bolt keeps its force, the joint gives all that the load takes.

    Steps of 10 µs are 3 % off that; a tenth of them 0.03 %.
    """
    target = Target("motion", "bench", "moved")
    PIPELINE.run(clamp.project, target, clamp.store, memory=clamp.memory)
    (row,) = shown_content(clamp.project, clamp.store, "moved", memory=clamp.memory).bolt_table()
    assert row.name == "part: bolt" and row.size == "M4"
    assert row.preload == row.largest == pytest.approx(PRELOAD)
    assert row.clamp_load == pytest.approx(PRELOAD, rel=1e-3)
    assert row.residual_clamp == pytest.approx(PRELOAD - PULL, rel=4e-2)
    assert row.working_load == pytest.approx(PULL, rel=8e-2)
    assert row.proof == pytest.approx(580.0 * 8.78 / PRELOAD, rel=2e-3)


def test_an_eccentric_load_bends_the_bolt_as_in_the_unreduced_model(clamp):
    reduced, full = clamp.results("pulled"), clamp.results("full pulled")
    for curve, close in (("bolt axial force", 1e-3), ("bolt bending moment", 0.03), ("pull ry", 5e-3)):
        assert reduced.curve(curve)[2] == pytest.approx(full.curve(curve)[2], rel=close), curve
    assert full.curve("bolt bending moment")[2] > 100 * full.curve("bolt bending moment")[1]


def test_an_angle_shortens_the_bolt_by_its_share_of_the_pitch(clamp):
    turned = 0.5 * 0.1 / (2.0 * np.pi)
    for name, close in (("full turned", 5e-4), ("turned", 1e-2)):
        found = clamp.results(name)
        np.testing.assert_allclose(found.curve("bolt overlap")[:2], [turned, 2 * turned], rtol=1e-9)
        expected = turned / (1.0 / BOLT_PATH + 1.0 / SLEEVE_PATH)
        np.testing.assert_allclose(found.curve("bolt axial force"), [expected, 2 * expected], rtol=close)
        assert found.report["steps"][1]["what"] == "turn bolt by 5.73°"
    force = clamp.results("loosened").curve("bolt axial force")
    assert force[0] == pytest.approx(expected, rel=1e-2) and abs(force[-1]) < 1e-9 * expected


def test_a_locked_bolt_loses_the_force_that_its_growth_takes(clamp):
    """Analytical: the shank grows by α ΔT L, which both springs give back: ΔF = −α ΔT L / (1/k_bolt + 1/k_sleeve)."""
    lost = GROWTH * 0.5 * WARMING * LENGTH / (1.0 / BOLT_PATH + 1.0 / SLEEVE_PATH)
    for name, close in (("full warmed", 1e-3), ("warmed", 1e-2)):
        found = clamp.results(name)
        force = found.curve("bolt axial force")
        assert force[0] - force[1] == pytest.approx(lost, rel=close)
        # A force on the nodes that PULL couples is the pull of the other row.
        assert (force[2] - PRELOAD) / PULL == pytest.approx(FACTOR, rel=close)
        assert force[3] == pytest.approx(PRELOAD, rel=1e-6)
        np.testing.assert_allclose(found.curve("warm shank factor"), [0.0, 0.5, 0.0, 0.0], atol=1e-12)
        np.testing.assert_allclose(found.curve("lid factor"), [0.0, 0.0, 1.0, 0.0], atol=1e-12)
    assert 0.0 <= clamp.results("warmed").report["load_error"] < 1e-5
    (row,) = clamp.bolts("full warmed")
    assert row.preload == pytest.approx(PRELOAD)
    assert row.smallest == pytest.approx(PRELOAD - lost, rel=1e-3)
    assert row.largest == pytest.approx(PRELOAD + FACTOR * PULL, rel=1e-3)


def test_a_run_tells_how_far_bolt_forces_of_a_poor_basis_are_off(clamp, tmp_path):
    """Against the unreduced model: the estimate is the error, also of a bolt that was locked on the way."""
    pull = load("pull", [0, 0, PULL])
    row = [tighten("bolt", force=PRELOAD), pull, tighten("bolt", angle=0.2, pitch=0.5)]
    body = clamp.project.bodies[0]
    # Without preload cases joint modes know of no tightened bolt.
    bare = body.with_(preloads=(), joint_modes=body.joint_modes.with_(count=20))
    common = {"body": "clamp", "support": "hold", "steps": row}
    words = clamp.project.model_dump(mode="json") | {"bodies": [bare.model_dump(mode="json")]}
    words["analyses"] = [
        {"kind": kind, "name": name, **common}
        for kind, name in (("steps", "one"), ("unreduced_steps", "full"))
    ]
    poor = Clamp(tmp_path, build(Project, words))
    one, full = poor.results("one"), poor.results("full")
    force = one.curve("bolt axial force") / full.curve("bolt axial force") - 1.0
    told = one.report["bolt_force_errors"]
    assert list(told) == ["1", "3"] and told["1"]["bolt"] < 1e-9  # a given force is what it is
    assert abs(force[2]) > 1e-3
    assert told["3"]["bolt"] == pytest.approx(abs(force[2]), rel=0.02)
    assert "bolt_force_errors" in clamp.results("turned").report
    assert clamp.results("turned").report["bolt_force_errors"]["2"]["bolt"] < 1e-2
    report = {"one": {"bolt_force_errors": {"3": {"bolt": 0.14}}}}
    checked = CheckedProject(poor.project, Path.cwd(), reports=report)
    (found,) = [f for f in run_checks(checked) if "is 14 % off" in f.sentence]
    for off, told in ((0.019, 0), (0.021, 1)):
        report = {"one": {"bolt_force_errors": {"3": {"bolt": off}}}}
        checked = CheckedProject(poor.project, Path.cwd(), reports=report)
        assert len([f for f in run_checks(checked) if "% off" in f.sentence]) == told
    assert found.entity == ("analyses", 0, "steps", 2) and "preload case" in found.hint


def test_a_preload_case_holds_the_force_whatever_the_load(clamp):
    """The simple form: the cut slides, and the force stays what it is."""
    for name in ("static", "unreduced_static"):
        found = clamp.results(name)
        np.testing.assert_allclose(found.curve("bolt axial force"), PRELOAD, rtol=1e-12)
        assert found.curve("faying normal force")[-1] == pytest.approx(PRELOAD - PULL, rel=1e-5)


MU, STICK, PUSH = 0.3, 200.0, 900.0
LIMIT = MU * PRELOAD
FAR = 0.05
SWUNG = {"kind": "cycle", "displacements": [{"interface": "push", "ux": FAR}], "cycles": 5, "points": 20}
SWING = {
    "kind": "cycle",
    "loads": [{"interface": "push", "force": [2 * PUSH, 0, 0]}],
    "cycles": 5,
    "points": 20,
}


@pytest.fixture(scope="module")
def blocks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("blocks")
    row = [tighten("bolt 10", force=PRELOAD), load("push", [2 * PUSH, 0, 0]), {"kind": "load"}, SWING]
    short = [*row[:3]]
    moved = [
        row[0], {"kind": "load", "displacements": [{"interface": "push", "ux": far_of_push()}]}, {"kind": "load"},
        {"kind": "load", "displacements": [{"interface": "push", "ux": 0.0}]}, SWUNG,
    ]  # fmt: skip
    body = {
        "name": "blocks",
        "model": {"path": str(write_blocks(folder / "blocks.inp"))},
        "interfaces": [{"name": "hold", "node_set": "HOLD"}, {"name": "push", "node_set": "PUSH"}],
        "joints": [{
            "name": "lap",
            "master": {"kind": "deck_surface", "name": "LOWER"}, "slave": {"kind": "deck_surface", "name": "UPPER"},
            "search": {"pairs_at": "integration_points"},
            "contact_law": {"kind": "linear_penalty", "stiffness": 1e4},
            "friction_law": {
                "kind": "coulomb", "friction_coefficient": MU, "sticking_stiffness": STICK, "sliding_stiffness": 0.0,
            },
        }],
        "reduction": {"kind": "craig_bampton", "vibration_modes": 2},
        "joint_modes": {"kind": "equilibrium_snapshots", "count": 6},
    }  # fmt: skip
    common = {"body": "blocks", "support": "hold"}
    analyses = [
        {"kind": "steps", "name": "row", **common, "steps": row},
        {"kind": "unreduced_steps", "name": "full", **common, "steps": short},
        {"kind": "steps", "name": "moved", **common, "steps": moved},
        {"kind": "unreduced_steps", "name": "full moved", **common, "steps": moved[:3]},
    ]
    return Clamp(folder, build(Project, {"bodies": [body], "analyses": analyses}))


def beam_stiffness():
    """Return force over displacement of the beam whose ends do not turn, with its shear deformation."""
    length, inertia, area, shear = 2 * HALF, BEAM**4 / 12.0, BEAM**2, MODULUS / 2.0
    return 1.0 / (length**3 / (12.0 * MODULUS * inertia) + length / (0.85 * shear * area))


def far_of_push():
    """Return how far the push moves the upper block: all of the friction against it."""
    return (2 * PUSH - LIMIT) / beam_stiffness()


def test_a_block_moved_is_the_block_pushed_and_set_free_it_springs_back(blocks):
    pushed = blocks.results("row")
    for name in ("moved", "full moved"):
        found = blocks.results(name)
        moved, by, at = found.curve("push ux"), found.curve("push reaction force x"), found.values
        assert moved[at == 2.0] == pytest.approx(far_of_push(), rel=1e-12)
        assert by[at == 2.0] == pytest.approx(2 * PUSH, rel=1e-3)
        # The reaction goes away as the load does, and leaves what the load left.
        assert moved[at == 3.0] == pytest.approx(pushed.curve("push ux")[pushed.values == 3.0], rel=1e-6)
        assert np.abs(by[at == 3.0]) < 1e-9
        np.testing.assert_allclose(found.curve("BOLT 10 axial force"), PRELOAD, rtol=1e-6)


def test_swung_to_and_fro_the_loop_has_the_area_of_its_sliding(blocks):
    """The slider turns at both ends: 4 μ N (u − μ N / k), and the beam takes nothing."""
    found = blocks.results("moved")
    told = found.report["steps"][4]
    assert told["steady"] and told["cycles"] == 3
    np.testing.assert_allclose(
        told["loop_areas"][1:], 4.0 * LIMIT * (FAR - LIMIT / (STICK * SIDE**2)), rtol=4e-3
    )
    at = found.values
    moved, by = found.curve("push ux")[at > 4.0], found.curve("push reaction force x")
    assert moved.max() == pytest.approx(FAR, rel=1e-12) and moved.min() == pytest.approx(-FAR, rel=1e-12)
    assert by[at == 8.0] == pytest.approx(beam_stiffness() * FAR + LIMIT, rel=1e-3)


def test_friction_that_slid_holds_its_share_back_when_the_load_is_gone(blocks):
    """A slider with its spring beside the beam: P = k u + μ N up, and back until the slider turns."""
    beam, stuck = beam_stiffness(), STICK * SIDE**2
    far = (2 * PUSH - LIMIT) / beam
    # Back to zero it turns once: friction pushes the other way all the rest of the way, or stays stuck.
    back = 2 * LIMIT / stuck
    left = 2 * PUSH - back * (beam + stuck)
    residual = far - back - left / beam if left > 0 else far - 2 * PUSH / (beam + stuck)
    for name in ("row", "full"):
        found = blocks.results(name)
        moved, at = found.curve("push ux"), found.values
        assert moved[at == 2.0] == pytest.approx(far, rel=1e-3)
        assert moved[at == 3.0] == pytest.approx(residual, rel=1e-3)
        # What is left of the slip is a number of the run; the blocks are stiff, so both are one motion.
        slid = [step.get("slip", {}).get("lap") for step in found.report["steps"][:3]]
        assert slid[0] is None and slid[1] == pytest.approx([far, far], rel=5e-3)
        assert slid[2] == pytest.approx([abs(residual)] * 2, rel=2e-2)
        shear, bending = found.curve("BOLT 10 shear force"), found.curve("BOLT 10 bending moment")
        np.testing.assert_allclose(shear[at == 2.0], 2 * PUSH - LIMIT, rtol=4e-3)
        np.testing.assert_allclose(bending[at == 2.0], HALF * (2 * PUSH - LIMIT), rtol=1e-3)
        np.testing.assert_allclose(found.curve("BOLT 10 axial force"), PRELOAD, rtol=1e-6)


def test_a_cyclic_load_comes_to_a_steady_loop_whose_area_is_what_friction_takes(blocks):
    told = blocks.results("row").report["steps"][3]
    far = (2 * PUSH - LIMIT) / beam_stiffness()
    area = 4.0 * LIMIT * (far - LIMIT / (STICK * SIDE**2))
    assert told["steady"] and told["cycles"] == 3
    np.testing.assert_allclose(told["loop_areas"][1:], area, rtol=4e-3)
    # A steady loop leaves no more slip; the first cycle goes on from where the unloading left it.
    first, *others = [left["lap"][1] for left in told["residual_slips"]]
    assert first > 1e-3 * far > 10 * max(others)
    found = blocks.results("row")
    moved, pushed = found.curve("push ux"), found.curve("push force x")
    assert moved[found.values == 7.0] == pytest.approx(far, rel=1e-3)
    assert pushed.max() == 2 * PUSH and pushed.min() == pytest.approx(-2 * PUSH)


def test_a_cycle_in_which_nothing_slips_is_steady_at_once(blocks):
    """Its loop has no area, so that all that changes from cycle to cycle is round-off."""
    push = load("push", [0.3 * LIMIT, 0, 0])["loads"]
    row = {"kind": "steps", "name": "stuck", "body": "blocks", "support": "hold"}
    row["steps"] = [tighten("bolt 10", force=PRELOAD), {**SWING, "loads": push}]
    words = blocks.project.model_dump(mode="json") | {"analyses": [row]}
    told = Clamp(blocks.store.folder.parent, build(Project, words)).results("stuck").report["steps"][1]
    assert told["steady"] and told["cycles"] == 2

    cycle, points = Cycle(), np.array([[1.0], [-1.0]])
    assert cycle.is_steady([1e-17, -2e-17], [points, points])
    assert not cycle.is_steady([1e-3, 2e-3], [points, points])
    assert not cycle.is_steady([1e-17, -2e-17], [points, 1.1 * points])
    assert cycle.is_steady([0.0, 0.0], [0.0 * points, 0.0 * points])


class _Stop:
    """Cancels when a step begins to be worked on."""

    def __init__(self, text):
        self.text = text

    def report(self, fraction, text="", **values):
        if self.text in text:
            raise Cancelled


def test_an_interrupted_row_goes_on_as_if_it_had_never_stopped(blocks, tmp_path):
    whole = blocks.results("row")
    again = Clamp(tmp_path, blocks.project)
    for place in ("step 2", "step 4, cyclic load: load step 7", "step 4"):
        with pytest.raises(Cancelled):
            again.results("row", _Stop(place))
    found = again.results("row")
    np.testing.assert_array_equal(found.values, whole.values)
    for curve in ("push ux", "BOLT 10 axial force", "external work", "cycle"):
        np.testing.assert_allclose(found.curve(curve), whole.curve(curve), rtol=1e-12, atol=1e-15)
    assert found.report["steps"] == whole.report["steps"]


class _StopInEstimate:
    """Cancels in the n-th correction on the FE model."""

    def __init__(self, count):
        self.left = count

    def report(self, fraction, text="", **values):
        self.left -= text == "analysis turned: iteration 1"
        if not self.left:
            raise Cancelled


def test_a_row_interrupted_in_an_error_estimate_estimates_again(clamp, tmp_path):
    """The bolt that is turned twice stays locked at its overlap on the FE model."""
    whole = clamp.results("turned").report["bolt_force_errors"]
    again = Clamp(tmp_path, clamp.project)
    with pytest.raises(Cancelled):
        again.results("turned", _StopInEstimate(2))
    found = again.results("turned")
    assert list(whole) == ["1", "2"] and found.n_frames == 2
    for step, errors in whole.items():
        assert found.report["bolt_force_errors"][step] == pytest.approx(errors, rel=1e-6, abs=1e-9)


def test_the_tables_of_a_row_say_what_supports_carry_and_what_cycles_leave(blocks):
    found = blocks.results("row")
    reactions = list(csv.DictReader(table_text(found, "reactions", "mm-t-s").splitlines()))
    assert [row["When"] for row in reactions] == [
        "step 1, tighten bolt 10", "step 2, load", "step 3, unload", "step 4, cyclic load",
    ]  # fmt: skip
    assert {row["Support"] for row in reactions} == {"hold"}
    pushed = reactions[1]
    # About the held node, half a block's height below the push.
    assert float(pushed["Force x [N]"]) == pytest.approx(-2 * PUSH)
    assert float(pushed["Moment y [N·mm]"]) == pytest.approx(-2 * PUSH * HALF)
    assert float(pushed["Force [N]"]) == pytest.approx(2 * PUSH)
    assert abs(float(reactions[2]["Force x [N]"])) < 1e-9
    steps = list(csv.DictReader(table_text(found, "steps", "mm-t-s").splitlines()))
    assert [(row["Step"], row["Cycle"]) for row in steps] == [
        ("1.0", ""), ("2.0", ""), ("3.0", ""), ("4.0", "1.0"), ("4.0", "2.0"), ("4.0", "3.0"),
    ]  # fmt: skip
    told = found.report["steps"]
    assert float(steps[2]["Largest slip, lap [mm]"]) == told[2]["slip"]["lap"][1]
    assert float(steps[5]["Loop area [N·mm]"]) == told[3]["loop_areas"][2]
    with pytest.raises(ModelError, match="no table called 'step'") as error:
        table_text(found, "step", "mm-t-s")
    assert error.value.hint == "It has: 'reactions', 'steps'."
    with pytest.raises(ModelError, match="no table of bases or points") as error:
        table_text(found, "", "mm-t-s")
    assert error.value.hint == "Name one of: 'reactions', 'steps'."


def test_friction_is_used_up_where_blocks_slide(blocks):
    (upper,) = blocks.bolts("row")
    assert upper.name == "BOLT 10" and upper.shear == pytest.approx(2 * PUSH - LIMIT, rel=1e-3)
    assert upper.slip_reserve == pytest.approx(1.0, rel=1e-6) and upper.slipping == pytest.approx(1.0)
    assert upper.residual_clamp == pytest.approx(PRELOAD, rel=1e-6) and math.isnan(upper.load_factor)


def test_what_cannot_be_tightened_is_a_sentence(clamp):
    project = clamp.project
    rows = {
        "nobody": [tighten("M8", force=1.0)], "none": [], "loose": [tighten("bolt")],
        "node": [tighten("bolt", force=1.0), load("tip", [0, 0, 1.0])],
    }  # fmt: skip
    wrong = [
        {"kind": "steps", "name": name, "body": "clamp", "support": "hold", "steps": steps}
        for name, steps in rows.items()
    ]
    words = project.model_dump(mode="json") | {"analyses": wrong}
    model = PIPELINE.run(project, Target("model", "clamp"), clamp.store, memory=clamp.memory)
    checked = CheckedProject(build(Project, words), base=Path.cwd(), models={"clamp": model})
    found = [f.sentence for f in run_checks(checked) if f.check == "steps"]
    assert found == [
        "Step 1 of 'nobody': There is no bolt called 'M8' to tighten.", "Analysis 'none' has no steps.",
        "Step 2 of 'node': a load acts on 'tip', which is no interface node.",
        "Step 1 of 'loose' loosens 'bolt', which nothing has tightened.",
    ]  # fmt: skip
    row = {"name": "free", "body": "clamp", "steps": [tighten("bolt", force=1.0)]}
    for kind in ({"kind": "steps", "error_estimate": False}, {"kind": "unreduced_steps"}):
        free = kind | row
        with pytest.raises(ModelError, match="holds the body nowhere, which only statics can do"):
            Clamp(clamp.store.folder.parent, build(Project, words | {"analyses": [free]})).results("free")
    strange = {
        "kind": "load",
        "body_loads": [{"load": "snow"}],
        "displacements": [{"interface": "tip", "uz": 1.0}],
    }
    wrong = [{**wrong[0], "steps": [tighten("bolt", force=1.0), strange]}]
    checked = CheckedProject(
        build(Project, words | {"analyses": wrong}), base=Path.cwd(), models={"clamp": model}
    )
    found = [f for f in run_checks(checked) if f.check in ("displacements", "body_loads")]
    assert [(f.entity[2:], f.sentence) for f in found] == [
        (
            ("steps", 1, "body_loads", 0),
            "Analysis 'nobody' applies a load 'snow', which body 'clamp' has not.",
        ),
        (
            ("steps", 1, "displacements", 0),
            "Analysis 'nobody', step 2: a displacement is imposed on 'tip', which is no interface node.",
        ),
    ]
    # A basis that was made for no mounted state is told of; one that is not asked is not.
    bare = project.with_(bodies=(project.bodies[0].with_(preloads=()),))
    found = [f for f in run_checks(CheckedProject(bare, Path.cwd(), {"clamp": model})) if f.check == "steps"]
    assert [f.entity for f in found] == [("analyses", i, "steps") for i in (0, 2, 4, 6)]
    assert "with BOLT tightened" in found[0].sentence and "preload case" in found[0].hint
    assert not [
        f for f in run_checks(CheckedProject(project, Path.cwd(), {"clamp": model})) if f.check == "steps"
    ]
    with pytest.raises(ModelError, match="not both"):
        build(Project, words | {"analyses": [wrong[0] | {"steps": [tighten("bolt", force=1.0, angle=1.0)]}]})
    with pytest.raises(ModelError, match="pitch"):
        build(Project, words | {"analyses": [wrong[0] | {"steps": [tighten("bolt", angle=1.0)]}]})
    with pytest.raises(
        ModelError, match="length of bolt 'b' cannot be locked: its cut moves only together with"
    ):
        require_lockable(np.array([[1.0, 2.0], [2.0, 4.0]]), ["a", "b"])
    with pytest.raises(ModelError, match="length of bolt 'a' cannot be locked: no trial vector"):
        require_lockable(np.zeros((1, 2)), ["a"])
