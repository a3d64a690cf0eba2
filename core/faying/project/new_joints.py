"""A new kinematic joint between two parts: its markers and the constraint as one edit."""

from dataclasses import dataclass, replace

import numpy as np

from faying.fem.added_couplings import CouplingSpec
from faying.multibody.joints_of_faces import JointOfFaces
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.multibody.placement import seen_from_frame, with_few_digits
from faying.multibody.system_spec import GROUND, SystemSpec
from faying.project import edits
from faying.project.paths import SpecPath
from faying.project.recorded import RecordedEdit
from faying.project.specs import Project
from faying.spatial.rotations import rotation_about, rotation_matrix, rotation_vector


@dataclass(frozen=True, eq=False)
class JointSide:
    """One side of a joint.

    Attributes:
        part: its name, "ground" for ground.
        origin, turn: (3,) and (3, 3) of its frame where the system starts.
        interface: node that the marker sits on, of a part that deforms; "" for a place in the frame.
        coupling: of a face of its body, whose new node that interface node becomes; None for one that is there.
    """

    part: str
    origin: np.ndarray
    turn: np.ndarray
    interface: str = ""
    coupling: CouplingSpec | None = None


def moved_side(system: SystemSpec, joint: JointOfFaces, parts: tuple[str, str]) -> int | None:
    """Return which of two parts is moved as a whole so that the markers of a new joint meet.

    None where they do meet, or where no part can be moved alone: ground, parts that deform and parts that other
    constraints hold are left to assembly.
    """
    if joint.away <= 1e-9 * float(np.abs(joint.places).max(initial=1e-300)) and joint.tilt <= 1e-7:
        return None
    held = {name.partition(".")[0] for each in system.constraints for name in each.marker_names()}
    rigid = {part.name for part in system.parts if not isinstance(part, FlexiblePartSpec)}
    return next((k for k in (1, 0) if parts[k] in rigid - held), None)


def _brought(joint: JointOfFaces, moves: int, side: JointSide) -> JointSide:
    """Return one side moved so that its marker meets the other one, by the smallest turn of its z axis.

    A slide between flat faces has their normal along x: a part that faces the wrong way is turned over about z.
    """
    place, wanted = joint.places[moves], joint.places[1 - moves]
    z, towards = joint.axes[moves][:, 2], joint.axes[1 - moves][:, 2]
    across = np.cross(z, towards)
    sine = float(np.linalg.norm(across))
    angle = float(np.arctan2(sine, float(z @ towards)))
    # A part that is to be turned over turns about the marker's x axis.
    about = across / sine if sine > 1e-9 else joint.axes[moves][:, 0]
    turn = rotation_matrix(rotation_about(angle * about))
    if (
        (turn @ joint.axes[moves][:, 0]) @ joint.axes[1 - moves][:, 0] < -0.999
        and sine <= 1e-9
        and angle == 0.0
    ):
        turn = rotation_matrix(rotation_about(np.pi * z))
    return replace(side, origin=wanted + turn @ (side.origin - place), turn=turn @ side.turn)


def new_joint(
    project: Project, system: str, joint: JointOfFaces, name: str, sides: tuple[JointSide, JointSide]
) -> RecordedEdit:
    """Return the edit that adds a marker to both parts and the constraint between them, called alike.

    Where the markers are apart, the part that `moved_side` names is placed so that they meet.

    Args:
        project: before.
        system: name of the system.
        joint: kind, places and axes.
        name: of the constraint; markers whose name is taken are numbered.
        sides: the parts.
    """
    number = [each.name for each in project.systems].index(system)
    parts = {part.name: i for i, part in enumerate(project.systems[number].parts)}
    steps, markers = list[RecordedEdit](), list[str]()
    moves = moved_side(project.systems[number], joint, (sides[0].part, sides[1].part))
    if moves is not None:
        one, two = sides
        sides = (one, _brought(joint, 1, two)) if moves else (_brought(joint, 0, one), two)
        # Once brought, both markers are in one place.
        still = 1 - moves
        joint = replace(joint, places=joint.places[[still, still]], axes=joint.axes[[still, still]])
        path: SpecPath = ("systems", number, "parts", parts[sides[moves].part], "placement")
        rotation = with_few_digits(rotation_vector(sides[moves].turn))
        place = {"position": with_few_digits(sides[moves].origin), "rotation": rotation}
        steps.append(edits.set_values(path, place))
    for side, place, axes in zip(sides, joint.places, joint.axes, strict=True):
        at: SpecPath = ("systems", number, "ground")
        taken = {"origin"}
        if side.part != GROUND:
            at = ("systems", number, "parts", parts[side.part], "markers")
            body = project.systems[number].parts[parts[side.part]].body_name()
            taken = {"frame", "centre of mass"}
            taken |= {i.name for each in project.bodies if each.name == body for i in each.interfaces}
        wish = name.replace(".", " ")
        own = edits.unused_name(project, at, f"{wish} marker" if wish in taken else wish)
        words = {"name": own, **seen_from_frame(place, axes, side.origin, side.turn)}
        if side.coupling is not None:
            body = project.systems[number].parts[parts[side.part]].body_name()
            steps.append(edits.add_coupling(body, side.coupling, side.interface))
        if side.interface:
            words |= {"interface": side.interface, "position": (0.0, 0.0, 0.0)}
        steps.append(edits.add_marker(system, side.part, words))
        markers.append(f"{side.part}.{own}")
    first, second = joint.order
    constraint = {"kind": joint.kind, "name": name, "first": markers[first], "second": markers[second]}
    return edits.together([*steps, edits.add_constraint(system, constraint)])
