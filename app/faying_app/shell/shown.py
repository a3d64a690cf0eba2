"""What the 3D view shows: a pure function of decisions, selection, view state and of what was computed.

The same inputs give the same objects, so that the scene finds what differs from the content before.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from faying.fem.model import FeModel
from faying.fem.skin import Skin, elements_and_faces
from faying.fem.surface import Surface
from faying.multibody.system_spec import GROUND, SystemSpec
from faying.project.contact_sides import ContactSide
from faying.project.paths import value_at
from faying.project.specs import BodySpec, Project
from faying.project.stage import Target, target_of
from faying.results.fields import FieldContext
from faying_app.computed import Computed
from faying_app.entities import (
    analysis_at,
    body_at,
    contact_path,
    is_deck_item,
    joint_at,
    kind_of,
    system_at,
)
from faying_app.scene.colours import ColourStyle
from faying_app.scene.content import (
    BodyStyle,
    DisplayOptions,
    Highlight,
    SceneContent,
    Subject,
    content_of_model,
)
from faying_app.scene.cutting import NEAR_SIDE, plane_along
from faying_app.scene.facet_groups import FacetGroups, joint_groups, material_groups
from faying_app.scene.system_picture import SystemPicture, moved_blocks
from faying_app.scene.visuals.probes import row_of_node
from faying_app.selection import SMOOTH_ANGLE, EntityPath, PickedSide, Selection
from faying_app.shell.symbols import symbols_of
from faying_app.shell.system_picture import found_for, frames_of, present_picture
from faying_app.view_state import ColourBy, ViewValues

# Kinds of visuals that each value of the view state switches.
_SWITCHES = {
    "mesh_edges": ("mesh_edges",),
    "surfaces": ("surfaces",),
    "points": ("pairs",),
    "values_at_points": ("joint_points",),
    "normals": ("normals",),
    "frames": ("frames",),
    "couplings": ("couplings",),
    "symbols": ("symbols", "supports", "springs", "system", "system_forces", "system_names"),
    "centre_of_mass": ("centre_of_mass",),
    "traces": ("traces",),
    "reactions": ("reactions",),
    "legend": ("legend",),
    "extremes": ("extremes",),
    "undeformed": ("undeformed",),
}
# Lists of a body whose members have a surface, and what it is called while one of them is selected.
_SURFACED = {
    "couplings": "Coupled surface", "supports": "Supported surface", "loads": "Loaded surface", "bolts": "Shank",
}  # fmt: skip


def shown(project: Project, selection: Selection, view: ViewValues, computed: Computed) -> SceneContent:
    """Return what the 3D view shows, without its frame.

    That of a body whose model is not there has its name alone.

    Args:
        project: the decisions.
        selection: the selected entity, pairs and faces.
        view: how things are shown.
        computed: gives models, pairs, frames.
    """
    path = selection.entity
    system, body = system_at(project, path), body_at(project, path)
    if system is None and not project.bodies and project.systems:
        system = project.systems[0]
    if system is not None:
        content = _system(project, selection, view, computed, system)
    elif body is not None:
        content = _body(project, selection, view, computed, body)
    else:
        content = SceneContent()
    content = replace(content, units=project.units, probes=probes_of(content, view))
    return with_view(replace(content, highlight=highlight_of(project, selection, computed, content)), view)


def with_view(content: SceneContent, view: ViewValues) -> SceneContent:
    """Return a content with the display settings of the view state."""
    switches = {kind: bool(getattr(view, name)) for name, kinds in _SWITCHES.items() for kind in kinds}
    style: BodyStyle = "auto" if view.ghost else "solid"
    return replace(content, display=display_of(view), switches=switches, body_style=style)


def display_of(view: ViewValues) -> DisplayOptions:
    """Return how frames are to be shown."""
    # What is left out lies on the side from which one looks at first, so that the cut is seen.
    sections = tuple(
        plane_along(cut.axis, cut.at, NEAR_SIDE[cut.axis] * (-1.0 if cut.flipped else 1.0))
        for cut in view.sections
    )
    return DisplayOptions(
        units=tuple(sorted(view.units.items())),
        joint_scale=view.joint_scale,
        reference=view.reference,
        reference_turns=view.reference_turns,
        sections=sections,
        section_ghost=view.section_ghost,
        opened=view.opened,
        isolines=view.isolines,
        style=ColourStyle(
            sequential=view.colour_map,
            diverging=view.signed_map,
            is_reversed=view.colours_reversed,
            gaps_reversed=view.gaps_reversed,
            bands=view.bands,
            logarithmic=view.logarithmic,
        ),
        opacity=view.opacity,
        marker_size=view.marker_size,
        background=view.background,
    )


def probes_of(content: SceneContent, view: ViewValues) -> tuple[int, ...]:
    """Return the rows of the probed nodes of what is shown."""
    wanted = (
        [p for p in view.probes if p.subject == content.subject.name] if content.model is not None else []
    )
    rows = [row_of_node(content, probe.part, probe.node) for probe in wanted]
    return tuple(row for row in rows if row is not None)


# A body ---------------------------------------------------------------------------------------------


def _body(
    project: Project, selection: Selection, view: ViewValues, computed: Computed, body: BodySpec
) -> SceneContent:
    """Return a body with the selected joint, or with the frames of the selected analysis."""
    model, skin = computed.model(body.name), computed.skin(body.name)
    if model is None or skin is None:
        return SceneContent(subject=Subject(body.name))
    hidden = frozenset(part for name, part in view.hidden_parts if name == body.name)
    parts = computed.parts(body.name) if hidden else None
    facets, visible = None, skin
    if hidden and parts is not None:
        labels = parts[0]
        facets, visible = computed.last(
            "visible facets", (skin, hidden), lambda: _without_parts(skin, labels, hidden)
        )
    groups = _groups(computed, body, model, skin, view.colour_by)
    if groups is not None and facets is not None:
        groups = groups.of(facets)
    marked = selection.marked
    analysis, frames = (
        analysis_at(project, selection.entity),
        _frames_of_body(project, selection, computed, body, view.frame),
    )
    content = replace(
        content_of_model(model, visible),
        subject=Subject(body.name, None, skin, facets, frames[0]),
        symbols=symbols_of(project, selection.entity, computed, body, model),
        groups=groups,
        marks=marked.points if marked is not None and marked.body == body.name else np.zeros((0, 3)),
        **_joint(project, selection, computed, body, skin, has_frames=frames[1] is not None),
    )
    if frames[1] is None:
        return content
    pairs = {joint.name: computed.pairs(body.name, joint.name) for joint in body.contact_joints}
    slaves = {joint.name: computed.surface(body.name, joint, "slave") for joint in body.contact_joints}
    return replace(
        content,
        title=computed.title_of(analysis) if analysis is not None else "Mode shapes",
        context=frames[1],
        joint_pairs={name: found for name, found in pairs.items() if found is not None},
        joint_slaves={name: found for name, found in slaves.items() if found is not None},
    )


def _groups(
    computed: Computed, body: BodySpec, model: FeModel, skin: Skin, by: ColourBy
) -> FacetGroups | None:
    """Return the facets of a body's skin by part, material or joint; None for one colour."""
    if by == "part":
        found, names = computed.parts(body.name), computed.part_names(body.name)
        if found is None:
            return None
        return FacetGroups(found[0], tuple(names[i][0] if i in names else "" for i in range(found[1])))
    if by == "material":
        return material_groups(model, skin.surface)
    if by == "joint":
        joints = [
            (joint.name, [s for s in sides if s is not None])
            for joint in body.joints
            for sides in [[computed.surface(body.name, joint, role) for role in ("master", "slave")]]
        ]
        return joint_groups(skin.surface, joints)
    return None


def _without_parts(skin: Skin, labels: np.ndarray, hidden: Iterable[int]) -> tuple[np.ndarray, Skin]:
    facets = np.flatnonzero(~np.isin(labels, list(hidden)))
    return facets, skin.part(facets)


def _frames_of_body(
    project: Project, selection: Selection, computed: Computed, body: BodySpec, number: int
) -> tuple[tuple[str, ...] | None, FieldContext | None]:
    """Return the frames of the selected analysis, or the modes where they are selected, after a key of them.

    While true fields are computed, the key says whether those of the frame of this number are there.
    """
    analysis = analysis_at(project, selection.entity)
    if analysis is not None:
        key: tuple[str, ...]
        shown_one = computed.shown_analysis(analysis)
        mark = computed.state(Target("analysis", body.name, shown_one.name))
        key = ("results", mark.key, "complete" if mark.kind == "ready" else "growing")
        is_true, found = computed.context_so_far(shown_one, number)
        if is_true:
            key = (*key, "true")
    elif kind_of(selection.entity) in ("reduction", "joint_modes"):
        found = computed.modes_context(body.name)
        key = ("modes", computed.state(Target("body", body.name)).key)
    else:
        return None, None
    return (None, None) if found is None else (key, found)


def _joint(
    project: Project,
    selection: Selection,
    computed: Computed,
    body: BodySpec,
    skin: Skin,
    *,
    has_frames: bool,
) -> dict[str, Any]:
    """Return surfaces and pairs of the selected joint; the pairs also next to frames, for highlights."""
    path, proposed = selection.entity, selection.proposed
    if proposed is not None and proposed.body == body.name:
        master, slave = computed.last(
            "proposed joints",
            (skin, proposed),
            lambda: (
                skin.chosen(proposed.master, "of proposed joints"),
                skin.chosen(proposed.slave, "of proposed joints"),
            ),
        )
        return {"master": master, "slave": slave}
    joint = joint_at(project, path)
    chosen = joint is not None and len(path) >= 3 and path[2] == "joints"
    found: dict[str, Any] = {}
    if joint is not None and (chosen or has_frames):
        found["pairs"] = computed.pairs(body.name, joint.name)
    if joint is not None and chosen:
        found["master"] = computed.surface(body.name, joint, "master")
        found["slave"] = computed.surface(body.name, joint, "slave")
        if len(path) >= 5 and path[4] in ("master", "slave"):
            found["front"] = str(path[4])
    if len(path) >= 4 and path[2] == "contact_surfaces":
        of_surface = computed.contact_surface(body, value_at(project, path[:4]))
        found["slave"] = of_surface[1] if isinstance(of_surface, tuple) else None
        found["roles"] = ("", "Contact surface")
    if len(path) >= 4 and path[:1] == ("bodies",) and path[2] in _SURFACED:
        value = value_at(project, path[:4])
        wanted = getattr(value, "shank", None) or getattr(value, "surface", None)
        if wanted is not None:
            found["slave"] = computed.chosen_surface(body.name, wanted)
            found["roles"] = ("", _SURFACED[str(path[2])])
    return found


# A system -------------------------------------------------------------------------------------------


def _system(
    project: Project, selection: Selection, view: ViewValues, computed: Computed, system: SystemSpec
) -> SceneContent:
    """Return the parts of a system, and its motion if an analysis of it is selected."""
    picture = computed.last(
        "picture of a system",
        (system, *found_for(project, computed, system)),
        lambda: present_picture(project, computed, system),
    )
    content = replace(
        content_of_model(picture.model, picture.skin, picture.shown),
        subject=Subject(system.name, system),
        title="" if system.parts else f"{system.name} has no parts yet: Model ▸ System ▸ Add part",
        **_contact(project, selection, computed, system, picture),
    )
    analysis = analysis_at(project, selection.entity)
    results = computed.results(analysis.name) if analysis is not None else None
    if results is None or analysis is None or set(results.part_names) != {p.name for p in system.parts}:
        return content
    mark = computed.state(target_of(analysis))
    key: tuple[str, ...] = ("motion", mark.key, "complete" if mark.kind == "ready" else "growing")
    true = computed.true_parts(analysis)
    # Other frames as soon as the one that is looked at has true fields: its values are kept.
    key = (*key, *(f"{name}, true" for name, found in true.items() if view.frame < found.n_frames))
    shape = min(max(view.shape, 0), results.n_shapes - 1)
    if shape:
        key = (*key, f"shape {shape}")
    context = computed.last(
        "motion of a system",
        (picture, results, key, *true.values()),
        lambda: frames_of(computed, system, picture, results, true, shape),
    )
    return replace(
        content,
        subject=Subject(system.name, system, frames=key),
        title=computed.title_of(analysis),
        context=context,
        joint_pairs=picture.pairs,
        joint_slaves=picture.slaves,
    )


def _contact(
    project: Project, selection: Selection, computed: Computed, system: SystemSpec, picture: SystemPicture
) -> dict[str, Any]:
    """Return both sides of the selected contact, of one that is being picked, or the selected rigid surface."""
    path, picked = selection.entity, selection.sides
    sides: list[PickedSide] = [side for side in picked if side.system == system.name]
    if not sides and (at := contact_path(project, path)):
        contact = value_at(project, at)
        names = [name.partition(".") for name in (contact.master, contact.slave)]
        sides = [PickedSide(system.name, owner, own) for owner, _, own in names]
    elif not sides and kind_of(path) == "rigid_surface":
        owner = GROUND if path[2] == "ground_surfaces" else str(value_at(project, path[:4]).name)
        sides = [PickedSide(system.name, owner, str(value_at(project, path).name))]
    each = computed.last(
        "sides of a contact",
        (tuple(sides), picture, project),
        lambda: [_side(computed, system, picture, side) for side in sides],
    )
    (master, first), (slave, second) = [*each, (None, ""), (None, "")][:2]
    single = len(sides) == 1 and not picked
    return {
        "master": master, "slave": slave, "touching": (first, second),
        "roles": ("Contact surface", "") if single else ("Master", "Slave"),
    }  # fmt: skip


def _side(
    computed: Computed, system: SystemSpec, picture: SystemPicture, side: PickedSide
) -> tuple[Surface | None, str]:
    """Return the facets of a side among those of all parts, or the name of a rigid surface, "" for none."""
    name = f"{side.part}.{side.surface}"
    part = next((part for part in picture.shown.parts if part.name == side.part), None)
    surface = None
    if side.face is not None:
        skin = computed.skin(side.face.body)
        if skin is not None:
            surface = skin.chosen(skin.grow(side.face.facet, SMOOTH_ANGLE), name)
    else:
        found = computed.contact_side(system, name)
        if isinstance(found, ContactSide) and found.spec is not None:
            return None, name
        surface = found.surface if isinstance(found, ContactSide) else None
    if surface is None or part is None or part.rows.stop <= part.rows.start:
        return None, ""
    return Surface(name, tuple(moved_blocks(surface, part.rows.start))), ""


# What is highlighted --------------------------------------------------------------------------------


def highlight_of(
    project: Project, selection: Selection, computed: Computed, content: SceneContent
) -> Highlight:
    """Return selected pairs, picked faces, or what of the deck or system is selected."""
    rows = () if selection.pairs is None or content.pairs is None else tuple(
        row for row in selection.pairs.rows if row < len(content.pairs)
    )  # fmt: skip
    member = _member(project, selection.entity)
    if member[0] == "part":
        return Highlight(rows, tuple(content.facets_of_part(member[1])), member)
    subject, facets = content.subject, np.zeros(0, np.int64)
    if subject.skin is not None and content.model is not None:
        of_skin = _facets(selection, computed, content.model, subject.skin, subject.name)
        facets = subject.shown_facets(np.unique(of_skin))
    return Highlight(rows, tuple(facets.tolist()), member)


def _facets(selection: Selection, computed: Computed, model: FeModel, skin: Skin, body: str) -> np.ndarray:
    """Return the highlighted facets of a body's skin."""
    path, marked = selection.entity, selection.marked
    if selection.faces:
        return np.concatenate([skin.grow(face.facet, SMOOTH_ANGLE) for face in selection.faces])
    found = np.zeros(0, np.int64)
    if kind_of(path) == "connected_part":
        parts = computed.parts(body)
        found = found if parts is None else np.flatnonzero(parts[0] == int(path[4]) - 1)
    elif is_deck_item(path):
        found = facets_of_deck_item(path, model, skin)
    if not len(found) and marked is not None and marked.body == body:
        found = marked.facets
    return found


def facets_of_deck_item(path: EntityPath, model: FeModel, skin: Skin) -> np.ndarray:
    """Return the facets of the skin that belong to a surface or set of the deck."""
    kind, name = path[3], str(path[4])
    elements, faces = elements_and_faces(skin.surface)
    if kind == "element_set" and name in model.element_sets:
        return np.flatnonzero(np.isin(elements, model.element_sets[name]))
    if kind == "deck_surface" and name in model.surfaces:
        deck = model.surfaces[name]
        return np.flatnonzero(np.isin(elements * 8 + faces, deck.elements * 8 + deck.faces))
    if kind == "node_set" and name in model.node_sets:
        inside = np.zeros(len(model.nodes), bool)
        inside[model.node_sets[name]] = True
        return np.flatnonzero(skin.surface.facets_within(inside))
    return np.zeros(0, np.int64)


def _member(project: Project, path: EntityPath) -> tuple[str, str]:
    """Return kind and name of the selected part, marker, constraint or force of a system."""
    kind = kind_of(path)
    if path[:1] != ("systems",) or kind not in ("part", "marker", "constraint", "force"):
        return ("", "")
    name = str(value_at(project, path).name)
    if kind == "marker":
        owner = value_at(project, path[:4]).name if path[2] == "parts" else GROUND
        name = f"{owner}.{name}"
    return (kind, name)
