"""Every step from a mesh to its solution, timed."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from _bodies import Subject
from _watch import ResidentMemory, Watch, say

from faying.analyses import BodyModel, JointModel
from faying.analyses.unreduced_static import UnreducedStatic
from faying.fem.assembly import assemble
from faying.fem.skin import surface_from_deck
from faying.joints.contact_laws.linear_penalty import LinearPenalty
from faying.joints.interface import JointForce
from faying.joints.kinematics import gap_rows, slip_rows
from faying.joints.pairing import find_contact_pairs
from faying.joints.search import SearchSpec
from faying.linalg.modes import lowest_modes
from faying.params import build
from faying.progress import Silent
from faying.reduction.body import build_reduced_body
from faying.reduction.extend import extend_basis
from faying.reduction.interior import InteriorProblem
from faying.reduction.joint_modes import joint_mode_methods
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.problem import JointModeProblem
from faying.solvers.equilibrium import solve_equilibrium

LAW = LinearPenalty(stiffness=50_000.0)
OFFLINE = (
    "reading the deck", "assembly", "contact pairs", "factor", "constraint modes", "component modes (v = 10)",
    "trial vector derivatives", "POD (40 joint modes)", "projection",
)  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """Seconds of every step of one body, and the body for what follows."""

    nodes: int
    seconds: dict[str, float]
    body: BodyModel
    problem: JointModeProblem


def measure(subject: Subject, watch: Watch, *, unreduced: bool) -> Measured:
    """Time every step; print what it needs beside time."""
    model, interfaces = subject.model, subject.interfaces
    matrices = watch.time("assembly", lambda: assemble(model, Silent()))
    master, slave = (surface_from_deck(model, name) for name in subject.surfaces)
    pairs = watch.time(
        "contact pairs", lambda: find_contact_pairs(model.nodes, master, slave, SearchSpec(), Silent())
    )
    interior = InteriorProblem(matrices, model.nodes, np.array(list(interfaces.values())))
    say(f"  {len(model.nodes)} nodes, {matrices.dofs.n_dofs} dofs, {len(pairs)} pairs")
    watch.time("factor", lambda: interior.prepare(Silent()))
    say(f"  {interior.factor.entries / 1e6:.0f} million entries ({interior.factor.backend})")
    watch.time("constraint modes", interior.constraint_modes)
    inner = interior.interior_dofs
    mass = matrices.mass[inner][:, inner]
    watch.time("40 vibration modes", lambda: lowest_modes(mass, 40, interior.factor))
    components = watch.time(
        "component modes (v = 10)", lambda: CraigBampton(vibration_modes=10).build(interior, Silent())
    )
    gap, slip = gap_rows(pairs, matrices.dofs), slip_rows(pairs, matrices.dofs)
    problem = JointModeProblem(interior, components, gap, pairs.weights, pairs.initial_gaps)
    modes = joint_modes(problem, watch)

    def project():
        basis = extend_basis(interior, components, *modes)
        joints = [("joint", gap, slip, pairs.weights, pairs.initial_gaps)]
        return build_reduced_body(model.nodes, matrices, basis, interfaces, joints)

    reduced = watch.time("projection", project)
    watch.add("mesh to reduced body", sum(watch.seconds.get(step, 0.0) for step in OFFLINE))
    held = reduced.clamped_to("held")
    joint, force = JointForce(held.joints[0], LAW), held.interfaces["loaded"][2] * subject.force
    watch.time(
        "reduced static load",
        lambda: solve_equilibrium(
            held.stiffness, force, [joint], [joint.initial_history()], np.zeros(held.n_coordinates), Silent()
        ),
        repeats=3,
    )
    body = BodyModel(
        "body", reduced, (JointModel("joint", pairs, LAW, None),), interfaces, model, matrices, None, problem
    )
    if unreduced:
        analysis = unreduced_analysis(force=(0.0, 0.0, subject.force))
        with TemporaryDirectory() as folder:
            report = watch.time(
                "unreduced static load", lambda: analysis.run(body, Path(folder, "load.h5"), Silent())
            )
        ratio = watch.seconds["unreduced static load"] / watch.seconds["reduced static load"]
        say(f"  {report['iterations']} corrections; {ratio:.0f} times the reduced load")
    return Measured(len(model.nodes), watch.seconds, body, problem)


def joint_modes(problem: JointModeProblem, watch: Watch) -> tuple[np.ndarray, np.ndarray]:
    """Return 40 joint modes by weighted POD; print how many solutions and how much memory they took."""
    method = build(joint_mode_methods["weighted_pod"], {"count": 40})
    bytes_of_factor = 8.0 * problem.interior.factor.entries
    with ResidentMemory() as memory:
        found = watch.time(
            "trial vector derivatives", lambda: problem.derivatives(Silent(), method.derivatives)
        )
        modes = watch.time("POD (40 joint modes)", lambda: method.build(problem, Silent()))
    say(
        f"  {len(found.labels)} derivatives from {len(found.compliance)} right-hand sides; memory grows by "
        f"{memory.growth / 1e6:.0f} MB, {memory.growth / bytes_of_factor:.2f} times the factor"
    )
    return modes


def unreduced_analysis(**load: tuple[float, float, float]) -> UnreducedStatic:
    """Return the analysis of one load at the loaded node."""
    words = {
        "name": "unreduced", "body": "body", "support": "held", "loads": [{"interface": "loaded", **load}],
    }  # fmt: skip
    return build(UnreducedStatic, words)
