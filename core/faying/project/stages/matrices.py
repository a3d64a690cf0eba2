"""Stiffness and mass of a body: assembled, or imported from elsewhere."""

from pathlib import Path

from faying.errors import ModelError
from faying.fem.assembly import assemble
from faying.fem.imported import imported_matrices
from faying.fem.imported.superelements import with_superelements
from faying.fem.matrices import StructuralMatrices
from faying.fem.ties import refuse_failed_ties
from faying.joints.pairs import ContactPairs
from faying.joints.ties import AS_NEEDED, pairs_of_loose_parts, weakly_tied
from faying.progress import Progress
from faying.project.bodies import interface_row
from faying.project.deck import (
    matrices_content_of,
    matrix_paths,
    superelements_content_of,
    superelements_of,
)
from faying.project.specs import Project
from faying.project.stage import Stage, StageContext, Target, of_same_body
from faying.project.stages import stages
from faying.project.stages.model import Model
from faying.project.stages.pairs import all_pairs, pairs_of


@stages.register("matrices")
class Matrices(Stage[StructuralMatrices]):
    """Assembles stiffness and mass, which is faster than reading stored ones; ties loose parts weakly if requested."""

    title = "matrices"
    order = 50
    keeps = "memory"
    weight = 1.8
    unreduced = True

    def reads(self, project: Project, target: Target, base: Path) -> object:
        """Return the contents of matrix files, and the stiffness of weak ties."""
        body = project.body(target.body)
        if body.model.is_reduced:
            raise ModelError(
                f"Body {body.name!r} was read reduced, without its FE matrices.",
                "Read the FE model itself for what needs them, such as unreduced analyses and other trial vectors.",
            )
        files: dict[str, object] = {}
        if body.model.imports_matrices:
            files = {"matrix files": matrices_content_of(body, base)}
        if body.model.superelements:
            files |= {"superelements": superelements_content_of(body, base)}
        ties: dict[str, object] = {"weak ties": body.weak_ties} if body.weak_ties else {}
        if body.weak_ties is None and body.contact_joints:  # which parts are loose depends on the held nodes
            held = [i.values("name") for i in body.held_interfaces]
            ties = {"weak ties": "as needed", "interface nodes": held}
        return {**files, **ties} or None

    def needs(self, project: Project, target: Target) -> dict[str, Target]:
        """Return the model and, unless weak ties are switched off, the contact pairs."""
        found = of_same_body(target, Model)
        tied = project.body(target.body).weak_ties != 0.0
        return {**found, **pairs_of(project, target.body)} if tied else found

    def compute(self, context: StageContext, progress: Progress) -> StructuralMatrices:
        """Return the matrices."""
        body, model = context.project.body(context.target.body), context.get(Model)
        refuse_failed_ties(model)
        if body.model.imports_matrices and model.foundations:
            raise ModelError(
                f"Body {body.name!r}: imported matrices know nothing of the elastic support "
                f"{model.foundations[0].name!r}.",
                "Put the springs into the model of the other program, or make the support fixed or frictionless.",
            )
        if not body.model.imports_matrices:
            matrices = assemble(model, progress)
        else:
            files = matrix_paths(body, context.base)
            try:
                matrices = imported_matrices(model, *files, progress)
            except ModelError as error:
                raise ModelError(f"Body {body.name!r}: {error.message}", error.hint) from None
        if body.model.superelements:
            try:
                matrices = with_superelements(model, matrices, superelements_of(body, context.base), progress)
            except ModelError as error:
                raise ModelError(f"Body {body.name!r}: {error.message}", error.hint) from None
        if not body.contact_joints or body.weak_ties == 0.0:
            return matrices
        share, pairs = body.weak_ties, list[ContactPairs | None](all_pairs(context))
        if share is None:
            held = [interface_row(i, model, body.name) for i in body.held_interfaces]
            share, pairs = AS_NEEDED, pairs_of_loose_parts(model, held, all_pairs(context))
        if all(each is None for each in pairs):
            return matrices
        return weakly_tied(matrices, model.nodes, pairs, share)
