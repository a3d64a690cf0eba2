"""The force in the cap joint of the slider-crank's rod at dead centres, by hand."""

import numpy as np

from faying.fem.model import FeModel


def joint_force_at_dead_centres(
    model: FeModel, bolts: float, piston: float, crank: float, speeds: np.ndarray, outer: np.ndarray
) -> np.ndarray:
    """Return (n,) normal force between rod and cap: kinetostatics of rigid parts, no gas force, no friction.

    Along the rod the crank pin bears the inertia of rod and piston, half of it on the cap, whose share of the bore
    that is. The joint bears what the bolts pull more than that and the cap's own inertia ask for. All points of the
    rod accelerate with ± r ω² and towards the crank pin with λ²ω² times their distance, λ = r/l.

    Args:
        model: of the rod along y with the crank pin at y = 0, with an element set CAP.
        bolts: force of all bolts.
        piston: mass.
        crank: radius r.
        speeds: (n,) ω of the crank.
        outer: (n,) whether it is the outer dead centre, the inner one otherwise.
    """
    (block,) = (b for b in model.blocks if b.element == "tet4")
    corners = model.nodes[block.connectivity]
    edges = corners[:, 1:] - corners[:, :1]
    masses = model.materials[block.material].density * np.abs(np.linalg.det(edges)) / 6.0
    heights = corners[:, :, 1].mean(axis=1)
    length = float(model.nodes[model.node_sets["REF_SMALL"][0], 1])
    cap = model.element_sets["CAP"]
    ratio, side = crank / length, np.where(outer, -1.0, 1.0)

    def pull(masses: np.ndarray, heights: np.ndarray) -> np.ndarray:
        """Return mass times acceleration along the rod, over ω²."""
        return np.asarray(side * crank * masses.sum() - ratio**2 * float(masses @ heights))

    pin = pull(masses, heights) + pull(np.array([piston]), np.array([length]))
    return np.asarray(bolts + speeds**2 * (0.5 * pin - pull(masses[cap], heights[cap])))
