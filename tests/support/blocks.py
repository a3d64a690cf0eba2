"""A block on a block: the lower one is held below, the upper one loaded on top, and nothing but the joint between."""

from dataclasses import replace

import numpy as np

from faying.analyses import BodyModel, JointModel
from faying.fem.assembly import assemble
from faying.fem.model import Coupling
from faying.fem.skin import surface_from_deck
from faying.joints.contact_laws import ContactLaw
from faying.joints.friction_laws import FrictionLaw
from faying.joints.kinematics import gap_rows, slip_rows
from faying.joints.pairing import find_contact_pairs
from faying.joints.search import SearchSpec
from faying.progress import Silent
from faying.reduction.body import build_reduced_body
from faying.reduction.extend import extend_basis
from faying.reduction.interior import InteriorProblem
from faying.reduction.joint_modes.every_pair import EveryPair
from faying.reduction.methods.craig_bampton import CraigBampton
from faying.reduction.problem import JointModeProblem
from support.plates import stacked_plates

LENGTH, WIDTH, HEIGHT = 20.0, 10.0, 5.0
EVERY = (1, 2, 3, 4, 5, 6)


def blocks(contact_law: ContactLaw, friction_law: FrictionLaw) -> BodyModel:
    """Return the blocks with a joint mode for every pair along all three directions, so that statics is exact.

    TIP moves the upper block's top as a rigid face; its node lies in the joint's plane, so that a force along x has no
    moment there.
    """
    model = stacked_plates(upper=(3, 2, 2), lower=(4, 3, 2), length=LENGTH, width=WIDTH, height=HEIGHT)
    hold, tip = len(model.nodes) - 2, len(model.nodes) - 1
    nodes = model.nodes.copy()
    nodes[hold], nodes[tip] = (10.0, 5.0, -HEIGHT), (10.0, 5.0, 0.0)
    solid = np.arange(hold)
    faces = [solid[np.isclose(nodes[solid, 2], z)] for z in (-HEIGHT, HEIGHT)]
    couplings = tuple(
        Coupling(name, "kinematic", node, face, EVERY, np.ones(len(face)))
        for name, node, face in zip(("C_HOLD", "C_TIP"), (hold, tip), faces, strict=True)
    )
    model = replace(model, nodes=nodes, couplings=couplings)
    matrices = assemble(model, Silent())
    lower, upper = surface_from_deck(model, "LOWER"), surface_from_deck(model, "UPPER")
    pairs = find_contact_pairs(model.nodes, lower, upper, SearchSpec(), Silent())
    interfaces = {"HOLD": hold, "TIP": tip}
    interior = InteriorProblem(matrices, model.nodes, np.array([hold, tip]))
    gaps, slips = gap_rows(pairs, matrices.dofs), slip_rows(pairs, matrices.dofs)
    components = CraigBampton(vibration_modes=4).build(interior, Silent())
    problem = JointModeProblem(interior, components, gaps, pairs.weights, pairs.initial_gaps, slip_rows=slips)
    basis = extend_basis(interior, components, *EveryPair(shear=True).build(problem, Silent()))
    joint = ("joint", gaps, slips, pairs.weights, pairs.initial_gaps)
    reduced = build_reduced_body(model.nodes, matrices, basis, interfaces, [joint])
    laws = (JointModel("joint", pairs, contact_law, friction_law),)
    return BodyModel("blocks", reduced, laws, interfaces, model, matrices, basis=basis)
