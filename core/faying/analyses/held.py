"""Analyses of a body that is held at one interface node, loaded at others and all over, and perhaps preloaded."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp

from faying.analyses import BodyAnalysis, BodyModel, JointModel
from faying.analyses.displacements import DisplacementSpec, ImposedDisplacements, imposed_displacements
from faying.analyses.load_case import LoadCase
from faying.analyses.loads import LoadSpec, all_load_columns, applied_force
from faying.errors import ModelError
from faying.joints.friction_laws import FrictionLaw
from faying.params import parameter
from faying.progress import Progress
from faying.reduction.acting_loads import ActingLoadSpec
from faying.reduction.body import ReducedBody, cannot_hold, no_interface_node
from faying.reduction.inertia import centre_of_mass
from faying.reduction.load_modes import LoadModes, ReducedLoads, missed_share, numbers_of
from faying.results.names import path_of
from faying.solvers.equilibrium import solve_equilibrium
from faying.solvers.hard_contact import AnyJointForce, HardContactSolution, solve_hard_contact
from faying.solvers.load_steps import Solve
from faying.solvers.tangent import SparseTangent


def support_rows(body: BodyModel, support: str) -> sp.csr_matrix:
    """Return CSR (6, n_dofs), the motion of the interface node that holds an unreduced body.

    Raises:
        ModelError: when there is no such interface node, or it has no rotations.
    """
    assert body.matrices is not None
    if not support:
        raise held_nowhere()
    if support not in body.interface_nodes:
        raise no_interface_node(support, body.interface_nodes)
    dofs = body.matrices.dofs
    rows: sp.csr_matrix = dofs.transformation[dofs.node_rows(body.interface_nodes[support])]
    if rows.shape[0] < 6:
        raise cannot_hold(support)
    return rows


def reported_accelerations(rigid_mass: np.ndarray, resultant: np.ndarray) -> dict[str, list[float]]:
    """Return for the run report the acceleration of a free body's centre of mass, and its angular acceleration.

    Args:
        rigid_mass: (6, 6) mass of the rigid motions about the origin.
        resultant: (6,) force, and moment about the origin.
    """
    of_origin = np.linalg.solve(rigid_mass, resultant)
    of_centre = of_origin[:3] + np.cross(of_origin[3:], centre_of_mass(rigid_mass))
    return {"acceleration": of_centre.tolist(), "angular_acceleration": of_origin[3:].tolist()}


def held_nowhere() -> ModelError:
    """Return the error that an analysis needs a support and has none."""
    return ModelError(
        "The analysis holds the body nowhere, which only statics can do: inertia relief.",
        "Choose an interface node that holds the body.",
    )


def acting_amounts(acting: Sequence[ActingLoadSpec], factors: Iterable[float]) -> dict[str, float]:
    """Return {load of a body: how much of it acts}, the sum of its factors times those of its load histories."""
    amounts: dict[str, float] = {}
    for each, factor in zip(acting, factors, strict=True):
        amounts[each.load] = amounts.get(each.load, 0.0) + each.factor * float(factor)
    return amounts


def acting_temperatures(
    acting: Iterable[ActingLoadSpec], loads: LoadModes | ReducedLoads | None
) -> dict[str, np.ndarray]:
    """Return the temperature changes (n,) of loads that act, by their path in the results."""
    if loads is None:
        return {}
    names = {each.load for each in acting}
    each = zip(loads.names, loads.temperatures, strict=True)
    return {
        path_of("temperatures", name): values for name, values in each if values is not None and name in names
    }


_SHARES = np.array([0.25, 0.5, 0.75, 1.0])


class SupportedAnalysis(BodyAnalysis):
    """An analysis of a body that is held at one interface node.

    Attributes:
        may_be_free: whether the body may be held nowhere, its inertia in balance with the loads.
    """

    may_be_free: ClassVar[bool] = False

    support: str = parameter(
        "", title="Held at", choices="interface",
        meaning="Interface node whose six dofs are held. Empty for statics of the free body: it accelerates as a whole "
        "under its loads, and its inertia balances them (inertia relief).",
    )  # fmt: skip


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

    def held_body(self, body: ReducedBody) -> ReducedBody:
        """Return the reduced body clamped at the support, its initial gaps those of the preload cases.

        Without a support it is the free body in its Buckens frame. The inertia forces of rigid body accelerations do no
        work on its coordinates, so they balance the loads without further terms (inertia relief).

        Raises:
            ModelError: when the analysis needs a support and has none.
        """
        if not self.support and not self.may_be_free:
            raise held_nowhere()
        if not self.support and not body.rigid_mass.any():
            raise ModelError(
                "The body's file has no motion of it as a whole, so it cannot be held nowhere.",
                "Hold it at the frame of its coordinates.",
            )
        return body.clamped_to(self.support).preloaded(self.preloads)

    def load_columns(self, held: ReducedBody) -> np.ndarray:
        """Return (r, n_loads) generalised forces of the loads at full size."""
        return all_load_columns(self.loads, held.interfaces, self.body_loads, held.load_columns)

    def load_path(self, held: ReducedBody) -> np.ndarray:
        """Return (r, k) generalised forces at several shares of the full load, for which sampled joints are made."""
        return np.outer(self.load_columns(held).sum(axis=1), _SHARES)

    def fe_load_columns(self, body: BodyModel, motions: Mapping[str, np.ndarray]) -> np.ndarray:
        """Return (n_dofs, n_loads) forces of the loads at full size on the unreduced body.

        Args:
            body: with matrices, and the loads that act.
            motions: (6, n_dofs) or (3, n_dofs) motion of each interface node by name.
        """
        return all_load_columns(self.loads, dict(motions), self.body_loads, body.load_columns)

    def imposed(self, motions: Mapping[str, Any]) -> ImposedDisplacements | None:
        """Return the imposed displacements; None without any.

        Args:
            motions: (6, n) or (3, n) motion of each interface node by name, seen from the support; dense or CSR.

        Raises:
            ModelError: as `imposed_displacements`.
        """
        return None

    def load_factors(self, value: float) -> np.ndarray:
        """Return (n_loads,) factors of the loads at a value of the results' axis, here the share of the full load."""
        return np.full(len(self.loads) + len(self.body_loads), value)

    @property
    def acting_loads(self) -> tuple[str, ...]:
        """Names of the loads of the body that act, each once."""
        return tuple(dict.fromkeys(acting.load for acting in self.body_loads))

    def load_amounts(self, value: float) -> dict[str, float]:
        """Return {load of the body: factor} at a value of the results' axis."""
        return acting_amounts(self.body_loads, self.load_factors(value)[len(self.loads) :])

    def acting_temperatures(self, loads: LoadModes | ReducedLoads | None) -> dict[str, np.ndarray]:
        """Return the temperature changes (n,) of loads that act, by path; their factors are curves."""
        return acting_temperatures(self.body_loads, loads)

    def rigid_accelerations(self, held: ReducedBody) -> dict[str, list[float]]:
        """Return the rigid body accelerations of a free body under the loads, for the run report; {} for a held one."""
        if self.support:
            return {}
        resultant = np.zeros(6)
        for load in self.loads:
            place = held.nodes[held.interface_nodes[load.interface]]
            resultant += np.array([*load.force, *(np.array(load.moment) + np.cross(place, load.force))])
        if held.loads is not None:
            numbers = numbers_of([acting.load for acting in self.body_loads], held.loads.names)
            resultant += held.loads.resultants[:, numbers] @ [acting.factor for acting in self.body_loads]
        return reported_accelerations(held.rigid_mass, resultant)

    def load_error(self, held: ReducedBody, factors: np.ndarray, stored: float) -> dict[str, float]:
        """Return the run report's error of the responses to loads of the body (`missed_share`); {} without such loads.

        Args:
            held: the reduced body.
            factors: (n_loads,) factors of the loads.
            stored: twice the elastic energy.
        """
        if not self.body_loads:
            return {}
        amounts = acting_amounts(self.body_loads, factors[len(self.loads) :])
        return {"load_error": missed_share(held.loads, amounts, stored)}

    def applied(self, held: ReducedBody | None, factors: np.ndarray | None = None) -> float:
        """Return the sum of the magnitudes of all external forces.

        Args:
            held: the reduced body, for the resultants of its loads; None leaves these out.
            factors: (n, n_loads) factors over time, of which the largest counts; full size without them.
        """
        nodes = len(self.loads)
        whole = applied_force(self.loads, None if factors is None else factors[:, :nodes])
        if held is None or held.loads is None:
            return whole
        numbers = numbers_of([acting.load for acting in self.body_loads], held.loads.names)
        sizes = np.linalg.norm(held.loads.resultants[:3, numbers], axis=0)
        sizes *= np.abs([acting.factor for acting in self.body_loads])
        shares = 1.0 if factors is None else np.abs(factors[:, nodes:]).max(axis=0, initial=0.0)
        return whole + float((sizes * shares).sum())


class ContactStatics(SupportedAnalysis):
    """Static analyses of a held body in load steps, with contact (penalty law or hard contact) and friction."""

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

    def acting_friction(self, joint: JointModel) -> FrictionLaw | None:
        """Return the friction law of a joint, None where it is switched off."""
        return joint.friction_law if self.friction else None

    def stored_shapes(self, history: np.ndarray) -> dict[str, tuple[int, ...]]:
        """Return the shapes of a joint's stored values: friction history, and gap offset of hard contact, if any."""
        shapes: dict[str, tuple[int, ...]] = {"history": history.shape} if history.size else {}
        return {**shapes, "gap_offset": history.shape[:1]} if self.allowed_penetration else shapes

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
        x, responses, report = solve_equilibrium(
            stiffness,
            load,
            joints,
            histories,
            start,
            progress,
            constraints=constraints,
            tangent=tangent,
            values=values,
        )
        return HardContactSolution(x, responses, [], [], report, 1)


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

    def imposed(self, motions: Mapping[str, Any]) -> ImposedDisplacements | None:
        """Return the constraints of the parameter `displacements`."""
        return imposed_displacements(self.displacements, motions, self.support)


class HeldStatics(ContactStatics, DisplacedAnalysis):
    """Load steps up to given loads.

    Preload cases act first and without friction, as their preload modes do: the mounted body rests, and the slip of
    pairs that touch counts from there. Displaced nodes are free until then, and go from where the preload brought them.
    """

    def step_solver(
        self,
        stiffness: Any,
        preload: np.ndarray,
        load: np.ndarray,
        joints: Sequence[AnyJointForce],
        *,
        constraints: Any = None,
        tangent: SparseTangent | None = None,
        values: Callable[[float], np.ndarray] | None = None,
    ) -> Solve:
        """Return the function that solves a load step: the equilibrium under the preload and a share of the load.

        Args:
            stiffness, preload, load, joints: of the held body, reduced or not.
            constraints, tangent: as of `solve_hard_contact`.
            values: function from a share of the load to the values of the constraints; zero without it.
        """

        def solve(
            share: float,
            guess: np.ndarray,
            histories: list[np.ndarray],
            depths: list[np.ndarray] | None,
            progress: Progress,
        ) -> HardContactSolution:
            return self.equilibrium(
                stiffness, preload + share * load, joints, guess, progress, histories=histories, depths=depths,
                constraints=constraints, tangent=tangent, values=None if values is None else values(share),
            )  # fmt: skip

        return solve
