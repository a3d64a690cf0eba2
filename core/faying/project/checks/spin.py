"""Flexible parts that spin so fast that centrifugal forces matter for their stiffness."""

from collections.abc import Iterator

from faying.project.checks import CheckedProject, Finding, Remedy, checks
from faying.units import unit_text

# Of the lowest vibration: frequencies in the plane of rotation are then up to half the square of it off.
_FAST = 0.2


@checks.register("spin")
def spin(checked: CheckedProject) -> Iterator[Finding]:
    """Check whether parts without geometric stiffening spun fast in runs."""
    project = checked.project
    numbers = {body.name: i for i, body in enumerate(project.bodies)}
    unit = unit_text("angular_velocity", project.units)
    for number, analysis in enumerate(project.analyses):
        spins = checked.reports.get(analysis.name, {}).get("spins", {})
        for name, (largest, slowest) in spins.items():
            if largest <= _FAST * slowest:
                continue
            parts = {part.name: part for part in project.system(analysis.system).parts}
            body = numbers.get(parts[name].body_name()) if name in parts else None
            if body is None or project.bodies[body].geometric_stiffening:
                continue
            yield Finding(
                "warning", ("analyses", number),
                f"Part {name!r} turned at up to {largest:.3g} {unit} in {analysis.name!r}, {largest / slowest:.2g} "
                f"times its lowest angular frequency of {slowest:.3g} {unit}, without geometric stiffening: it bends "
                "too easily in the plane of rotation, and without bounds from that frequency on.",
                f"Switch geometric stiffening of body {project.bodies[body].name!r} on.",
                remedy=Remedy("Switch it on", ("bodies", body, "geometric_stiffening"), True),
            )  # fmt: skip
