"""Static equilibrium of the reduced body, held at an interface node, under end loads, contact and friction."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyModel, analyses
from faying.analyses.curve_source import BodyState
from faying.analyses.error_estimate import estimated_error
from faying.analyses.held import HeldStatics
from faying.analyses.loads import NodeValues
from faying.analyses.reactions import ReactionBalance, contact_forces, held_node
from faying.analyses.recorded_bodies import joint_data, recorded_body
from faying.analyses.recorder import OfferedCurves, Recorder
from faying.errors import SolveError
from faying.joints.interface import JointForce
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.body import ReducedBody
from faying.reduction.carried import Acting
from faying.results.interrupted import interrupted_run
from faying.solvers.load_steps import LoadState, LoadSteps, resting_state
from faying.solvers.stuck import stuck_start


@analyses.register("static")
class Static(HeldStatics):
    """Load steps of static equilibrium with contact and friction, whose history goes on from step to step.

    With preload cases the frame at load 0 is the mounted body.
    """

    title: ClassVar[str] = "Static equilibrium"
    may_be_free: ClassVar[bool] = True

    error_estimate: bool = parameter(
        True, title="Error estimate", advanced=True,
        meaning="Whether the last frame is corrected on the FE model, to report how far motion, normal force and "
        "pressure of the reduced body are off. Takes about as long as three factorisations of the FE model, "
        "however many load steps there are; the frames stay as they are. Not with hard contact.",
    )  # fmt: skip

    @property
    def estimates_error(self) -> bool:
        """The parameter, for a held body without hard contact, whose multipliers hold for the reduced gaps alone."""
        return self.error_estimate and not self.allowed_penetration and bool(self.support)

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Solve load step after load step; continue an interrupted run."""
        assert body.reduced is not None  # it says that it needs it
        held = self.held_body(body.reduced)
        rows = {rows.name: rows for rows in held.joints}
        forces = [JointForce(rows[j.name], j.contact_law, self.acting_friction(j)) for j in body.joints]
        load, preload = self.load_columns(held).sum(axis=1), held.preload_force(self.preloads)
        rest = np.zeros(held.n_coordinates)
        driven = self.imposed(held.interfaces)
        reaction = held_node(held, self.support)
        balance = ReactionBalance(reaction, held.supports, held.held_nodes, held.nodes)
        names, laws = [j.name for j in body.joints], [self.acting_friction(j) for j in body.joints]
        with interrupted_run(target) as earlier, ExitStack() as stack:
            known = earlier.memory if earlier else None
            start = resting_state(forces, rest, hard=bool(self.allowed_penetration))
            mounted_iterations = 0
            if self.preloads:
                smooth = [JointForce(force.rows, force.contact_law) for force in forces]
                mounted = self.equilibrium(
                    held.stiffness, preload, smooth, rest, PartialProgress(progress, 0.0, 0.1, "preload"),
                    histories=[force.initial_history() for force in smooth],
                )  # fmt: skip
                start = resting_state(forces, mounted.coordinates, mounted)
                mounted_iterations = mounted.report.iterations
            way = None if driven is None else partial(driven.between, start.coordinates)
            solve = self.step_solver(
                held.stiffness, preload, load, forces, constraints=None if driven is None else driven.rows,
                values=way,
            )  # fmt: skip
            offered = OfferedCurves(recorded_body(
                held, names, laws, held=reaction.name, displaced=driven.components if driven else (),
                loads=self.acting_loads,
            ))  # fmt: skip
            recorder = stack.enter_context(Recorder(
                target, offered, earlier.frames if earlier else None, known["frames"] if known else 0,
                axis="load", body=body.name, frame=self.support, settings=self.model_dump(mode="json"),
                constants=self.acting_temperatures(held.loads),
            ))  # fmt: skip
            tensions = [bolt.tension(self.preloads) for bolt in held.bolts]

            def write(state: LoadState) -> None:
                assert state.solution is not None
                found, q = state.solution, state.coordinates
                amounts, factors = self.load_amounts(state.load), self.load_factors(state.load)
                acting = Acting(amounts, self.preloads, contact_forces(names, found.responses, held.joints))
                displaced: NodeValues = {}
                if driven is not None:
                    forces_there = (
                        preload + state.load * load + sum(answer.force for answer in found.responses)
                    )
                    displaced = driven.reactions(held.stiffness @ q - forces_there)
                held_by = reaction.values(self.loads, factors, amounts, displaced)
                balance.see(state.load, q, acting, self.loads, factors, displaced, held_by)
                shown = BodyState(
                    q, found.responses, acting, tensions=tensions, reaction=held_by, displaced=displaced
                )
                data = {"coordinates": q} | joint_data(names, state.histories, found.offsets)
                recorder.frame(state.load, (shown,), data)

            share = 0.6 if self.estimates_error and body.joints else 0.99
            part = PartialProgress(progress, 0.1 if self.preloads else 0.0, share)
            steps = LoadSteps(solve, forces, start, part, count=self.load_steps)
            steps.report.iterations += mounted_iterations
            if known is not None:
                steps.go_on_from(known["steps"])
                balance.recall(known["balance"])
            else:
                if self.preloads:
                    write(start)
                elif any(h.size for h in start.histories):
                    ends = (driven.rows, driven.values) if driven else (None, None)
                    steps.guess = stuck_start(held.stiffness, load, forces, part, *ends)
            for state in steps.states():
                write(state)
                recorder.remember(
                    lambda: {
                        "frames": recorder.n_frames,
                        "steps": steps.memory(),
                        "balance": balance.memory(),
                    }
                )
            summary = {
                "friction": self.reported_friction(body),
                **steps.report.summary(),
                **self.rigid_accelerations(held),
                "mounted_error": held.mounted_error(self.preloads),
                **recorder.report(self.applied(held)),
                **balance.summary(),
                **self.load_error(held, self.load_factors(1.0), _stored(held, steps.state.coordinates)),
                **self._error(body, steps, PartialProgress(progress, share, 0.99)),
            }
            recorder.close(summary)
        progress.report(1.0, "static equilibrium")
        return summary

    def _error(self, body: BodyModel, steps: LoadSteps, progress: Progress) -> dict[str, Any]:
        """Return for the run report the error estimate of the last frame, or why there is none."""
        if not self.error_estimate or not body.joints:
            return {}
        if not self.support:
            return {"no_error_estimate": "the body is held nowhere"}
        if self.allowed_penetration:
            return {"no_error_estimate": "the multipliers of hard contact hold for the reduced gaps alone"}
        if body.matrices is None or body.basis is None:
            return {"no_error_estimate": "the body came without its FE matrices or its trial vectors"}
        q, histories = steps.state.coordinates, steps.came_from
        progress.report(0.0, "error estimate: the last frame on the FE model")
        try:
            return {"error_estimate": estimated_error(body, self, q, histories, progress)}
        except SolveError as error:
            return {"no_error_estimate": error.message}
        except MemoryError:
            return {"no_error_estimate": "the factor of the FE model is too large for the memory"}


def _stored(held: ReducedBody, q: np.ndarray) -> float:
    """Return twice the elastic energy, qᵀ K q."""
    return float(q @ held.stiffness @ q)
