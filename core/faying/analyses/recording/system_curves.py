"""A multibody system as sources of curves see it: the system itself, then each of its flexible parts."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from faying.analyses.recording.contact_records import ContactTally
from faying.analyses.recording.curve_source import BodyState, RecordedBody, RecordedSystem, SystemState
from faying.analyses.recording.gear_mesh import gears_in_mesh
from faying.analyses.recording.measure_memory import energies_by_name
from faying.analyses.recording.recorder import OfferedCurves
from faying.analyses.statics.reactions import contact_forces
from faying.analyses.statics.step_loads import acting_amounts
from faying.joints.interface import JointResponse
from faying.multibody.contacts.contact import ContactResponse
from faying.multibody.history import History
from faying.multibody.parts.flexible import FlexiblePart
from faying.multibody.system import MultibodySystem
from faying.multibody.system_spec import SystemSpec
from faying.reduction.body import JointRows
from faying.reduction.bolts import BoltRows
from faying.reduction.carried import Acting
from faying.solvers.integrators import State


class SystemCurves:
    """The curves that every analysis of a system stores.

    Args:
        spec: decisions on the system; markers of moving parts get curves.
        system: the system made of them.
        bolts: of bodies by name.
        start: (n,) coordinates at which transmission errors of gears are zero; None for no gears.
        run: names of further numbers of the run; "impulse" for sums over contacts.

    Attributes: `offered` curves; `gears` in mesh by number of their contact.
    """

    def __init__(
        self,
        spec: SystemSpec,
        system: MultibodySystem,
        bolts: Mapping[str, Sequence[BoltRows]],
        start: np.ndarray | None = None,
        run: Collection[str] = (),
    ) -> None:
        self._system = system
        self._parts = {part.name: part for part in spec.parts}
        self._bolts = {part.name: bolts.get(part.body_name(), ()) for part in spec.parts}
        preloaded = system.preload_work(spec.start(system)[0]) is not None
        numbers = (*run, *_NUMBERS, *(["work of preload"] if preloaded else []))
        self.gears = {} if start is None else gears_in_mesh(system, start)
        self.offered = OfferedCurves(
            RecordedSystem(system, self.gears, numbers, spec.scalars),
            *(self._recorded(part) for part in system.parts),
        )

    def body_of(self, part: str) -> str:
        """Return the body that a part is made of; "" for none."""
        found = self._parts.get(part)
        return "" if found is None else str(found.body_name())

    def states(
        self,
        state: State,
        history: History,
        answers: Sequence[JointResponse],
        touched: Sequence[ContactResponse],
        step: float,
        tally: ContactTally | None = None,
        share: float = 1.0,
        more: Mapping[str, float] | None = None,
        remembered: Mapping[str, np.ndarray] | None = None,
    ) -> tuple[SystemState | BodyState, ...]:
        """Return the state as the offered curves see it, of the system and of each part.

        Args:
            state: the state.
            history: of the last accepted state before it.
            answers: responses of all joints, part by part.
            touched: responses of the contacts between parts.
            step: length of the time step that led to it.
            tally: sums over the steps, of which a fraction `share` of the last one counts.
            share: see there.
            more: further numbers of the run.
            remembered: what measures remember of the last accepted state (`MeasureMemory.before`).
        """
        system = self._system
        kinetic, elastic, weight = system.energies(state.q, state.v, history)
        preload = system.preload_work(state.q)
        violation, _ = system.constraints(state.time, state.q, history)
        numbers = dict(more or {}) | energies_by_name(kinetic, elastic, weight, preload)
        numbers |= {
            "step size": step,
            "constraint violation": float(np.abs(violation).max(initial=0.0)),
        }
        numbers |= {"work of preload": preload} if preload is not None else {}
        own = SystemState(state, history, touched, run=numbers, remembered=remembered or {})
        if tally is not None:
            own = replace(own, impulses=tally.impulses(share), restitutions=tally.restitutions)
        rest, parts = list(answers), list[BodyState]()
        for part, at in zip(system.parts, system.ranges, strict=True):
            rows = [joint.rows for joint in part.joints if isinstance(joint.rows, JointRows)]
            mine, rest = rest[: len(rows)], rest[len(rows) :]
            parts.append(self._state_of(part.name, state.q[at][7:], rows, mine, state.time))
        return own, *parts

    def _recorded(self, part: Any) -> RecordedBody:
        joints = [joint for joint in part.joints if isinstance(joint.rows, JointRows)]
        rows: list[Any] = [joint.rows for joint in joints]
        acting = getattr(self._parts.get(part.name), "body_loads", ())
        return RecordedBody(
            joints=rows,
            laws=[joint.friction_law for joint in joints],
            weak_ties={each.name: each.tie_force for each in rows if each.tie_force is not None},
            bolts=self._bolts.get(part.name, ()),
            ties=part.body.ties if isinstance(part, FlexiblePart) else (),
            loads=tuple(dict.fromkeys(each.load for each in acting)),
            part=part.name,
        )

    def _state_of(
        self, part: str, q: np.ndarray, rows: Sequence[Any], answers: Sequence[JointResponse], time: float
    ) -> BodyState:
        spec = self._parts.get(part)
        acting, cases = getattr(spec, "body_loads", ()), tuple(getattr(spec, "preloads", ()))
        amounts = acting_amounts(acting, [each.time_history.factor(time) for each in acting])
        there = Acting(amounts, cases, contact_forces([each.name for each in rows], answers, rows))
        tensions = [bolt.tension(cases) for bolt in self._bolts.get(part, ())]
        return BodyState(q, answers, there, tensions=tensions)


_NUMBERS = (
    "kinetic energy",
    "elastic energy",
    "potential energy",
    "total energy",
    "step size",
    "constraint violation",
)
