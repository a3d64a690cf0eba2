"""How exact compressed derivatives and reduced solutions are, and what very many derivatives cost."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import scipy.linalg as la
from _steps import Measured, joint_modes, unreduced_analysis
from _watch import Watch, say

from faying.analyses.basis_studies.study_body import StudyBodies, StudySolution
from faying.analyses.statics.displacements import COMPONENTS
from faying.analyses.statics.loads import LoadSpec
from faying.params import build
from faying.progress import Silent
from faying.reduction.joint_modes import joint_mode_methods
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.problem import JointModeProblem
from faying.results.results import Results

MANY_VIBRATION_MODES = 66  # with 12 constraint modes less 6 rigid motions m = 72, 2m² = 10 368
ROWS = {"weighted_pod": (20, 40, 60), "equilibrium_snapshots": (10, 20, 40)}


def report_many_derivatives(measured: Measured) -> None:
    """Print time and memory of the joint modes of a body with many component modes."""
    small = measured.problem
    say("\nmany derivatives: m = 72 on the same body")
    watch = Watch()
    components = watch.time(
        f"component modes (v = {MANY_VIBRATION_MODES})",
        lambda: CraigBampton(vibration_modes=MANY_VIBRATION_MODES).build(small.interior, Silent()),
    )
    problem = JointModeProblem(small.interior, components, small.gap_rows, small.weights, small.initial_gaps)
    joint_modes(problem, watch)


def report_angle(problem: JointModeProblem) -> None:
    """Print the angle between joint modes of the compressed derivatives and of all, one solution each."""
    stiffness, interior = problem.interior.matrices.stiffness, problem.interior
    ours, _ = build(joint_mode_methods["weighted_pod"], {"count": 100}).build(problem, Silent())
    blocks = [problem.gap_rows.T @ block for block in problem.derivatives(Silent()).fictive.blocks()]
    loads = np.hstack(blocks)
    loads[interior.interface_dofs] = 0.0
    every = np.asfortranarray(interior.solve(loads))
    every /= np.sqrt(np.einsum("ij,ij->j", every, loads))

    # An orthonormal basis in the energy, without directions that a Gram matrix cannot tell from round-off; the
    # hundredth joint mode stands far above them. The second turn makes it orthonormal to the last digits.
    basis = every
    for _ in range(2):
        energies, directions = la.eigh(basis.T @ (stiffness @ basis))
        kept = energies > 1e-13 * energies[-1]
        basis = basis @ (directions[:, kept] / np.sqrt(energies[kept]))
    left, _, _ = la.svd(basis.T @ (stiffness @ every), full_matrices=False)
    theirs = basis @ left
    say(f"\nangle between the joint modes of all {every.shape[1]} derivatives and of the compressed ones")
    for g in (10, 20, 40, 60, 80, 100):
        outside = ours[:, :g] - theirs[:, :g] @ (theirs[:, :g].T @ (stiffness @ ours[:, :g]))
        sine = np.sqrt(max(la.eigvalsh(outside.T @ (stiffness @ outside))[-1], 0.0))
        say(f"  g = {g:<4}{np.degrees(np.arcsin(min(sine, 1.0))):10.5f} degrees")


def report_accuracy(measured: Measured) -> None:
    """Print errors of reduced solutions against the unreduced one, in percent."""
    loads = {
        "+100 N": {"force": (0.0, 0.0, 100.0)},
        "-100 N": {"force": (0.0, 0.0, -100.0)},
        "20 Nm": {"moment": (20_000.0, 0.0, 0.0)},
    }
    exact = {}
    for name, load in loads.items():
        with TemporaryDirectory() as folder:
            unreduced_analysis(**load).run(measured.body, Path(folder, "load.h5"), Silent())
            results = Results(Path(folder, "load.h5"))
            gap, slip = results.gap_and_slip("joint", 0)
            motion = np.array([results.curve(f"loaded {each}")[0] for each in COMPONENTS])
            exact[name] = StudySolution(results.displacement(0), motion, (gap,), (slip,))
            results.close()
    say("\nerror against the unreduced solution, %")
    say(f"  {'joint modes':<30}{'load':<10}{'displacement':>14}{'|gap|':>10}")
    for kind, counts in ROWS.items():
        reduced = StudyBodies(measured.body, unreduced_analysis(), max(counts)).of(
            build(joint_mode_methods[kind], {}), Silent()
        )
        for g in counts:
            for name, load in loads.items():
                found = reduced.equilibrium(g, build(LoadSpec, {"interface": "loaded", **load}), Silent())
                at = 2 if "force" in load else 3
                motion = abs(found.motion[at] / exact[name].motion[at] - 1.0)
                gap = abs(np.linalg.norm(found.gaps[0]) / np.linalg.norm(exact[name].gaps[0]) - 1.0)
                label = f"{kind}, g = {g}"
                say(f"  {label:<30}{name:<10}{100 * motion:>14.4f}{100 * gap:>10.4f}")
