"""Controllers of systems: whether they work by themselves, and how they go with the steps of motions."""

from collections.abc import Iterator

import numpy as np

from faying.multibody.controllers import Controller
from faying.multibody.system_spec import SystemSpec
from faying.params import fields_of
from faying.project.checks import CheckedProject, Finding, checks
from faying.units import amount

_GROWS = 1e-9  # of the largest pole, as round-off


@checks.register("controllers")
def controllers(checked: CheckedProject) -> Iterator[Finding]:
    """Report controllers that cannot work, are unstable, act on nothing, sample within steps, or do not answer."""
    for i, system in enumerate(checked.project.systems):
        taken = set(_taken(system))
        for k, controller in enumerate(system.controllers):
            path, where = ("systems", i, "controllers", k), f"System {system.name!r}, controller"
            clause, hint = controller.problem()
            if clause:
                yield Finding("error", path, f"{where} {controller.name!r} {clause}.", hint)
                continue
            poles = controller.poles()
            growing = poles[(poles.real > _GROWS * np.abs(poles).max(initial=0.0)) & (poles.imag >= 0.0)]
            if len(growing):
                yield Finding(
                    "warning", path,
                    f"{where} {controller.name!r} is unstable by itself: its output grows without bound, with "
                    f"pole{'s' if len(growing) > 1 else ''} at {', '.join(map(_pole, growing))} per unit of time.",
                    "Look at the signs of the denominator or of A, unless the system is to hold it.",
                )  # fmt: skip
            if controller.name not in taken:
                yield Finding(
                    "note", path, f"{where} {controller.name!r} is followed by no force and no measure.",
                    "Name it as the measure of a force, or look at its curve alone.",
                )  # fmt: skip
            yield from _within_steps(checked, system, controller, path)
            if controller.sample_time and controller.name in taken:
                yield from _held(checked, system, controller, path)


def _within_steps(
    checked: CheckedProject, system: SystemSpec, controller: Controller, path: tuple[str | int, ...]
) -> Iterator[Finding]:
    """Yield that a controller samples more often than a motion has steps."""
    if not controller.sample_time:
        return
    for analysis in checked.project.analyses:
        longest = getattr(getattr(analysis, "integrator", None), "largest_step", 0.0)
        if getattr(analysis, "system", "") == system.name and controller.sample_time < longest:
            yield Finding(
                "note", path,
                f"Controller {controller.name!r} samples every {amount(controller.sample_time, 'time', 4)}, within the "
                f"largest step of {analysis.name!r}, {amount(longest, 'time', 4)}: each step ends at a sample.",
                "Let it be continuous, with sample time zero, if the run takes too long.",
            )  # fmt: skip


def _held(
    checked: CheckedProject, system: SystemSpec, controller: Controller, path: tuple[str | int, ...]
) -> Iterator[Finding]:
    """Yield that a sampled controller does not answer in an analysis of vibrations about a state."""
    for analysis in checked.project.analyses:
        if getattr(analysis, "system", "") == system.name and getattr(analysis, "is_linearised", False):
            yield Finding(
                "note", path,
                f"Controller {controller.name!r} is sampled: it holds its output in {analysis.name!r}, and answers no "
                "vibration.",
                "Give it sample time zero there: the states of a continuous controller count.",
            )  # fmt: skip


def _taken(system: SystemSpec) -> Iterator[str]:
    """Yield the names of measures that members of a system take."""
    for member in (*system.forces, *system.constraints, *system.scalars):
        for name, _, extra in fields_of(member):
            if extra.get("choices") == "measure" and (value := getattr(member, name)):
                yield from (value,) if isinstance(value, str) else value


def _pole(value: complex) -> str:
    return f"{value.real:.4g}" if value.imag == 0.0 else f"{value.real:.4g} ± {value.imag:.4g}i"
