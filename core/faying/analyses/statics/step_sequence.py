"""Analyses in steps, of reduced and unreduced bodies: bolts are tightened, loads and displaced nodes come and go."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from faying.analyses.statics.displacements import DisplacementSpec
from faying.analyses.statics.load_case import LoadCase
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.statics.settings import ContactStatics
from faying.analyses.step_kinds import Step, step_kinds
from faying.errors import ModelError
from faying.params import member_of, parameter
from faying.reduction.acting_loads import ActingLoadSpec


class StepSequence(ContactStatics):
    """Steps that follow each other, each from the state that the last one left, friction and all.

    Bolts are slack at first, and locked at their length once they are tightened.
    """

    axis: ClassVar[str] = "step"
    controls_bolts: ClassVar[bool] = True

    steps: tuple[member_of(step_kinds), ...] = parameter(  # type: ignore[valid-type]
        (),
        title="Steps",
        meaning="What happens, in this order: bolts are tightened, loads come, go, or swing.",
    )

    def load_cases(self) -> tuple[LoadCase, ...]:
        """Return the loads at the end of each step, and at its turning points, with the bolts that are tight then.

        And the tightening of each bolt to its force.
        """
        found, before = list[LoadCase](), tuple[tuple[str, float], ...]()
        loads, body_loads = tuple[LoadSpec, ...](), tuple[ActingLoadSpec, ...]()
        for step, forces in zip(self.steps, self.bolt_forces(), strict=True):
            case = LoadCase(self.support, friction=self.friction, bolts=before)
            before = tuple(forces.items())
            if before and before != case.bolts:
                found.append(replace(case, tightened=before))
            kept, _ = step.segments[-1]
            loads, body_loads = (loads, body_loads) if kept else ((), ())
            for factor in dict.fromkeys(own for _, own in step.segments if own):
                acting = replace(
                    case,
                    loads=loads + tuple(_scaled(each, factor) for each in step.own_loads),
                    body_loads=body_loads
                    + tuple(each.with_(factor=factor * each.factor) for each in step.own_body_loads),
                    displacements=step.own_displacements,
                )
                found += [acting] if acting.acts else []
            if step.segments[-1][1]:
                loads, body_loads = acting.loads, acting.body_loads
        return tuple(found)

    def bolt_forces(self) -> list[dict[str, float]]:
        """Return the forces of the tight bolts after each step, by name, as they were tightened.

        What a bolt gains or loses after it is locked is left out, and what an angle adds to its force.
        """
        tight, found = dict[str, float](), list[dict[str, float]]()
        names = dict[str, str]()  # the first name that steps give each bolt
        for step in self.steps:
            wanted = step.tightening
            if wanted is not None and wanted.overlap is None:
                bolt = names.setdefault(wanted.bolt.upper(), wanted.bolt)
                tight.pop(bolt, None)
                if wanted.force:
                    tight[bolt] = wanted.force
            found.append(dict(tight))
        return found

    @property
    def body_loads(self) -> tuple[ActingLoadSpec, ...]:
        """The loads of the body that some step brings."""
        return tuple(acting for step in self.steps for acting in step.own_body_loads)

    @property
    def displacements(self) -> tuple[DisplacementSpec, ...]:
        """The displacements that some step imposes."""
        return tuple(each for step in self.steps for each in step.own_displacements)

    def path_steps(self) -> tuple[Step, ...]:
        """Return the steps.

        Raises:
            ModelError: when there are none.
        """
        if not self.steps:
            raise ModelError(
                f"Analysis {self.name!r} has no steps.",
                "Add one: tighten a bolt, load, unload or a cyclic load.",
            )
        return self.steps

    def step_names(self) -> tuple[str, ...]:
        """Return "Step 2 of 'mounting' (tighten M8)" for each step."""
        return tuple(f"Step {i} of {self.name!r} ({step.label})" for i, step in enumerate(self.steps, 1))

    def recorded_words(self, bolts: Sequence[str]) -> dict[str, Any]:
        """Return that overlaps of bolts, loads at nodes, work and numbers of steps are curves, too."""
        return {
            "overlaps": bolts,
            "applied": self.path_loads.loaded,
            "run": ("external work", "step", "cycle"),
        }

    def step_report(self, finished: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Return the entry of each step."""
        return {"steps": list(finished)}


def _scaled(load: LoadSpec, factor: float) -> LoadSpec:
    """Return a load at a multiple of its size."""
    force, moment = (tuple(factor * each for each in vector) for vector in (load.force, load.moment))
    return load.with_(force=force, moment=moment)
