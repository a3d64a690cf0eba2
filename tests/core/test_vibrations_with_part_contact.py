"""Vibrations of systems whose parts touch and rub. Kinds of reference: closed forms, transients of the same system.

A slab of 2 kg lies with its weight on a rough plane, on springs along x and y. Its frame lies in the face that rubs, so
that friction makes no moment: along x it is a mass on a spring and a Jenkins element.
"""

import numpy as np
import pytest

import faying
from faying.errors import ModelError
from faying.results.quality_warnings import find_warnings

MASS, MU, G, AREA = 2e-3, 0.3, 9810.0, 100.0
SPRING, STICKING = 2000.0, 10.0 * AREA  # N/mm
LIMIT = MU * MASS * G
SLAB = """v -5 -5 0\nv 5 -5 0\nv 5 5 0\nv -5 5 0\nv -5 -5 1\nv 5 -5 1\nv 5 5 1\nv -5 5 1
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"""
RUB = {
    "name": "rub", "master": "ground.floor", "slave": "slab.skin", "reach": 2.0,
    "contact_law": {"kind": "linear_penalty", "stiffness": 500.0},
    "friction_law": {
        "kind": "coulomb", "friction_coefficient": MU, "sticking_stiffness": STICKING / AREA, "sliding_stiffness": 0.0,
    },
}  # fmt: skip
ALONG_X = {"marker": "slab.at", "direction": "x"}


@pytest.fixture
def slab(tmp_path):
    """A function that returns the results of analyses of the slab on the floor."""
    (tmp_path / "slab.obj").write_text(SLAB)
    part = {
        "kind": "rigid", "name": "slab", "mass": MASS, "moments_of_inertia": [0.01, 0.01, 0.01],
        "placement": {"position": [0.0, 0.0, -MASS * G / AREA / 500.0]}, "markers": [{"name": "at"}],
        "contact_surfaces": [{"kind": "surface_mesh", "name": "skin", "path": str(tmp_path / "slab.obj")}],
    }  # fmt: skip
    springs = {
        "kind": "bushing", "name": "springs", "first": "ground.at", "second": "slab.at",
        "stiffness": [SPRING, 3.0 * SPRING, 0.0], "damping": [0.4, 0.4, 3.0], "torsional_damping": [10.0] * 3,
    }  # fmt: skip

    def solved(*runs, forces=(), **contact):
        system = {
            "name": "bench", "gravity": [0.0, 0.0, -G], "ground": [{"name": "at"}], "parts": [part],
            "ground_surfaces": [{"kind": "plane", "name": "floor"}], "contacts": [{**RUB, **contact}],
            "forces": [springs, *forces],
        }  # fmt: skip
        named = [{"system": "bench", "name": f"run {i}", **run} for i, run in enumerate(runs)]
        session = faying.build(tmp_path / "artifacts", systems=[system], analyses=named)
        return [session.move(run["name"]) for run in named]

    return solved


def jenkins(amplitude):
    """Return stiffness and loss of the first harmonic of a Jenkins element (Krack and Gross 2019)."""
    share = LIMIT / STICKING / amplitude
    angle = np.arccos(1.0 - 2.0 * share)
    stiffness = STICKING / np.pi * (angle - 0.5 * np.sin(2.0 * angle))
    return stiffness, 4.0 * LIMIT / (np.pi * amplitude) * (1.0 - share)


def test_a_slab_that_rubs_has_the_mode_of_a_slider(slab):
    """Closed form: frequency and damping of the first harmonic where the whole face sticks and slides in turn."""
    amplitudes = np.array([2.0, 4.0]) * LIMIT / STICKING
    over = {"chosen_amplitudes": amplitudes.tolist(), **ALONG_X}
    mode, tangent, loops = slab(
        {"kind": "system_nonlinear_mode", "harmonics": 1, "samples": 1024, **over},
        {"kind": "system_nonlinear_mode", "harmonics": 1, **over, "contacts": "tangents"},
        {"kind": "system_quasi_static_modes", **over, "load_steps": 40, "loop_steps": 80},
    )
    for k, amplitude in enumerate(amplitudes):
        stiffness, loss = jenkins(amplitude)
        square = (SPRING + stiffness) / MASS
        assert mode.curve("natural frequency")[k] == pytest.approx(np.sqrt(square) / (2 * np.pi), rel=1e-4)
        damping = 0.5 * (0.4 * np.sqrt(square) + loss) / (MASS * square)
        assert mode.curve("damping ratio")[k] == pytest.approx(damping, rel=1e-3)
        work = 4.0 * LIMIT * (amplitude - LIMIT / STICKING)
        assert loops.curve("work of friction per cycle")[k] == pytest.approx(work, rel=2e-3)
    assert mode.curve("slipping pairs").tolist() == [4.0, 4.0]
    assert mode.report["slid_over_facets"] == {"rub": 0.0}  # a plane has none
    assert mode.report["slides_as_a_whole"] == {"rub": pytest.approx(amplitudes[0])}
    stuck = np.sqrt((SPRING + STICKING) / MASS) / (2.0 * np.pi)
    assert mode.report["stuck_frequency"] == pytest.approx(stuck, rel=1e-6)
    np.testing.assert_allclose(tangent.curve("natural frequency"), stuck, rtol=1e-6)  # switched off


@pytest.mark.slow  # a transient of fourteen periods
@pytest.mark.parametrize(
    ("force", "frequency", "slips", "opens"), [([4.0, 0.0, 8.0], 175.0, 4, 0), ([0.0, 0.0, 9.0], 350.0, 0, 4)]
)
def test_a_forced_slab_answers_as_in_time(slab, force, frequency, slips, opens):
    """Another method: a force that slides and presses the slab, or lifts it, against settled transients."""
    level = 2.0
    load = {"marker": "slab.at", "force": force}
    ends = {"lowest_frequency": frequency - 1.0, "highest_frequency": frequency}
    # With friction nothing would hold the angle about z of a slab that lifts off in each period.
    laws = {} if slips else {"friction_law": None}
    (balance,) = slab({"kind": "system_harmonic_balance", "loads": [load], "levels": [level], **ends}, **laws)
    last = balance.n_frames - 1
    assert balance.values[last] == pytest.approx(frequency)
    assert balance.curve("slipping pairs")[last] == slips and balance.report["most_slipping_pairs"] == slips
    assert balance.curve("opening pairs")[last] == opens
    periods, steps = 14, 200
    push = {
        "kind": "point_force", "name": "push", "marker": "slab.at", "force": [level * f for f in force],
        "time_history": {"kind": "harmonic", "frequency": frequency},
    }  # fmt: skip
    step = 1.0 / (frequency * steps)
    integrator = {"kind": "hht", "alpha": 0.0, "first_step": step, "largest_step": step, "fixed_step": True}
    (motion,) = slab(
        {"kind": "motion", "duration": periods / frequency, "frames": periods * steps, "integrator": integrator,
         "from_equilibrium": True},
        forces=[push], **laws,
    )  # fmt: skip
    late = slice((periods - 2) * steps, periods * steps)
    part = motion.results.part("slab")
    places = np.array([part.placement(i)[0] for i in range(late.start, late.stop)])
    # The force is a sine, and that of the balance a cosine.
    first = 2.0j * np.exp(-2j * np.pi * frequency * motion.values[late]) @ places / len(places)
    for axis, of_motion in zip("xz", first[[0, 2]], strict=True):
        if not force["xyz".index(axis)]:
            continue
        name = f"slab.at u{axis}"
        answer = (balance.curve(name) * np.exp(1j * balance.curve(f"{name} phase")))[last]
        assert abs(of_motion / answer - 1.0) < 5e-3, axis


def test_a_curve_that_needs_more_harmonics_at_once_goes_on(slab):
    """With them its first point moves a little, perhaps out of the range, from either end of it."""
    words = {"kind": "system_harmonic_balance", "loads": [{"marker": "slab.at", "force": [0.0, 0.0, 18.0]}]}
    ends = np.array([349.0, 350.0])
    range_ = {"lowest_frequency": ends[0], "highest_frequency": ends[1]}
    (found,) = slab({**words, **range_, "levels": [1.0, 1.01]}, friction_law=None)
    assert found.report["harmonics"] > 3 and "trouble" not in found.report
    for level, way in ((1.0, 1), (1.01, -1)):
        own = found.values[found.curve("load level") == level][::way]
        np.testing.assert_allclose(own[[0, -1]], ends, rtol=1e-6)
        assert (np.diff(own) > 0.0).all() and len(own) > 3


def test_slips_are_small_against_facets():
    """A slab that slides by more than a tenth of a facet is doubtful."""
    told = [list(find_warnings({}, {"slid_over_facets": {"rub": share}})) for share in (0.09, 0.12)]
    assert not told[0] and "'rub' slide by 12 % of a facet" in told[1][0].sentence


def test_what_pairs_cannot_follow_is_a_sentence(slab):
    run = {"kind": "system_nonlinear_mode", "harmonics": 1, **ALONG_X}
    with pytest.raises(ModelError, match=r"Contact 'rub' has a restitution of 0\.5"):
        slab(run, restitution=0.5)
