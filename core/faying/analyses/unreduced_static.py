"""Static equilibrium of the unreduced FE model with the same pairs and laws: the reference for reduced bodies."""

from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyModel, analyses
from faying.analyses.curve_source import BodyState
from faying.analyses.held import HeldStatics, support_rows
from faying.analyses.loads import NodeValues
from faying.analyses.reactions import ReactionBalance, contact_forces, held_fe_node
from faying.analyses.recorded_bodies import recorded_fe_body
from faying.analyses.recorder import OfferedCurves, Recorder
from faying.analyses.unreduced_frames import UnreducedSolution, frame_data, interface_rows, solution_of
from faying.errors import SolveError
from faying.fem.densities import require_densities
from faying.joints.interface import SparseJointForce
from faying.joints.kinematics import sparse_rows
from faying.progress import PartialProgress, Progress
from faying.reduction.bolts import bolt_equations
from faying.reduction.carried import Acting
from faying.reduction.held_contact import FrictionlessJoint, HeldContactBody
from faying.reduction.interior import InteriorProblem
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.load_steps import LoadState, LoadStepReport, LoadSteps, resting_state
from faying.solvers.stuck import stuck_start
from faying.solvers.tangent import SparseTangent


@analyses.register("unreduced_static")
class UnreducedStatic(HeldStatics):
    """Newton with line search on the FE degrees of freedom, in the same load steps as the reduced body.

    It starts from an equilibrium in few contact responses of its own, so the solution has nothing to do with the
    reduction basis: it stays true when joint modes change, and costs fewer corrections than from the reduced
    solution (friction bar of 19 000 nodes: three instead of five to nine). Where friction acts or load steps are
    counted or nodes are displaced, the mounted body is the frame at load 0.
    """

    title: ClassVar[str] = "Static equilibrium, unreduced"
    may_be_free: ClassVar[bool] = True
    needs_reduced: ClassVar[bool] = False
    needs_matrices: ClassVar[bool] = True

    @property
    def counts_mass(self) -> bool:
        """Whether the body is held nowhere, so that its inertia balances the loads."""
        return not self.support

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Solve load step after load step, and write each."""
        words, report = self.model_dump(mode="json"), LoadStepReport()
        assert body.matrices is not None and body.model is not None  # it says that it needs them
        bolts = bolt_equations(body.model, body.matrices, body.loads, elements=body.has_elements)
        preload, _ = body.acting_preloads(self.preloads)
        tensions = [None if bolt.overlap is None else bolt.tension(preload) for bolt in bolts]
        driven = self.imposed(interface_rows(body, body.matrices.dofs))
        supports, reaction = body.support_equations(), held_fe_node(body, self.support)
        balance = ReactionBalance(reaction, supports, body.node_equations(), body.model.nodes)
        names = [joint.name for joint in body.joints]
        offered = OfferedCurves(recorded_fe_body(
            body, [self.acting_friction(joint) for joint in body.joints], self.support, bolts=bolts,
            ties=body.tie_equations(), supports=supports, held=reaction.name,
            displaced=driven.components if driven else (), loads=self.acting_loads,
        ))  # fmt: skip
        with Recorder(
            target, offered, axis="load", body=body.name, frame=self.support, settings=words,
            constants=self.acting_temperatures(body.loads),
        ) as recorder:  # fmt: skip
            with closing(self._states(body, report, progress)) as states:
                for load, solution, displaced in states:
                    amounts, factors = self.load_amounts(load), self.load_factors(load)
                    acting = Acting(
                        amounts, self.preloads, contact_forces(names, solution.responses, body.joints)
                    )
                    held_by = reaction.values(self.loads, factors, amounts, displaced)
                    balance.see(load, solution.dofs, acting, self.loads, factors, displaced, held_by)
                    shown = BodyState(
                        solution.dofs, solution.responses, acting, tensions=tensions, reaction=held_by,
                        displaced=displaced,
                    )  # fmt: skip
                    recorder.frame(load, (shown,), frame_data(body, solution))
                    recorder.flush()
            summary = self._summary(body, report) | balance.summary() | recorder.report(self.applied(None))
            recorder.close(summary)
        progress.report(1.0, "unreduced static equilibrium")
        return summary

    def solve(self, body: BodyModel, progress: Progress) -> UnreducedSolution:
        """Return the equilibrium under all loads and preload cases.

        Raises:
            ModelError: when the support, a loaded interface node or a preload case does not exist.
            SolveError: without convergence.
        """
        report = LoadStepReport()
        *_, (_, last, _) = self._states(body, report, progress)
        return replace(last, summary=self._summary(body, report))

    def _summary(self, body: BodyModel, report: LoadStepReport) -> dict[str, Any]:
        assert body.matrices is not None  # it says that it needs them
        return {
            "friction": self.reported_friction(body),
            **report.summary(),
            "dofs": body.matrices.dofs.n_dofs,
        }

    def _states(
        self, body: BodyModel, report: LoadStepReport, progress: Progress
    ) -> Generator[tuple[float, UnreducedSolution, NodeValues]]:
        """Yield load, equilibrium under it, and the forces at displaced nodes; raises as `solve`."""
        if body.matrices is None or body.model is None:
            raise ValueError("the unreduced analysis needs the body's matrices")
        matrices, dofs = body.matrices, body.matrices.dofs
        motions = {name: rows.toarray() for name, rows in interface_rows(body, dofs).items()}
        preload, closings = body.acting_preloads(self.preloads)
        load = self.fe_load_columns(body, motions).sum(axis=1)
        rows = [sparse_rows(joint.pairs, dofs) for joint in body.joints]
        smooth = [
            FrictionlessJoint(joint.name, of_joint, joint.contact_law)
            for joint, of_joint in zip(body.joints, rows, strict=True)
        ]
        if self.support:
            supports, motions_left = support_rows(body, self.support).indices, np.zeros((dofs.n_dofs, 0))
        else:
            # Inertia balances the loads, so statically determinate supports carry nothing.
            if body.has_elements:
                require_densities(body.model, "inertia relief without a support")
            alone = InteriorProblem(matrices, body.model.nodes, np.zeros(0, np.int64))
            supports, motions_left = alone.held_dofs, alone.rigid_modes
        momentum = matrices.mass @ motions_left
        load = load - momentum @ (motions_left.T @ load)
        held = HeldContactBody(matrices, body.model.nodes, supports, smooth)
        free, constraints = held.free, held.constraints
        driven = self.imposed({name: row[:, free] for name, row in interface_rows(body, dofs).items()})
        if driven is not None:
            constraints = driven.beside(constraints)
        others = np.zeros(held.constraints.shape[0])
        tangent = SparseTangent(held.stiffness, constraints)
        rough = [
            SparseJointForce(
                replace(force.rows, tangential=of_joint.tangential[:, free].tocsr()), joint.contact_law,
                self.acting_friction(joint),
            )
            for joint, of_joint, force in zip(body.joints, rows, held.joint_forces(closings), strict=True)
        ]  # fmt: skip

        def in_frame(x: np.ndarray) -> np.ndarray:
            return np.asarray(x - motions_left @ (momentum.T @ x))  # of the free body the Buckens frame

        def shown(state: LoadState) -> tuple[float, UnreducedSolution, NodeValues]:
            x, found = np.zeros(dofs.n_dofs), state.solution
            assert found is not None
            x[free] = state.coordinates
            reactions: NodeValues = {}
            if driven is not None:
                acting = (preload + state.load * load)[free] + sum(answer.force for answer in found.responses)
                reactions = driven.reactions(held.stiffness @ x[free] - acting, held.constraints)
            solution = solution_of(body, dofs, in_frame(x), rows, found.responses, found.offsets)
            return state.load, solution, reactions

        # Start without friction: the mounted body, and the equilibrium under full load as a guess.
        steps = bool(self.load_steps) or any(force.friction_law is not None for force in rough)
        begin = PartialProgress(progress, 0.0, 0.3 if steps else 0.5)
        full, hard = None, bool(self.allowed_penetration)
        start = resting_state(rough, np.zeros(len(free)), hard=hard)
        if driven is not None and not self.preloads:
            if rough:  # surfaces that only touch resist nothing yet: the parts between them would fly off
                ends = np.concatenate([others, driven.values])
                full = stuck_start(held.stiffness, load[free], rough, begin, constraints, ends)
        elif driven is None and (not steps or not self.preloads):
            try:
                x, iterations = held.equilibrium(preload + load, closings, solve_equilibrium, begin)
                full, report.iterations = x[free], iterations
            except SolveError:
                # Perhaps only friction holds a part: guess with all touching pairs stuck.
                full = (
                    stuck_start(held.stiffness, load[free], rough, begin, held.constraints) if steps else None
                )
                if full is None:
                    raise
        else:
            x, iterations = held.equilibrium(preload, closings, solve_equilibrium, begin)
            mounted = self.equilibrium(
                held.stiffness, preload[free], held.joint_forces(closings), x[free],
                PartialProgress(progress, 0.3, 0.3),
                histories=[np.zeros((len(joint.weights), 0)) for joint in body.joints],
                constraints=held.constraints,
            )  # fmt: skip
            start = resting_state(rough, mounted.coordinates, mounted)
            report.iterations += iterations + mounted.report.iterations
            yield shown(start)
        if driven is None and full is not None and not steps and not self.allowed_penetration:
            report.sizes.append(1.0)
            answers = [force.evaluate(full, force.initial_history(), 0.0, jacobian=False) for force in rough]
            yield 1.0, solution_of(body, dofs, in_frame(x), rows, answers, []), {}
            return

        def values(share: float) -> np.ndarray:
            assert driven is not None
            return np.concatenate([others, driven.between(start.coordinates, share)])

        solve = self.step_solver(
            held.stiffness, preload[free], load[free], rough, constraints=constraints, tangent=tangent,
            values=values if driven is not None else None,
        )  # fmt: skip
        way = LoadSteps(
            solve, rough, start, PartialProgress(progress, 0.3 if steps else 0.5, 0.98), count=self.load_steps
        )
        way.report, way.guess = report, full
        for state in way.states():
            yield shown(state)
