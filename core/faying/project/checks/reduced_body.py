"""Bodies read in reduced form: decisions that their files do not allow, and analyses that need FE matrices."""

from collections.abc import Iterator

from faying.analyses import BodyAnalysis
from faying.errors import FayingError
from faying.fem.condensed import FRAME, names_in
from faying.project.checks import CheckedProject, Finding, checks
from faying.project.deck import deck_path
from faying.project.reduced_bodies import FE_MODEL, lacking
from faying.project.specs import BodySpec


@checks.register("reduced_body")
def reduced_body(checked: CheckedProject) -> Iterator[Finding]:
    """Report uses of reduced bodies that require an FE model."""
    reduced = set()
    for path, body, _ in checked.bodies():
        if body.model.is_reduced:
            reduced.add(body.name)
            for sentence in lacking(body):
                yield Finding("error", path, f"Body {body.name!r}: {sentence}", FE_MODEL)
        if body.model.is_condensed:
            yield from _without_rigid_motion(checked, path, body)
    for i, analysis in enumerate(checked.project.analyses):
        if not isinstance(analysis, BodyAnalysis) or analysis.body not in reduced:
            continue
        if (
            analysis.needs_matrices
            or analysis.needs_basis
            or analysis.needs_interior
            or analysis.needs_joint_problem
        ):
            yield Finding(
                "error", ("analyses", i),
                f"Analysis {analysis.name!r} needs the FE matrices of body {analysis.body!r}, which was read reduced.",
                "Read the FE model itself for it.",
            )  # fmt: skip


def _laid_out(checked: CheckedProject, body: BodySpec) -> list[str]:
    try:
        names = names_in(deck_path(body.model, checked.base), body.model.matrices)
    except FayingError:  # reported when the model is read
        return []
    return [joint.name for joint in names.joints if not joint.coordinates]


def _without_rigid_motion(
    checked: CheckedProject, path: tuple[str | int, ...], body: BodySpec
) -> Iterator[Finding]:
    """Check that a body of condensed matrices is held at its coordinates' frame and is not part of a system."""
    for joint in _laid_out(checked, body):
        yield Finding(
            "note", (*path, "model"),
            f"Body {body.name!r}: its file has no coordinates of joint {joint!r}, so pictures lay its contact pairs "
            "out side by side, each as a square of its area.",
        )  # fmt: skip
    frames = [each.name for each in body.interfaces if each.node_set == FRAME]
    for i, analysis in enumerate(checked.project.analyses):
        of_body = isinstance(analysis, BodyAnalysis) and analysis.body == body.name
        if of_body and getattr(analysis, "support", frames) not in (*frames, frames):
            yield Finding(
                "error", ("analyses", i),
                f"Analysis {analysis.name!r} has to hold body {body.name!r} at the frame of its coordinates: its file "
                "has no motion of the body as a whole.",
                f"Hold it at {frames[0]!r}." if frames else f"Add the interface node {FRAME!r} of the file.",
            )  # fmt: skip
    for i, system in enumerate(checked.project.systems):
        for part in system.parts:
            if getattr(part, "body", "") == body.name:
                yield Finding(
                    "error", ("systems", i),
                    f"The part {part.name!r} of {system.name!r} cannot have body {body.name!r}: its file has no motion "
                    "of the body as a whole.",
                    "Read its FE model, or a reduced body that Faying exported.",
                )  # fmt: skip
