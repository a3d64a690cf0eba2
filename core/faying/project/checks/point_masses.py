"""Point masses: at connected nodes, with rotations if they have inertia."""

from collections.abc import Iterator

from faying.fem.point_masses import misplaced_masses
from faying.project.checks import CheckedProject, Finding, checks, spoils


@checks.register("point_masses")
@spoils("matrices")
def point_masses(checked: CheckedProject) -> Iterator[Finding]:
    """Report the point masses that do not act as defined in the deck."""
    for path, body, model in checked.bodies():
        if model is None or body.model.has_own_matrices:
            continue
        for sentence in misplaced_masses(model):
            yield Finding(
                "warning", (*path, "model"), f"Body {body.name!r}, {sentence}",
                "Couple the node to the surface that carries the mass.",
            )  # fmt: skip
