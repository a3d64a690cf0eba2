"""Shapes of rigid parts for display: whether they can be drawn."""

from collections.abc import Iterator

from faying.errors import FayingError
from faying.multibody.part_kinds.rigid import RigidPartSpec
from faying.project.checks import CheckedProject, Finding, checks
from faying.project.file_names import with_absolute_files


@checks.register("part_looks")
def part_looks(checked: CheckedProject) -> Iterator[Finding]:
    """Report shapes that cannot be drawn; they do not affect results, so runs are not blocked."""
    for i, system in enumerate(checked.project.systems):
        for k, part in enumerate(system.parts):
            if not isinstance(part, RigidPartSpec):
                continue
            try:
                with_absolute_files(part, checked.base).shown_solid()
            except FayingError as error:
                yield Finding(
                    "warning", ("systems", i, "parts", k, "looks"),
                    f"System {system.name!r}: {error.message} It is drawn as the box of its mass and inertia.",
                    error.hint,
                )  # fmt: skip
