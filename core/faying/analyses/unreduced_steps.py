"""Steps in a row on the unreduced FE model with the same pairs, laws and bolts: the check of the reduced ones."""

from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from faying.analyses import BodyModel, analyses
from faying.analyses.bolt_curves import BOLT_CURVES, unreduced_bolt_curves
from faying.analyses.held import acting_temperatures, support_rows
from faying.analyses.row_of_steps import WORK, RowOfSteps, Walk, load_values, lockable
from faying.analyses.tied_joints import tied_curves
from faying.analyses.unreduced_frames import UnreducedFrames, interface_rows, solution_of
from faying.errors import SolveError
from faying.joints.interface import SparseJointForce
from faying.joints.kinematics import sparse_rows
from faying.progress import PartialProgress, Progress
from faying.reduction.bolts import bolt_equations
from faying.reduction.held_contact import FrictionlessJoint, HeldContactBody
from faying.solvers.driven_body import DrivenBody
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.load_steps import resting_state


@analyses.register("unreduced_steps")
class UnreducedSteps(RowOfSteps):
    """The same steps by Newton's method on the FE degrees of freedom: nothing in them knows of a reduction basis."""

    title: ClassVar[str] = "Steps in a row, unreduced"
    needs_reduced: ClassVar[bool] = False
    needs_matrices: ClassVar[bool] = True

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Walk through the steps and write each state."""
        if body.matrices is None or body.model is None:
            raise ValueError("the unreduced analysis needs the body's matrices")
        matrices, dofs = body.matrices, body.matrices.dofs
        bolts = bolt_equations(body.model, matrices, elements=body.has_elements)
        cut = [i for i, bolt in enumerate(bolts) if bolt.overlap is not None]
        tightened = lockable(self.steps, [b.name for b in bolts], [b.overlap is not None for b in bolts])
        free = np.setdiff1d(np.arange(dofs.n_dofs), support_rows(body, self.support).indices)
        rows = [sparse_rows(joint.pairs, dofs) for joint in body.joints]
        forces = [
            SparseJointForce(
                replace(own, normal=own.normal[:, free].tocsr(), tangential=own.tangential[:, free].tocsr()),
                joint.contact_law, self.acting_friction(joint),
            )
            for joint, own in zip(body.joints, rows, strict=True)
        ]  # fmt: skip
        every = [bolt.overlap for bolt in bolts if bolt.overlap is not None]
        overlaps = sp.vstack(every, format="csr") if every else sp.csr_matrix((0, dofs.n_dofs))
        constraints = matrices.constraints[:, free].tocsr() if matrices.constraints.shape[0] else None
        at_nodes = {name: own[:, free].tocsr() for name, own in interface_rows(body, dofs).items()}
        dense = {name: own.toarray() for name, own in at_nodes.items()}
        displaced, driven = self.displaced(at_nodes), [overlaps[:, free]]
        if displaced.imposed is not None:
            driven.append(displaced.imposed.rows)
        smooth = [
            FrictionlessJoint(joint.name, own, joint.contact_law)
            for joint, own in zip(body.joints, rows, strict=True)
        ]
        held = HeldContactBody(matrices, body.model.nodes, support_rows(body, self.support).indices, smooth)

        def first_guess(force: np.ndarray) -> np.ndarray | None:
            if not force.any():
                return None
            full = np.zeros(dofs.n_dofs)
            full[free] = force
            part, none = PartialProgress(progress, 0.0, 0.1), np.zeros(len(body.joints))
            try:
                return held.equilibrium(full, none, solve_equilibrium, part)[0][free]
            except SolveError:
                return None

        walk = Walk(
            self,
            DrivenBody(
                matrices.stiffness[free][:, free].tocsr(), forces, sp.vstack(driven, format="csr"), constraints
            ),
            [cut.index(i) if i >= 0 else -1 for i in tightened],
            displaced,
            lambda step: self.columns(step, dense, lambda names: body.load_columns(names)[free]),
            resting_state(forces, np.zeros(len(free)), hard=bool(self.allowed_penetration)),
            PartialProgress(progress, 0.1, 1.0),
            first_guess,
        )  # fmt: skip
        ties = body.tie_equations()
        of_bolts = [bolt.name + name for bolt in bolts for name in BOLT_CURVES]
        of_bolts += [f"{bolts[i].name} overlap" for i in cut]
        with UnreducedFrames(
            target, body, axis="step", support=self.support, settings=self.model_dump(mode="json"),
            more_curves=(
                *of_bolts, *tied_curves(ties, np.zeros(dofs.n_dofs), {}), *self.load_curves(),
                *displaced.curves, WORK, "step", "cycle",
            ),
            constants=acting_temperatures(self.body_loads, body.loads),
        ) as frames:  # fmt: skip
            for reached in walk.states():
                x, found = np.zeros(dofs.n_dofs), reached.state.solution
                assert found is not None
                x[free] = reached.state.coordinates
                tensions: list[float | None] = [None] * len(bolts)
                values: dict[str, float] = {}
                for i, tension, overlap in zip(cut, reached.bolts.forces, reached.bolts.values, strict=True):
                    tensions[i] = float(tension)
                    values[f"{bolts[i].name} overlap"] = float(overlap)
                values |= unreduced_bolt_curves(bolts, x, tensions)
                values |= tied_curves(ties, x, self.load_amounts(reached.factors))
                values |= load_values(self, reached.factors)
                values |= dict(zip(displaced.curves, reached.reactions.tolist(), strict=True))
                values |= {WORK: reached.work, "step": reached.step, "cycle": reached.cycle}
                frames.append(
                    reached.value, solution_of(body, dofs, x, rows, found.responses, found.offsets), values
                )
            summary = {
                "friction": self.friction_words(body),
                **walk.report.summary(),
                "steps": walk.told,
                "dofs": dofs.n_dofs,
                **frames.told_bolts(),
                **frames.told_ties(ties),
                "tie_shares": frames.tie_shares(self.applied()),
            }
            frames.close(summary)
        progress.report(1.0, "unreduced steps")
        return summary
