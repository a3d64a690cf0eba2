"""Static solutions of small problems, and what they took, are what they were before."""

import numpy as np
import pytest
import scipy.sparse as sp

from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.friction_laws.coulomb import Coulomb
from faying.joints.interface import JointForce, SparseJointForce
from faying.joints.kinematics import SparseRows
from faying.progress import Silent
from faying.reduction.body import JointRows
from faying.solvers.corrections import correct
from faying.solvers.displacement_controlled_body import DisplacementControlledBody, LoadSegment, MotionStates
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.hard_contact import HardContactSolution, solve_hard_contact
from faying.solvers.joint_sampling import JointLaws, TrainingLoads, sample_joints, there_and_back
from faying.solvers.load_steps import LoadStepping, begin, marched, resting_state
from faying.solvers.stuck import stuck_start
from faying.solvers.tangent import SparseTangent
from support.recorded_numbers import compare, digest

N, PAIRS = 12, 16
LAW = LinearPenalty(stiffness=4e3)
FRICTION = Coulomb(friction_coefficient=0.1, sticking_stiffness=2e3, sliding_stiffness=10.0)


class Mattress:
    """Random coordinates on springs, with pairs of a joint between them."""

    def __init__(self) -> None:
        rng = np.random.default_rng(8)
        some = rng.normal(size=(N, N))
        self.stiffness = some @ some.T + 20.0 * np.eye(N)
        self.normal = rng.normal(size=(PAIRS, N))
        self.tangential = rng.normal(size=(PAIRS, 2, N))
        self.weights = rng.uniform(0.5, 2.0, PAIRS)
        self.gaps = rng.uniform(0.0, 0.05, PAIRS)
        self.gaps[:4] = 0.0
        self.load = 6.0 * rng.normal(size=N)
        self.constraints = rng.normal(size=(2, N))

    def joint(self, friction, sparse=False):
        if not sparse:
            none = np.zeros((PAIRS, 6)), np.zeros((PAIRS, 2, 6))
            rows = JointRows("lap", self.normal, self.tangential, self.weights, self.gaps, *none)
            return JointForce(rows, LAW, friction)
        tangential = sp.csr_matrix(self.tangential.reshape(2 * PAIRS, N))
        rows = SparseRows(sp.csr_matrix(self.normal), tangential, self.weights, self.gaps)
        return SparseJointForce(rows, LAW, friction)

    def held(self, sparse):
        return (sp.csr_matrix(self.stiffness), sp.csr_matrix(self.constraints)) if sparse else (
            self.stiffness, self.constraints
        )  # fmt: skip


def told(solution: HardContactSolution) -> dict[str, object]:
    report = solution.report
    found = {"x": solution.coordinates, "iterations": report.iterations, "evaluations": report.evaluations}
    return found | digest([a.pressure for a in solution.responses], "pressure") | digest(solution.depths, "depths") | {
        "rounds": solution.rounds, "status": [int(s) for a in solution.responses for s in a.status]
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sparse", "friction", "constrained"), [(False, FRICTION, True), (True, None, False)]
)
def test_equilibria(sparse, friction, constrained) -> None:
    body = Mattress()
    stiffness, rows = body.held(sparse)
    joint = body.joint(friction, sparse)
    words = {"constraints": rows, "values": np.array([0.02, -0.01])} if constrained else {}
    history = [joint.resting_history(np.zeros(N))]
    x, answers, report = solve_equilibrium(
        stiffness, body.load, [joint], history, np.zeros(N), Silent(), **words
    )
    found = {
        "x": x,
        "pressure": answers[0].pressure,
        "stress": answers[0].stress,
        "history": answers[0].history,
    }
    found |= {"iterations": report.iterations, "evaluations": report.evaluations}
    hard = solve_hard_contact(
        stiffness, body.load, [joint], history, np.zeros(N), Silent(), allowed_penetration=1e-5, **words
    )
    found |= {f"hard {name}": value for name, value in told(hard).items()}
    start = stuck_start(stiffness, body.load, [joint], Silent(), **words)
    assert start is not None
    found["stuck"] = start
    name = f"{'sparse' if sparse else 'dense'} {'rubs' if friction else 'slips'} {'constrained' if constrained else ''}"
    compare("solvers", name, found, effort=0.15)


def test_sparse_tangents() -> None:
    body = Mattress()
    stiffness, rows = body.held(True)
    joint = body.joint(None, sparse=True)
    history = [joint.resting_history(np.zeros(N))]
    tangent, found = SparseTangent(stiffness, rows), {}
    values = np.array([0.02, -0.01])
    x = solve_equilibrium(
        stiffness, body.load, [joint], history, np.zeros(N), Silent(), constraints=rows, values=values
    )[0]
    for turn, (share, most) in enumerate(((1.0, 3), (1.01, 8), (0.97, 8))):
        corrected = correct(
            tangent, share * body.load, [joint], history, x, Silent(), most=most, accuracy=1e-6, share=1e-4,
            values=values,
        )  # fmt: skip
        found |= {
            f"x {turn}": corrected.coordinates,
            f"changes {turn}": [c for c in corrected.changes if c > 1e-7],
        }
        found |= {f"factors {turn}": tangent.factorisations}
        found[f"solutions {turn}"] = tangent.solutions
    compare("solvers", "tangents", found, rtol=1e-4)


def test_load_steps() -> None:
    count, share = 0, 1.0
    body = Mattress()
    joints = [body.joint(FRICTION)]

    def solve(load, guess, histories, depths, part):
        if load > 0.6 and np.allclose(guess, 0.0):
            raise AssertionError("a guess from nowhere")
        x, answers, newton = solve_equilibrium(
            body.stiffness, load * share * body.load, joints, histories, guess, part
        )
        return HardContactSolution(x, answers, [], [], newton, 1)

    method = LoadStepping(solve, tuple(joints), count)
    guess = np.linalg.solve(body.stiffness, share * body.load)
    first = begin(method, resting_state(joints, np.zeros(N)), guess)
    marches = [march for march, _ in marched(method, first, Silent())]
    march, states = marches[-1], [march.state for march in marches]
    found = {
        "loads": [s.load for s in states],
        "x": states[-1].coordinates,
        "half": states[len(states) // 2].coordinates,
    }
    found |= {"slips": states[-1].slips[0], "status": states[-1].status[0].astype(int)}
    found |= {name: value for name, value in march.report.summary().items() if value is not None}
    found["came from"] = march.came_from[0]
    words = {
        "load": march.state.load,
        "before": march.before,
        "size": march.size,
        "reference": march.reference,
    }
    found |= digest(words, "memory")
    compare("solvers", f"load steps {count} {share}", found)


def test_displacement_controlled_bodies() -> None:
    body, rng = Mattress(), np.random.default_rng(2)
    controlled = DisplacementControlledBody(body.stiffness, [body.joint(None)], rng.normal(size=(3, N)))
    first = MotionStates(
        np.array([False, True, False]), np.array([1.0, 2.0, 3.0]), np.array([0.01, 0.02, 0.03])
    )
    last = MotionStates(
        np.array([True, True, False]), np.array([4.0, 5.0, 6.0]), np.array([-0.01, 0.04, 0.05])
    )
    segment = LoadSegment(0.2 * body.load, body.load, first, last)

    def equilibrium(stiffness, force, joints, guess, progress, *, histories, depths, **words):
        x, answers, newton = solve_equilibrium(stiffness, force, joints, histories, guess, progress, **words)
        return HardContactSolution(x, answers, [], [], newton, 1)

    method = LoadStepping(controlled.solver(segment, equilibrium), tuple(controlled.joints), 2)
    found = {}
    for march, solved in marched(
        method, begin(method, resting_state(controlled.joints, np.zeros(N))), Silent()
    ):
        after, load = controlled.motions_at(segment, solved), march.state.load
        found |= {f"x {load}": solved.state.coordinates, f"held {load}": after.held}
        found |= {f"forces {load}": after.forces, f"values {load}": after.values}
    compare("solvers", "driven", found)


def test_sampled_pairs() -> None:
    body = Mattress()
    rows = body.joint(FRICTION).rows
    training = [
        TrainingLoads(0.3 * body.load, [rows], there_and_back(np.column_stack([body.load, body.load[::-1]])))
    ]
    (sample,) = sample_joints(body.stiffness, [JointLaws(LAW, FRICTION, 0.05)], training, Silent())
    compare("solvers", "sampled", digest(sample, "sample"), rtol=1e-5)
