"""The stages from a deck to results: the table that the pipeline works through.

Only here a project is unpacked; the functions that compute take plain arguments and their own specs.
"""

from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, cast

import numpy as np
import scipy.sparse as sp

from faying.analyses import BodyAnalysis, SystemModel
from faying.errors import ModelError
from faying.fem.added_couplings import with_couplings
from faying.fem.assembly import assemble
from faying.fem.connectivity import loose_parts
from faying.fem.imported import imported_matrices
from faying.fem.material_assignment import with_materials
from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel
from faying.fem.readers import read_model
from faying.fem.skin import find_skin
from faying.joints.kinematics import gap_rows, slip_rows, sparse_rows
from faying.joints.pairing import find_contact_pairs
from faying.joints.pairs import ContactPairs
from faying.joints.ties import weakly_tied
from faying.progress import Part, Progress
from faying.project.bodies import body_model, interface_row, interface_rows
from faying.project.deck import content_of, deck_path, matrices_content_of, matrix_paths
from faying.project.file_names import with_absolute_files, with_file_contents
from faying.project.pipeline import Pipeline
from faying.project.specs import BodySpec, InterfaceSpec, JointSpec, Project
from faying.project.stage import Context, Stage, Target
from faying.reduction.basis import ReductionBasis
from faying.reduction.basis_quality import COMPARED_MODES, measure_basis
from faying.reduction.body import build_reduced_body
from faying.reduction.extend import extend_basis
from faying.reduction.held_contact import FrictionlessJoint
from faying.reduction.interior import ALL_COMPONENTS, InteriorProblem
from faying.reduction.preload import preload_modes
from faying.reduction.preload_loads import PreloadSubject
from faying.reduction.problem import JointModeProblem
from faying.reduction.quality import free_frequencies
from faying.solvers.equilibrium import solve_equilibrium


def _read_deck(context: Context, progress: Progress) -> FeModel:
    body = context.project.body(context.target.body)
    path = deck_path(body.model, context.base)
    if not path.exists():
        raise ModelError(
            f"The deck of body {body.name!r} is not there: {path}.", "Put it there, or choose the deck again."
        )
    model = read_model(path, progress, outlines=body.model.imports_matrices)
    try:
        return with_couplings(with_materials(model, body.materials, context.project.units), body.couplings)
    except ModelError as error:
        raise ModelError(f"Body {body.name!r}: {error.message}", error.hint) from None


def _matrices(context: Context, progress: Progress) -> StructuralMatrices:
    body = context.project.body(context.target.body)
    matrices = _matrices_of_model(context, progress)
    if not body.weak_ties:
        return matrices
    return weakly_tied(
        matrices, [sparse_rows(pairs, matrices.dofs) for pairs in _all_pairs(context)], body.weak_ties
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
    joint = _joint(context.project, context.target)
    model, skin = context.needs("model"), context.needs("skin")
    surfaces = []
    for role, selection in (("master", joint.master), ("slave", joint.slave)):
        try:
            surfaces.append(selection.select(model, skin))
        except ModelError as error:
            raise ModelError(f"Joint {joint.name!r}, {role} surface: {error.message}", error.hint) from None
    try:
        return find_contact_pairs(model.nodes, surfaces[0], surfaces[1], joint.search, progress)
    except ModelError as error:
        raise ModelError(f"Joint {joint.name!r}: {error.message}", error.hint) from None


def _hold_interfaces(context: Context, progress: Progress) -> InteriorProblem:
    body, model = context.project.body(context.target.body), context.needs("model")
    rows = np.array([interface_row(i, model, body.name) for i in body.interfaces], dtype=np.int64)
    components = [i.components for i in body.interfaces]
    return InteriorProblem(
        context.needs("matrices"), model.nodes, rows, components, loose_parts(model, rows), model.node_ids
    )


def _component_modes(context: Context, progress: Progress) -> ReductionBasis:
    method = with_absolute_files(context.project.body(context.target.body).reduction, context.base)
    basis: ReductionBasis = method.build(context.needs("interior"), progress)
    return basis


def _preload(context: Context, progress: Progress) -> Any:
    body, model, interior = (
        with_absolute_files(context.project.body(context.target.body), context.base),
        context.needs("model"),
        context.needs("interior"),
    )
    dofs = interior.matrices.dofs
    joints = [
        FrictionlessJoint(joint.name, sparse_rows(pairs, dofs), joint.contact_law.loaded())
        for joint, pairs in zip(body.joints, _all_pairs(context), strict=True)
    ]
    names = tuple(joint.name for joint in body.joints)
    subject = PreloadSubject(model, context.needs("skin"), dofs, interface_rows(body, model), names)
    return preload_modes(interior, body.preloads, subject, joints, solve_equilibrium, progress)


def _preloads_of(context: Context) -> Any:
    """Return the preload modes; None for a body without preload cases."""
    return context.needs("preload") if context.project.body(context.target.body).preloads else None


def _pose_joint_modes(context: Context, progress: Progress) -> JointModeProblem:
    interior, pairs = context.needs("interior"), _all_pairs(context)
    rows = [gap_rows(p, interior.matrices.dofs) for p in pairs]
    return JointModeProblem(
        interior,
        context.needs("components"),
        sp.vstack(rows, format="csr"),
        np.concatenate([p.weights for p in pairs]),
        np.concatenate([p.initial_gaps for p in pairs]),
        _preloads_of(context),
        free=not context.project.body(context.target.body).reduction.has_constraint_modes,
        joint_sizes=tuple(len(p) for p in pairs),
    )


def _extend(context: Context, progress: Progress) -> Any:
    body, components = context.project.body(context.target.body), context.needs("components")
    preloads = _preloads_of(context)
    if not body.joints and preloads is None:
        return components
    interior = context.needs("interior")
    joint_modes, values = np.zeros((interior.n_dofs, 0)), np.zeros(0)
    remarks: tuple[str, ...] = ()
    more = []
    if body.joints:
        interior.prepare(Part(progress, 0.0, 0.2, "factorisation"))
        problem = context.needs("joint_problem")
        groups = _joint_mode_groups(body)
        for i, (name, method, numbers) in enumerate(groups):
            part = problem.of_joints(numbers)
            share = Part(progress, 0.2 + 0.7 * i / len(groups), 0.2 + 0.7 * (i + 1) / len(groups), name)
            found = method.build(part, share)
            remarks = (*remarks, *(remark for remark in part.remarks if remark not in remarks))
            values = found[1] if i == 0 else values
            if name == _COMMON:
                joint_modes = found[0]
            else:
                more.append((name, found[0]))
    return extend_basis(
        interior, components, joint_modes, values, preloads.modes if preloads else None, remarks, more
    )


_COMMON = "joint modes"


def _joint_mode_groups(body: BodySpec) -> list[tuple[str, Any, list[int]]]:
    """Return name, method and joints (by number) of each group of joint modes: the common one first."""
    common = [i for i, joint in enumerate(body.joints) if joint.joint_modes is None]
    groups = [(_COMMON, body.joint_modes, common)] if common else []
    own = [(i, joint) for i, joint in enumerate(body.joints) if joint.joint_modes is not None]
    return [*groups, *((f"joint modes of {joint.name}", joint.joint_modes, [i]) for i, joint in own)]


def _joint_mode_words(project: Project, target: Target, base: Path) -> Any:
    body = project.body(target.body)
    own = {str(i): joint.joint_modes for i, joint in enumerate(body.joints) if joint.joint_modes is not None}
    return {"joint modes": body.joint_modes, **({"of joints": own} if own else {})}


def _full_modes(context: Context, progress: Progress) -> Any:
    interior = context.needs("interior")
    interior.prepare(Part(progress, 0.0, 0.3, "factorisation"))
    return free_frequencies(interior, COMPARED_MODES, Part(progress, 0.3, 1.0))


def _measure(context: Context, progress: Progress) -> Any:
    return measure_basis(context.needs("interior"), context.needs("basis"), *context.needs("full_modes"))


def _project(context: Context, progress: Progress) -> Any:
    body, model, matrices = (
        context.project.body(context.target.body),
        context.needs("model"),
        context.needs("matrices"),
    )
    joints = []
    for i, (joint, pairs) in enumerate(zip(body.joints, _all_pairs(context), strict=True)):
        progress.report(i / (len(body.joints) + 1), f"joint {joint.name}")
        rows = gap_rows(pairs, matrices.dofs), slip_rows(pairs, matrices.dofs)
        joints.append((joint.name, *rows, pairs.weights, pairs.initial_gaps))
    rows_by_name = interface_rows(body, model)
    basis, preloads = context.needs("basis"), _preloads_of(context)
    return build_reduced_body(model.nodes, matrices, basis, rows_by_name, joints, preloads)


def _analyse(context: Context, progress: Progress) -> dict[str, Any]:
    analysis = _analysis_of(context.project, context.target)
    body = with_absolute_files(context.project.body(context.target.body), context.base)
    pairs = {joint.name: found for joint, found in zip(body.joints, _all_pairs(context), strict=True)}
    reduced = context.needs("body") if analysis.needs_reduced else None
    matrices = context.needs("matrices") if analysis.needs_matrices else None
    model = context.needs("model")
    preloads = _preloads_of(context) if analysis.needs_matrices else None
    problem = context.needs("joint_problem") if analysis.needs_joint_problem and body.joints else None
    assert context.results is not None
    with ExitStack() as opened:
        places = [context.needs(name) for name in _reference_names(analysis)]
        references = tuple(opened.enter_context(closing(place.open())) for place in places)
        seen = body_model(body, reduced, model, pairs, matrices, preloads, problem, references)
        return dict(analysis.run(seen, context.results, progress))


def _move(context: Context, progress: Progress) -> dict[str, Any]:
    project = context.project
    analysis, system = project.analysis(context.target.item), project.system(context.target.body)
    bodies = {}
    for name in system.body_names():
        body = project.body(name)
        pairs = {joint.name: context.needs(f"pairs {i + 1} of {name}") for i, joint in enumerate(body.joints)}
        reduced, model = context.needs(f"body {name}"), context.needs(f"model {name}")
        bodies[name] = body_model(body, reduced, model, pairs)
    assert context.results is not None
    if not analysis.predecessor():
        return dict(analysis.run(SystemModel(system, bodies), context.results, progress))
    with closing(context.needs("start").open()) as start:
        return dict(analysis.run(SystemModel(system, bodies, start), context.results, progress))


def _analysis_of(project: Project, target: Target) -> BodyAnalysis:
    """Return the analysis of a target: one of the project, or one that another compares with."""
    given = [a for a in project.analyses if isinstance(a, BodyAnalysis) and a.body == target.body]
    found = [a for each in given for a in (each, *each.references()) if a.name == target.item]
    if len(found) > 1:
        raise ModelError(f"There are two analyses called {target.item!r}.", "Give one of them another name.")
    return found[0] if found else cast(BodyAnalysis, project.analysis(target.item))


def _reference_names(analysis: BodyAnalysis) -> list[str]:
    """Return under which names the references of an analysis go into it; the names of analyses do not count."""
    return [f"reference {i + 1}" for i in range(len(analysis.references()))]


def _joint(project: Project, target: Target) -> JointSpec:
    for joint in project.body(target.body).joints:
        if joint.name == target.item:
            return joint
    raise ModelError(f"Body {target.body!r} has no joint called {target.item!r}.")


def _same_body(*stages: str) -> Any:
    """Return a `needs` that asks for other stages of the same body, by their names."""
    return lambda project, target: {stage: Target(stage, target.body) for stage in stages}


def _pairs(project: Project, target: Target) -> dict[str, Target]:
    # Numbered, not named: a joint's new name must not make the basis stale.
    joints = project.body(target.body).joints
    return {f"pairs {i + 1}": Target("pairs", target.body, joint.name) for i, joint in enumerate(joints)}


def _all_pairs(context: Context) -> list[ContactPairs]:
    """Return the contact pairs of all joints of the body, in its order."""
    count = len(context.project.body(context.target.body).joints)
    return [context.needs(f"pairs {i + 1}") for i in range(count)]


def _matrices_needs(project: Project, target: Target) -> dict[str, Target]:
    found: dict[str, Target] = _same_body("model")(project, target)
    return {**found, **_pairs(project, target)} if project.body(target.body).weak_ties else found


def _basis_needs(project: Project, target: Target) -> dict[str, Target]:
    stages, body = ["components"], project.body(target.body)
    if body.joints:
        stages += ["interior", "joint_problem"]
    if body.preloads:
        stages += ["preload"] if body.joints else ["interior", "preload"]
    return dict(_same_body(*stages)(project, target))


def _with_preload(*stages: str) -> Any:
    """Return a `needs` of stages of the same body, contact pairs, and the preload modes if there are cases."""

    def needs(project: Project, target: Target) -> dict[str, Target]:
        more = ["preload"] if project.body(target.body).preloads else []
        found: dict[str, Target] = _same_body(*stages, *more)(project, target)
        return {**found, **_pairs(project, target)}

    return needs


def _analysis_needs(project: Project, target: Target) -> dict[str, Target]:
    analysis, body = _analysis_of(project, target), project.body(target.body)
    stages = ["model"]
    if analysis.needs_reduced:
        stages.append("body")
    if analysis.needs_matrices:
        stages += ["matrices", "preload"] if body.preloads else ["matrices"]
    if analysis.needs_joint_problem and body.joints:
        stages.append("joint_problem")
    names = [reference.name for reference in analysis.references()]
    references = {
        needed: Target(target.stage, target.body, name)
        for needed, name in zip(_reference_names(analysis), names, strict=True)
    }
    return {**_same_body(*stages)(project, target), **_pairs(project, target), **references}


def _motion_needs(project: Project, target: Target) -> dict[str, Target]:
    needs: dict[str, Target] = {}
    for name in project.system(target.body).body_names():
        of_body = Target("body", name)
        needs |= {f"model {name}": Target("model", name), f"body {name}": of_body}
        needs |= {f"{pairs} of {name}": found for pairs, found in _pairs(project, of_body).items()}
    before = _predecessor(project, target)
    return needs | {"start": before} if before is not None else needs


def _predecessor(project: Project, target: Target) -> Target | None:
    """Return the motion that another one goes on from; None for none.

    Raises:
        ModelError: when there is none of that name, it is of another system, or it goes on from this one itself.
    """
    first = analysis = project.analysis(target.item)
    seen = []
    while name := analysis.predecessor():
        seen.append(analysis.name)
        analysis = project.analysis(name)
        if analysis.stage != "motion" or analysis.subject != target.body or name in seen:
            raise ModelError(
                f"Analysis {first.name!r} cannot start from {name!r}.",
                "Choose another motion of the same system, one that does not start from this one.",
            )
    return Target("motion", target.body, first.predecessor()) if seen else None


def _nothing(project: Project, target: Target, base: Path) -> None:
    return None


def _deck(project: Project, target: Target, base: Path) -> Any:
    body = project.body(target.body)
    words: dict[str, Any] = {"deck": content_of(body, base), "format": Path(body.model.path).suffix.lower()}
    if body.materials:
        # A material of the library depends on the units, and its values may be mended one day.
        given = [(vars(choice.material(project.units)), choice.element_set) for choice in body.materials]
        words["materials"] = given
    if body.couplings:
        words["couplings"] = body.couplings
    # Element types without a formulation are an error unless matrices are imported.
    return {**words, "outlines": True} if body.model.imports_matrices else words


def _matrix_files_and_ties(project: Project, target: Target, base: Path) -> Any:
    body = project.body(target.body)
    files = {"matrix files": matrices_content_of(body, base)} if body.model.imports_matrices else {}
    ties = {"weak ties": body.weak_ties} if body.weak_ties else {}
    return {**files, **ties} or None


def _surfaces_and_search(project: Project, target: Target, base: Path) -> Any:
    joint = _joint(project, target)
    return {"master": joint.master, "slave": joint.slave, "search": joint.search}


def _interface_nodes(project: Project, target: Target, base: Path) -> Any:
    return {"interface nodes": [_interface(i, "name") for i in project.body(target.body).interfaces]}


def _interface(interface: InterfaceSpec, *without: str) -> dict[str, Any]:
    """Return the words of an interface node; all components go without saying."""
    implied = {"components"} if interface.components == ALL_COMPONENTS else set()
    return interface.model_dump(mode="json", exclude={*without, *implied})


def _names(project: Project, target: Target, base: Path) -> Any:
    body = project.body(target.body)
    return {
        "interface nodes": [_interface(i) for i in body.interfaces],
        "joints": [joint.name for joint in body.joints],
        **({"preload cases": [case.name for case in body.preloads]} if body.preloads else {}),
    }


def _preload_cases(project: Project, target: Target, base: Path) -> Any:
    body = project.body(target.body)
    return {
        "preload cases": [case.loads for case in body.preloads],
        "contact laws": [with_file_contents(joint.contact_law, base) for joint in body.joints],
        # What the loads may name.
        "interface nodes": [interface.name for interface in body.interfaces],
        "joints": [joint.name for joint in body.joints],
    }


def _analysis_and_laws(project: Project, target: Target, base: Path) -> Any:
    # The names of the analysis and its body are mere labels: a new name makes no result stale.
    analysis, body = _analysis_of(project, target), project.body(target.body)
    words = analysis.model_dump(mode="json", exclude={"name", "body"})
    if not words.get("preloads", True):
        del words["preloads"]  # goes without saying
    of_joint = ("contact_law", "friction_law") if analysis.has_friction else ("contact_law",)
    laws = {
        joint.name: {law: with_file_contents(getattr(joint, law), base) for law in of_joint}
        for joint in body.joints
    }
    found: dict[str, Any] = {"analysis": words, "joints": laws}
    if not analysis.needs_reduced:
        # Its own business then; what of a node is held in the basis is not.
        found["interface nodes"] = [_interface(i, "components") for i in body.interfaces]
    return found


def _motion_and_laws(project: Project, target: Target, base: Path) -> Any:
    system = project.system(target.body)
    words = project.analysis(target.item).model_dump(mode="json", exclude={"name", "system", "start_from"})
    laws = {
        name: [
            [
                joint.name,
                with_file_contents(joint.contact_law, base),
                with_file_contents(joint.friction_law, base),
            ]
            for joint in project.body(name).joints
        ]
        for name in system.body_names()
    }
    return {"analysis": words, "system": system.model_dump(mode="json", exclude={"name"}), "joints": laws}


# Weights: seconds for the friction bar with 19 000 nodes on one core.
STAGES = (
    Stage(
        "model", "model", 2, "body", "artifact",
        _deck, lambda project, target: {}, _read_deck, 0.6,
    ),
    Stage(
        "skin", "skin", 1, "body", "memory",
        _nothing, _same_body("model"), lambda c, progress: find_skin(c.needs("model")), 0.2,
    ),
    Stage(
        "matrices", "matrices", 1, "body", "memory",  # faster assembled than read back
        _matrix_files_and_ties, _matrices_needs, _matrices, 1.8,
    ),
    Stage(
        "pairs", "contact pairs", 1, "joint", "artifact",
        _surfaces_and_search, _same_body("model", "skin"), _find_pairs, 0.3,
    ),
    Stage(
        "interior", "interior problem", 1, "body", "memory",
        _interface_nodes, _same_body("model", "matrices"), _hold_interfaces, 0.1,
    ),
    Stage(
        "components", "component modes", 1, "body", "artifact",
        lambda project, target, base: {
            "component modes": with_file_contents(project.body(target.body).reduction, base)
        },
        _same_body("interior"), _component_modes, 4.7,
        travels=False,
    ),
    Stage(
        "preload", "preload modes", 1, "body", "artifact",
        _preload_cases, lambda project, target: {**_same_body("model", "skin", "interior")(project, target),
                                                 **_pairs(project, target)},
        _preload, 20.0,
        travels=False, applies=lambda project, target: bool(project.body(target.body).preloads),
    ),
    Stage(
        "joint_problem", "joint-mode problem", 1, "body", "memory",
        _nothing, _with_preload("interior", "components"), _pose_joint_modes, 0.1,
    ),
    Stage(
        "basis", "reduction basis", 3, "body", "artifact",
        _joint_mode_words,
        _basis_needs, _extend, 6.5,
    ),
    Stage(
        "full_modes", "vibration modes of the full model", 1, "body", "artifact",
        _nothing, _same_body("interior"), _full_modes, 5.0,
        travels=False,
    ),
    Stage(
        "quality", "basis quality", 1, "body", "artifact",
        _nothing, _same_body("interior", "basis", "full_modes"), _measure, 0.5,
    ),
    Stage(
        "body", "reduced body", 2, "body", "artifact",
        _names, _with_preload("model", "matrices", "basis"), _project, 0.8,
    ),
    Stage(
        "analysis", "analysis", 1, "analysis", "results",
        _analysis_and_laws, _analysis_needs, _analyse, 15.0,
    ),
    Stage(
        "motion", "motion", 1, "motion", "results",
        _motion_and_laws, _motion_needs, _move, 15.0,
    ),
)  # fmt: skip

PIPELINE = Pipeline(STAGES)
