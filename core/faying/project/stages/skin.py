"""The skin of a body's model."""

from faying.fem.skin import Skin, find_skin
from faying.progress import Progress
from faying.project.specs import Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.model import Model


@stages.register("skin")
class OuterSkin(Stage[Skin]):
    """Finds the skin: the faces that belong to only one element."""

    title = "skin"
    order = 20
    keeps = "memory"
    weight = 0.2

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return the model."""
        return of_same_body(target, Model)

    def compute(self, context: StageContext, progress: Progress) -> Skin:
        """Return the skin."""
        return find_skin(context.get(Model))
