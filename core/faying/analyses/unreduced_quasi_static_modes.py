"""Quasi-static modal analysis of the unreduced FE model: the reference for reduced bodies."""

from typing import ClassVar

import numpy as np

from faying.analyses import BodyModel, analyses, needed
from faying.analyses.harmonics.linearized_body import fe_problem
from faying.analyses.quasi_static_modes import QuasiStaticModes, StuckMode, stuck_springs
from faying.analyses.statics.fe_structure import FeStructure
from faying.analyses.statics.structure import Structure
from faying.errors import ModelError
from faying.progress import PartialProgress, Progress
from faying.reduction.fixed_interface_modes import fixed_interface_modes
from faying.reduction.free_modes import free_free_modes
from faying.solvers.load_steps import LoadState


@analyses.register("unreduced_quasi_static_modes")
class UnreducedQuasiStaticModes(QuasiStaticModes):
    """Static loops of the FE model along one of its own modes with stuck joints."""

    title: ClassVar[str] = "Quasi-static modes, unreduced"
    order: ClassVar[int] = 100
    needs_reduced: ClassVar[bool] = False
    needs_matrices: ClassVar[bool] = True

    def structure(self, body: BodyModel) -> Structure:
        """Return the FE model."""
        return FeStructure(self, body)

    def stuck_mode(self, structure: Structure, rest: LoadState, progress: Progress) -> StuckMode:
        """Return the FE model's mode with all closed pairs stuck."""
        assert isinstance(structure, FeStructure)
        interior = fe_problem(structure.model, stuck_springs(structure, rest), self.support)
        interior.prepare(PartialProgress(progress, 0.0, 0.5))
        part = PartialProgress(progress, 0.5, 1.0)
        if self.support:
            modes = fixed_interface_modes(interior, self.mode, part)
        else:
            modes = free_free_modes(interior, self.mode, part, apart=True)
        if modes.shape[1] < self.mode:
            raise ModelError(
                f"There is no mode {self.mode}: the FE model has {modes.shape[1]}.", "Choose a lower number."
            )
        shape, matrices, free = modes[:, self.mode - 1], interior.matrices, structure.free
        frequency = float(np.sqrt(shape @ (matrices.stiffness @ shape))) / (2.0 * np.pi)
        displacements = structure.over_free(needed(structure.model.matrices).dofs.displacement_rows)
        interfaces = {name: structure.over_free(rows)[:] for name, rows in structure.motions.items()}
        # A free body's inertia along the mode is in balance: the dofs that hold it carry nothing.
        pushed = structure.at_held(shape)[free]
        return StuckMode(frequency, pushed, (matrices.mass @ shape)[free], displacements, interfaces)
