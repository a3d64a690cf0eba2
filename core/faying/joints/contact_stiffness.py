"""Contact stiffness that suits a mesh: about that of the first layer of elements below the surface.

With a much softer penalty law the surfaces penetrate by more than the local deformation of the bodies; a much stiffer
one improves nothing that the mesh resolves, and needs more steps and corrections.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from faying.fem.model import BeamSection, FeModel
from faying.fem.surface import Surface
from faying.joints.contact_laws import ContactLaw
from faying.joints.law_curves import matched, pressure_at
from faying.joints.pairs import ContactPairs

# Pressures are judged at this share of E*: 11.5 N/mm² between parts of steel, ordinary in a bolted joint.
PRESSURE_SHARE = 1e-4
_DOUBLINGS = 200


@dataclass(frozen=True)
class StiffnessProposal:
    """A contact stiffness that fits a mesh.

    Attributes:
        stiffness: pressure per penetration, rounded to two digits: only its order of magnitude matters.
        pressure: at which penetrations are compared.
        penetration: of the proposed stiffness at that pressure.
        modulus: E* of both sides, 1/E* = (1 − ν²)/E of the master + the same of the slave.
        element_size: edge length of a square with the median area of a slave node.
    """

    stiffness: float
    pressure: float
    penetration: float
    modulus: float
    element_size: float


def propose_stiffness(
    model: FeModel, master: Surface, slave: Surface, pairs: ContactPairs
) -> StiffnessProposal | None:
    """Return the stiffness E*/h; None when a side's material is not known or no pair was found.

    Args:
        model: has the materials of the elements below the surfaces.
        master, slave: the joint's surfaces.
        pairs: contact pairs at nodes or integration points; the areas of their slave nodes are used.
    """
    compliances = [compliance_of(model, surface) for surface in (master, slave)]
    return stiffness_between(compliances, pairs.nodal_areas) if all(compliances) else None


def stiffness_between(compliances: Sequence[float], nodal_areas: np.ndarray) -> StiffnessProposal | None:
    """Return the stiffness E*/h; None when neither side deforms, or no node has an area.

    Args:
        compliances: (1 − ν²)/E of both sides (`compliance_of`), zero for a rigid one.
        nodal_areas: (n,) of the slave's nodes.
    """
    areas = nodal_areas[nodal_areas > 0.0]
    if not any(compliances) or not len(areas):
        return None
    modulus, size = 1.0 / sum(compliances), float(np.sqrt(np.median(areas)))
    stiffness = float(f"{modulus / size:.1e}")
    pressure = PRESSURE_SHARE * modulus
    return StiffnessProposal(stiffness, pressure, pressure / stiffness, modulus, size)


def penetration_at(law: ContactLaw, pressure: float) -> float:
    """Return the depth below its closing gap at which a law reaches the given pressure; inf when it never does."""

    def reaches(depth: float) -> bool:
        return float(law.pressure(np.array([law.closing_gap() - depth]))[0][0]) >= pressure

    low, high = 0.0, 1e-12
    for _ in range(_DOUBLINGS):
        if reaches(high):
            break
        low, high = high, 2.0 * high
    else:
        return np.inf
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def fitted_to(law: ContactLaw, proposal: StiffnessProposal) -> ContactLaw:
    """Return the law with one parameter scaled so that it penetrates as proposed at the proposal's pressure.

    Raises:
        ModelError: when no parameter of the law gets there.
    """
    return matched(
        law, lambda some: pressure_at(some, some.closing_gap() - proposal.penetration), proposal.pressure
    )


@dataclass(frozen=True)
class ElasticSide:
    """Compliances of the material on one side of a contact; zeros where it is rigid or not known.

    Attributes:
        normal: (1 − ν²)/E.
        shear: (2 − ν)/G.
    """

    normal: float = 0.0
    shear: float = 0.0

    @classmethod
    def of(cls, youngs_modulus: float, poisson_ratio: float) -> "ElasticSide":
        """Return the compliances of a material."""
        nu = poisson_ratio
        return cls((1.0 - nu**2) / youngs_modulus, 2.0 * (2.0 - nu) * (1.0 + nu) / youngs_modulus)


def side_of(model: FeModel, nodes: np.ndarray) -> ElasticSide:
    """Return the mean compliances of the solids and shells that have at least three of these nodes (rows)."""
    on_surface = np.zeros(len(model.nodes), bool)
    on_surface[nodes] = True
    normal, shear, count = 0.0, 0.0, 0
    for block in model.blocks:
        material = model.materials.get(block.material)
        if material is None or material.youngs_modulus <= 0.0 or isinstance(block.section, BeamSection):
            continue
        touching = int((on_surface[block.connectivity].sum(axis=1) >= 3).sum())
        own = ElasticSide.of(material.youngs_modulus, material.poisson_ratio)
        normal, shear, count = normal + touching * own.normal, shear + touching * own.shear, count + touching
    return ElasticSide(normal / count, shear / count) if count else ElasticSide()


def compliance_of(model: FeModel, surface: Surface) -> float:
    """Return the mean (1 − ν²)/E of the elements beneath a surface (`side_of`); zero where it is not known."""
    return side_of(model, surface.nodes).normal
