"""Geometric stiffening by rotation and by forces at interface nodes.

Kinds of reference: published frequencies of a rotating cantilever (Wright, Smith, Thresher and Wang 1982), buckling of
a strut (Euler), the length of a bent bar, conservation of energy.
"""

import numpy as np
import pytest
from scipy.optimize import brentq

import faying
from faying.errors import ModelError
from faying.examples._systems import bar_body, spun_bar, system_project
from faying.exporters.bodies.sid import _lines
from faying.fem.assembly import assemble
from faying.fem.model import Material
from faying.fem.readers import read_model
from faying.fem.surface import Surface
from faying.multibody.bodies import FlexibleBody
from faying.multibody.inertia import FloatingInertia
from faying.multibody.linearized import find_equilibrium, vibrations
from faying.progress import Silent
from faying.reduction.body_file import BodyFile, read_body_file, write_body_file
from faying.reduction.interior import InteriorProblem
from faying.reduction.second_order import second_order
from faying.solvers.integrators import consistent_start
from support.flexible_bodies import held_bar
from support.sheet_deck import write_sheet_deck
from support.sid import read_sid
from support.systems import ready, system_of

STEEL = Material("STEEL", 210e9, 0.3, 7850.0)
LENGTH, THICK, WIDE = 1.0, 0.01, 0.04
FLAP_AT_REST = 3.5160


def bar_of(width, height):
    """Return a bar along x, width along y and height along z."""
    return held_bar(
        (40, 2, 2), (LENGTH, width, height), (0.0, -width / 2, -height / 2), STEEL, 6,
        element="hex8_incompatible", stiffening=True,
    )  # fmt: skip


@pytest.fixture(scope="module")
def flat():
    return bar_of(WIDE, THICK)


@pytest.fixture(scope="module")
def upright():
    return bar_of(THICK, WIDE)


def frequencies(spec, bar, at_rest=False):
    """Return the two lowest frequencies (rad/s), about the start or about the equilibrium."""
    found = ready(spec, bar=FlexibleBody("bar", bar))
    if at_rest:
        rest = find_equilibrium(found.system, found.q, found.history, Silent())
        modes = vibrations(found.system, rest.position, 0.0 * found.v, rest.multipliers, rest.history, 0.0)
        return modes.eigenvalues.imag[:2]
    state = consistent_start(found.system, 0.0, found.q, found.v, found.history)
    modes = vibrations(
        found.system, found.q, found.v, state.all_multipliers, state.history, 0.0, state.all_accelerations
    )
    return modes.eigenvalues.imag[:2]


def blade(speed):
    between = {"first": "ground.hub", "second": "bar.start"}
    drive = {"kind": "prescribed_angular_speed", "name": "drive", **between, "speed": speed}
    part = {
        "kind": "flexible", "name": "bar", "body": "bar", "frame": "start", "placement": {"spin": (0, 0, speed)},
    }  # fmt: skip
    return system_of(
        ground=[{"name": "hub"}], parts=[part],
        constraints=[
            {"kind": "revolute", "name": "axle", **between}, {**drive, "time_history": {"kind": "constant"}},
        ],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("turns", "flap", "within"),
    [(2, 4.1373, 3.6218), (4, 5.5850, 3.8977), (6, 7.3604, 4.2632), (10, 11.2023, 5.0490)],
)
def test_a_rotating_cantilever_is_as_stiff_as_published(flat, upright, turns, flap, within):
    """λ = ω √(ρA L⁴/EI) over η = Ω √(ρA L⁴/EI), about z, of bars thin across and thin within the plane of rotation.

    Within the plane λ² + η² is compared: without stiffening it stays 3.516², and λ falls to zero at η = 3.516.
    """
    unit = frequencies(blade(0.0), flat)[0] / FLAP_AT_REST
    assert frequencies(blade(turns * unit), flat)[0] / unit == pytest.approx(flap, rel=4e-3)
    found = frequencies(blade(turns * unit), upright)[0] / unit
    assert found**2 + turns**2 == pytest.approx(within**2 + turns**2, rel=6e-3)


def pulled_cantilever(pull, stiffness, mass):
    """Return ω of a cantilever whose end is pulled along its undeformed axis: E I w⁗ − P w″ = μ ω² w."""

    def misfit(root):  # of μ ω²/(E I) = root⁴
        middle = 0.5 * pull / stiffness
        spread = np.hypot(middle, root**2)
        rates = np.emath.sqrt([middle + spread, middle - spread]).repeat(2) * [1, -1, 1, -1]
        ends = np.exp(rates * LENGTH)
        shear = (rates**3 - pull / stiffness * rates) * ends
        return np.linalg.det([np.ones(4), rates, rates**2 * ends, shear]).imag

    return brentq(misfit, 0.3, 2.9) ** 2 * np.sqrt(stiffness / mass)


@pytest.mark.parametrize("frame", ["start", ""])
@pytest.mark.parametrize("share", [-0.95, -0.5, 1.0, 5.0])
def test_a_pulled_cantilever_vibrates_as_a_beam_under_axial_force(flat, share, frame):
    """From near Euler's buckling load to a pull of five times as much; in each frame of reference."""
    stiffness, mass = STEEL.youngs_modulus * WIDE * THICK**3 / 12, STEEL.density * WIDE * THICK
    critical = np.pi**2 * stiffness / (4 * LENGTH**2)
    load = {
        "kind": "point_force", "name": "pull", "marker": "bar.end", "force": (share * critical, 0.0, 0.0),
        "time_history": {"kind": "constant"},
    }  # fmt: skip

    def strut(forces):
        return system_of(
            ground=[{"name": "wall"}], parts=[{"kind": "flexible", "name": "bar", "body": "bar", "frame": frame}],
            constraints=[{"kind": "fixed", "name": "weld", "first": "ground.wall", "second": "bar.start"}],
            forces=forces,
        )  # fmt: skip

    found = frequencies(strut([load]), flat, at_rest=True)[0] / frequencies(strut([]), flat, at_rest=True)[0]
    free = pulled_cantilever(1e-9 * critical, stiffness, mass)
    assert found**2 == pytest.approx(
        (pulled_cantilever(share * critical, stiffness, mass) / free) ** 2, abs=0.01
    )


def test_a_bent_bar_keeps_its_length(flat):
    """The end of a cantilever that a force bends by f comes nearer by 3 f²/(5 L)."""
    held = flat.clamped_to("start")
    coordinates = np.linalg.solve(held.stiffness, held.interfaces["end"][2] * 100.0)
    deflection = held.interfaces["end"][2] @ coordinates
    nearer = -0.5 * coordinates @ held.second_order.nodes["end"][0, 6:, 6:] @ coordinates
    assert nearer == pytest.approx(0.6 * deflection**2 / LENGTH, rel=1e-2)


def test_standard_input_data_hold_it(flat):
    """Forces of a turning, deforming body from the Taylor series of the file, against those of the part."""
    body = BodyFile("bar", "m-kg-s", flat, np.arange(1, len(flat.nodes) + 1), Surface("", ()))
    matrices, frames = read_sid("\n".join(_lines(body)))
    inertia = FloatingInertia.of_shape_integrals(flat.inertia, flat.mass, np.zeros(3), flat.second_order)
    rng = np.random.default_rng(5)
    r = flat.n_coordinates
    q, rate, spin = 1e-4 * rng.normal(size=r), rng.normal(size=r), rng.normal(size=3)
    place = np.concatenate([np.zeros(3), [1.0, 0.0, 0.0, 0.0], q])
    speed = np.concatenate([np.zeros(3), [0.0], 0.5 * spin, rate])
    wanted = inertia.forces(place, speed, np.zeros(3))

    def at_q(name):
        constant, slopes = matrices[name]
        return constant + np.einsum("iqj,q->ij", slopes, q) if slopes.size else constant

    squares = np.array([spin[k] * spin[m] for k, m in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))])
    bending = -at_q("Ge").reshape(r, r, 3) @ spin @ rate - at_q("Oe") @ squares
    np.testing.assert_allclose(bending, wanted[7:], rtol=0, atol=1e-10 * np.abs(wanted[7:]).max())
    without = FloatingInertia.of_shape_integrals(flat.inertia, flat.mass, np.zeros(3)).forces(
        place, speed, np.zeros(3)
    )
    assert np.abs(without - wanted)[7:].max() > 1e-6 * np.abs(wanted[7:]).max()
    mass = inertia.mass(place)
    np.testing.assert_allclose(at_q("Ct"), mass[7:, :3], rtol=0, atol=1e-12 * np.abs(mass[7:, :3]).max())
    np.testing.assert_allclose(
        at_q("Cr"), 0.5 * mass[7:, 4:7], rtol=0, atol=1e-12 * np.abs(mass[7:, 4:7]).max()
    )
    _, slopes = frames[1]["phi"]
    bows = flat.second_order.nodes["end"][:3, 6:, 6:]
    np.testing.assert_allclose(slopes.transpose(0, 2, 1), bows, rtol=0, atol=1e-12 * np.abs(bows).max())


def test_a_body_in_a_file_keeps_it(flat, tmp_path):
    body = BodyFile("bar", "m-kg-s", flat, np.arange(1, len(flat.nodes) + 1), Surface("", ()))
    write_body_file(tmp_path / "bar.npz", body)
    found = read_body_file(tmp_path / "bar.npz").reduced.second_order
    np.testing.assert_array_equal(found.inertia, flat.second_order.inertia)
    np.testing.assert_array_equal(found.resultants, flat.second_order.resultants)
    np.testing.assert_array_equal(found.nodes["end"], flat.second_order.nodes["end"])


@pytest.mark.parametrize("stiffening", [False, True])
def test_a_part_that_spins_fast_without_it_is_named(tmp_path, stiffening):
    """20 rad/s of a bar that vibrates at 63.2 rad/s."""
    body = {**bar_body("bar", "pendulum_bar.inp", 2), "geometric_stiffening": stiffening}
    motion = {"name": "spin-up", "duration": 0.01, "frames": 2}
    project = system_project("Spin-up", "", spun_bar("bar", 20.0, 0.01), [motion], [body])
    with faying.Session(project, tmp_path) as session:
        session.move("spin-up")
        found = [finding for finding in session.check() if "geometric stiffening" in finding.sentence]
    assert len(found) == (not stiffening)
    for finding in found:
        assert "'bar' turned at up to 20 rad/s" in finding.sentence and "0.32 times" in finding.sentence
        assert finding.remedy.path == ("bodies", 0, "geometric_stiffening") and finding.remedy.value is True


def test_bodies_of_shells_are_refused(tmp_path):
    model = read_model(write_sheet_deck(tmp_path / "sheets.inp"))
    interior = InteriorProblem(assemble(model), model.nodes, np.zeros(0, int))
    with pytest.raises(ModelError, match="solid elements, and the body has 127 of type S4"):
        second_order(model, interior, np.zeros((3 * len(model.nodes), 0)), {}, Silent())
