"""The FE model of a body: its deck with added materials, couplings, bolts and ties."""

from collections.abc import Iterable
from pathlib import Path

from faying.errors import ModelError
from faying.fem.added_bolts import with_bolts
from faying.fem.added_couplings import with_couplings
from faying.fem.body_skin import skin_of
from faying.fem.condensed import condensed_arrays
from faying.fem.material_assignment import with_materials
from faying.fem.materials import MaterialChoice
from faying.fem.mirrored_elements import with_turned_elements
from faying.fem.model import FeModel
from faying.fem.readers import read_model, reader_of
from faying.fem.supports import with_supports
from faying.fem.ties import TiedSurfaces, with_ties
from faying.progress import Progress
from faying.project.deck import content_of, deck_path
from faying.project.specs import BodySpec, Project
from faying.project.stage import Stage, StageContext, Target, Without
from faying.project.stages import stages
from faying.units import UnitSystemName


@stages.register("model")
class Model(Stage[FeModel]):
    """Reads a deck and adds the project's items."""

    title = "model"
    order = 10
    version = 5
    weight = 0.6

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return the deck's contents and the added items."""
        body = project.body(target.body)
        words = {"deck": content_of(body, base), "format": Path(body.model.path).suffix.lower()}
        return words | added_to_deck(project, body)

    def modules(self, project: Project, target: Target) -> Iterable[str]:
        """Return the module of the deck's reader, so that code of other formats is not included."""
        reader = reader_of(Path(project.body(target.body).model.path))
        return () if reader is None else (reader.__module__,)

    def compute(self, context: StageContext, progress: Progress) -> FeModel:
        """Return the model."""
        body = context.project.body(context.target.body)
        path = deck_path(body.model, context.base)
        if not path.exists():
            raise ModelError(
                f"The deck of body {body.name!r} is not there: {path}.",
                "Put it there, or choose the deck again.",
            )
        if body.model.is_condensed:
            return skin_of(condensed_arrays(path, body.model.matrices))
        model = read_model(path, progress, outlines=body.model.imports_matrices)
        if body.model.is_reduced:
            return model
        if body.model.turn_elements:
            model = with_turned_elements(model)
        try:
            # Couplings before bolts: the surfaces of both are those of the uncut body.
            model = with_couplings(
                with_materials(model, body.materials, context.project.units), body.couplings
            )
            model = with_bolts(with_supports(model, body.supports, body.deck_supports), body.bolts)
        except ModelError as error:
            raise ModelError(f"Body {body.name!r}: {error.message}", error.hint) from None
        tied = [TiedSurfaces(joint.name, joint.master, joint.slave, joint.tie) for joint in body.tied_joints]
        return with_ties(model, tied, progress)


def _constants(choice: MaterialChoice, units: UnitSystemName) -> object:
    """Return a material's constants; the decision itself if invalid, which the stage and the checks report."""
    try:
        return vars(choice.material(units))
    except ModelError:
        return choice


def added_to_deck(project: Project, body: BodySpec) -> dict[str, object]:
    """Return the decisions of a body that change its FE model in addition to its deck."""
    if body.model.is_reduced:
        return {"matrices": body.model.matrices} if body.model.is_condensed else {}
    words: dict[str, object] = {"turned": True} if body.model.turn_elements else {}
    if body.materials:
        # A library material depends on the units, and its values may be corrected in the future.
        words["materials"] = [
            (_constants(choice, project.units), choice.element_set) for choice in body.materials
        ]
    if body.couplings:
        words["couplings"] = body.couplings
    if body.bolts:
        # The strength of a screw does not affect the model.
        words["bolts"] = [Without(bolt, bolt.OF_THE_SCREW) for bolt in body.bolts]
    if body.supports:
        words["supports"] = body.supports
    if body.deck_supports:
        words["deck supports"] = True
    if body.tied_joints:  # without their names and laws
        words["ties"] = [(joint.master, joint.slave, joint.tie) for joint in body.tied_joints]
    # Element types without a formulation are an error unless matrices are imported.
    return {**words, "outlines": True} if body.model.imports_matrices else words
