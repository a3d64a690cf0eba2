"""The table of bolts against springs and tables of the standards; sections that carry what the cut carries."""

import csv
import math
from dataclasses import replace

import numpy as np
import pytest

from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.fem.bolt_sections import find_bolts, overlap_row, section_rows
from faying.fem.bolt_strengths import safety, thread_of
from faying.fem.readers import read_model
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.pairs import ContactPairs
from faying.joints.pointwise import pointwise
from faying.reduction.body import JointRows, ReducedBody
from faying.reduction.bolts import bolt_equations, carried
from faying.reduction.load_modes import LoadModes
from faying.results.bolt_table import BoltRow, bolt_table, columns_of, csv_text, mounted_frame, texts_of
from faying.results.curve_key import CurveKey
from faying.results.field import FieldContext
from faying.results.results import Results
from faying.results.writer import ResultsWriter
from support.clamps import BEAM, HALF, MODULUS, write_blocks
from support.keys import keys_of

# Size, pitch and nominal stress area as printed (ISO 898-1:2013, table 4; pitches of ISO 262).
PRINTED = """
M3 0.5 5.03, M3.5 0.6 6.78, M4 0.7 8.78, M5 0.8 14.2, M6 1 20.1, M7 1 28.9, M8 1.25 36.6, M10 1.5 58.0, M12 1.75 84.3,
M14 2 115, M16 2 157, M18 2.5 192, M20 2.5 245, M22 2.5 303, M24 3 353, M27 3 459, M30 3.5 561, M33 3.5 694, M36 4 817,
M39 4 976"""


@pytest.mark.parametrize("printed", PRINTED.replace("\n", " ").split(", "))
def test_stress_areas_of_coarse_threads_are_those_of_the_standard(printed):
    size, pitch, area = printed.split()
    thread = thread_of(size)
    assert thread.pitch == float(pitch)
    assert f"{thread.stress_area:.3g}" == f"{float(area):.3g}" or thread.stress_area == pytest.approx(
        float(area), rel=2e-3
    )
    # π/4 ((d2 + d3)/2)² with the basic profile of ISO 68-1: H = √3/2 P, d2 = d − 3/4 H, d3 = d − 17/12 H.
    height = math.sqrt(0.75) * thread.pitch
    mean = thread.diameter - 0.5 * (0.75 + 17.0 / 12.0) * height
    assert thread.stress_area == pytest.approx(0.25 * math.pi * mean**2, rel=1e-5)


@pytest.mark.parametrize(
    ("size", "name", "proof_load"),
    [("M8", "8.8", 21200.0), ("M8", "10.9", 30400.0), ("M12", "12.9", 81800.0), ("M20", "8.8", 147000.0)],
)
def test_proof_loads_are_those_of_the_standard(size, name, proof_load):
    """ISO 898-1:2013, table 5: a bolt that carries its proof load has no reserve left."""
    found = safety(size, name, (0.0, proof_load), 0.0, "mm-t-s")
    assert found.proof == pytest.approx(1.0, rel=4e-3)
    in_metres = safety(size, name, (0.0, proof_load), 0.0, "m-kg-s")
    assert in_metres.yielding == pytest.approx(found.yielding)
    assert in_metres.stress == pytest.approx(1e6 * found.stress)
    # There is no class 9.8 above M16.
    assert math.isnan(safety("M20", "9.8", (0.0, proof_load), 0.0, "mm-t-s").proof)


def test_fatigue_and_bending():
    still = safety("M8", "8.8", (16000.0, 16000.0), 0.0, "mm-t-s")
    assert math.isinf(still.fatigue) and still.stress == pytest.approx(16000.0 / 36.61, rel=1e-3)
    # 0.85 (150 / 8 + 45) = 54.19 N/mm² against half of the range of 1000 N over the stress area.
    swings = safety("M8", "8.8", (15000.0, 16000.0), 0.0, "mm-t-s")
    assert swings.fatigue == pytest.approx(54.1875 / (500.0 / 36.61), rel=1e-3)
    bent = safety("M8", "8.8", (16000.0, 16000.0), 1000.0, "mm-t-s")
    diameter = math.sqrt(4.0 * 36.61 / math.pi)
    assert bent.stress - still.stress == pytest.approx(32000.0 / (math.pi * diameter**3), rel=1e-3)
    assert math.isnan(safety("M8x1", "", (0.0, 1.0), 0.0, "mm-t-s").proof)
    for size in ("8", "M", "M8x5", "M9.5", "W3/8"):
        with pytest.raises(ModelError):
            thread_of(size)


def test_a_beam_that_is_cut_carries_its_tension_and_what_moves_its_ends(tmp_path):
    model = read_model(write_blocks(tmp_path / "blocks.inp", 1))
    matrices = assemble(model)
    # One half hangs on the reference node, the other is cut from it and held by the upper block: one bolt.
    (upper,) = find_bolts(model)
    assert upper.cut is not None and upper.name == "BOLT 4" and len(upper.elements) == 2
    dofs = matrices.dofs
    rows = [section_rows(model, section, dofs)[0] for section in upper.sections]
    outward = np.array([section.outward for section in upper.sections])
    x = np.random.default_rng(3).standard_normal(dofs.n_dofs)
    loads = np.array([row @ x for row in rows])
    # In balance: forces cancel, moments about one point too.
    np.testing.assert_allclose(loads[0, :3], -loads[1, :3], rtol=1e-9)
    arm = upper.sections[1].middle - upper.sections[0].middle
    turning = loads[0, 3:] + loads[1, 3:] + np.cross(arm, loads[1, :3])
    np.testing.assert_allclose(turning, 0.0, atol=1e-9 * abs(loads).max())
    # The work of the tension on the overlap is what the section carries along the axis.
    row = overlap_row(upper.cut, dofs).toarray()[0]
    first, second = (dofs.transformation[dofs.node_rows(c)[2]] @ x for c in upper.cut.centres)
    assert row @ x == pytest.approx(first[0] - second[0])
    axial, bending, shear = carried(loads, outward)
    assert axial == pytest.approx(loads[1, 2]) and shear == pytest.approx(np.hypot(*loads[1, :2]))
    assert bending >= shear * HALF / 2 * (1 - 1e-9)


def test_a_beam_that_cools_between_walls_carries_its_hindered_shrinking(tmp_path):
    """Analytical: E A α ΔT along the axis, and nothing across it."""
    deck = write_blocks(tmp_path / "blocks.inp", 1)
    whole = "\n".join(deck.read_text().split("*PRE-TENSION")[0].splitlines())
    deck.write_text(whole + "\n")
    model = read_model(deck)
    grown = replace(model, materials={n: replace(m, expansion=12e-6) for n, m in model.materials.items()})
    beam = next(i for i, block in enumerate(grown.blocks) if block.element == "beam2")
    sizes = [block.connectivity.size for block in grown.blocks]
    cooler = np.concatenate([np.full(n, -50.0 if i == beam else 0.0) for i, n in enumerate(sizes)])
    matrices = assemble(grown)
    loads = LoadModes(("cool",), np.zeros((1, 1)), np.zeros((1, 1)), ("",), (cooler,))
    (screw,) = bolt_equations(grown, matrices, loads)
    # Nothing moves: all of it is hindered.
    axial, bending, shear = screw.carried(np.zeros(matrices.dofs.n_dofs), None, {"cool": 2.0})
    exact = MODULUS * BEAM**2 * 12e-6 * 100.0
    assert axial == pytest.approx(exact) and max(bending, shear) < 1e-9 * exact
    assert screw.carried(np.zeros(matrices.dofs.n_dofs), None, {})[0] == 0.0


def test_cells_for_people_and_for_spreadsheets():
    rows = (BoltRow("=M8, left", 1000.0, 990.0, 1100.0, 5.0, 2.0, slip_reserve=math.inf, load_factor=0.125),)
    assert columns_of(rows) == ("name", "preload", "smallest", "largest", "bending", "shear", "load_factor",
                                "slip_reserve")  # fmt: skip
    heads, cells = texts_of(rows, "mm-t-s")
    told = dict(zip(heads, cells[0], strict=True))
    assert told["Preload [N]"] == "1000" and told["Load factor [%]"] == "12.5"
    assert told["Reserve against slip"] == "∞" and told["Bending moment [N·mm]"] == "5"
    sized = (replace(rows[0], size="M8", proof=1.3, yielding=1.4),)
    heads, values = csv.reader(csv_text(sized, "mm-t-s").splitlines())
    assert dict(zip(heads, values, strict=True))["Safety, yielding"] == "1.4"
    lines = csv_text(rows, "mm-t-s").splitlines()
    assert lines[0].startswith("Bolt,Preload [N],") and lines[1].startswith('"\'=M8, left",1000.0,990.0')


def test_a_body_is_mounted_before_the_first_step_that_brings_a_load(tmp_path):
    tight, warm = {"kind": "tighten", "bolt": "M8"}, {"kind": "load", "body_loads": [{"load": "warm"}]}
    pulled, nothing = {"kind": "load", "loads": [{"interface": "tip"}]}, {"kind": "load", "loads": []}
    swung = {"kind": "cycle", "displacements": [{"interface": "tip", "ux": 0.1}]}
    rows = (
        ([tight, tight, pulled], 3), ([tight, warm, tight], 1), ([tight, tight, tight], 5), ([warm, tight, tight], 0),
        ([tight, swung, pulled], 1), ([nothing, tight, pulled], 3),
    )  # fmt: skip
    for number, (steps, mounted) in enumerate(rows):
        # Supports carry round-off while bolts are tightened, and tied joints carry what bolts do.
        keys = keys_of(("foot support force x", "bond force z", "step"), support=("foot",), joint=("bond",))
        with ResultsWriter(
            tmp_path / f"{number}.h5", axis="step", sizes={}, joints={}, curves=keys,
            settings={"steps": steps},
        ) as writer:  # fmt: skip
            for i in range(6):
                values = dict(zip(keys, (1e-12, 1.0, 1 + i // 2), strict=True))
                writer.append(0.5 * (i + 1), curves=values)
            writer.close({})
        assert mounted_frame(Results(tmp_path / f"{number}.h5")) == mounted, steps


@pytest.mark.parametrize(
    ("joints", "reserve"),
    [
        (("lap", "open"), 3.0),
        (("smooth", "lap"), 3.0),
        (("lap", "smooth"), 3.0),
        (("smooth", "open"), math.nan),
    ],
)
def test_a_joint_that_never_touches_or_has_no_friction_has_no_reserve_against_slip(tmp_path, joints, reserve):
    """Coulomb: 30 of 90 N/mm² of friction are used in the lap; a smooth joint clamps, an open one does not."""
    contact, friction = (
        LinearPenalty(stiffness=1e4),
        Coulomb(friction_coefficient=0.3, sticking_stiffness=1e4),
    )
    model, one, none = read_model(write_blocks(tmp_path / "blocks.inp", 1)), np.eye(3), np.zeros(0, int)
    pairs = ContactPairs(
        np.array([8]), np.array([0]), np.array([[4]]), np.ones((1, 1)), np.zeros((1, 2)), np.zeros((1, 3)),
        one[2:], one[:1], one[1:2], np.array([2.0]), np.zeros(1), none, none, np.zeros(0),
    )  # fmt: skip
    gaps, laws = (
        {"lap": -0.03, "smooth": -0.03, "open": 0.5},
        {"lap": friction, "open": friction, "smooth": None},
    )
    rows = tuple(
        JointRows(
            name, np.zeros((1, 1)), np.array([[[1.0], [0.0]]]), np.array([2.0]), np.array([gaps[name]]),
            np.zeros((1, 6)), np.zeros((1, 2, 6)),
        )
        for name in joints
    )  # fmt: skip
    body = ReducedBody(
        "", np.eye(1), np.eye(1), np.eye(6), model.nodes, np.zeros((model.nodes.size, 1)), {}, {}, rows, (), np.zeros(0)
    )  # fmt: skip
    size = {name: 0 if law is None else 3 + friction.history_size for name, law in laws.items()}
    history = {name: np.zeros((1, size[name])) for name in joints}
    carried = ("axial force", "bending moment", "shear force")
    curves = dict.fromkeys((CurveKey(what, kind="bolt", owner="BOLT 4") for what in carried), 1.0)
    with ResultsWriter(
        tmp_path / "run.h5", axis="load", sizes={"coordinates": 1}, curves=curves,
        joints={name: {"history": (1, size[name])} for name in joints if size[name]},
    ) as writer:  # fmt: skip
        for load in (0.0, 1.0):
            slid = np.array([[0.003 * load, 0.0]])
            for name in joints:
                history[name] = pointwise(
                    contact,
                    laws[name],
                    np.array([gaps[name]]),
                    slid.__getitem__,
                    history[name],
                    0.0,
                    size=1.0,
                ).history
            own = {f"joints/{name}/history": history[name] for name in joints if size[name]}
            writer.append(load, own, curves, coordinates=slid[0, :1])
        writer.close({})
    context = FieldContext(
        Results(tmp_path / "run.h5"),
        body,
        dict.fromkeys(joints, contact),
        laws,
        dict.fromkeys(joints, pairs),
        model,
    )
    (row,) = bolt_table(context.frames, context)
    assert row.clamp_load == pytest.approx(600.0)
    assert row.slip_reserve == pytest.approx(reserve, nan_ok=True)
