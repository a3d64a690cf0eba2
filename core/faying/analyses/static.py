"""Static equilibrium of the reduced body, held at an interface node, under end loads and contact."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from faying.analyses import Analysis, BodyModel, analyses
from faying.analyses.curves import joint_curves
from faying.analyses.loads import LoadSpec, interface_curves, load_vectors
from faying.joints.interface import JointForce
from faying.params import parameter
from faying.progress import Part, Progress
from faying.results.results import ResultsWriter
from faying.solvers.equilibrium import solve_equilibrium


@analyses.register("static")
class Static(Analysis):
    """Load steps of static equilibrium with contact; friction on request, with its history from step to step."""

    kind: ClassVar[str] = "static"
    title: ClassVar[str] = "Static equilibrium"

    support: str = parameter(
        title="Held at", choices="interface", meaning="Interface node whose six dofs are held."
    )
    loads: tuple[LoadSpec, ...] = parameter(
        (), title="Loads", meaning="Forces and moments at interface nodes."
    )
    load_steps: int = parameter(
        1, title="Load steps", ge=1, le=10000, meaning="The load grows in so many equal steps, each a frame."
    )
    friction: bool = parameter(
        False, title="With friction", meaning="Whether the joints' friction laws act. Friction depends on the way: "
        "use several load steps.",
    )  # fmt: skip

    def run(self, body: BodyModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Solve each load step from the last one."""
        held = body.reduced.clamped_to(self.support)
        rows = {rows.name: rows for rows in held.joints}
        forces = [
            JointForce(rows[j.name], j.contact_law, j.friction_law if self.friction else None)
            for j in body.joints
        ]
        histories = [f.initial_history() for f in forces]
        load = load_vectors(self.loads, held.interfaces).sum(axis=1)
        curves = interface_curves(held)
        names = [j.name for j in body.joints]
        with ResultsWriter(
            target, axis="load", body=body.name, frame=self.support,
            sizes={"coordinates": held.n_coordinates},
            joints={n: {"history": h.shape} for n, h in zip(names, histories, strict=True) if h.size},
            curves=(*curves, *joint_curves(names, [])), settings=self.model_dump(mode="json"),
        ) as writer:  # fmt: skip
            q, iterations = np.zeros(held.n_coordinates), 0
            for step in range(self.load_steps):
                share = (step + 1) / self.load_steps
                part = Part(progress, step / self.load_steps, share, f"load step {step + 1}")
                q, responses, report = solve_equilibrium(
                    held.stiffness, share * load, forces, histories, q, part
                )
                histories = [r.history for r in responses]
                iterations += report.iterations
                writer.append(
                    share,
                    coordinates=q,
                    **{f"joints__{n}__history": h for n, h in zip(names, histories, strict=True) if h.size},
                    **{f"curves__{name}": row @ q for name, row in curves.items()},
                    **{f"curves__{k}": v for k, v in joint_curves(names, responses, held.joints).items()},
                )
            summary = {"iterations": iterations, "load_steps": self.load_steps}
            writer.close(summary)
        progress.report(1.0, "static equilibrium")
        return summary
