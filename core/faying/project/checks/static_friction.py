"""Friction in statics: whether it is switched off, and whether load steps were short enough."""

from collections.abc import Iterator

from faying.analyses.statics.settings import ContactStatics, SupportedAnalysis
from faying.project.checks import CheckedProject, Finding, checks
from faying.solvers.load_steps import MOST_TURNED

_TOO_LONG = 2.0 * MOST_TURNED


@checks.register("static_friction")
def static_friction(checked: CheckedProject) -> Iterator[Finding]:
    """Check that static analyses include the friction of their joints, and the load steps of their runs."""
    bodies = {body.name: body for body in checked.project.bodies}
    for i, analysis in enumerate(checked.project.analyses):
        if not isinstance(analysis, SupportedAnalysis) or analysis.body not in bodies:
            continue
        rough = [
            repr(joint.name)
            for joint in bodies[analysis.body].contact_joints
            if joint.friction_law is not None
        ]
        if not rough:
            continue
        joints, slide = f"joints {' and '.join(rough)}", "slide freely"
        if len(rough) == 1:
            joints, slide = f"joint {rough[0]}", "slides freely"
        if not analysis.sees_friction and isinstance(analysis, ContactStatics):
            yield Finding(
                "warning", ("analyses", i, "friction"),
                f"Friction is switched off in analysis {analysis.name!r}: {joints} would rub, but {slide}.",
                "Switch friction on (friction = true), unless sliding without it is what you want to see.",
            )  # fmt: skip
        elif not analysis.sees_friction:
            yield Finding(
                "note", ("analyses", i),
                f"Analysis {analysis.name!r} is without friction: {joints} would rub, but {slide}.",
                "Compare a static and an unreduced static analysis of the same load with friction.",
            )  # fmt: skip
        turned = checked.reports.get(analysis.name, {}).get("largest_change_of_slip_with_status", 0.0)
        if isinstance(analysis, ContactStatics) and turned > _TOO_LONG:
            yield Finding(
                "warning", ("analyses", i, "load_steps"),
                f"The load steps of {analysis.name!r} are too long for friction: pairs slid by {100.0 * turned:.2g} % "
                "of the largest slip within one step in which they closed, parted, stuck or began to slip.",
                "Take 0 load steps, which leaves them to the program, or more of them."
                if analysis.load_steps
                else "Apply the load in parts, or make the friction law's sticking stiffness smaller.",
            )  # fmt: skip
