"""Times of every step from mesh to solution, and how they grow: ``python tests/benchmarks/run.py``.

Bodies are two stacked plates of bricks of about 20 000, 40 000 and 120 000 nodes, and with ``--deck`` any
deck with the sets and surfaces of the friction bar. Times of one run compare with each other; those of two
runs only on a quiet machine. Not a test: nothing can fail here.
"""

import argparse
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from faying.cli import system

system.use_physical_cores()

from faying.analyses import BodyModel, JointModel  # noqa: E402
from faying.analyses.unreduced_static import UnreducedStatic  # noqa: E402
from faying.fem.assembly import assemble  # noqa: E402
from faying.fem.model import FeModel  # noqa: E402
from faying.fem.readers import read_model  # noqa: E402
from faying.fem.skin import surface_from_deck  # noqa: E402
from faying.joints.contact_laws.linear_penalty import LinearPenalty  # noqa: E402
from faying.joints.interface import JointForce  # noqa: E402
from faying.joints.kinematics import gap_rows, slip_rows  # noqa: E402
from faying.joints.pairing import find_contact_pairs  # noqa: E402
from faying.joints.search import SearchSpec  # noqa: E402
from faying.linalg.modes import lowest_modes  # noqa: E402
from faying.params import build  # noqa: E402
from faying.progress import Silent  # noqa: E402
from faying.reduction.body import build_reduced_body  # noqa: E402
from faying.reduction.extend import extend_basis  # noqa: E402
from faying.reduction.interior import InteriorProblem  # noqa: E402
from faying.reduction.joint_modes import joint_mode_methods  # noqa: E402
from faying.reduction.methods.craig_bampton import CraigBampton  # noqa: E402
from faying.reduction.problem import JointModeProblem  # noqa: E402
from faying.solvers.equilibrium import solve_equilibrium  # noqa: E402
from support.plates import stacked_plates  # noqa: E402

PLATES = {  # bricks along x, y, z of the upper and of the lower plate, by thousands of nodes
    20: ((120, 16, 4), (110, 15, 4)),
    40: ((153, 20, 5), (145, 19, 5)),
    120: ((226, 30, 8), (214, 28, 8)),
}
LAW = LinearPenalty(stiffness=50_000.0)


@dataclass
class Watch:
    """Seconds of each step, printed as they come."""

    seconds: dict[str, float] = field(default_factory=dict)

    def time(self, step: str, work: Callable[[], object], repeats: int = 1):
        """Return what the work returns; its time is the least of some repeats."""
        best = math.inf
        for _ in range(repeats):
            began = time.perf_counter()
            outcome = work()
            best = min(best, time.perf_counter() - began)
        self.seconds[step] = best
        say(f"  {step:<34}{best:10.3f} s")
        return outcome


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def plates(thousands: int) -> tuple[FeModel, dict[str, int], tuple[str, str]]:
    upper, lower = PLATES[thousands]
    model = stacked_plates(
        upper=upper, lower=lower, length=200.0, width=20.0, height=3.0, element="hex8_incompatible"
    )
    interfaces = {"held": int(model.node_sets["HOLD"][0]), "loaded": int(model.node_sets["TIP"][0])}
    return model, interfaces, ("LOWER", "UPPER")


def measure(
    model: FeModel, interfaces: dict[str, int], surfaces: tuple[str, str], load: float, unreduced: bool
) -> tuple[int, dict[str, float]]:
    """Return number of nodes and the seconds of every step; the load along z closes the joint."""
    watch = Watch()
    matrices = watch.time("assembly", lambda: assemble(model, Silent()))
    master, slave = (surface_from_deck(model, name) for name in surfaces)
    pairs = watch.time(
        "contact pairs", lambda: find_contact_pairs(model.nodes, master, slave, SearchSpec(), Silent())
    )
    interior = InteriorProblem(matrices, model.nodes, np.array(list(interfaces.values())))
    say(f"  {len(model.nodes)} nodes, {matrices.dofs.n_dofs} dofs, {len(pairs)} pairs")
    watch.time("factor", lambda: interior.prepare(Silent()))
    watch.time("constraint modes", interior.constraint_modes)
    inner = interior.interior_dofs
    stiffness, mass = matrices.stiffness[inner][:, inner], matrices.mass[inner][:, inner]
    watch.time("40 vibration modes", lambda: lowest_modes(stiffness, mass, 40, interior.factor))
    components = watch.time(
        "component modes (v = 10)", lambda: CraigBampton(vibration_modes=10).build(interior, Silent())
    )
    gap, slip = gap_rows(pairs, matrices.dofs), slip_rows(pairs, matrices.dofs)
    problem = JointModeProblem(interior, components, gap, pairs.weights, pairs.initial_gaps)
    selection = build(joint_mode_methods["weighted_pod"], {}).derivatives
    derivatives = watch.time("trial vector derivatives", lambda: problem.derivatives(Silent(), selection))
    say(
        f"  {derivatives.coefficients.shape[1]} derivatives from {derivatives.loads.shape[1]} right-hand sides"
    )
    modes = {}
    for kind, count, title in (("weighted_pod", 40, "POD"), ("equilibrium_snapshots", 20, "snapshots")):
        method = build(joint_mode_methods[kind], {"count": count})
        modes[kind] = watch.time(
            f"{title} ({count} joint modes)", lambda m=method: m.build(problem, Silent())
        )

    def project():
        basis = extend_basis(interior, components, *modes["weighted_pod"])
        joints = [("joint", gap, slip, pairs.weights, pairs.initial_gaps)]
        return build_reduced_body(model.nodes, matrices, basis, interfaces, joints)

    body = watch.time("projection", project)
    held = body.clamped_to("held")
    joint = JointForce(held.joints[0], LAW)
    force = held.interfaces["loaded"][2] * load
    watch.time(
        "reduced static load",
        lambda: solve_equilibrium(
            held.stiffness, force, [joint], [joint.initial_history()], np.zeros(held.n_coordinates), Silent()
        ),
        repeats=3,
    )
    offline = ("assembly", "contact pairs", "factor", "constraint modes", "component modes (v = 10)",
               "trial vector derivatives", "POD (40 joint modes)", "projection")  # fmt: skip
    watch.seconds["mesh to reduced body"] = sum(watch.seconds[step] for step in offline)
    say(f"  {'mesh to reduced body':<34}{watch.seconds['mesh to reduced body']:10.3f} s")
    if unreduced:
        analysis = build(
            UnreducedStatic,
            {
                "name": "unreduced",
                "body": "body",
                "support": "held",
                "loads": [{"interface": "loaded", "force": (0.0, 0.0, load)}],
            },
        )
        whole = BodyModel(
            "body", body, (JointModel("joint", pairs, LAW, None),), interfaces, model, matrices, None, problem
        )
        solution = watch.time("unreduced static load", lambda: analysis.solve(whole, Silent()))
        ratio = watch.seconds["unreduced static load"] / watch.seconds["reduced static load"]
        say(f"  {solution.summary['iterations']} corrections; {ratio:.0f} times the reduced load")
    return len(model.nodes), watch.seconds


def report_growth(runs: list[tuple[int, dict[str, float]]]) -> None:
    """Print the exponent p of seconds ~ nodes^p between the smallest and the largest body."""
    (few, fast), (many, slow) = runs[0], runs[-1]
    say(f"\ngrowth from {few} to {many} nodes: seconds ~ nodes^p")
    for step in fast:
        if step in slow and fast[step] > 0:
            say(f"  {step:<34}{math.log(slow[step] / fast[step]) / math.log(many / few):10.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="*", default=list(PLATES), choices=list(PLATES))
    parser.add_argument("--deck", type=Path, help="a friction bar deck")
    parser.add_argument("--without-unreduced", action="store_true", help="leave out the slow comparison")
    chosen = parser.parse_args()
    runs = []
    if chosen.deck:
        say(chosen.deck.name)
        watch = Watch()
        model = watch.time("reading the deck", lambda: read_model(chosen.deck, Silent()))
        interfaces = {
            name: int(model.node_sets[s][0]) for name, s in (("held", "REF_MOUNT"), ("loaded", "REF_LOAD"))
        }
        measure(model, interfaces, ("JOINT_MASTER", "JOINT_SLAVE"), 100.0, not chosen.without_unreduced)
    for size in sorted(chosen.sizes):
        say(f"\nstacked plates, about {size} 000 nodes")
        runs.append(measure(*plates(size), -10.0, not chosen.without_unreduced))
    if len(runs) > 1:
        report_growth(runs)


if __name__ == "__main__":
    main()
