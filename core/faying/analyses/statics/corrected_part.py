"""Newton corrections on the unreduced body of a flexible part, started from frames of a system's motion.

The part moves with its floating frame. On the FE model its nodes have the accelerations of the frame's motion (Shabana
2020, section 5.3) and of the deformation in it; these, damping, weight, preload and the loads of the body act as given
forces. What holds and drives the part, constraints and force elements, acts at its interface nodes with the forces and
moments that the motion has there. A fit to the balance of the trial vectors would not do: at nodes whose rotations are
no coordinates, large moments that the trial vectors hardly feel would balance each other on the FE model.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg as la

from faying.analyses import BodyModel, SystemModel, needed
from faying.analyses.recording.stored_state import stored_state, system_at
from faying.analyses.statics.corrected_body import CorrectedBody
from faying.analyses.transient import Transient
from faying.errors import ModelError
from faying.fem.assembly import rigid_body_modes
from faying.multibody.assembly import assemble
from faying.multibody.part import RIGID
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.multibody.parts.flexible import FlexiblePart
from faying.params import build
from faying.reduction.inertia import turning_matrices
from faying.results.results import Results
from faying.solvers.integrators import State, consistent_start
from faying.spatial.rotations import body_rates, rotation_matrix


class CorrectedPart(CorrectedBody):
    """The unreduced body of a flexible part, loaded as in the frames of its motion.

    It is held at the node that the part's frame is clamped to, or at another interface node; since the loads are in
    balance, the support carries nothing.

    Args:
        body: with basis, reduced body, matrices and system.
        motion: results of the system's motion.
        part: name of the part.
        most, accuracy: as of `CorrectedBody`.

    Attributes:
        unbalanced: largest share of the forces of a frame that are out of balance on the trial vectors: by moments of
            forces at deformed places, and what the FE model feels otherwise than the reduced one.

    Raises:
        ModelError: when the part has no contact in its joints, touches other parts, or has no node to hold it at.
    """

    def __init__(self, body: BodyModel, motion: Results, part: str, most: int, accuracy: float) -> None:
        system = needed(body.system)
        spec = _flexible_part(system, part)
        super().__init__(body, motion.part(part), _alone(spec, body), most, accuracy)
        at = assemble(system.spec, system.flexible_bodies())
        self._system, self._freedom = at.independent, at.freedom
        if system.spec.touches(part):
            raise ModelError(
                f"Part {part!r} touches other parts, and the forces on its surfaces are not known on its FE model.",
                "Correct frames of a part that only constraints and forces at its interface nodes act on.",
            )
        self._motion, self._spec = motion, spec
        self.unbalanced = 0.0

    def summary(self) -> dict[str, Any]:
        """Return the entry of the run report on forces out of balance."""
        return {"unbalanced_loads": self.unbalanced}

    def _moving(self, frames: Sequence[int], loads: np.ndarray) -> np.ndarray:
        """Return (n_dofs, k) inertia and damping forces, weight, and forces at the interface nodes."""
        states = [self._state(frame) for frame in frames]
        known = np.stack([self._inertia_forces(state) for state in states], axis=1)
        each = zip((loads + known).T, frames, states, strict=True)
        return np.asarray(known + np.stack([self._at_nodes(*one) for one in each], axis=1))

    def _state(self, frame: int) -> State:
        """Return the state of the system at a frame, with the accelerations by its equations of motion."""
        system, _ = system_at(self._system, self._freedom, self._motion, frame)
        return consistent_start(system, *stored_state(system, self._motion, frame))

    def _inertia_forces(self, state: State) -> np.ndarray:
        """Return (n_dofs,) inertia and damping forces and the weight, along the axes of the part's frame."""
        of_part, mass = self._system.of_part, self._matrices.mass
        q, v, a = (of_part(self._spec.name, x) for x in (state.q, state.v, state.all_accelerations))
        axes, rates = rotation_matrix(q[3:RIGID]), body_rates(q[3:RIGID])
        spin, turn = rates @ v[3:RIGID], rates @ a[3:RIGID]  # H̄' ṗ is zero
        u, flow, bent = self._modes @ np.stack([q[RIGID:], v[RIGID:], a[RIGID:]], axis=1).T[..., None]
        u, flow, bent = u[:, 0], flow[:, 0], bent[:, 0]
        drift = axes.T @ (a[:3] - self._system.gravity)

        def across(axis: np.ndarray, field: np.ndarray) -> np.ndarray:
            return np.asarray(sum(c * (t @ field) for c, t in zip(axis, self._turning, strict=True)))

        def turned_back(axis: np.ndarray, force: np.ndarray) -> np.ndarray:
            return np.asarray(sum(c * (t.T @ force) for c, t in zip(axis, self._turning, strict=True)))

        # Lagrange's terms of T = ½ ∫ρ (Ṙ + ω × (x + u) + u̇)², which for rotations of nodes are not quite those of −M a.
        force = -(mass @ (self._rigid @ np.concatenate([drift, turn]) + across(turn, u) + bent))
        force += turned_back(spin, mass @ flow) - mass @ across(spin, flow)
        force += turned_back(spin, mass @ (self._rigid[:, 3:] @ spin + across(spin, u)))
        if self._damping.any():
            force -= self._damping_shape @ (self._damping @ v[RIGID:])
        return np.asarray(force)

    def _at_nodes(self, known: np.ndarray, frame: int, state: State) -> np.ndarray:
        """Return (n_dofs,) forces at the interface nodes of a frame, in balance with the known ones (n_dofs,).

        They are those of constraints and force elements. The motion has them at the deformed places, the FE model at
        the undeformed ones: the small moments and forces that this leaves are spread over the nodes that bear any.
        """
        borne = self._borne(state)
        acting = np.asarray(
            sum((self.fe.motions[n].T @ wrench for n, wrench in borne.items()), np.zeros(len(known)))
        )
        q = needed(self.start.coordinates(frame))
        histories = self._stored_histories(frame)
        contact = sum(
            joint.evaluate(q, history, 0.0, jacobian=False).force
            for joint, history in zip(self._part.joints, histories, strict=True)
        )
        wanted = np.concatenate([np.zeros(6), self._part.body.stiffness @ q - contact])
        given = self._fields.T @ known
        left = self._row_scales * (wanted - given - self._fields.T @ acting)
        size = max(np.linalg.norm(self._row_scales * each) for each in (wanted - given, given))
        if size:
            self.unbalanced = max(self.unbalanced, float(np.linalg.norm(left)) / float(size))
        nodes = np.vstack([self.fe.motions[n] * self._units_at(n) for n in borne or self.fe.motions]).T
        on_rigid = self._rigid.T @ nodes
        return np.asarray(acting - nodes @ la.lstsq(on_rigid, self._rigid.T @ (known + acting))[0])

    def _borne(self, state: State) -> dict[str, np.ndarray]:
        """Return by name force and moment (6,), or (3,) without, on interface nodes, along the axes of the frame."""
        part, name = self._part, self._spec.name
        axes = rotation_matrix(self._system.of_part(name, state.q)[3:RIGID])
        node_of = {each: each for each in self.fe.motions} | {m.name: m.interface for m in self._spec.markers}
        found = {each: np.zeros(len(rows)) for each, rows in self.fe.motions.items()}
        for marker, wrench in self._system.wrenches_on(name, state).items():
            force, moment = axes.T @ wrench[:3], axes.T @ wrench[3:]
            node = node_of.get(marker)
            if marker == "frame" and self._spec.frame:  # it moves with that node, but is in the origin
                node = self._spec.frame
                moment = moment - np.cross(part.body.nodes[part.body.interface_nodes[node]], force)
            if node:
                found[node] += np.concatenate([force, moment])[: len(found[node])]
        for lump in self._spec.lumped_masses:
            place = f"{name}.{lump.interface}"
            moved, _ = self._system.marker_accelerations(place, state.q, state.v, state.all_accelerations)
            found[lump.interface][:3] -= lump.mass * (axes.T @ (moved - self._system.gravity))
        return {each: wrench for each, wrench in found.items() if wrench.any()}

    def _units_at(self, node: str) -> np.ndarray:
        """Return (6, 1) or (3, 1) units of forces and moments at a node: moments of unit forces at the body's size."""
        return np.repeat([1.0, self._size], 3)[: len(self.fe.motions[node]), None]

    @cached_property
    def _size(self) -> float:
        """Length of the body."""
        return float(np.ptp(self._part.body.nodes, axis=0).max())

    @cached_property
    def _part(self) -> FlexiblePart:
        found = next(part for part in self._system.parts if part.name == self._spec.name)
        assert isinstance(found, FlexiblePart)
        return found

    @cached_property
    def _rigid(self) -> np.ndarray:
        """(n_dofs, 6) rigid motions about the origin of the part's frame, that of the deck."""
        return rigid_body_modes(needed(self._body.model).nodes, self._matrices.dofs)

    @cached_property
    def _turning(self) -> list[Any]:
        return turning_matrices(self._matrices.dofs)

    @cached_property
    def _modes(self) -> np.ndarray:
        """(n_dofs, r) the trial vectors as they move in the part's frame."""
        modes, rows = needed(self._body.basis).modes, self._matrices.dofs.displacement_rows
        off = rows @ modes - self._part.body.displacements
        return np.asarray(modes - self._rigid @ la.lstsq(rows @ self._rigid, off)[0])

    @cached_property
    def _fields(self) -> np.ndarray:
        """(n_dofs, 6 + r) virtual motions."""
        return np.hstack([self._rigid, self._modes])

    @cached_property
    def _row_scales(self) -> np.ndarray:
        """(6 + r,) that make forces of the virtual motions: one over how far each of them moves nodes, in the mean."""
        moved = self._matrices.dofs.displacement_rows @ self._fields
        return np.asarray(1.0 / np.sqrt((moved**2).mean(axis=0)))

    @cached_property
    def _damping(self) -> np.ndarray:
        """(r, r) of the coordinates."""
        return self._spec.damping_matrix(needed(self._body.reduced))

    @cached_property
    def _damping_shape(self) -> np.ndarray:
        """(n_dofs, r) forces, each of which does work on one coordinate alone: those of masses that would move so.

        Damping forces −D v are distributed so, too, for the reason in `CorrectedBody._accelerations`.
        """
        momenta = self._matrices.mass @ self._fields
        return np.asarray(momenta @ np.linalg.inv(self._fields.T @ momenta)[:, 6:])


def _flexible_part(system: SystemModel, name: str) -> FlexiblePartSpec:
    """Return the part of that name.

    Raises:
        ModelError: when it is none with contact in its joints.
    """
    parts = [part for part in system.spec.parts if isinstance(part, FlexiblePartSpec) and part.joint_contact]
    for part in parts:
        if part.name == name:
            return part
    known = ", ".join(part.name for part in parts) or "none"
    raise ModelError(
        f"The system has no flexible part {name!r} with contact in its joints.", f"There are: {known}."
    )


def _alone(part: FlexiblePartSpec, body: BodyModel) -> Transient:
    """Return a motion of the body alone with the part's preload and loads.

    Raises:
        ModelError: when no interface node can hold the body.
    """
    held = part.frame or next(
        (n for n, rows in needed(body.reduced).interfaces.items() if len(rows) == 6), ""
    )
    if not held:
        raise ModelError(
            f"Body {body.name!r} of part {part.name!r} has no interface node with rotations.",
            "Add one: the FE model of the part is held there while it is corrected, and the node carries nothing.",
        )
    words = {"name": part.name, "body": body.name, "support": held, "preloads": part.preloads}
    loads = [each.model_dump(mode="json") for each in part.body_loads]
    return build(Transient, {**words, "body_loads": loads})
