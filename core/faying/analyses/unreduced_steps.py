"""Steps in a row on the unreduced FE model with the same pairs, laws and bolts: the reference for reduced ones."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyModel, analyses
from faying.analyses.bolt_curves import BOLT_CURVES, unreduced_bolt_curves
from faying.analyses.driven_fe_body import driven_fe_body
from faying.analyses.held import acting_temperatures
from faying.analyses.reactions import ReactionBalance, contact_forces, held_fe_node, support_curves
from faying.analyses.row_of_steps import WORK, RowOfSteps, Walk, load_values, lockable
from faying.analyses.tied_joints import tied_curves
from faying.analyses.unreduced_frames import UnreducedFrames, solution_of
from faying.errors import SolveError
from faying.progress import PartialProgress, Progress
from faying.reduction.carried import Acting
from faying.reduction.held_contact import FrictionlessJoint, HeldContactBody
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.load_steps import resting_state


@analyses.register("unreduced_steps")
class UnreducedSteps(RowOfSteps):
    """The same steps by Newton's method on the FE degrees of freedom: nothing in them knows of a reduction basis."""

    title: ClassVar[str] = "Steps in a row, unreduced"
    needs_reduced: ClassVar[bool] = False
    needs_matrices: ClassVar[bool] = True

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Solve the steps one after the other and write each state."""
        if body.matrices is None or body.model is None:
            raise ValueError("the unreduced analysis needs the body's matrices")
        matrices, dofs = body.matrices, body.matrices.dofs
        fe = driven_fe_body(self, body)
        bolts, cut, free, rows, displaced = fe.bolts, fe.cut, fe.free, fe.rows, fe.displaced
        tightened = lockable(self.steps, [b.name for b in bolts], [b.overlap is not None for b in bolts])
        smooth = [
            FrictionlessJoint(joint.name, own, joint.contact_law)
            for joint, own in zip(body.joints, rows, strict=True)
        ]
        held = HeldContactBody(matrices, body.model.nodes, fe.held, smooth)

        def first_guess(force: np.ndarray) -> np.ndarray | None:
            if not force.any():
                return None
            full = np.zeros(dofs.n_dofs)
            full[free] = force
            part, none = PartialProgress(progress, 0.0, 0.1), np.zeros(len(body.joints))
            try:
                return np.asarray(held.equilibrium(full, none, solve_equilibrium, part)[0][free])
            except SolveError:
                return None

        walk = Walk(
            self,
            fe.body,
            [joint.name for joint in body.joints],
            [cut.index(i) if i >= 0 else -1 for i in tightened],
            displaced,
            fe.columns,
            resting_state(fe.body.joints, np.zeros(len(free)), hard=bool(self.allowed_penetration)),
            PartialProgress(progress, 0.1, 1.0),
            first_guess,
        )  # fmt: skip
        ties, supports = body.tie_equations(), body.support_equations()
        reaction, names = held_fe_node(body, self.support), [joint.name for joint in body.joints]
        balance = ReactionBalance(reaction, supports, body.node_equations(), body.model.nodes)
        of_bolts = [bolt.name + name for bolt in bolts for name in BOLT_CURVES]
        of_bolts += [f"{bolts[i].name} overlap" for i in cut]
        with UnreducedFrames(
            target, body, axis="step", support=self.support, settings=self.model_dump(mode="json"),
            more_curves=(
                *of_bolts, *tied_curves(ties, np.zeros(dofs.n_dofs), Acting()), *self.load_curves(),
                *support_curves(supports, np.zeros(dofs.n_dofs), Acting()), *displaced.curves, *reaction.curves,
                WORK, "step", "cycle",
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
                amounts = self.load_amounts(reached.factors)
                values |= unreduced_bolt_curves(bolts, x, tensions, amounts)
                acting = Acting(amounts, (), contact_forces(names, found.responses, body.joints))
                values |= tied_curves(ties, x, acting) | support_curves(supports, x, acting)
                values |= load_values(self, reached.factors)
                moved_by = dict(zip(displaced.curves, reached.reactions.tolist(), strict=True))
                node_loads = self.node_loads(reached.factors)
                held_by = reaction.values(*node_loads, amounts, moved_by)
                balance.see(reached.value, x, acting, *node_loads, moved_by, held_by)
                values |= moved_by | held_by
                values |= {WORK: reached.work, "step": reached.step, "cycle": reached.cycle}
                frames.append(
                    reached.value, solution_of(body, dofs, x, rows, found.responses, found.offsets), values
                )
            summary = {
                "friction": self.reported_friction(body),
                **walk.report.summary(),
                "steps": walk.told,
                "dofs": dofs.n_dofs,
                **frames.told_bolts(),
                **frames.told_ties(ties),
                **frames.told_springs(),
                **balance.summary(),
                "tie_shares": frames.tie_shares(self.applied()),
            }
            frames.close(summary)
        progress.report(1.0, "unreduced steps")
        return summary
