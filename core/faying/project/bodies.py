"""Bodies of a project in the form used by analyses and viewers."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from faying.analyses import BodyAnalysis, BodyModel, JointModel, SystemModel
from faying.errors import ModelError, there_are
from faying.fem.matrices import StructuralMatrices
from faying.fem.model import FeModel
from faying.joints.pairs import ContactPairs
from faying.joints.sampled import JointSample
from faying.project.friction_laws import friction_law_of
from faying.project.specs import BodySpec, InterfaceSpec
from faying.reduction.basis import ReductionBasis
from faying.reduction.body import JointRows, ReducedBody
from faying.reduction.interior import InteriorProblem
from faying.reduction.load_modes import LoadModes
from faying.reduction.preload import PreloadModes
from faying.reduction.problem import JointModeProblem
from faying.results.results import Results


def interface_row(interface: InterfaceSpec, model: FeModel, body: str = "") -> int:
    """Return the row of an interface node in the model.

    Raises:
        ModelError: when its node set is missing or is not a single node, or its node does not exist.
    """
    where = f"Interface node {interface.name!r}" + (f" of body {body!r}" if body else "")
    if interface.node_set:
        rows = model.node_set(interface.node_set)
        if rows is None:
            known = sorted(name for name, set_ in model.node_sets.items() if len(set_) == 1)
            raise ModelError(
                f"{where}: the deck has no node set {interface.node_set!r}.",
                there_are(interface.node_set, known, "Node sets of just one node are"),
            )
        if len(rows) != 1:
            raise ModelError(
                f"{where}: the node set {interface.node_set!r} holds {len(rows)} nodes, not just one.",
                "Choose the set of a reference node, or give the node's number.",
            )
        return int(rows[0])
    if not interface.node:
        raise ModelError(f"{where} names no node.", "Choose a node set, or give the node's number.")
    try:
        return model.node_row(interface.node)
    except ModelError as error:
        raise ModelError(f"{where}: {error.message}", error.hint) from None


def interface_rows(body: BodySpec, model: FeModel) -> dict[str, int]:
    """Return the row of each interface node by name; raises as `interface_row`."""
    return {interface.name: interface_row(interface, model, body.name) for interface in body.interfaces}


def body_model(
    body: BodySpec,
    reduced: ReducedBody | None,
    model: FeModel,
    pairs: Mapping[str, ContactPairs],
    matrices: StructuralMatrices | None = None,
    preloads: PreloadModes | None = None,
    joint_problem: JointModeProblem | None = None,
    references: tuple[Results, ...] = (),
    basis: ReductionBasis | None = None,
    starts: tuple[Results, ...] = (),
    interior: InteriorProblem | None = None,
    loads: LoadModes | None = None,
    samples: Sequence[JointSample | None] = (),
    with_model: bool = False,
    system: SystemModel | None = None,
) -> BodyModel:
    """Return the data of a body that an analysis may use.

    Args:
        body: the decisions, including the laws.
        reduced: the free reduced body, for analyses that need it.
        model: the FE model.
        pairs: contact pairs by joint name.
        matrices: of the full model, for analyses that need them.
        preloads: forces of the preload cases on the full model, for these analyses.
        joint_problem: for analyses that compute joint modes themselves.
        references: results of the analyses with which this one compares.
        basis: trial vectors over all dofs, for analyses that need them.
        starts: results of the analyses on which this one builds.
        interior: for analyses that reduce the body themselves.
        loads: loads of the body on the full model, for analyses that apply them and need the matrices.
        samples: for each joint in contact the sampled pairs, None for a joint with all pairs active; () without
            sampling.
        with_model: whether the analysis gets the FE model even without matrices.
        system: in which a part is made of the body, for an analysis that builds on its motion.
    """
    acting = samples or (None,) * len(body.contact_joints)
    joints = tuple(
        JointModel(
            joint.name,
            pairs[joint.name],
            joint.contact_law.loaded(),
            friction_law_of(joint, model, pairs[joint.name]),
            sample,
        )
        for joint, sample in zip(body.contact_joints, acting, strict=True)
    )
    return BodyModel(
        body.name,
        reduced,
        joints,
        interface_rows(body, model),
        model if with_model or matrices is not None else None,
        matrices,
        preloads,
        joint_problem,
        references,
        basis,
        starts,
        interior,
        loads,
        not body.model.imports_matrices,
        tuple(joint.name for joint in body.tied_joints),
        system=system,
    )


def body_of_results(
    analysis: BodyAnalysis,
    body: BodySpec,
    model: FeModel,
    pairs: Mapping[str, ContactPairs],
    frame: str,
    reduced: Callable[[], ReducedBody],
) -> ReducedBody:
    """Return a body as clamped and preloaded by an analysis, to evaluate fields of its frames.

    Args:
        analysis: the analysis of the results.
        body: the decisions.
        model: the FE model.
        pairs: contact pairs by joint name.
        frame: name of the interface node to which the results are clamped; "" for none.
        reduced: returns the free reduced body; not called if the results contain displacements.
    """
    if not analysis.needs_reduced:
        return body_without_modes(body, model, pairs, frame)
    return reduced().clamped_to(frame).preloaded(getattr(analysis, "preloads", ()))


def body_without_modes(
    body: BodySpec, model: FeModel, pairs: Mapping[str, ContactPairs], frame: str
) -> ReducedBody:
    """Return a body without flexible coordinates, for results that contain displacements, gaps and slips.

    Args:
        body: the decisions.
        model: the FE model.
        pairs: contact pairs by joint name.
        frame: name of the interface node to which the results are clamped.
    """
    nothing, rows = np.zeros((0, 0)), interface_rows(body, model)
    return ReducedBody(
        frame=frame,
        mass=nothing,
        stiffness=nothing,
        rigid_mass=np.zeros((6, 6)),
        nodes=model.nodes,
        displacements=np.zeros((3 * len(model.nodes), 0)),
        interfaces={name: np.zeros((6, 0)) for name in rows},
        interface_nodes=rows,
        joints=tuple(
            JointRows(
                name, np.zeros((len(found), 0)), np.zeros((len(found), 2, 0)), found.weights, found.initial_gaps,
                np.zeros((len(found), 6)), np.zeros((len(found), 2, 6)),
            )
            for name, found in pairs.items()
        ),
        groups=(),
        frequencies=np.zeros(0),
    )  # fmt: skip
