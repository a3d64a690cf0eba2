"""Campbell diagrams of flexible rotors and of rotors that are not round.

Kinds of reference: closed forms of an overhung disc (Stodola) and of an unsymmetric shaft, published frequencies of a
rotating cantilever (Wright, Smith, Thresher and Wang 1982), and the same rotor counted in fixed axes.
"""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from faying.analyses import BodyModel, SystemModel, analyses
from faying.errors import ModelError
from faying.fem.model import Material
from faying.params import build
from faying.progress import Silent
from faying.results.results import Results
from faying.results.run_tables import RUN_TABLES
from support.flexible_bodies import held_bar
from support.systems import system_of

STEEL = Material("STEEL", 210e9, 0.3, 7850.0)
LENGTH, THICK, WIDE = 1.0, 0.01, 0.04
SHAFT, SIDE = 0.5, 0.02  # length and edge of a square shaft
MASS, POLAR, ACROSS = 8.0, 0.16, 0.085  # of the overhung disc
ALONG_X = (0.0, np.pi / 2, 0.0)
SPRINGS, HUNG = (2e4, 8e4), 2.0  # of the unsymmetric shaft, and the mass that it carries


def diagram(spec, path, bodies=None, **words):
    words = {"name": "c", "system": spec.name, "drive": "turn", "highest_speed": 400.0, "speeds": 9, **words}
    build(analyses["campbell"], words).run(SystemModel(spec, bodies or {}), path / "c.h5", Silent())
    return Results(path / "c.h5")


def lines_of(results, count):
    """Return (n_speeds, count) natural frequencies in rad/s."""
    return 2.0 * np.pi * np.array([results.curve(f"mode {k + 1} natural frequency") for k in range(count)]).T


def driven(first, second):
    between = {"first": first, "second": second}
    return [
        {"kind": "revolute", "name": "axle", **between},
        {"kind": "prescribed_angular_speed", "name": "turn", **between},
    ]  # fmt: skip


def bar_model(name, counts, length, width, height, material, modes=2):
    bar = held_bar(
        counts, (length, width, height), (0.0, -width / 2, -height / 2), material, modes,
        element="hex8_incompatible", stiffening=True,
    )  # fmt: skip
    return BodyModel(name, bar, (), {})


@pytest.fixture(scope="module")
def light_shaft():
    return bar_model("shaft", (24, 2, 2), SHAFT, SIDE, SIDE, replace(STEEL, density=1e-2))


def overhung(**more):
    """Return a rigid disc at the end of a flexible shaft along x, whose start turns in a bearing."""
    marker = {"name": "axle", "interface": "start", "rotation": ALONG_X}
    shaft = {"kind": "flexible", "name": "shaft", "body": "shaft", "frame": "start", "markers": [marker]}
    disc = {
        "kind": "rigid", "name": "disc", "mass": MASS, "moments_of_inertia": (POLAR, ACROSS, ACROSS),
        "placement": {"position": (SHAFT, 0.0, 0.0)},
    }  # fmt: skip
    weld = {"kind": "fixed", "name": "weld", "first": "shaft.end", "second": "disc.frame"}
    return system_of(
        ground=[{"name": "axle", "rotation": ALONG_X}], parts=[shaft, disc],
        constraints=[*driven("ground.axle", "shaft.axle"), weld], **more,
    )  # fmt: skip


def test_the_lines_of_an_overhung_disc_are_those_of_stodola(light_shaft, tmp_path):
    """det[[k₁₁ − m ω², k₁₂], [k₁₂, k₂₂ − J_t ω² + J_p Ω ω]] = 0 with the stiffness of the shaft: four lines.

    The stiffness is that of the FE model, 1.5 % above that of a beam without shear, for rigid end faces.
    """
    held = light_shaft.reduced.clamped_to("start")
    end = held.interfaces["end"]
    stiffness = np.linalg.inv(end @ np.linalg.solve(held.stiffness, end.T))
    bending = STEEL.youngs_modulus * SIDE**4 / 12.0
    k = stiffness[np.ix_([1, 5], [1, 5])]
    beam = np.array([[12.0 * bending / SHAFT**3, -6.0 * bending / SHAFT**2], [0.0, 4.0 * bending / SHAFT]])
    beam[1, 0] = beam[0, 1]
    np.testing.assert_allclose(k, beam, rtol=0.02)
    with closing(diagram(overhung(), tmp_path, {"shaft": light_shaft}, count=5)) as results:
        found = lines_of(results, 5)
        whirls = [results.curve(f"mode {n + 1} whirl")[-1] for n in range(5)]
        speeds, critical = results.values, results.report["critical_speeds"]
    assert sorted(np.round(whirls, 3)) == [-1.0, -1.0, 0.0, 1.0, 1.0]  # one twists

    def lines(speed):
        first = np.polymul([-MASS, 0.0, k[0, 0]], [-ACROSS, POLAR * speed, k[1, 1]])
        return np.sort(np.abs(np.roots(np.polyadd(first, [-(k[0, 1] ** 2)]))))

    twist = np.sqrt(stiffness[3, 3] / POLAR)
    for speed, own in zip(speeds, found, strict=True):
        np.testing.assert_allclose(np.sort(own), np.sort([*lines(speed), twist]), rtol=1e-6)
    assert np.ptp(found, axis=0).max() > 200.0
    forward = [row["speed"] for row in critical if row["whirl"] > 0.5]
    across = np.diag([MASS, ACROSS - POLAR])
    # One alone: a disc has more polar than transverse inertia.
    wanted = [np.sqrt(x) for x in np.linalg.eigvals(np.linalg.solve(across, k)).real if x > 0.0]
    np.testing.assert_allclose(forward, wanted, rtol=2e-3)


@pytest.mark.parametrize("flap", [True, False])
def test_a_rotating_cantilever_is_as_stiff_as_published(flap, tmp_path):
    """λ = ω √(ρA L⁴/EI) over η = Ω √(ρA L⁴/EI) about z, out of the plane of rotation and within it."""
    wide, high = (WIDE, THICK) if flap else (THICK, WIDE)
    body = bar_model("bar", (40, 2, 2), LENGTH, wide, high, STEEL, 6)
    spec = system_of(
        ground=[{"name": "hub"}], parts=[{"kind": "flexible", "name": "bar", "body": "bar", "frame": "start"}],
        constraints=driven("ground.hub", "bar.start"),
    )  # fmt: skip
    with closing(
        diagram(spec, tmp_path, {"bar": body}, highest_speed=1.0, speeds=2, axes="turning")
    ) as results:
        unit = (
            lines_of(results, 1)[0, 0] / 3.5160
        )  # 0.5 % above that of a beam, for end faces that stay rigid
    words = {"highest_speed": 10.0 * unit, "speeds": 6, "count": 2, "axes": "turning"}
    with closing(diagram(spec, tmp_path, {"bar": body}, **words)) as results:
        found = lines_of(results, 1)[[0, 1, 2, 3, 5], 0] / unit
        assert results.report["unstable_speeds"] == []
    turns = np.array([0.0, 2.0, 4.0, 6.0, 10.0])
    published = np.array(
        [3.5160, 4.1373, 5.5850, 7.3604, 11.2023] if flap else [3.5160, 3.6218, 3.8977, 4.2632, 5.0490]
    )
    np.testing.assert_allclose(found**2 + turns**2, published**2 + turns**2, rtol=6e-3)
    if not flap:  # without stiffening it diverges where it turns as fast as it vibrates at rest
        soft = {"bar": replace(body, reduced=replace(body.reduced, second_order=None))}
        with closing(diagram(spec, tmp_path, soft, **{**words, "highest_speed": 5.0 * unit})) as results:
            (unstable,) = results.report["unstable_speeds"]
            assert unstable["from"] == pytest.approx(found[0] * unit, rel=1e-3)


def unsymmetric(**more):
    """Return a disc on a massless shaft, stiffer in one direction than across it, whose hub is driven; no bearings."""
    hub = {"kind": "rigid", "name": "hub", "mass": 1.0, "moments_of_inertia": (0.02, 0.03, 0.04)}
    disc = {"kind": "rigid", "name": "disc", "mass": HUNG, "moments_of_inertia": (0.02, 0.02, 0.04)}
    shaft = {
        "kind": "bushing", "name": "shaft", "first": "hub.frame", "second": "disc.frame", "stiffness": (*SPRINGS, 1e6),
        "torsional_stiffness": (1e4, 1e4, 1e4),
    }  # fmt: skip
    return system_of(
        parts=[hub, disc],
        constraints=driven("ground.origin", "hub.frame"),
        **{"forces": [shaft, *more.pop("more_forces", [])], **more},
    )


def test_an_unsymmetric_shaft_is_unstable_between_its_critical_speeds(tmp_path):
    """(λ² + k₁/m − Ω²)(λ² + k₂/m − Ω²) + 4 Ω² λ² = 0: Re λ > 0 for k₁/m < Ω² < k₂/m, and nowhere else."""
    with closing(diagram(unsymmetric(), tmp_path, speeds=21, count=2, axes="turning")) as results:
        found = lines_of(results, 2)
        growing = np.array(
            [results.curve("mode 1 damping ratio"), results.curve("mode 2 damping ratio")]
        ).min(0)
        (range_,) = results.report["unstable_speeds"]
        speeds = results.values
        assert RUN_TABLES["unstable speeds"][1](results)[0].values == [range_["from"]]
    first, second = np.array(SPRINGS) / HUNG
    assert range_["from"] == pytest.approx(np.sqrt(first), rel=1e-4)
    assert range_["to"] == pytest.approx(np.sqrt(second), rel=1e-4)
    for speed, own, grows in zip(speeds, found, growing, strict=True):
        a, b = first - speed**2, second - speed**2
        squares = np.sort(np.abs(np.roots([1.0, a + b + 4.0 * speed**2, a * b])))
        np.testing.assert_allclose(np.sort(own) ** 2, squares, rtol=1e-5, atol=1e-6 * first)
        assert (grows < -0.9) == (first < speed**2 * (1 - 1e-9) and speed**2 * (1 + 1e-9) < second)


def housed(across=(0.02, 0.02), bearing=(3e4, 3e4), damping=20.0, second=None, **more):
    """Return a rotor in a suspended housing; both count."""
    housing = {"kind": "rigid", "name": "housing", "mass": 3.0, "moments_of_inertia": (0.04, 0.04, 0.05)}
    disc = {"kind": "rigid", "name": "disc", "mass": 2.0, "moments_of_inertia": (*across, 0.03)}
    support = {
        "kind": "bushing", "name": "feet", "first": "ground.origin", "second": "housing.frame",
        "stiffness": (*bearing, 1e6), "torsional_stiffness": (4e3, 4e3, 1e5), "damping": (damping, damping, 0.0),
    }  # fmt: skip
    return system_of(
        parts=[housing, disc], constraints=driven("housing.frame", "disc.frame"), forces=[support], **more
    )


def test_turning_and_fixed_axes_differ_by_the_speed(tmp_path):
    """A housing that stands still is counted in turning axes, too: λ turns into λ ± i Ω, with the same damping."""
    found = {}
    for axes in ("fixed", "turning"):
        with closing(
            diagram(housed(), tmp_path, axes=axes, count=4, speeds=3, highest_speed=100.0)
        ) as results:
            ratio = np.array([results.curve(f"mode {k + 1} damping ratio")[-1] for k in range(4)])
            size = lines_of(results, 4)[-1]
            whirl = np.array([results.curve(f"mode {k + 1} whirl")[-1] for k in range(4)])
        for k in range(3):  # of two with one frequency any combination is a mode: one circles each way
            if abs(size[k + 1] - size[k]) < 1e-6 * size[k]:
                whirl[k : k + 2] = 1.0, -1.0
        found[axes] = -ratio * size + 1j * np.round(whirl) * size * np.sqrt(1.0 - ratio**2)
    np.testing.assert_allclose(
        np.sort_complex(found["turning"].round(6) + 100j), np.sort_complex(found["fixed"].round(6)), rtol=1e-6
    )


def test_a_rotor_that_is_not_round_needs_supports_that_are(tmp_path):
    words = {"axes": "turning", "count": 2, "speeds": 3}
    with closing(diagram(housed(across=(0.02, 0.025)), tmp_path, **words)) as results:
        assert results.report["modes_followed"] == 2
    with pytest.raises(ModelError, match="What holds 'disc' is not the same in all directions"):
        diagram(housed(across=(0.02, 0.025), bearing=(3e4, 4e4)), tmp_path, **words)
    with pytest.raises(ModelError, match="'disc' is not round"):
        diagram(housed(across=(0.02, 0.025)), tmp_path)


def test_weight_across_the_axis_of_a_flexible_rotor_is_refused(light_shaft, tmp_path):
    with pytest.raises(ModelError, match="Weight across the axis moves 'shaft'"):
        diagram(overhung(gravity=(0.0, 0.0, -9.81)), tmp_path, {"shaft": light_shaft})
    with closing(
        diagram(overhung(gravity=(-9.81, 0.0, 0.0)), tmp_path, {"shaft": light_shaft}, speeds=2)
    ) as results:
        assert results.report["modes_followed"] > 3


def test_a_flat_shaft_has_frequencies_in_turning_axes_alone(tmp_path):
    flat = {"shaft": bar_model("shaft", (12, 2, 2), SHAFT, SIDE, 0.5 * SIDE, STEEL)}
    with pytest.raises(ModelError, match="The rotor of 'shaft' is not round"):
        diagram(overhung(), tmp_path, flat, speeds=3)
    with closing(
        diagram(overhung(), tmp_path, flat, speeds=6, highest_speed=60.0, axes="turning")
    ) as results:
        first, *_ = results.report["unstable_speeds"]
        lines = lines_of(results, 2)[0]
    # Between both critical speeds, of which gyroscopic moments raise the second a little.
    assert first["from"] == pytest.approx(lines.min(), rel=0.1)
    assert first["from"] < first["to"]


@pytest.mark.parametrize("axes", ["fixed", "turning"])
def test_damping_inside_a_rotor_makes_it_unstable_beyond_its_critical_speed(axes, tmp_path):
    """Jeffcott's rotor with damping c_i that turns and c_e that stands still grows from Ω = ω (1 + c_e/c_i) on."""
    stiffness, mass, inside, outside = 2e4, 2.0, 4.0, 3.0
    hub = {"kind": "rigid", "name": "hub", "mass": 1.0, "moments_of_inertia": (0.03, 0.03, 0.04)}
    disc = {"kind": "rigid", "name": "disc", "mass": mass, "moments_of_inertia": (0.02, 0.02, 0.03)}
    common = {"kind": "bushing", "second": "disc.frame"}
    turning = {**common, "name": "shaft", "first": "hub.frame", "stiffness": (stiffness, stiffness, 1e6),
               "damping": (inside, inside, 0.0), "torsional_stiffness": (1e4, 1e4, 1e4)}  # fmt: skip
    still = {**common, "name": "air", "first": "ground.origin", "stiffness": (0.0, 0.0, 0.0),
             "damping": (outside, outside, 0.0)}  # fmt: skip
    spec = system_of(
        parts=[hub, disc], constraints=driven("ground.origin", "hub.frame"), forces=[turning, still]
    )
    with closing(diagram(spec, tmp_path, axes=axes, count=2)) as results:
        (unstable,) = results.report["unstable_speeds"]
    wanted = np.sqrt(stiffness / mass) * (1.0 + outside / inside)
    # To first order in the damping.
    assert unstable["from"] == pytest.approx(wanted, rel=1e-3)
    assert unstable["to"] == 400.0


def test_a_flexible_shaft_in_two_soft_bearings(tmp_path):
    """Whirls keep the frequency at rest, but for the small gyroscopic moments of a thin shaft."""
    body = {"shaft": bar_model("shaft", (16, 2, 2), SHAFT, SIDE, SIDE, STEEL, 4)}
    axles = [{"name": end, "interface": end, "rotation": ALONG_X} for end in ("start", "end")]
    markers = [{**axle, "name": f"{axle['name']} axle"} for axle in axles]
    places = {"start": 0.0, "end": SHAFT}
    ground = [{"name": end, "position": (x, 0.0, 0.0), "rotation": ALONG_X} for end, x in places.items()]
    bearings = [
        {"kind": "bushing", "name": end, "first": f"ground.{end}", "second": f"shaft.{end} axle",
         "stiffness": (1e6, 1e6, 1e8)}
        for end in places
    ]  # fmt: skip
    (turn,) = driven("ground.start", "shaft.start axle")[1:]
    part = {
        "kind": "flexible", "name": "shaft", "body": "shaft", "markers": markers,
        "placement": {"position": (0.5 * SHAFT, 0.0, 0.0)},
    }  # fmt: skip
    spec = system_of(ground=ground, parts=[part], constraints=[turn], forces=bearings)
    with closing(diagram(spec, tmp_path, body, count=4, speeds=3, highest_speed=900.0)) as results:
        found = lines_of(results, 4)
        whirls = np.array([results.curve(f"mode {k + 1} whirl")[-1] for k in range(4)])
        assert results.report["unstable_speeds"] == []
    np.testing.assert_allclose(found[-1], found[0], rtol=0.01)
    np.testing.assert_allclose(np.sort(whirls), [-1.0, -1.0, 1.0, 1.0], atol=1e-3)
    # Softer bearings lower the frequency of a pinned beam.
    pinned = (np.pi / SHAFT) ** 2 * np.sqrt(STEEL.youngs_modulus * SIDE**2 / 12.0 / STEEL.density)
    assert 0.7 * pinned < found[0, 0] < pinned
