"""Friction in a kinematic joint, whose limit follows from the joint's own reaction."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from faying.errors import ModelError, there_are
from faying.joints.friction_laws import FrictionLaw, Traction, friction_laws
from faying.multibody.constraints import Constraint
from faying.multibody.forces import Force, Reading, ScalarOfMotion, forces
from faying.multibody.markers import MarkerMotion
from faying.multibody.rows import angle_about_z, angle_row_about_z, unwrapped
from faying.params import build, fields_of, member_of, parameter
from faying.spatial.rotations import cross, rotation_vector

_SUITABLE = ("revolute", "translational", "cylindrical", "universal", "spherical")
_PER_AREA = ("contact_stiffness", "contact_damping")  # quantities
_TIME, _BEGUN, _TURN, _SLIDE, _FIRST_TURN, _FIRST_SLIDE, _PRESS, _WORK, _OWN = range(9)
# Of a ball joint, in the same array: slip in both directions, and behind the history of the law what turns it.
_SLIPS, _TURNED, _LINE, _DIRECTION = slice(_TURN, _FIRST_TURN), slice(-15, -6), slice(-6, -3), slice(-3, None)


@forces.register("joint_friction")
class JointFriction(Force):
    """Friction of a revolute, translational, cylindrical, universal or spherical constraint by a friction law.

    The law's slip is s = R φ about the axis and the displacement along it, and its normal force

        N = |F across the axis| + (R_f/R) |F along the axis| + |M about the axes across| / (b/2) + preload

    of the reaction of the same correction, where the constraint takes these components. A ball of radius R is pressed
    to its socket at one point by N = |F| + preload, and its slip is that of this point in the two directions across the
    force: turning about the line of the force does not rub. The cross of a universal joint rubs in the bearings of each
    of its axes with N = |F| + |M|/(b/2) + preload, b being their distance. Friction sticks elastically before it slips,
    so that a joint holds at an angle for ever. The equilibrium that a run starts from is found without it; in a
    quasi-static run it has the reactions of the state before.
    """

    rubs: ClassVar[bool] = True
    readings: ClassVar[tuple[Reading, ...]] = (
        Reading("friction force", "force", "Friction along the joint's axis, on the second marker."),
        Reading(
            "friction moment",
            "moment",
            "Friction about the joint's axis, on the second marker; of ball and universal joints its amount.",
        ),
        Reading(
            "slip",
            "length",
            "Slip since the start: radius times angle, with the displacement along the axis.",
        ),
        Reading("friction work", "energy", "What it has dissipated and stored since the start."),
    )

    constraint: str = parameter(
        title="Constraint", choices="constraint",
        meaning="A revolute, translational, cylindrical, universal or spherical constraint.",
    )  # fmt: skip
    friction_law: member_of(friction_laws) = parameter(  # type: ignore[valid-type]
        {"kind": "coulomb"}, title="Friction law", meaning="Friction over slip; pressure is the normal force per area."
    )  # fmt: skip
    radius: float = parameter(
        10.0,
        title="Radius",
        quantity="length",
        gt=0.0,
        meaning="Radius R of the pin or the ball, where it rubs.",
    )
    collar_radius: float = parameter(
        0.0, title="Radius of the collar", quantity="length", ge=0.0,
        meaning="Mean radius R_f of the collar that takes the axial force of a revolute constraint; zero for none.",
    )  # fmt: skip
    length: float = parameter(
        0.0, title="Length of the bearing", quantity="length", ge=0.0,
        meaning="Length b between the ends of the bearing, or between the bearings of a cross, which take tilting "
        "moments; zero: these press nothing.",
    )  # fmt: skip
    preload: float = parameter(
        0.0,
        title="Preload",
        quantity="force",
        ge=0.0,
        meaning="Normal force in addition, of a seal or a clamp.",
    )
    stiffness: float = parameter(
        1e4, title="Sticking stiffness", quantity="stiffness", gt=0.0,
        meaning="Friction per slip while it sticks, for a friction law that leaves its own open.",
    )  # fmt: skip
    area: float | None = parameter(
        None, title="Area", quantity="area", gt=0.0, advanced=True,
        meaning="Where the law's stress acts; needed by a law with a stiffness or viscosity of its own, per area.",
    )  # fmt: skip

    @classmethod
    def example(cls) -> dict[str, Any]:
        """Return that of a constraint."""
        return {**super().example(), "constraint": "pivot"}

    def problem(self) -> tuple[str, str]:
        """Return what keeps it from working, as a clause, and a hint; twice "" where nothing does."""
        if self.area is not None:
            return "", ""
        for name, field, extra in fields_of(self.friction_law):
            if extra.get("quantity") in _PER_AREA and getattr(self.friction_law, name):
                return (
                    f"has no area, and {str(field.title).lower()} is per area in its friction law",
                    "Give the area, or one of 1 for numbers that are of the whole joint.",
                )
        return "", ""

    def marker_names(self) -> tuple[str, ...]:
        """Return none: it acts at the markers of its constraint."""
        return ()

    def wrenches(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> np.ndarray:
        """Return (0,): only the force that `bound` returns acts."""
        return np.zeros(0)

    def changes(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return twice (0, 0)."""
        return np.zeros((0, 0)), np.zeros((0, 0))

    def bound(
        self, constraints: Mapping[str, Constraint], measures: Mapping[str, ScalarOfMotion]
    ) -> "BoundFriction":
        """Return the friction at the markers of its constraint.

        Raises:
            ModelError: when there is no such constraint, it is of another kind, or an area is missing.
        """
        clause, hint = self.problem()
        if clause:
            raise ModelError(f"The friction {self.name!r} {clause}.", hint)
        found = constraints.get(self.constraint)
        if found is None:
            hint = there_are(self.constraint, constraints)
            raise ModelError(
                f"There is no constraint {self.constraint!r}, in which {self.name!r} rubs.", hint
            )
        if found.kind not in _SUITABLE:
            raise ModelError(
                f"{self.name!r} cannot rub in {self.constraint!r}, which is {found.title.lower()}.",
                f"Name a constraint that is {', '.join(_SUITABLE[:-1])} or {_SUITABLE[-1]}.",
            )
        first, second = found.marker_names()
        own = {name: getattr(self, name) for name in type(self).model_fields}
        bound = {"spherical": BallFriction, "universal": CrossFriction}.get(found.kind, BoundFriction)
        return build(bound, {**own, "first": first, "second": second, "joint": found.kind})


class BoundFriction(JointFriction):
    """Friction at the markers of its constraint.

    It remembers of an accepted state: time, whether it has begun, angle and displacement, those at the start, normal
    force, work, and the history of the law.
    """

    first: str
    second: str
    joint: str

    def marker_names(self) -> tuple[str, ...]:
        """Return both markers of the constraint."""
        return self.first, self.second

    def first_angles(self) -> np.ndarray:
        """Return (k,) zeros: nothing has slipped."""
        return np.zeros(_OWN + self.friction_law.history_size)

    def under(self, force: np.ndarray, moment: np.ndarray, last: np.ndarray) -> np.ndarray:
        """Return (k,) what it remembers, with the normal force of a reaction."""
        return self._with_press(last, self.press(force, moment))

    def press(self, force: np.ndarray, moment: np.ndarray) -> float:
        """Return the normal force for force (3,) and moment (3,) of the constraint."""
        found = float(np.hypot(force[0], force[1])) + self.preload
        if self.joint == "revolute":
            found += self.collar_radius / self.radius * abs(float(force[2]))
        if self.joint == "translational":
            found += abs(float(moment[2])) / self.radius
        if self.length > 0.0:
            found += float(np.hypot(moment[0], moment[1])) / (0.5 * self.length)
        return found

    def wrenches(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> np.ndarray:
        """Return (12,) forces and moments on both markers, against the slip."""
        traction, rows, _ = self._traction(markers, time, angles, derivatives=False)
        return np.asarray(-self._area * traction.stress[0] @ rows)

    def at_unit_press(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> np.ndarray:
        """Return (12,) wrenches per normal force where it slides against the slip; zeros where nothing slips."""
        pressed = self._with_press(angles, max(float(angles[_PRESS]), 1e-300))
        traction, rows, _ = self._traction(markers, time, pressed, derivatives=False)
        size = float(np.linalg.norm(traction.stress[0]))
        slope = float(self._law.sticking_limit(np.array([pressed[_PRESS] / self._area]))[1][0])
        return np.asarray(-slope / size * traction.stress[0] @ rows) if size > 0.0 else np.zeros(12)

    def changes(
        self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return (12, 12) its change with the slip, which turning of the axis hardly adds to, and zeros for speeds."""
        traction, rows, _ = self._traction(markers, time, angles, derivatives=True)
        assert traction.d_slip is not None
        return -self._area * rows.T @ traction.d_slip[0] @ rows, np.zeros((12, 12))

    def remembered(self, markers: Sequence[MarkerMotion], time: float, last: np.ndarray) -> np.ndarray:
        """Return (k,) what it remembers of an accepted state."""
        turn, slide = self._places(markers, last)
        if not last[_BEGUN]:
            found = np.zeros_like(last)
            found[:_WORK] = time, 1.0, turn, slide, turn, slide, last[_PRESS]
            return found
        before = self._stress(last)
        traction, _, _ = self._traction(markers, time, last, derivatives=False)
        found = last.copy()
        found[[_TIME, _TURN, _SLIDE]] = time, turn, slide
        change = np.array([self.radius * (turn - last[_TURN]), slide - last[_SLIDE]])
        found[_WORK] += 0.5 * self._area * float((before + traction.stress[0]) @ change)
        found[self._own] = traction.history[0]
        return found

    def read(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> tuple[float, ...]:
        """Return friction force, friction moment, slip and friction work."""
        if not angles[_BEGUN]:
            return 0.0, 0.0, 0.0, 0.0
        traction, _, slip = self._traction(markers, time, angles, derivatives=False)
        turning, sliding = -self._area * traction.stress[0]
        now = self.remembered(markers, time, angles)
        return float(sliding), float(turning * self.radius), float(np.linalg.norm(slip)), float(now[_WORK])

    @property
    def _area(self) -> float:
        """The area; any one does for a law that has nothing per area."""
        return 1.0 if self.area is None else self.area

    @property
    def _law(self) -> FrictionLaw:
        law: FrictionLaw = self.friction_law
        return law.beside(self.stiffness / self._area)

    @property
    def _own(self) -> slice:
        return slice(_OWN, _OWN + self.friction_law.history_size)

    def _with_press(self, last: np.ndarray, press: float) -> np.ndarray:
        found = last.copy()
        found[_PRESS] = press
        return found

    def _stress(self, last: np.ndarray) -> np.ndarray:
        """Return (2,) the law's stress at the accepted state itself."""
        slip = np.array(
            [[self.radius * (last[_TURN] - last[_FIRST_TURN]), last[_SLIDE] - last[_FIRST_SLIDE]]]
        )
        return np.asarray(self._evaluate(slip, last, 0.0, derivatives=False).stress[0])

    def _traction(
        self, markers: Sequence[MarkerMotion], time: float, last: np.ndarray, *, derivatives: bool
    ) -> tuple[Traction, np.ndarray, np.ndarray]:
        """Return the law's answer, rows (2, 12) of the slip over virtual motions, and the slip (2,)."""
        turn, slide = self._places(markers, last)
        start = last if last[_BEGUN] else np.array([0.0, 1.0, turn, slide, turn, slide])
        slip = np.array([self.radius * (turn - start[_FIRST_TURN]), slide - start[_FIRST_SLIDE]])
        answer = self._evaluate(slip[None], last, max(time - start[_TIME], 0.0), derivatives=derivatives)
        return answer, self._rows(markers), slip

    def _evaluate(self, slip: np.ndarray, last: np.ndarray, step: float, *, derivatives: bool) -> Traction:
        law = self._law
        limit = law.sticking_limit(np.array([last[_PRESS] / self._area]))[0]
        return law.traction(slip, limit, last[None, self._own], step, derivatives=derivatives)

    def _places(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> tuple[float, float]:
        """Return the continuous angle about the axis and the displacement along it; zero where the joint has none."""
        i, j = markers
        turns, slides = self.joint != "translational", self.joint != "revolute"
        turn = unwrapped(angle_about_z(i, j), float(last[_TURN])) if turns else 0.0
        return turn, float((j.position - i.position) @ i.axes[:, 2]) if slides else 0.0

    def _rows(self, markers: Sequence[MarkerMotion]) -> np.ndarray:
        i, j = markers
        rows = np.zeros((2, 12))
        if self.joint != "translational":
            rows[0] = self.radius * angle_row_about_z(i, j)[0]
        if self.joint != "revolute":
            axis = i.axes[:, 2]
            rows[1, :3], rows[1, 3:6], rows[1, 6:9] = -axis, cross(axis, j.position - i.position), axis
        return rows


class CrossFriction(BoundFriction):
    """Friction in the bearings of a cross, about x of the first marker and about y of the second.

    Each axis has a law of its own; in what is remembered the slip about y has the place of a displacement.
    """

    def first_angles(self) -> np.ndarray:
        """Return (k,) zeros: nothing has slipped."""
        return np.zeros(_OWN + 2 * self.friction_law.history_size)

    def press(self, force: np.ndarray, moment: np.ndarray) -> float:
        """Return the normal force for force (3,) and moment (3,) of the constraint, which is across both axes."""
        found = float(np.linalg.norm(force)) + self.preload
        return found + float(np.linalg.norm(moment)) / (0.5 * self.length) if self.length > 0.0 else found

    def read(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> tuple[float, ...]:
        """Return no friction force, the amount of the friction moment, slip and friction work."""
        if not angles[_BEGUN]:
            return 0.0, 0.0, 0.0, 0.0
        traction, _, slip = self._traction(markers, time, angles, derivatives=False)
        moment = self._area * self.radius * float(np.linalg.norm(traction.stress[0]))
        now = self.remembered(markers, time, angles)
        return 0.0, moment, float(np.linalg.norm(slip)), float(now[_WORK])

    @property
    def _own(self) -> slice:
        return slice(_OWN, _OWN + 2 * self.friction_law.history_size)

    def _evaluate(self, slip: np.ndarray, last: np.ndarray, step: float, *, derivatives: bool) -> Traction:
        law = self._law
        limit = np.repeat(law.sticking_limit(np.array([last[_PRESS] / self._area]))[0], 2)
        own = last[self._own].reshape(2, -1)
        each = law.traction(
            np.column_stack([slip[0], np.zeros(2)]), limit, own, step, derivatives=derivatives
        )
        change = None if each.d_slip is None else np.diag(each.d_slip[:, 0, 0])[None]
        return Traction(
            each.stress[None, :, 0], each.history.reshape(1, -1), np.array([each.slipping.any()]), change
        )

    def _places(self, markers: Sequence[MarkerMotion], last: np.ndarray) -> tuple[float, float]:
        """Return the continuous angle about x of the first marker, and the radius times that about y of the second."""
        (x, y, z), (own_x, own_y, own_z) = (marker.axes.T for marker in markers)
        first = float(np.arctan2(z @ own_y, y @ own_y))
        second = float(np.arctan2(x @ own_z, x @ own_x))
        return (
            unwrapped(first, float(last[_TURN])),
            self.radius * unwrapped(second, float(last[_SLIDE]) / self.radius),
        )

    def _rows(self, markers: Sequence[MarkerMotion]) -> np.ndarray:
        i, j = markers
        rows = np.zeros((2, 12))
        # Both parts turn against each other by δα x_i + δβ y_j.
        rows[:, 9:] = self.radius * np.stack([i.axes[:, 0], j.axes[:, 1]])
        rows[:, 3:6] = -rows[:, 9:]
        return rows


class BallFriction(BoundFriction):
    """Friction of a ball at the point that is pressed to its socket.

    It remembers of an accepted state, in addition to time, slip, normal force, work and the history of the law: the
    rotation matrix between the markers, the line of the force and a direction across it, along the first marker's axes.
    """

    def first_angles(self) -> np.ndarray:
        """Return (k,) of a ball that has not turned, pressed along z."""
        return np.concatenate([super().first_angles(), np.eye(3).ravel(), [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])

    def under(self, force: np.ndarray, moment: np.ndarray, last: np.ndarray) -> np.ndarray:
        """Return (k,) what it remembers, with normal force and directions of slip for a reaction."""
        found, size = self._with_press(last, self.press(force, moment)), float(np.linalg.norm(force))
        if size == 0.0:
            return found
        # The directions follow the line of the force without turning about it.
        line = force / (size if force @ last[_LINE] >= 0.0 else -size)
        across = last[_DIRECTION] - (last[_DIRECTION] @ line) * line
        if across @ across < 1e-12:
            across = cross(line, cross(line, last[_LINE]))
        found[_LINE], found[_DIRECTION] = line, across / np.linalg.norm(across)
        return found

    def press(self, force: np.ndarray, moment: np.ndarray) -> float:
        """Return the normal force for force (3,) of the constraint."""
        return float(np.linalg.norm(force)) + self.preload

    def remembered(self, markers: Sequence[MarkerMotion], time: float, last: np.ndarray) -> np.ndarray:
        """Return (k,) what it remembers of an accepted state."""
        found = last.copy()
        found[[_TIME, _BEGUN]], found[_TURNED] = (time, 1.0), _relative(*markers).ravel()
        if not last[_BEGUN]:
            return found
        traction, _, slip = self._traction(markers, time, last, derivatives=False)
        before = self._evaluate(last[None, _SLIPS], last, 0.0, derivatives=False).stress[0]
        found[_SLIPS], found[self._own] = slip, traction.history[0]
        found[_WORK] += 0.5 * self._area * float((before + traction.stress[0]) @ (slip - last[_SLIPS]))
        return found

    def read(self, markers: Sequence[MarkerMotion], time: float, angles: np.ndarray) -> tuple[float, ...]:
        """Return no friction force, the amount of the friction moment, slip and friction work."""
        if not angles[_BEGUN]:
            return 0.0, 0.0, 0.0, 0.0
        traction, _, slip = self._traction(markers, time, angles, derivatives=False)
        moment = self._area * self.radius * float(np.linalg.norm(traction.stress[0]))
        now = self.remembered(markers, time, angles)
        return 0.0, moment, float(np.linalg.norm(slip)), float(now[_WORK])

    def _traction(
        self, markers: Sequence[MarkerMotion], time: float, last: np.ndarray, *, derivatives: bool
    ) -> tuple[Traction, np.ndarray, np.ndarray]:
        """Return the law's answer, rows (2, 12) of the slip over virtual motions, and the slip (2,)."""
        i, _ = markers
        first, line = last[_DIRECTION], last[_LINE]
        # A turn by δπ moves the point at R n by R δπ × n, along t by R δπ·(n × t).
        turning = self.radius * np.stack([cross(line, first), -first])
        slip, step = last[_SLIPS], 0.0
        if last[_BEGUN]:
            turn = rotation_vector(_relative(*markers) @ last[_TURNED].reshape(3, 3).T)
            slip, step = slip + turning @ turn, max(time - last[_TIME], 0.0)
        rows = np.zeros((2, 12))
        rows[:, 9:] = turning @ i.axes.T
        rows[:, 3:6] = -rows[:, 9:]
        return self._evaluate(slip[None], last, step, derivatives=derivatives), rows, slip


def _relative(i: MarkerMotion, j: MarkerMotion) -> np.ndarray:
    """Return the axes (3, 3) of the second marker along those of the first one."""
    return np.asarray(i.axes.T @ j.axes)
