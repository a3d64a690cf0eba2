"""What the 3D view shows of a multibody system: shapes and frames of its parts as far as they were computed."""

from collections.abc import Mapping

import numpy as np

from faying.multibody.assembly import Assembled
from faying.multibody.part_kinds.flexible import FlexiblePartSpec
from faying.multibody.system_spec import SystemSpec
from faying.project.specs import Project
from faying.results.field import Pose
from faying.results.results import Results
from faying.spatial.rotations import rotation_about, rotation_matrix
from faying_app.computed import Computed
from faying_app.scene.system_picture import PartShape, SystemPicture, context_of, picture_of
from faying_app.scene.systems import SystemContext
from faying_app.system_rows import parts_with_models


def found_for(project: Project, computed: Computed, system: SystemSpec) -> tuple[object, ...]:
    """Return the data that drawing a system needs besides its decisions: models, contact pairs and its start."""
    found = list[object]()
    for body in project.bodies:
        if body.name in system.body_names():
            pairs = [computed.pairs(body.name, joint.name) for joint in body.contact_joints]
            found += [computed.model(body.name), *pairs]
    return (*found, computed.assembled(system))


def present_picture(project: Project, computed: Computed, system: SystemSpec) -> SystemPicture:
    """Return a system as it can be drawn now, without parts whose models have not been read yet."""
    poses = start_poses(computed, system)
    return picture_of(project, system, _shapes(project, computed, system), poses, computed.base)


def _shapes(project: Project, computed: Computed, system: SystemSpec) -> dict[str, PartShape]:
    """Return the shapes of the parts whose models have been read, with the joints whose pairs have been found."""
    shapes = {}
    for part, body, model, _ in parts_with_models(project, computed, system):
        skin = computed.skin(body.name)
        if skin is None:
            continue
        pairs, slaves = {}, {}
        for joint in body.contact_joints if isinstance(part, FlexiblePartSpec) else ():
            found = computed.pairs(body.name, joint.name)
            surface = computed.surface(body.name, joint, "slave")
            if found is not None and surface is not None:
                pairs[joint.name], slaves[joint.name] = found, surface
        shapes[part.name] = PartShape(body, model, skin, pairs, slaves)
    return shapes


def frames_of(
    computed: Computed,
    system: SystemSpec,
    picture: SystemPicture,
    results: Results,
    true: Mapping[str, Results],
    shape: int = 0,
) -> SystemContext:
    """Return the frames of a motion, with the fields of its flexible parts: true ones as far as they are there.

    Of frames with several shapes they are those of the number `shape`.
    """
    contexts = {
        part.name: computed.part_context(part, results.part(part.name, shape), true.get(part.name))
        for part in system.parts
        if isinstance(part, FlexiblePartSpec)
    }
    return context_of(system, picture, results, contexts, shape)


def start_poses(computed: Computed, system: SystemSpec) -> tuple[Pose, ...]:
    """Return the initial positions of the parts: assembled if known, else as placed."""
    at = computed.assembled(system)
    if isinstance(at, Assembled):
        found = [at.system.of_part(part.name, at.position) for part in system.parts]
        return tuple((q[:3], rotation_matrix(q[3:7])) for q in found)
    return tuple(
        (np.array(p.placement.position), rotation_matrix(rotation_about(np.array(p.placement.rotation))))
        for p in system.parts
    )
