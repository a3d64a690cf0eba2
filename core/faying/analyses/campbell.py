"""Campbell diagram: natural frequencies and damping of a rotor system over its speed of rotation."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import model_validator

from faying.analyses import SystemAnalysis, SystemModel, analyses
from faying.analyses.harmonics.about_system_state import (
    placed_parts,
    placed_states,
    scaled_shape,
    several_swings,
    shape_sizes,
)
from faying.analyses.motion import first_rest, with_angles
from faying.errors import ModelError, there_are
from faying.multibody.assembly import assemble
from faying.multibody.constraints.prescribed_angular_speed import PrescribedAngularSpeed
from faying.multibody.initial import assembled_velocity
from faying.multibody.linearized import Vibrations, linearized
from faying.multibody.system import MultibodySystem
from faying.multibody.system_spec import SystemSpec
from faying.multibody.whirl import matched, require_round, spins, whirl_of
from faying.params import parameter
from faying.progress import PartialProgress, Progress
from faying.results.curve_key import CurveKey
from faying.results.writer import ResultsWriter
from faying.solvers.integrators import consistent_start

FREQUENCY, DAMPING, WHIRL, EXCITATION = (
    "natural frequency", "damping ratio", "whirl", "excitation frequency",
)  # fmt: skip
"""Quantities of the curves: of each mode, and of each order of excitation."""

_SWINGS = 1e-6  # of |λ|, as the imaginary part of a motion that vibrates
_FREE = 1e-6  # of the largest |λ|: below, it is round-off of zero
_GROWS = 1e-7  # of critical damping: a mode that grows


@analyses.register("campbell")
class Campbell(SystemAnalysis):
    """Modes of a system at rising speeds of a drive, about steady rotation, with gyroscopic terms.

    Parts that turn are round rigid rotors, counted in fixed axes: their bearings may differ in directions. Frequency is
    |λ|/2π and damping ratio −Re λ/|λ|. Modes at one speed continue those at the last one by the modal assurance of
    their shapes with rates. Excitations of an order follow the speed; where one crosses a mode is a critical speed, in
    the table *critical speeds*, with how the mode whirls: 1 forward, −1 backward. Frames are speeds, each with all
    modes there.
    """

    title: ClassVar[str] = "Campbell diagram"

    drive: str = parameter(
        title="Drive", choices="constraint", meaning="The prescribed angular speed that is varied."
    )
    lowest_speed: float = parameter(
        0.0, title="From speed", quantity="angular_velocity", ge=0.0, meaning="Where the range begins."
    )
    highest_speed: float = parameter(
        1000.0, title="To speed", quantity="angular_velocity", gt=0.0, meaning="Where the range ends."
    )
    speeds: int = parameter(41, title="Speeds", ge=2, le=10000, meaning="Number of speeds, evenly spread.")
    count: int = parameter(
        8, title="Number of modes", ge=1, le=1000, meaning="Of the lowest ones at the first speed."
    )
    orders: tuple[float, ...] = parameter(
        (1.0,), title="Orders",
        meaning="Excitations per turn: 1 for an unbalance, 2 for a joint, 0.5 for a four-stroke engine.",
    )  # fmt: skip

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.highest_speed <= self.lowest_speed:
            raise ValueError("the range of speeds does not end above its beginning")
        return self

    def run(self, system: SystemModel, target: Path, progress: Progress) -> dict[str, Any]:
        """Find the modes at each speed, follow them, and write a frame for each speed."""
        speeds = np.linspace(self.lowest_speed, self.highest_speed, self.speeds)
        found: list[_AtSpeed] = []
        for k, speed in enumerate(speeds.tolist()):
            progress.report(k / len(speeds), f"speed {k + 1} of {len(speeds)}")
            part = PartialProgress(progress, k / len(speeds), (k + 1) / len(speeds), "equilibrium")
            found.append(_modes_at(system, self._driven(system.spec, speed), speed, part))
        tracked = [_chosen(found[0].modes, np.arange(min(self.count, len(found[0].modes.eigenvalues))))]
        for each in found[1:]:
            tracked.append(_chosen(each.modes, matched(tracked[-1], each.modes)))
        frequencies = np.array([each.frequencies for each in tracked])
        dampings = np.array([each.damping for each in tracked])
        whirls = np.array([
            [whirl_of(at.system, at.q, at.turning, shape) for shape in modes.shapes.T]
            for at, modes in zip(found, tracked, strict=True)
        ])  # fmt: skip
        excited = np.array(self.orders)[None] * speeds[:, None] / (2.0 * np.pi)
        curves = {
            **_keys(FREQUENCY, "frequency", frequencies, "mode"),
            **_keys(DAMPING, "", dampings, "mode"),
            **_keys(WHIRL, "", whirls, "mode"),
            **_keys(EXCITATION, "frequency", excited, "order", self.orders),
        }
        built, q = found[0].system, found[0].q
        with ResultsWriter(
            target, axis="speed", system=system.spec.name, sizes=shape_sizes(built, frequencies.shape[1]),
            joints={}, curves=list(curves), settings=self.model_dump(mode="json"),
            constants=placed_states(built, q),
        ) as writer:  # fmt: skip
            for k, speed in enumerate(speeds.tolist()):
                values = {key: float(column[k]) for key, column in curves.items()}
                shapes = [scaled_shape(built, shape) for shape in tracked[k].shapes.T]
                frame = placed_parts(built, found[k].q) | several_swings(built, found[k].q, shapes)
                writer.append(speed, frame, curves=values)
            summary = {
                "speeds": len(speeds), "modes_followed": frequencies.shape[1],
                "critical_speeds": _crossings(speeds, frequencies, whirls, excited, self.orders),
                "unstable_from": _growth(speeds, dampings),
                "degrees_of_freedom": found[0].degrees,
            }  # fmt: skip
            writer.close(summary)
        progress.report(1.0, "Campbell diagram")
        return summary

    def _driven(self, spec: SystemSpec, speed: float) -> SystemSpec:
        """Return the system whose drive turns at a constant speed.

        Raises:
            ModelError: when there is no such drive.
        """
        known = {each.name: each for each in spec.constraints if isinstance(each, PrescribedAngularSpeed)}
        if self.drive not in known:
            raise ModelError(
                f"The system {spec.name!r} has no prescribed angular speed called {self.drive!r}.",
                there_are(self.drive, known) if known else "Add one about the axis of the rotor.",
            )
        steady = known[self.drive].with_(speed=speed, time_history={"kind": "constant"})
        constraints = [steady if each.name == self.drive else each for each in spec.constraints]
        return spec.with_(constraints=tuple(constraints))


@dataclass(frozen=True, eq=False)
class _AtSpeed:
    """Modes at a speed: system, position (n,), spins of the parts that turn, degrees of freedom."""

    modes: Vibrations
    system: MultibodySystem
    q: np.ndarray
    turning: dict[int, np.ndarray]
    degrees: int


def _modes_at(system: SystemModel, spec: SystemSpec, speed: float, progress: Progress) -> _AtSpeed:
    """Return the modes about steady rotation, in the deformation that weight and forces at time zero cause."""
    at = assemble(spec, system.flexible_bodies())
    built = at.independent
    rest = first_rest(spec, built, at.position, with_angles(built, at.position, at.history), progress)
    q, history = rest.position, rest.history
    v = assembled_velocity(built, q, np.zeros(built.n), history, 0.0)
    require_round(built, q, v)
    turning = spins(built, q, v)
    state = consistent_start(built, 0.0, q, v, history)
    small = linearized(
        built, q, v, state.all_multipliers, history, 0.0, state.all_accelerations, fixed=tuple(turning)
    )
    found = small.vibrations()
    size = np.abs(found.eigenvalues)
    swinging = (found.eigenvalues.imag > _SWINGS * size) & (size > _FREE * size.max(initial=0.0))
    if not swinging.any():
        raise ModelError(
            "Nothing in the system vibrates: no spring or elasticity brings any of its motions back.",
            "Add bearings with stiffness.",
        )
    return _AtSpeed(_chosen(found, np.flatnonzero(swinging)), built, q, turning, at.freedom.degrees)


def _chosen(modes: Vibrations, numbers: np.ndarray) -> Vibrations:
    return Vibrations(modes.eigenvalues[numbers], modes.shapes[:, numbers])


def _keys(
    quantity: str, dimension: str, values: np.ndarray, word: str, names: tuple[float, ...] = ()
) -> dict[CurveKey, np.ndarray]:
    """Return the columns of values (speeds, k) by key: "mode 1 natural frequency"."""
    labels = [f"{each:g}" for each in names] or [str(k + 1) for k in range(values.shape[1])]
    return {
        CurveKey(quantity, dimension, place=f"{word} {label}"): values[:, k] for k, label in enumerate(labels)
    }


def _crossings(
    speeds: np.ndarray,
    frequencies: np.ndarray,
    whirls: np.ndarray,
    excited: np.ndarray,
    orders: tuple[float, ...],
) -> list[dict[str, float]]:
    """Return where an excitation meets a mode: order, mode, speed, frequency and whirl, by speed; interpolated."""
    found = []
    for j, order in enumerate(orders):
        for k in range(frequencies.shape[1]):
            apart = frequencies[:, k] - excited[:, j]
            for i in np.flatnonzero(apart[:-1] * apart[1:] < 0.0):
                share = apart[i] / (apart[i] - apart[i + 1])
                speed, frequency, whirl = (
                    float((1.0 - share) * column[i] + share * column[i + 1])
                    for column in (speeds, frequencies[:, k], whirls[:, k])
                )
                found.append(
                    {"order": order, "mode": k + 1.0, "speed": speed, "frequency": frequency, "whirl": whirl}
                )
    return sorted(found, key=lambda each: each["speed"])


def _growth(speeds: np.ndarray, dampings: np.ndarray) -> list[dict[str, float]]:
    """Return the modes that grow, with the lowest speed at which they do, interpolated to zero damping."""
    found = []
    for k, own in enumerate(dampings.T):
        grows = np.flatnonzero(own < -_GROWS)
        if not len(grows):
            continue
        i = int(grows[0])
        speed = speeds[0] if not i else np.interp(0.0, [own[i], own[i - 1]], [speeds[i], speeds[i - 1]])
        found.append({"mode": k + 1.0, "speed": float(speed)})
    return found
