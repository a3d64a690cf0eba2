"""Master and slave of a joint: existing, disjoint, with outward normals."""

from collections.abc import Iterator

import numpy as np

from faying.errors import FayingError
from faying.fem.model import FeModel
from faying.fem.surface import Surface
from faying.project.checks import CheckedProject, Finding, checks
from faying.project.checks._normals import inward_facets


@checks.register("joint_surfaces")
def joint_surfaces(checked: CheckedProject) -> Iterator[Finding]:
    """Check that both surfaces can be chosen, share no facets and have outward normals."""
    for path, body, joint, model in checked.joints():
        chosen = checked.surfaces(body, joint)
        for side, surface in chosen.items():
            where = f"Joint {joint.name!r}, {side} surface"
            if isinstance(surface, FayingError):
                yield Finding("error", (*path, side), f"{where}: {surface.message}", surface.hint)
            elif surface.n_facets == 0:
                yield Finding(
                    "error",
                    (*path, side),
                    f"{where}: it has no facets.",
                    "Choose a surface with element faces.",
                )
            elif model is not None and (count := _inward(checked, model, surface)):
                yield Finding(
                    "error", (*path, side),
                    f"{where}: the normals of {count} of {surface.n_facets} facets point into the body.",
                    "Turn the normals of the surface round, or let the mesher repair the node order of elements there.",
                )  # fmt: skip
        master, slave = chosen.get("master"), chosen.get("slave")
        if isinstance(master, Surface) and isinstance(slave, Surface):
            shared = np.intersect1d(master.nodes, slave.nodes)
            if len(shared) and not body.is_tied(joint):  # a tie does not affect shared nodes
                yield Finding(
                    "error", path,
                    f"Joint {joint.name!r}: master and slave overlap; they share {len(shared)} nodes.",
                    "Choose surfaces of two different parts; the two sides of a joint have nodes of their own.",
                )  # fmt: skip


def _inward(checked: CheckedProject, model: FeModel, surface: Surface) -> int:
    """Return the number of facets of a surface with inward normals; cached while model and surface are unchanged."""
    return checked.once("inward facets", (model, surface), lambda: inward_facets(model, surface))
