"""Frequency responses of a body from a study file, against the dense inverse of its dynamic stiffness."""

import json
import re
from datetime import datetime

import numpy as np
import pytest
import scipy.linalg as la

import faying
from faying.analyses.frequency_response import ERROR, FrequencyResponse
from faying.cli import main
from faying.errors import FayingError, ModelError, SolveError
from faying.exporters.plots import PictureSettings, plot_writer_for
from faying.exporters.plots.universal import _moment
from faying.fem.assembly import assemble, rigid_body_modes
from faying.fem.model import Coupling
from faying.fem.writers import write_model
from faying.params import build
from faying.plot import ResponsePlace
from faying.progress import Silent
from faying.results.curve_key import CurveKey
from faying.results.curves import Curve, CurveScales, curve_plot, scaled_plot
from faying.solvers.harmonic import Damping, HarmonicModes
from support.boxes import box

BETA, ALPHA = 1e-6, 20.0
_SIZE = (120.0, 12.0, 8.0)


class Beam:
    """A steel beam of bricks with rigid end faces, as a deck; its couplings' nodes are HOLD and TIP."""

    def __init__(self, folder):
        plain = box("hex8_incompatible", (6, 2, 2), _SIZE)
        faces = [plain.node_sets[name] for name in ("XMIN", "XMAX")]
        n = len(plain.nodes)
        couplings = tuple(
            Coupling(name, "kinematic", n + k, face, (1, 2, 3, 4, 5, 6), np.ones(len(face)))
            for k, (name, face) in enumerate(zip(("HOLD", "TIP"), faces, strict=True))
        )
        middles = tuple(tuple(plain.nodes[face].mean(axis=0)) for face in faces)
        self.model = box("hex8_incompatible", (6, 2, 2), _SIZE, couplings=couplings, extra_nodes=middles)
        self.nodes = {"HOLD": n, "TIP": n + 1}
        self.matrices = assemble(self.model, Silent())
        self.folder = folder
        write_model(self.model, folder / "beam.inp")

    def dofs(self, name):
        """Return the dofs of one of the two nodes."""
        dofs = self.matrices.dofs
        return dofs.transformation[dofs.node_rows(self.nodes[name])].indices

    def study(self, text, *, reduction='{ kind = "craig_bampton", vibration_modes = 6 }'):
        """Write a study with one frequency response and return its path."""
        nodes = ", ".join(
            f'{{ name = "{name}", node = {self.model.node_ids[row]} }}' for name, row in self.nodes.items()
        )
        path = self.folder / "beam.toml"
        path.write_text(
            'name = "Beam"\nunits = "mm-t-s"\n[[bodies]]\nname = "beam"\nmodel = { path = "beam.inp" }\n'
            f"interfaces = [{nodes}]\nreduction = {reduction}\n"
            '[[analyses]]\nkind = "frequency_response"\nname = "shaken"\nbody = "beam"\n'
            'loads = [{ interface = "TIP", force = [0.0, 0.0, "10 N"], moment = [3.0, 0.0, 0.0] }]\n'
            f'mass_damping = {ALPHA}\nstiffness_damping = "1 us"\n{text}'
        )
        return path

    def exact(self, frequencies, held, structural=0.0, modal=()):
        """Return (k, 6) complex displacements of TIP under the study's load."""
        K, M = self.matrices.stiffness.toarray(), self.matrices.mass.toarray()
        free = np.setdiff1d(np.arange(len(K)), self.dofs("HOLD") if held else [])
        load = np.zeros(len(K))
        load[self.dofs("TIP")[[2, 3]]] = 10.0, 3.0
        found = []
        for f in frequencies:
            s = 2.0j * np.pi * f
            dynamic = s * s * M + s * (ALPHA * M + BETA * K) + (1.0 + 1j * structural) * K
            if modal:
                dynamic[np.ix_(free, free)] += s * self.modal(K, M, free, modal)
            x = np.zeros(len(K), complex)
            x[free] = np.linalg.solve(dynamic[np.ix_(free, free)], load[free])
            found.append(x[self.dofs("TIP")])
        return np.array(found)

    @staticmethod
    def modal(K, M, free, ratios):
        """Return the damping matrix Σ 2 ζ ω M φ φᵀ M, the last ratio that of all other modes."""
        squares, shapes = la.eigh(K[np.ix_(free, free)], M[np.ix_(free, free)])
        each = np.array([*ratios, *[ratios[-1]] * (len(squares) - len(ratios))])
        weighted = M[np.ix_(free, free)] @ shapes
        return weighted * (2.0 * each * np.sqrt(squares)) @ weighted.T

    def resonances(self, held):
        K, M = self.matrices.stiffness.toarray(), self.matrices.mass.toarray()
        free = np.setdiff1d(np.arange(len(K)), self.dofs("HOLD") if held else [])
        squares = la.eigh(K[np.ix_(free, free)], M[np.ix_(free, free)], eigvals_only=True)
        return np.sqrt(np.maximum(squares, 0.0)) / (2.0 * np.pi)


@pytest.fixture(scope="module")
def beam(tmp_path_factory):
    return Beam(tmp_path_factory.mktemp("beam"))


def solved(path):
    project = faying.read(path)
    return project, project.solve("shaken")


@pytest.mark.parametrize("held", (True, False))
def test_curves_are_those_of_the_dynamic_stiffness(beam, held):
    words = 'support = "HOLD"\n' if held else ""
    words += 'lowest_frequency = "50 Hz"\nhighest_frequency = "8 kHz"\npoints = 12\n'
    _, found = solved(beam.study(words))
    at = found.values
    peaks = [f for f in beam.resonances(held)[0 if held else 6 :] if 50.0 < f < 8000.0]
    assert len(peaks) >= 2 and at[0] == 50.0 and at[-1] == 8000.0 and (np.diff(at) > 0.0).all()
    for peak in peaks:  # every one is there, with points on both sides
        assert (np.abs(at / peak - 1.0) < 0.02).sum() >= 9
    exact = beam.exact(at, held)
    nothing = 1e-6 * np.abs(exact).max()  # by symmetry
    for k, component in enumerate(("ux", "uy", "uz", "rx", "ry", "rz")):
        moved = found.curve(f"full TIP {component}") * np.exp(1j * found.curve(f"full TIP {component} phase"))
        assert np.abs(moved - exact[:, k]).max() < 2e-4 * np.abs(exact[:, k]).max() + nothing
        one = found.curve(f"TIP {component}") * np.exp(1j * found.curve(f"TIP {component} phase"))
        low = at < 2000.0
        assert np.abs(one - exact[:, k])[low].max() < 0.02 * np.abs(exact[low, k]).max() + nothing
    error = found.curve(ERROR)
    assert 0.0 < error[at < 1000.0].max() < 1e-2
    assert found.unit("TIP uz") == "mm"
    # The load does work in every cycle, which the damping takes.
    assert (found.curve("TIP uz phase") <= 0.0).all()


def test_damping_of_modes_and_of_the_material(beam):
    kinds = {"structural": 0.02, "modal": (0.01, 0.05)}
    words = "structural_damping = 0.02\nmodal_damping = [0.01, 0.05]\n"
    words += 'support = "HOLD"\nlowest_frequency = "50 Hz"\nhighest_frequency = "4 kHz"\npoints = 4\n'
    _, found = solved(beam.study(words))
    exact = beam.exact(found.values, True, **kinds)[:, 2]
    moved = found.curve("full TIP uz") * np.exp(1j * found.curve("full TIP uz phase"))
    assert np.abs(moved - exact).max() < 1e-3 * np.abs(exact).max()
    one = found.curve("TIP uz") * np.exp(1j * found.curve("TIP uz phase"))
    assert np.abs(one - exact).max() < 0.05 * np.abs(exact).max()


def test_dynamic_stiffness_is_force_over_displacement(beam):
    words = 'support = "HOLD"\nhighest_frequency = 1500.0\npoints = 4\nfull = false\neach_load = true\n'
    _, moved = solved(beam.study(words))
    _, stiff = solved(beam.study(f'{words}motion = "dynamic_stiffness"\n'))
    np.testing.assert_allclose(stiff.curve("TIP f: TIP kz") * moved.curve("TIP f: TIP uz"), 10.0, rtol=1e-10)
    np.testing.assert_allclose(
        stiff.curve("TIP f: TIP kz phase"), -moved.curve("TIP f: TIP uz phase"), atol=1e-9
    )
    assert stiff.unit("TIP f: TIP kz") == "N/mm"


def test_velocity_and_acceleration_turn_by_a_quarter_each(beam):
    words = 'support = "HOLD"\nlowest_frequency = 0.0\nhighest_frequency = 1500.0\npoints = 7\nfull = false\n'
    _, moved = solved(beam.study(words))
    at, size, phase = moved.values, moved.curve("TIP uz"), moved.curve("TIP uz phase")
    _, fast = solved(beam.study(f'{words}motion = "velocity"\n'))
    np.testing.assert_allclose(fast.curve("TIP vz"), 2.0 * np.pi * at * size, rtol=1e-10)
    turned = np.exp(1j * (fast.curve("TIP vz phase") - phase))[1:]
    np.testing.assert_allclose(turned, 1j, atol=1e-9)
    _, faster = solved(beam.study(f'{words}motion = "acceleration"\n'))
    np.testing.assert_allclose(faster.curve("TIP az"), (2.0 * np.pi * at) ** 2 * size, rtol=1e-10)
    assert faster.unit("TIP az") == "mm/s²"
    # At zero it is statics: a cantilever, a little stiffer for its rigid end faces.
    stiffness = 3.0 * 210000.0 * (12.0 * 8.0**3 / 12.0) / 120.0**3
    assert size[0] == pytest.approx(10.0 / stiffness, rel=0.05)


def test_a_better_basis_errs_less(beam):
    words = 'lowest_frequency = "1 Hz"\nhighest_frequency = "8 kHz"\npoints = 40\n'
    errors = {
        kind: solved(beam.study(words, reduction=f'{{ kind = "{kind}" }}'))[1].curve(ERROR).max()
        for kind in ("guyan", "craig_bampton")
    }
    assert errors["craig_bampton"] < 0.05 * errors["guyan"]


def test_frames_are_operating_shapes(beam):
    _, found = solved(beam.study('support = "HOLD"\nhighest_frequency = 1500.0\npoints = 5\n'))
    frame = int(np.argmax(found.curve("TIP uz")))
    shape = found.field("displacement", frame=frame)
    assert shape.shape[0] >= len(beam.model.nodes) - 2
    largest = np.linalg.norm(shape, axis=1).max() if shape.ndim == 2 else np.abs(shape).max()
    assert largest == pytest.approx(found.curve("TIP uz")[frame], rel=0.05)
    same = found.field("displacement", at=f"{found.values[frame] / 1000.0} kHz")
    np.testing.assert_array_equal(shape, same)


def test_the_command_line_runs_and_writes_curves(beam, tmp_path, capsys):
    path = beam.study('support = "HOLD"\nhighest_frequency = "1.5 kHz"\npoints = 9\n')
    out = tmp_path / "beam.faying"
    assert main(["run", str(path), "--out", str(out)]) == 0
    assert main(["info", str(out), "--json"]) == 0
    said = capsys.readouterr().out
    lists = [part for part in json.loads(said[said.index("{") :]).values() if isinstance(part, list)]
    ready = {"target": "analysis of shaken of beam", "status": "ready", "why": []}
    assert any(ready in part for part in lists)
    table = tmp_path / "bode.csv"
    words = ["export", str(out), "--curves", "TIP uz, TIP uz phase, full TIP uz", "--to", str(table)]
    assert main(words) == 0
    head, first = table.read_text().splitlines()[:2]
    assert head.startswith("Frequency [Hz],TIP uz: Displacement [mm]") and "TIP uz phase: Phase" in head
    assert float(first.split(",")[0]) == 1.0
    assert main(["report", str(out)]) == 0
    # As a universal file, in SI units; a load of a force and a moment is no reference.
    universal = tmp_path / "tip.unv"
    assert main([*words[:-1], str(universal)]) == 0
    both = functions_of(universal)
    assert [f["name"] for f in both] == ["TIP uz", "full TIP uz"] and both[0]["reference"] == (0, 0)
    size, phase = (
        np.array([float(row.split(",")[k]) for row in table.read_text().splitlines()[1:]]) for k in (1, 2)
    )
    np.testing.assert_allclose(both[0]["values"], 1e-3 * size * np.exp(1j * phase), rtol=1e-7)


def functions_of(path):
    """Return the datasets 58 of a universal file, by the columns of its description."""
    lines, found = path.read_text(encoding="ascii").splitlines(), []
    marks = [i for i, line in enumerate(lines) if line == "    -1"]
    for begin, end in zip(marks[::2], marks[1::2], strict=True):
        if lines[begin + 1] != "    58":
            assert lines[begin + 1] == "   164"
            continue
        head, data = lines[begin + 2 : begin + 13], lines[begin + 13 : end]
        record = head[5]
        assert len(head[6]) == 69 and all(len(line) <= 80 for line in head)
        count = int(head[6][10:20])
        assert (int(head[6][:10]), int(head[6][20:30])) == (6, 0) and count == len(data)
        rows = np.array([[float(line[:13]), float(line[13:33]), float(line[33:53])] for line in data])
        found.append({
            "name": head[0], "type": int(record[:5]),
            "response": (int(record[41:51]), int(record[51:55])), "reference": (int(record[66:76]), int(record[76:80])),
            "kinds": [int(line[:10]) for line in head[7:]], "unit": head[8][47:].strip(),
            "at": rows[:, 0], "values": rows[:, 1] + 1j * rows[:, 2],
        })  # fmt: skip
    return found


def test_a_universal_file_has_responses_per_force_where_one_load_acts(tmp_path):
    over = Curve("Frequency", np.array([1.0, 2.5, 40.0]), "frequency")
    size, phase = np.array([2.0, 3.0, 4.0]), np.array([0.0, -1.0, 2.0])
    curve = Curve("TIP uz", size, "length", 0, phase, ResponsePlace(17, 3, 23, 2, 5.0))
    turn = Curve("TIP rx", size, "angle", 1, phase, ResponsePlace(17, 4, 23, 5, 5.0))
    moved = size * np.exp(1j * phase)
    for view in ("values", "bode", "nyquist"):
        path = tmp_path / f"{view}.unv"
        plot = curve_plot("shaken", over, (curve,), "mm-t-s", view)
        plot_writer_for(path).write(plot, path, PictureSettings())
        (one,) = functions_of(path)
        assert one["type"] == 4 and one["response"] == (17, 3) and one["reference"] == (23, 2)
        assert one["kinds"] == [18, 8, 13, 0] and one["unit"] == "m"
        np.testing.assert_allclose(one["at"], over.values)
        np.testing.assert_allclose(one["values"], 1e-3 * moved / 5.0)
    plot_writer_for(path).write(curve_plot("shaken", over, (turn,), "mm-t-s"), path, PictureSettings())
    np.testing.assert_allclose(functions_of(path)[0]["values"], moved / 5e-3)  # 5 N·mm
    times = curve_plot(
        "swing", Curve("Time", over.values, "time"), (Curve("TIP uz", size, "length"),), "mm-t-s"
    )
    with pytest.raises(FayingError, match="none of these curves is a response over frequency"):
        plot_writer_for(path).write(times, path, PictureSettings())


def test_nyquist_and_bode_need_phases(tmp_path):
    over, time = (Curve(n, np.array([1.0, 2.0]), n.lower()) for n in ("Frequency", "Time"))
    curve = Curve("TIP uz", np.array([1.0, 2.0]), "length", 0, np.array([0.0, np.pi / 2]))
    drawn = curve_plot("shaken", over, (curve,), "m-kg-s", "nyquist").series[0]
    np.testing.assert_allclose(drawn.x, [1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(drawn.y, [0.0, 2.0])
    both = curve_plot("shaken", over, (curve,), "m-kg-s", "bode")
    assert [s.name for s in both.series] == [
        "TIP uz",
        "TIP uz phase",
    ] and both.right.label == "Phase [degree]"
    assert both.x.logarithmic and both.y.logarithmic and both.series[1].right
    np.testing.assert_allclose(both.series[1].y, [0.0, 90.0])
    assert both.series[0].style != both.series[1].style
    with pytest.raises(FayingError, match="of responses over frequency"):
        curve_plot("swing", time, (curve,), "m-kg-s", "bode")
    with pytest.raises(FayingError, match="None of these curves has a phase"):
        curve_plot("shaken", over, (Curve("x", over.values),), "m-kg-s", "nyquist")


def test_magnitudes_are_drawn_over_powers_of_ten_and_phases_are_not():
    over = Curve("Frequency", np.array([1.0, 2.0, 3.0]), "frequency")
    size = Curve("TIP uz", np.array([1e-3, 10.0, 1e-2]), "length")
    key = CurveKey("displacement", "length", "interface", "TIP", "z")
    phase = Curve("TIP uz phase", np.array([0.1, 0.2, 0.3]), "angle", key=key.phase)
    both = curve_plot("shaken", over, (size, phase), "mm-t-s")
    assert both.x.label == "Frequency [Hz]" and both.y.logarithmic
    assert both.right is not None and both.right.title == "Phase" and not both.right.logarithmic
    scaled = scaled_plot(both, CurveScales(log_y=True))
    assert scaled.right is not None and not scaled.right.logarithmic
    force = Curve("lap normal force", np.array([1.0, 2.0, 3.0]), "force")
    scaled = scaled_plot(curve_plot("shaken", over, (size, force), "mm-t-s"), CurveScales(log_y=True))
    assert scaled.right is not None and scaled.right.logarithmic
    assert not curve_plot("shaken", over, (phase,), "mm-t-s").y.logarithmic
    times = Curve("Time", over.values, "time")
    assert not curve_plot("shaken", times, (size,), "mm-t-s").y.logarithmic


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("lowest_frequency = 0.0\n", "begins at zero, where loads move the free body without bounds"),
        ('support = "TIP"\n', "has no load away from its support"),
        ('support = "NOWHERE"\n', "NOWHERE"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(beam, words, sentence):
    path = beam.study(words)
    with pytest.raises(FayingError, match=sentence):
        solved(path)
    (finding,) = [f for f in faying.read(path).check() if f.severity == "error"]
    assert re.search(sentence, finding.sentence)


def test_a_range_that_ends_before_it_begins_is_refused():
    words = {"name": "a", "body": "b", "lowest_frequency": 9.0, "highest_frequency": 3.0}
    with pytest.raises(ModelError, match="does not end above its beginning"):
        build(FrequencyResponse, words)


def test_an_undamped_resonance_is_left_out_of_the_frequencies():
    plain = build(FrequencyResponse, {"name": "a", "body": "b", "points": 3, "highest_frequency": 100.0})
    at = plain.frequencies_round(np.array([37.0, 400.0]), np.zeros(2))
    assert 37.0 not in at and (np.abs(at - 37.0) < 1.0).sum() == 12 and at.max() == 100.0
    damped = plain.with_(stiffness_damping=1e-5).damping.ratios(np.array([37.0]))
    assert 37.0 in plain.frequencies_round(np.array([37.0]), damped)


def test_a_dashpot_bounds_the_modes_that_it_damps_and_no_other():
    """Closed form: two equal masses on equal springs, 5 Hz, with a dashpot on their sum alone."""
    omega = 2.0 * np.pi * 5.0
    modes = HarmonicModes(omega**2 * np.eye(2), np.eye(2), Damping(), viscous=5.0 * np.ones((2, 2)))
    loads = modes.shapes.T @ np.array([[1.0], [1.0]])
    with pytest.raises(SolveError, match=r"at the frequency 5 \[frequency\] has no bounds"):
        modes.amplitudes(5.0, loads)
    # A little off, both loads have their own answers.
    s = 2.0j * np.pi * 5.001
    for load, damping in (((1.0, 1.0), 10.0), ((1.0, -1.0), 0.0)):
        answer = modes.shapes @ modes.amplitudes(5.001, modes.shapes.T @ np.array(load)[:, None])
        np.testing.assert_allclose(answer[:, 0], np.array(load) / (omega**2 + s * (s + damping)), rtol=1e-9)


def test_a_damper_between_two_modes_alone_bounds_both():
    """Closed form: masses whose velocities push each other; at the frequency of the first one its own terms vanish."""
    first, second, s = (2.0 * np.pi * 5.0) ** 2, (2.0 * np.pi * 10.0) ** 2, 2.0j * np.pi * 5.0
    coupling = np.array([[0.0, 3.0], [3.0, 0.0]])
    modes = HarmonicModes(np.diag([first, second]), np.eye(2), Damping(), viscous=coupling)
    answer = modes.shapes @ modes.amplitudes(5.0, modes.shapes.T @ np.array([[1.0], [0.0]]))
    wanted = np.array([-(second + s * s) / (3.0 * s) ** 2, 1.0 / (3.0 * s)])
    np.testing.assert_allclose(answer[:, 0], wanted, rtol=1e-9)


_BED = """
[[bodies.loads]]
kind = "gravity"
name = "shaking"
acceleration = [0.0, 0.0, "10 m/s^2"]
[[bodies.loads]]
kind = "pressure"
name = "press"
pressure = "2 MPa"
surface = { kind = "box", corner = [-1.0, -1.0, 7.9], opposite = [121.0, 13.0, 8.1] }
"""


def test_loads_of_the_body_shake_it(beam):
    """Against the dense inverse under the same forces; the weight that swings is the inertia of a shaken support."""
    words = 'support = "HOLD"\nlowest_frequency = "50 Hz"\nhighest_frequency = "4 kHz"\npoints = 6\n'
    text = beam.study(words).read_text()
    line = next(line for line in text.splitlines() if line.startswith("loads = "))
    pushed = (
        'body_loads = [{ load = "press", factor = 0.5, phase = 0.7 }, { load = "shaking" }]\neach_load = true'
    )
    text = text.replace(line, pushed).replace("[[analyses]]", f"{_BED}[[analyses]]")
    (beam.folder / "beam.toml").write_text(text)
    _, found = solved(beam.folder / "beam.toml")
    K, M = beam.matrices.stiffness.toarray(), beam.matrices.mass.toarray()
    free = np.setdiff1d(np.arange(len(K)), beam.dofs("HOLD"))
    nodes, n = beam.model.nodes, len(K)
    up = rigid_body_modes(nodes, beam.matrices.dofs)[:, 2]
    # The pressure pushes down where meshes are even: shares of 1, 2 and 4 quarters of a facet.
    top = np.flatnonzero(np.abs(nodes[:, 2] - 8.0) < 1e-9)
    shares = np.prod([np.where(np.isin(nodes[top, k], (0.0, _SIZE[k])), 0.5, 1.0) for k in (0, 1)], axis=0)
    shares = np.where(nodes[top, 0] == 0.0, shares, shares) * (_SIZE[0] / 6) * (_SIZE[1] / 2)
    rows = beam.matrices.dofs.transformation[3 * top + 2]
    forces = {"press": -1.0 * np.exp(0.7j) * (rows.T @ shares), "shaking": 1e4 * (M @ up)}
    for name, force in forces.items():
        exact = np.zeros((len(found.values), n), complex)
        for i, f in enumerate(found.values):
            s = 2.0j * np.pi * f
            dynamic = s * s * M + s * (ALPHA * M + BETA * K) + K
            exact[i, free] = np.linalg.solve(dynamic[np.ix_(free, free)], force[free])
        exact = exact[:, beam.dofs("TIP")[2]]
        for prefix, close in (("full ", 1e-4), ("", 1e-2)):
            curve = f"{prefix}{name}: TIP uz"
            moved = found.curve(curve) * np.exp(1j * found.curve(f"{curve} phase"))
            assert np.abs(moved - exact).max() < close * np.abs(exact).max(), curve
    # Without load modes the basis misses what a pressure does inside, and the transfer error says so; dynamic
    # stiffness has no force to be over.
    with pytest.raises(FayingError, match="'press' is a load of the body"):
        path = beam.folder / "beam.toml"
        path.write_text(text.replace("each_load = true", 'each_load = true\nmotion = "dynamic_stiffness"'))
        solved(path)


def test_the_date_of_a_universal_file_is_in_english():
    assert [_moment(datetime(2026, month, 1, 12))[3:6] for month in (1, 3, 5, 10, 12)] == [
        "Jan", "Mar", "May", "Oct", "Dec",
    ]  # fmt: skip
    assert _moment(datetime(2026, 3, 1, 12, 5)) == "01-Mar-26 12:05:00"


@pytest.mark.parametrize("coupled", [False, True])
def test_a_loss_factor_turns_no_static_load(coupled):
    """At the frequency zero a material with a loss factor is in its static equilibrium, and just above it lags by η."""
    stiffness, mass, loss = np.array([[3.0, -1.0], [-1.0, 2.0]]), np.diag([1.0, 2.0]), 0.2
    elastic = np.array([[2.0, -1.0], [-1.0, 2.0]]) if coupled else None
    modes = HarmonicModes(stiffness, mass, Damping(structural=loss), elastic)
    load = np.array([[1.0], [-0.5]])

    def response(frequency):
        return modes.shapes @ modes.amplitudes(frequency, modes.shapes.T @ load)

    np.testing.assert_allclose(response(0.0), np.linalg.solve(stiffness, load), rtol=1e-12)
    damped = stiffness + 1j * loss * (stiffness if elastic is None else elastic)
    np.testing.assert_allclose(response(1e-8), np.linalg.solve(damped, load), rtol=1e-9)
