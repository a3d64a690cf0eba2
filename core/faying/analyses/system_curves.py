"""Scalar histories of a multibody system: markers, reactions, joints, energies."""

from collections.abc import Mapping, Sequence

import numpy as np

from faying.analyses.bolt_curves import bolt_curves
from faying.analyses.curves import joint_curves, spring_curves
from faying.analyses.held import acting_amounts
from faying.analyses.reactions import contact_forces
from faying.analyses.tie_forces import tie_curves
from faying.analyses.tied_joints import tied_curves
from faying.joints.interface import JointResponse
from faying.multibody.constraints import PairConstraint
from faying.multibody.history import History
from faying.multibody.parts.flexible import FlexiblePart
from faying.multibody.system import MultibodySystem
from faying.multibody.system_spec import SystemSpec
from faying.reduction.body import JointRows
from faying.reduction.bolts import BoltRows
from faying.reduction.carried import Acting
from faying.solvers.integrators import State

_AXES = ("x", "y", "z")


class SystemCurves:
    """The curves that every analysis of a system stores.

    Args:
        spec: decisions on the system; markers of moving parts get curves.
        system: the system made of them.
        bolts: of bodies by name.
    """

    def __init__(
        self, spec: SystemSpec, system: MultibodySystem, bolts: Mapping[str, Sequence[BoltRows]]
    ) -> None:
        self._system = system
        self._bolts = {
            part.name: (bolts.get(part.body_name(), ()), tuple(getattr(part, "preloads", ())))
            for part in spec.parts
        }
        self._loads = {part.name: tuple(getattr(part, "body_loads", ())) for part in spec.parts}
        self._bodies = {part.name: part.body_name() for part in spec.parts}
        self._markers = [
            f"{part.name}.{name}" for part in system.parts if part.n for name in part.marker_names()
        ]
        start = State(0.0, *spec.start(system), np.zeros(system.n), np.zeros(system.n_constraints), None)
        history = system.initial_history()
        self.names = tuple(self.values(start, history, system.respond(start.q, history, 0.0), 0.0))

    def body_of(self, part: str) -> str:
        """Return the body that a part is made of; "" for none."""
        return str(self._bodies.get(part, ""))

    def values(
        self, state: State, history: History, answers: Sequence[JointResponse], step: float
    ) -> dict[str, float]:
        """Return every curve's value at a state.

        Args:
            state: the state.
            history: of the last accepted state before it.
            answers: responses of all joints, part by part.
            step: length of the time step that led to it.
        """
        system, values = self._system, dict[str, float]()
        for marker in self._markers:
            motion = system.motion(marker, state.q, state.v)
            values |= {f"{marker} {axis}": float(x) for axis, x in zip(_AXES, motion.position, strict=True)}
            values |= {f"{marker} v{axis}": float(x) for axis, x in zip(_AXES, motion.velocity, strict=True)}
        for constraint, last in zip(system.constraint_members, history.angles, strict=True):
            if isinstance(constraint, PairConstraint):
                pair = [system.motion(name, state.q) for name in constraint.marker_names()]
                values[f"{constraint.name} angle"] = float(constraint.angles(pair, last)[0])
        reactions = system.reactions(state.time, state.q, state.all_multipliers, history)
        for name, (force, moment) in reactions.items():
            values |= {f"{name} force {axis}": float(x) for axis, x in zip(_AXES, force, strict=True)}
            values |= {f"{name} moment {axis}": float(x) for axis, x in zip(_AXES, moment, strict=True)}
        rest = list(answers)
        for part, at in zip(system.parts, system.ranges, strict=True):
            rows = [joint.rows for joint in part.joints if isinstance(joint.rows, JointRows)]
            own, rest = rest[: len(rows)], rest[len(rows) :]
            laws = [joint.friction_law for joint in part.joints if isinstance(joint.rows, JointRows)]
            names = [row.name for row in rows]
            found = joint_curves(names, own, rows) | spring_curves(names, laws, own, rows)
            values |= {f"{part.name}: {curve}": value for curve, value in found.items()}
            values |= tie_curves(rows, state.q[at][7:], f"{part.name}: ")
            acting = self._loads.get(part.name, ())
            amounts = acting_amounts(acting, [each.time_history.factor(state.time) for each in acting])
            values |= {f"{part.name}: {name} factor": amount for name, amount in amounts.items()}
            bolts, cases = self._bolts.get(part.name, ((), ()))
            values |= bolt_curves(bolts, state.q[at][7:], amounts, cases, f"{part.name}: ")
            if isinstance(part, FlexiblePart):
                acting_there = Acting(amounts, cases, contact_forces(names, own, rows))
                values |= tied_curves(part.body.ties, state.q[at][7:], acting_there, f"{part.name}: ")
        kinetic, elastic, weight = system.energies(state.q, state.v, history)
        # Strain energy (never negative) and work of the preload have a curve each; the total has their difference.
        preload = system.preload_work(state.q)
        values |= {"work of preload": preload} if preload is not None else {}
        violation, _ = system.constraints(state.time, state.q, history)
        return values | {
            "kinetic energy": kinetic,
            "elastic energy": elastic + (preload or 0.0),
            "potential energy": weight,
            "total energy": kinetic + elastic + weight,
            "step size": step,
            "constraint violation": float(np.abs(violation).max(initial=0.0)),
        }
