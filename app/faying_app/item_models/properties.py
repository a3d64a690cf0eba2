"""Properties: what is worth knowing of a selected entity, from what was computed for it."""

import numpy as np

from faying.errors import FayingError, ModelError
from faying.fem.left_out import harmless, left_out
from faying.fem.mass_properties import mass_properties
from faying.fem.measuring import angle_between
from faying.fem.model import FeModel
from faying.fem.skin import surface_area
from faying.joints.pairs import REASONS, ContactPairs
from faying.multibody.assembly import Assembled
from faying.multibody.constraints import PairConstraint
from faying.multibody.part_kinds.rigid import RigidShapeSpec
from faying.multibody.system_spec import SystemSpec
from faying.project import stage
from faying.project.file_names import with_absolute_files
from faying.project.specs import BodySpec, JointSpec
from faying.project.stage import Target
from faying.reduction.contact_surfaces import ContactSurfaceSpec
from faying.results.verdicts import facts_of
from faying.spatial.words import direction_in_words
from faying.units import plain_number, unit_text
from faying_app.context import Context
from faying_app.entities import analysis_at, body_at, is_deck_item, joint_at, kind_of, system_at
from faying_app.look.counts import counted
from faying_app.look.readable import readable
from faying_app.selection import EntityPath

Properties = list[tuple[str, str]]


def target_of(context: Context, path: EntityPath) -> Target | None:
    """Return what is computed for an entity, None for entities that are only decided."""
    body, kind = body_at(context.project, path), kind_of(path)
    if kind == "analysis":
        analysis = analysis_at(context.project, path)
        return stage.target_of(analysis)
    if body is None or not path or path[0] != "bodies":
        return None
    if kind == "model" or is_deck_item(path):
        return Target("model", body.name)
    if kind in ("joint", "surface", "search") and path[2] == "joints":
        joint = joint_at(context.project, path)
        return Target("model", body.name) if body.is_tied(joint) else Target("pairs", body.name, joint.name)
    if kind == "reduction":
        return Target("components", body.name)
    if kind in ("joint_modes", "body"):
        return Target("body", body.name)
    return None


def properties_of(context: Context, path: EntityPath) -> Properties:
    """Return (label, text) of what is known of an entity now; empty when nothing was computed."""
    body, kind = body_at(context.project, path), kind_of(path)
    if kind == "analysis":
        return _analysis(context, analysis_at(context.project, path).name)
    if kind == "contact":
        return _contact(context, path)
    if kind == "constraint":
        return _constraint(context, path)
    if kind == "part" and isinstance(context.value(path), RigidShapeSpec):
        return _shaped_part(context, path)
    if kind == "system":
        system = system_at(context.project, path)
        return [] if system is None else _system(context, system)
    if body is None or not path or path[0] != "bodies":
        return []
    if kind in ("model", "body"):
        return _model(context, body.name)
    if kind == "connected_part":
        return [("Size", context.computed.part_names(body.name).get(int(path[4]) - 1, ("", ""))[1])]
    if len(path) >= 4 and path[2] == "contact_surfaces":
        return _contact_surface(context, body, context.value(path[:4]))
    if kind in ("joint", "surface", "search"):
        joint = joint_at(context.project, path)
        roles = [path[4]] if kind == "surface" else ["master", "slave"] if kind == "joint" else []
        facts = [fact for role in roles for fact in _surface(context, body.name, joint, str(role))]
        if body.is_tied(joint):
            return facts + _tie(context, body, joint)
        pairs = context.computed.pairs(body.name, joint.name)
        return facts if pairs is None else facts + _pairs(pairs, context.project.units)
    if kind in ("reduction", "joint_modes"):
        return _basis(context, body.name)
    return []


def _tie(context: Context, body: BodySpec, joint: JointSpec) -> Properties:
    model, number = context.computed.model(body.name), body.tied_joints.index(joint)
    if model is None or number >= len(model.ties):
        return []
    tie, unit = model.ties[number], unit_text("length", context.project.units)
    if tie.problem:
        return [("Tie", tie.problem)]
    facts = [("Tied nodes", f"{len(tie.nodes)}, within {tie.distance:.4g} {unit}")]
    if len(tie.left_out):
        facts.append(("Loose nodes", f"{len(tie.left_out)} (see Findings)"))
    return facts + ([("Moved", f"up to {tie.moved:.3g} {unit}")] if tie.moved else [])


def _system(context: Context, system: SystemSpec) -> Properties:
    at, units = context.computed.assembled(system), context.project.units
    if isinstance(at, FayingError):
        return [("Start", at.message)]
    if at is None:
        missing = [name for name in system.body_names() if context.computed.reduced(name) is None]
        return [("Start", f"Known once {', '.join(missing)} is reduced.")] if missing else []
    mass = sum(part.total_mass for part in at.system.parts)
    facts = [
        ("Degrees of freedom", f"{at.freedom.degrees}"),
        ("Constraint equations", f"{len(at.system.equation_names())}"),
        ("Mass", readable(mass, "mass", units)),
    ]
    facts += [("Over-constrained", f"{reason}.") for reason in at.freedom.reasons()]
    return facts


def _constraint(context: Context, path: EntityPath) -> Properties:
    """Return the axis that a constraint acts about, what it takes, and how far apart its markers are placed."""
    system, spec = system_at(context.project, path), context.value(path)
    if system is None or not isinstance(spec, PairConstraint):
        return []
    taken = [term.words for term in spec.terms()]
    facts = [("Takes", f"{len(taken)} of 6 degrees of freedom: {', '.join(taken)}")]
    at = context.computed.assembled(system)
    if not isinstance(at, Assembled):
        return facts
    first, second = (at.system.motion(name, at.position) for name in spec.marker_names()[:2])
    if spec.axis_words:
        words = direction_in_words(first.axes[:, 2])
        facts.insert(0, (spec.axis_words.capitalize(), f"z of {spec.first}: {words} in space"))
    placed = system.start(at.system)[0]
    first, second = (at.system.motion(name, placed) for name in spec.marker_names()[:2])
    away = float(np.linalg.norm(second.position - first.position))
    size = float(np.abs([first.position, second.position]).max())
    tilt = angle_between(first.axes[:, 2], second.axes[:, 2])
    length = unit_text("length", context.project.units)
    apart = f"{away:.4g} {length}" if away > 1e-9 * size else f"0 {length}"
    turned = f"{tilt:.4g}°" if tilt > 1e-6 else "0°"
    facts.append(("Markers as placed", f"{apart} apart, z axes {turned}"))
    return facts


def _shaped_part(context: Context, path: EntityPath) -> Properties:
    """Return mass, centre of mass and moments of inertia that the shape of a rigid part gives."""
    units = context.project.units
    try:
        mass, centre, tensor = with_absolute_files(context.value(path), context.computed.base).inertia()
    except FayingError as error:
        return [("Mass", str(error))]
    moment = unit_text("moment_of_inertia", units)
    size = float(np.sqrt(np.trace(tensor) / mass))
    placed = ", ".join(f"{x:.5g}" if abs(x) > 1e-6 * size else "0" for x in centre)
    facts = [
        ("Mass", f"{mass:.5g} {unit_text('mass', units)}"),
        ("Centre of mass", f"{placed} {unit_text('length', units)}"),
        ("Ixx, Iyy, Izz", ", ".join(f"{v:.5g}" for v in np.diag(tensor)) + f" {moment}"),
    ]
    products = tensor[[0, 0, 1], [1, 2, 2]]
    if np.abs(products).max() > 1e-9 * np.trace(tensor):
        facts.append(("Ixy, Ixz, Iyz", ", ".join(f"{v:.5g}" for v in products) + f" {moment}"))
    return facts


def _model(context: Context, body: str) -> Properties:
    model, units = context.computed.model(body), context.project.units
    if model is None:
        return []
    size = model.nodes.max(axis=0) - model.nodes.min(axis=0)
    kinds = ", ".join(f"{len(b.ids)} {b.label}" for b in model.blocks)
    facts = [
        ("Nodes", f"{len(model.nodes)}"),
        ("Elements", kinds),
        ("Size", " × ".join(f"{s:.4g}" for s in size) + f" {unit_text('length', units)}"),
    ]
    for material in model.materials.values():
        modulus = f"E = {readable(material.youngs_modulus, 'stress', units)}"
        density = f"ρ = {readable(material.density, 'density', units)}"
        facts.append((material.name, f"{modulus}, ν = {material.poisson_ratio:g}, {density}"))
    reduced = context.computed.reduced(body)
    facts += _weight(model, units, reduced.total_mass if reduced is not None else None)
    for title, lines in (("Left out", left_out(model)), ("Not read", harmless(model))):
        if lines:
            facts.append((title, f"{counted(len(lines), 'card')} (see Findings)"))
    return facts


def _weight(model: FeModel, units: str, reduced: float | None) -> Properties:
    """Return what a model weighs; the mass is that of the reduced body once it is there."""
    try:
        found = mass_properties(model)
    except ModelError as error:
        return [("Mass", error.message)]
    total = found.mass if reduced is None else reduced
    if total == 0.0:
        # Zero of a tonne would look like a very light body.
        bare = [name for name, material in model.materials.items() if material.density <= 0.0]
        why = f"{', '.join(bare)} has no density" if bare else "no element has a material"
        return [("Mass", f"none: {why}"), ("Volume", readable(found.volume, "volume", units))]
    facts = [("Mass", readable(total, "mass", units)), ("Volume", readable(found.volume, "volume", units))]
    if len(found.by_material) > 1:
        facts += [
            (f"of {name or 'no material'}", readable(m, "mass", units))
            for name, (_, m) in found.by_material.items()
        ]
    if model.point_masses:
        facts.append(("of point masses", readable(found.point_masses, "mass", units)))
    if found.mass > 0.0:
        # What rounding leaves of a zero is shown as zero.
        size = float(np.linalg.norm(np.ptp(model.nodes, axis=0)))
        centre = ", ".join(f"{x:.5g}" if abs(x) > 1e-6 * size else "0" for x in found.centre)
        facts.append(("Centre of gravity", f"{centre} {unit_text('length', units)}"))
    return facts


def _surface(context: Context, body: str, joint: JointSpec, role: str) -> Properties:
    model = context.computed.model(body)
    surface = context.computed.surface(body, joint, "master" if role == "master" else "slave")
    if model is None or surface is None:
        return []
    area, unit = surface_area(surface, model.nodes), unit_text("area", context.project.units)
    return [(f"{role.capitalize()} surface", f"{surface.n_facets} facets, {area:.5g} {unit}")]


def _contact_surface(context: Context, body: BodySpec, each: ContactSurfaceSpec) -> Properties:
    found = context.computed.contact_surface(body, each)
    if found is None:
        return []
    if isinstance(found, FayingError):
        return [("Surface", str(found))]
    model, surface = found
    area, unit = surface_area(surface, model.nodes), unit_text("area", context.project.units)
    nodes = len(surface.nodes)
    return [
        ("Surface", f"{counted(surface.n_facets, 'facet')}, {counted(nodes, 'node')}, {area:.5g} {unit}"),
        ("Contact shapes", f"up to {each.shapes.shape_count(nodes)}"),
    ]


def _contact(context: Context, path: EntityPath) -> Properties:
    system, unit = system_at(context.project, path), unit_text("length", context.project.units)
    if system is None:
        return []
    facts = []
    for role, side in context.computed.contact_sides(system, context.value(path)).items():
        if isinstance(side, FayingError):
            text = str(side)
        elif side.spec is not None:
            text = side.spec.describe()
        elif side.surface is None:
            text = "known once the model is read"
        else:
            text = f"{side.surface.n_facets} facets of {side.mean_edge:.3g} {unit} in the mean"
        facts.append((f"{role.capitalize()} surface", text))
    return facts


def _pairs(pairs: ContactPairs, units: str) -> Properties:
    facts = [
        ("Contact pairs", f"{len(pairs)} of {len(pairs) + pairs.n_unpaired} {pairs.slave_word}"),
        ("Paired area", f"{pairs.weights.sum():.5g} {unit_text('area', units)}"),
    ]
    if len(pairs):
        gaps = pairs.initial_gaps
        shown = [readable(float(gap), "length", units) for gap in (gaps.min(), gaps.max())]
        facts.append(("Initial gap", shown[0] if shown[0] == shown[1] else " … ".join(shown)))
        facts.append(("Penetrating", counted(int(np.count_nonzero(gaps < 0)), "pair")))
    for i, reason in enumerate(REASONS):
        count = int(np.count_nonzero(pairs.unpaired_reasons == i))
        if count:
            facts.append((f"{count} without pair", reason))
    return facts


def _basis(context: Context, body: str) -> Properties:
    basis, units = context.computed.basis(body), context.project.units
    if basis is None:
        return []
    facts = [(group.name.capitalize(), f"{group.stop - group.start}") for group in basis.groups]
    if len(basis.frequencies):
        shown = ", ".join(plain_number(f) for f in basis.frequencies[:6])
        facts.append(
            (
                "Frequencies",
                f"{shown}{', …' if len(basis.frequencies) > 6 else ''} {unit_text('frequency', units)}",
            )
        )
    if len(basis.singular_values):
        counts = [g for g in (1, 5, 10, 20, 40) if g <= len(basis.singular_values)]
        facts.append(
            (
                "Share w(g) of the derivatives",
                ", ".join(f"{g}: {100 * basis.pod_ratio(g):.2f} %" for g in counts),
            )
        )
    facts += [("Left out", sentence) for sentence in basis.removed[:3]]
    return facts


def _analysis(context: Context, name: str) -> Properties:
    results = context.computed.results(name)
    if results is None:
        return []
    frames = str(results.n_frames)
    if not results.complete:
        mark = context.computed.state(stage.target_of(context.project.analysis(name)))
        frames += " so far" if mark.kind == "running" else " (interrupted)"
    facts = [("Frames", frames)]
    for fact in facts_of(results.report, context.project.units):
        facts.append((fact.title, f"{fact.text}: {fact.verdict}" if fact.verdict else fact.text))
    return facts
