"""Static equilibrium of the reduced body, held at an interface node, under end loads and contact."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyModel, analyses
from faying.analyses.curves import joint_curves
from faying.analyses.held import HeldStatics
from faying.analyses.loads import interface_curves
from faying.joints.interface import JointForce
from faying.params import parameter
from faying.progress import Part, Progress
from faying.results.interrupted import interrupted_run
from faying.results.writer import ResultsWriter


@analyses.register("static")
class Static(HeldStatics):
    """Load steps of static equilibrium with contact; friction on request, with its history from step to step.

    Preload cases act first: the frame at load 0 is the mounted body.
    """

    kind: ClassVar[str] = "static"
    title: ClassVar[str] = "Static equilibrium"

    load_steps: int = parameter(
        1, title="Load steps", ge=1, le=10000, meaning="The load grows in so many equal steps, each a frame."
    )
    friction: bool = parameter(
        False, title="With friction", meaning="Whether the joints' friction laws act. Friction depends on the way: "
        "use several load steps.",
    )  # fmt: skip

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Solve each load step from the last one, the first of an interrupted run from where that one was."""
        assert body.reduced is not None  # it says that it needs it
        held = self.held_body(body.reduced)
        rows = {rows.name: rows for rows in held.joints}
        forces = [
            JointForce(rows[j.name], j.contact_law, j.friction_law if self.friction else None)
            for j in body.joints
        ]
        histories = [f.initial_history() for f in forces]
        load, preload = self.load_columns(held).sum(axis=1), held.preload_force(self.preloads)
        curves = interface_curves(held)
        names = [j.name for j in body.joints]
        first = next_step = 0 if self.preloads else 1
        with interrupted_run(target) as earlier, ExitStack() as stack:
            q, iterations, depths = np.zeros(held.n_coordinates), 0, None
            if earlier is not None:
                known = earlier.memory
                q, iterations, next_step = known["coordinates"], known["iterations"], known["step"] + 1
                histories, depths = list(known["histories"]), list(known["depths"])
            writer = stack.enter_context(ResultsWriter(
                target, axis="load", body=body.name, frame=self.support,
                sizes={"coordinates": held.n_coordinates},
                joints={n: self._stored(h) for n, h in zip(names, histories, strict=True)},
                curves=(*curves, *joint_curves(names, [])), settings=self.model_dump(mode="json"),
                after=earlier.frames if earlier else None, keep=next_step - first,
            ))  # fmt: skip
            for step in range(next_step, self.load_steps + 1):
                share = step / self.load_steps
                part = Part(progress, max(step - 1, 0) / self.load_steps, share, f"load step {step}")
                found = self.equilibrium(
                    held.stiffness,
                    preload + share * load,
                    forces,
                    q,
                    part,
                    histories=histories,
                    depths=depths,
                )
                q, responses, depths = found.coordinates, found.responses, found.depths
                histories = [r.history for r in responses]
                iterations += found.report.iterations
                writer.append(
                    share,
                    coordinates=q,
                    **{f"joints__{n}__history": h for n, h in zip(names, histories, strict=True) if h.size},
                    **{f"joints__{n}__gap_offset": o for n, o in zip(names, found.offsets, strict=False)},
                    **{f"curves__{name}": row @ q for name, row in curves.items()},
                    **{f"curves__{k}": v for k, v in joint_curves(names, responses, held.joints).items()},
                )
                known = {
                    "coordinates": q, "histories": histories, "depths": depths, "iterations": iterations,
                    "step": step,
                }  # fmt: skip
                writer.remember(partial(dict, known))
            summary = {
                "iterations": iterations,
                "load_steps": self.load_steps,
                "mounted_error": held.mounted_error(self.preloads),
            }
            writer.close(summary)
        progress.report(1.0, "static equilibrium")
        return summary

    def _stored(self, history: np.ndarray) -> dict[str, tuple[int, ...]]:
        """Return the shapes of what is stored of a joint: its history and the multipliers, if there are any."""
        shapes: dict[str, tuple[int, ...]] = {"history": history.shape} if history.size else {}
        return {**shapes, "gap_offset": history.shape[:1]} if self.allowed_penetration else shapes
