"""Imposed displacements of interface nodes: against the forces that bring them about, and reduced against unreduced."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg as la

import faying.testing.plates as deck
from faying.analyses import BodyModel
from faying.analyses.static import Static
from faying.analyses.transient import Transient
from faying.analyses.unreduced_static import UnreducedStatic
from faying.errors import ModelError
from faying.params import build
from faying.progress import Silent
from faying.project.specs import Project
from faying.project.study import read_study, study_text
from faying.results.results import Results
from faying.session import Session
from support.clamps import clamp_body, write_clamp
from support.loaded_bodies import held_box, loaded_body

KINDS = [Static, UnreducedStatic]
MOTIONS = ("ux", "uy", "uz", "rx", "ry", "rz")
FORCES = ("force x", "force y", "force z", "moment x", "moment y", "moment z")


def bar_of(kind: str) -> BodyModel:
    """Return a bar of 40 × 4 × 3 between HOLD and TIP; a node in the middle of its length is DEEP."""
    model = held_box("hex8_incompatible", (6, 1, 1), (40.0, 4.0, 3.0), kind=kind, tip=True)
    n = len(model.nodes)
    deep = int(np.argmin(np.linalg.norm(model.nodes[: n - 2] - [20.0, 4.0, 3.0], axis=1)))
    spare = {"kind": "gravity", "name": "unused", "acceleration": [0.0, 0.0, -9810.0]}
    return loaded_body(model, [spare], interfaces={"HOLD": n - 1, "TIP": n - 2, "DEEP": deep})


@pytest.fixture(scope="module")
def bars() -> dict[str, BodyModel]:
    return {kind: bar_of(kind) for kind in ("kinematic", "distributing")}


def run(body: BodyModel, folder: Path, kind: type, **words: object) -> dict[str, np.ndarray]:
    """Return all curves of an analysis of a body held at HOLD."""
    analysis = build(kind, {"name": "it", "body": "it", "support": "HOLD", **words})
    target = folder / f"{len(list(folder.iterdir()))}.h5"
    analysis.run(body, target, Silent())
    results = Results(target)
    found = {name: np.array(results.curve(name)) for name in results.curve_names}
    results.close()
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("coupling", ["kinematic", "distributing"])
def test_a_bar_moved_is_the_bar_pushed_by_the_reactions(bars, tmp_path, kind, coupling):
    moved = {"interface": "TIP", "ux": 0.02, "uy": -0.1, "rx": 0.01, "rz": 0.0}
    deep = {"interface": "DEEP", "uz": 0.05}
    across = {"interface": "TIP", "force": [0.0, 0.0, 7.0]}
    first = run(bars[coupling], tmp_path, kind, displacements=[moved, deep], loads=[across])
    for name in ("ux", "uy", "rx", "rz"):
        assert first[f"TIP {name}"][-1] == pytest.approx(moved[name], rel=1e-12, abs=1e-14)
    assert first["DEEP uz"][-1] == pytest.approx(0.05, rel=1e-12)
    assert first["TIP rz"][-1] == pytest.approx(0.0, abs=1e-14)
    assert {name for name in first if "reaction" in name and "HOLD" not in name} == {
        "TIP reaction force x", "TIP reaction force y", "TIP reaction moment x", "TIP reaction moment z",
        "DEEP reaction force z",
    }  # fmt: skip
    by = {
        node: [float(first.get(f"{node} reaction {f}", [0.0])[-1]) for f in FORCES]
        for node in ("TIP", "DEEP")
    }
    loads = [{"interface": node, "force": of[:3], "moment": of[3:]} for node, of in by.items()]
    second = run(bars[coupling], tmp_path, kind, loads=[*loads, across])
    size = max(abs(first[f"TIP {m}"][-1]) for m in MOTIONS)
    for node, count in (("TIP", 6), ("DEEP", 3)):
        for motion in MOTIONS[:count]:
            name = f"{node} {motion}"
            assert second[name][-1] == pytest.approx(first[name][-1], rel=1e-9, abs=1e-9 * size), name
    # What holds the bar does not care who moves it, and balances all of it about its own place.
    held, same = ([found[f"HOLD reaction {f}"][-1] for f in FORCES] for found in (first, second))
    np.testing.assert_allclose(held, same, rtol=1e-8, atol=1e-8 * np.abs(same).max())
    places = {
        "TIP": [40.0, 0.0, 0.0],
        "DEEP": bars[coupling].model.nodes[bars[coupling].interface_nodes["DEEP"]],
    }
    places["DEEP"] = places["DEEP"] - [0.0, 2.0, 1.5]
    wrench = np.zeros(6)
    for load in [*loads, across]:
        force = np.array(load["force"])
        moment = np.cross(places[load["interface"]], force) + np.array(load.get("moment", (0.0, 0.0, 0.0)))
        wrench += [*force, *moment]
    np.testing.assert_allclose(held, -wrench, rtol=1e-9, atol=1e-9 * np.abs(wrench).max())


def test_the_reaction_of_a_stretched_bar(bars, tmp_path):
    """Analytical: E A u / L; without what the held ends add by keeping their width, 1 % here."""
    one, full = (
        run(bars["distributing"], tmp_path, k, displacements=[{"interface": "TIP", "ux": 0.02}])
        for k in KINDS
    )
    exact = 210000.0 * 12.0 * 0.02 / 40.0
    assert full["TIP reaction force x"][-1] == pytest.approx(exact, rel=0.02)
    assert one["TIP reaction force x"][-1] == pytest.approx(full["TIP reaction force x"][-1], rel=1e-9)


def test_the_support_of_a_bar_that_is_struck_takes_what_its_momentum_does_not(bars, tmp_path):
    """Newton: the change of momentum, from the velocities of the frames, is load and reaction together."""
    body = bars["distributing"]
    words = {"name": "it", "body": "it", "support": "HOLD", "duration": 4e-5, "frames": 80}
    blow = {"interface": "TIP", "force": [300.0, 5.0, 0.0]}
    analysis = build(
        Transient, {**words, "loads": [blow], "integrator": {"kind": "hht", "largest_step": 1e-7}}
    )
    target = tmp_path / "blow.h5"
    analysis.run(body, target, Silent())
    held = body.reduced.clamped_to("HOLD")
    with closing(Results(target)) as results:
        speeds = np.array([results.velocities(k) for k in range(results.n_frames)])
        reaction = np.array([results.curve(f"HOLD reaction {f}") for f in FORCES[:3]])
        times = np.array(results.values)
    change = np.gradient(held.inertia.rigid_content[:3] @ speeds.T, times, axis=1)
    wanted = change - np.array(blow["force"])[:, None]
    assert np.abs(wanted[0]).max() > 1.2 * 300.0  # the wave has come back
    np.testing.assert_allclose(reaction[:, 2:-2], wanted[:, 2:-2], atol=0.03 * np.abs(wanted).max())


@pytest.mark.parametrize("kind", KINDS)
def test_what_cannot_be_moved_is_told(bars, tmp_path, kind):
    body = bars["kinematic"]

    def told(*displacements, **words):
        with pytest.raises(ModelError) as error:
            run(body, tmp_path, kind, displacements=list(displacements), **words)
        return error.value.message

    tip = {"interface": "TIP", "ux": 0.1}
    assert "'NOWHERE'" in told({"interface": "NOWHERE", "ux": 0.1})
    assert "holds the body" in told({"interface": "HOLD", "ux": 0.1})
    assert "no rotations" in told({"interface": "DEEP", "rx": 0.1})
    assert "Two displacements give ux of interface node 'TIP'" in told(tip, tip)
    assert "held nowhere" in told(tip, support="")
    # A node of the coupled face moves with the coupling's node alone.
    corner = int(np.argmin(np.linalg.norm(body.model.nodes - [40.0, 0.0, 0.0], axis=1)))
    nodes = {**body.interface_nodes, "CORNER": corner}
    if kind is UnreducedStatic:
        body = replace(body, interface_nodes=nodes)
        every = dict.fromkeys(MOTIONS, 0.0)
        assert "together" in told({"interface": "TIP", **every}, {"interface": "CORNER", "uz": 0.1})
        held = int(np.argmin(np.linalg.norm(body.model.nodes, axis=1)))
        body = replace(body, interface_nodes={**nodes, "FAST": held})
        assert "nothing in the body moves it" in told({"interface": "FAST", "uz": 0.1})


def test_a_bar_shaken_at_its_tip_swings_as_its_modes_say(bars, tmp_path):
    """Analytical: with x = P d + N z every mode of the bar held at both ends follows z'' + ω² z = a cos Ωt + b."""
    body, size, cycles = bars["kinematic"], 0.01, 20000.0
    way = {"kind": "harmonic", "frequency": cycles, "phase": -np.pi / 2, "mean": 1.0}  # 1 − cos Ωt
    moved = {"interface": "TIP", "ux": size, "uz": 0.5 * size, "time_history": way}
    fine = {"kind": "hht", "alpha": -0.05, "largest_step": 1e-7}
    words = {"duration": 1e-4, "frames": 20, "integrator": fine}
    found = run(body, tmp_path, Transient, displacements=[moved], **words)
    times = np.linspace(0.0, 1e-4, 21)
    held = body.reduced.clamped_to("HOLD")
    rows, ends = held.interfaces["TIP"][[0, 2]], np.array([size, 0.5 * size])
    within = la.null_space(rows)
    to = np.linalg.pinv(rows) @ ends
    squares, shapes = la.eigh(within.T @ held.stiffness @ within, within.T @ held.mass @ within)
    shapes, omega = within @ shapes, 2.0 * np.pi * cycles
    a = shapes.T @ (held.stiffness @ to - omega**2 * (held.mass @ to))
    b = -shapes.T @ (held.stiffness @ to)
    own, drive = np.sqrt(squares)[:, None], np.cos(omega * times)
    z = b[:, None] / own**2 * (1.0 - np.cos(own * times))
    z += a[:, None] * (drive - np.cos(own * times)) / (own**2 - omega**2)
    exact = np.outer(to, 1.0 - drive) + shapes @ z
    rates = shapes @ (a[:, None] * drive + b[:, None] - own**2 * z) + np.outer(to, omega**2 * drive)
    for name in ("DEEP uz", "DEEP ux", "TIP ry"):
        node, component = name.split()
        row = held.interfaces[node][MOTIONS.index(component)]
        np.testing.assert_allclose(
            found[name], row @ exact, atol=5e-3 * np.abs(row @ exact).max(), err_msg=name
        )
    np.testing.assert_allclose(found["TIP ux"], size * (1.0 - drive), atol=1e-6 * size)
    pushes = np.linalg.pinv(rows.T) @ (held.mass @ rates + held.stiffness @ exact)
    for name, push in zip(("TIP reaction force x", "TIP reaction force z"), pushes, strict=True):
        np.testing.assert_allclose(found[name], push, atol=1.5e-2 * np.abs(push).max(), err_msg=name)
    energy = found["kinetic energy"] + found["elastic energy"]
    np.testing.assert_allclose(found["work of drives"], energy, atol=2e-3 * energy.max())


def test_a_node_that_begins_displaced_or_moving_starts_there(bars, tmp_path):
    body = bars["kinematic"]
    common = {"duration": 1e-5, "frames": 2, "integrator": {"kind": "hht", "largest_step": 1e-6}}
    still = run(body, tmp_path, Transient, displacements=[{"interface": "TIP", "uz": 0.05}], **common)
    rest = run(body, tmp_path, Static, displacements=[{"interface": "TIP", "uz": 0.05}])
    for name in ("TIP uz", "TIP ry", "DEEP uz", "TIP reaction force z"):
        np.testing.assert_allclose(still[name], rest[name][-1], rtol=1e-6, err_msg=name)
    ramp = {"kind": "table", "points": [[0.0, 0.0], [1.0, 1.0]]}
    moved = [{"interface": "TIP", "ux": 1000.0, "time_history": ramp}]
    gone = run(body, tmp_path, Transient, displacements=moved, **common)
    np.testing.assert_allclose(gone["TIP ux"], [0.0, 0.005, 0.01], atol=1e-9)
    assert gone["kinetic energy"][0] > 0.0


PRESSED = [{"interface": "tip", "ux": 0.002, "uz": -0.02}]


SLOWLY = [{**PRESSED[0], "time_history": {"kind": "haversine", "rise_time": 0.019}}]


@pytest.fixture(scope="module")
def plates_folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("moved plates")


@pytest.fixture(scope="module")
def plates(plates_folder) -> Session:
    folder = plates_folder
    project = deck.plates(deck.write_plate_deck(folder / "plates.inp"))
    body = project.bodies[0]
    body = body.with_(joint_modes=body.joint_modes.with_(count=12))
    common = {"body": "plates", "support": "hold", "displacements": PRESSED}
    analyses = [
        {"kind": "static", "name": "smooth", **common, "friction": False},
        {"kind": "unreduced_static", "name": "full smooth", **common, "friction": False},
        {"kind": "static", "name": "hard", **common, "friction": False, "allowed_penetration": 1e-7},
        {"kind": "static", "name": "rough", **common, "load_steps": 3},
        {"kind": "unreduced_static", "name": "full rough", **common, "load_steps": 3},
        {"kind": "fe_correction", "name": "corrected", "body": "plates", "corrects": "smooth"},
        {"kind": "static", "name": "five", **common, "load_steps": 5},
        {"kind": "unreduced_static", "name": "full five", **common, "load_steps": 5},
        {"kind": "fe_correction", "name": "corrected five", "body": "plates", "corrects": "five", "frames": []},
        {"kind": "transient", "name": "slow", **common, "displacements": SLOWLY, "duration": 0.02, "frames": 4},
    ]  # fmt: skip
    words = project.with_(bodies=(body,), analyses=()).model_dump(mode="json")
    return Session(build(Project, {**words, "analyses": analyses}), folder / "artifacts")


@pytest.mark.parametrize("name", ["smooth", "full smooth"])
def test_plates_in_contact_moved_are_plates_pushed_by_the_reactions(plates, plates_folder, name):
    moved = plates.solve(name)
    push = [float(moved.curve(f"tip reaction force {axis}")[-1]) if axis != "y" else 0.0 for axis in "xyz"]
    assert push[2] < 0.0 and moved.curve("lap normal force")[-1] > 0.1 * -push[2]
    (analysis,) = (each for each in plates.project.analyses if each.name == name)
    analysis = analysis.with_(
        name=f"{name} pushed", displacements=(), loads=({"interface": "tip", "force": push},)
    )
    pushed = Session(plates.project.with_(analyses=(analysis,)), plates_folder / "artifacts").solve()
    for curve in ("tip ux", "tip uz", "tip ry", "lap normal force", "lap gap norm"):
        assert pushed.curve(curve)[-1] == pytest.approx(moved.curve(curve)[-1], rel=1e-9), curve


def test_all_frames_of_moved_plates_are_corrected_as_they_are_unreduced(plates):
    """With friction from step to step, condensed to the pairs that differ, and with what the displaced node keeps."""
    found, full = (plates.solve(name) for name in ("corrected five", "full five"))
    assert found.n_frames == full.n_frames
    for curve in ("tip ux", "tip uz", "lap normal force", "lap gap norm"):
        exact = full.curve(curve)
        np.testing.assert_allclose(found.curve(curve), exact, atol=1e-6 * np.abs(exact).max(), err_msg=curve)


def test_reduced_plates_moved_are_near_the_unreduced_ones(plates):
    for first, second in (("smooth", "full smooth"), ("rough", "full rough")):
        one, full = plates.solve(first), plates.solve(second)
        for curve, close in (
            ("tip reaction force x", 0.02),
            ("tip reaction force z", 0.02),
            ("tip ry", 0.02),
        ):
            assert one.curve(curve)[-1] == pytest.approx(full.curve(curve)[-1], rel=close), (first, curve)
    np.testing.assert_allclose(full.curve("tip uz"), -0.02 * np.arange(1, 4) / 3.0, rtol=1e-12)
    # The lower plate is stretched by friction alone. All pairs that press are near the tip and slip: μ N more.
    rough, smooth = (plates.solve(name) for name in ("full rough", "full smooth"))
    pulled = rough.curve("tip reaction force x")[-1] - smooth.curve("tip reaction force x")[-1]
    mu = plates.project.bodies[0].joints[0].friction_law.friction_coefficient
    assert rough.curve("lap slipping share")[-1] == rough.curve("lap closed share")[-1] > 0.0
    assert pulled == pytest.approx(mu * rough.curve("lap normal force")[-1], rel=2e-3)
    hard = plates.solve("hard")
    assert hard.curve("tip uz")[-1] == pytest.approx(-0.02, rel=1e-12)
    assert hard.curve("lap largest penetration")[-1] <= 1e-7


def test_plates_moved_slowly_come_to_where_statics_bring_them(plates):
    slow, rest = plates.solve("slow"), plates.solve("rough")
    for curve in ("tip reaction force x", "tip reaction force z", "tip ry", "lap normal force"):
        assert slow.curve(curve)[-1] == pytest.approx(rest.curve(curve)[-1], rel=0.02), curve
    balance = slow.report["energy_balance"]
    assert abs(balance["taken by the integration"]) < 0.02 * balance["work of drives"]


def test_corrections_leave_displaced_nodes_where_they_are(plates):
    corrected, full, reduced = (plates.solve(name) for name in ("corrected", "full smooth", "smooth"))
    for curve in ("tip ux", "tip uz"):
        assert corrected.curve(curve)[-1] == pytest.approx(full.curve(curve)[-1], rel=1e-9)
    exact = full.curve("lap normal force")[-1]
    assert corrected.curve("lap normal force")[-1] == pytest.approx(exact, rel=1e-4)
    missed = abs(reduced.curve("lap normal force")[-1] / exact - 1.0)
    assert reduced.report["error_estimate"]["force"] == pytest.approx(missed, rel=0.05, abs=1e-4)


@pytest.mark.slow  # seconds, and not what decides alone
def test_displaced_nodes_are_free_while_bolts_are_tightened(tmp_path):
    pull = [{"interface": "pull", "force": [0.0, 0.0, 1000.0]}]
    preloads = [{"name": "tight", "loads": [{"kind": "bolt_force", "bolt": "bolt", "force": 3000.0}]}]
    body = clamp_body(write_clamp(tmp_path / "clamp.inp"), 1e5, preloads=preloads)
    body["joint_modes"] = {"kind": "equilibrium_snapshots", "count": 4}
    common = {"body": "clamp", "support": "hold", "preloads": ["tight"]}

    def solve(**analysis):
        words = {"bodies": [body], "analyses": [{**common, "name": "it", **analysis}]}
        return Session(build(Project, words), tmp_path / "artifacts").solve("it")

    for kind in KINDS:
        loaded = solve(kind=kind.kind, loads=pull)
        end = float(loaded.curve("pull uz")[-1])
        moved = solve(kind=kind.kind, displacements=[{"interface": "pull", "uz": end}], load_steps=2)
        reaction = moved.curve("pull reaction force z")
        assert abs(reaction[0]) < 1e-3 and reaction[-1] == pytest.approx(1000.0, rel=1e-6)
        first, middle, last = moved.curve("pull uz")
        assert first < 0.0 and last == pytest.approx(end, rel=1e-12)
        assert middle == pytest.approx(0.5 * (first + last), rel=1e-9)
        clamped = loaded.curve("faying normal force")[-1]
        assert moved.curve("faying normal force")[-1] == pytest.approx(clamped, rel=1e-6)
        back = solve(kind=kind.kind, displacements=[{"interface": "pull", "uz": 0.0}])
        assert abs(back.curve("pull uz")[-1]) < 1e-12 * abs(back.curve("pull uz")[0])
        # All of the bolt's force is taken off the joint, whose sleeve is as long as it was.
        assert back.curve("pull reaction force z")[-1] == pytest.approx(3000.0, rel=1e-3)


def test_a_study_keeps_free_components_free(tmp_path):
    text = """
[[analyses]]
kind = "static"
name = "turned"
body = "bar"
support = "hold"
displacements = [{ interface = "tip", uz = "0.1 mm", ry = "2 deg" }]
"""
    (tmp_path / "it.toml").write_text(text)
    project = read_study(tmp_path / "it.toml")
    (analysis,) = project.analyses
    (moved,) = analysis.displacements
    assert moved.given == {2: 0.1, 4: pytest.approx(np.deg2rad(2.0))}
    assert moved.text(project.units).startswith("uz 0.1 mm, ry 0.0349")
    (tmp_path / "again.toml").write_text(study_text(project, tmp_path))
    assert read_study(tmp_path / "again.toml").analyses == project.analyses
