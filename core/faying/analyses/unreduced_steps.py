"""Steps in a row on the unreduced FE model with the same pairs, laws and bolts: the reference for reduced ones."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyModel, analyses
from faying.analyses.curve_source import BodyState
from faying.analyses.driven_fe_body import driven_fe_body
from faying.analyses.held import acting_temperatures
from faying.analyses.reactions import ReactionBalance, contact_forces, held_fe_node
from faying.analyses.recorded_bodies import recorded_fe_body
from faying.analyses.recorder import OfferedCurves, Recorder
from faying.analyses.row_of_steps import RowOfSteps, Walk, lockable
from faying.analyses.unreduced_frames import frame_data, solution_of
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
        supports = body.support_equations()
        reaction, names = held_fe_node(body, self.support), [joint.name for joint in body.joints]
        balance = ReactionBalance(reaction, supports, body.node_equations(), body.model.nodes)
        offered = OfferedCurves(recorded_fe_body(
            body, [self.acting_friction(joint) for joint in body.joints], self.support, bolts=bolts,
            ties=body.tie_equations(), supports=supports, overlaps=[bolts[i].name for i in cut], held=reaction.name,
            displaced=displaced.components, applied=self.loaded, loads=self.acting_loads,
            run=("external work", "step", "cycle"),
        ))  # fmt: skip
        with Recorder(
            target, offered, axis="step", body=body.name, frame=self.support, settings=self.model_dump(mode="json"),
            constants=acting_temperatures(self.body_loads, body.loads),
        ) as recorder:  # fmt: skip
            for reached in walk.states():
                x, found = np.zeros(dofs.n_dofs), reached.state.solution
                assert found is not None
                x[free] = reached.state.coordinates
                tensions: list[float | None] = [None] * len(bolts)
                for i, tension in zip(cut, reached.bolts.forces, strict=True):
                    tensions[i] = float(tension)
                amounts, node_loads = self.load_amounts(reached.factors), self.node_loads(reached.factors)
                acting = Acting(amounts, (), contact_forces(names, found.responses, body.joints))
                moved_by = dict(zip(displaced.components, reached.reactions.tolist(), strict=True))
                held_by = reaction.values(*node_loads, amounts, moved_by)
                balance.see(reached.value, x, acting, *node_loads, moved_by, held_by)
                shown = BodyState(
                    x, found.responses, acting, tensions=tensions, overlaps=reached.bolts.values,
                    reaction=held_by, displaced=moved_by, applied=self.applied_loads(reached.factors),
                    run=reached.numbers,
                )  # fmt: skip
                solution = solution_of(body, dofs, x, rows, found.responses, found.offsets)
                recorder.frame(reached.value, (shown,), frame_data(body, solution))
                recorder.flush()
            summary = {
                "friction": self.reported_friction(body),
                **walk.report.summary(),
                "steps": walk.told,
                "dofs": dofs.n_dofs,
                **recorder.report(self.applied()),
                **balance.summary(),
            }
            recorder.close(summary)
        progress.report(1.0, "unreduced steps")
        return summary
