"""Static equilibrium of the reduced body, held at an interface node, under end loads, contact and friction."""

from pathlib import Path
from typing import Any, ClassVar

from faying.analyses import BodyModel, analyses
from faying.analyses.recording.true_fields import WithTrueFields
from faying.analyses.statics.error_estimate import estimated_error
from faying.analyses.statics.load_path import PathState
from faying.analyses.statics.path_run import run_path
from faying.analyses.statics.reduced_structure import ReducedStructure
from faying.analyses.statics.settings import HeldStatics
from faying.errors import SolveError
from faying.params import parameter
from faying.progress import PartialProgress, Progress


@analyses.register("static")
class Static(WithTrueFields, HeldStatics):
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
        structure = ReducedStructure(self, body)
        share = 0.6 if self.estimates_error and body.joints else 0.99

        def conclude(state: PathState, report: dict[str, Any]) -> dict[str, Any]:
            report |= self.rigid_accelerations(structure.body)
            report["mounted_error"] = structure.body.mounted_error(self.preloads)
            return report | self._error(body, state, PartialProgress(progress, share, 0.99))

        return run_path(self, structure, target, progress, share=share, conclude=conclude)

    def _error(self, body: BodyModel, state: PathState, progress: Progress) -> dict[str, Any]:
        """Return for the run report the error estimate of the last frame, or why there is none."""
        if not self.error_estimate or not body.joints:
            return {}
        if not self.support:
            return {"no_error_estimate": "the body is held nowhere"}
        if self.allowed_penetration:
            return {"no_error_estimate": "the multipliers of hard contact hold for the reduced gaps alone"}
        if body.matrices is None or body.basis is None:
            return {"no_error_estimate": "the body came without its FE matrices or its trial vectors"}
        progress.report(0.0, "error estimate: the last frame on the FE model")
        try:
            q, histories = state.march.state.coordinates, state.march.came_from
            return {"error_estimate": estimated_error(body, self, q, histories, progress)}
        except SolveError as error:
            return {"no_error_estimate": error.message}
        except MemoryError:
            return {"no_error_estimate": "the factor of the FE model is too large for the memory"}
