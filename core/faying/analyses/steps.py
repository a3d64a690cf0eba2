"""Steps in a row on the reduced body: bolts are tightened and locked, loads change, friction keeps its history."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyModel, analyses
from faying.analyses.bolt_state_errors import BoltStateErrors
from faying.analyses.curve_source import BodyState
from faying.analyses.held import acting_temperatures, held_nowhere
from faying.analyses.reactions import ReactionBalance, contact_forces, held_node
from faying.analyses.recorded_bodies import joint_data, recorded_body
from faying.analyses.recorder import OfferedCurves, Recorder
from faying.analyses.row_of_steps import Reached, RowOfSteps, Walk, lockable, require_lockable
from faying.joints.interface import JointForce
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.reduction.carried import Acting
from faying.results.interrupted import interrupted_run
from faying.solvers.driven_body import DrivenBody
from faying.solvers.load_steps import resting_state


@analyses.register("steps")
class Steps(RowOfSteps):
    """Bolts are tightened one after the other and locked at their length, then loads come, go and swing.

    Each step goes on from the state that the last one left, with its friction. The report has the area of each loop of
    load against displacement in a cyclic load.
    """

    title: ClassVar[str] = "Steps in a row"

    error_estimate: bool = parameter(
        True, title="Error estimate", advanced=True,
        meaning="Whether the state at the end of each tightening step is corrected on the FE model, to report how far "
        "the forces of bolts are off. Takes about a factorisation of the FE model for each. Not with hard contact.",
    )  # fmt: skip

    @property
    def estimates_error(self) -> bool:
        """The parameter, if bolts are tightened without hard contact (its multipliers fit the reduced gaps only)."""
        tightens = any(step.tightened for step in self.steps)
        return self.error_estimate and tightens and not self.allowed_penetration

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Solve the steps one after the other; continue an interrupted run."""
        if not self.support:
            raise held_nowhere()
        assert body.reduced is not None  # it says that it needs it
        held = body.reduced.clamped_to(self.support)
        bolts = held.bolts
        cut = [i for i, bolt in enumerate(bolts) if bolt.overlap is not None]
        tightened = lockable(self.steps, [b.name for b in bolts], [b.overlap is not None for b in bolts])
        overlaps = np.array([bolts[i].overlap for i in cut], float).reshape(-1, held.n_coordinates)
        used = sorted({cut.index(i) for i in tightened if i >= 0})
        require_lockable(overlaps[used], [bolts[cut[i]].name for i in used])

        rows = {rows.name: rows for rows in held.joints}
        forces = [JointForce(rows[j.name], j.contact_law, self.acting_friction(j)) for j in body.joints]
        rest, names = np.zeros(held.n_coordinates), [j.name for j in body.joints]
        laws = [self.acting_friction(j) for j in body.joints]
        displaced = self.displaced(held.interfaces)
        reaction = held_node(held, self.support)
        balance = ReactionBalance(reaction, held.supports, held.held_nodes, held.nodes)
        motions = overlaps if displaced.imposed is None else np.vstack([overlaps, displaced.imposed.rows])

        offered = OfferedCurves(recorded_body(
            held, names, laws, overlaps=[bolts[i].name for i in cut], held=reaction.name,
            displaced=displaced.components, applied=self.loaded, loads=self.acting_loads,
            run=("external work", "step", "cycle"),
        ))  # fmt: skip

        with interrupted_run(target) as earlier:
            known = earlier.memory if earlier else None
            start = resting_state(forces, rest, hard=bool(self.allowed_penetration))
            walk = Walk(
                self,
                DrivenBody(held.stiffness, forces, motions),
                names,
                [cut.index(i) if i >= 0 else -1 for i in tightened],
                displaced,
                lambda step: self.columns(step, held.interfaces, held.load_columns),
                start,
                progress,
            )
            if known is not None:
                walk.go_on_from(known["walk"])
                balance.recall(known["balance"])
            missed = known["missed"] if known is not None else 0.0
            errors = None
            if self.estimates_error and body.matrices is not None and body.basis is not None and body.joints:
                errors = BoltStateErrors(self, body, PartialProgress(progress, 0.99, 0.99))
                if known is not None:
                    errors.recall(known["errors"])
            frames = known["frames"] if known else 0
            with Recorder(
                target, offered, earlier.frames if earlier else None, frames,
                axis="step", body=body.name, frame=self.support, settings=self.model_dump(mode="json"),
                constants=acting_temperatures(self.body_loads, held.loads),
            ) as recorder:  # fmt: skip

                def write(reached: Reached) -> None:
                    found, q = reached.state.solution, reached.state.coordinates
                    assert found is not None
                    amounts, node_loads = self.load_amounts(reached.factors), self.node_loads(reached.factors)
                    acting = Acting(amounts, (), contact_forces(names, found.responses, held.joints))
                    tensions: list[float | None] = [None] * len(bolts)
                    for i, tension in zip(cut, reached.bolts.forces, strict=True):
                        tensions[i] = float(tension)
                    moved_by = dict(zip(displaced.components, reached.reactions.tolist(), strict=True))
                    held_by = reaction.values(*node_loads, amounts, moved_by)
                    balance.see(reached.value, q, acting, *node_loads, moved_by, held_by)
                    shown = BodyState(
                        q, found.responses, acting, tensions=tensions, overlaps=reached.bolts.values,
                        reaction=held_by, displaced=moved_by, applied=self.applied_loads(reached.factors),
                        run=reached.numbers,
                    )  # fmt: skip
                    data = {"coordinates": q} | joint_data(names, reached.state.histories, found.offsets)
                    recorder.frame(reached.value, (shown,), data)

                seen = recorder.n_frames  # written states that estimates know, too

                def memory() -> dict[str, Any] | None:
                    if seen < recorder.n_frames:
                        return None  # the run resumes before the last state, and estimates see it then
                    words = None if errors is None else errors.memory()
                    return {
                        "frames": recorder.n_frames,
                        "walk": walk.memory(),
                        "missed": missed,
                        "errors": words,
                        "balance": balance.memory(),
                    }

                for reached in walk.states():
                    write(reached)
                    if errors is not None:
                        errors.see(reached)
                    if self.body_loads:
                        missed = max(
                            missed, self.load_error(held, reached.factors, reached.state.coordinates)
                        )
                    seen = recorder.n_frames
                    recorder.remember(memory)
                summary = {
                    "friction": self.reported_friction(body),
                    **walk.report.summary(),
                    "steps": walk.told,
                    **recorder.report(self.applied(held)),
                    **balance.summary(),
                    **({"load_error": missed} if self.body_loads else {}),
                    **(errors.summary() if errors is not None else {}),
                }
                recorder.close(summary)
        progress.report(1.0, "steps")
        return summary
