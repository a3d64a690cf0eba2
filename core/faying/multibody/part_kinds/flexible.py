"""Flexible parts."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import numpy as np

from faying.errors import ModelError
from faying.joints.sampled import acting_joint
from faying.multibody.bodies import FlexibleBody
from faying.multibody.body_load import body_load_force, body_load_markers
from faying.multibody.contacts.surface import PartSurface, surface_of_body
from faying.multibody.forces import Force
from faying.multibody.markers import Marker
from faying.multibody.part import Part
from faying.multibody.part_kinds import PartSpec, part_kinds
from faying.multibody.parts.damping import (
    DampingBand,
    banded_damping,
    modal_damping,
    period_damping,
    rayleigh_damping,
)
from faying.multibody.parts.flexible import FlexiblePart, InterfaceMarker
from faying.multibody.placement import MarkerSpec
from faying.params import Spec, parameter
from faying.reduction.acting_loads import ActingLoadSpec
from faying.reduction.body import ReducedBody
from faying.reduction.load_modes import numbers_of
from faying.spatial.rotations import rotation_matrix


class LumpedMassSpec(Spec):
    """A point mass that is fixed to an interface node."""

    interface: str = parameter(
        title="Interface node", choices="interface", meaning="The interface node that the mass moves with."
    )
    mass: float = parameter(1.0, title="Mass", quantity="mass", gt=0.0, meaning="Of the point.")


@part_kinds.register("flexible")
class FlexiblePartSpec(PartSpec):
    """A body of the project, with small deformations about a floating frame and contact in its joints.

    Its interface nodes are markers under their own names.
    """

    title: ClassVar[str] = "Flexible part"

    body: str = parameter(title="Body", choices="body", meaning="The project's body.")
    frame: str = parameter(
        "", title="Frame clamped to", choices="interface",
        meaning="Interface node that the floating frame moves with; mass and modal damping are then of vibrations with "
        "this node at rest. Empty for a frame that follows the body as a whole.",
    )  # fmt: skip
    free_frame: Literal["mean_axes", "principal_axes"] = parameter(
        "mean_axes", title="Free frame follows", advanced=True,
        meaning="What a floating frame follows that is clamped to no interface node. Mean axes: the mean motion "
        "(Buckens), which keeps deformations smallest. Principal axes: the centre of mass and the principal axes of "
        "inertia; no two of the three moments may be alike. Motions in space are the same but for terms of second "
        "order in the deformation, and of the square of spin over vibration frequency.",
    )  # fmt: skip
    joint_contact: bool = parameter(
        True, title="Contact in the joints", meaning="Whether contact and friction act in the body's joints."
    )
    preloads: tuple[str, ...] = parameter(
        (), title="Preload cases", choices="preload", meaning="Preload cases of the body that act all the time."
    )  # fmt: skip
    body_loads: tuple[ActingLoadSpec, ...] = parameter(
        (), title="Loads of the body",
        meaning="Pressures and other loads that the body declares; they turn with the part.",
    )  # fmt: skip
    lumped_masses: tuple[LumpedMassSpec, ...] = parameter(
        (), title="Point masses", meaning="Masses at interface nodes in addition to the mass of the FE model."
    )
    stiffness_damping: float = parameter(
        0.0, title="Stiffness damping", quantity="time", ge=0.0, meaning="β of a damping matrix α M + β K."
    )
    mass_damping: float = parameter(
        0.0, title="Mass damping", quantity="frequency", ge=0.0,
        meaning="α of a damping matrix α M + β K; it damps deformations only.",
    )  # fmt: skip
    modal_damping: tuple[float, ...] = parameter(
        (), title="Modal damping", advanced=True,
        meaning="Damping ratios of the vibration modes of the part, from the lowest on.",
    )  # fmt: skip
    damping_bands: tuple[tuple[float, float], ...] = parameter(
        (), title="Damping by frequency", advanced=True,
        meaning="Pairs of frequency and damping ratio: modes below that frequency, and above the one before, "
        "have that ratio. Instead of ratios mode by mode.",
    )  # fmt: skip
    rest_damping: float = parameter(
        0.0, title="Damping of all higher modes", ge=0.0, advanced=True,
        meaning="Damping ratio of the modes that neither list names.",
    )  # fmt: skip
    damped_period: float = parameter(
        0.0, title="Damped period of fast modes", quantity="time", ge=0.0, advanced=True,
        meaning="Fast modes, those of local deformation in a joint, are damped until all swing with this period; zero "
        "for none. As long as possible, but short compared to the vibrations of interest. Adds to the other damping.",
    )  # fmt: skip
    damped_above: float = parameter(
        0.0, title="Fast modes above", quantity="frequency", ge=0.0, advanced=True,
        meaning="Frequency of the fastest mode that matters; zero for the damped period's own.",
    )  # fmt: skip
    transition_damping: float = parameter(
        0.05, title="Damping in between", ge=0.0, advanced=True,
        meaning="Damping ratio of the modes above that frequency which are slower than the damped period.",
    )  # fmt: skip

    def body_name(self) -> str:
        """Return the body."""
        return self.body

    def surface_names(self, of_body: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the contact surfaces of the body."""
        return tuple(of_body)

    def surface(self, name: str, built: Part, bodies: Mapping[str, FlexibleBody]) -> PartSurface | None:
        """Return a contact surface of the body, which deforms with it."""
        assert isinstance(built, FlexiblePart)
        chosen = built.body.surfaces.get(name)
        return None if chosen is None else surface_of_body(chosen, built.body, built.origin)

    def own_forces(self, bodies: Mapping[str, FlexibleBody]) -> tuple[Force, ...]:
        """Return the loads of the body that act on the part."""
        if not self.body_loads or self.body not in bodies:
            return ()
        loads = self.reduced_of(bodies[self.body].reduced).loads
        return tuple(
            body_load_force(self.name, loads, acting.load, acting.factor, acting.time_history)
            for acting in self.body_loads
        )

    def build(self, bodies: Mapping[str, FlexibleBody]) -> Part:
        """Return the flexible part; its frame's axes and origin are those of the deck.

        Raises:
            ModelError: when the body, its frame's interface node or a preload case is missing.
        """
        if self.body not in bodies:
            raise ModelError(
                f"Part {self.name!r}: there is no body called {self.body!r}.", "Choose one of the project's."
            )
        body = bodies[self.body]
        self.require_own_names(body.reduced.interface_nodes)
        reduced = self.reduced_of(body.reduced)
        laws = body.laws if self.joint_contact else ()
        samples = body.samples or (None,) * len(laws)
        joints = [
            acting_joint(rows, contact, friction, sample)
            for rows, (contact, friction), sample in zip(reduced.joints, laws, samples, strict=False)
        ]
        damping = self.damping_matrix(body.reduced)
        return FlexiblePart(
            self.name,
            reduced,
            damping=damping if damping.any() else None,
            joints=joints,
            markers=[self._on_node(marker) for marker in self.markers],
            origin=np.zeros(3),
            load=reduced.preload_force(self.preloads) if self.preloads else None,
            inner=self._load_markers(reduced),
        )

    def damping_matrix(self, body: ReducedBody) -> np.ndarray:
        """Return (r, r) the damping that the part gives a free body, with that of its superelements.

        It is of modes with the node at rest that the frame is clamped to, or else of free ones.
        """
        body = self._with_masses(body).clamped_to(self.frame)
        damping = rayleigh_damping(body, self.mass_damping, self.stiffness_damping)
        if self.damping_bands:
            bands = [DampingBand(frequency, ratio) for frequency, ratio in self.damping_bands]
            damping = damping + banded_damping(body, bands, self.rest_damping)
        elif self.modal_damping or self.rest_damping:
            damping = damping + modal_damping(body, self.modal_damping, self.rest_damping)
        if self.damped_period:
            above = self.damped_above or 1.0 / self.damped_period
            damping = damping + period_damping(body, self.damped_period, above, self.transition_damping)
        return damping if body.damping is None else damping + body.damping

    def _load_markers(self, reduced: ReducedBody) -> list[Marker]:
        """Return the markers of the loads that act on the part.

        Raises:
            ModelError: for a load that is not there, cannot act in motion, or acts twice.
        """
        loads, found = reduced.loads, list[Marker]()
        names = [acting.load for acting in self.body_loads]
        for name, number in zip(names, numbers_of(names, loads.names if loads else ()), strict=True):
            assert loads is not None
            if reason := loads.not_in_motion[number]:
                raise ModelError(
                    f"Part {self.name!r} cannot move under the load {name!r} of its body: {reason}.",
                    "Take the load off the part; analyses of the body alone may apply it.",
                )
            if names.count(name) > 1:
                raise ModelError(
                    f"Part {self.name!r} has the load {name!r} twice.", "Give it one factor and one history."
                )
            found += body_load_markers(loads, name)
        return found

    def reduced_of(self, body: ReducedBody) -> ReducedBody:
        """Return the body with its point masses in the part's frame, about the state under its preload cases."""
        body = self._with_masses(body).clamped_to(self.frame)
        if self.free_frame == "principal_axes" and not self.frame:
            try:
                body = body.in_principal_axes()
            except ModelError as error:
                raise ModelError(f"Part {self.name!r}: {error.message}", error.hint) from None
        return body.preloaded(self.preloads)

    def _with_masses(self, body: ReducedBody) -> ReducedBody:
        for lump in self.lumped_masses:
            body = body.with_mass_at(lump.interface, lump.mass)
        return body

    def _on_node(self, marker: MarkerSpec) -> InterfaceMarker:
        if not marker.interface:
            raise ModelError(
                f"Marker {marker.name!r} of the flexible part {self.name!r} sits on no interface node.",
                "Choose the interface node that it moves with; the material between them has no place of its own.",
            )
        return InterfaceMarker(marker.name, marker.interface, rotation_matrix(marker.euler_parameters))
