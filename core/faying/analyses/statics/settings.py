"""Analyses of a body that is held at one interface node, loaded at others and all over, and perhaps preloaded."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from faying.analyses import BodyAnalysis, BodyModel
from faying.analyses.statics.displacements import (
    DisplacementSpec,
    ImposedDisplacements,
    imposed_displacements,
)
from faying.analyses.statics.load_case import LoadCase
from faying.analyses.statics.loads import LoadSpec
from faying.analyses.statics.step_loads import StepLoads
from faying.analyses.statics.supports import held_nowhere, no_motion_as_a_whole
from faying.analyses.step_kinds import Step
from faying.analyses.step_kinds.load import LoadChange
from faying.params import parameter
from faying.progress import Progress
from faying.reduction.acting_loads import ActingLoadSpec
from faying.reduction.body import ReducedBody
from faying.reduction.inertia import centre_of_mass
from faying.reduction.load_modes import numbers_of
from faying.solvers.hard_contact import (
    AnyJointForce,
    HardContactSolution,
    solve_hard_contact,
    solve_with_laws,
)
from faying.solvers.tangent import SparseTangent

_SHARES = np.array([0.25, 0.5, 0.75, 1.0])


class SupportedAnalysis(BodyAnalysis):
    """An analysis of a body that is held at one interface node.

    Attributes:
        may_be_free: whether the body may be held nowhere, its inertia in balance with the loads.
        controls_bolts: whether it locks the lengths of bolts, whose forces preload cases give otherwise.
    """

    may_be_free: ClassVar[bool] = False
    controls_bolts: ClassVar[bool] = False

    support: str = parameter(
        "", title="Held at", choices="interface",
        meaning="Interface node whose six dofs are held. Empty for statics of the free body: it accelerates as a whole "
        "under its loads, and its inertia balances them (inertia relief).",
    )  # fmt: skip

    @property
    def acting_preloads(self) -> tuple[str, ...]:
        """Preload cases that act all the time; none for an analysis that mounts the body itself."""
        return ()

    def path_steps(self) -> tuple[Step, ...]:
        """Return the steps of the load path."""
        return ()

    def step_names(self) -> tuple[str, ...]:
        """Return the names of these steps for error messages; "" for a step that needs none."""
        return ("",) * len(self.path_steps())

    @property
    def path_loads(self) -> StepLoads:
        """The loads of these steps."""
        return StepLoads(self.path_steps())

    @property
    def step_displacements(self) -> list[tuple[DisplacementSpec, ...]]:
        """The displacements of each of these steps."""
        return [step.own_displacements for step in self.path_steps()]

    @property
    def counts_steps(self) -> bool:
        """Whether the number of load steps is given."""
        return False

    def load_columns(self, held: ReducedBody) -> np.ndarray:
        """Return (r, k) generalised forces of the loads of all steps at full size."""
        return self.path_loads.columns(held.interfaces, held.load_columns, held.n_coordinates)

    def require_support(self) -> None:
        """Raise a ModelError when the analysis needs a support and has none."""
        if not self.support and not self.may_be_free:
            raise held_nowhere()

    def clamped_body(self, body: ReducedBody) -> ReducedBody:
        """Return the reduced body clamped at the support, its initial gaps those of the preload cases.

        Without a support it is the free body in its Buckens frame. The inertia forces of rigid body accelerations do no
        work on its coordinates, so they balance the loads without further terms (inertia relief).

        Raises:
            ModelError: when the analysis needs a support and has none.
        """
        self.require_support()
        if not self.support and not body.rigid_mass.any():
            raise no_motion_as_a_whole()
        return body.clamped_to(self.support).preloaded(self.acting_preloads)


class HeldAnalysis(SupportedAnalysis):
    """Common to analyses of a held body: support, loads, preload cases."""

    loads: tuple[LoadSpec, ...] = parameter(
        (), title="Loads", meaning="Forces and moments at interface nodes."
    )
    body_loads: tuple[ActingLoadSpec, ...] = parameter(
        (), title="Loads of the body", meaning="Pressures, weight and other loads that the body declares."
    )
    preloads: tuple[str, ...] = parameter(
        (), title="Preload cases", choices="preload",
        meaning="Preload cases of the body that act at full size, before the loads and all the time.",
    )  # fmt: skip

    def load_cases(self) -> tuple[LoadCase, ...]:
        """Return the loads at full size."""
        friction = self.sees_friction
        return (LoadCase(self.support, self.preloads, self.loads, self.body_loads, friction=friction),)

    @property
    def acting_preloads(self) -> tuple[str, ...]:
        """The parameter `preloads`."""
        return self.preloads

    def path_steps(self) -> tuple[Step, ...]:
        """Return the only step of the load path: to the loads at full size."""
        return (LoadChange(loads=self.loads, body_loads=self.body_loads),)

    def load_path(self, held: ReducedBody) -> np.ndarray:
        """Return (r, k) generalised forces at several shares of the full load, for which sampled joints are made."""
        return np.outer(self.load_columns(held).sum(axis=1), _SHARES)

    def load_factors(self, value: float) -> np.ndarray:
        """Return (n_loads,) factors of the loads at a value of the results' axis, here the share of the full load."""
        return np.full(len(self.loads) + len(self.body_loads), value)

    def load_amounts(self, value: float) -> dict[str, float]:
        """Return {load of the body: factor} at a value of the results' axis."""
        return self.path_loads.amounts(self.load_factors(value))

    def rigid_accelerations(self, held: ReducedBody) -> dict[str, list[float]]:
        """Return the accelerations of a free body under the loads, for the run report; {} for a held one.

        They are those of its centre of mass, and the angular acceleration.
        """
        if self.support:
            return {}
        resultant = np.zeros(6)
        for load in self.loads:
            place = held.nodes[held.interface_nodes[load.interface]]
            resultant += np.array([*load.force, *(np.array(load.moment) + np.cross(place, load.force))])
        if held.loads is not None:
            numbers = numbers_of([acting.load for acting in self.body_loads], held.loads.names)
            resultant += held.loads.resultants[:, numbers] @ [acting.factor for acting in self.body_loads]
        of_origin = np.linalg.solve(held.rigid_mass, resultant)
        of_centre = of_origin[:3] + np.cross(of_origin[3:], centre_of_mass(held.rigid_mass))
        return {"acceleration": of_centre.tolist(), "angular_acceleration": of_origin[3:].tolist()}


class ContactStatics(SupportedAnalysis):
    """Static analyses of a held body in load steps, with contact (penalty law or hard contact) and friction.

    Attributes:
        axis: of the frames, see `faying.results.frame_axes`.
    """

    axis: ClassVar[str]

    friction: bool = parameter(
        True, title="With friction", meaning="Whether the joints' friction laws act, as they do in motion. Switched "
        "off, all joints slide freely.",
    )  # fmt: skip
    load_steps: int = parameter(
        0, title="Load steps", ge=0, le=10000, meaning="Zero leaves them to the program: one step without friction; "
        "with friction as many as the slip and the status of the contact pairs ask for. A number stands for so many "
        "equal steps, whatever changes in them. Each is a frame; one that finds no equilibrium is divided.",
    )  # fmt: skip
    allowed_penetration: float = parameter(
        0.0, title="Allowed penetration", quantity="length", ge=0.0, advanced=True,
        meaning="Hard contact by augmented Lagrange: equilibria are repeated with growing multipliers until no pair "
        "penetrates by more. Zero leaves the contact law its own penetration. In time integration the law always acts "
        "as it is.",
    )  # fmt: skip

    @property
    def sees_friction(self) -> bool:
        """The parameter `friction`."""
        return self.friction

    @property
    def counts_steps(self) -> bool:
        """Whether the parameter `load_steps` is a number of steps."""
        return self.load_steps > 0

    def recorded_words(self, bolts: Sequence[str]) -> dict[str, Any]:
        """Return what curves see in addition to joints, reactions and loads of the body: words of a `RecordedBody`.

        Args:
            bolts: whose cuts are controlled motions.
        """
        return {}

    def step_report(self, finished: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Return the run report's entries of finished steps."""
        return {}

    def reported_friction(self, body: BodyModel) -> str:
        """Return in words whether friction acts, for the run report."""
        rough = [joint.name for joint in body.joints if joint.friction_law is not None]
        if not rough:
            return "no joint has a friction law"
        names = ", ".join(rough)
        return f"acts in {names}" if self.friction else f"switched off: {names} slides freely"

    def equilibrium(
        self,
        stiffness: Any,
        load: np.ndarray,
        joints: Sequence[AnyJointForce],
        start: np.ndarray,
        progress: Progress,
        *,
        histories: Sequence[np.ndarray],
        depths: Sequence[np.ndarray] | None = None,
        constraints: Any = None,
        tangent: SparseTangent | None = None,
        values: np.ndarray | None = None,
    ) -> HardContactSolution:
        """Return the equilibrium with hard contact if it was chosen, else with the contact laws and no multipliers.

        The arguments are those of `solve_hard_contact`.
        """
        if self.allowed_penetration:
            return solve_hard_contact(
                stiffness, load, joints, histories, start, progress,
                allowed_penetration=self.allowed_penetration, depths=depths, constraints=constraints,
                tangent=tangent, values=values,
            )  # fmt: skip
        return solve_with_laws(
            stiffness, load, joints, start, progress, histories=histories, constraints=constraints, tangent=tangent,
            values=values,
        )  # fmt: skip


class DisplacedAnalysis(HeldAnalysis):
    """An analysis of a held body with imposed displacements of interface nodes."""

    displacements: tuple[DisplacementSpec, ...] = parameter(
        (), title="Displacements",
        meaning="Displacements and rotations of interface nodes, from where the preload cases leave the node. In "
        "statics they grow with the loads, over time they follow their load histories. The forces that bring them "
        "about are curves.",
    )  # fmt: skip

    def load_cases(self) -> tuple[LoadCase, ...]:
        """Return the loads and displacements at full size."""
        return tuple(replace(case, displacements=self.displacements) for case in super().load_cases())

    def path_steps(self) -> tuple[Step, ...]:
        """Return the only step of the load path: to the loads and displacements at full size."""
        step = LoadChange(loads=self.loads, body_loads=self.body_loads, displacements=self.displacements)
        return (step,)

    def imposed(self, motions: Mapping[str, np.ndarray]) -> ImposedDisplacements | None:
        """Return the constraints of the parameter `displacements`; None without any.

        Args:
            motions: (6, r) or (3, r) motion of each interface node by name, seen from the support.

        Raises:
            ModelError: as `imposed_displacements`.
        """
        return imposed_displacements(self.displacements, motions, self.support)


class HeldStatics(ContactStatics, DisplacedAnalysis):
    """Load steps up to given loads.

    Preload cases act first and without friction, as their preload modes do: the mounted body rests, and the slip of
    pairs that touch counts from there. Displaced nodes are free until then, and go from where the preload brought them.
    """

    axis: ClassVar[str] = "load"
