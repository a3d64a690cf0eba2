"""Campbell diagram: natural frequencies and damping of a rotor system over its speed of rotation."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

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
from faying.multibody.part import RIGID
from faying.multibody.steady_rotation import (
    common_rotation,
    relative_equilibrium,
    require_steady,
    small_motion,
)
from faying.multibody.system import MultibodySystem
from faying.multibody.system_spec import SystemSpec
from faying.multibody.whirl import in_fixed_axes, matched, require_round, spins, steady_velocity, whirl_of
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
_GROWS = 1e-6  # of |λ|, and of the speed where that is larger: a motion that grows
_LIMIT = 1e-5  # of the highest speed, as the error of a limit of stability


@analyses.register("campbell")
class Campbell(SystemAnalysis):
    """Modes of a system at rising speeds of a drive, about steady rotation, with gyroscopic terms.

    In fixed axes bearings of round rigid rotors may differ in directions. Flexible rotors, deformed and stiffened by
    their centrifugal forces, and rotors that are not round need supports that are the same in all directions across
    the axis, and no weight across it; they are computed in axes that turn with them, and turn about one axis. Those
    that are not round, such as blades and shafts with a keyway, have frequencies there alone.

    Frequency is |λ|/2π and damping ratio −Re λ/|λ|. Modes at one speed continue those at the last one by the modal
    assurance of their shapes with rates. Excitations of an order follow the speed; where one crosses a mode is a
    critical speed, in the table *critical speeds*, with how the mode whirls: 1 forward, −1 backward. The table
    *unstable speeds* lists the ranges in which some motion grows. Frames are speeds, each with all modes there.
    """

    is_linearised: ClassVar[bool] = True
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
    axes: Literal["fixed", "turning"] = parameter(
        "fixed",
        title="Axes",
        meaning="fixed: frequencies as a sensor on the bearing sees them; turning: as one on the rotor does.",
    )
    orders: tuple[float, ...] = parameter(
        (1.0,), title="Orders",
        meaning="Excitations per turn in these axes. Fixed ones: 1 for an unbalance, 2 for a joint, 0.5 for a "
        "four-stroke engine; turning ones: 1 and its multiples for what stands still and is passed by.",
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
            found.append(self._modes_at(system, speed, part, checked=not any(each.turning for each in found)))
        tracked = [_chosen(found[0].modes, _lowest(found[0].modes, self.count))]
        for each in found[1:]:
            tracked.append(_chosen(each.modes, matched(tracked[-1], each.modes)))
        frequencies = np.array([each.frequencies for each in tracked])
        dampings = np.array([each.damping for each in tracked])
        whirls = np.array([
            [whirl_of(at.system, at.q, at.turning, shape)[0] for shape in modes.shapes.T]
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
                "unstable_speeds": self._unstable_speeds(system, speeds, [each.grows for each in found], progress),
                "degrees_of_freedom": found[0].degrees,
            }  # fmt: skip
            writer.close(summary)
        progress.report(1.0, "Campbell diagram")
        return summary

    def _modes_at(
        self, system: SystemModel, speed: float, progress: Progress, *, checked: bool
    ) -> "_AtSpeed":
        """Return the modes about steady rotation, in the deformation that loads and centrifugal forces cause.

        Args:
            system: as of `run`.
            speed: of the drive.
            progress: reports and cancels.
            checked: whether a steady state that is only one at this angle of the rotor is to be refused.
        """
        spec = self._driven(system.spec, speed)
        at = assemble(spec, system.flexible_bodies())
        built = at.independent
        rest = first_rest(spec, built, at.position, with_angles(built, at.position, at.history), progress)
        q, history = rest.position, rest.history
        v = assembled_velocity(built, q, np.zeros(built.n), history, 0.0)
        v = steady_velocity(built, q, v, rest.multipliers, history)
        turning = spins(built, q, v)
        bent = tuple(built.parts[k].name for k in turning if built.parts[k].n > RIGID)
        if not turning or (self.axes == "fixed" and not bent):
            require_round(built, q, v)
            state = consistent_start(built, 0.0, q, v, history)
            still = dict.fromkeys(turning, (np.eye(3), np.zeros(3)))
            small = linearized(
                built, q, v, state.all_multipliers, history, 0.0, state.all_accelerations, counted=still
            )
            found = small.vibrations()
            return _AtSpeed(found, built, q, turning, at.freedom.degrees, _grows(found, speed))
        if (control := built.followers.control_states(0.0, q, v, history)) is not None:
            named = ", ".join(dict.fromkeys(control.names))
            raise ModelError(
                f"Controllers with states ({named}) act along axes that stand still, and count in fixed axes alone.",
                "Count in fixed axes, with rotors that are round and rigid, or let no force follow the controllers.",
            )
        rotation = common_rotation(built, q, v, turning)
        state = relative_equilibrium(built, q, history, rotation)
        if checked:
            require_steady(built, state, rotation, bent or (built.parts[next(iter(turning))].name,))
        found = small_motion(built, state, rotation).vibrations()
        grows = _grows(found, speed)
        if self.axes == "fixed":
            found, mixed = in_fixed_axes(built, state.q, turning, found)
            if mixed[_vibrating(found)][: self.count].any() or (mixed & ~_vibrating(found)).any():
                raise ModelError(
                    f"The rotor of {bent[0]!r} is not round: in fixed axes its vibrations have two frequencies each.",
                    'Count in turning axes: axes = "turning".',
                )
        return _AtSpeed(found, built, state.q, turning, at.freedom.degrees, grows)

    def _unstable_speeds(
        self, system: SystemModel, speeds: np.ndarray, grows: list[bool], progress: Progress
    ) -> list[dict[str, float]]:
        """Return the ranges of speeds in which some motion grows; their ends by bisection between two speeds."""

        def limit(stable: float, unstable: float) -> float:
            while abs(unstable - stable) > _LIMIT * self.highest_speed:
                middle = 0.5 * (stable + unstable)
                if self._modes_at(system, middle, silent, checked=False).grows:
                    unstable = middle
                else:
                    stable = middle
            return 0.5 * (stable + unstable)

        silent = PartialProgress(progress, 1.0, 1.0, "limit of stability")
        ends = np.flatnonzero(np.diff([False, *grows, False])).reshape(-1, 2)
        return [
            {
                "from": limit(speeds[i - 1], speeds[i]) if i else float(speeds[0]),
                "to": limit(speeds[j], speeds[j - 1]) if j < len(speeds) else float(speeds[-1]),
            }
            for i, j in ends
        ]

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
    """Modes at a speed: system, position (n,), spins of the parts that turn, degrees of freedom, whether any grows."""

    modes: Vibrations
    system: MultibodySystem
    q: np.ndarray
    turning: dict[int, np.ndarray]
    degrees: int
    grows: bool


def _grows(found: Vibrations, speed: float) -> bool:
    """Return whether some motion grows, by more than round-off."""
    size = np.abs(found.eigenvalues)
    resisted = size > _FREE * size.max(initial=0.0)
    return bool((found.eigenvalues.real > _GROWS * np.maximum(size, speed))[resisted].any())


def _vibrating(found: Vibrations) -> np.ndarray:
    """Return (k,) which motions vibrate."""
    size = np.abs(found.eigenvalues)
    return np.asarray((found.eigenvalues.imag > _SWINGS * size) & (size > _FREE * size.max(initial=0.0)))


def _lowest(found: Vibrations, count: int) -> np.ndarray:
    """Return the numbers of the lowest vibrations.

    Raises:
        ModelError: when nothing vibrates.
    """
    swinging = np.flatnonzero(_vibrating(found))
    if not len(swinging):
        raise ModelError(
            "Nothing in the system vibrates: no spring or elasticity brings any of its motions back.",
            "Add bearings with stiffness.",
        )
    return swinging[:count]


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
