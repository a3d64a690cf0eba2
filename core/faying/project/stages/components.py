"""The component modes of a body."""

from pathlib import Path

from faying.fem.densities import require_densities
from faying.progress import PartialProgress, Progress
from faying.project.file_names import with_absolute_files, with_file_contents
from faying.project.specs import Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.interior import Interior
from faying.project.stages.model import Model
from faying.reduction.basis import ReductionBasis
from faying.reduction.bolts import with_bolt_modes


@stages.register("components")
class ComponentModes(Stage[ReductionBasis]):
    """Builds the basis of the chosen reduction method, and the responses to the tension of bolts."""

    title = "component modes"
    order = 70
    weight = 4.7
    unreduced = True
    travels = False

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return the method, with the contents of its files."""
        return {"component modes": with_file_contents(project.body(target.body).reduction, base)}

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return model and interior problem."""
        return of_same_body(target, Model, Interior)

    def compute(self, context: StageContext, progress: Progress) -> ReductionBasis:
        """Return the basis without joint modes."""
        body = context.project.body(context.target.body)
        method = with_absolute_files(body.reduction, context.base)
        interior, model = context.get(Interior), context.get(Model)
        if not body.model.imports_matrices:
            require_densities(model, f"the reduction of body {body.name!r}")
        bolts = model.bolts
        part = PartialProgress(progress, 0.0, 0.9) if bolts else progress
        return with_bolt_modes(interior, method.build(interior, part), bolts)
