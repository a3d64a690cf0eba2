"""The report's chapter about the model: bodies with supports and loads, materials and joints; systems."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from faying.errors import FayingError
from faying.exporters import ExportSettings
from faying.exporters.report_parts.markup import Section, paragraph, table
from faying.exporters.report_parts.sentences import analysis_sentence, law_text, listed
from faying.exporters.report_parts.sources import DPI, ReportSources
from faying.exporters.report_parts.system_section import picture_of_system
from faying.fem.elasticity import described_stiffness, is_isotropic
from faying.fem.mass_properties import mass_properties
from faying.fem.model import FeModel, Material
from faying.project.specs import BodySpec, JointSpec
from faying.results.key_results import number_text
from faying.units import shown_unit, unit_text

_PICTURE = (1280, 720)
_NO_OFFSET = 1e-4  # of the size: remainder of meshes that are not quite symmetric
_READABLE_MASS = {"mm-t-s": ("kg", 1000.0)}


def model_sections(sources: ReportSources) -> list[Section]:
    """Return the chapter with a section for each body and system."""
    sections = [Section("model", "Model", "")]
    for i, body in enumerate(sources.project.bodies):
        sections.append(Section(f"body-{i + 1}", f"Body {body.name}", _body(sources, body), 2))
    for i, system in enumerate(sources.project.systems):
        parts, links = listed(p.name for p in system.parts), listed(c.name for c in system.constraints)
        text = f"The system has the parts {parts}"
        text += f", joined by the constraints {links}." if links else "."
        if system.forces:
            acting = [force.name for force in system.forces]
            text += f" On it act{'' if len(acting) > 1 else 's'} {listed(acting)}."
        shown = picture_of_system(sources, system)
        sections.append(Section(f"system-{i + 1}", f"System {system.name}", shown + paragraph(text), 2))
    return sections


def _body(sources: ReportSources, body: BodySpec) -> str:
    model, units = sources.value("model", body.name), sources.project.units
    parts = [_picture(sources, body)]
    sentences = []
    if sources.paths:
        sentences.append(f"Deck: {body.model.path}.")
    elif body.model.path:
        sentences.append(f"The model was read from {Path(body.model.path).name}.")
    if model is not None:
        sentences.append(_mesh_sentence(sources, model))
    if body.interfaces:
        sentences.append(
            f"Loads and supports act at the interface nodes {listed(i.name for i in body.interfaces)}."
        )
    parts.append(paragraph(" ".join(sentences)))
    if model is not None and model.materials:
        heads = ("Material", "Kind", "Young's modulus", "Poisson's ratio", "Density")
        rows = [
            (m.name, _kind_of(m), f"{_mean(m)}{number_text(m.youngs_modulus)} {unit_text('stress', units)}",
             f"{_mean(m)}{m.poisson_ratio:.3g}",
             f"{m.density:.4g} {unit_text('density', units)}")
            for m in model.materials.values()
        ]  # fmt: skip
        parts.append(table(heads, rows))
    parts.append(_joints(sources, body))
    return "\n".join(parts)


def _kind_of(material: Material) -> str:
    """Return the kind of a material, with its constants where they depend on the direction."""
    return material.kind if is_isotropic(material) else described_stiffness(material)


def _mean(material: Material) -> str:
    return "" if material.kind == "isotropic" else "mean "


def _mesh_sentence(sources: ReportSources, model: FeModel) -> str:
    """Return a sentence on the mesh: its size, elements, mass and centre of mass."""
    units = sources.project.units
    counts: dict[str, int] = {}
    for block in model.blocks:
        counts[block.element] = counts.get(block.element, 0) + len(block.ids)
    kinds = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    text = f"It has {len(model.nodes)} nodes and {len(model.element_ids)} elements ({kinds})"
    try:
        found = mass_properties(model)
    except FayingError as error:
        return f"{text}; its mass is not known ({error.message.rstrip('.')})."
    unit, factor = _READABLE_MASS.get(units, shown_unit("mass", units, {}))
    size = float(np.linalg.norm(np.ptp(model.nodes, axis=0))) if len(model.nodes) else 1.0
    centre = ", ".join(number_text(float(x)) if abs(x) > _NO_OFFSET * size else "0" for x in found.centre)
    return (
        f"{text}. Its mass is {number_text(factor * found.mass)} {unit}, with the centre of mass at ({centre}) "
        f"{unit_text('length', units)}."
    )


def _picture(sources: ReportSources, body: BodySpec) -> str:
    """Return a picture of the undeformed body, with the supports and loads of its first run."""
    for run in sources.runs:
        content = run.of_body
        if content is not None and run.analysis.owner == body.name:
            acting = analysis_sentence(run.analysis, sources.project.units)
            # At their largest, independent of the frame.
            loads = tuple(replace(load, time_history=None) for load in content.loads)
            return sources.drawn(
                replace(content, loads=loads),
                ExportSettings(
                    "", (0,), size=_PICTURE, scale=0.0, style="journal", centre_of_mass=True, dpi=DPI
                ),
                f"Body {body.name} at rest with supports, loads and centre of mass. {acting}",
            )  # fmt: skip
    return ""


def _joints(sources: ReportSources, body: BodySpec) -> str:
    rows, units = [], sources.project.units
    for joint in body.joints:
        if body.is_tied(joint):
            rows.append((joint.name, *_tie(sources, body, joint), "tied", ""))
            continue
        pairs = sources.value("pairs", body.name, joint.name)
        found: Sequence[object] = ["not found yet", "", "", ""]
        if pairs is not None and len(pairs):
            least, most = float(pairs.initial_gaps.min()), float(pairs.initial_gaps.max())
            gaps = f"{least:.3g} to {most:.3g}" if least != most else f"{most:.3g} everywhere"
            found = [len(pairs), pairs.n_unpaired or "none", f"{pairs.weights.sum():.5g}", gaps]
        laws = law_text(joint.contact_law, units), law_text(joint.friction_law, units)
        rows.append((joint.name, *found, *laws))
    length, area = unit_text("length", units), unit_text("area", units)
    heads = (
        "Joint", "Contact pairs", "Without pair", f"Area [{area}]", f"Initial gap [{length}]", "Contact",
        "Friction",
    )  # fmt: skip
    if not rows:
        return ""
    # Laws that all joints share are described once.
    shared = {row[-2:] for row in rows}
    if len(rows) > 1 and len(shared) == 1:
        contact, friction = shared.pop()
        told = f"All joints have the contact law: {contact}; friction: {friction}."
        return table(heads[:-2], [row[:-2] for row in rows], "Joints.") + paragraph(told)
    return table(heads, rows, "Joints.")


def _tie(sources: ReportSources, body: BodySpec, joint: JointSpec) -> list[object]:
    """Return for the table of joints how many nodes are tied, and how many are not."""
    model = sources.value("model", body.name)
    if model is None:
        return ["not found yet", "", "", ""]
    tie = model.ties[body.tied_joints.index(joint)]
    return [f"{len(tie.nodes)} nodes tied", len(tie.left_out) or "none", "", ""]
