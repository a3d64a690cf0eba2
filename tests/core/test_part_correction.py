"""Frames of a part in motion, corrected on its FE model: as the body alone, and with all inertia forces."""

import numpy as np
import pytest

import faying
from faying.analyses.statics import corrected_part
from faying.errors import ModelError
from faying.load_histories import load_histories
from faying.params import build
from faying.progress import Silent
from faying.solvers.condensed_equilibrium import CondensedEquilibrium
from faying.solvers.integrators import State
from faying.spatial.rotations import euler_parameters, rates_of_body_rotation, rotation_matrix
from faying.testing import plates as deck

RUN = {
    "duration": 1e-3, "frames": 5,
    "integrator": {"kind": "hht", "fixed_step": True, "first_step": 4e-6, "largest_step": 4e-6},
}  # fmt: skip
PULL = {"force": (0.0, 0.0, -40.0), "time_history": {"kind": "haversine", "rise_time": 1e-3}}
BETA = 1e-6  # s


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """Plates with two joint modes, clamped and pressed: as a body, and as a part of a system fixed to ground."""
    folder = tmp_path_factory.mktemp("part")
    words = deck.plates(deck.write_plate_deck(folder / "plates.inp", divisions=8)).model_dump()
    words["bodies"][0]["joint_modes"]["count"] = 2
    words["analyses"] = [
        {
            "kind": "transient", "name": "alone", "body": "plates", "support": "hold", "stiffness_damping": BETA,
            "loads": [{"interface": "tip", **PULL}], **RUN,
        },
        {"kind": "fe_correction", "name": "alone, true", "body": "plates", "corrects": "alone", "frames": []},
        {"kind": "motion", "name": "run", "system": "clamped", **RUN},
        {
            "kind": "part_correction", "name": "part, true", "body": "plates", "corrects": "run",
            "part": "sheets", "frames": [],
        },
    ]  # fmt: skip
    part = {
        "kind": "flexible",
        "name": "sheets",
        "body": "plates",
        "frame": "hold",
        "stiffness_damping": BETA,
    }
    words["systems"] = [{
        "name": "clamped", "ground": [{"name": "wall", "position": (0.0, 5.0, 0.0)}], "parts": [part],
        "constraints": [{"kind": "fixed", "name": "clamp", "first": "ground.wall", "second": "sheets.hold"}],
        "forces": [{"kind": "point_force", "name": "pull", "marker": "sheets.tip", **PULL}],
    }]  # fmt: skip
    return faying.build(folder / "artifacts", **words)


def test_a_clamped_part_has_the_pressures_of_the_body_alone(session):
    alone, part = session.solve("alone, true"), session.solve("part, true")
    assert part.report["unbalanced_loads"] < 1e-3
    # The plates open on the way, where line searches alone end far from balance.
    assert max(each.results.curve("last correction").max() for each in (alone, part)) < 1e-5
    for frame in range(1, 6):
        wanted, found = (each.field("pressure", frame=frame) for each in (alone, part))
        reduced = session.solve("alone").field("pressure", frame=frame)
        # Second order in the deformation differs, and damping forces are distributed like the inertia of the free body
        # or of the held one. The reduced pressures are far off.
        assert np.abs(found - wanted).max() < 2e-3 * wanted.max()
        assert np.abs(reduced - wanted).max() > 0.2 * wanted.max()


def _corrected_again(session, **changes):
    """Correct the part once more, with other parameters."""
    named = session.project.analysis("part, true").with_(name="again", **changes)
    project = session.project.with_(analyses=(*session.project.analyses, named))
    return faying.build(session.store.folder, **project.model_dump()).solve("again")


@pytest.fixture
def corrected(session, monkeypatch):
    """Return the corrected part itself, caught as the analysis makes it."""

    class MadeError(Exception):
        pass

    def keep(self):
        raise MadeError(self)

    monkeypatch.setattr(corrected_part.CorrectedPart, "summary", keep)
    with pytest.raises(MadeError) as made:
        _corrected_again(session, frames=(-1,))
    return made.value.args[0]


def test_inertia_forces_do_the_work_of_the_shape_integrals(corrected):
    """In any state, on all deformations and rigid translations: independent code, `FloatingInertia`."""
    random = np.random.default_rng(1)
    system, part = corrected._system, corrected._part
    q, v, a = np.zeros((3, system.n))
    axes = np.linalg.qr(random.normal(size=(3, 3)))[0]
    q[3:7] = euler_parameters(axes * np.sign(np.linalg.det(axes)))
    v[3:7] = rates_of_body_rotation(q[3:7], random.normal(size=3) * 2e3)
    a[:3], a[3:7] = random.normal(size=3) * 1e7, rates_of_body_rotation(q[3:7], random.normal(size=3) * 1e7)
    a[3:7] -= q[3:7] * (v[3:7] @ v[3:7])  # pᵀp stays one
    for x, size in ((q, 1.0), (v, 3e3), (a, 1e7)):
        x[7:] = size * random.normal(size=part.n - 7) / np.sqrt(np.diag(part.body.mass))
    state = State(0.0, q, v, a, np.zeros(0), None)
    work = corrected._fields.T @ corrected._inertia_forces(state)
    wanted = part.inertia.forces(q, v, system.gravity) - part.inertia.mass(q) @ a
    wanted[7:] -= BETA * part.body.stiffness @ v[7:]
    np.testing.assert_allclose(work[6:], wanted[7:], atol=1e-6 * np.abs(wanted[7:]).max())
    ahead = rotation_matrix(q[3:7]) @ work[:3]
    np.testing.assert_allclose(ahead, wanted[:3], atol=1e-6 * np.abs(wanted[:3]).max())


def test_nodes_bear_what_constraints_and_forces_exert_there(session, monkeypatch):
    """The reaction of the clamp and the pull at the tip."""
    found, borne = [], corrected_part.CorrectedPart._borne

    def recorded(self, state):
        found.append((state.time, borne(self, state)))
        return found[-1][1]

    monkeypatch.setattr(corrected_part.CorrectedPart, "_borne", recorded)
    _corrected_again(session, frames=(4,))
    time, at_nodes = found[-1]
    assert set(at_nodes) == {"hold", "tip"}
    pull = build(load_histories["haversine"], {"rise_time": 1e-3}).factor(time) * np.array(PULL["force"])
    np.testing.assert_allclose(at_nodes["tip"], [*pull, 0.0, 0.0, 0.0], atol=1e-9)
    hold = [session.move("run").curve(f"clamp force {axis}")[4] for axis in "xyz"]
    np.testing.assert_allclose(at_nodes["hold"][:3], hold, atol=1e-4 * np.abs(hold).max())


def _out_of_balance(corrected):
    """Return the forces that the FE equations leave in each frame over those of contact, and which pairs are closed."""
    left, closed = [], []
    for frame, found in enumerate(corrected.in_order(range(1, 6), Silent()), start=1):
        x, (answer,) = found.x[corrected.fe.free], found.responses
        forces = corrected._loads([frame])[:, 0] + answer.force - corrected._tangent.stiffness @ x
        left.append(np.linalg.norm(forces) / np.linalg.norm(answer.force))
        closed.append(answer.pressure > 0.0)
    return left, np.array(closed)


def test_plates_that_open_in_motion_obey_the_unreduced_equations(session, monkeypatch):
    found, differing = [], CondensedEquilibrium._differing

    def without_open_pairs(self, off, tangents, forces):
        active = differing(self, off, tangents, forces)
        return active[forces[active // 3].any(axis=1)]

    def measured(corrected):  # while the motion's results are open
        found.append(_out_of_balance(corrected))
        corrected._last, corrected._condensed.is_outdated = None, True
        monkeypatch.setattr(CondensedEquilibrium, "_differing", without_open_pairs)
        found.append(_out_of_balance(corrected))
        return {}

    monkeypatch.setattr(corrected_part.CorrectedPart, "summary", measured)
    _corrected_again(session, frames=(1,))
    (left, closed), (off, _) = found
    assert max(left) < 1e-4
    assert (closed.mean(axis=1) < 0.3).all()  # all pairs touch at rest
    # Pairs that opened and keep the springs of the reference are far from the FE model.
    assert max(off) > 0.1


def test_a_part_is_named_that_is_not_there(session):
    with pytest.raises(ModelError, match=r"no flexible part 'none'.*\s.*There are: sheets"):
        _corrected_again(session, part="none")
