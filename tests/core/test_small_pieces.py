"""Small pieces of the core by themselves, where no larger test would notice a wrong sign, row or limit.

Kinds of reference: closed forms, the same sums by NumPy, the contract in the docstring.
"""

from types import SimpleNamespace

import numpy as np
import pytest

from faying.errors import SolveError
from faying.fem.assembly import assemble
from faying.hdf_files import _Patient
from faying.multibody.contacts.contact import ContactMemory, PartContact
from faying.multibody.linearized import _held_solution
from faying.multibody.markers import MarkerMotion, moved
from faying.multibody.rows import unwrapped_vector
from faying.project.code import Code
from faying.project.specs import Project
from faying.project.stages.load_modes import reads_of_relief
from faying.reduction.basis import ReductionBasis
from faying.reduction.dof_choice import spread_dofs
from faying.reduction.interior import InteriorProblem, free_directions
from faying.reduction.quality import modal_transfer
from faying.solvers.equilibrium import _Problem
from faying.solvers.integrators import ConstrainedInertia
from support.boxes import box


def test_the_share_of_the_first_proper_orthogonal_values():
    """Thesis eq. 3.61: of singular values 2, 1 and 1 the squares are 4, 1 and 1."""
    basis = ReductionBasis(np.zeros((3, 1)), (), np.zeros(1), (), np.array([2.0, 1.0, 1.0]))
    assert [basis.pod_ratio(count) for count in range(5)] == pytest.approx([0.0, 4 / 6, 5 / 6, 1.0, 1.0])
    assert ReductionBasis(np.zeros((3, 1)), (), np.zeros(1), (), np.zeros(0)).pod_ratio(2) == 0.0


def test_a_damped_mode_answers_by_its_own_equation():
    """H = φ φᵀ / (ω² (1 + β s) + s (s + α)): α and β damp, neither stiffens."""
    shapes = np.array([[1.0, 0.5], [-2.0, 1.0]])
    frequencies, at, alpha, beta = np.array([3.0, 5.0]), np.array([3.0, 4.0]), 0.7, 0.02
    found = modal_transfer(frequencies, shapes, at, mass_damping=alpha, stiffness_damping=beta)
    stiffness, mass = np.diag((2 * np.pi * frequencies) ** 2), np.eye(2)
    for k, f in enumerate(at):
        s = 2j * np.pi * f
        dynamic = s**2 * mass + s * (alpha * mass + beta * stiffness) + stiffness
        np.testing.assert_allclose(found[k], shapes @ np.linalg.inv(dynamic) @ shapes.T, rtol=1e-12)


def test_the_very_first_dof_of_a_body_may_be_chosen_and_those_of_other_nodes_may_not():
    model = box("hex8_incompatible", (2, 1, 1), (20.0, 10.0, 5.0))
    matrices = assemble(model)
    interior = InteriorProblem(matrices, model.nodes, np.array([5, 8, 11]))
    rng = np.random.default_rng(1)
    modes = rng.standard_normal((matrices.dofs.n_dofs, 16))
    found = spread_dofs(interior, modes, np.arange(1.0, 17.0), 9, np.array([0, 3]))
    assert sorted(found) == [(0, 1), (0, 2), (0, 3), (3, 1), (3, 2), (3, 3)]
    # Nodes that are held already have no dofs left to choose.
    assert {node for node, _ in spread_dofs(interior, modes, np.arange(1.0, 17.0), 9, np.array([3, 5]))} == {
        3
    }


def test_rotation_vectors_come_next_to_another_by_full_turns():
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    turn = 2.0 * np.pi
    np.testing.assert_allclose(unwrapped_vector(0.4 * axis, (0.4 + 2 * turn) * axis), (0.4 + 2 * turn) * axis)
    np.testing.assert_allclose(unwrapped_vector(0.4 * axis, -6.0 * axis), (0.4 - turn) * axis)
    # A full turn is no rotation: its axis is that of the other vector.
    np.testing.assert_allclose(unwrapped_vector(np.zeros(3), 6.5 * axis), turn * axis)
    assert not unwrapped_vector(np.zeros(3), np.zeros(3)).any()


def test_a_node_overruns_by_what_it_moved_and_not_by_where_it_is():
    far = np.array([[1e3, 0.0, 0.0], [1e3, 5.0, 0.0]])

    def memory(moved: float, bent: float, distance: float) -> ContactMemory:
        places, bending = far + np.array([[moved, 0.0, 0.0], [0.0] * 3]), np.array([[0.0, bent, 0.0]])
        return ContactMemory(places, bending, np.full(2, distance), np.zeros((2, 3)))

    contact, before = SimpleNamespace(most_approach=1e-3), memory(0.0, 2.0, 0.5)
    overrun = PartContact.has_overrun
    assert not overrun(contact, before, memory(0.4, 2.0, 0.1))
    assert overrun(contact, before, memory(0.8, 2.0, 0.1))
    # Nearer by the master's bending, too; a node inside has no way left.
    assert overrun(contact, before, memory(0.4, 2.4, 0.1))
    assert overrun(contact, memory(0.0, 2.0, -0.5), memory(0.3, 2.0, -0.5))


class _Slow:
    """Takes a few bytes at a time, and now and then none."""

    def __init__(self) -> None:
        self.taken, self.calls = b"", 0

    def write(self, piece: memoryview) -> int | None:
        self.calls += 1
        if self.calls == 2:
            return None
        self.taken += bytes(piece[:3])
        return min(3, len(piece))


def test_a_stream_that_takes_little_at_a_time_gets_every_byte():
    slow = _Slow()
    stream = _Patient(slow)
    assert stream.write(b"0123456789") == 10 and slow.taken == b"0123456789"
    assert slow.calls == 5 and stream.error is None


def test_what_cannot_be_read_counts_with_the_version_and_what_is_not_there_not_at_all(tmp_path, monkeypatch):
    code = Code(tmp_path)
    assert code._module("faying.no_such_module") is None
    # Of a module that was loaded from byte code alone nothing else can be told.
    monkeypatch.setitem(__import__("sys").modules, "faying.from_byte_code", SimpleNamespace())
    found = code._module("faying.from_byte_code")
    assert found is not None and found.imports == () and not found.whole_family


def test_inertia_relief_modes_are_a_decision_that_stages_read():
    model = {"model": {"path": "a.inp"}}
    project = Project.model_validate(
        {"bodies": [{"name": "a", **model}, {"name": "b", **model, "relief_modes": True}]}
    )
    assert reads_of_relief(project, "a") == {} and reads_of_relief(project, "b")


def test_coordinates_that_nothing_couples_are_divided_by_their_own_mass():
    rng = np.random.default_rng(4)
    half = rng.standard_normal((5, 5))
    mass = half @ half.T + 5.0 * np.eye(5)
    mass[3], mass[:, 3] = 0.0, 0.0
    mass[3, 3] = 2.5
    alone, force = np.array([False, False, False, True, False]), rng.standard_normal(5)
    for rows, drift in ((np.zeros((0, 5)), None), (np.array([[1.0, -1.0, 0.0, 0.0, 2.0]]), np.array([0.3]))):
        found, multipliers = ConstrainedInertia(mass, rows, alone).accelerations(force, drift)
        np.testing.assert_allclose(mass @ found + rows.T @ multipliers, force, atol=1e-10)
        np.testing.assert_allclose(rows @ found, [] if drift is None else drift, atol=1e-12)
    # Held by a constraint it is coupled to the others.
    row = np.array([[0.0, 0.0, 0.0, 1.0, 1.0]])
    found, multipliers = ConstrainedInertia(mass, row, alone).accelerations(force)
    np.testing.assert_allclose(mass @ found + row.T @ multipliers, force, atol=1e-10)
    assert found[3] == pytest.approx(-found[4])


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_what_is_out_of_balance_is_told_at_any_size(size):
    """Measured by the forces that act, and where given motions alone act by those that they bring about."""
    stiffness, load = np.diag([1.0, 2.0]), size * np.array([1.0, -4.0])
    problem = _Problem(stiffness, load, [], None, None, None)
    problem.require_balance([], np.array([size, -2.0 * size]))
    with pytest.raises(SolveError, match="25 % of the largest force is out of balance"):
        problem.require_balance([], np.array([0.0, -2.0 * size]))
    moved = _Problem(stiffness, np.zeros(2), [], np.array([[1.0, 0.0]]), np.array([size]), None,
                     within=np.array([[0.0], [1.0]]))  # fmt: skip
    moved.require_balance([], np.array([size, 0.0]))
    with pytest.raises(SolveError, match="1e\\+02 % of the largest force"):
        moved.require_balance([], np.array([size, 4.0 * size]))


@pytest.mark.parametrize("round_off", [1e-6, -1e-6])
def test_what_an_open_joint_leaves_free_goes_where_forces_push_it(round_off):
    """The stiffness of such a motion is round-off, of either sign on one processor or another."""
    system = SimpleNamespace(n=9, ranges=(slice(0, 9),))
    tangent = np.diag([1e5] * 7 + [1e6, round_off])
    force = np.array([0.0] * 7 + [10.0, 3.0])
    step = _held_solution(system, tangent, np.zeros((0, 9)), force)
    assert step[8] > 1.0 and step[7] == pytest.approx(1e-5, rel=1e-6)


def test_a_marker_is_moved_by_one_virtual_motion_at_a_time():
    """Displaced and turned about the inertial axes, or faster by as much."""
    none = np.zeros((3, 1))
    one = MarkerMotion(np.ones(3), np.eye(3), none, none, velocity=np.full(3, 2.0), spin=np.full(3, 3.0))
    step = 0.1
    for which in range(12):
        at, component = divmod(which, 6)
        along = step * np.eye(3)[component % 3]
        for speed in (False, True):
            found = moved([one, one], which, step, speed)
            assert found[1 - at] is one
            linear, turn = (along, 0.0 * along) if component < 3 else (0.0 * along, along)
            np.testing.assert_allclose(found[at].velocity, 2.0 + speed * linear, atol=1e-15)
            np.testing.assert_allclose(found[at].spin, 3.0 + speed * turn, atol=1e-15)
            np.testing.assert_allclose(found[at].position, 1.0 + (not speed) * linear, atol=1e-15)
            turned = np.eye(3) + (not speed) * np.cross(turn, np.eye(3)).T
            np.testing.assert_allclose(found[at].axes, turned, atol=1e-15)


def test_what_held_dofs_leave_free():
    """One of them takes one direction; one that repeats another but for round-off, or that does not move, none."""
    across = np.array([0.0, 3.0, 0.0, 4.0, 0.0, 0.0])
    assert free_directions(np.zeros((2, 6))).shape == (6, 6)
    for held in ([across], [across, 2.0 * across + 1e-9 * np.eye(6)[0]], [across, np.zeros(6)]):
        free = free_directions(np.array(held))
        assert free.shape == (6, 5)
        np.testing.assert_allclose(across @ free, 0.0, atol=1e-8)
        np.testing.assert_allclose(free.T @ free, np.eye(5), atol=1e-12)
    assert free_directions(np.array([across, np.eye(6)[5]])).shape == (6, 4)
