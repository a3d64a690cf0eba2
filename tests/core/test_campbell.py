"""Campbell diagrams against the closed form of a rigid rotor on two springs, with unequal springs and with damping."""

from contextlib import closing

import numpy as np
import pytest
import scipy.linalg as la

from faying.analyses import SystemModel, analyses
from faying.errors import ModelError
from faying.params import build
from faying.progress import Silent
from faying.results.results import Results
from faying.results.run_tables import RUN_TABLES
from support.rotors import ACROSS, FAR, MASS, NEAR, POLAR, rotor
from support.systems import system_of


def diagram(spec, path, **words):
    words = {
        "name": "c",
        "system": spec.name,
        "drive": "turn",
        "highest_speed": 400.0,
        "speeds": 9,
        "count": 4,
        **words,
    }
    build(analyses["campbell"], words).run(SystemModel(spec, {}), path / "c.h5", Silent())
    return Results(path / "c.h5")


def closed_form(speed, stiffness=(3e4, 3e4), damping=(0.0, 0.0), polar=POLAR):
    """Return (8,) eigenvalues of M ẍ + (D + Ω G) ẋ + K x = 0 over x, y and the tilts about y and x."""
    arms = np.array([[1.0, -NEAR], [1.0, FAR]])
    mass = np.diag([MASS, ACROSS, MASS, ACROSS])
    # u = x + θ z along x, and y + ψ z along y with θ about y and ψ about −x: L_x = −J ψ', so that spin couples them.
    K, D = (la.block_diag(*(each * arms.T @ arms for each in pair)) for pair in (stiffness, damping))
    gyro = np.zeros((4, 4))
    gyro[1, 3], gyro[3, 1] = polar * speed, -polar * speed
    first = np.block([[np.zeros((4, 4)), np.eye(4)], [-la.solve(mass, K), -la.solve(mass, D + gyro)]])
    return la.eigvals(first)


@pytest.mark.parametrize("stiffness", [(3e4, 3e4), (3e4, 4.5e4)])
@pytest.mark.parametrize("damping", [(0.0, 0.0), (4.0, 6.0)])
def test_all_lines_are_those_of_the_closed_form(tmp_path, stiffness, damping):
    """Four lines over the speed, with unequal bearings too; without gyroscopic terms they would be level."""
    with closing(diagram(rotor(stiffness, damping), tmp_path)) as results:
        lines = np.array([results.curve(f"mode {k + 1} natural frequency") for k in range(4)]).T
        ratios = np.array([results.curve(f"mode {k + 1} damping ratio") for k in range(4)]).T
        assert np.ptp(lines, axis=0).max() > 5.0
        for speed, own, zeta in zip(results.values, lines, ratios, strict=True):
            found = closed_form(speed, stiffness, damping)
            found = found[found.imag > 0.0]
            # Equal frequencies at rest are in the order of their damping.
            found = found[np.lexsort((-found.real, np.abs(found).round(4)))]
            order = np.lexsort((zeta, own.round(4)))
            np.testing.assert_allclose(own[order], np.abs(found) / (2 * np.pi), rtol=1e-5)
            np.testing.assert_allclose(zeta[order], -found.real / np.abs(found), atol=1e-6)


def test_modes_whirl_forward_and_backward_and_meet_the_unbalance(tmp_path):
    """Critical speeds: det(K − Ω² (M − gyroscopic part)) = 0 for circular whirl, forward with J_t − J_p, backward +."""
    with closing(diagram(rotor(polar=0.02), tmp_path, speeds=33, highest_speed=800.0)) as results:
        lines = [results.curve(f"mode {k + 1} whirl")[-1] for k in range(4)]
        np.testing.assert_allclose(sorted(lines), [-1.0, -1.0, 1.0, 1.0], atol=1e-6)
        arms = np.array([[1.0, -NEAR], [1.0, FAR]])
        K = 3e4 * arms.T @ arms
        wanted = sorted(
            [(float(np.sqrt(x)), sense) for sense in (1, -1)
             for x in la.eigvals(K, np.diag([MASS, ACROSS - sense * 0.02])).real]
        )  # fmt: skip
        rows = results.report["critical_speeds"]
        np.testing.assert_allclose([row["speed"] for row in rows], [speed for speed, _ in wanted], rtol=2e-3)
        assert [round(row["whirl"]) for row in rows] == [sense for _, sense in wanted]
        table = RUN_TABLES["critical speeds"][1](results)
        assert table[-1].values == ["forward" if sense > 0 else "backward" for _, sense in wanted]


def test_a_motor_in_a_suspended_housing_turns_the_rotor_alone(tmp_path):
    """The drive prescribes a relative speed; the housing stays, though it is as light as the rotor. Closed form."""
    markers = [{"name": "low", "position": (0.0, 0.0, -NEAR)}, {"name": "high", "position": (0.0, 0.0, FAR)}]
    inertia = {"mass": 0.5 * MASS, "moments_of_inertia": (0.5 * ACROSS, 0.5 * ACROSS, 0.04)}
    housing = {"kind": "rigid", "name": "housing", **inertia, "markers": markers}
    disc = {"kind": "rigid", "name": "disc", **inertia}
    bearings = [
        {"kind": "bushing", "name": name, "first": f"ground.{name}", "second": f"housing.{name}",
         "stiffness": (3e4, 4.5e4, 1e6), "torsional_stiffness": (0.0, 0.0, 1e5)}
        for name in ("low", "high")
    ]  # fmt: skip
    between = {"first": "housing.frame", "second": "disc.frame"}
    constraints = [
        {"kind": "revolute", "name": "bearing", **between},
        {"kind": "prescribed_angular_speed", "name": "turn", **between},
    ]
    spec = system_of(ground=markers, parts=[housing, disc], constraints=constraints, forces=bearings)
    with closing(diagram(spec, tmp_path)) as results:
        lines = [results.curve(f"mode {k + 1} natural frequency")[-1] for k in range(4)]
    found = closed_form(400.0, (3e4, 4.5e4), polar=0.04)
    np.testing.assert_allclose(sorted(lines), np.sort(found.imag[found.imag > 0.0]) / (2 * np.pi), rtol=1e-5)


def test_a_rotor_that_is_not_round_is_refused(tmp_path):
    with pytest.raises(ModelError, match="'disc' is not round"):
        diagram(rotor(across=(0.05, 0.06)), tmp_path)


def test_a_drive_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ModelError, match="no prescribed angular speed called 'spin'"):
        diagram(rotor(), tmp_path, drive="spin")
