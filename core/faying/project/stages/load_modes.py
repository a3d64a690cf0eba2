"""The loads of a body and its static responses."""

from pathlib import Path

from faying.progress import Progress
from faying.project.file_names import with_absolute_files, with_file_contents
from faying.project.specs import BodySpec, Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.components import ComponentModes
from faying.project.stages.interior import Interior
from faying.project.stages.model import Model
from faying.project.stages.skin import OuterSkin
from faying.reduction.basis import ReductionBasis
from faying.reduction.body_loads import LoadedBody
from faying.reduction.extend import with_load_modes
from faying.reduction.load_modes import LoadModes, load_modes
from faying.reduction.relief_modes import relief_modes


@stages.register("load_modes")
class Loads(Stage[LoadModes]):
    """Applies the loads to the model and solves for each static response."""

    title = "load modes"
    order = 75
    weight = 3.0
    unreduced = True
    travels = False

    def applies(self, project: Project, target: Target) -> bool:
        """Return whether the body has loads."""
        return bool(project.body(target.body).loads)

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return the loads, and whether the responses are those of the free body."""
        body = project.body(target.body)
        return {
            "loads": with_file_contents(body.loads, base),
            **({} if body.reduction.has_constraint_modes else {"free": True}),
            **({"imported": True} if body.model.imports_matrices else {}),
        }

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return model and interior problem, and the skin for loads on surfaces."""
        skin = of_same_body(target, OuterSkin) if _on_surfaces(project.body(target.body)) else {}
        return of_same_body(target, Model, Interior) | skin

    def compute(self, context: StageContext, progress: Progress) -> LoadModes:
        """Return the loads with their modes."""
        body = with_absolute_files(context.project.body(context.target.body), context.base)
        interior = context.get(Interior)
        skin = context.get(OuterSkin) if _on_surfaces(body) else None
        on = LoadedBody(context.get(Model), skin, interior.matrices, body.model.imports_matrices)
        return load_modes(interior, body.loads, on, not body.reduction.has_constraint_modes, progress)


def _on_surfaces(body: BodySpec) -> bool:
    return any(hasattr(load, "surface") for load in body.loads)


def load_modes_of(project: Project, body: str) -> dict[str, Target]:
    """Return the loads of a body as a need; none for a body without any."""
    return {Loads.name: Target(Loads.name, body)} if project.body(body).loads else {}


def loads_of(context: StageContext) -> LoadModes | None:
    """Return the loads of the target's body; None for a body without any."""
    return context.get(Loads) if context.project.body(context.target.body).loads else None


def loaded_components_of(project: Project, body: str) -> dict[str, Target]:
    """Return the inputs of `loaded_components` as needs."""
    target, spec = Target(ComponentModes.name, body), project.body(body)
    with_loads = bool(spec.loads and spec.load_modes)
    if not (with_loads or spec.relief_modes):
        return of_same_body(target, ComponentModes)
    found = of_same_body(target, ComponentModes, Interior)
    return {**found, **load_modes_of(project, body)} if with_loads else found


def reads_of_relief(project: Project, body: str) -> dict[str, object]:
    """Return the decisions read by stages that use `loaded_components`, in addition to its needs."""
    return {"inertia relief modes": True} if project.body(body).relief_modes else {}


def loaded_components(context: StageContext, progress: Progress) -> ReductionBasis:
    """Return the component modes of the target's body with load modes and inertia relief modes, if it has these."""
    body, components = context.project.body(context.target.body), context.get(ComponentModes)
    if body.loads and body.load_modes:
        components = with_load_modes(context.get(Interior), components, context.get(Loads).modes)
    if body.relief_modes:
        interior, free = context.get(Interior), not body.reduction.has_constraint_modes
        modes = relief_modes(interior, free, progress)
        components = with_load_modes(interior, components, modes, "inertia relief modes")
    return components
