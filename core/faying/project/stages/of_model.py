"""From a deck to the equations of a body with its contact pairs."""

from pathlib import Path
from typing import Any

import numpy as np

from faying.errors import ModelError
from faying.fem.added_bolts import with_bolts
from faying.fem.added_couplings import with_couplings
from faying.fem.assembly import assemble
from faying.fem.connectivity import loose_parts
from faying.fem.imported import imported_matrices
from faying.fem.material_assignment import with_materials
from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel
from faying.fem.readers import read_model
from faying.fem.shell_sides import facing_sides
from faying.fem.skin import find_skin
from faying.joints.kinematics import sparse_rows
from faying.joints.pairing import find_contact_pairs
from faying.joints.ties import weakly_tied
from faying.progress import Progress
from faying.project.bodies import interface_row
from faying.project.deck import content_of, deck_path, matrices_content_of, matrix_paths
from faying.project.specs import Project
from faying.project.stage import Context, Stage, Target
from faying.project.stages._subjects import all_pairs, interface_words, joint_of, nothing, pairs_of, same_body
from faying.reduction.interior import InteriorProblem


def _read_deck(context: Context, progress: Progress) -> FeModel:
    body = context.project.body(context.target.body)
    path = deck_path(body.model, context.base)
    if not path.exists():
        raise ModelError(
            f"The deck of body {body.name!r} is not there: {path}.", "Put it there, or choose the deck again."
        )
    model = read_model(path, progress, outlines=body.model.imports_matrices)
    try:
        # Couplings before bolts: the surfaces of both are those of the uncut body.
        model = with_couplings(with_materials(model, body.materials, context.project.units), body.couplings)
        return with_bolts(model, body.bolts)
    except ModelError as error:
        raise ModelError(f"Body {body.name!r}: {error.message}", error.hint) from None


def _matrices(context: Context, progress: Progress) -> StructuralMatrices:
    body = context.project.body(context.target.body)
    matrices = _matrices_of_model(context, progress)
    if not body.weak_ties:
        return matrices
    return weakly_tied(
        matrices, [sparse_rows(pairs, matrices.dofs) for pairs in all_pairs(context)], body.weak_ties
    )


def _matrices_of_model(context: Context, progress: Progress) -> StructuralMatrices:
    body, model = context.project.body(context.target.body), context.needs("model")
    if not body.model.imports_matrices:
        return assemble(model, progress)
    files = matrix_paths(body, context.base)
    try:
        return imported_matrices(model, *files, progress)
    except ModelError as error:
        raise ModelError(f"Body {body.name!r}: {error.message}", error.hint) from None


def _find_pairs(context: Context, progress: Progress) -> Any:
    joint = joint_of(context.project, context.target)
    model, skin = context.needs("model"), context.needs("skin")
    surfaces = []
    for role, selection in (("master", joint.master), ("slave", joint.slave)):
        try:
            surfaces.append(selection.select(model, skin))
        except ModelError as error:
            raise ModelError(f"Joint {joint.name!r}, {role} surface: {error.message}", error.hint) from None
    master, slave = facing_sides(model, *surfaces)
    try:
        return find_contact_pairs(model.nodes, master, slave, joint.search, progress, model.blocks)
    except ModelError as error:
        raise ModelError(f"Joint {joint.name!r}: {error.message}", error.hint) from None


def _hold_interfaces(context: Context, progress: Progress) -> InteriorProblem:
    body, model = context.project.body(context.target.body), context.needs("model")
    rows = np.array([interface_row(i, model, body.name) for i in body.interfaces], dtype=np.int64)
    components = [i.components for i in body.interfaces]
    return InteriorProblem(
        context.needs("matrices"), model.nodes, rows, components, loose_parts(model, rows), model.node_ids
    )


def _matrices_needs(project: Project, target: Target) -> dict[str, Target]:
    found: dict[str, Target] = same_body("model")(project, target)
    return {**found, **pairs_of(project, target)} if project.body(target.body).weak_ties else found


def _deck(project: Project, target: Target, base: Path) -> Any:
    body = project.body(target.body)
    words: dict[str, Any] = {"deck": content_of(body, base), "format": Path(body.model.path).suffix.lower()}
    if body.materials:
        # A material of the library depends on the units, and its values may be mended one day.
        given = [(vars(choice.material(project.units)), choice.element_set) for choice in body.materials]
        words["materials"] = given
    if body.couplings:
        words["couplings"] = body.couplings
    if body.bolts:
        words["bolts"] = body.bolts
    # Element types without a formulation are an error unless matrices are imported.
    return {**words, "outlines": True} if body.model.imports_matrices else words


def _matrix_files_and_ties(project: Project, target: Target, base: Path) -> Any:
    body = project.body(target.body)
    files = {"matrix files": matrices_content_of(body, base)} if body.model.imports_matrices else {}
    ties = {"weak ties": body.weak_ties} if body.weak_ties else {}
    return {**files, **ties} or None


def _surfaces_and_search(project: Project, target: Target, base: Path) -> Any:
    joint = joint_of(project, target)
    return {"master": joint.master, "slave": joint.slave, "search": joint.search}


def _interface_nodes(project: Project, target: Target, base: Path) -> Any:
    return {"interface nodes": [interface_words(i, "name") for i in project.body(target.body).interfaces]}


MODEL_STAGES = (
    Stage(
        "model", "model", 5, "body", "artifact",
        _deck, lambda project, target: {}, _read_deck, 0.6,
    ),
    Stage(
        "skin", "skin", 1, "body", "memory",
        nothing, same_body("model"), lambda c, progress: find_skin(c.needs("model")), 0.2,
    ),
    Stage(
        "matrices", "matrices", 1, "body", "memory",  # faster assembled than read back
        _matrix_files_and_ties, _matrices_needs, _matrices, 1.8,
    ),
    Stage(
        "pairs", "contact pairs", 3, "joint", "artifact",
        _surfaces_and_search, same_body("model", "skin"), _find_pairs, 0.3,
    ),
    Stage(
        "interior", "interior problem", 1, "body", "memory",
        _interface_nodes, same_body("model", "matrices"), _hold_interfaces, 0.1,
    ),
)  # fmt: skip
