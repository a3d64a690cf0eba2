"""Separated modes: whether only fast modes are separated, and whether their inertia was negligible."""

from collections.abc import Iterator

import numpy as np

from faying.analyses.motion import Motion
from faying.multibody.assembly import Assembled
from faying.multibody.parts.flexible import FlexiblePart
from faying.project.checks import CheckedProject, Finding, Remedy, checks
from faying.reduction.body import ReducedBody
from faying.reduction.contact_surfaces import GROUP
from faying.units import unit_text

_NOT_SMALL = 0.05  # relative to the elastic forces, root mean square over the run


@checks.register("separation")
def separation(checked: CheckedProject) -> Iterator[Finding]:
    """Check each analysis with separated modes, and its run."""
    for number, analysis in enumerate(checked.project.analyses):
        if isinstance(analysis, Motion):
            yield from _below_vibrations(checked, number, analysis)
            yield from _damped_by_steps(checked, number, analysis)
        ratio = checked.reports.get(analysis.name, {}).get("separation_ratio", 0.0)
        if ratio > _NOT_SMALL:
            yield Finding(
                "warning",
                ("analyses", number),
                f"In the run of {analysis.name!r} the inertia forces of the separated modes, which are left out, "
                f"would have been {100 * ratio:.0f} % of their elastic forces.",
                "Give the integrator a higher separation frequency, or do not separate modes.",
            )


def _below_vibrations(checked: CheckedProject, number: int, analysis: Motion) -> Iterator[Finding]:
    """Yield findings on parts with vibration modes above the frequency from which contact shapes lose their inertia."""
    at, integrator = checked.assembled.get(analysis.system), analysis.integrator
    if not isinstance(at, Assembled) or not getattr(integrator, "separate_modes", False):
        return
    above = integrator.separation_frequency or 1.0 / integrator.largest_step
    unit = unit_text("frequency", checked.project.units)
    counts = {body.name: getattr(body.reduction, "vibration_modes", 0) for body in checked.project.bodies}
    specs = checked.project.system(analysis.system).parts
    for spec, part in zip(specs, at.system.parts[1:], strict=True):
        if not isinstance(part, FlexiblePart):
            continue
        body = part.body
        highest = body.frequencies[: counts.get(spec.body_name(), 0)].max(initial=0.0)
        if highest > above and (_shape_frequencies(body) > above).any():
            yield Finding(
                "warning",
                ("analyses", number),
                f"In {analysis.name!r} contact shapes of {part.name!r} above {above:.3g} {unit} lose their inertia, "
                f"but the part has vibration modes up to {highest:.3g} {unit}.",
                f"Separate from about {highest:.2g} {unit} on, or let the largest step be shorter than that period.",
                remedy=Remedy(
                    f"Separate above {highest:.3g} {unit}",
                    ("analyses", number, "integrator", "separation_frequency"),
                    float(f"{1.01 * highest:.3g}"),
                ),
            )


def _damped_by_steps(checked: CheckedProject, number: int, analysis: Motion) -> Iterator[Finding]:
    """Yield findings on damped fast modes in contact, for which the scheme produces spurious forces."""
    system = next((s for s in checked.project.systems if s.name == analysis.system), None)
    if system is None or not system.contacts or analysis.integrator.suits_damped_contact:
        return
    damped = [part.name for part in system.parts if getattr(part, "damped_period", 0.0)]
    if not damped:
        return
    yield Finding(
        "warning",
        ("analyses", number),
        f"In {analysis.name!r} fast modes of {' and '.join(map(repr, damped))} are damped; contact between parts "
        "gives them speeds in steps of this integrator, of which their damping makes forces that are not there.",
        "Take HHT with α = −0.05 and fixed steps of a tenth of the damped period, or separate modes instead, which is "
        "many times faster, too.",
    )


def _shape_frequencies(body: ReducedBody) -> np.ndarray:
    """Return the natural frequencies of a body's contact shapes alone."""
    found, start = [np.zeros(0)], 0
    for name, stop in body.groups:
        if name.startswith(GROUP):
            own = slice(start, stop)
            squares = np.diag(body.stiffness)[own] / np.diag(body.mass)[own]
            found.append(np.sqrt(squares) / (2.0 * np.pi))
        start = stop
    return np.concatenate(found)
